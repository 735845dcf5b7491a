package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"

	"github.com/redpanda-data/benthos/v4/public/service"
	"gopkg.in/yaml.v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
)

// Config says what is replayed. The zero Config is complete for recordings that have their tables with them.
type Config struct {
	// Pipeline is the text of a pipeline's configuration; the settings of its oracle_cdc input count, but for what is about
	// connections, mining and positions. Empty: see defaultInput.
	Pipeline []byte
	// Tables is an export of the dictionary; nil: none.
	Tables io.Reader
	// Database is the database's name, for tables without a PDB; empty: that of the export.
	Database string
	// ConnectorVersion is source.version.
	ConnectorVersion string
	// Log is told the counts at the end and what was left out; nil: nobody.
	Log *slog.Logger
}

// defaultInput is the configuration without a pipeline: any table as it is.
const defaultInput = `
input:
  oracle_cdc:
    topic_prefix: replay
    include: ['.*']
    supplemental_logging: key
    key: {missing: none}
`

// engine parses the configuration.
func (c *Config) engine() (*engine.Config, error) {
	text := c.Pipeline
	if len(text) == 0 {
		text = []byte(defaultInput)
	}
	conf, err := inputOf(text)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	out, err := input.Offline(conf)
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	out.Records.ConnectorVersion = c.ConnectorVersion
	return out, nil
}

// inputOf finds the one oracle_cdc input of a pipeline, wherever it stands, and parses its fields as the runtime does. A variable of
// the environment that is not set is empty: passwords and addresses are of no interest.
func inputOf(text []byte) (*service.ParsedConfig, error) {
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return nil, err
	}
	var found []any
	find(tree, &found)
	if len(found) != 1 {
		return nil, fmt.Errorf("the pipeline has %d oracle_cdc inputs, and replay needs one", len(found))
	}
	fields, ok := found[0].(map[string]any)
	if !ok {
		return nil, errors.New("oracle_cdc has no fields")
	}
	if _, ok := fields["connection_string"]; !ok {
		fields["connection_string"] = "" // the one field that has no default
	}
	text, err := json.Marshal(map[string]any{"oracle_cdc": fields})
	if err != nil {
		return nil, err
	}
	lints, err := service.GlobalEnvironment().NewComponentConfigLinter().SetSkipEnvVarCheck(true).LintInputYAML(text)
	if err != nil {
		return nil, err
	}
	for _, l := range lints {
		if l.Type == service.LintUnknown {
			return nil, errors.New(l.What)
		}
	}
	if !bytes.Contains(text, []byte("${")) {
		text, err = json.Marshal(fields)
		if err != nil {
			return nil, err
		}
		return input.Spec().ParseYAML(string(text), nil)
	}
	return parse(fields)
}

// find collects the inputs in the order of the text.
func find(tree any, found *[]any) {
	switch t := tree.(type) {
	case map[string]any:
		names := make([]string, 0, len(t))
		for name := range t {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			if name == "oracle_cdc" {
				*found = append(*found, t[name])
				continue
			}
			find(t[name], found)
		}
	case []any:
		for _, v := range t {
			find(v, found)
		}
	}
}

// parse replaces variables of the environment in the texts of the fields and parses those.
func parse(fields any) (*service.ParsedConfig, error) {
	wrapped, err := yaml.Marshal(map[string]any{"input": map[string]any{"oracle_cdc": fields}})
	if err != nil {
		return nil, err
	}
	file, err := service.GlobalEnvironment().FullConfigSchema("", "").NewConfigQuerier().ParseYAML(string(wrapped))
	if err != nil {
		return nil, err
	}
	at, err := file.FieldAtPath("input")
	if err != nil {
		return nil, err
	}
	replaced, err := at.FieldAny()
	if err != nil {
		return nil, err
	}
	node, ok := replaced.(*yaml.Node)
	if !ok {
		return nil, fmt.Errorf("the runtime parses an input as %T", replaced)
	}
	var plain struct {
		Fields yaml.Node `yaml:"oracle_cdc"`
	}
	if err := node.Decode(&plain); err != nil {
		return nil, err
	}
	text, err := yaml.Marshal(&plain.Fields)
	if err != nil {
		return nil, err
	}
	return input.Spec().ParseYAML(string(text), nil)
}
