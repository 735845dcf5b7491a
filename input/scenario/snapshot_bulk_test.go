package scenario_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// betweenChunks starts a snapshot of table t, and lets statements run when its first chunk is out and its second one has its SCN but no row.
func (s *scenario) betweenChunks(change fields, statements ...string) *pipeline {
	s.t.Helper()
	first, second := make(chan struct{}), make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: first}))
	all := fields{"snapshot.threads": 1, "snapshot.max_pending_chunks": 1}
	for path, value := range change {
		all[path] = value
	}
	p := s.start(initially(all))
	if err := h.Wait(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	h = s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: second}))
	close(first)
	if err := h.Wait(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	p.until("the first chunk does not come", func() bool { return p.reads("t") == 1000 })
	for _, statement := range statements {
		s.exec(statement)
	}
	close(second)
	return p
}

// R82: TRUNCATE between two chunks of a table: rows that were read before it come before it, and none of them after.
func TestR82TruncateBetweenTwoChunks(t *testing.T) {
	for _, records := range []bool{true, false} {
		t.Run(fmt.Sprint("records ", records), func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.table("t", rowColumns)
			s.fill("t", 0, 3000)
			const refill = "BEGIN FOR i IN 5000..5009 LOOP INSERT INTO $t VALUES (i, MOD(i, 97), 'row ' || i); END LOOP; COMMIT; END;"
			p := s.betweenChunks(fields{"records.truncates": records}, "TRUNCATE TABLE $t", refill)
			p.snapshotted()
			got := p.settle()
			replica, truncated, reads, behind := map[string]string{}, 0, 0, false
			for i := range got {
				switch ev := got[i].event; {
				case ev.Op == change.Truncate:
					clear(replica)
					truncated, behind = truncated+1, true
					continue
				case ev.Version == nil || ev.Version.Table.Name != s.db.Table("t"):
					continue
				case len(ev.After[0].Text()) == 4 && ev.After[0].Text() >= "5000":
					behind = true
				case behind:
					t.Fatalf("%s comes behind the TRUNCATE", got[i].line())
				default:
					reads++
				}
				got[i].applyTo(replica)
			}
			want, left := 0, reads+10
			if records {
				want, left = 1, 10
			}
			if truncated != want || reads != 1000 || len(replica) != left {
				t.Errorf("%d records of TRUNCATE, %d rows read before it, %d rows left", truncated, reads, len(replica))
			}
			for id := 5000; id < 5010; id++ {
				if replica[fmt.Sprintf(`{"ID":%d}`, id)] == "" {
					t.Errorf("row %d is missing", id)
				}
			}
		})
	}
}

// R82, R81: DDL on partitions while a table is read: rows that stay are all read, whatever segment they are in then, and no row is read
// that went; a table that is dropped ends its part of the snapshot, and the others go on.
func TestR82PartitionsThatChangeDuringASnapshot(t *testing.T) {
	for name, statements := range map[string][]string{
		"dropped":    {"ALTER TABLE $t DROP PARTITION p1"},
		"truncated":  {"ALTER TABLE $t TRUNCATE PARTITION p1"},
		"cut":        {"ALTER TABLE $t SPLIT PARTITION p1 AT (2200) INTO (PARTITION p1a, PARTITION p1b)"},
		"moved":      {"ALTER TABLE $t MOVE PARTITION p1"},
		"exchanged":  {"ALTER TABLE $t EXCHANGE PARTITION p1 WITH TABLE $x"},
		"added":      {"ALTER TABLE $t ADD PARTITION p2 VALUES LESS THAN (9000)", "INSERT INTO $t VALUES (8000, 1, 'new')"},
		"table gone": {"DROP TABLE $t PURGE"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.logAll()
			s.exec("CREATE TABLE $t (" + rowColumns + ") PARTITION BY RANGE (id) (PARTITION p0 VALUES LESS THAN (1500), PARTITION p1 VALUES LESS THAN (5000))")
			s.exec("CREATE TABLE $x (id NUMBER(9), v NUMBER(9), name VARCHAR2(40))")
			s.fill("t", 0, 3000)
			s.fill("x", 2000, 2100)
			s.table("u", rowColumns)
			s.fill("u", 0, 20)
			p := s.betweenChunks(fields{"include": s.include("t", "u", fenceTable)}, statements...)
			p.snapshotted()
			s.commit("INSERT INTO $u VALUES (100, 1, 'behind')")
			got := p.settle()
			s.sameRows(got, "u")
			if name == "table gone" {
				if _, reads := consumed(got, s.db.Table("t")); reads != 1000 {
					t.Errorf("%d rows were read of a table that went", reads)
				}
				return
			}
			if reads := s.sameRows(got, "t"); reads < 1500 {
				t.Errorf("%d rows were read", reads)
			}
			if told := strings.Contains(p.log.text(), "bulk-ddl"); told != (name == "dropped" || name == "truncated" || name == "exchanged") {
				t.Errorf("the change without rows is told of: %v", told)
			}
		})
	}
}

// R81: tables that swap their names while one of them is read: a row that is read behind the swap is one of the table that has the name then.
func TestR81TablesThatSwapTheirNamesWhileOneIsRead(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.logAll()
	s.table("t", rowColumns)
	s.fill("t", 0, 3000)
	s.table("u", rowColumns)
	s.fill("u", 7000, 7500)
	p := s.betweenChunks(nil, "ALTER TABLE $t RENAME TO $x", "ALTER TABLE $u RENAME TO $t", "ALTER TABLE $x RENAME TO $u")
	p.snapshotted()
	s.commit("INSERT INTO $t VALUES (8000, 1, 'behind')", "INSERT INTO $u VALUES (8001, 1, 'behind')")
	got := p.settle()
	for table, last := range map[string]string{"t": `{"ID":8000}`, "u": `{"ID":8001}`} {
		replica, reads := consumed(got, s.db.Table(table))
		t.Logf("%s: %d rows were read, %d are there", table, reads, len(replica))
		for key, row := range s.rowsAt(table, s.scn()) {
			if replica[key] != row {
				t.Errorf("%s has %q of row %s, the database %q", table, replica[key], key, row)
				break
			}
		}
		if replica[last] == "" {
			t.Errorf("%s is missing", last)
		}
	}
}

// R82, R86: a table that begins anew while a chunk of its first reading waits for the stream: what was read of it before says nothing of how
// far the new reading has come, also not in the position of a kill at that moment.
func TestR82TableThatBeginsAnewBehindAChunkThatWaits(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", rowColumns)
	s.fill("t", 0, 3000)
	read, checked, held := make(chan struct{}), make(chan struct{}), make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: read}))
	again := initially(fields{"bulk_ddl": "snapshot", "snapshot.threads": 1, "snapshot.max_pending_chunks": 1})
	p := s.start(again)
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The look behind the rows of the chunk finds the table as it was.
	h = s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "data_object_id, TO_CHAR(last_ddl_time", Executed: true, Count: 1, Hold: checked})
	close(read)
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.exec("TRUNCATE TABLE $t")
	behind := s.scn()
	s.fill("t", 0, 500)
	h = s.server.AddFault(chunkRead(wire.Fault{Hold: held}))
	close(checked)
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.until("the position stays", func() bool { return uint64(s.stored().Done.SCN) > behind })
	if at, listed := s.stored().Snapshot.Table(s.full("t")); !listed || at.Frontier != nil || at.Rows != 0 {
		t.Errorf("nothing is read behind the TRUNCATE, and the position says %+v", at)
	}
	p.kill()
	close(held)
	h.Remove()
	p = s.start(again)
	p.snapshotted()
	if reads := s.sameRows(p.settle(), "t"); reads != 500 {
		t.Errorf("%d rows were read of 500", reads)
	}
}
