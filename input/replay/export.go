package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// readTables reads the rows that the export queries of the documentation give.
func readTables(in io.Reader) (*oracle.Exported, error) {
	exported := oracle.NewExported()
	for v := newValues(in); ; {
		raw, err := v.next()
		if errors.Is(err, io.EOF) {
			return exported, nil
		}
		if err != nil {
			return nil, err
		}
		row, err := textsOf(raw)
		if err == nil {
			err = exported.Add(row)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", v.at, err)
		}
	}
}

// textsOf gives the values of a row as text by the names of its columns in upper case; NULL is empty.
func textsOf(raw json.RawMessage) (map[string]string, error) {
	var members map[string]json.RawMessage
	if err := unmarshal(raw, &members); err != nil {
		return nil, err
	}
	row := make(map[string]string, len(members))
	for name, value := range members {
		text := string(value)
		switch {
		case text == "null":
			text = ""
		case value[0] == '"':
			if err := unmarshal(value, &text); err != nil {
				return nil, err
			}
		case value[0] == '{' || value[0] == '[':
			return nil, fmt.Errorf("column %s is neither text nor number", name)
		}
		row[strings.ToUpper(name)] = text
	}
	return row, nil
}

// unknown lists the tables whose rows were left out, with how many.
func (p *player) unknown() []string {
	var out []string
	for name, n := range p.foreign {
		out = append(out, fmt.Sprintf("%s.%s (%d)", name.owner, name.name, n))
	}
	slices.Sort(out)
	const shown = 20
	if len(out) > shown {
		out = append(out[:shown], fmt.Sprintf("%d more", len(out)-shown))
	}
	return out
}
