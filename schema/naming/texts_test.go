package naming_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

func TestTextsAreFoundByName(t *testing.T) {
	x, err := naming.NewTexts("snapshot.conditions", map[string]string{"APP.ORDERS": "ID > 5", "pdb1.app.orders": "ID > 7", "APP.GONE": "1 = 1"}, false)
	if err != nil {
		t.Fatal(err)
	}
	orders := schema.Table{PDB: "PDB1", Owner: "APP", Name: "ORDERS"}
	elsewhere := schema.Table{PDB: "PDB2", Owner: "APP", Name: "ORDERS"}
	if a, b := x.Of(orders), x.Of(elsewhere); a != "ID > 7" || b != "ID > 5" {
		t.Errorf("%q and %q", a, b)
	}
	if got := x.Of(schema.Table{Owner: "APP", Name: "OTHER"}); got != "" {
		t.Errorf("a table without an entry has %q", got)
	}
	if got := x.Unmatched([]schema.Table{orders}); !slices.Equal(got, []string{"APP.GONE"}) {
		t.Errorf("unmatched: %q", got)
	}
	sensitive, err := naming.NewTexts("f", map[string]string{"app.orders": "x"}, true)
	if err != nil || sensitive.Of(orders) != "" {
		t.Errorf("%v: case does not count", err)
	}
	var none *naming.Texts
	if none.Of(orders) != "" || none.Unmatched(nil) != nil {
		t.Error("no texts are texts")
	}
}

func TestTextsThatNameNoTableAreRefused(t *testing.T) {
	_, err := naming.NewTexts("snapshot.overrides", map[string]string{"ORDERS": "SELECT 1", "A.B": " ", "X.Y": "a", "x.y": "b"}, false)
	for _, want := range []string{"snapshot.overrides: ORDERS: the name", "A.B: the text is empty", "twice"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
}
