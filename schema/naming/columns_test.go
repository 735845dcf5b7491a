package naming

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

func columns(t *testing.T, include, exclude []string) *Columns {
	t.Helper()
	c, err := NewColumns(include, exclude, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Contracts 8: whole name, with the PDB or without, columns with .COLUMN.
func TestColumnsAreExcludedByTheirWholeName(t *testing.T) {
	customers := schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "CUSTOMERS"}
	for _, c := range []struct {
		include, exclude []string
		column           string
		key, want        bool
	}{
		{nil, []string{`FREEPDB1\.APP\.CUSTOMERS\.(NI_NUMBER|DOB)`}, "DOB", false, true},
		{nil, []string{`app\.customers\.dob`}, "DOB", false, true},
		{nil, []string{`APP\.CUSTOMERS\.DO`}, "DOB", false, false},
		{nil, []string{`CUSTOMERS\.DOB`}, "DOB", false, false},
		{nil, []string{`APP\.CUSTOMERS\..*`}, "ID", true, true}, // refused by who knows the key
		{[]string{`APP\.CUSTOMERS\.NAME`}, nil, "NAME", false, false},
		{[]string{`APP\.CUSTOMERS\.NAME`}, nil, "DOB", false, true},
		{[]string{`APP\.CUSTOMERS\.NAME`}, nil, "ID", true, false},
		{[]string{`APP\.ORDERS\.NAME`}, nil, "NAME", false, true},
		{nil, nil, "DOB", false, false},
	} {
		if got := columns(t, c.include, c.exclude).Excluded(customers, c.column, c.key); got != c.want {
			t.Errorf("include %q, exclude %q: %s excluded: %t", c.include, c.exclude, c.column, got)
		}
	}
	if _, err := NewColumns([]string{"A"}, []string{"B"}, false); err == nil {
		t.Error("both lists were accepted")
	}
	var none *Columns
	if none.Excluded(customers, "DOB", false) || none.MayExclude(customers) {
		t.Error("nothing excludes a column")
	}
}

// Seed 001: whether a table may match is judged from its name, so a pattern that starts with .* counts for every table.
func TestTablesThatAPatternMayMatchAreKnownByTheirName(t *testing.T) {
	customers := schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "CUSTOMERS"}
	for pattern, want := range map[string]bool{
		`FREEPDB1\.APP\.CUSTOMERS\.DOB`: true, `APP\.CUSTOMERS\.DOB`: true, `app\.customers\.dob`: true, `.*\.DOB`: true, `.*`: true,
		`APP\.(ORDERS|CUSTOMERS)\.(A|B)`: true, `APP\.CUST.*`: true, `[^.]*\.[^.]*\.DOB`: true, `^APP\.CUSTOMERS\.DOB$`: true,
		`APP\.ORDERS\.DOB`: false, `OTHER\.APP\.CUSTOMERS\.DOB`: false, `APP\.CUSTOMERS`: false, `APP\.CUSTOMERS\.`: false,
		`\QAPP.CUSTOMERS.\ED[AO]B`: true, `DOB`: false,
	} {
		if got := columns(t, nil, []string{pattern}).MayExclude(customers); got != want {
			t.Errorf("%s may match: %t", pattern, got)
		}
	}
	if !columns(t, []string{`APP\.ORDERS\.ID`}, nil).MayExclude(customers) {
		t.Error("columns.include takes columns of every table away")
	}
}

// Whatever the pattern, a column that it matches is one of a table that it may match.
func TestMayExcludeNeverMissesAColumn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[AB.$]{1,3}`)
		table := schema.Table{PDB: name.Draw(t, "pdb"), Owner: name.Draw(t, "owner"), Name: name.Draw(t, "table")}
		text := rapid.StringMatching(`([AB]|\.\*|\\\.|[AB]\?|\(A\|B\)|\[AB\]\+|\$|\^){1,12}`).Draw(t, "pattern")
		if _, err := regexp.Compile(text); err != nil {
			t.Skip()
		}
		c, err := NewColumns(nil, []string{text}, rapid.Bool().Draw(t, "sensitive"))
		if err != nil {
			t.Fatal(err)
		}
		if column := name.Draw(t, "column"); c.Excluded(table, column, false) && !c.MayExclude(table) {
			t.Fatalf("%s matches %s.%s", text, table, column)
		}
	})
}

func TestPatternsWithoutAColumnAreNamed(t *testing.T) {
	v := &schema.Version{Table: schema.Table{Owner: "APP", Name: "T"}, Columns: []schema.Column{{Name: "ID"}}}
	if got := columns(t, nil, []string{`APP\.T\.ID`, `APP\.T\.IDD`}).Unmatched([]*schema.Version{v}); !slices.Equal(got, []string{`APP\.T\.IDD`}) {
		t.Error(got)
	}
}

func TestKeysAreFoundByTable(t *testing.T) {
	given := map[string][]string{"APP.T": {"B", "A"}, "P1.APP.T": {"C"}, "app.lower": {"x"}}
	k, err := NewKeys(given, false)
	if err != nil {
		t.Fatal(err)
	}
	for table, want := range map[schema.Table][]string{
		{Owner: "APP", Name: "T"}:            {"B", "A"},
		{PDB: "P2", Owner: "APP", Name: "T"}: {"B", "A"},
		{PDB: "P1", Owner: "APP", Name: "T"}: {"C"},
		{Owner: "APP", Name: "LOWER"}:        {"x"},
		{Owner: "APP", Name: "OTHER"}:        nil,
	} {
		if got := k.Of(table); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", table, got, want)
		}
	}
	v := (&schema.Version{Columns: []schema.Column{{Name: "X"}, {Name: "x"}}}).Seal()
	if i, ok := k.Column(v, "x"); !ok || i != 1 {
		t.Error("the column with the exact name is not found")
	}
	if got := k.Unmatched([]schema.Table{{Owner: "APP", Name: "T"}}); !slices.Equal(got, []string{"P1.APP.T", "app.lower"}) {
		t.Errorf("entries without a table: %v", got)
	}
	exact, err := NewKeys(given, true)
	if err != nil || exact.Of(schema.Table{Owner: "APP", Name: "LOWER"}) != nil {
		t.Errorf("case does not count, %v", err)
	}
	for name, list := range map[string][]string{"T": {"A"}, "A.T": nil, "A.U": {"X", "x"}, "A.V": {""}} {
		if _, err := NewKeys(map[string][]string{name: list}, false); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s %v: %v", name, list, err)
		}
	}
	if _, err := NewKeys(map[string][]string{"A.T": {"A"}, "a.t": {"B"}}, false); err == nil {
		t.Error("one table twice was accepted")
	}
}

func TestMaskedColumnsAreWithheldToo(t *testing.T) {
	c := columns(t, nil, []string{`APP\.A\.X`})
	masked, err := ParsePattern(`APP\.B\.Y`, false)
	if err != nil {
		t.Fatal(err)
	}
	c.Hide(masked)
	for name, want := range map[string]string{"A": "columns.exclude", "B": "columns.mask", "C": ""} {
		if got := c.Withheld(schema.Table{Owner: "APP", Name: name}); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want it to speak of %q", name, got, want)
		}
	}
	if c.Excluded(schema.Table{Owner: "APP", Name: "B"}, "Y", false) {
		t.Error("a masked column is excluded")
	}
}
