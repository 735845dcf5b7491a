package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// called is a table under another name.
func called(v *schema.Version, name string) *schema.Version {
	out := *v
	out.Table.Name = name
	return out.Seal()
}

// segments is a table with other segments.
func segments(v *schema.Version, ids ...uint64) *schema.Version {
	out := *v
	out.ObjectIDs = ids
	return out.Seal()
}

// behind writes redo that was all there when capture began, mined in steps up to the bounds; the last one is at the tail.
func (s *scene) behind(bounds []position.SCN, rows ...logminer.Row) {
	for _, r := range rows {
		s.db.flush(r, false)
	}
	s.db.now = 1100
	s.db.bound = func(from, reading position.SCN) position.SCN {
		for _, b := range bounds {
			if from < b {
				return min(b, reading)
			}
		}
		return reading
	}
	s.db.behind = func(after position.SCN) bool { return after < bounds[len(bounds)-1] }
}

// R93, R101: what took the name of a table lies in a later step than another DDL on it; the rows up to that are the table's.
func TestR101RowsBetweenADDLAndTheOneThatTookTheNameAreTheTables(t *testing.T) {
	for _, first := range []string{"comment on table A is 'x'", "alter table A modify (v varchar2(40))", "alter table A rename column V to W"} {
		t.Run(first, func(t *testing.T) {
			for name, to := range map[string]string{"away": "FOREIGN", "to a name that matches": "C"} {
				t.Run(name, func(t *testing.T) {
					s := following(t)
					s.play(s.beginning())
					now := called(s.a, to)
					s.behind([]position.SCN{1015, 1025, 1050},
						ddl(s.a, xid(2), 1010, first), commit(xid(2), 1011),
						insert(now, xid(1), 1020, 1, "between"), commit(xid(1), 1021),
						ddl(s.a, xid(3), 1030, "alter table A rename to "+to), commit(xid(3), 1031),
						insert(now, xid(4), 1040, 2, "behind"), insert(s.b, xid(4), 1041, 3, "b"), commit(xid(4), 1042),
					)
					if to == "C" {
						s.db.described = []*schema.Version{now, s.b}
						s.play(s.beginning())
						s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "C/1 from 1031", "shop.PDB1.APP.C/1 c ID=2 V=behind", "shop.PDB1.APP.B/1 c ID=3 V=b")
						return
					}
					s.db.described = []*schema.Version{s.b}
					s.play(s.beginning())
					s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "shop.PDB1.APP.B/1 c ID=3 V=b")
				})
			}
		})
	}
	t.Run("dropped and made again", func(t *testing.T) {
		s := following(t)
		s.play(s.beginning())
		again := with(table("A", 201), "V", "W")
		s.behind([]position.SCN{1015, 1025, 1050},
			ddl(s.a, xid(2), 1010, "comment on table A is 'x'"), commit(xid(2), 1011),
			insert(s.a, xid(1), 1020, 1, "between"), commit(xid(1), 1021),
			ddl(s.a, xid(3), 1030, "drop table A purge"), commit(xid(3), 1031),
			ddl(again, xid(4), 1040, "create table A (id number(10) primary key, v varchar2(40), w varchar2(40))"), commit(xid(4), 1041),
			inserted(again, xid(5), 1042, `"ID","V","W"`, `'1','v','w'`), commit(xid(5), 1043),
		)
		s.db.described = []*schema.Version{again, s.b}
		s.play(s.beginning())
		s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=between", "A/2 from 1041", "shop.PDB1.APP.A/2 c ID=1 V=v W=w")
	})
}

// R97: it was a DDL on another table that let the dictionary be read.
func TestR97RowsUnderLaterNamesThatAnotherTablesDDLBringsUpAreNotCrossed(t *testing.T) {
	s := following(t)
	was, now := with(s.a, "V", "W"), with(s.a, "W", "V")
	s.db.described = []*schema.Version{was, s.b}
	s.play(s.beginning())
	s.behind([]position.SCN{1010, 1050},
		inserted(was, xid(1), 1001, `"ID","W","V"`, `'1','v','w'`), commit(xid(1), 1002),
		ddl(s.b, xid(2), 1003, "comment on table B is 'x'"), commit(xid(2), 1004),
		ddl(was, xid(3), 1020, "alter table A rename column x to y"), commit(xid(3), 1022),
	)
	readings := 0
	s.db.descriptor = func() []*schema.Version {
		if readings++; readings == 1 {
			return []*schema.Version{was, s.b}
		}
		return []*schema.Version{now, s.b}
	}
	s.play(s.beginning())
	s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=v W=w", "A/2 from 1022")
}

// R103: the id of a partition that an insert made comes with the reading for a DDL; its rows from before the DDL stay the table's.
func TestR103RowsOfANewPartitionFromBeforeADDLAreTheTables(t *testing.T) {
	for _, renamed := range []bool{false, true} {
		t.Run(fmt.Sprintf("renamed: %t", renamed), func(t *testing.T) {
			s := following(t)
			s.config.BatchCount = 1
			now, text, topic, event := segments(with(s.a, "V", "W"), 101, 501), "alter table A add (w varchar2(40))", "A/2", "A/2 from 1011"
			columns, values, image := `"ID","V","W"`, `'3','v','w'`, "V=v W=w"
			if renamed {
				now, text, topic, event = segments(called(s.a, "C"), 101, 501), "alter table A rename to C", "C/1", "C/1 from 1011"
				columns, values, image = `"ID","V"`, `'3','v'`, "V=v"
			}
			s.db.partition[s.a.Table], s.db.partition[now.Table] = true, true
			named := called(s.a, now.Table.Name)
			s.step(
				insert(named, xid(1), 1001, 1, "old"), commit(xid(1), 1002), insert(segments(named, 501), xid(6), 1003, 2, "new"), commit(xid(6), 1004),
				ddl(s.a, xid(2), 1010, text), commit(xid(2), 1011), inserted(segments(now, 501), xid(4), 1042, columns, values), commit(xid(4), 1043),
			)
			s.dictionary(1011, now, s.b)
			want := []string{"shop.PDB1.APP.A/1 c ID=1 V=old", "shop.PDB1.APP.A/1 c ID=2 V=new", "shop.PDB1.APP." + topic + " c ID=3 " + image}
			s.play(s.beginning())
			s.wantRows(append([]string{"A/1 from 1000", "B/1 from 1000", event}, want...)...)
			if !renamed {
				s.play(s.beginning()) // the versions are stored now
				s.wantRows(want...)
			}
		})
	}
}

// R103, R106: a partition that an insert made is no DDL that was missed.
func TestR106NewPartitionIsNoDifference(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	part := segments(s.a, 501)
	s.step(insert(part, xid(6), 1003, 1, "first"), commit(xid(6), 1004))
	s.step(ddl(s.b, xid(2), 1010, "comment on table B is 'x'"), commit(xid(2), 1011))
	s.dictionary(1003, segments(s.a, 101, 501), s.b)
	for scn := position.SCN(1020); scn < 1100; scn += 10 {
		s.stepUpTo(scn)
	}
	s.step(insert(part, xid(7), 1103, 2, "later"), commit(xid(7), 1104))
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=first", "shop.PDB1.APP.A/1 c ID=2 V=later")
	if s.err != nil {
		t.Fatal(s.err)
	}
}

// R101: EXCHANGE PARTITION gives a segment to another table, and takes one from it.
func TestR101ExchangedSegmentIsTheOtherTablesFromThenOn(t *testing.T) {
	for _, later := range []bool{false, true} {
		t.Run(fmt.Sprintf("behind a DDL in another step: %t", later), func(t *testing.T) {
			s := following(t)
			s.db.partition[s.a.Table] = true
			s.db.described = []*schema.Version{segments(s.a, 101, 301), s.b}
			s.play(s.beginning())
			x := table("X", 401)
			bounds := []position.SCN{1050}
			if later {
				bounds = []position.SCN{1006, 1050}
			}
			s.behind(bounds,
				insert(x, xid(1), 1001, 1, "x"), commit(xid(1), 1002),
				ddl(s.a, xid(5), 1003, "comment on table A is 'x'"), commit(xid(5), 1004),
				insert(segments(s.a, 301), xid(6), 1007, 2, "a"), commit(xid(6), 1008),
				ddl(s.a, xid(2), 1010, "alter table A exchange partition p with table X"), commit(xid(2), 1011),
				insert(segments(x, 301), xid(3), 1020, 3, "x"), insert(segments(s.a, 401), xid(3), 1021, 4, "a"), commit(xid(3), 1022),
			)
			readings := 0
			s.db.descriptor = func() []*schema.Version {
				if readings++; readings == 1 {
					return []*schema.Version{segments(s.a, 101, 301), s.b}
				}
				return []*schema.Version{segments(s.a, 101, 401), s.b}
			}
			s.play(s.beginning())
			s.wantRows("shop.PDB1.APP.A/1 c ID=2 V=a", "shop.PDB1.APP.A/1 c ID=4 V=a")
		})
	}
}

// R96: DDL that comes faster than the dictionary is read does not keep a step for ever.
func TestR96DDLWithoutEndDoesNotHoldAStep(t *testing.T) {
	s := following(t)
	var made []*schema.Version
	s.db.tick = func() {
		n := len(made) + 1
		if n > 300 {
			return
		}
		v, x := table(fmt.Sprintf("C%d", n), uint64(300+n)), position.XID{USN: 90, Slot: 2, Sequence: uint32(n)}
		made = append(made, v)
		s.db.now += 2
		s.db.flush(ddl(v, x, s.db.now-1, "create table "+v.Table.Name+" (id number(10) primary key, v varchar2(40))"), false)
		s.db.flush(commit(x, s.db.now), false)
	}
	s.db.descriptor = func() []*schema.Version { return append([]*schema.Version{s.a, s.b}, slices.Clone(made)...) }
	most, last := 0, 0
	s.db.mined = func(position.Boundary, mined) {
		if s.seen.steps != last {
			last, most = s.seen.steps, max(most, s.db.mines)
			s.db.mines = 0
		}
	}
	s.play(s.beginning())
	if len(s.rows()) != 302 || s.err != nil {
		t.Fatalf("%d versions, want 302: %v", len(s.rows()), s.err)
	}
	if most > 12 {
		t.Fatalf("a step was mined %d times", most)
	}
}

// R101: a table that was renamed away is none of ours after a restart either.
func TestR101TableThatWasRenamedAwayIsForeignBehindARestart(t *testing.T) {
	s := following(t)
	away := called(s.a, "FOREIGN")
	s.step(
		insert(away, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "alter table A rename to FOREIGN"), commit(xid(2), 1011),
		insert(s.b, xid(3), 1012, 3, "b"), commit(xid(3), 1013),
	)
	s.dictionary(1011, s.b)
	s.play(s.beginning())
	last := s.through(s.last())
	s.step(insert(away, xid(4), 1050, 4, "foreign"), insert(s.b, xid(4), 1051, 5, "b"), commit(xid(4), 1052))
	s.stepUpTo(1100)
	s.step(insert(away, xid(5), 1150, 6, "foreign"), insert(s.b, xid(5), 1151, 7, "b"), commit(xid(5), 1152))
	s.play(last)
	s.wantRows("shop.PDB1.APP.B/1 c ID=5 V=b", "shop.PDB1.APP.B/1 c ID=7 V=b")
	// And below the rename its rows are still its own.
	s.play(s.beginning())
	s.wantRows("shop.PDB1.APP.A/1 c ID=1 V=before", "shop.PDB1.APP.B/1 c ID=3 V=b", "shop.PDB1.APP.B/1 c ID=5 V=b", "shop.PDB1.APP.B/1 c ID=7 V=b")
}

// R101: a table gets a captured name and loses it before capture reaches the first: nobody has seen it under that name.
func TestR101RowsUnderANameThatNobodySawAreNotLost(t *testing.T) {
	s := following(t)
	c := called(s.a, "C")
	s.play(s.beginning()) // the versions are stored
	s.db.described = []*schema.Version{s.b}
	s.behind([]position.SCN{1015, 1050},
		insert(c, xid(1), 1001, 1, "before"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "alter table A rename to C"), commit(xid(2), 1011),
		insert(c, xid(3), 1012, 2, "between"), commit(xid(3), 1013), ddl(c, xid(4), 1020, "drop table C purge"), commit(xid(4), 1021),
	)
	s.play(s.beginning())
	if s.wantEvents("1.1.7#0 c A/1 >before"); !stop.Is(s.err, stop.NoDictionary) {
		t.Fatalf("%v, want CDC-6001", s.err)
	}
}

// R101: the same with a restart between the two DDL: what the position has passed does not make the rows between them foreign, and those
// behind both are.
func TestR101NameThatNobodySawIsRememberedOverARestart(t *testing.T) {
	for name, second := range map[string]string{"dropped": "drop table C purge", "renamed away": "alter table C rename to FOREIGN"} {
		for _, between := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, rows between: %t", name, between), func(t *testing.T) {
				s := following(t)
				topic := &schemaTopic{values: map[string][]byte{}}
				s.config.Versions = topic.read
				c := called(s.a, "C")
				s.play(s.beginning())
				s.keep(topic)
				s.db.described = []*schema.Version{s.b}
				s.step(ddl(s.a, xid(2), 1010, "alter table A rename to C"), commit(xid(2), 1011))
				s.step(insert(s.b, xid(1), 1012, 1, "b"), commit(xid(1), 1013))
				s.play(s.beginning())
				s.keep(topic)
				p := s.through(s.last())
				if s.err != nil || p.Resume.SCN < 1013 {
					t.Fatalf("%v, resume %s", s.err, p.Resume.SCN)
				}
				if between {
					s.step(insert(c, xid(3), 1020, 2, "between"), commit(xid(3), 1021))
				}
				s.step(ddl(c, xid(4), 1030, second), commit(xid(4), 1031))
				s.step(insert(called(s.a, "FOREIGN"), xid(5), 1040, 3, "foreign"), commit(xid(5), 1041), insert(s.b, xid(6), 1042, 4, "b"), commit(xid(6), 1043))
				s.play(p)
				if between {
					if !stop.Is(s.err, stop.NoDictionary) {
						t.Fatalf("%v, want CDC-6001", s.err)
					}
					return
				}
				s.want("6.1.7#0 c B/4 >b")
				s.keep(topic)
				p = s.through(s.last())
				s.step(insert(called(s.a, "FOREIGN"), xid(7), 1050, 5, "foreign"), commit(xid(7), 1051), insert(s.b, xid(8), 1052, 6, "b"), commit(xid(8), 1053))
				s.play(p)
				s.want("8.1.7#0 c B/6 >b")
			})
		}
	}
}

// R101: the name goes to another table: behind a restart the rows of the one that had it are foreign, though the record has its version.
func TestR101TableThatLostItsNameToAnotherIsForeignBehindARestart(t *testing.T) {
	s := following(t)
	topic := &schemaTopic{values: map[string][]byte{}}
	s.config.Versions = topic.read
	away, other := called(s.a, "FOREIGN"), table("A", 201)
	s.play(s.beginning())
	s.keep(topic)
	s.step(
		ddl(s.a, xid(2), 1010, "alter table A rename to FOREIGN"), commit(xid(2), 1011),
		ddl(other, xid(3), 1012, "alter table OTHER rename to A"), commit(xid(3), 1013),
	)
	s.db.described = []*schema.Version{other, s.b}
	s.step(insert(s.b, xid(1), 1014, 1, "b"), commit(xid(1), 1015))
	s.play(s.beginning())
	s.keep(topic)
	p := s.through(s.last())
	s.step(insert(away, xid(4), 1020, 2, "foreign"), insert(other, xid(4), 1021, 3, "a"), commit(xid(4), 1022))
	s.play(p)
	s.wantRows("shop.PDB1.APP.A/2 c ID=3 V=a")
}

// keep plays oracle_schema for what was delivered.
func (s *scene) keep(topic *schemaTopic) {
	s.t.Helper()
	for _, b := range s.batches {
		for i := range b.Events {
			if ev := &b.Events[i]; ev.Kind == change.Schema {
				if err := topic.Append(s.t.Context(), ev.Key, ev.Value); err != nil {
					s.t.Fatal(err)
				}
			}
		}
	}
}

// R101: the same behind a restart: the stored segments are the table's up to the EXCHANGE, and the dictionary's are another's until then.
func TestR101ExchangeThatLiesAheadOfARestart(t *testing.T) {
	for _, held := range []bool{false, true} {
		t.Run(fmt.Sprintf("mined before, and held by an open transaction: %t", held), func(t *testing.T) {
			s := following(t)
			topic := &schemaTopic{values: map[string][]byte{}}
			s.config.Versions = topic.read
			s.db.partition[s.a.Table] = true
			s.db.described = []*schema.Version{segments(s.a, 101, 301), s.b}
			s.play(s.beginning())
			s.keep(topic)
			x := table("X", 401)
			p := s.beginning()
			s.step(
				insert(x, xid(1), 1001, 1, "x"), insert(s.b, xid(7), 1001, 7, "held"), commit(xid(1), 1002),
				insert(segments(s.a, 301), xid(6), 1007, 2, "a"), commit(xid(6), 1008),
				ddl(s.a, xid(2), 1010, "alter table A exchange partition p with table X"), commit(xid(2), 1011),
				insert(segments(x, 301), xid(3), 1020, 3, "x"), insert(segments(s.a, 401), xid(3), 1021, 4, "a"), commit(xid(3), 1022),
			)
			after := func() { s.db.described = []*schema.Version{segments(s.a, 101, 401), s.b} }
			if held {
				s.dictionary(1011, segments(s.a, 101, 401), s.b)
				s.play(p)
				s.keep(topic)
				s.want("6.1.7#0 c A/2 >a", "3.1.7#0 c A/4 >a")
				s.db.descriptor = nil
				for i := range s.db.file { // LogMiner names rows by the dictionary of now
					if r := &s.db.file[i]; r.ObjectID == 301 || r.ObjectID == 401 {
						old, now := r.Table, map[uint64]string{301: "X", 401: "A"}[r.ObjectID]
						r.Table, r.Redo = now, strings.Replace(r.Redo, `"`+old+`"`, `"`+now+`"`, 1)
					}
				}
			}
			after()
			s.step(commit(xid(7), 1060))
			s.play(p)
			s.want("6.1.7#0 c A/2 >a", "3.1.7#0 c A/4 >a", "7.1.7#0 c B/7 >held")
			s.keep(topic)
			// Behind it nothing is in doubt.
			p = s.through(s.last())
			s.step(insert(segments(x, 301), xid(8), 1070, 5, "x"), insert(segments(s.a, 401), xid(8), 1071, 6, "a"), commit(xid(8), 1072))
			s.stepUpTo(1100)
			s.stepUpTo(1150)
			s.play(p)
			s.want("8.1.7#0 c A/6 >a")
		})
	}
}

// R103: a partition of a new name is the table's from its first row on, though another one is gone.
func TestR103NewPartitionIsTheTablesThoughAnotherOneIsGone(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	parts := func(v *schema.Version, names ...string) *schema.Version { v.Partitions = names; return v }
	s.db.described = []*schema.Version{parts(segments(s.a, 101, 301), "P1", "P2"), s.b}
	s.play(s.beginning())
	s.db.described = []*schema.Version{parts(segments(s.a, 301, 401), "P2", "P3"), s.b}
	s.behind([]position.SCN{1005, 1050},
		insert(segments(s.a, 401), xid(1), 1001, 1, "new"), insert(segments(s.a, 101), xid(1), 1001, 2, "old"), commit(xid(1), 1002),
		ddl(s.a, xid(2), 1010, "alter table A drop partition p1"), commit(xid(2), 1011),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >new", "1.1.7#1 c A/2 >old")
}

// R101: rows in a step before that of the EXCHANGE are in doubt: they stop capture, and are not taken for the table's.
func TestR101RowsInDoubtBeforeAnExchangeStop(t *testing.T) {
	s := following(t)
	s.db.partition[s.a.Table] = true
	s.db.described = []*schema.Version{segments(s.a, 101, 301), s.b}
	s.play(s.beginning())
	s.db.described = []*schema.Version{segments(s.a, 101, 401), s.b}
	s.behind([]position.SCN{1005, 1050},
		insert(table("X", 401), xid(1), 1001, 1, "x"), commit(xid(1), 1002),
		ddl(s.a, xid(2), 1010, "alter table A exchange partition p with table X"), commit(xid(2), 1011),
	)
	s.play(s.beginning())
	if s.wantEvents(); !stop.Is(s.err, stop.NoDictionary) {
		t.Fatalf("%v, want CDC-6001", s.err)
	}
}
