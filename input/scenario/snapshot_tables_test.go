package scenario_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R107: a table that is created with rows is read; what the redo has of its rows comes, too, and is not missed where it has none.
func TestR107TableThatIsCreatedWithRowsIsRead(t *testing.T) {
	for _, mode := range []string{"initial", "none"} {
		for rows, shown := range map[string]int{"shown": 40, "not shown": 0} {
			t.Run(mode+", rows "+rows, func(t *testing.T) {
				s := begin(t, misleads(redo.Warts{R107NoRows: shown == 0}))
				s.logAll()
				s.table("t", rowColumns)
				s.fill("t", 0, 40)
				p := s.start(initially(fields{"snapshot.mode": mode, "include": s.include("t", "copy", fenceTable), "key.columns": map[string]any{s.db.Owner() + "." + s.db.Table("copy"): []string{"ID"}}}))
				if mode == "initial" {
					p.snapshotted()
				}
				s.exec("CREATE TABLE $copy AS SELECT id, v, name FROM $t")
				s.commit("UPDATE $copy SET name = 'changed' WHERE id = 3")
				p.until("the copy is not read", func() bool { return p.reads("copy") >= 40 })
				p.snapshotted()
				got := p.settle()
				s.sameRows(got, "copy")
				created := 0
				for i := range got {
					if ev := got[i].event; ev.Op == change.Create && ev.Version.Table.Name == s.db.Table("copy") {
						created++
					}
				}
				if created != shown {
					t.Errorf("the redo gave %d rows, want %d", created, shown)
				}
			})
		}
	}
}

// A table that gets a name that is captured brings its rows.
func TestTableThatIsRenamedIntoIncludeIsRead(t *testing.T) {
	s := begin(t)
	s.logAll()
	s.table("t", rowColumns)
	s.exec("CREATE TABLE $hidden (" + rowColumns + ")")
	s.fill("hidden", 0, 25)
	p := s.start(initially(fields{"include": s.include("t", "shown", fenceTable)}))
	p.snapshotted()
	s.exec("ALTER TABLE $hidden RENAME TO $shown")
	s.exec("INSERT INTO $shown VALUES (99, 1, 'behind')")
	p.until("its rows are not read", func() bool { return p.reads("shown") >= 25 })
	p.snapshotted()
	s.sameRows(p.settle(), "shown")
}

// A table that gets another name while it is read is read under that one.
func TestTableThatIsRenamedWhileItIsRead(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.logAll()
	s.table("t", rowColumns)
	s.fill("t", 0, 3000)
	held := make(chan struct{})
	h := s.server.AddFault(chunkRead(wire.Fault{Count: 1, Hold: held}))
	p := s.start(initially(fields{"include": s.include("t", "renamed", fenceTable), "snapshot.threads": 1, "snapshot.max_pending_chunks": 1}))
	if err := h.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.exec("ALTER TABLE $t RENAME TO $renamed")
	s.exec("UPDATE $renamed SET name = 'x' WHERE id = 2999")
	close(held)
	p.until("it is not read under its new name", func() bool { return p.reads("renamed") == 3000 })
	p.snapshotted()
	s.sameRows(p.settle(), "renamed")
}

// A table that joins include at a restart is read, although others were captured before.
func TestTableThatJoinsIncludeIsRead(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.table("other", rowColumns)
	s.fill("other", 0, 25)
	b := newBroker(t)
	reads := func(table string) (n int) {
		for _, r := range b.topic("shop." + s.full(table)) {
			if strings.Contains(string(r.Value), `"op":"r"`) {
				n++
			}
		}
		return n
	}
	p := s.startKafka(b, initially(fields{"include": s.include("t", fenceTable)}))
	p.settleKafka(b)
	p.stop()
	s.exec("INSERT INTO $other VALUES (90, 1, 'between')")
	p = s.startKafka(b, initially(fields{"include": s.include("t", "other", fenceTable)}))
	p.until("it is not read", func() bool { return reads("other") == 26 })
	p.stop()
	// It is no stranger any more.
	p = s.startKafka(b, initially(fields{"include": s.include("t", "other", fenceTable)}))
	s.exec("UPDATE $other SET v = 2 WHERE id = 90")
	p.settleKafka(b)
	if n := reads("other"); n != 26 {
		t.Errorf("%d rows were read of 26", n)
	}
}

// R129: with bulk_ddl snapshot a table is read anew that a DDL changed without row events.
func TestR129TableIsReadAnewAfterADDLWithoutRowEvents(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.fill("t", 0, 20)
	p := s.start(initially(fields{"snapshot.mode": "on_signal", "bulk_ddl": "snapshot"}))
	if n := p.reads("t"); n > 0 {
		t.Fatalf("%d rows are read before", n)
	}
	x := s.begin()
	x.exec("INSERT INTO $t VALUES (100, 1, 'open')")
	x.commit()
	s.exec("TRUNCATE TABLE $t")
	s.fill("t", 200, 205)
	p.until("the table is not read", func() bool { return p.reads("t") >= 5 })
	p.snapshotted()
	if now := s.stored().Snapshot; now.Kind != "bulk_ddl" {
		t.Errorf("the position says %+v", now)
	}
}

// Equal tables of two containers are read one by the other.
func TestSnapshotOfTwoPDBs(t *testing.T) {
	s, other := beginWithPDBs(t)
	for pdb, c := range map[string]*session{standInPDB: s.session, otherPDB: other} {
		for i := range 30 {
			c.exec("INSERT INTO $t VALUES (:1, :2)", i, i*10+len(pdb))
		}
	}
	p := s.start(initially(fields{"include": []string{`APP\..*`}, "snapshot.tables": 2}))
	p.snapshotted()
	other.exec("UPDATE $t SET v = 7 WHERE id = 3")
	got := p.when("the change", func(got []message) bool { return len(got) >= 61 })
	rows := map[string]map[string]string{standInPDB: {}, otherPDB: {}}
	for i := range got {
		if v := got[i].event.Version; v != nil && v.Table.Name == s.db.Table("t") {
			got[i].applyTo(rows[v.Table.PDB])
		}
	}
	for pdb, want := range map[string]int{standInPDB: 5*10 + len(standInPDB), otherPDB: 5*10 + len(otherPDB)} {
		if len(rows[pdb]) != 30 || rows[pdb][`{"ID":5}`] != fmt.Sprintf(`{"ID":5,"V":%d}`, want) {
			t.Errorf("%s: %d rows, %s", pdb, len(rows[pdb]), rows[pdb][`{"ID":5}`])
		}
	}
	if rows[otherPDB][`{"ID":3}`] != `{"ID":3,"V":7}` {
		t.Errorf("row 3: %s", rows[otherPDB][`{"ID":3}`])
	}
}

// R85: a table without key is read by its blocks: each row once while nothing moves, and what changes meanwhile comes in order.
func TestR85SnapshotOfATableWithoutKey(t *testing.T) {
	for _, missing := range []string{"none", "rowid"} {
		t.Run(missing, func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9), v NUMBER(9), name VARCHAR2(40)")
			s.fill("t", 0, 3000)
			p := s.start(initially(fields{"key.missing": missing}))
			p.snapshotted()
			s.exec("UPDATE $t SET name = 'later' WHERE id = 77")
			seen := map[string]int{}
			for _, m := range p.settle() {
				if m.event.Kind == snapshotKind {
					seen[m.event.After[0].Text()]++
					if (missing == "rowid") != (len(m.event.Key) > 0) {
						t.Fatalf("the key of a row is %q", m.event.Key)
					}
				}
			}
			if len(seen) != 3000 {
				t.Errorf("%d rows were read", len(seen))
			}
			for id, n := range seen {
				if n != 1 {
					t.Fatalf("row %s was read %d times", id, n)
				}
			}
			if now := s.stored().Snapshot; now.Status != position.SnapshotCompleted {
				t.Errorf("the position says %+v", now)
			}
		})
	}
}

// A transaction that wrote to a table before it joined, and commits behind what was read of it, is not lost: its redo lies where nobody
// mined the table.
func TestR79RowsOfATransactionThatWasOpenWhenItsTableJoined(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.table("other", rowColumns)
	s.fill("other", 0, 25)
	b := newBroker(t)
	p := s.startKafka(b, initially(fields{"include": s.include("t", fenceTable)}))
	x := s.connect(app).begin()
	x.exec("INSERT INTO $other VALUES (90, 1, 'open before')")
	s.exec("INSERT INTO $t VALUES (1, 1, 'x')")
	p.settleKafka(b)
	p.stop()
	p = s.startKafka(b, initially(fields{"include": s.include("t", "other", fenceTable)}))
	records := func() map[string]bool {
		keys := map[string]bool{}
		for _, r := range b.topic("shop." + s.full("other")) {
			keys[string(r.Key)] = true
		}
		return keys
	}
	// Also where the position has passed that by far, and over a kill.
	p.settleKafka(b)
	knows := func() bool {
		stored := b.topic("shop.cdc.position")
		return len(stored) > 0 && strings.Contains(string(stored[len(stored)-1].Value), `"joined":{`)
	}
	p.until("the position does not know of it", knows)
	<-time.After(3 * time.Second)
	p.kill()
	p = s.startKafka(b, initially(fields{"include": s.include("t", "other", fenceTable)}))
	p.settleKafka(b)
	<-time.After(3 * time.Second)
	if n := len(records()); n > 0 {
		t.Errorf("%d rows came while the transaction is open", n)
	}
	x.exec("INSERT INTO $other VALUES (91, 1, 'later')")
	x.commit()
	p.until("it is not read", func() bool { return len(records()) >= 26 })
	p.settleKafka(b)
	p.until("the position does not forget it", func() bool { return !knows() })
	if keys := records(); len(keys) != 27 {
		t.Errorf("%d rows came of 27", len(keys))
	}
}
