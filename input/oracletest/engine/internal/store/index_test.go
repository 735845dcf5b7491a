package store

import (
	"context"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// clock is a redo stream that only counts.
type clock struct{ scn redo.SCN }

func (c *clock) Warts() redo.Warts { return redo.Warts{} }

func (c *clock) Take(func(*redo.Warts) *int) bool { return false }

func (c *clock) CurrentSCN() redo.SCN { return c.scn }
func (c *clock) NextSCN() redo.SCN    { c.scn++; return c.scn }

func (c *clock) Append(_ context.Context, recs ...*redo.Record) error {
	for _, r := range recs {
		c.scn++
		r.SCN = c.scn
	}
	return nil
}

// A key that is deleted and inserted again and again keeps one live row and, without old views to serve, no dead ones: looking it up does not
// become slower.
func TestIndexesForgetRowsThatNobodyCanSee(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	s := New(Config{Log: &clock{}, Now: func() time.Time { return now }, Retention: time.Second, Containers: []int{3}})
	ctx := t.Context()
	layout := catalog.Table{
		Owner: "APP", Name: "T", Columns: []catalog.Column{{Name: "ID", Type: datum.Type{Code: datum.TypeNumber}}},
		PrimaryKey: &catalog.Constraint{Name: "PK", Columns: []int{0}},
	}
	if err := s.CreateTable(ctx, Issuer{Container: 3}, layout, nil, true); err != nil {
		t.Fatal(err)
	}
	table, _ := s.Table(3, "APP", "T")
	present := table.Layout(s)
	values := []datum.Datum{scalar.Int(1)}
	for range 50 {
		now = now.Add(time.Minute)
		tx := s.Begin(3, redo.Origin{})
		if _, err := tx.Insert(ctx, table, present, [][]datum.Datum{values}); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
		tx = s.Begin(3, redo.Origin{})
		row, ok, err := s.Lookup(table, present, s.Snapshot(tx), 0, values)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		if _, _, err := tx.Lock(ctx, row.Row, false); err != nil {
			t.Fatal(err)
		}
		if err := tx.Delete(ctx, table, present, row.Row); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	}
	key, _ := table.indexes[0].key(values)
	e, ok := table.indexes[0].keys.Get(key)
	if !ok || len(e.live) != 0 || len(e.dead) > 2 || table.rows.Len() > 2 {
		t.Errorf("entry %+v, %d rows", e, table.rows.Len())
	}
	tx := s.Begin(3, redo.Origin{})
	if _, err := tx.Insert(ctx, table, present, [][]datum.Datum{{scalar.Int(2)}}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if n := table.indexes[0].keys.Len(); n != 1 {
		t.Errorf("%d keys, want 1: an undone insert leaves none", n)
	}
}
