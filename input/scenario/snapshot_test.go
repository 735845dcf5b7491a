package scenario_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// fill commits rows from..to into a table (id, v, name), as an application did before anybody captured it.
func (s *scenario) fill(table string, from, to int) {
	s.t.Helper()
	s.exec(fmt.Sprintf("BEGIN FOR i IN %d..%d LOOP INSERT INTO $%s VALUES (i, MOD(i, 97), 'row ' || i); END LOOP; COMMIT; END;", from, to-1, table))
}

// initially reads what is there in small chunks.
func initially(f fields) fields {
	all := fields{"snapshot.mode": "initial", "snapshot.chunk_rows": 1000, "snapshot.threads": 2}
	for path, value := range f {
		all[path] = value
	}
	return quick(all)
}

// snapshotted waits until the position says that everything is read.
func (p *pipeline) snapshotted() {
	p.s.t.Helper()
	p.until("the snapshot does not end", func() bool {
		now := p.s.stored()
		return now.Snapshot != nil && now.Snapshot.Status == position.SnapshotCompleted
	})
}

// consumed makes a table of what a consumer got that keeps the newest record of each key, and counts the rows that were read.
func consumed(messages []message, table string) (replica map[string]string, reads int) {
	replica = map[string]string{}
	for i := range messages {
		m := &messages[i]
		if m.event.Version == nil || m.event.Version.Table.Name != table {
			continue
		}
		if m.event.Kind == change.Snapshot {
			reads++
		}
		m.applyTo(replica)
	}
	return replica, reads
}

func (s *scenario) sameRows(got []message, table string) (reads int) {
	s.t.Helper()
	replica, reads := consumed(got, s.db.Table(table))
	if diff := cmp.Diff(s.rowsAt(table, s.scn()), replica); diff != "" {
		s.t.Errorf("table %s (-database +consumer):\n%s", table, diff)
	}
	return reads
}

const rowColumns = "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)"

// R76: rows that were there before are read once, while an application works on the table, and the consumer has its contents in the end.
func TestR76InitialSnapshotUnderLoad(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.fill("t", 1000, 6000)
	p := s.start(initially(nil))
	for seed := uint64(0); ; seed++ {
		work(s, seed, 60)
		// Also over the frontier, in both directions, and on rows that are read.
		s.commit(
			fmt.Sprintf("UPDATE $t SET v = %d WHERE id BETWEEN %d AND %d", seed, 1000+seed*7, 1003+seed*700),
			fmt.Sprintf("UPDATE $t SET id = %d WHERE id = %d", 9000+seed, 1500+seed), fmt.Sprintf("DELETE FROM $t WHERE id = %d", 5900-seed),
		)
		if now := s.stored(); now.Snapshot != nil && now.Snapshot.Status == position.SnapshotCompleted && seed > 2 {
			break
		}
	}
	got := p.settle()
	reads := s.sameRows(got, "t")
	if reads < 4900 || reads > 5300 {
		t.Errorf("%d rows were read of about 5000", reads)
	}
	var marks []string
	for i := range got {
		if ev := got[i].event; ev.Kind == change.Snapshot {
			if ev.Mark != "" {
				marks = append(marks, string(ev.Mark))
			}
			if ev.Transaction != nil || ev.SCN == 0 || ev.Millis == 0 {
				t.Fatalf("a row that was read: %+v", ev)
			}
		}
	}
	// The fence is a table of its own, without rows: whether it is known to have none when the last row goes out is a matter of batches.
	marks = slices.DeleteFunc(marks, func(m string) bool { return m == "last_in_data_collection" })
	if diff := cmp.Diff([]string{"first", "last"}, marks); diff != "" {
		t.Error(diff)
	}
	if end := s.stored().Snapshot; end.Rows != uint64(reads) || len(end.Tables) > 0 || end.Kind != "initial" {
		t.Errorf("the position says %+v", end)
	}
}
