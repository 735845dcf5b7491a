package scenario_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

const buildStatement = "BEGIN DBMS_LOGMNR_D.BUILD(OPTIONS => 2); END;"

// lagging is a table whose rows are mined when its layout has changed already.
type lagging struct {
	*scenario
	b      *broker
	change fields
	p      *pipeline
}

// beginLagging starts capture of table t.
func beginLagging(t *testing.T, columns string, change fields, options ...option) *lagging {
	t.Helper()
	l := &lagging{scenario: begin(t, append(options, needing(ownSettings))...), b: newBroker(t), change: change}
	l.table("t", columns)
	l.p = l.startKafka(l.b, l.change)
	return l
}

// leave puts the margin of a step (R6) between what was written and what will be, and the position behind it.
func (l *lagging) leave() {
	l.t.Helper()
	l.switchLog()
	l.server.JumpSCN(2 * redo.SCN(10_000))
	l.p.settleKafka(l.b)
	l.switchLog()
	l.p.settleKafka(l.b)
}

// copied writes a copy of the dictionary and leaves it behind.
func (l *lagging) copied() {
	l.t.Helper()
	l.connect(admin).exec(buildStatement)
	l.leave()
}

// again starts capture anew.
func (l *lagging) again() {
	l.t.Helper()
	l.p = l.launchKafka(l.b, l.change, "kafka_franz: {}")
}

// rows are the records of a table by key, those of one in their order.
func (l *lagging) rows(table string) (got []string) {
	l.t.Helper()
	records := l.b.topic("shop." + l.full(table))
	slices.SortStableFunc(records, func(a, b *kgo.Record) int { return bytes.Compare(a.Key, b.Key) })
	for _, r := range records {
		if len(r.Value) > 0 {
			record := (&message{value: r.Value}).record()
			got = append(got, strings.TrimSpace(record.Op+" "+string(record.Before)+" "+string(record.After))+" v"+header(r, "cdc.schema_version"))
		}
	}
	return got
}

// told are the details of the ops events of a type.
func (l *lagging) told(kind string) (got []map[string]string) {
	l.t.Helper()
	for _, r := range l.b.topic("shop.cdc.ops") {
		var event struct {
			Type    string
			Details map[string]string
		}
		if err := json.Unmarshal(r.Value, &event); err != nil {
			l.t.Fatal(err)
		}
		if event.Type == kind {
			got = append(got, event.Details)
		}
	}
	return got
}

func (l *lagging) want(table string, want ...string) {
	l.t.Helper()
	if got := l.rows(table); !slices.Equal(got, want) {
		l.t.Errorf("records of %s:\n%s\nwant\n%s", table, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// exceptT: the rows of t are never decoded by the numbers of their columns.
func exceptT(change fields) fields {
	all := fields{"raw_decode.except": []string{`.*\.T`}}
	for path, value := range change {
		all[path] = value
	}
	return all
}

// R45: rows from before a DDL that the first answer does not read are mined again with the dictionary of their time, and come out as what
// was mined before the DDL: with all of what else the step has.
func TestR45RowsAreReplayedWithTheDictionaryOfTheirTime(t *testing.T) {
	sideBySide(t)
	const columns = "id NUMBER(9) PRIMARY KEY, v VARCHAR2(20), n NUMBER(10,2)"
	for name, tt := range map[string]struct {
		ddl   []string
		warts redo.Warts
		logs  int
	}{
		"add":                          {ddl: []string{"ALTER TABLE $t ADD (w NUMBER)"}},
		"drop":                         {ddl: []string{"ALTER TABLE $t DROP COLUMN v"}},
		"several":                      {ddl: []string{"ALTER TABLE $t DROP COLUMN v", "ALTER TABLE $t ADD (v DATE)", "ALTER TABLE $t RENAME COLUMN n TO m"}},
		"rename of a column, any DDL":  {ddl: []string{"ALTER TABLE $t RENAME COLUMN v TO w"}, warts: redo.Warts{R41AnyVersion: true}},
		"drop, a copy in several logs": {ddl: []string{"ALTER TABLE $t DROP COLUMN v"}, warts: redo.Warts{R45BuildLogs: 3}},
		"drop, late strands":           {ddl: []string{"ALTER TABLE $t DROP COLUMN v"}, warts: redo.Warts{K2PrivateStrand: 1 << 20, R117PartialXID: true}},
	} {
		t.Run(name, func(t *testing.T) {
			l := beginLagging(t, columns, exceptT(nil), misleads(tt.warts))
			l.table("u", columns)
			l.p.stop()
			l.again()
			l.copied()
			l.p.stop()
			open := l.connect(app).begin()
			open.exec("INSERT INTO $t VALUES (9, 'open', 9)")
			l.commit("INSERT INTO $t VALUES (1, 'it''s', 1.5)", "INSERT INTO $u VALUES (1, 'u', 1)", "UPDATE $t SET n = NULL WHERE id = 1",
				"SAVEPOINT a", "INSERT INTO $t VALUES (2, 'undone', 2)", "ROLLBACK TO SAVEPOINT a")
			gone := l.connect(app).begin()
			gone.exec("INSERT INTO $t VALUES (3, 'rolled back', 3)")
			gone.rollback()
			l.commit("UPDATE $t SET id = 4 WHERE id = 1", "DELETE FROM $t WHERE id = 4")
			open.commit()
			for _, statement := range tt.ddl {
				l.exec(statement)
			}
			l.commit("INSERT INTO $t (id) VALUES (5)", "INSERT INTO $u VALUES (2, 'u', 2)")
			l.again()
			l.p.settleKafka(l.b)
			got := l.rows("t")
			want := []string{
				`c null {"ID":1,"V":"it's","N":"AJY="} v1`, `u {"ID":1,"V":"it's","N":"AJY="} {"ID":1,"V":"it's","N":null} v1`,
				`d {"ID":1,"V":"it's","N":null} null v1`, `c null {"ID":4,"V":"it's","N":null} v1`, `d {"ID":4,"V":"it's","N":null} null v1`,
				`c null {"ID":9,"V":"open","N":"A4Q="} v1`,
			}
			later := slices.IndexFunc(got, func(r string) bool { return strings.Contains(r, `"ID":5`) && !strings.HasSuffix(r, "v1") })
			if later < 0 || !slices.Equal(slices.Delete(slices.Clone(got), later, later+1), want) {
				t.Errorf("records:\n%s\nwant\n%s\nand one of a later version", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			l.want("u", `c null {"ID":1,"V":"u","N":"ZA=="} v1`, `c null {"ID":2,"V":"u","N":"AMg="} v1`)
			events := l.told("dictionary-replay")
			if len(events) == 0 || events[0]["build"] == "" || events[0]["from_scn"] == "" || !strings.Contains(events[0]["object"], l.full("t")) {
				t.Errorf("ops events %v", events)
			}
		})
	}
}

// R45: what the first answer refuses by type has a second one.
func TestR45ColumnsThatAreNotDecodedByPositionAreReplayed(t *testing.T) {
	wide := "id NUMBER(9) PRIMARY KEY"
	values := "1"
	for i := range 260 {
		wide += fmt.Sprintf(", c%d NUMBER(3)", i)
		values += ", 7"
	}
	l := beginLagging(t, wide, nil)
	l.copied()
	l.p.stop()
	l.commit("INSERT INTO $t VALUES (" + values + ")")
	l.exec("ALTER TABLE $t ADD (note VARCHAR2(10))")
	l.again()
	l.p.settleKafka(l.b)
	if got := l.rows("t"); len(got) != 1 || strings.Count(got[0], ":7") != 260 {
		t.Errorf("%q", got)
	}
	if n := len(l.told("dictionary-replay")); n == 0 {
		t.Error("nothing was replayed")
	}
}

// R45: the versions between the copy and the row are followed.
func TestR45TwoDDLBetweenTheCopyAndTheRow(t *testing.T) {
	l := beginLagging(t, "id NUMBER(9) PRIMARY KEY, a VARCHAR2(10), b VARCHAR2(10)", exceptT(nil))
	l.copied()
	for _, to := range []string{"a TO x", "b TO a", "x TO b"} {
		l.exec("ALTER TABLE $t RENAME COLUMN " + to)
		l.p.settleKafka(l.b)
	}
	l.commit("INSERT INTO $t VALUES (1, 'b', 'a')")
	l.leave()
	l.p.stop()
	l.commit("INSERT INTO $t VALUES (2, 'b', 'a')")
	l.exec("ALTER TABLE $t DROP COLUMN a")
	l.commit("INSERT INTO $t VALUES (3, 'b')")
	l.again()
	l.p.settleKafka(l.b)
	l.want("t", `c null {"ID":1,"B":"b","A":"a"} v4`, `c null {"ID":2,"B":"b","A":"a"} v4`, `c null {"ID":3,"B":"b"} v5`)
}

// R45: without a copy below the row, or with one of whose logs one is gone, the row stops capture and nothing is published of it.
func TestR45WithoutADictionaryTheRowStopsCapture(t *testing.T) {
	sideBySide(t)
	for name, tt := range map[string]struct {
		before func(l *lagging)
		says   string
	}{
		"no copy": {func(l *lagging) { l.leave() }, "no copy of the dictionary"},
		"above the row": {func(l *lagging) {
			l.leave()
			l.p.stop()
			l.commit("INSERT INTO $t VALUES (1, 'x')")
			l.connect(admin).exec(buildStatement)
		}, "no copy of the dictionary"},
		"deleted": {func(l *lagging) { l.lose((*oracletest.Server).PurgeArchived) }, "the archived log of thread 1 sequence"},
		"removed": {func(l *lagging) { l.lose((*oracletest.Server).RemoveArchived) }, "ORA-01284"},
	} {
		t.Run(name, func(t *testing.T) {
			l := beginLagging(t, "id NUMBER(9) PRIMARY KEY, v VARCHAR2(20)", exceptT(nil))
			tt.before(l)
			l.p.stop()
			l.commit("INSERT INTO $t VALUES (2, 'x')")
			l.exec("ALTER TABLE $t DROP COLUMN v")
			l.again()
			stopped := l.p.stopped()
			refusal(t, stopped, 6001, l.full("t"))
			if !strings.Contains(stopped.Error(), tt.says) || !strings.Contains(stopped.Error(), "raw_decode.except") {
				t.Errorf("%q does not say %q", stopped, tt.says)
			}
			l.want("t")
			if events := l.told("dictionary-replay"); len(events) > 0 {
				t.Errorf("ops events %v", events)
			}
		})
	}
}

// lose writes a copy of the dictionary and loses its logs, but for those that a step needs.
func (l *lagging) lose(how func(*oracletest.Server, redo.SCN) int) {
	l.t.Helper()
	l.copied()
	for range 4 {
		l.leave()
	}
	if how(l.server, l.server.CurrentSCN()-15_000) == 0 {
		l.t.Fatal("nothing was lost")
	}
}

// R22, R45: a row that was rolled back needs no answer, and what comes behind it is delivered.
func TestR45RowThatIsRolledBackNeedsNoDictionary(t *testing.T) {
	l := beginLagging(t, "id NUMBER(9) PRIMARY KEY, v VARCHAR2(20)", exceptT(nil))
	l.p.settleKafka(l.b)
	l.p.stop()
	gone := l.connect(app).begin()
	gone.exec("INSERT INTO $t VALUES (1, 'x')")
	gone.rollback()
	l.exec("ALTER TABLE $t DROP COLUMN v")
	l.commit("INSERT INTO $t VALUES (2)")
	l.again()
	l.p.settleKafka(l.b)
	l.want("t", `c null {"ID":2} v2`)
}

// R45: a restart in the middle of the rows that need it replays again and delivers each once.
func TestR45RestartInTheMiddleOfAReplay(t *testing.T) {
	l := beginLagging(t, "id NUMBER(9) PRIMARY KEY, v VARCHAR2(20)", exceptT(fields{"mining.max_logs_per_step": 1, "batching.count": 1}), logs(4, 256<<10))
	l.copied()
	l.p.stop()
	var want []string
	for i := range 6 {
		l.commit(fmt.Sprintf("INSERT INTO $t VALUES (%d, 'x')", i), fmt.Sprintf("UPDATE $t SET v = 'y' WHERE id = %d", i))
		l.switchLog()
		want = append(want, fmt.Sprintf(`c null {"ID":%d,"V":"x"} v1`, i), fmt.Sprintf(`u {"ID":%d,"V":"x"} {"ID":%[1]d,"V":"y"} v1`, i))
	}
	l.exec("ALTER TABLE $t DROP COLUMN v")
	for from := 0; from < 3; from++ {
		had := len(l.rows("t"))
		l.again()
		l.p.until("no further record came", func() bool { return len(l.rows("t")) > had || len(l.rows("t")) >= len(want) })
		l.p.stopHard()
	}
	l.again()
	l.p.settleKafka(l.b)
	var once []string // at least once: repeats come in order behind what they repeat
	for _, r := range l.rows("t") {
		if !slices.Contains(once, r) {
			once = append(once, r)
		}
	}
	if !slices.Equal(once, want) {
		t.Errorf("records:\n%s\nwant\n%s", strings.Join(once, "\n"), strings.Join(want, "\n"))
	}
}

// R44, R45: the rows of a table that is not excepted are decoded without a replay, also where one could be had.
func TestR45OtherTablesKeepTheFirstAnswer(t *testing.T) {
	const columns = "id NUMBER(9) PRIMARY KEY, v VARCHAR2(20)"
	l := beginLagging(t, columns, exceptT(nil))
	l.table("u", columns)
	l.p.stop()
	l.again()
	l.copied()
	l.p.stop()
	l.commit("INSERT INTO $u VALUES (1, 'x')")
	l.exec("ALTER TABLE $u DROP COLUMN v")
	l.again()
	l.p.settleKafka(l.b)
	l.want("u", `c null {"ID":1,"V":"x"} v1`)
	if events := l.told("dictionary-replay"); len(events) > 0 {
		t.Errorf("ops events %v", events)
	}
}

// R104, R45: the rows of a partition that came and went have the name of their table in the dictionary of their time.
func TestR104RowsOfAPartitionThatCameAndWentAreReplayed(t *testing.T) {
	for name, after := range map[string]string{
		"cut":     "ALTER TABLE $t SPLIT PARTITION p1 AT (15) INTO (PARTITION p1a, PARTITION p1b)",
		"dropped": "ALTER TABLE $t DROP PARTITION p1",
	} {
		t.Run(name, func(t *testing.T) {
			l := &lagging{scenario: begin(t, needing(ownSettings)), b: newBroker(t)}
			l.logAll()
			l.exec("CREATE TABLE $t (id NUMBER(9) PRIMARY KEY) PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (10))")
			l.exec("CREATE TABLE $foreign_t (id NUMBER(9))")
			l.change = fields{"include": l.include("t", fenceTable)}
			l.p = l.startKafka(l.b, l.change)
			l.copied()
			l.p.stop()
			l.commit("INSERT INTO $t VALUES (1)")
			l.exec("ALTER TABLE $t ADD PARTITION p1 VALUES LESS THAN (20)")
			l.commit("INSERT INTO $t VALUES (11)", "INSERT INTO $t VALUES (3)", "INSERT INTO $t VALUES (12)", "INSERT INTO $foreign_t VALUES (4)")
			l.exec(after)
			l.exec("DROP TABLE $foreign_t PURGE")
			l.commit("INSERT INTO $t VALUES (2)")
			l.again()
			l.p.settleKafka(l.b)
			l.want("t", `c null {"ID":11} v1`, `c null {"ID":12} v1`, `c null {"ID":1} v1`, `c null {"ID":2} v1`, `c null {"ID":3} v1`)
		})
	}
}

// R45: copies are written at a start without one and when somebody asks, and used. Those of the schedule are hours apart: see the builder.
func TestR45CopiesAreWrittenAtTheStartAndWhenAsked(t *testing.T) {
	address := freeAddress(t)
	l := beginLagging(t, "id NUMBER(9) PRIMARY KEY, v VARCHAR2(20)", exceptT(fields{
		"dictionary.build_interval": "1h", "signals.http": map[string]any{"enabled": true, "address": address},
	}))
	l.p.until("no copy was written at the start", func() bool { return len(l.told("dictionary-build")) >= 1 })
	if code, body := l.post(address, `{"id":"1","type":"build-dictionary"}`); code != http.StatusOK {
		t.Errorf("%d %s", code, body)
	}
	l.p.until("no copies were written", func() bool { return len(l.told("dictionary-build")) >= 2 })
	l.leave()
	for _, event := range l.told("dictionary-build") {
		if event["result"] != "done" {
			t.Errorf("ops event %v", event)
		}
	}
	l.p.stop()
	l.commit("INSERT INTO $t VALUES (1, 'x')")
	l.exec("ALTER TABLE $t DROP COLUMN v")
	l.change = exceptT(nil)
	l.again()
	l.p.settleKafka(l.b)
	l.want("t", `c null {"ID":1,"V":"x"} v1`)
	written := len(l.connect(admin).rows("SELECT sequence# FROM v$archived_log WHERE dictionary_end = 'YES'"))
	l.p.stop()
	l.change = exceptT(fields{"dictionary.build_interval": "24h", "dictionary.build_time": l.nextTimeOfDay()})
	l.again()
	l.p.settleKafka(l.b)
	if now := len(l.connect(admin).rows("SELECT sequence# FROM v$archived_log WHERE dictionary_end = 'YES'")); now != written {
		t.Errorf("%d copies at a start that has one, there were %d", now, written)
	}
}

// nextTimeOfDay is one that does not come while the test runs.
func (l *lagging) nextTimeOfDay() string { return time.Now().UTC().Add(12 * time.Hour).Format("15:04") }

// P4: without the privilege nothing is written and capture runs; the event says what grant is missing.
func TestR45WithoutThePrivilegeNoCopyIsWritten(t *testing.T) {
	s, b := begin(t, needing(ownSettings)), newBroker(t)
	dba := s.connect(admin)
	for _, statement := range []string{
		"REVOKE EXECUTE_CATALOG_ROLE FROM c##cdc CONTAINER = ALL", "REVOKE EXECUTE ON SYS.DBMS_LOGMNR_D FROM c##cdc CONTAINER = ALL",
	} {
		dba.exec(statement)
	}
	l := &lagging{scenario: s, b: b, change: fields{"dictionary.build_interval": "1h"}}
	l.table("t", "id NUMBER(9) PRIMARY KEY")
	l.p = l.startKafka(b, l.change)
	l.commit("INSERT INTO $t VALUES (1)")
	l.p.settleKafka(b)
	l.p.until("no ops event came", func() bool { return len(l.told("dictionary-build")) > 0 })
	if events := l.told("dictionary-build"); len(events) != 1 || events[0]["result"] != "off" || !strings.Contains(events[0]["do"], "GRANT EXECUTE ON SYS.DBMS_LOGMNR_D") {
		t.Errorf("ops events %v", events)
	}
	l.want("t", `c null {"ID":1} v1`)
	if copies := l.connect(admin).rows("SELECT sequence# FROM v$archived_log WHERE dictionary_begin = 'YES'"); len(copies) > 0 {
		t.Errorf("copies in %v", copies)
	}
}
