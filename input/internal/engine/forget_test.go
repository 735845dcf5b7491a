package engine

import (
	"fmt"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// A table whose partitions come and go every day, and that gets a column now and then: what is known of it, the ids that the filter asks
// for, and what was seen of its rows stay bounded, and every row above what was applied finds its layout.
func TestSegmentsThatAreGoneAreForgotten(t *testing.T) {
	a := table("A", 101)
	m := newMiner(testConfig(t), newSynthetic(1))
	m.tables = newTables(0)
	m.tables.partitioned[a.Table] = true
	m.tables.take(a, true, era{version: a})
	m.applier = &applier{tables: m.tables}
	now, scn := time.Now(), position.SCN(1000)
	const days = 500
	for day := range uint64(days) {
		fresh, gone := object{pdb, 1000 + day}, object{pdb, 1000 + day - 3}
		next := m.tables.copy(m.tables)
		next.begin(pdb, []uint64{fresh.id}, era{version: a, from: scn, began: scn})
		if day >= 3 {
			next.begin(pdb, []uint64{gone.id}, era{version: a, from: scn + 5, began: scn + 4, gone: true})
		}
		if day%10 == 0 {
			v := table("A", 101)
			v.Number = int(day)
			next.take(v, true, era{version: v, from: scn, began: scn})
			a = v
		}
		m.tables, m.applier.tables = next, next
		m.older.seen[objectVersion{fresh, int64(day)}] = seenAs{layout: registry.LayoutDigest(a), from: scn}
		if day >= 3 { // the step that has the DDL: what lies above what was applied before it keeps its layout
			if l, ok := m.tables.of(pdb, gone.id, "APP", "A", scn+4); !ok || l.version == nil {
				t.Fatalf("day %d: a row before the DROP has no layout", day)
			}
			if _, ok := m.tables.of(pdb, gone.id, "FOREIGN", "X", scn+6); ok {
				t.Fatalf("day %d: a row behind the DROP has one", day)
			}
		}
		scn += 10
		m.frontier.scn = scn - 1
		for range 3 {
			now = now.Add(8 * time.Hour)
			m.forget(now)
		}
		if l, ok := m.tables.of(pdb, 101, "APP", "A", scn); !ok || l.version != a {
			t.Fatalf("day %d: the newest layout is lost", day)
		}
		if l, ok := m.tables.of(pdb, fresh.id, "APP", "A", scn); !ok || l.version.Table != a.Table {
			t.Fatalf("day %d: the newest partition is lost", day)
		}
	}
	if n := len(m.tables.byObject); n > 10 {
		t.Errorf("%d segments are known", n)
	}
	if n := len(m.tables.byObject[object{pdb, 101}]) + len(m.tables.bySegment[segment{pdb, "APP", "A"}]); n > 4 {
		t.Errorf("%d eras of the table are known", n)
	}
	if n := len(m.older.seen); n > 10 {
		t.Errorf("%d layouts were seen", n)
	}
}

// Rows between a frontier and the newest step may still need the layout before a DDL.
func TestWhatRowsMayNeedIsNotForgotten(t *testing.T) {
	a, b := table("A", 101), table("A", 101)
	set := newTables(0)
	set.add(a, false)
	set.take(b, false, era{version: b, from: 2000, began: 1990})
	set.begin(pdb, []uint64{101}, era{version: b, from: 3000, began: 2990, gone: true})
	if next, _ := set.since(1999); next != nil {
		t.Error("forgotten below the first DDL")
	}
	next, gone := set.since(2999)
	if next == nil || gone != nil || len(next.byObject[object{pdb, 101}]) != 2 {
		t.Fatalf("%v, %v", next, gone)
	}
	if l, ok := next.of(pdb, 101, "APP", "A", 2999); !ok || l.version != b {
		t.Error("the last layout is lost before the DROP")
	}
	if next, gone := set.since(3000); next == nil || len(gone) != 1 || len(next.byObject) != 0 {
		t.Errorf("%v, %v", next, gone)
	}
	if len(set.byObject[object{pdb, 101}]) != 3 {
		t.Error("a set in use was changed")
	}
}

// The emitter keeps few versions ready, however many a table had.
func TestRendererForgetsVersionsOfThePast(t *testing.T) {
	template, err := naming.ParseTemplate("")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRecords(debezium.Settings{Profile: debezium.CDC(), Server: "shop"}, naming.NewTopics(template, "shop", "FREE"))
	for i := range 3 * leastRendered {
		if err := r.Prepare(table("A", 101)); err != nil {
			t.Fatal(err)
		}
		if len(r.tables) > leastRendered {
			t.Fatalf("%d versions after %d", len(r.tables), i)
		}
	}
	for i := range 3 * leastRendered {
		if err := r.Prepare(table(fmt.Sprintf("T%d", i), uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	made := len(r.tables)
	if made < 2*leastRendered {
		t.Fatalf("%d tables are ready of %d: each of them would be made again for every row", made, 3*leastRendered)
	}
}
