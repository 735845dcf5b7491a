package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// R93, R94: DDL on captured tables is followed: rows before it have the layout before it, rows behind it the new one.
func TestDDLOnACapturedTableIsFollowed(t *testing.T) {
	sideBySide(t)
	for name, tt := range map[string]struct {
		statement, insert string
		want              []string
	}{
		"add column":        {"ALTER TABLE $t ADD (note VARCHAR2(10))", "INSERT INTO $t VALUES (3, 3, 'n')", []string{`{"ID":3} c {"ID":3,"V":3,"NOTE":"n"}`}},
		"drop column":       {"ALTER TABLE $t DROP COLUMN v", "INSERT INTO $t VALUES (3)", []string{`{"ID":3} c {"ID":3}`}},
		"set unused":        {"ALTER TABLE $t SET UNUSED COLUMN v", "INSERT INTO $t VALUES (3)", []string{`{"ID":3} c {"ID":3}`}},
		"widen column":      {"ALTER TABLE $t MODIFY (v NUMBER(12))", "INSERT INTO $t VALUES (3, 123456789012)", []string{`{"ID":3} c {"ID":3,"V":123456789012}`}},
		"rename column":     {"ALTER TABLE $t RENAME COLUMN v TO w", "INSERT INTO $t VALUES (3, 3)", []string{`{"ID":3} c {"ID":3,"W":3}`}},
		"drop":              {"DROP TABLE $t PURGE", "", nil},
		"to the bin":        {"DROP TABLE $t", "", nil},
		"renamed away":      {"ALTER TABLE $t RENAME TO $other", "INSERT INTO $other VALUES (3, 3)", nil},
		"renamed and taken": {"ALTER TABLE $t RENAME TO $kept_too", "INSERT INTO $kept_too VALUES (3, 3)", []string{`{"ID":3} c {"ID":3,"V":3}`}},
		"truncate":          {"TRUNCATE TABLE $t", "INSERT INTO $t VALUES (3, 3)", []string{` t null`, `{"ID":3} c {"ID":3,"V":3}`}},
		"comment":           {"COMMENT ON TABLE $t IS 'x'", "INSERT INTO $t VALUES (3, 3)", []string{`{"ID":3} c {"ID":3,"V":3}`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
			s.table("kept", "id NUMBER(9) PRIMARY KEY")
			with := fields{"include": s.include("t", "kept", "kept_too", fenceTable), "records.truncates": true}
			p := s.start(with)
			s.commit("INSERT INTO $t VALUES (1, 1)", "INSERT INTO $kept VALUES (1)")
			p.settle()
			open := s.connect(app).begin()
			open.exec("INSERT INTO $kept VALUES (7)")
			s.commit("INSERT INTO $t VALUES (2, 2)")
			s.exec(tt.statement)
			if tt.insert != "" {
				s.commit(tt.insert)
			}
			open.commit()
			want := append([]string{`{"ID":1} c {"ID":1,"V":1}`, `{"ID":1} c {"ID":1}`, `{"ID":2} c {"ID":2,"V":2}`}, tt.want...)
			same(t, p.settle(), append(want, `{"ID":7} c {"ID":7}`)...)
			p.stop()
			s.commit("INSERT INTO $kept VALUES (8)")
			p = s.launch(with)
			same(t, p.settle(), `{"ID":8} c {"ID":8}`)
		})
	}
}

// A column that is added later and matches columns.exclude is in no record from its first row on.
func TestColumnThatIsAddedLaterIsExcludedFromItsFirstRow(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	p := s.start(fields{"columns.exclude": []string{`.*\.SECRET`}})
	s.commit("INSERT INTO $t VALUES (1, 1)")
	p.settle()
	s.exec("ALTER TABLE $t ADD (secret VARCHAR2(20), note VARCHAR2(20))")
	s.commit("INSERT INTO $t VALUES (2, 2, 'hush', 'n')", "UPDATE $t SET secret = 'hush hush' WHERE id = 2")
	got := p.settle()
	same(t, got, `{"ID":1} c {"ID":1,"V":1}`, `{"ID":2} c {"ID":2,"V":2,"NOTE":"n"}`, `{"ID":2} u {"ID":2,"V":2,"NOTE":"n"} -> {"ID":2,"V":2,"NOTE":"n"}`)
	for _, m := range got {
		if strings.Contains(string(m.event.Value), "hush") {
			t.Errorf("%s", m.event.Value)
		}
	}
}

// R97: columns that swapped their names while capture was behind are not crossed, neither in steps that end before the DDL nor in that
// which has it.
func TestR97SwappedNamesAreNotCrossedWhileCaptureIsBehind(t *testing.T) {
	s, b := begin(t, misleads(redo.Warts{R97NewNames: true}), logs(3, 64<<10)), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(10), b VARCHAR2(10)")
	p := s.startKafka(b, nil)
	s.commit("INSERT INTO $t VALUES (1, 'a', 'b')")
	p.settleKafka(b)
	p.stop()
	s.commit("INSERT INTO $t VALUES (2, 'a', 'b')")
	s.switchLog()
	s.commit("UPDATE $t SET a = 'a2' WHERE id = 2")
	s.switchLog()
	for _, to := range []string{"a TO x", "b TO a", "x TO b"} {
		s.exec("ALTER TABLE $t RENAME COLUMN " + to)
	}
	s.commit("INSERT INTO $t VALUES (3, 'b', 'a')")
	p = s.launchKafka(b, fields{"mining.max_logs_per_step": 1}, "kafka_franz: {}")
	p.settleKafka(b)
	var got []string
	for _, r := range b.topic("shop." + s.full("t")) {
		m := message{value: r.Value}
		got = append(got, string(m.record().After))
	}
	want := []string{
		`{"ID":1,"A":"a","B":"b"}`, `{"ID":2,"A":"a","B":"b"}`, `{"ID":2,"A":"a2","B":"b"}`, `{"ID":3,"B":"b","A":"a"}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows %s, want %s", got, want)
	}
}

// Reference logminer G.3: rows from before a DDL that are mined after it have no names, or those of another table. They are not
// guessed and not passed over.
func TestRowsThatAreOlderThanADDLStopInsteadOfBeingGuessed(t *testing.T) {
	sideBySide(t)
	for name, statements := range map[string][]string{
		"a column came":    {"ALTER TABLE $t ADD (note VARCHAR2(10))"},
		"a column went":    {"ALTER TABLE $t DROP COLUMN v"},
		"the table went":   {"DROP TABLE $t PURGE"},
		"into the bin":     {"DROP TABLE $t"},
		"renamed":          {"ALTER TABLE $t RENAME TO $foreign_t"},
		"made again":       {"DROP TABLE $t PURGE", "CREATE TABLE $t (v NUMBER(9), id NUMBER(9) PRIMARY KEY)", "ALTER TABLE $t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS"},
		"a column renamed": {"ALTER TABLE $t RENAME COLUMN v TO w"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
			p := s.start(nil)
			s.commit("INSERT INTO $t VALUES (1, 1)")
			p.settle()
			p.stop()
			s.commit("INSERT INTO $t VALUES (2, 2)")
			for _, statement := range statements {
				s.exec(statement)
			}
			s.commit("INSERT INTO $" + fenceTable + " VALUES (-1)")
			p = s.launch(nil)
			switch stopped := p.stopped(); stopped.Code {
			case 6001, 6002, 6003:
			default:
				t.Errorf("%v, want CDC-6001 to 6003", stopped)
			}
			got, _ := p.delivered()
			if len(got) > 1 || len(got) == 1 && got[0].line() != `{"ID":2} c {"ID":2,"V":2}` {
				t.Errorf("delivered: %q", lines(got))
			}
		})
	}
}

func TestDDLOnOtherTablesDoesNotStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	for _, statement := range []string{
		"CREATE TABLE $foreign_t (id NUMBER(9))", "INSERT INTO $foreign_t VALUES (1)", "ALTER TABLE $foreign_t ADD (v NUMBER(9))",
		"TRUNCATE TABLE $foreign_t", "ALTER TABLE $foreign_t RENAME TO $foreign_u", "DROP TABLE $foreign_u PURGE",
		"CREATE UNIQUE INDEX $foreign_i ON $" + fenceTable + " (id, 1)",
	}[:6] {
		s.exec(statement)
	}
	s.commit("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`)
}

// R101, R102: a table that is created while capture runs and matches is captured from its first row.
func TestR102NewTableIsCapturedFromItsFirstRow(t *testing.T) {
	s := begin(t)
	s.logAll()
	p := s.start(fields{"include": s.include("new_one", fenceTable)})
	long := s.connect(app).begin()
	long.exec("INSERT INTO $" + fenceTable + " VALUES (-1)")
	s.tableWhileCapturing("new_one", "id NUMBER(9) PRIMARY KEY, v VARCHAR2(10)")
	s.commit("INSERT INTO $new_one VALUES (1, 'first')", "UPDATE $new_one SET v = 'second'")
	got := p.settle()
	same(t, got, `{"ID":1} c {"ID":1,"V":"first"}`, `{"ID":1} u {"ID":1,"V":"first"} -> {"ID":1,"V":"second"}`)
	if len(got) > 0 && got[0].event.Topic != "shop."+s.full("new_one") {
		t.Errorf("topic %s", got[0].event.Topic)
	}
	p.stop()
	long.commit()
	p = s.start(fields{"include": s.include("new_one", fenceTable)})
	s.commit("DELETE FROM $new_one")
	same(t, p.settle(), `{"ID":1} d {"ID":1,"V":"second"}`, `{"ID":1} tombstone`)
}

// Without full logging a new table cannot be captured; that is said by name and nothing of it is skipped.
func TestNewTableThatCannotBeCapturedIsATypedStop(t *testing.T) {
	s := begin(t)
	p := s.start(fields{"include": s.include("new_one", fenceTable)})
	s.exec("CREATE TABLE $new_one (id NUMBER(9))")
	refusal(t, p.stopped(), 5003, s.full("new_one"))
}

// R102, R129: what a statement says in a comment, a text or a name is not what it does.
func TestR102TableWhoseNamesSoundLikePartitionMaintenance(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.logAll()
	p := s.start(fields{"include": s.include(fenceTable, "t", "later")})
	s.exec("COMMENT ON TABLE $t IS 'truncate partition drop'")
	s.exec("INSERT INTO $t VALUES (1)")
	s.tableWhileCapturing("later", `id NUMBER(9) PRIMARY KEY, partition_no NUMBER(9), "TRUNCATE" NUMBER(9)`)
	s.exec("INSERT INTO $later VALUES (2, 3, 4)")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`, `{"ID":2} c {"ID":2,"PARTITION_NO":3,"TRUNCATE":4}`)
}

// R103: an insert makes its partition; where the redo shows no DDL for that, the first rows of the new segment are captured all the same.
func TestR103FirstRowsOfAPartitionThatAnInsertMakes(t *testing.T) {
	s := begin(t, misleads(redo.Warts{R103NoInternalDDL: true}))
	s.logAll()
	s.exec("CREATE TABLE $t (id NUMBER(9) PRIMARY KEY, v NUMBER(9)) PARTITION BY RANGE (id) INTERVAL (10) (PARTITION p0 VALUES LESS THAN (10))")
	p := s.start(fields{"include": s.include("t", fenceTable)})
	s.commit("INSERT INTO $t VALUES (1, 1)")
	s.commit("INSERT INTO $t VALUES (25, 1)", "UPDATE $t SET v = 3 WHERE id = 25", "INSERT INTO $t VALUES (47, 1)")
	same(t, p.settle(),
		`{"ID":1} c {"ID":1,"V":1}`, `{"ID":25} c {"ID":25,"V":1}`, `{"ID":25} u {"ID":25,"V":1} -> {"ID":25,"V":3}`, `{"ID":47} c {"ID":47,"V":1}`)
}

// A unique index is the key of a table without a primary key: one that comes or goes while capture runs changes the key with its commit.
func TestUniqueIndexThatComesOrGoesChangesTheKey(t *testing.T) {
	s := begin(t)
	s.table("t", "a NUMBER(9) NOT NULL, b NUMBER(9) NOT NULL")
	s.exec("CREATE UNIQUE INDEX $t_ab ON $t (a, b)")
	p := s.start(nil)
	s.commit("INSERT INTO $t VALUES (1, 2)")
	s.exec("CREATE UNIQUE INDEX $t_b ON $t (b) /* the smaller one */")
	s.commit("INSERT INTO $t VALUES (3, 4)")
	p.settle()
	s.exec("DROP INDEX $t_b")
	s.commit("INSERT INTO $t VALUES (5, 6)")
	same(t, p.settle(), `{"A":1,"B":2} c {"A":1,"B":2}`, `{"B":4} c {"A":3,"B":4}`, `{"A":5,"B":6} c {"A":5,"B":6}`)
}

// R129, R102: partitions that come, are cut or move take no row away; rows of the new ones are captured, also with bulk_ddl: stop.
func TestR129PartitionsThatAreRearrangedLoseNoRow(t *testing.T) {
	s := begin(t)
	s.logAll()
	s.exec("CREATE TABLE $t (id NUMBER(9) PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10))")
	p := s.start(fields{"include": s.include("t", fenceTable), "bulk_ddl": "stop"})
	s.commit("INSERT INTO $t VALUES (1)")
	s.exec("ALTER TABLE $t ADD PARTITION p1 VALUES LESS THAN (20)")
	s.commit("INSERT INTO $t VALUES (11)")
	p.settle()
	s.exec("ALTER TABLE $t SPLIT PARTITION p1 AT (15) INTO (PARTITION p1a, PARTITION p1b)")
	s.commit("INSERT INTO $t VALUES (12)", "INSERT INTO $t VALUES (16)")
	s.exec("ALTER TABLE $t MOVE PARTITION p0")
	s.commit("DELETE FROM $t WHERE id = 1")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`, `{"ID":11} c {"ID":11}`, `{"ID":12} c {"ID":12}`, `{"ID":16} c {"ID":16}`,
		`{"ID":1} d {"ID":1}`, `{"ID":1} tombstone`)
	s.exec("ALTER TABLE $t DROP PARTITION p1b")
	s.commit("INSERT INTO $t VALUES (13)")
	refusal(t, p.stopped(), 6002, s.full("t"))
}

// R104: a partition that came and went before capture read the dictionary had rows in a segment that nobody knows.
func TestR104RowsOfAPartitionThatCameAndWentAreNotLost(t *testing.T) {
	for name, after := range map[string]string{
		"cut":     "ALTER TABLE $t SPLIT PARTITION p1 AT (15) INTO (PARTITION p1a, PARTITION p1b)",
		"dropped": "ALTER TABLE $t DROP PARTITION p1",
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.logAll()
			s.exec("CREATE TABLE $t (id NUMBER(9) PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10))")
			p := s.start(fields{"include": s.include("t", fenceTable)})
			s.exec("ALTER TABLE $t ADD PARTITION p1 VALUES LESS THAN (20)")
			s.commit("INSERT INTO $t VALUES (11)")
			s.exec(after)
			s.commit("INSERT INTO $t VALUES (2)")
			refusal(t, p.stopped(), 6001, s.full("t"))
		})
	}
}

// R8, R97: a row that was delivered comes again under the names that its columns have since; that is no other row.
func TestR97RowThatComesAgainUnderLaterNamesIsTheSame(t *testing.T) {
	s := begin(t, misleads(redo.Warts{R97NewNames: true}))
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(10), b VARCHAR2(10)")
	p := s.start(nil)
	p.settle()
	s.commit("INSERT INTO $t VALUES (1, 'a', 'b')", "UPDATE $t SET b = 'c'")
	p.settle()
	s.exec("ALTER TABLE $t RENAME COLUMN a TO x")
	p.settle()
	s.commit("INSERT INTO $t VALUES (2, 'x', 'b')")
	same(t, p.settle(), `{"ID":1} c {"ID":1,"A":"a","B":"b"}`, `{"ID":1} u {"ID":1,"A":"a","B":"b"} -> {"ID":1,"A":"a","B":"c"}`, `{"ID":2} c {"ID":2,"X":"x","B":"b"}`)
}

// R101: tables that swapped names with others, and back, while nobody captured: each row is its table's, or stops capture.
func TestR101NamesThatWereTakenBackWhileNobodyCaptured(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		statements []string
		stops      bool
		want       []string
	}{
		"away and back": {
			[]string{"ALTER TABLE $t RENAME TO $foreign_t", "INSERT INTO $foreign_t VALUES (2, 2)", "ALTER TABLE $foreign_t RENAME TO $t", "INSERT INTO $t VALUES (3, 3)"},
			false,
			[]string{`{"ID":1} 1`, `{"ID":3} 1`},
		},
		"swapped and back": {[]string{
			"ALTER TABLE $t RENAME TO $foreign_t", "ALTER TABLE $u RENAME TO $t", "ALTER TABLE $foreign_t RENAME TO $u", "INSERT INTO $u VALUES (2, 2)",
			"ALTER TABLE $t RENAME TO $foreign_t", "ALTER TABLE $u RENAME TO $t", "ALTER TABLE $foreign_t RENAME TO $u", "INSERT INTO $t VALUES (3, 3)",
		}, true, []string{`{"ID":1} 1`}},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := begin(t), newBroker(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
			s.table("u", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
			p := s.startKafka(b, nil)
			s.commit("INSERT INTO $t VALUES (1, 1)")
			p.settleKafka(b)
			p.stop()
			for _, statement := range c.statements {
				s.exec(statement)
			}
			p = s.launchKafka(b, nil, "kafka_franz: {}")
			if c.stops {
				refusal(t, p.stopped(), 6001, s.full("t"))
			} else {
				p.settleKafka(b)
			}
			var got []string
			for _, r := range append(b.topic("shop."+s.full("t")), b.topic("shop."+s.full("u"))...) {
				got = append(got, string(r.Key)+" "+header(r, "cdc.schema_version"))
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("records %s, want %s", got, c.want)
			}
		})
	}
}

// R8, R101: rows of another table that come again under the name of a captured one, which got their segment by an exchange, are not late.
func TestR101ExchangeWithATableThatIsNotCaptured(t *testing.T) {
	s := begin(t)
	s.logAll()
	s.exec("CREATE TABLE $t (id NUMBER(9) PRIMARY KEY, v NUMBER(9)) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (100))")
	s.exec("CREATE TABLE $foreign_t (id NUMBER(9) PRIMARY KEY, v NUMBER(9))")
	p := s.start(fields{"include": s.include("t", fenceTable)})
	p.settle()
	var want []string
	for i := range 5 {
		s.commit(fmt.Sprintf("INSERT INTO $t VALUES (%d, 1)", i))
		p.settle()
		s.commit(fmt.Sprintf("INSERT INTO $foreign_t VALUES (%d, 2)", 50+i))
		s.exec("ALTER TABLE $t EXCHANGE PARTITION p0 WITH TABLE $foreign_t")
		s.commit(fmt.Sprintf("UPDATE $t SET v = 3 WHERE id = %d", 50+i))
		p.settle()
		want = append(want, fmt.Sprintf(`{"ID":%d} c {"ID":%[1]d,"V":1}`, i), fmt.Sprintf(`{"ID":%d} u {"ID":%[1]d,"V":2} -> {"ID":%[1]d,"V":3}`, 50+i))
		s.exec("ALTER TABLE $t EXCHANGE PARTITION p0 WITH TABLE $foreign_t")
		p.settle()
	}
	same(t, p.settle(), want...)
}
