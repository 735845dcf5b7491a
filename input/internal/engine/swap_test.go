package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// scripted is redo in parts, and what tables the dictionary shows behind each.
type scripted struct {
	rows  []logminer.Row
	shows []*schema.Version
	// hides are those that are not captured; what it does not say of a table is called FOREIGN.
	hides []*schema.Version
}

// ticking writes one part after the other at looks at the database, at which of them the numbers say. Rows have the names that the dictionary
// has when they are mined.
func (s *scene) ticking(at []int, parts []scripted) {
	shows, tick, next := s.db.described, 0, 0
	var hides []*schema.Version
	s.db.descriptor = func() []*schema.Version { return shows }
	s.db.tick = func() {
		for ; next < len(parts) && at[next] <= tick; next++ {
			for _, r := range parts[next].rows {
				s.db.flush(r, false)
				s.db.now = max(s.db.now, r.SCN)
			}
			if parts[next].shows != nil {
				shows, hides = parts[next].shows, parts[next].hides
			}
		}
		tick++
		for i := range s.db.file {
			if r := &s.db.file[i]; r.Operation == logminer.Insert {
				name := "FOREIGN"
				for _, v := range slices.Concat(shows, hides) {
					if slices.Contains(v.ObjectIDs, r.ObjectID) {
						name = v.Table.Name
					}
				}
				r.Redo = strings.Replace(r.Redo, `."`+r.Table+`"`, `."`+name+`"`, 1)
				r.Table = name
			}
		}
	}
	s.db.hidden = func() (out []*schema.Version) {
		out = slices.Clone(hides)
		for _, v := range s.db.described {
			if !slices.ContainsFunc(slices.Concat(shows, hides), func(is *schema.Version) bool { return is.ObjectIDs[0] == v.ObjectIDs[0] }) {
				out = append(out, called(v, "FOREIGN"))
			}
		}
		return out
	}
	s.db.enter = func(_ context.Context, what string) error {
		if what == "describe" || what == "modified" || what == "called" { // DDL may run between any two queries
			s.db.mu.Lock()
			defer s.db.mu.Unlock()
			s.db.tick()
		}
		return nil
	}
}

// everyOrder calls f with all ways in which n parts can come at the first ticks; under the race detector with each fifth: the others run the
// same goroutines once more.
func everyOrder(n, ticks int, f func(at []int)) {
	at := make([]int, n)
	order := -1
	var set func(i, from int)
	set = func(i, from int) {
		if i == n {
			if order++; !raceEnabled || order%5 == 0 {
				f(at)
			}
			return
		}
		for t := from; t < ticks; t++ {
			at[i] = t
			set(i+1, t)
		}
	}
	set(0, 0)
}

// R101, R102: two tables swap their names while capture follows, whenever it reads the dictionary and wherever its steps end: the layouts of
// neither change, so that no row is in doubt.
func TestR101TablesSwapTheirNamesWheneverTheDictionaryIsRead(t *testing.T) {
	other := with(table("B", 102), "K")
	a, u, b2 := table("A", 101), called(table("A", 101), "FOREIGN"), called(table("A", 101), "B")
	a2 := called(other, "A")
	script := func() []scripted {
		return []scripted{
			{rows: []logminer.Row{
				insert(a, xid(1), 1101, 1, "a"), inserted(other, xid(1), 1102, `"ID","K"`, "'2','b'"), commit(xid(1), 1103),
			}},
			{rows: []logminer.Row{ddl(a, xid(2), 1200, "rename A to FOREIGN"), commit(xid(2), 1250)}, shows: []*schema.Version{other}},
			{rows: []logminer.Row{ddl(other, xid(3), 1300, "rename B to A"), commit(xid(3), 1350)}, shows: []*schema.Version{a2}},
			{rows: []logminer.Row{ddl(u, xid(4), 1400, "rename FOREIGN to B"), commit(xid(4), 1450)}, shows: []*schema.Version{a2, b2}},
			{rows: []logminer.Row{
				inserted(a2, xid(5), 1501, `"ID","K"`, "'3','b'"), insert(b2, xid(5), 1502, 4, "a"), commit(xid(5), 1503),
			}},
		}
	}
	var failed []string
	n := 0
	everyOrder(5, 10, func(at []int) {
		n++
		s := following(t)
		s.foreign("FOREIGN")
		s.b = other
		s.db.described = []*schema.Version{s.a, other}
		s.play(s.beginning())
		held := s.through(s.last())
		s.ticking(at, script())
		s.play(held)
		got := strings.Join(s.rows(), "\n")
		want := []string{"PDB1.APP.A/1 c ID=1 V=a", "PDB1.APP.B/1 c ID=2 K=b", "PDB1.APP.A/2 c ID=3 K=b", "PDB1.APP.B/2 c ID=4 V=a"}
		for _, row := range want {
			if s.err != nil || strings.Count(got, row) != 1 || strings.Count(got, " c ") != len(want) {
				failed = append(failed, fmt.Sprintf("%v: %v\n%s", at, s.err, got))
				break
			}
		}
	})
	if len(failed) > 0 {
		t.Errorf("%d of %d ways fail, the first\n%s", len(failed), n, strings.Join(failed[:min(3, len(failed))], "\n"))
	}
}
