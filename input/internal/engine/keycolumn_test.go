package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// keys are the keys of what was delivered.
func (s *scene) keys() (keys []string) {
	for _, b := range s.batches {
		for i := range b.Events {
			if ev := &b.Events[i]; ev.Transaction != nil {
				keys = append(keys, string(ev.Key))
			}
		}
	}
	return keys
}

// A column of key.columns may be NULL, as the operator chose it: a DDL that makes it so begins a version, and rows without a value have a key
// that says so. One that takes the column, or its name, stops at its place, and key.columns with the new name goes on from there.
func TestDDLOnAColumnOfKeyColumns(t *testing.T) {
	t.Run("nullable", func(t *testing.T) {
		s := following(t)
		s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"V"}})
		nullable := another(s.a, func(c *schema.Column) { c.Nullable = true })
		s.a = another(s.a, func(c *schema.Column) { c.Nullable = false })
		s.db.described = []*schema.Version{s.a, s.b}
		s.step(
			insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "alter table A modify (v null)"), commit(xid(2), 1012),
			inserted(nullable, xid(3), 1013, `"ID","V"`, `'2',NULL`), commit(xid(3), 1014),
		)
		s.dictionary(1012, nullable, s.b)
		s.play(s.beginning())
		s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1012", "shop.PDB1.APP.A/1 c ID=1 V=a", "shop.PDB1.APP.A/2 c ID=2 V=")
		if got := s.keys(); s.err != nil || !slices.Equal(got, []string{`{"V":"a"}`, `{"V":null}`}) {
			t.Errorf("%v, keys %q", s.err, got)
		}
	})
	t.Run("renamed", func(t *testing.T) {
		s := following(t)
		s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"V"}})
		x := with(s.a, "X")
		s.play(s.beginning()) // the first version is stored
		from := s.through(s.last())
		// Mined behind the DDL, rows have the names that it made.
		s.step(
			inserted(s.a, xid(1), 1001, `"ID","X"`, `'1','a'`), commit(xid(1), 1002), inserted(s.a, xid(4), 1005, `"ID","X"`, `'3','b'`), commit(xid(4), 1006),
			ddl(s.a, xid(2), 1010, "alter table A rename column v to x"), commit(xid(2), 1012),
			inserted(x, xid(3), 1013, `"ID","X"`, `'2','c'`), commit(xid(3), 1014),
		)
		s.config.BatchCount = 1
		s.dictionary(1003, x, s.b)
		s.play(from)
		if got := s.keys(); !slices.Equal(got, []string{`{"V":"a"}`, `{"V":"b"}`}) || !stop.Is(s.err, stop.Configuration) ||
			!strings.Contains(s.err.Error(), "key.columns names a column") || !strings.Contains(s.err.Error(), "at SCN 1010") {
			t.Fatalf("%v, want CDC-5003 at the DDL; keys %q", s.err, got)
		}
		held := s.after("1.1.7#0 c A/1 >a")
		s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"X"}})
		s.play(held)
		if got := s.keys(); s.err != nil || !slices.Equal(got, []string{`{"V":"b"}`, `{"X":"c"}`}) {
			t.Errorf("%v, keys %q", s.err, got)
		}
	})
}
