package engine

import (
	"maps"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// A table that joined is known as such until no transaction from before is open, or the DDL is mined that gave it its name: what came before
// that was no row of it.
func TestR79TableThatJoinedIsKnownWhileTransactionsFromBeforeAreOpen(t *testing.T) {
	const name = "PDB1.APP.A"
	before := oracle.OpenTransaction{Container: pdb, XID: xid(9), StartSCN: 900}
	for what, c := range map[string]struct {
		open  []oracle.OpenTransaction
		play  func(s *scene)
		known bool
	}{
		"open":              {open: []oracle.OpenTransaction{before}, known: true},
		"under shared undo": {open: []oracle.OpenTransaction{{Container: rootContainer, XID: xid(9), StartSCN: 900}}, known: true},
		"none":              {},
		"younger":           {open: []oracle.OpenTransaction{{Container: pdb, XID: xid(9), StartSCN: 1001}}},
		"elsewhere":         {open: []oracle.OpenTransaction{{Container: pdb + 1, XID: xid(9), StartSCN: 900}}},
		"ended": {open: []oracle.OpenTransaction{before}, play: func(s *scene) {
			s.steps = append(s.steps, func() { s.db.active = nil })
		}},
		"created since": {open: []oracle.OpenTransaction{before}, play: func(s *scene) {
			s.step(ddl(s.a, xid(1), 1003, "create table A (id number(9) primary key)"), commit(xid(1), 1004))
		}},
		"renamed since": {open: []oracle.OpenTransaction{before}, play: func(s *scene) {
			s.step(ddl(s.a, xid(1), 1003, "alter table Z rename to A"), commit(xid(1), 1004))
		}},
		"another one": {open: []oracle.OpenTransaction{before}, known: true, play: func(s *scene) {
			s.step(ddl(s.b, xid(1), 1003, "alter table Z rename to B"), commit(xid(1), 1004))
		}},
	} {
		t.Run(what, func(t *testing.T) {
			s := newScene(t)
			s.db.active = c.open
			if c.play != nil {
				c.play(s)
			}
			for range 8 {
				s.steps = append(s.steps, func() { s.db.now++ })
			}
			from := s.beginning()
			from.Joined = map[string]position.SCN{name: 1000}
			s.play(from)
			if s.err != nil {
				t.Fatal(s.err)
			}
			want := map[string]position.SCN{}
			if c.known {
				want[name] = 1000
			}
			if got := s.through(s.last()).Joined; !maps.Equal(got, want) {
				t.Errorf("the position says %v, want %v", got, want)
			}
		})
	}
}
