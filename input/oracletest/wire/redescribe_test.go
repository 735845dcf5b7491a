package wire_test

import (
	"context"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// A repeated execution whose columns became others describes them again, and one whose columns are the same does not.
func TestChangedColumnsAreDescribedAgain(t *testing.T) {
	backend := newScript().on("select :1", func(_ context.Context, s *scriptSession, stmt wire.Statement) (wire.Result, error) {
		size := len(stmt.Binds[0][0].Text)
		return table([]wire.Column{{Name: "C", Type: datum.Type{Code: datum.TypeVarchar, Size: size}}}, stmt.Binds[0])(nil, s, stmt)
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	stmt, err := db.PrepareContext(t.Context(), "select :1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for _, n := range []int{5, 5, 3, 4000, 1, 1} {
		rows, err := stmt.QueryContext(t.Context(), strings.Repeat("x", n))
		if err != nil {
			t.Fatal(err)
		}
		types, err := rows.ColumnTypes()
		if err != nil {
			t.Fatal(err)
		}
		if length, _ := types[0].Length(); length != int64(n) {
			t.Errorf("a column of %d bytes is described with %d", n, length)
		}
		if got, err := rest(rows); err != nil || got != 1 {
			t.Errorf("%d rows, error %v", got, err)
		}
	}
}
