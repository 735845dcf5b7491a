package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// document is a table with a column that cannot be captured.
func document(v *schema.Version, name string) *schema.Version {
	out := *v
	out.Columns = append(slices.Clone(v.Columns), schema.Column{
		Name: "DOC", SegmentID: len(v.Columns) + 1, Nullable: true, Type: schema.Type{Kind: schema.ParseType(name, ""), Name: name},
	})
	return out.Seal()
}

func unlogged(v *schema.Version, to schema.Logging) *schema.Version {
	out := *v
	out.Columns, out.Logging = slices.Clone(v.Columns), to
	return out.Seal()
}

// R110, R108: a DDL that makes a table one that cannot be captured stops at its place: what committed before it is delivered, whether
// the dictionary shows the table so from the start of the step, for steps before, or at a restart behind it.
func TestR110DDLThatMakesATableUncapturableStopsAtItsPlace(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		now   func(s *scene) *schema.Version
		code  stop.Code
		words string
	}{
		"CLOB":         {"alter table A add (doc clob)", func(s *scene) *schema.Version { return document(s.a, "CLOB") }, stop.DDL, "column DOC has type CLOB"},
		"JSON":         {"alter table A add doc json", func(s *scene) *schema.Version { return document(s.a, "JSON") }, stop.DDL, "column DOC has type JSON"},
		"BFILE":        {"alter table A add doc bfile", func(s *scene) *schema.Version { return document(s.a, "BFILE") }, stop.DDL, "column DOC has type BFILE"},
		"nested table": {"alter table A add (doc lines) nested table doc store as n", func(s *scene) *schema.Version { return document(s.a, "LINES") }, stop.DDL, "column DOC has type LINES"},
		"long name": {"alter table A add a_name_of_more_than_thirty_bytes number", func(s *scene) *schema.Version {
			return with(s.a, "V", "A_NAME_OF_MORE_THAN_THIRTY_BYTES")
		}, stop.DDL, "A_NAME_OF_MORE_THAN_THIRTY_BYTES"},
		"logging": {"alter table A drop supplemental log data (all) columns", func(s *scene) *schema.Version { return unlogged(s.a, schema.LoggingMinimal) }, stop.Configuration, "supplemental logging"},
		"key": {"alter table A drop primary key", func(s *scene) *schema.Version {
			v := keyed(s.a, schema.KeyNone)
			v.Key.Columns = nil
			return v
		}, stop.Configuration, "without a primary key"},
		"no text to mask": {"alter table A add (secret number)", func(s *scene) *schema.Version {
			s.masks()
			v := with(s.a, "V", "SECRET")
			v.Columns[2].Type = schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: schema.NoNumber, Scale: schema.NoNumber}
			return v
		}, stop.Configuration, "columns.mask matches a column that holds no text"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, ahead := range []bool{false, true} {
				s := following(t)
				s.config.BatchCount = 1
				s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002))
				s.step(insert(s.b, xid(3), 1003, 1, "b"), insert(s.a, xid(3), 1004, 2, "a"), commit(xid(3), 1005))
				s.step(
					insert(s.b, xid(4), 1006, 2, "b"), commit(xid(4), 1007), ddl(s.a, xid(2), 1010, tt.text), commit(xid(2), 1012),
					insert(s.b, xid(5), 1013, 3, "b"), commit(xid(5), 1014),
				)
				if ahead {
					s.dictionary(1002, tt.now(s), s.b)
				} else {
					s.dictionary(1012, tt.now(s), s.b)
				}
				check := func(events ...string) {
					t.Helper()
					s.wantEvents(events...)
					if !stop.Is(s.err, tt.code) || !strings.Contains(s.err.Error(), tt.words) || !strings.Contains(s.err.Error(), "PDB1.APP.A at SCN 1010") {
						t.Fatalf("ahead %t: %v, want %v", ahead, s.err, tt.code)
					}
				}
				s.play(s.beginning())
				check("1.1.7#0 c A/1 >a", "3.1.7#0 c B/1 >b", "3.1.7#1 c A/2 >a", "4.1.7#0 c B/2 >b")
				s.play(s.after("1.1.7#0 c A/1 >a"))
				check("3.1.7#0 c B/1 >b", "3.1.7#1 c A/2 >a", "4.1.7#0 c B/2 >b")
				s.play(s.after("4.1.7#0 c B/2 >b"))
				check()
				// The way out that the stop names.
				s.db.descriptor, s.db.described = nil, []*schema.Version{s.b}
				var err error
				if s.config.Selection, err = naming.NewSelection([]string{`PDB1\.APP\.B`}, nil, false); err != nil {
					t.Fatal(err)
				}
				s.play(s.beginning())
				s.want("3.1.7#0 c B/1 >b", "4.1.7#0 c B/2 >b", "5.1.7#0 c B/3 >b")
			}
		})
	}
}

// masks hides the values of columns SECRET.
func (s *scene) masks() {
	s.t.Helper()
	secret, err := naming.ParsePattern(`.*\.SECRET`, false)
	if err != nil {
		s.t.Fatal(err)
	}
	s.config.Records.Masks = []debezium.Mask{{Match: secret, With: "***"}}
}

// R110: behind a stop of what the configuration does not allow, another configuration goes on with the DDL that it stopped at.
func TestR110DDLGoesOnWithAnotherConfiguration(t *testing.T) {
	s := following(t)
	s.masks()
	now := with(s.a, "V", "SECRET")
	now.Columns[2].Type = schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: schema.NoNumber, Scale: schema.NoNumber}
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, "alter table A add (secret number)"), commit(xid(2), 1012),
		inserted(now, xid(3), 1013, `"ID","V","SECRET"`, `'2','b','7'`), commit(xid(3), 1014),
	)
	s.dictionary(1012, now, s.b)
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >a")
	if !stop.Is(s.err, stop.Configuration) {
		t.Fatalf("%v, want CDC-5003", s.err)
	}
	held := s.after("1.1.7#0 c A/1 >a")
	s.config.Columns = mustColumns(t, nil, []string{`.*\.SECRET`})
	s.play(held)
	s.want("3.1.7#0 c A/2 >b")
}

// A table that cannot be captured and is new stops at its CREATE; a start that knows nothing of it refuses it by name.
func TestR110TableThatComesAndCannotBeCapturedStopsAtItsDDL(t *testing.T) {
	s := following(t)
	c := document(table("C", 103), "JSON")
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), ddl(c, xid(2), 1010, "create table C (id number(10) primary key, v varchar2(40), doc json)"),
		commit(xid(2), 1012), insert(s.a, xid(3), 1013, 2, "a"), commit(xid(3), 1014),
	)
	s.dictionary(1012, s.a, s.b, c)
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >a")
	if !stop.Is(s.err, stop.DDL) || !strings.Contains(s.err.Error(), "PDB1.APP.C") {
		t.Fatalf("%v, want CDC-6002", s.err)
	}
	s.play(s.beginning())
	if s.wantEvents(); !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), "PDB1.APP.C") {
		t.Fatalf("%v, want CDC-5003", s.err)
	}
}

// A DDL that stops keeps no other DDL of the step from being followed, on whichever side of it that lies.
func TestDDLThatStopsLeavesTheOthersOfTheStep(t *testing.T) {
	for name, text := range map[string]string{"not understood": "alter table B frobnicate", "cannot be captured": "alter table B add doc clob"} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			wide := with(s.a, "V", "W")
			later := s.b
			if name == "cannot be captured" {
				later = document(s.b, "CLOB")
			}
			s.step(
				ddl(s.a, xid(1), 1001, "alter table A add (w varchar2(40))"), commit(xid(1), 1002),
				inserted(wide, xid(2), 1003, `"ID","V","W"`, `'1','v','w'`), insert(s.b, xid(2), 1004, 1, "b"), commit(xid(2), 1005),
				ddl(s.b, xid(3), 1010, text), commit(xid(3), 1012),
				inserted(wide, xid(4), 1013, `"ID","V","W"`, `'2','v','w'`), commit(xid(4), 1014),
			)
			s.dictionary(1012, wide, later)
			s.play(s.beginning())
			s.wantRows("A/1 from 1000", "B/1 from 1000", "A/2 from 1002", "shop.PDB1.APP.A/2 c ID=1 V=v W=w", "shop.PDB1.APP.B/1 c ID=1 V=b")
			if !stop.Is(s.err, stop.DDL) || !strings.Contains(s.err.Error(), "PDB1.APP.B") {
				t.Fatalf("%v, want CDC-6002", s.err)
			}
			if s.db.mines > 12 {
				t.Errorf("the step was mined %d times", s.db.mines)
			}
		})
	}
}

// What a table looked like between a DDL and the one that stops nobody has seen: no row from there is guessed.
func TestRowsBeforeADDLThatStopsAreNotCrossed(t *testing.T) {
	s := following(t)
	was, now := with(s.a, "V", "W"), with(s.a, "W", "V")
	s.db.described = []*schema.Version{was, s.b}
	s.step(
		inserted(was, xid(1), 1001, `"ID","W","V"`, `'1','v','w'`), commit(xid(1), 1002),
		ddl(was, xid(2), 1010, "alter table A frobnicate"), commit(xid(2), 1012),
	)
	s.dictionary(1001, now, s.b)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000", "shop.PDB1.APP.A/1 c ID=1 V=v W=w")
	if !stop.Is(s.err, stop.DDL) {
		t.Fatalf("%v, want CDC-6002", s.err)
	}
	s = following(t)
	s.db.described = []*schema.Version{was, s.b}
	s.step(
		ddl(was, xid(2), 1010, "alter table A rename column x to y"), commit(xid(2), 1012),
		inserted(was, xid(1), 1013, `"ID","W","V"`, `'1','v','w'`), commit(xid(1), 1014),
		ddl(was, xid(3), 1015, "alter table A frobnicate"), commit(xid(3), 1016),
	)
	s.dictionary(1001, now, s.b)
	s.play(s.beginning())
	s.wantRows("A/1 from 1000", "B/1 from 1000")
	if !stop.Is(s.err, stop.NoDictionary) {
		t.Fatalf("%v, want CDC-6001", s.err)
	}
}
