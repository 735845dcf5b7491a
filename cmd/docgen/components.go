package main

import (
	"bytes"
	_ "embed" // the template of a page
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/redpanda-data/benthos/v4/public/service"

	// Registers the components.
	_ "github.com/oracle-cdc/redpanda-connect-oracle/bundle"
)

// component is a page's subject: what the distribution has and the engine alone has not.
type component struct {
	kind, name string
	walk       func(*service.Environment, func(string, *service.ConfigView))
}

func components() []component {
	return []component{
		{"input", "oracle_cdc", (*service.Environment).WalkInputs},
		{"processor", "oracle_schema", (*service.Environment).WalkProcessors},
		{"output", "kafka_franz", (*service.Environment).WalkOutputs},
		{"metrics", "prometheus", (*service.Environment).WalkMetrics},
	}
}

//go:embed page.md.tmpl
var pageText string

func componentPages() (map[string][]byte, error) {
	page, err := template.New("page").Funcs(template.FuncMap{
		"markdown": markdown, "fence": fence, "join": strings.Join, "quote": quoteAll,
	}).Parse(pageText)
	if err != nil {
		return nil, err
	}
	pages := map[string][]byte{}
	for _, c := range components() {
		text, err := c.render(page)
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", c.kind, c.name, err)
		}
		pages[c.kind+"-"+c.name+".md"] = text
	}
	return pages, nil
}

func (c component) render(page *template.Template) ([]byte, error) {
	var view *service.ConfigView
	c.walk(service.GlobalEnvironment(), func(name string, config *service.ConfigView) {
		if name == c.name {
			view = config
		}
	})
	if view == nil {
		return nil, fmt.Errorf("not registered")
	}
	data, err := view.TemplateData()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := page.Execute(&out, data); err != nil {
		return nil, err
	}
	return append(bytes.TrimSpace(blankLines.ReplaceAll(out.Bytes(), []byte("\n\n"))), '\n'), nil
}

var (
	blankLines = regexp.MustCompile(`\n{3,}`)
	heading    = regexp.MustCompile(`(?m)^(={2,}) `)
)

// markdown turns the headings of the engine's markup into ours.
func markdown(text string) string {
	return strings.TrimSpace(heading.ReplaceAllStringFunc(text, func(h string) string {
		return strings.Repeat("#", len(h)-1) + " "
	}))
}

func fence(text string) string { return "```yaml\n" + strings.TrimSpace(text) + "\n```" }

func quoteAll(words []string) []string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = "`" + w + "`"
	}
	return quoted
}
