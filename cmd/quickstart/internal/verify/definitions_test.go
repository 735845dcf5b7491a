package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/sabotage"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// changing is a table under DDL with a right history of it.
type changing struct {
	history
	table *ledger.Table
	told  [][]byte
	seen  []verify.Seen
	final []ledger.Row
}

const missing = "__cdc_unavailable_value"

// Each of the rows is written in one layout and read in the next: a column comes with a default, gets another name, the table too, and is
// emptied in the end.
func changed() *changing {
	id, tag, v := ledger.Column{Name: "ID", Kind: ledger.Integer, Key: true}, ledger.Column{Name: "TAG", Kind: ledger.Text}, ledger.Column{Name: "V", Kind: ledger.Text}
	w, x := ledger.Column{Name: "W", Kind: ledger.Text}, ledger.Column{Name: "X", Kind: ledger.Text}
	same := []int{0, 1, 2, 3}
	t := &ledger.Table{PDB: "SALES", Owner: "APP", Name: "T", Columns: ledger.Columns{id, tag, v}}
	t.Steps = []ledger.Step{
		{After: 1020, Behind: 1023, Text: "ALTER TABLE APP.T ADD (W VARCHAR2(9) DEFAULT 'd')", Name: "T", Columns: ledger.Columns{id, tag, v, w}, From: []int{0, 1, 2, -1}, Fill: []ledger.Value{{}, {}, {}, ledger.Of("d")}},
		{After: 1040, Behind: 1043, Text: "ALTER TABLE APP.T RENAME COLUMN W TO X", Name: "T", Columns: ledger.Columns{id, tag, v, x}, From: same},
		{After: 1060, Behind: 1063, Text: "ALTER TABLE APP.T RENAME TO U", Name: "U", Columns: ledger.Columns{id, tag, v, x}, From: same},
		{After: 1080, Behind: 1083, Text: "TRUNCATE TABLE APP.U", Name: "U", Columns: ledger.Columns{id, tag, v, x}, From: same, Emptied: true},
	}
	c := &changing{table: t}
	of := func(texts ...string) ledger.Row {
		row := ledger.Row{{Text: texts[0]}}
		for _, text := range texts[1:] {
			row = append(row, ledger.Of(text))
		}
		return row
	}
	c.do(1010, "c", nil, of("1", "t1010", "a"), nil)
	c.do(1012, "c", nil, of("2", "t1012", "b"), nil)
	c.do(1030, "u", of("1", "t1010", "a", missing), of("1", "t1030", "a", missing), of("1", "t1030", "a", "d"))
	c.do(1050, "u", of("1", "t1030", "a", missing), of("1", "t1050", "b", "set"), nil)
	c.do(1070, "u", of("2", "t1012", "b", missing), of("2", "t1070", "c", missing), of("2", "t1070", "c", "d"))
	c.do(1090, "c", nil, of("2", "t1090", "again", "y"), nil)
	c.seen = []verify.Seen{
		{Table: t, SCN: 1020, Rows: []ledger.Row{of("1", "t1010", "a"), of("2", "t1012", "b")}},
		{Table: t, SCN: 1040, Rows: []ledger.Row{of("1", "t1030", "a", "d"), of("2", "t1012", "b", "d")}},
		{Table: t, SCN: 1080, Rows: []ledger.Row{of("1", "t1050", "b", "set"), of("2", "t1070", "c", "d")}},
	}
	c.scns, c.final = []uint64{1100}, []ledger.Row{of("2", "t1090", "again", "y")}
	c.told = [][]byte{
		told(1022, "T", t.Steps[0].Text, "T", "ID", "TAG", "V", "W"), told(1042, "T", t.Steps[1].Text, "T", "ID", "TAG", "V", "X"),
		told(1062, "T,U", t.Steps[2].Text, "U", "ID", "TAG", "V", "X"), told(1082, "U", t.Steps[3].Text, ""),
	}
	return c
}

// do records a change; wanted is the row behind it where the record does not show it.
func (c *changing) do(scn uint64, op string, before, after, wanted ledger.Row) {
	c.scn = scn
	recorder{h: &c.history, xid: fmt.Sprintf("1.1.%d", scn), count: 1, table: c.table, order: 1}.add(op, before, after)
	if wanted == nil {
		wanted = after
	}
	c.ledger = append(c.ledger, ledger.Transaction{PDB: "SALES", Tag: fmt.Sprintf("t%d", scn), Changes: []ledger.Change{
		{Table: c.table, Steps: c.table.At(scn - 1), Op: ledger.Op(op[0]), Key: after[:1], After: wanted},
	}})
}

func told(scn uint64, table, text, called string, columns ...string) []byte {
	changes := ""
	if called != "" {
		changes = fmt.Sprintf(`{"type":"ALTER","id":"\"SALES\".\"APP\".\"%s\"","table":{"columns":[{"name":"%s"}]}}`, called, strings.Join(columns, `"},{"name":"`))
	}
	return fmt.Appendf(nil, `{"source":{"db":"SALES","schema":"APP","table":%q,"commit_scn":"%d"},"ddl":%q,"tableChanges":[%s]}`, table, scn, text, changes)
}

func (c *changing) Rows(context.Context, *ledger.Table, uint64) ([]ledger.Row, error) {
	return c.final, nil
}

func (c *changing) judge(t *testing.T) *verify.Report {
	t.Helper()
	report, err := verify.Judge(t.Context(), verify.Evidence{
		Format: verify.Format{Prefix: "shop", Tables: []*ledger.Table{c.table}}, Records: c.stream, Committed: c.ledger, Source: c, SCNs: c.scns,
		Seen: c.seen, Definitions: c.told,
	})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestRightHistoryOfATableUnderDDLIsVerified(t *testing.T) {
	if report := changed().judge(t); !report.Verified() || report.DDL != 4 || report.Changes != 6 {
		t.Errorf("%+v", report)
	}
	c := changed()
	c.told = append(c.told[:2:2], append([][]byte{c.told[0], c.told[1]}, c.told[2:]...)...)
	if report := c.judge(t); !report.Verified() || report.DDL != 4 {
		t.Errorf("told again: %+v", report)
	}
}

// R84: a row that gets another key while its table is read shows a default that the redo does not have; the next record has it from the redo
// again, which does not. What the change itself set is stored.
func TestDefaultOfARowThatGotAnotherKey(t *testing.T) {
	for shown, want := range map[string]bool{"d": true, "set": false} {
		id, tag, w := ledger.Column{Name: "ID", Kind: ledger.Integer, Key: true}, ledger.Column{Name: "TAG", Kind: ledger.Text}, ledger.Column{Name: "W", Kind: ledger.Text}
		table := &ledger.Table{PDB: "SALES", Owner: "APP", Name: "T", Columns: ledger.Columns{id, tag}}
		table.Steps = []ledger.Step{{
			After: 1020, Behind: 1023, Text: "ALTER TABLE APP.T ADD (W VARCHAR2(9) DEFAULT 'd')", Name: "T",
			Columns: ledger.Columns{id, tag, w}, From: []int{0, 1, -1}, Fill: []ledger.Value{{}, {}, ledger.Of("d")},
		}}
		row := func(id string, texts ...string) ledger.Row {
			out := ledger.Row{{Text: id}}
			for _, text := range texts {
				out = append(out, ledger.Of(text))
			}
			return out
		}
		c := &changing{table: table}
		c.do(1010, "c", nil, row("5", "t1010"), nil)
		c.scn = 1030
		moved := recorder{h: &c.history, xid: "1.1.1030", count: 1, table: table, order: 1}
		moved.add("d", row("5", "t1010", missing), nil)
		moved.tombstone(row("5", "t1010", missing))
		moved.add("c", nil, row("6", "t1030", shown))
		c.ledger = append(c.ledger, ledger.Transaction{PDB: "SALES", Tag: "t1030", Changes: []ledger.Change{
			{Table: table, Steps: 1, Op: ledger.Update, Key: row("5"), After: row("6", "t1030", shown)},
		}})
		c.do(1050, "u", row("6", "t1030", missing), row("6", "t1050", missing), row("6", "t1050", shown))
		c.told = [][]byte{told(1022, "T", table.Steps[0].Text, "T", "ID", "TAG", "W")}
		c.scns, c.final = []uint64{1100}, []ledger.Row{row("6", "t1050", shown)}
		report := c.judge(t)
		if report.Verified() != want || report.Changes != 3 {
			t.Errorf("%s: %+v", shown, report)
		}
	}
}

// R84: the next life delivers a row that got another key with the placeholder where the one before had read it, and no other value.
func TestRowThatGotAnotherKeyIsRepeatedWithoutWhatWasRead(t *testing.T) {
	for name, tt := range map[string]struct {
		again ledger.Row
		right bool
	}{
		"with the placeholder": {ledger.Row{{Text: "6"}, ledger.Of("t1030"), ledger.Of(missing)}, true},
		"with another value":   {ledger.Row{{Text: "6"}, ledger.Of("t1030"), ledger.Of("other")}, false},
		"another logged one":   {ledger.Row{{Text: "6"}, ledger.Of("other"), ledger.Of(missing)}, false},
	} {
		c := changed()
		c.stream, c.ledger, c.scn = nil, nil, 1030
		moved := recorder{h: &c.history, xid: "1.1.1030", count: 1, table: c.table, order: 1}
		moved.add("d", ledger.Row{{Text: "5"}, ledger.Of("t1010"), ledger.Of("v"), ledger.Of(missing)}, nil)
		long := func(row ledger.Row) ledger.Row { return slices.Insert(slices.Clone(row), 2, ledger.Of("v")) }
		moved.add("c", nil, long(ledger.Row{{Text: "6"}, ledger.Of("t1030"), ledger.Of("d")}))
		moved.add("c", nil, long(tt.again))
		c.stream[2].Life = 1
		faults := strings.Join(c.judge(t).Faults, "\n")
		if strings.Contains(faults, "differs from its first delivery") == tt.right {
			t.Errorf("%s: %s", name, faults)
		}
	}
}

// Every sign of a wrong layout is a fault.
func TestWrongHistoryOfATableUnderDDLIsNot(t *testing.T) {
	replace := func(at int, old, fresh string) func(*changing) {
		return func(c *changing) {
			text := strings.Replace(string(c.stream[at].Value), old, fresh, 1)
			if text == string(c.stream[at].Value) {
				panic("nothing to replace in " + text)
			}
			c.stream[at].Value = []byte(text)
		}
	}
	for name, spoil := range map[string]func(*changing){
		"the layout before":                    replace(2, `,"W":"`+missing+`"},"after"`, `},"after"`),
		"the layout behind":                    replace(0, `"V":"a"`, `"V":"a","W":null`),
		"the name of a column before":          replace(3, `"X":"set"`, `"W":"set"`),
		"NULL for a default":                   replace(2, `"W":"`+missing+`"},"source"`, `"W":null},"source"`),
		"a value that the redo holds":          replace(3, `"V":"b"`, `"V":"`+missing+`"`),
		"a value that was set since":           replace(3, `"X":"set"`, `"X":"`+missing+`"`),
		"the topic before":                     func(c *changing) { c.stream[4].Topic = "shop.SALES.APP.T" },
		"a row that was emptied":               replace(5, `"op":"c"`, `"op":"u"`),
		"the source held something else":       func(c *changing) { c.seen[1].Rows = c.seen[1].Rows[:1] },
		"nobody is told of a DDL":              func(c *changing) { c.told = c.told[1:] },
		"a DDL that nobody ran":                func(c *changing) { c.told = append(c.told, told(1095, "U", "DROP TABLE APP.U", "")) },
		"told of at another SCN":               func(c *changing) { c.told[0] = told(1024, "T", c.table.Steps[0].Text, "T", "ID", "TAG", "V", "W") },
		"told with the layout before":          func(c *changing) { c.told[0] = told(1022, "T", c.table.Steps[0].Text, "T", "ID", "TAG", "V") },
		"told without a layout":                func(c *changing) { c.told[0] = told(1022, "T", c.table.Steps[0].Text, "") },
		"told under the name before":           func(c *changing) { c.told[2] = told(1062, "T,U", c.table.Steps[2].Text, "T", "ID", "TAG", "V", "X") },
		"told of a layout where it is emptied": func(c *changing) { c.told[3] = told(1082, "U", c.table.Steps[3].Text, "U", "ID", "TAG", "V", "X") },
		"told in another order":                func(c *changing) { c.told[0], c.told[1] = c.told[1], c.told[0] },
		"told again otherwise":                 func(c *changing) { c.told = append(c.told, told(1082, "U", "TRUNCATE TABLE APP.X", "")) },
	} {
		c := changed()
		if spoil(c); c.judge(t).Verified() {
			t.Errorf("%s: verified", name)
		}
	}
}

func TestSabotageOfALayoutIsNoticed(t *testing.T) {
	for seed := range uint64(20) {
		c := changed()
		was := slices.Clone(c.stream)
		records, what, err := sabotage.Apply(sabotage.Layout, c.stream, rand.New(rand.NewPCG(seed, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if c.stream = records; c.judge(t).Verified() {
			t.Errorf("%s was not noticed", what)
		}
		if len(was) != len(records) {
			t.Errorf("%d records of %d", len(records), len(was))
		}
	}
}
