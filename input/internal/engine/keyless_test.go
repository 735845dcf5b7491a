package engine

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// withKey is a table with another key.
func withKey(v *schema.Version, origin schema.KeyOrigin, columns ...int) *schema.Version {
	out := *v
	out.Key = schema.Key{Origin: origin, Columns: columns}
	return out.Seal()
}

// early makes a row one from before LAST_DDL_TIME.
func early(r logminer.Row) logminer.Row {
	r.UnixSeconds = 900_000_000
	return r
}

// comesKeyless is a capture that stopped at the CREATE of a table C without a key.
func comesKeyless(t *testing.T) (s *scene, c *schema.Version) {
	t.Helper()
	s = following(t)
	a := *s.a
	a.ValidFrom = 900
	s.config.Versions = storedVersions(t, a.Seal())
	s.config.Snapshot = SnapshotConfig{Mode: SnapshotInitial, NewTables: true}
	s.config.KeyMissing = RefuseKeyless
	c = table("C", 103)
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), ddl(c, xid(2), 1010, "create table C (id number(10) not null, v varchar2(40))"),
		commit(xid(2), 1012), early(insert(c, xid(3), 1013, 1, "c")), commit(xid(3), 1014), insert(s.a, xid(4), 1015, 2, "a"), commit(xid(4), 1016),
	)
	s.dictionary(1012, s.a, s.b, withKey(c, schema.KeyNone))
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >a")
	if !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), "PDB1.APP.C at SCN 1010") {
		t.Fatalf("%v, want CDC-5003", s.err)
	}
	s.db.descriptor = nil
	return s, c
}

// A table without a key that appears while capture runs stops it at its CREATE. Each way out that the message names is one.
func TestEveryWayOutOfAStopAtATableWithoutAKey(t *testing.T) {
	for way, out := range map[string]struct {
		words string
		take  func(s *scene, c *schema.Version)
		want  []string
	}{
		"exclude": {"exclude the table", func(s *scene, _ *schema.Version) {
			var err error
			if s.config.Selection, err = naming.NewSelection([]string{`PDB1\.APP\..*`}, []string{`PDB1\.APP\.C`}, false); err != nil {
				s.t.Fatal(err)
			}
			s.db.described = []*schema.Version{s.a, s.b}
		}, []string{"1.1.7#0 c A/1 >a", "4.1.7#0 c A/2 >a"}},
		"key.columns": {"key.columns", func(s *scene, c *schema.Version) {
			s.db.described = []*schema.Version{s.a, s.b, withKey(c, schema.KeyConfig, 0)}
		}, []string{"1.1.7#0 c A/1 >a", "3.1.7#0 c C/1 >c", "4.1.7#0 c A/2 >a"}},
		"none": {"key.missing: rowid or none", func(s *scene, c *schema.Version) {
			s.config.KeyMissing = CaptureKeyless
			s.db.described = []*schema.Version{s.a, s.b, withKey(c, schema.KeyNone)}
		}, []string{"1.1.7#0 c A/1 >a", "3.1.7#0 c C/1 >c", "4.1.7#0 c A/2 >a"}},
		"rowid": {"key.missing: rowid or none", func(s *scene, c *schema.Version) {
			s.db.described = []*schema.Version{s.a, s.b, withKey(c, schema.KeyRowID)}
		}, []string{"1.1.7#0 c A/1 >a", "3.1.7#0 c C/1 >c", "4.1.7#0 c A/2 >a"}},
	} {
		t.Run(way, func(t *testing.T) {
			s, c := comesKeyless(t)
			if !strings.Contains(s.err.Error(), out.words) {
				t.Errorf("%v does not say %q", s.err, out.words)
			}
			out.take(s, c)
			s.play(s.beginning())
			s.want(out.want...)
		})
	}
}

// A key that it is given lies behind the stop: the table is captured from there on and read, and the rows from before are in what is read.
func TestTableThatIsGivenItsKeyBehindTheStopIsCapturedFromThereOn(t *testing.T) {
	for _, bounds := range [][]position.SCN{{1100}, {1020, 1100}, {1013, 1030, 1100}} {
		s, c := comesKeyless(t)
		if !strings.Contains(s.err.Error(), "ADD PRIMARY KEY") {
			t.Errorf("%v does not say that a key may be added", s.err)
		}
		s.db.described = []*schema.Version{s.a, s.b, c}
		s.behind(bounds,
			early(insert(c, xid(5), 1025, 2, "before it")), commit(xid(5), 1026), ddl(c, xid(6), 1030, "alter table C add constraint C_PK primary key (id)"),
			commit(xid(6), 1031), insert(c, xid(7), 1032, 3, "behind it"), commit(xid(7), 1033),
		)
		s.play(s.beginning())
		s.want("1.1.7#0 c A/1 >a", "4.1.7#0 c A/2 >a", "7.1.7#0 c C/3 >behind it")
		if _, listed := s.last().Snapshot.Table(c.Table.String()); !listed {
			t.Errorf("bounds %v: the table is not read: %+v", bounds, s.last().Snapshot)
		}
	}
}

// Other DDL on a table that was never captured stops once more; behind it the table joins as the message says.
func TestTableThatWasNeverCapturedJoinsBehindTheDDLThatStops(t *testing.T) {
	s, c := comesKeyless(t)
	s.db.described = []*schema.Version{s.a, s.b, c}
	s.behind([]position.SCN{1100},
		ddl(c, xid(6), 1030, "alter table C add primary key (id) modify (v varchar2(10))"), commit(xid(6), 1031),
		insert(c, xid(7), 1032, 3, "c"), commit(xid(7), 1033),
	)
	s.play(s.beginning())
	if !stop.Is(s.err, stop.DDL) || !strings.Contains(s.err.Error(), "once oracle_cdc_mined_scn has passed 1031, take it out of exclude, restart, and ask for its rows with the signal execute-snapshot") {
		t.Fatalf("%v, want CDC-6002 and the way out", s.err)
	}
	all := s.config.Selection
	var err error
	if s.config.Selection, err = naming.NewSelection([]string{`PDB1\.APP\..*`}, []string{`PDB1\.APP\.C`}, false); err != nil {
		t.Fatal(err)
	}
	s.db.described = []*schema.Version{s.a, s.b}
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "4.1.7#0 c A/2 >a")
	passed := s.through(s.last())
	s.config.Selection, s.db.described = all, []*schema.Version{s.a, s.b, c}
	s.step(insert(c, xid(8), 1202, 4, "c"), commit(xid(8), 1203))
	s.play(passed)
	s.want("8.1.7#0 c C/4 >c")
}

// A table that joined has its version in the schema topic before the position knows that it is to be read: behind a kill in between it is
// read all the same.
func TestTableThatJoinedIsReadAlthoughItsVersionIsStoredAlready(t *testing.T) {
	for name, known := range map[string]bool{"killed in between": false, "the position has it": true} {
		s := following(t)
		s.config.Snapshot = SnapshotConfig{Mode: SnapshotInitial, NewTables: true}
		topic := &schemaTopic{values: map[string][]byte{}}
		s.config.Versions = topic.read
		s.play(s.beginning())
		s.keep(topic)
		before := s.through(s.last())
		c := table("C", 103)
		s.db.described = []*schema.Version{s.a, s.b, c}
		s.play(before)
		s.keep(topic)
		if _, listed := s.last().Snapshot.Table(c.Table.String()); !listed {
			t.Fatalf("the table that joins is not read: %+v", s.last().Snapshot)
		}
		from := before
		if known {
			from = s.through(s.last())
			from.Snapshot = nil // it was read
		}
		s.play(from)
		if _, listed := s.last().Snapshot.Table(c.Table.String()); listed == known {
			t.Errorf("%s: read %t", name, listed)
		}
	}
}
