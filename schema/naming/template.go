package naming

import (
	"fmt"
	"slices"
	"strings"
)

// placeholder is a name in braces of a Template.
type placeholder string

const (
	prefixPart   placeholder = "prefix"
	pdbPart      placeholder = "pdb"
	databasePart placeholder = "database"
	schemaPart   placeholder = "schema"
	tablePart    placeholder = "table"
)

// part is literal text or one placeholder.
type part struct {
	literal string
	name    placeholder
}

// Template is a parsed name template. Braces are not legal in topic names, so they need no escape.
type Template struct {
	text  string
	parts []part
	// apart: nobody chose the template, so that tables whose names it makes one do not share a topic on purpose.
	apart bool
}

func parseTemplate(text string, allowed ...placeholder) (Template, error) {
	t := Template{text: text}
	for rest := text; rest != ""; {
		open := strings.IndexAny(rest, "{}")
		if open < 0 {
			t.parts = append(t.parts, part{literal: rest})
			break
		}
		if rest[open] == '}' {
			return Template{}, fmt.Errorf("template %q: } without {", text)
		}
		if open > 0 {
			t.parts = append(t.parts, part{literal: rest[:open]})
		}
		if strings.HasSuffix(rest[:open], "$") {
			return Template{}, fmt.Errorf("template %q: write {name}, not ${name}, which the runtime replaces by an environment variable", text)
		}
		rest = rest[open+1:]
		end := strings.IndexAny(rest, "{}")
		if end < 0 || rest[end] == '{' {
			return Template{}, fmt.Errorf("template %q: { without }", text)
		}
		name := placeholder(rest[:end])
		if !slices.Contains(allowed, name) {
			return Template{}, fmt.Errorf("template %q: unknown placeholder {%s}, known are %s", text, name, listed(allowed))
		}
		t.parts = append(t.parts, part{name: name})
		rest = rest[end+1:]
	}
	if len(t.parts) == 0 {
		return Template{}, fmt.Errorf("template %q: no name in it", text)
	}
	return t, nil
}

func listed(names []placeholder) string {
	var b strings.Builder
	for i, n := range names {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString("{" + string(n) + "}")
	}
	return b.String()
}

// String gives the template as it was written.
func (t Template) String() string { return t.text }

// values holds what the placeholders stand for.
type values struct {
	prefix, pdb, database, schema, table string
}

func (v values) of(name placeholder) string {
	switch name {
	case prefixPart:
		return v.prefix
	case pdbPart:
		return v.pdb
	case databasePart:
		return v.database
	case schemaPart:
		return v.schema
	case tablePart:
		return v.table
	}
	return ""
}

// expand fills the template. A dotted part that is {pdb} alone is left out, with one dot, where there is no PDB.
func (t Template) expand(v values) string {
	var b strings.Builder
	for i := 0; i < len(t.parts); i++ {
		p := t.parts[i]
		if p.name == pdbPart && v.pdb == "" && t.alone(i) {
			// The dot before goes with it when nothing follows, the dot after otherwise.
			if i+1 == len(t.parts) {
				return strings.TrimSuffix(b.String(), ".")
			}
			i++
			b.WriteString(strings.TrimPrefix(t.parts[i].literal, "."))
			continue
		}
		if p.name == "" {
			b.WriteString(p.literal)
			continue
		}
		b.WriteString(v.of(p.name))
	}
	return b.String()
}

// alone reports whether the placeholder at i fills a dotted part of its own.
func (t Template) alone(i int) bool {
	before := i == 0 || strings.HasSuffix(t.parts[i-1].literal, ".")
	after := i+1 == len(t.parts) || strings.HasPrefix(t.parts[i+1].literal, ".")
	return before && after
}

// used gives the values that tell tables apart in this template, in a form that no other combination has.
func (t Template) used(v values) string {
	var b strings.Builder
	for _, name := range []placeholder{pdbPart, schemaPart, tablePart} {
		if t.apart || t.has(name) {
			fmt.Fprintf(&b, "%q ", v.of(name))
		}
	}
	return b.String()
}

func (t Template) has(name placeholder) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return p.name == name })
}
