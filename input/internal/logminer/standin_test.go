package logminer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// capture is what the engine does with the three database packages, without transactions.
type capture struct {
	t      *testing.T
	server *oracletest.Server
	config oracle.Config
	books  *oracle.Session
	mining *oracle.Session
	db     oracle.Database
	filter *logminer.Filter
	from   position.Boundary
}

func startCapture(t *testing.T, cfg oracletest.Config, tables string) *capture {
	t.Helper()
	server, err := oracletest.Start(context.Background(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	c := &capture{t: t, server: server, config: oracle.Config{
		ConnectionString: server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name), FetchRows: 100,
	}}
	c.script(tables)
	c.books, c.mining = c.connect(oracle.Bookkeeping), c.connect(oracle.Mining)
	c.db, err = oracle.ReadDatabase(t.Context(), c.books)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.db.Check(); err != nil {
		t.Fatal(err)
	}
	c.choose()
	c.start()
	// Nothing was delivered yet, so the first step reads its logs from their begin: what lies before the start is the
	// engine's to drop (R90).
	c.next()
	return c
}

func (c *capture) connect(role oracle.Role) *oracle.Session {
	c.t.Helper()
	s, err := oracle.Connect(c.t.Context(), c.config, role)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = s.Close() })
	return s
}

// script runs statements in the PDB.
func (c *capture) script(text string) {
	c.t.Helper()
	if err := c.server.RunScript(c.t.Context(), "ALTER SESSION SET CONTAINER = FREEPDB1;\n"+text); err != nil {
		c.t.Fatal(err)
	}
}

// choose captures every table of APP.
func (c *capture) choose() {
	c.t.Helper()
	containers, err := c.db.Captured(nil)
	if err != nil {
		c.t.Fatal(err)
	}
	tables, err := oracle.Describe(c.t.Context(), c.books, c.db, containers[0], func(t schema.Table) bool { return t.Owner == "APP" }, oracle.SmallestNotNull)
	if err != nil || len(tables) == 0 {
		c.t.Fatalf("%d tables, %v", len(tables), err)
	}
	objects := logminer.Objects{Container: containers[0].ID}
	for _, d := range tables {
		if len(d.Refused) > 0 {
			c.t.Fatalf("%s: %v", d.Version.Table, d.Refused)
		}
		objects.IDs = append(objects.IDs, d.Version.ObjectIDs...)
	}
	c.filter = logminer.NewFilter(objects)
}

func (c *capture) scn() position.SCN {
	c.t.Helper()
	scn, err := oracle.CurrentSCN(c.t.Context(), c.books)
	if err != nil {
		c.t.Fatal(err)
	}
	return scn
}

func (c *capture) inventory() redolog.Inventory {
	c.t.Helper()
	inv, err := redolog.Read(c.t.Context(), c.books, c.db.ResetlogsSCN, redolog.Since(c.from))
	if err != nil {
		c.t.Fatal(err)
	}
	return inv
}

// start begins at the current SCN.
func (c *capture) start() {
	c.t.Helper()
	scn := c.scn()
	marks, err := c.inventory().Start(scn)
	if err != nil {
		c.t.Fatal(err)
	}
	c.from = position.Boundary{SCN: scn, Marks: marks}
}

// plan plans a step up to now.
func (c *capture) plan() redolog.Step {
	c.t.Helper()
	step, err := c.inventory().Plan(c.from, c.scn(), 8)
	if err != nil {
		c.t.Fatal(err)
	}
	return step
}

// mine runs one planned step and moves on when it is verified.
func (c *capture) mine(ctx context.Context, step redolog.Step) ([]logminer.Row, error) {
	var got []logminer.Row
	result, err := logminer.New(c.mining).Step(ctx, logminer.Request{Plan: step, Filter: c.filter}, func(batch []logminer.Row) error {
		got = append(got, batch...)
		return nil
	})
	if err == nil {
		err = step.Verify(ctx, c.books)
	}
	if err != nil {
		return nil, err
	}
	c.from = step.After(result.Addresses)
	return got, nil
}

// next mines up to now and fails the test on an error.
func (c *capture) next() []logminer.Row {
	c.t.Helper()
	reading := c.scn()
	var all []logminer.Row
	for c.from.SCN < reading {
		rows, err := c.mine(c.t.Context(), c.plan())
		if err != nil {
			c.t.Fatal(err)
		}
		all = append(all, rows...)
	}
	return all
}

// changes names the change rows among rows.
func changes(rows []logminer.Row) []string {
	var got []string
	for i := range rows {
		r := &rows[i]
		text := r.Operation.String()
		switch r.Operation {
		case logminer.Insert, logminer.Update, logminer.Delete:
			if r.Undo {
				text += "(undo)"
			}
			text += " " + r.Redo
		case logminer.Commit, logminer.Rollback:
		default:
			continue
		}
		got = append(got, text)
	}
	return got
}

const table = `
CREATE TABLE app.t (id NUMBER PRIMARY KEY, name VARCHAR2(4000), name2 VARCHAR2(4000));
ALTER TABLE app.t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
`

func TestScene1OnTheStandIn(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	c.script("INSERT INTO app.t (id, name) VALUES (1, 'one');\nUPDATE app.t SET name = 'uno' WHERE id = 1;\nDELETE FROM app.t WHERE id = 1;")
	rows := c.next()
	got := changes(rows)
	want := []string{
		`INSERT insert into "APP"."T"("ID","NAME","NAME2") values ('1','one',NULL)`,
		`UPDATE update "APP"."T" set "NAME" = 'uno' where "ID" = '1' and "NAME" = 'one' and "NAME2" IS NULL`,
		`DELETE delete from "APP"."T" where "ID" = '1' and "NAME" = 'uno' and "NAME2" IS NULL`,
		`COMMIT`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for i := range rows {
		r := &rows[i]
		if r.Container != c.db.PDBs[0].ID || r.Thread != 1 || r.XID != rows[0].XID || r.UnixSeconds == 0 || r.Address.IsZero() {
			t.Errorf("row %+v", *r)
		}
	}
	if again := changes(c.next()); len(again) > 0 {
		t.Errorf("delivered twice: %v", again)
	}
}

func TestR9LongStatementsAreJoinedOnTheStandIn(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	long := strings.Repeat("it''s ", 600)
	c.script("INSERT INTO app.t (id, name, name2) VALUES (1, '" + long + "', '" + long + "');")
	got := changes(c.next())
	if len(got) != 2 || len(got[0]) < 7000 || strings.Count(got[0], "it''s ") != 1200 {
		t.Errorf("%d rows", len(got))
	}
}

func TestR6R12SwitchesAndPurges(t *testing.T) {
	c := startCapture(t, oracletest.Config{ArchiveDelay: time.Millisecond}, table)
	want := 0
	for round := range 4 {
		for i := range 3 {
			c.script(fmt.Sprintf("INSERT INTO app.t (id, name) VALUES (%d, 'x');", round*10+i))
			want++
			if err := c.server.SwitchLogfile(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		got := 0
		for _, line := range changes(c.next()) {
			if strings.HasPrefix(line, "INSERT") {
				got++
			}
		}
		if got != 3 {
			t.Errorf("round %d: %d inserts, want 3", round, got)
		}
	}
}

func TestRedoRemovedUnderTheDatabaseIsNoticed(t *testing.T) {
	c := startCapture(t, oracletest.Config{ArchiveDelay: time.Millisecond}, table)
	c.script("INSERT INTO app.t (id, name) VALUES (1, 'x');")
	for range 6 {
		if err := c.server.SwitchLogfile(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c.server.RemoveArchived(c.server.CurrentSCN()) == 0 {
		t.Fatal("nothing was removed")
	}
	_, err := c.mine(t.Context(), c.plan())
	class, typed := oracle.Classify(err)
	if class != oracle.ReMine || typed.ORA != 1284 || oracle.Retries(err) != 3 || typed.Code != stop.RedoPurged {
		t.Errorf("files removed with rm: %v", err)
	}
}

func TestRedoPurgedByTheDatabaseIsNoticed(t *testing.T) {
	c := startCapture(t, oracletest.Config{ArchiveDelay: time.Millisecond}, table)
	for range 6 {
		if err := c.server.SwitchLogfile(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c.server.PurgeArchived(c.server.CurrentSCN()) == 0 {
		t.Fatal("nothing was purged")
	}
	if _, err := c.inventory().Plan(c.from, c.scn(), 8); !stop.Is(err, stop.RedoPurged) {
		t.Errorf("error %v", err)
	}
}

func TestR11FaultsWhileMiningLeaveNothing(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	for i := range 5 {
		c.script(fmt.Sprintf("INSERT INTO app.t (id, name) VALUES (%d, 'x');", i))
	}
	for name, fault := range map[string]wire.Fault{
		"ADD_LOGFILE": {Call: wire.CallExecute, SQL: "ADD_LOGFILE", Err: wire.Errorf(1284, "file x cannot be opened"), Count: 1},
		"START":       {Call: wire.CallExecute, SQL: "START_LOGMNR", Err: wire.Errorf(1291, "missing log file\nORA-06512: at \"SYS.DBMS_LOGMNR\", line 72"), Count: 1},
		"PDB closed":  {Call: wire.CallExecute, SQL: "START_LOGMNR", Err: wire.Errorf(16331, "container \"FREEPDB2\" is not open"), Count: 1},
		"query":       {Call: wire.CallExecute, SQL: "V$LOGMNR_CONTENTS", Err: wire.Errorf(1368, "redo log file header mismatch"), Count: 1},
		"first row":   {SQL: "V$LOGMNR_CONTENTS", Rows: 1, Err: wire.Errorf(310, "archived log contains sequence 3; sequence 2 required\nORA-00334: archived log: 'x'"), Count: 1},
		"seventh row": {SQL: "V$LOGMNR_CONTENTS", Rows: 7, Err: wire.Errorf(310, "archived log contains sequence 3; sequence 2 required"), Count: 1},
	} {
		t.Run(name, func(t *testing.T) {
			handle := c.server.AddFault(fault)
			before := c.from
			_, err := c.mine(t.Context(), c.plan())
			if class, _ := oracle.Classify(err); class != oracle.ReMine && class != oracle.Reconnect || handle.Hits() != 1 {
				t.Fatalf("%d hits, %v", handle.Hits(), err)
			}
			if !c.from.Equal(before) || !c.mining.Usable() {
				t.Errorf("boundary %v after %v, usable %t", c.from, before, c.mining.Usable())
			}
		})
	}
	if got := changes(c.next()); len(got) != 10 {
		t.Errorf("after all faults: %v", got)
	}
}

func TestR11ALostConnectionLeavesNothing(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	c.script("INSERT INTO app.t (id, name) VALUES (1, 'x');")
	c.server.AddFault(wire.Fault{SQL: "V$LOGMNR_CONTENTS", Rows: 2, Then: wire.Close, Count: 1})
	_, err := c.mine(t.Context(), c.plan())
	if class, _ := oracle.Classify(err); class != oracle.Reconnect || c.mining.Usable() {
		t.Fatalf("usable %t, %v", c.mining.Usable(), err)
	}
	c.mining = c.connect(oracle.Mining)
	if got := changes(c.next()); len(got) != 2 {
		t.Errorf("after a new connection: %v", got)
	}
}

// A fetch that searches for minutes is ended by the interrupt, and the session mines on.
func TestCancelReachesABlockedMiningFetch(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	c.script("INSERT INTO app.t (id, name) VALUES (1, 'x');")
	hold := make(chan struct{})
	defer close(hold)
	handle := c.server.AddFault(wire.Fault{SQL: "V$LOGMNR_CONTENTS", Rows: 1, Hold: hold, Count: 1})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		_ = handle.Wait(ctx)
		cancel()
	}()
	if _, err := c.mine(ctx, c.plan()); !errors.Is(err, context.Canceled) || !c.mining.Usable() {
		t.Fatalf("usable %t, %v", c.mining.Usable(), err)
	}
	if got := changes(c.next()); len(got) != 2 {
		t.Errorf("mined again: %v", got)
	}
}

func TestR11SilenceInterruptsTheFetch(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	c.script("INSERT INTO app.t (id, name) VALUES (1, 'x');")
	hold := make(chan struct{})
	defer close(hold)
	c.server.AddFault(wire.Fault{SQL: "V$LOGMNR_CONTENTS", Rows: 1, Hold: hold, Count: 1})
	_, err := logminer.New(c.mining).Step(t.Context(), logminer.Request{Plan: c.plan(), Filter: c.filter, Silence: 20 * time.Millisecond},
		func([]logminer.Row) error { return nil })
	if _, typed := oracle.Classify(err); typed.Code != stop.Stalled || !c.mining.Usable() {
		t.Errorf("usable %t, %v", c.mining.Usable(), err)
	}
}

func TestOpenTransactionsOnTheStandIn(t *testing.T) {
	c := startCapture(t, oracletest.Config{}, table)
	open, err := oracle.OpenTransactions(t.Context(), c.books)
	if err != nil || len(open) != 0 {
		t.Errorf("%v, %v", open, err)
	}
	// A begin that the view does not show is mapped from its date by the database, which has no past yet.
	date := time.Now().UTC().Add(time.Minute).Format(time.DateTime)
	if scn, err := (oracle.OpenTransaction{StartDate: date}).Began(t.Context(), c.books); err != nil || scn == 0 || scn > c.scn() {
		t.Errorf("%s, %v", scn, err)
	}
	if offset, err := oracle.ServerOffset(t.Context(), c.books); err != nil || offset != 0 {
		t.Errorf("offset %s, %v", offset, err)
	}
}

// Writers, log switches and steps at the same time: every committed row comes once.
func TestR3ConcurrentWritersOnTheStandIn(t *testing.T) {
	c := startCapture(t, oracletest.Config{ArchiveDelay: time.Millisecond}, table)
	const writers, transactions, rows = 3, 12, 4
	var running sync.WaitGroup
	for w := range writers {
		running.Go(func() {
			for i := range transactions {
				text := "ALTER SESSION SET CONTAINER = FREEPDB1;\n"
				for r := range rows {
					text += fmt.Sprintf("INSERT INTO app.t (id, name) VALUES (%d, 'x');\n", (w*transactions+i)*rows+r)
				}
				if err := c.server.RunScript(t.Context(), text); err != nil {
					t.Error(err)
					return
				}
				if i%5 == w {
					if err := c.server.SwitchLogfile(t.Context()); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	written := make(chan struct{})
	go func() { running.Wait(); close(written) }()
	seen := map[string]int{}
	count := func() {
		step, err := c.inventory().Plan(c.from, c.scn(), 1)
		if class, _ := oracle.Classify(err); err != nil && class == oracle.ReMine {
			return // a switch is under way
		}
		if err != nil {
			t.Fatal(err)
		}
		mined, err := c.mine(t.Context(), step)
		if class, _ := oracle.Classify(err); err != nil && class == oracle.ReMine {
			return // an online log was reused while it was read
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range mined {
			if mined[i].Operation == logminer.Insert {
				seen[mined[i].Redo]++
			}
		}
	}
	for done := false; !done; {
		select {
		case <-written:
			done = true
		default:
		}
		count()
	}
	for end := c.scn(); c.from.SCN < end; {
		count()
	}
	count()
	for redo, n := range seen {
		if n != 1 {
			t.Errorf("%d times %s", n, redo)
		}
	}
	if len(seen) != writers*transactions*rows {
		t.Errorf("%d rows, want %d", len(seen), writers*transactions*rows)
	}
}
