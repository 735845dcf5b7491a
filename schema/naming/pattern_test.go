package naming

import (
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

func TestPatternMatchesTheWholeName(t *testing.T) {
	inPDB := schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "ORDERS"}
	plain := schema.Table{Owner: "APP", Name: "ORDERS"}
	for _, c := range []struct {
		rule      string
		pattern   string
		sensitive bool
		table     schema.Table
		want      bool
	}{
		{"the full name", `FREEPDB1\.APP\.ORDERS`, false, inPDB, true},
		{"the name without the PDB also counts in a container database", `APP\.ORDERS`, false, inPDB, true},
		{"the table alone does not", `ORDERS`, false, inPDB, false},
		{"outside a container database owner and table", `APP\.ORDERS`, false, plain, true},
		{"a PDB part does not fit there", `FREEPDB1\.APP\.ORDERS`, false, plain, false},
		{"a prefix of the name is not the name", `APP\.ORDER`, false, plain, false},
		{"an end of the name is not the name", `PP\.ORDERS`, false, plain, false},
		{"wildcard", `APP\..*`, false, inPDB, true},
		{"case does not count", `app\.orders`, false, inPDB, true},
		{"unless asked for", `app\.orders`, true, inPDB, false},
		{"quoted lower case asked for", `app\.orders`, true, schema.Table{Owner: "app", Name: "orders"}, true},
		{"alternatives are anchored on both sides", `APP\.X|APP\.ORDERS`, false, plain, true},
		{"a shorter alternative does not hide a longer one", `APP\.ORD|APP\.ORDERS`, false, plain, true},
		{"no half of an alternative", `APP\.ORD|ERS`, false, plain, false},
		{"an unfinished quotation", `\QAPP.ORDERS`, false, plain, true},
		{"own anchors", `^APP\.ORDERS$`, false, plain, true},
		{"a dollar in a name", `APP\.ORDER\$`, false, schema.Table{Owner: "APP", Name: "ORDER$"}, true},
		{"a dot inside a name part", `APP\.A\.B`, false, schema.Table{Owner: "APP", Name: "A.B"}, true},
	} {
		p, err := ParsePattern(c.pattern, c.sensitive)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		if got := p.Match(c.table); got != c.want {
			t.Errorf("%s: %s on %s is %t", c.rule, c.pattern, c.table, got)
		}
	}
}

func TestPatternFaultsAreNamed(t *testing.T) {
	for _, text := range []string{"", "(", "a)|(b", `(?=x)`} {
		if _, err := ParsePattern(text, false); err == nil {
			t.Errorf("pattern %q was accepted", text)
		}
	}
	if _, err := NewSelection([]string{"("}, []string{"["}, false); err == nil || !regexp.MustCompile(`(?s)include: .*exclude: `).MatchString(err.Error()) {
		t.Errorf("faults of both lists are not named: %v", err)
	}
}

func TestQuotedNameMatchesExactlyItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Z$#_.|()*+ä]{1,12}`)
		a := schema.Table{Owner: name.Draw(t, "owner"), Name: name.Draw(t, "table")}
		b := schema.Table{Owner: name.Draw(t, "other owner"), Name: name.Draw(t, "other table")}
		p, err := ParsePattern(regexp.QuoteMeta(a.String()), true)
		if err != nil {
			t.Fatal(err)
		}
		if !p.Match(a) {
			t.Fatalf("%s does not match itself", a)
		}
		if p.Match(b) != (a.String() == b.String()) {
			t.Fatalf("pattern of %s on %s", a, b)
		}
	})
}

func TestSelectionTakesExcludesAndOracleSchemasAway(t *testing.T) {
	s, err := NewSelection([]string{`FREEPDB1\..*`, `X\.Y`}, []string{`APP\.TMP_.*`}, false)
	if err != nil {
		t.Fatal(err)
	}
	table := func(owner, name string) schema.Table { return schema.Table{PDB: "FREEPDB1", Owner: owner, Name: name} }
	for tab, want := range map[schema.Table]bool{
		table("APP", "ORDERS"): true, table("APP", "TMP_1"): false, table("SYS", "TAB$"): false, table("SYSTEM", "X"): false,
		{PDB: "OTHER", Owner: "APP", Name: "ORDERS"}: false,
	} {
		if got := s.Captured(tab); got != want {
			t.Errorf("%s captured: %t", tab, got)
		}
	}
	if got := s.Unmatched([]schema.Table{table("APP", "ORDERS")}); !slices.Equal(got, []string{`X\.Y`}) {
		t.Errorf("patterns without a match: %v", got)
	}
}
