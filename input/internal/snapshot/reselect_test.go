package snapshot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// lookup asks for rows of a table by their keys, AS OF now.
func (b *bench) lookup(name string, keys ...int) *snapshot.Lookup {
	b.t.Helper()
	session := b.session()
	if err := oracle.Enter(b.t.Context(), session, b.database, b.container); err != nil {
		b.t.Fatal(err)
	}
	v, _ := b.version(app(name))
	l := &snapshot.Lookup{Version: v, Container: b.container, SCN: position.SCN(b.server.CurrentSCN())}
	for _, key := range keys {
		var id oracle.Text
		st := oracle.Statement{Name: "ROWID", Text: fmt.Sprintf("SELECT ROWIDTOCHAR(ROWID) FROM app.%s WHERE id = %d", name, key)}
		if err := session.Each(b.t.Context(), st, nil, []any{&id}, func() error { return nil }); err != nil {
			b.t.Fatal(err)
		}
		l.RowIDs = append(l.RowIDs, string(id))
	}
	return l
}

func (b *bench) reselector() *snapshot.Reselector {
	b.t.Helper()
	r := snapshot.NewReselector(&b.config)
	b.t.Cleanup(func() {
		if err := r.Close(); err != nil {
			b.t.Error(err)
		}
	})
	return r
}

// R84: rows are read as they were at the SCN, whatever became of them since, and no column that is excluded with them.
func TestR84RowsAreReselectedAsOfTheSCN(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(200))
	b.describe()
	v, _ := b.version(app("T"))
	l := b.lookup("T", 3, 5, 7)
	b.run("UPDATE app.t SET v = 'later' WHERE id = 3;\nDELETE FROM app.t WHERE id = 5;\nCOMMIT;\n")
	log := b.server.LogStatements()
	r := b.reselector()
	rows, err := r.Read(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, id := range l.RowIDs {
		got = append(got, rows[id][0].Text()+" "+rows[id][1].Text())
	}
	if !slices.Equal(got, []string{"3 v3", "5 v5", "7 v7"}) {
		t.Errorf("%q", got)
	}
	// A row that is gone has no image; a session that rested is made again.
	r.Rest()
	l.SCN = position.SCN(b.server.CurrentSCN())
	v.Columns[1].Excluded = true
	l.Version = v.In(v.ObjectIDs)
	if rows, err = r.Read(t.Context(), l); err != nil || len(rows) != 2 || rows[l.RowIDs[1]] != nil || rows[l.RowIDs[0]][1].Known() {
		t.Errorf("%v, %v", rows, err)
	}
	log.Stop()
	for _, st := range log.Statements() {
		if n := strings.Count(st.SQL, "CHARTOROWID"); n > 0 && n != 4 {
			t.Errorf("%d rows are asked for by a text of its own: %s", n, st.SQL)
		}
	}
}

// R84: what cannot be read is said in a few words, and tried again where that may help.
func TestR84RowsThatCannotBeReselected(t *testing.T) {
	for name, c := range map[string]struct {
		do  func(b *bench) func()
		why string
	}{
		"undo gone": {func(b *bench) func() {
			b.run("UPDATE app.t SET v = 'later';\nCOMMIT;\n")
			b.expire()
			return nil
		}, "ORA-01555"},
		"column added": {func(b *bench) func() { b.run("ALTER TABLE app.t ADD (x NUMBER);\n"); return nil }, "DDL"},
		"moved":        {func(b *bench) func() { b.run("ALTER TABLE app.t MOVE;\n"); return nil }, "DDL"},
		"dropped":      {func(b *bench) func() { b.run("DROP TABLE app.t PURGE;\n"); return nil }, "DDL"},
		"name of other": {func(b *bench) func() {
			b.run("ALTER TABLE app.t RENAME TO s;\nALTER TABLE app.u RENAME TO t;\n")
			return nil
		}, "DDL"},
		"hangs": {func(b *bench) func() {
			held := make(chan struct{})
			b.config.MaxHold = 200 * time.Millisecond
			b.server.AddFault(wire.Fault{SQL: "ROWID IN", Hold: held})
			return func() { close(held) }
		}, "in time"},
		"lost too often": {func(b *bench) func() {
			b.server.AddFault(wire.Fault{SQL: "ROWID IN", Then: wire.Reset})
			return nil
		}, "failed"},
		"lost": {func(b *bench) func() {
			b.server.AddFault(wire.Fault{SQL: "ROWID IN", Then: wire.Reset, Count: 2})
			return nil
		}, ""},
		"other error": {func(b *bench) func() {
			b.server.AddFault(wire.Fault{SQL: "ROWID IN", Err: wire.Errorf(1291, "missing log file"), Count: 2})
			return nil
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, oracletest.Config{}, thousand(20)+"CREATE TABLE app.u (id NUMBER PRIMARY KEY, v VARCHAR2(20));\nINSERT INTO app.u VALUES (3, 'u');\nCOMMIT;\n")
			b.describe()
			l := b.lookup("T", 3)
			if after := c.do(b); after != nil {
				defer after()
			}
			rows, err := b.reselector().Read(t.Context(), l)
			if c.why == "" {
				if err != nil || rows[l.RowIDs[0]][1].Text() != "v3" {
					t.Fatalf("%v, %v", rows, err)
				}
				return
			}
			if err == nil || !strings.Contains(snapshot.Why(err), c.why) {
				t.Fatalf("%v (%s), want %s", err, snapshot.Why(err), c.why)
			}
		})
	}
	t.Run("the stream ends", func(t *testing.T) {
		b := newBench(t, oracletest.Config{}, thousand(20))
		b.describe()
		l := b.lookup("T", 3)
		held := make(chan struct{})
		defer close(held)
		h := b.server.AddFault(wire.Fault{SQL: "ROWID IN", Hold: held})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_ = h.Wait(t.Context())
			cancel()
		}()
		if _, err := b.reselector().Read(ctx, l); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
