package replay

import (
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
)

// definition is what a case of kind ddl expects of the classifier. A nil Table says that no table changes for its consumers, a nil
// PrimaryKey nothing of the key, nil Columns nothing of the columns.
type definition struct {
	Class      string   `json:"class"`
	Accept     []string `json:"accept"`
	Changed    *string  `json:"table"`
	NewTable   string   `json:"new_table"`
	Columns    []string `json:"columns"`
	PrimaryKey []string `json:"primary_key"`
}

// checkDDL sends a statement through the classifier.
func (c *expectedCase) checkDDL(t *testing.T) {
	text := c.DDL
	if len(c.Chunks) > 0 {
		text = joined(t, c.Chunks)
	}
	want, got := &c.Expect.definition, ddl.Classify(text, c.SegOwner)
	if class := string(got.Class); class != want.Class && !slices.Contains(want.Accept, class) {
		t.Errorf("class %s, want %s", class, want.Class)
	}
	switch changes := got.Class != ddl.Ignore && got.Class != ddl.Unknown; {
	case want.Changed == nil && changes:
		t.Errorf("%s changes, want nothing", got.Table)
	case want.Changed != nil && (!changes || got.Table.String() != *want.Changed):
		t.Errorf("table %q, want %q", got.Table, *want.Changed)
	}
	if got.New.String() != want.NewTable {
		t.Errorf("new name %q, want %q", got.New, want.NewTable)
	}
	var columns []string
	for _, column := range got.Columns {
		columns = append(columns, column.Name)
	}
	if want.Columns != nil && !slices.Equal(columns, want.Columns) {
		t.Errorf("columns %q, want %q", columns, want.Columns)
	}
	if want.PrimaryKey != nil && (!got.KeyKnown || !slices.Equal(got.PrimaryKey, want.PrimaryKey)) {
		t.Errorf("primary key %q (known: %t), want %q", got.PrimaryKey, got.KeyKnown, want.PrimaryKey)
	}
}
