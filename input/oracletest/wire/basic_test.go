package wire_test

import (
	"errors"
	"testing"

	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// wantOra checks that an error is an ORA error of a code.
func wantOra(t testing.TB, err error, code int) {
	t.Helper()
	var ora *network.OracleError
	if !errors.As(err, &ora) || ora.ErrCode != code {
		t.Fatalf("error %v, want ORA-%05d", err, code)
	}
}

func TestQueryDMLAndCommit(t *testing.T) {
	backend := newScript().on("select n, s from t", series(3)).on("update t set s = 'x'", done(7))
	server := listen(t, wire.Config{Backend: backend})
	db := open(t, server, nil)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	result, err := tx.ExecContext(t.Context(), "update t set s = 'x'")
	if err != nil {
		t.Fatal(err)
	}
	if n, _ := result.RowsAffected(); n != 7 {
		t.Errorf("%d rows affected, want 7", n)
	}
	if backend.last(t).AutoCommit {
		t.Error("a statement of a transaction was committed by itself")
	}
	rows, err := tx.QueryContext(t.Context(), "select n, s from t")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var got []string
	for rows.Next() {
		var n int64
		var s string
		if err := rows.Scan(&n, &s); err != nil {
			t.Fatal(err)
		}
		got = append(got, s)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[2] != "row 2" {
		t.Errorf("rows %v", got)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if h := backend.history(); len(h) != 1 || h[0] != "commit" {
		t.Errorf("history %v, want one commit", h)
	}
}

func TestUnknownTableIsAnError(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript()})
	var n int
	wantOra(t, open(t, server, nil).QueryRowContext(t.Context(), "select 1 from nowhere").Scan(&n), 942)
}
