package engine

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// replay is mine with the names that dated gives.
func (s *synthetic) replay(
	ctx context.Context, from position.Boundary, reading position.SCN, t *tables, strangers []object, handle func([]logminer.Row) error,
) (mined, error) {
	if s.dated == nil {
		return mined{}, &redolog.NoReplayError{Why: "the redo has no dictionary"}
	}
	wanted := *t
	wanted.byObject = maps.Clone(t.byObject)
	for _, o := range strangers {
		wanted.byObject[o] = nil
	}
	m, err := s.mine(ctx, from, reading, &wanted, func(rows []logminer.Row) error {
		dated := make([]logminer.Row, len(rows))
		for i, r := range rows {
			dated[i] = s.dated(r)
		}
		return handle(dated)
	})
	m.build = "thread 1 sequence 1"
	return m, err
}

// except decodes no row of table A by the numbers of its columns.
func (s *scene) except() {
	s.t.Helper()
	except, err := naming.NewSelection([]string{`APP\.A`}, nil, false)
	if err != nil {
		s.t.Fatal(err)
	}
	s.config.NumberedExcept = except
}

// named gives numbered rows of A the names that they had, and the id of their ROWID.
func (s *scene) named(r logminer.Row) logminer.Row {
	if r.Status == notValid && r.ObjectID == s.a.ObjectIDs[0] {
		id, err := strconv.Atoi(strings.TrimPrefix(r.RowID, "AAAID"))
		if err != nil {
			s.t.Error(err)
		}
		r.Status, r.Redo = 0, insertSQL(s.a, image{id, "dated"})
	}
	return r
}

// R45: the whole step is mined again, once, and the next one with today's dictionary.
func TestR45StepIsMinedAgainForTheSecondAnswer(t *testing.T) {
	s := following(t)
	s.stores()
	s.except()
	s.db.dated = s.named
	s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
	s.step(insert(s.b, xid(4), 1010, 4, "b"), numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012), commit(xid(4), 1013))
	s.step(insert(s.b, xid(5), 1020, 5, "later"), commit(xid(5), 1021))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >named", "2.1.7#0 c A/2 >dated", "4.1.7#0 c B/4 >b", "5.1.7#0 c B/5 >later")
	if s.seen.replays != 1 || s.seen.numbered != 0 {
		t.Errorf("%d replays, %d rows decoded by number", s.seen.replays, s.seen.numbered)
	}
}

// R45, R22: a row that was rolled back with its transaction asks for nothing; one of a transaction that is still open does.
func TestR45OnlyRowsThatMayCountAreReplayed(t *testing.T) {
	for end, replays := range map[string]int{"rollback": 0, "open": 1} {
		s := following(t)
		s.stores()
		s.except()
		s.db.dated = s.named
		s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
		want := []string{"1.1.7#0 c A/1 >named"}
		if end == "rollback" {
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), rollback(xid(2), 1012))
		} else {
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"))
			s.step(commit(xid(2), 1015))
			want = append(want, "2.1.7#0 c A/2 >dated")
		}
		s.play(s.beginning())
		s.want(want...)
		if s.seen.replays != replays {
			t.Errorf("%s: %d replays", end, s.seen.replays)
		}
	}
}

// R45: what is not read then either stops capture, at its place, whatever becomes of rows that cannot be decoded; it is mined no third time.
func TestR45WhatTheSecondAnswerDoesNotReadStops(t *testing.T) {
	for name, tt := range map[string]struct {
		dated func(s *scene, r logminer.Row) logminer.Row
		says  string
	}{
		"numbered even then": {func(_ *scene, r logminer.Row) logminer.Row { return r }, "before a DDL on its table"},
		"another layout": {func(s *scene, r logminer.Row) logminer.Row {
			if r.Status == notValid {
				r.Status, r.Redo = 0, `insert into "APP"."A"("ID","OTHER") values ('2','x')`
			}
			return r
		}, "other columns than the layout that is stored"},
		"a column less": {func(s *scene, r logminer.Row) logminer.Row {
			if r.Status == notValid {
				r.Status, r.Redo = 0, `insert into "APP"."A"("ID") values ('2')`
			}
			return r
		}, "lacks column V"},
		"fewer rows": {func(s *scene, r logminer.Row) logminer.Row {
			if r.Status == notValid {
				r.ObjectID = 999
			}
			return r
		}, "rows of captured tables"},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.stores()
			s.except()
			s.config.DeadLetters = true
			s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true, Ops: true}, nil }
			s.db.dated = func(r logminer.Row) logminer.Row { return tt.dated(s, r) }
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
			s.play(s.beginning())
			if !stop.Is(s.err, stop.NoDictionary) || !strings.Contains(s.err.Error(), tt.says) {
				t.Errorf("%v, want CDC-6001 that says %q", s.err, tt.says)
			}
			if got := strings.Join(s.rows(), "\n"); strings.Contains(got, "ID=2") || s.seen.buried > 0 {
				t.Errorf("delivered %s, %d dead letters", got, s.seen.buried)
			}
			if s.db.mines > s.seen.steps+3 {
				t.Errorf("%d times mined for %d steps", s.db.mines, s.seen.steps)
			}
		})
	}
}

// R45, R96: names tell nothing of a row whose layout may be another one than that which is known; a row that had names with today's
// dictionary is what it was.
func TestR45NamesOfTheirTimeNeedALayoutThatIsCertain(t *testing.T) {
	for name, known := range map[string]bool{"numbered, not certain": false, "named with today's dictionary": true} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.stores()
			s.except()
			s.db.dated = s.named
			// Both lie below the reading of the dictionary, with a DDL in between; A is known for certain from a row of that number.
			first := insert(s.a, xid(1), 1001, 1, "named")
			second := numbered(s.a, xid(2), 1002, 2, "numbered")
			other := insert(s.b, xid(3), 1003, 3, "b")
			first.ObjectVersion, other.ObjectVersion = 7, 9
			if known {
				second.ObjectVersion = 7
			} else {
				second.ObjectVersion = 8
			}
			s.step(
				first, second, other, commit(xid(1), 1005), commit(xid(2), 1006), commit(xid(3), 1007),
				ddl(s.a, xid(4), 1008, "alter table A modify (v varchar2(40))"), commit(xid(4), 1009),
			)
			s.play(s.beginning())
			if known {
				s.want("1.1.7#0 c A/1 >named", "2.1.7#0 c A/2 >dated", "3.1.7#0 c B/3 >b")
				return
			}
			if !stop.Is(s.err, stop.NoDictionary) || s.seen.replays != 0 {
				t.Errorf("%v after %d replays, want CDC-6001 without one", s.err, s.seen.replays)
			}
		})
	}
}

// R49: a part of a large value that names its column by number has its second answer too, and stops capture only when it commits.
func TestR49PartsOfLargeValuesThatAreNumbered(t *testing.T) {
	part := func(s *scene) logminer.Row {
		return of(s.a, row(xid(2), 1011, logminer.LOBWrite), "", `DECLARE loc_c CLOB; BEGIN select "COL 2" into loc_c from "APP"."A"`)
	}
	for name, tt := range map[string]struct {
		dated func(r logminer.Row) logminer.Row
		end   func(position.XID, position.SCN) logminer.Row
		code  stop.Code
	}{
		"rolled back": {nil, rollback, 0},
		"committed":   {nil, commit, stop.NoDictionary},
		"named then, but not captured by this version": {func(r logminer.Row) logminer.Row {
			r.Redo = strings.ReplaceAll(r.Redo, "COL 2", "V")
			return r
		}, commit, stop.Corrupt},
		"numbered even then": {func(r logminer.Row) logminer.Row { return r }, commit, stop.NoDictionary},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.db.dated = tt.dated
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			s.step(part(s), tt.end(xid(2), 1012))
			s.play(s.beginning())
			if tt.code == 0 {
				s.want("1.1.7#0 c A/1 >named")
				return
			}
			if !stop.Is(s.err, tt.code) {
				t.Errorf("%v, want CDC-%d", s.err, tt.code)
			}
		})
	}
}

// R45, R96: what a replay shows of other rows is judged as well: one that has no names even then, and one whose names may be those of
// another layout, are not published.
func TestR45OtherRowsOfAReplayAreJudgedToo(t *testing.T) {
	for name, build := range map[string]func(s *scene){
		"numbered even then, though the first answer would do": func(s *scene) {
			s.db.dated = s.named
			s.step(insert(s.a, xid(1), 1001, 1, "named"), insert(s.b, xid(1), 1002, 1, "b"), commit(xid(1), 1005))
			s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), numbered(s.b, xid(2), 1012, 9, "other"), commit(xid(2), 1013))
		},
		"names of a layout that is not certain": func(s *scene) {
			s.db.dated = func(r logminer.Row) logminer.Row {
				if r.Status == notValid && r.ObjectID == s.b.ObjectIDs[0] {
					r.Status, r.Redo = 0, insertSQL(s.b, image{9, "other"})
				}
				return s.named(r)
			}
			first, second := insert(s.a, xid(1), 1001, 1, "named"), numbered(s.a, xid(2), 1002, 2, "numbered")
			first.ObjectVersion, second.ObjectVersion = 7, 7
			s.step(
				first, second, numbered(s.b, xid(2), 1003, 9, "other"), commit(xid(1), 1005), commit(xid(2), 1006),
				ddl(s.b, xid(4), 1008, "alter table B modify (v varchar2(40))"), commit(xid(4), 1009),
			)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.stores()
			s.except()
			build(s)
			s.play(s.beginning())
			if got := strings.Join(s.rows(), "\n"); !stop.Is(s.err, stop.NoDictionary) || strings.Contains(got, "ID=9") || s.seen.replays == 0 {
				t.Errorf("%v after %d replays, delivered %s", s.err, s.seen.replays, got)
			}
		})
	}
}

// R45, R97: the names of a replay are not today's: a column that is renamed ahead has its old name there.
func TestR45NamesOfTheirTimeAreNotThoseAhead(t *testing.T) {
	s := following(t)
	s.stores()
	s.except()
	s.db.dated = s.named
	s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
	s.step(numbered(s.a, xid(2), 1011, 2, "numbered"), commit(xid(2), 1012))
	s.step(ddl(s.a, xid(3), 1020, "alter table A rename column v to w"), commit(xid(3), 1021))
	s.dictionary(1010, with(s.a, "W"), s.b)
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	if got := strings.Join(s.rows(), "\n"); !strings.Contains(got, "A/1 c ID=2 V=dated") || s.seen.replays != 1 {
		t.Errorf("%d replays, delivered %s", s.seen.replays, got)
	}
}

// R104, R45: the dictionary of their time says of rows in a segment that nobody can name today whose they are; what it cannot name
// either stops capture, and is not asked for again.
func TestR104RowsThatNobodyCanNameAreReplayed(t *testing.T) {
	for name, tt := range map[string]struct {
		owner, table string
		dropped      bool
		want         []string
	}{
		"of the table":           {"APP", "B", false, []string{"1.1.7#0 c A/1 >named", "3.1.7#0 c B/5 >x"}},
		"of a foreign table":     {"APP", "FOREIGN", false, []string{"1.1.7#0 c A/1 >named"}},
		"of a table that went":   {"APP", "B", true, []string{"1.1.7#0 c A/1 >named", "3.1.7#0 c B/5 >x"}},
		"foreign, a table went":  {"APP", "FOREIGN", true, []string{"1.1.7#0 c A/1 >named"}},
		"earlier, a table went":  {"APP", "EARLIER", true, nil},
		"nameless even then":     {"UNKNOWN", "OBJ# 777", false, nil},
		"of a table that nobody": {"APP", "EARLIER", false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.db.partition[s.b.Table] = true
			s.db.dated = func(r logminer.Row) logminer.Row {
				if r.ObjectID == 777 {
					r.Owner, r.Table = tt.owner, tt.table
				}
				return r
			}
			hidden := insert(s.b, xid(3), 1013, 5, "x")
			hidden.ObjectID, hidden.Owner, hidden.Table = 777, "UNKNOWN", "OBJ# 777"
			s.step(insert(s.a, xid(1), 1001, 1, "named"), commit(xid(1), 1005))
			if tt.dropped {
				s.dictionary(1012, s.a)
				s.step(hidden, commit(xid(3), 1014), ddl(s.b, xid(2), 1015, "drop table B purge"), commit(xid(2), 1016))
			} else {
				s.step(ddl(s.b, xid(2), 1010, "alter table B add partition p values (1)"), commit(xid(2), 1011), hidden, commit(xid(3), 1014))
			}
			s.play(s.beginning())
			if tt.want != nil {
				s.want(tt.want...)
				return
			}
			if !stop.Is(s.err, stop.NoDictionary) || !strings.Contains(s.err.Error(), "which nobody can name") || s.db.mines > s.seen.steps+4 {
				t.Errorf("%v after %d times for %d steps", s.err, s.db.mines, s.seen.steps)
			}
		})
	}
}
