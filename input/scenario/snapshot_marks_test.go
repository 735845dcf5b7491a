package scenario_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// placesOf gives the marks of records that were read, but for those of tables.
func placesOf(got []message) (marks []string) {
	for i := range got {
		ev := got[i].event
		if ev.Kind == change.Snapshot && ev.Mark != "" && ev.Mark != change.LastInTable && ev.Mark != change.FirstInTable {
			marks = append(marks, string(ev.Mark))
		}
	}
	return marks
}

// Whoever waits for the end of a snapshot sees it, whatever lies behind the last row: tables without rows, and rows that are deleted before
// they are read. Without any row, nothing is marked, and the snapshot ends all the same.
func TestTheLastRecordOfASnapshotIsMarked(t *testing.T) {
	for name, c := range map[string]struct {
		// The fence has no rows.
		order []string
		rows  map[string]int
		marks []string
		reads int
	}{
		"whole chunks, as planned": {[]string{"fence", "t"}, map[string]int{"t": 2000}, []string{"first", "last"}, 2000},
		"an empty table behind it": {[]string{"t", "z", "fence"}, map[string]int{"t": 1500}, []string{"first", "last"}, 1501},
		"one row":                  {[]string{"t", "fence"}, map[string]int{"t": 1}, []string{"first", "last"}, 2},
		"no rows":                  {[]string{"t", "z", "fence"}, nil, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			var order []string
			for _, table := range c.order {
				if table != "fence" {
					s.table(table, rowColumns)
					s.fill(table, 0, c.rows[table])
				}
				order = append(order, `.*\.`+s.db.Table(table))
			}
			p := s.start(initially(fields{"snapshot.threads": 1, "snapshot.tables": 1, "snapshot.order": order}))
			p.snapshotted()
			got := p.settle()
			if diff := cmp.Diff(c.marks, placesOf(got)); diff != "" {
				t.Error(diff)
			}
			if reads := s.sameRows(got, "t"); reads != c.reads {
				t.Errorf("%d rows were read, want %d", reads, c.reads)
			}
		})
	}
}

// The row that has the mark is read behind a kill, too, and nothing else is.
func TestTheLastRecordOfASnapshotIsMarkedAfterAKill(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.fill("t", 0, 1500)
	change := initially(fields{"snapshot.threads": 1, "snapshot.tables": 1, "snapshot.order": []string{`.*\.` + s.db.Table("t")}})
	p := s.start(change)
	p.snapshotted()
	p.kill()
	end := s.stored()
	again := *end.Snapshot
	if again.Last != s.full("t") {
		t.Fatalf("the position says %+v", again)
	}
	// As it was before the row went out.
	again.Status = position.SnapshotRunning
	again.Tables = []position.SnapshotTable{{Table: s.full("t"), Frontier: []byte(`{"mode":"key","key":["ID"],"layout":"","left":[{}],"one":true,"rows":1500}`)}}
	s.store(end, &again)
	p = s.start(change)
	p.snapshotted()
	s.exec("DELETE FROM $t WHERE id < 1000")
	got := p.settle()
	if marks := placesOf(got); !slices.Equal(marks, []string{"last"}) {
		t.Errorf("marks %v", marks)
	}
	if _, reads := consumed(got, s.db.Table("t")); reads != 1 {
		t.Errorf("%d rows were read", reads)
	}
	// As it was before the last table turned out to be empty.
	p.kill()
	s.exec("DELETE FROM $t WHERE id < 1499")
	again.ID += "+"
	again.Tables = []position.SnapshotTable{{Table: s.full("t"), Frontier: []byte(
		`{"mode":"key","key":["ID"],"layout":"","types":["NUMBER(9,0)"],"left":[{"after":["1499"]}],"rows":1500}`)}}
	end = s.stored()
	s.store(end, &again)
	p = s.start(change)
	p.snapshotted()
	if marks := placesOf(p.settle()); !slices.Equal(marks, []string{"last"}) {
		t.Errorf("marks %v", marks)
	}
}
