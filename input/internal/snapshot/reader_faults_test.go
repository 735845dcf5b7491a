package snapshot_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func thousand(n int) string {
	return "CREATE TABLE app.t (id NUMBER PRIMARY KEY, v VARCHAR2(20));\n" +
		inserts(n, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, 'v%d')", i, i) })
}

// times runs f at the first n settings of a batch's SCN.
func (b *bench) times(n int, f func()) {
	b.onSet = func() {
		if n > 0 {
			n--
			f()
		}
	}
}

func (b *bench) expire() { b.server.ExpireUndo(redo.SCN(1) << 60) }

func TestR81UndoThatIsGoneHalvesTheChunk(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(1000))
	b.describe()
	b.config.Threads = 1
	task := b.task("T", "", nil, 20_000)
	var sizes []int
	b.times(3, func() {
		// A change after the SCN, whose undo is overwritten at once.
		b.run("UPDATE app.t SET v = v;\nCOMMIT;\n")
		b.expire()
	})
	rows, err := b.read(func(p *snapshot.Part) { sizes = append(sizes, p.Chunk.Rows) }, task)
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(rows, "T"); !slices.Equal(got, numbered(1000)) {
		t.Errorf("%d rows", len(got))
	}
	if !slices.Contains(sizes, 50) || !slices.Contains(sizes, 400) || len(b.gaveUp) != 3 {
		t.Errorf("chunks of %v, given up %v", sizes, b.gaveUp)
	}
}

func TestR81UndoThatIsGoneForTheSmallestChunkIsCDC8001(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(200))
	b.describe()
	b.config.LeastRows = 50
	task := b.task("T", "", nil, 200)
	b.times(1000, func() {
		b.run("UPDATE app.t SET v = v;\nCOMMIT;\n")
		b.expire()
	})
	_, err := b.read(nil, task)
	if typed, ok := stop.As(err); !ok || typed.Code != stop.SnapshotOld || typed.ORA != 1555 || !strings.Contains(typed.Do, "UNDO_RETENTION") || typed.Object != app("T").String() {
		t.Fatalf("%v", err)
	}
	if b.gate.Pending() != 0 {
		t.Error("the gate stays closed")
	}
	if f := task.Progress.Frontier(); f.Done || f.Rows != 0 {
		t.Errorf("frontier %+v", f)
	}
}

// Every DDL while a chunk is read has it read again, with the layout that the stream has come to by then.
func TestR81DDLWhileAChunkIsRead(t *testing.T) {
	for name, ddl := range map[string]string{
		"ADD":         "ALTER TABLE app.t ADD (w NUMBER);\n",
		"DROP":        "ALTER TABLE app.t DROP COLUMN v;\n",
		"rename swap": "ALTER TABLE app.t RENAME COLUMN v TO x;\nALTER TABLE app.t RENAME COLUMN u TO v;\nALTER TABLE app.t RENAME COLUMN x TO u;\n",
		"TRUNCATE":    "TRUNCATE TABLE app.t;\nINSERT INTO app.t (id) VALUES (0);\nCOMMIT;\n",
		"MOVE":        "ALTER TABLE app.t MOVE;\n",
		"EXCHANGE":    "ALTER TABLE app.p EXCHANGE PARTITION a WITH TABLE app.x;\n",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER PRIMARY KEY, u VARCHAR2(20), v VARCHAR2(20));\n"+
				"CREATE TABLE app.x (id NUMBER);\nCREATE TABLE app.p (id NUMBER) PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (500));\n"+
				inserts(100, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, 'u%d', 'v%d')", i, i, i) })+
				inserts(10, func(i int) string { return fmt.Sprintf("app.x VALUES (%d)", i) }))
			b.describe()
			table, want := "T", 100
			switch name {
			case "TRUNCATE":
				want = 1
			case "EXCHANGE":
				table, want = "P", 10
			}
			task := b.task(table, "", nil, 30)
			b.times(1, func() { b.run(ddl) })
			// The stream comes to the DDL a while later.
			b.after(100*time.Millisecond, b.describe)
			rows, err := b.read(nil, task)
			if err != nil {
				t.Fatal(err)
			}
			last := map[string]row{}
			for _, r := range rows {
				last[r.image[0].Text()] = r
			}
			if len(last) != want {
				t.Errorf("%d rows, want %d", len(last), want)
			}
			v, _ := b.version(app("T"))
			for id, r := range last {
				if len(v.Columns) != len(r.image) && table == "T" {
					t.Errorf("row %s has %d columns, the table %d", id, len(r.image), len(v.Columns))
				}
				for i := range v.Columns {
					// Rows were told apart by their column before the swap.
					if name == "rename swap" && v.Columns[i].Name == "U" && r.image[i].Text() != "v"+id {
						t.Errorf("row %s: U is %q behind the swap", id, r.image[i].Text())
					}
				}
			}
			if len(b.gaveUp) == 0 {
				t.Error("nothing was given up")
			}
		})
	}
}

// DDL behind the last row of a chunk, when no query can fail of it any more.
func TestR81DDLBehindTheRowsOfAChunk(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(100))
	b.describe()
	b.config.Threads = 1
	hold := make(chan struct{})
	ran := make(chan error, 1)
	b.times(1, func() {
		h := b.server.AddFault(wire.Fault{SQL: "cdb_tab_cols", Hold: hold, Count: 1})
		go func() {
			defer close(hold)
			err := h.Wait(t.Context())
			if err == nil {
				err = b.server.RunScript(t.Context(), "ALTER SESSION SET CONTAINER = "+pdb+";\nALTER TABLE app.t RENAME COLUMN v TO w;\n")
			}
			ran <- err
		}()
	})
	b.after(200*time.Millisecond, b.describe)
	rows, err := b.read(nil, b.task("T", "", nil, 1000))
	if err := errors.Join(err, <-ran); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 100 || len(b.gaveUp) != 1 || !strings.Contains(b.gaveUp[0], "DDL") {
		t.Errorf("%d rows, given up %v", len(rows), b.gaveUp)
	}
}

// DDL that does not end stops the snapshot, and says so.
func TestR81DDLWithoutEndIsATypedStop(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(10))
	b.describe()
	b.config.Settle = time.Millisecond
	n := 0
	b.times(1000, func() {
		n++
		b.run(fmt.Sprintf("ALTER TABLE app.t ADD CONSTRAINT c%d CHECK (id > -%d);\n", n, n))
		<-time.After(time.Second) // LAST_DDL_TIME has whole seconds
	})
	_, err := b.read(nil, b.task("T", "", nil, 30))
	if !stop.Is(err, stop.SnapshotOld) || !strings.Contains(err.Error(), "DDL") {
		t.Errorf("%v", err)
	}
}

func TestR81ATableThatIsGoneIsTakenOut(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(100)+"CREATE TABLE app.other (id NUMBER PRIMARY KEY);\nINSERT INTO app.other VALUES (0);\nCOMMIT;\n")
	b.describe()
	b.config.Retries = 100
	b.task("T", "", nil, 30)
	b.times(1, func() { b.run("DROP TABLE app.t PURGE;\n") })
	b.after(100*time.Millisecond, func() {
		b.describe()
		b.after(500*time.Millisecond, func() {})
	})
	rows, err := b.read(nil, b.task("OTHER", "", nil, 30))
	if err != nil || len(ids(rows, "OTHER")) != 1 {
		t.Fatalf("%v, %v", err, rows)
	}
	if b.queue.Remove(app("T")) {
		t.Error("it is still queued")
	}
}

func TestR78AReaderThatHangsIsGivenUp(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(100))
	b.describe()
	b.config.MaxHold = 300 * time.Millisecond
	var sizes []int
	h := b.server.AddFault(wire.Fault{SQL: "AS OF SCN", Hold: make(chan struct{}), Count: 1})
	defer h.Remove()
	started := time.Now()
	rows, err := b.read(func(p *snapshot.Part) { sizes = append(sizes, p.Chunk.Rows) }, b.task("T", "", nil, 5000))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(rows, "T"); !slices.Equal(got, numbered(100)) || !slices.Contains(sizes, 50) || len(b.gaveUp) != 1 || !strings.Contains(b.gaveUp[0], "max_hold") {
		t.Errorf("%d rows, chunks of %v, given up %v after %s", len(got), sizes, b.gaveUp, time.Since(started))
	}
}

func TestR78MemoryIsBounded(t *testing.T) {
	const n = 2000
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER PRIMARY KEY, v VARCHAR2(1000));\n"+
		inserts(n, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, RPAD('x', 1000, 'x'))", i) }))
	b.describe()
	b.config.MaxBytes, b.config.LeastRows = 1<<20, 50
	high := int64(0)
	rows, err := b.read(func(p *snapshot.Part) { high = max(high, p.Bytes()) }, b.task("T", "", nil, 50*n))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(rows, "T"); !slices.Equal(got, numbered(n)) || high > b.config.MaxBytes || len(b.gaveUp) == 0 {
		t.Errorf("%d rows, %d bytes in a chunk, given up %v", len(got), high, b.gaveUp)
	}
	b.config.MaxBytes = 64 << 10
	b.config.LeastRows = n
	if _, err = b.read(nil, b.task("T", "", nil, n)); !stop.Is(err, stop.BufferFull) {
		t.Errorf("%v", err)
	}
}

func TestR79NothingIsReadWhileTheStreamIsFarBehind(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(10))
	b.describe()
	b.lag = math.MaxInt64
	task := b.task("T", "", nil, 100)
	log := b.server.LogStatements()
	defer log.Stop()
	b.after(200*time.Millisecond, func() {
		for _, st := range log.Statements() {
			if strings.Contains(st.SQL, `"T"`) {
				t.Errorf("while behind: %s", st.SQL)
			}
		}
		b.mu.Lock()
		b.lag = time.Second
		b.mu.Unlock()
		b.queue.Wake()
	})
	rows, err := b.read(nil, task)
	if err != nil || len(rows) != 10 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if len(b.waits) != 2 || !strings.Contains(b.waits[0], "not known yet") || b.waits[1] != "" {
		t.Errorf("waits %q", b.waits)
	}
}

func TestR86ASnapshotGoesOnWhereItIs(t *testing.T) {
	const n = 1000
	for name, ddl := range map[string]string{"key": "CREATE TABLE app.t (id NUMBER PRIMARY KEY, v VARCHAR2(400));\n", "rowid": "CREATE TABLE app.t (id NUMBER, v VARCHAR2(400));\n"} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, oracletest.Config{}, ddl+inserts(n, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, RPAD('x', 400))", i) }))
			b.describe()
			var kept []string
			task := b.task("T", "", nil, 100)
			var at *snapshot.Frontier
			parts := 0
			first, err := b.read(func(p *snapshot.Part) {
				if parts++; parts == 4 {
					at = task.Progress.Frontier()
				}
			}, task)
			if err != nil || at == nil || at.Done || at.Rows == 0 && name == "key" {
				t.Fatalf("%v, %+v", err, at)
			}
			rows, err := b.read(nil, b.task("T", "", at, 100))
			if err != nil {
				t.Fatal(err)
			}
			kept = ids(rows, "T")
			before := ids(first, "T")
			if len(before) != n || int64(len(kept)) != n-at.Rows {
				t.Errorf("%d rows at first, %d behind a frontier with %d", len(before), len(kept), at.Rows)
			}
			again := b.task("T", "", at, 100).Progress
			again.Again(app("T"), snapshot.Range{}, snapshot.ByKey)
			if len(again.Frontier().Left) != 1+len(at.Left) {
				t.Errorf("left %v", again.Frontier().Left)
			}
		})
	}
}

// A table without a key whose rows got new places begins anew.
func TestR85ATableWhoseRowsMovedBeginsAnew(t *testing.T) {
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER);\n"+inserts(300, func(i int) string { return fmt.Sprintf("app.t VALUES (%d)", i) }))
	b.describe()
	task := b.task("T", "", nil, 100)
	b.config.MaxPending, b.config.Threads = 1, 1
	moved := false
	rows, err := b.read(func(*snapshot.Part) {
		if !moved {
			moved = true
			b.run("ALTER TABLE app.t MOVE;\n")
		}
	}, task)
	if err != nil {
		t.Fatal(err)
	}
	got := ids(rows, "T")
	if len(rows) < 300 || !slices.Equal(slices.Compact(got), numbered(300)) {
		t.Errorf("%d rows", len(rows))
	}
}

func TestConditionsAndOverrides(t *testing.T) {
	b := newBench(t, oracletest.Config{}, "CREATE TABLE app.t (id NUMBER PRIMARY KEY, v VARCHAR2(20), secret VARCHAR2(10));\n"+
		inserts(100, func(i int) string { return fmt.Sprintf("app.t VALUES (%d, 'v%d', 's')", i, i) }))
	b.describe()
	v, _ := b.version(app("T"))
	v.Columns[2].Excluded = true
	log := b.server.LogStatements()
	task := b.task("T", "", nil, 30)
	task.Condition = "id < 50 -- and no more"
	rows, err := b.read(nil, task)
	if err != nil || !slices.Equal(ids(rows, "T"), numbered(50)) {
		t.Errorf("condition: %d rows, %v", len(rows), err)
	}
	log.Stop()
	for _, st := range log.Statements() {
		if strings.Contains(strings.ToUpper(st.SQL), "SECRET") {
			t.Errorf("an excluded column is asked for: %s", st.SQL)
		}
	}
	for override, want := range map[string]string{
		"SELECT id, v FROM app.t AS OF SCN :scn WHERE v <> ':scn' AND id < 10":     "",
		"SELECT t.id, 'x' v, t.secret FROM app.t AS OF SCN :SCN t WHERE id < 10; ": "",
		"SELECT id FROM app.t AS OF SCN :scn WHERE id < 10":                        "",
		"SELECT v FROM app.t AS OF SCN :scn":                                       "key column",
		"SELECT id FROM app.t WHERE ':scn' IS NOT NULL":                            "SCN belongs",
	} {
		task := b.task("T", snapshot.Whole, nil, 30)
		task.Override = override
		rows, err := b.read(nil, task)
		if want == "" && (err != nil || !slices.Equal(ids(rows, "T"), numbered(10))) {
			t.Errorf("%s: %d rows, %v", override, len(rows), err)
		}
		if want != "" && (!stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", override, err)
		}
		if want == "" && len(rows) > 0 && strings.HasPrefix(override, "SELECT id FROM") && rows[0].image[1].Known() {
			t.Errorf("a column that the query does not give has %+v", rows[0].image[1])
		}
	}
}

// Who reads again too early is told the same again: the wait is not cut short by whatever else goes on.
func TestR81TheWaitBehindDDLIsKept(t *testing.T) {
	b := newBench(t, oracletest.Config{FlashbackSpan: 300 * time.Millisecond}, thousand(100))
	b.describe()
	b.config.Settle, b.config.Retries = 400*time.Millisecond, 1
	b.times(1, func() { b.run("ALTER TABLE app.t ADD CONSTRAINT positive CHECK (id >= 0);\n") })
	stop := make(chan struct{})
	var waker sync.WaitGroup
	waker.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				b.queue.Wake()
			}
		}
	})
	rows, err := b.read(nil, b.task("T", "", nil, 1000))
	close(stop)
	waker.Wait()
	if err != nil || len(rows) != 100 || len(b.gaveUp) == 0 {
		t.Errorf("%d rows, given up %v, %v", len(rows), b.gaveUp, err)
	}
}

func TestAConditionThatIsWrongIsTold(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(10))
	b.describe()
	b.config.Settle, b.config.Retries = time.Millisecond, 1
	for _, c := range []struct{ condition, override, want string }{
		{"no_such_column = 1", "", "snapshot.conditions"},
		{"id =", "", "snapshot.conditions"},
		{"", "SELECT id, no_such_column FROM app.t AS OF SCN :scn", "snapshot.overrides"},
	} {
		task := b.task("T", "", nil, 100)
		if c.override != "" {
			task = b.task("T", snapshot.Whole, nil, 100)
		}
		task.Condition, task.Override = c.condition, c.override
		_, err := b.read(nil, task)
		if !stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// What is read is AS OF the batch's SCN, whatever commits while it is read; R77 by the way.
func TestR77RowsAreThoseOfTheSCN(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(300))
	b.describe()
	b.times(5, func() {
		b.run("UPDATE app.t SET v = 'late';\nINSERT INTO app.t SELECT MAX(id) + 1, 'late' FROM app.t;\nCOMMIT;\n")
	})
	b.gate.Emitted(1, nil)
	rows, err := b.read(nil, b.task("T", "", nil, 50_000)) // one piece
	if err != nil || len(rows) != 300 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.image[1].Text() == "late" || r.scn == 0 {
			t.Fatalf("SCN %s: %q", r.scn, r.image[1].Text())
		}
	}
}

func TestALostConnectionIsMadeAgain(t *testing.T) {
	b := newBench(t, oracletest.Config{}, thousand(500))
	b.describe()
	h := b.server.AddFault(wire.Fault{SQL: "AS OF SCN", Rows: 50, Then: wire.Reset, Count: 2})
	defer h.Remove()
	rows, err := b.read(nil, b.task("T", "", nil, 5000))
	if err != nil || !slices.Equal(ids(rows, "T"), numbered(500)) || h.Hits() != 2 {
		t.Errorf("%d rows, %d cuts, %v", len(rows), h.Hits(), err)
	}
}
