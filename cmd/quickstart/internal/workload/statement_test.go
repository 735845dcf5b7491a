package workload

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

func TestStatements(t *testing.T) {
	table := &ledger.Table{Owner: "APP", Name: "T", Columns: []ledger.Column{
		{Name: "A", Kind: ledger.Integer, Key: true},
		{Name: "B", Kind: ledger.Integer, Key: true},
		{Name: "C", Kind: ledger.Decimal, Scale: 2},
		{Name: "D", Kind: ledger.Text},
	}}
	key := ledger.Row{ledger.Int(1), ledger.Int(2)}
	row := ledger.Row{ledger.Int(1), ledger.Int(2), {Text: "12.5"}, ledger.Of("x")}
	other := ledger.Row{ledger.Int(3), ledger.Int(2), {Text: "12.5"}, ledger.Null()}
	for name, c := range map[string]struct {
		make func() (statement, error)
		text string
		want binds
	}{
		"insert": {
			func() (statement, error) { return insert(table, row) },
			"INSERT INTO APP.T (A, B, C, D) VALUES (:1, :2, 12.5, :3)",
			binds{int64(1), int64(2), "x"},
		},
		"update of what differs": {
			func() (statement, error) { return update(table, key, row, other) },
			"UPDATE APP.T SET A = :1, D = :2 WHERE A = :3 AND B = :4",
			binds{int64(3), nil, int64(1), int64(2)},
		},
		"update of all but the key": {
			func() (statement, error) { return update(table, key, nil, row) },
			"UPDATE APP.T SET C = 12.5, D = :1 WHERE A = :2 AND B = :3",
			binds{"x", int64(1), int64(2)},
		},
		"delete": {
			func() (statement, error) { return remove(table, key) },
			"DELETE FROM APP.T WHERE A = :1 AND B = :2",
			binds{int64(1), int64(2)},
		},
	} {
		s, err := c.make()
		if err != nil || s.text != c.text {
			t.Errorf("%s: %s, %v", name, s.text, err)
		}
		if diff := cmp.Diff(c.want, s.binds); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
