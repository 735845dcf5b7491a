package wire_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// The binds behind RETURNING ... INTO come back; go-ora sends NULLs for them the first time and nothing later.
func TestReturning(t *testing.T) {
	const insert = "INSERT INTO t (a) VALUES (:1) RETURNING id, ':no' || name INTO :2, :3"
	var seen []datum.Datum
	backend := newScript().on(insert, func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
		seen = stmt.Binds[0]
		n, err := stmt.Binds[0][0].Number.Int64()
		return wire.Result{
			RowsAffected: 1,
			Returned:     [][][]datum.Datum{{{number(n * 10), text(fmt.Sprintf("row %d", n))}}},
		}, err
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	stmt, err := db.PrepareContext(t.Context(), insert)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stmt.Close() }()
	for i := range 3 {
		var id int64
		var name string
		result, err := stmt.ExecContext(t.Context(), i, go_ora.Out{Dest: &id}, go_ora.Out{Dest: &name, Size: 100})
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := result.RowsAffected(); n != 1 || id != int64(10*i) || name != fmt.Sprintf("row %d", i) {
			t.Errorf("%d rows, id %d, name %q", n, id, name)
		}
		if len(seen) != 3 || !seen[1].IsNull() || !seen[2].IsNull() {
			t.Errorf("binds %+v", seen)
		}
	}
}

// go-ora asks for batch errors with every array: the executions behind a failing one still run, and the error
// names the first.
func TestArrayDMLGoesOnBehindErrors(t *testing.T) {
	const insert = "insert into t (a) values (:1)"
	var stored []int64
	backend := newScript().on(insert, func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
		var r wire.Result
		for _, row := range stmt.Binds {
			n, err := row[0].Number.Int64()
			if err != nil {
				return r, err
			}
			if n%3 == 0 {
				return r, wire.Errorf(1, "unique constraint (A.B) violated")
			}
			stored = append(stored, n)
			r.RowsAffected++
			r.Counts = append(r.Counts, 1)
		}
		return r, nil
	})
	server := listen(t, wire.Config{Backend: backend})
	db := open(t, server, nil)
	db.SetMaxOpenConns(1)
	_, err := db.ExecContext(t.Context(), insert, []int{1, 2, 3, 4, 6, 7})
	wantOra(t, err, 1)
	if want := []int64{1, 2, 4, 7}; !slices.Equal(stored, want) {
		t.Errorf("stored %v, want %v", stored, want)
	}
	if backend.last(t).AutoCommit {
		t.Error("committed in spite of the errors")
	}
	stored = nil
	if _, err := db.ExecContext(t.Context(), insert, []int{1, 2}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(stored, []int64{1, 2}) || !backend.last(t).AutoCommit {
		t.Errorf("stored %v, committed %t", stored, backend.last(t).AutoCommit)
	}
}

// PL/SQL array binds: elements in, elements out, and an array that is too small.
func TestArraysInABlock(t *testing.T) {
	const block = "begin p(:1, :2, :3); end;"
	backend := newScript().on(block, func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
		in := stmt.Arrays[0]
		doubled := make([]datum.Datum, len(in))
		for i := range in {
			n, err := in[i].Number.Int64()
			if err != nil {
				return wire.Result{}, err
			}
			doubled[i] = number(2 * n)
		}
		return wire.Result{Out: []wire.Out{
			{Direction: wire.In},
			{Direction: wire.OutTo, Elements: doubled},
			{Direction: wire.InOut, Elements: []datum.Datum{stmt.Arrays[2][0], text("more")}},
		}}, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	for range 2 {
		in, out, both := []int{1, 2, 3}, []int{}, []string{"a", "b"}
		_, err := db.ExecContext(t.Context(), block, in, go_ora.Out{Dest: &out, Size: 10}, go_ora.Out{Dest: &both, Size: 2, In: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(out, []int{2, 4, 6}) || !slices.Equal(both, []string{"a", "more"}) {
			t.Errorf("out %v, both %v", out, both)
		}
	}
	var out []int
	both := []string{"a", "b"}
	_, err := db.ExecContext(t.Context(), block, []int{1, 2, 3}, go_ora.Out{Dest: &out, Size: 2}, go_ora.Out{Dest: &both, Size: 2, In: true})
	wantOra(t, err, 6513)
}
