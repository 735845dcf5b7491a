package engine

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// R109: what may be a default that the row does not store is never published as null, and no record gets a key of it.
func TestR109OldRowOfAColumnThatCameWithADefault(t *testing.T) {
	s := newScene(t)
	s.a.Columns[1].Nullable = false
	s.a.Seal()
	redo := `update "APP"."A" set "ID" = '2' where "ID" = '1' and "V" IS NULL and ROWID = 'AAAID1';`
	s.step(of(s.a, row(xid(1), 1001, logminer.Update), "AAAID1", redo), commit(xid(1), 1002))
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	changes := 0
	for _, b := range s.batches {
		for i := range b.Events {
			ev := &b.Events[i]
			for _, image := range [][]value.Value{ev.Before, ev.After} {
				if image != nil {
					if changes++; image[1].Kind() != value.Unavailable {
						t.Errorf("%v is published as %v", ev.Op, image[1])
					}
				}
			}
		}
	}
	if changes == 0 {
		t.Fatal("nothing came")
	}
	s = newScene(t)
	redo = `delete from "APP"."A" where "ID" IS NULL and "V" = 'v' and ROWID = 'AAAID1';`
	s.step(of(s.a, row(xid(1), 1001, logminer.Delete), "AAAID1", redo), commit(xid(1), 1002))
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Undecodable) || !strings.Contains(s.err.Error(), "column ID") {
		t.Fatalf("%v, want CDC-3001 that names the key column", s.err)
	}
}
