package logminer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sijms/go-ora/v2/network"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// step runs one step over records as they are, from a fresh mark at SCN 1000 to 1010.
func step(t *testing.T, records ...record) ([]Row, error) {
	t.Helper()
	f := newFake(records...)
	f.raw = true
	rows, _, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter()})
	return rows, err
}

func TestR9ChunksAreJoined(t *testing.T) {
	long := insert(1001, 18, 5)
	long.chunks = []string{`insert into "APP"."T"("V") values ('it'`, `'s`, ` long')`}
	rows, err := step(t, long, insert(1002, 18, 6))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || rows[0].Redo != `insert into "APP"."T"("V") values ('it''s long')` {
		t.Errorf("rows %+v", rows)
	}
}

func TestR9BrokenChainsFailTheStep(t *testing.T) {
	first := insert(1001, 18, 5)
	first.chunks = []string{} // CSF=1
	other := insert(1001, 18, 6)
	sibling := insert(1001, 18, 5)
	sibling.SSN = 1
	for name, records := range map[string][]record{
		"end of query after chunk 1 of 2":    {first},
		"another row between":                {first, other, insert(1001, 18, 5)},
		"another row of the address between": {first, sibling, insert(1001, 18, 5)},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := step(t, records...)
			if class, typed := oracle.Classify(err); class != oracle.ReMine || typed.Code != stop.StepFailed {
				t.Errorf("error %v", err)
			}
			if len(rows) > 0 {
				t.Errorf("%d rows came out", len(rows))
			}
		})
	}
}

func TestR10RowsAreCheckedAgainstTheStep(t *testing.T) {
	missing := insert(1003, 0, 0)
	missing.Operation, missing.Address, missing.Thread = MissingSCN, position.RBA{}, 0
	for name, tc := range map[string]struct {
		record record
		class  oracle.Class
		code   stop.Code
	}{
		"a sequence that the step did not read": {insert(1001, 17, 5), oracle.ReMine, stop.StepFailed},
		"an SCN below its log":                  {insert(999, 18, 5), oracle.ReMine, stop.StepFailed},
		"an SCN above the bound":                {insert(1011, 18, 5), oracle.Stop, stop.Corrupt},
		"MISSING_SCN":                           {missing, oracle.ReMine, stop.StepFailed},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := step(t, insert(1001, 18, 4), tc.record)
			if class, typed := oracle.Classify(err); class != tc.class || typed.Code != tc.code {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestR10AnotherSessionDiscardsTheStep(t *testing.T) {
	f := newFake(insert(1001, 18, 5))
	f.checked = oracle.ErrOtherSession
	_, result, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter()})
	if !errors.Is(err, oracle.ErrOtherSession) || result.Addresses != nil {
		t.Errorf("%+v, %v", result, err)
	}
}

func TestR5AddressesHaveTheFixedForm(t *testing.T) {
	for _, text := range []string{"0x000012.00000a4b.0010", " 0x000012.00000A4B.0010 ", " 0x12.a4b.10 ", " 18.2635.16 ", "  0x000012.00000a4b.0010"} {
		r := insert(1001, 18, 5)
		r.rsID = text
		if _, err := step(t, r); !stop.Is(err, stop.Corrupt) {
			t.Errorf("RS_ID %q: %v", text, err)
		}
	}
}

func TestR13RowsWithoutAddressOrTransaction(t *testing.T) {
	change := func(f func(*record)) record {
		r := insert(1001, 0, 0)
		r.Address = position.RBA{}
		f(&r)
		return r
	}
	for name, tc := range map[string]struct {
		record  record
		rows    int
		corrupt bool
	}{
		"START":                   {change(func(r *record) { r.Operation = Start }), 0, false},
		"ROLLBACK":                {change(func(r *record) { r.Operation = Rollback }), 1, false},
		"COMMIT":                  {change(func(r *record) { r.Operation = Commit }), 1, false},
		"INSERT":                  {change(func(*record) {}), 0, true},
		"DDL":                     {change(func(r *record) { r.Operation = DDL }), 0, true},
		"UNSUPPORTED":             {change(func(r *record) { r.Operation = Unsupported }), 0, true},
		"START without XID":       {change(func(r *record) { r.Operation, r.XID = Start, position.XID{} }), 0, false},
		"INSERT without XID":      {change(func(r *record) { r.Address.Sequence = 18; r.Address.Block = 5; r.XID = position.XID{} }), 0, true},
		"internal row of a table": {change(func(r *record) { r.Operation = Internal }), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := step(t, tc.record)
			if stop.Is(err, stop.Corrupt) != tc.corrupt || len(rows) != tc.rows {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}

func TestR13RowsWithoutAddressComeAgainWithEveryStep(t *testing.T) {
	rollback := insert(1001, 0, 0)
	rollback.Operation, rollback.Address = Rollback, position.RBA{}
	f := newFake(rollback)
	for _, bound := range []position.SCN{1005, 1010} {
		rows, _, err := mine(t.Context(), f, Request{Plan: openPlan(bound-5, position.RBA{}, bound), Filter: testFilter()})
		if err != nil || len(rows) != 1 {
			t.Errorf("bound %s: %d rows, %v", bound, len(rows), err)
		}
	}
}

func TestR29ThreadZero(t *testing.T) {
	row := func(o Operation, sequence uint32) record {
		r := insert(1001, sequence, 5)
		r.Operation, r.Thread = o, 0
		return r
	}
	for name, tc := range map[string]struct {
		record  record
		address position.RBA
	}{
		"COMMIT in a log of the step":  {row(Commit, 18), position.RBA{Sequence: 18, Block: 5, Byte: 0x10}},
		"COMMIT in another log":        {row(Commit, 3), position.RBA{}},
		"change on the only thread":    {row(Insert, 18), position.RBA{Sequence: 18, Block: 5, Byte: 0x10}},
		"ROLLBACK without any address": {row(Rollback, 0), position.RBA{}},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(tc.record)
			f.raw = true
			rows, result, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter()})
			if err != nil || len(rows) != 1 || rows[0].Thread != 1 || rows[0].Address != tc.address {
				t.Fatalf("%+v, %v", rows, err)
			}
			if _, marked := result.Addresses[1]; marked != (tc.record.Operation == Insert) {
				t.Errorf("marks %v", result.Addresses)
			}
		})
	}
}

func TestR138UnknownOperationCodes(t *testing.T) {
	captured := insert(1001, 18, 5)
	captured.Operation = 77
	if _, err := step(t, captured); !stop.Is(err, stop.Corrupt) || !strings.Contains(err.Error(), "77") {
		t.Errorf("on a captured object: %v", err)
	}
	foreign := captured
	foreign.ObjectID = 1
	if rows, err := step(t, foreign); err != nil || len(rows) > 0 {
		t.Errorf("on a foreign object: %d rows, %v", len(rows), err)
	}
}

func TestRowsAreScannedWhole(t *testing.T) {
	r := insert(1001, 18, 5)
	r.SSN, r.Undo, r.Status, r.Info, r.ObjectVersion, r.User, r.Session, r.Serial = 7, true, 2, "info", 3, "SCOTT", 12, 345
	r.XID.Sequence = position.PartialSequence
	placeholder := insert(1001, 18, 6)
	placeholder.RowID, placeholder.User, placeholder.Redo = placeholderRowID, "UNKNOWN", ""
	rows, err := step(t, r, placeholder)
	if err != nil {
		t.Fatal(err)
	}
	if rows[0] != r.Row {
		t.Errorf("got  %+v\nwant %+v", rows[0], r.Row)
	}
	if rows[1].RowID != "" || rows[1].User != "" || rows[1].Redo != "" {
		t.Errorf("placeholders kept: %+v", rows[1])
	}
}

var ora310 = &network.OracleError{ErrCode: 310, ErrMsg: "ORA-00310: archived log contains sequence 19; sequence 18 required\nORA-00334: archived log: '/x'"}

func TestR11AFailureAfterAnyRowLeavesNothing(t *testing.T) {
	const total = 2*batchRows + 5
	var records []record
	for i := range total {
		records = append(records, insert(1001, 18, uint32(i+1)))
	}
	plan := openPlan(1000, position.RBA{}, 1010)
	for _, n := range []int{0, 1, batchRows - 1, batchRows, batchRows + 1, 2 * batchRows, total} {
		f := newFake(records...)
		f.fail, f.failAfter = ora310, n
		_, result, err := mine(t.Context(), f, Request{Plan: plan, Filter: testFilter()})
		if class, _ := oracle.Classify(err); class != oracle.ReMine || result.Addresses != nil {
			t.Fatalf("ORA-00310 after %d rows: %+v, %v", n, result, err)
		}
		if f.ended != 0 {
			t.Errorf("ORA-00310 after %d rows was taken for the end of the data", n)
		}
		f.fail = nil
		if rows, _, err := mine(t.Context(), f, Request{Plan: plan, Filter: testFilter()}); err != nil || len(rows) != total {
			t.Fatalf("mined again after %d rows: %d rows, %v", n, len(rows), err)
		}
	}
}

func TestR11SilenceFailsTheStep(t *testing.T) {
	f := newFake(insert(1001, 18, 5))
	f.block = 1
	_, _, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter(), Silence: 10 * time.Millisecond})
	if class, typed := oracle.Classify(err); class != oracle.ReMine || typed.Code != stop.Stalled || oracle.Retries(err) != 2 {
		t.Errorf("error %v", err)
	}
}

// A connection's read time-out is above the time for a step: silence must be noticed first, or it would count as a lost connection,
// which is tried again for a day.
func TestR11SilenceIsNoticedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake(insert(1001, 18, 5))
		f.block = 1
		began := time.Now()
		_, _, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter(), Silence: 10 * time.Minute})
		if took := time.Since(began); err == nil || took < 10*time.Minute || took > 11*time.Minute {
			t.Errorf("%v after %s, want it after 10 minutes", err, took)
		}
	})
}

// A log that takes half an hour, with a row every minute and ten minutes of patience.
func TestR11RowsThatComeSlowlyAreNoSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var records []record
		for i := range 30 {
			records = append(records, insert(1001, 18, uint32(i+1)))
		}
		f := newFake(records...)
		f.every = time.Minute
		began := time.Now()
		rows, _, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter(), Silence: 10 * time.Minute})
		if took := time.Since(began); err != nil || len(rows) != len(records) || took < 30*time.Minute {
			t.Errorf("%d rows after %s, %v", len(rows), took, err)
		}
		f.every = 11 * time.Minute
		if _, _, err := mine(t.Context(), f, Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter(), Silence: 10 * time.Minute}); err == nil {
			t.Error("eleven minutes without a row are no silence")
		}
	})
}

func TestStepEndsWithItsContextAndItsHandler(t *testing.T) {
	var records []record
	for i := range 5 * batchRows {
		records = append(records, insert(1001, 18, uint32(i+1)))
	}
	request := Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter()}
	m := &Miner{database: newFake(records...)}
	boom := errors.New("boom")
	calls := 0
	_, err := m.Step(t.Context(), request, func([]Row) error {
		calls++
		return boom
	})
	if !errors.Is(err, boom) || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
	f := newFake(records...)
	f.block = 10
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, _, err := mine(ctx, f, request); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestBatchesAreReusedOnlyAfterTheirHandler(t *testing.T) {
	var records []record
	for i := range 4*batchRows + 3 {
		records = append(records, insert(1001, 18, uint32(i+1)))
	}
	m := &Miner{database: newFake(records...)}
	next := uint32(1)
	_, err := m.Step(t.Context(), Request{Plan: openPlan(1000, position.RBA{}, 1010), Filter: testFilter()}, func(batch []Row) error {
		for i := range batch {
			if batch[i].Address.Block != next {
				return fmt.Errorf("block %d, want %d", batch[i].Address.Block, next)
			}
			next++
		}
		return nil
	})
	if err != nil || next != uint32(len(records)+1) {
		t.Errorf("%d rows, %v", next-1, err)
	}
}

func TestR8NetCatchesARowThatWasNotReturned(t *testing.T) {
	hidden := insert(1002, 18, 6)
	f := newFake(insert(1001, 18, 5), insert(1003, 18, 7))
	net := NewNet()
	from := position.Boundary{SCN: 1000, Marks: []position.Mark{{Thread: 1, Log: 18}}}
	run := func(bound position.SCN) []Row {
		mark, _ := from.Mark(1)
		plan := openPlan(from.SCN, mark.Address, bound)
		rows, result, err := mine(t.Context(), f, Request{Plan: plan, Filter: testFilter(), Net: net})
		if err != nil {
			t.Fatal(err)
		}
		net.Verified(plan.From, plan.Tail)
		from = plan.After(result.Addresses)
		return rows
	}
	if rows := run(1005); len(rows) != 2 {
		t.Fatalf("first step: %d rows", len(rows))
	}
	f.records = append(f.records, hidden)
	f.records[0].Redo = "another text"
	rows := run(1010)
	if len(rows) != 2 || !rows[0].Replaced || rows[0].SCN != 1001 || !rows[1].Late || rows[1].SCN != 1002 {
		t.Errorf("second step: %+v", rows)
	}
	if rows := run(1015); len(rows) != 0 {
		t.Errorf("third step: %+v", rows)
	}
}

// R8, R101: a DDL between two readings gives a row other names; what it says is the same.
func TestR8OtherNamesAreNoOtherText(t *testing.T) {
	const was = `update "APP"."A" set "V" = 'it''s "V"' where "ID" = '1' and "W" IS NULL and ROWID = 'AAA';`
	for now, want := range map[string]struct{ replaced, renumbered bool }{
		was: {},
		`update "APP"."B" set "X" = 'it''s "V"' where "ID" = '1' and "V" IS NULL and ROWID = 'AAA';`:             {},
		`update "APP"."A" set "V" = 'it''s "W"' where "ID" = '1' and "W" IS NULL and ROWID = 'AAA';`:             {replaced: true},
		`update "APP"."A" set "V" = 'it''s "V"' where "ID" = '2' and "W" IS NULL and ROWID = 'AAA';`:             {replaced: true},
		`update "APP"."A" set "V" = 'it''s "V"' where "ID" = '1' and ROWID = 'AAA';`:                             {replaced: true},
		`update "APP"."A" set "V" = 'it''s "V"', "W" = NULL where "ID" = '1' and "W" IS NULL and ROWID = 'AAA';`: {replaced: true},
		`update "APP"."A" set "COL 2" = HEXTORAW('61') where "COL 1" = HEXTORAW('c102') and ROWID = 'AAA';`:      {replaced: true, renumbered: true},
	} {
		net := NewNet()
		r := insert(1001, 18, 5)
		r.Operation, r.Redo = Update, was
		net.begin(false)
		net.remember(&r.Row)
		net.Verified(position.Boundary{}, true)
		net.begin(false)
		again := r
		if again.Redo = now; want.renumbered {
			again.Status = notValid
		}
		if news := net.judge(&again.Row); news != want.replaced || again.Replaced != want.replaced || again.Renumbered != want.renumbered {
			t.Errorf("%s: news %t, replaced %t, renumbered %t", now, news, again.Replaced, again.Renumbered)
		}
	}
	// The text of a DDL has the names of its moment, and numbers of columns are no names.
	for op, texts := range map[Operation][2]string{
		DDL:    {`alter table "A"."B" drop column "V"`, `alter table "A"."B" drop column "W"`},
		Insert: {`insert into "APP"."A"("COL 1") values (HEXTORAW('c102'));`, `insert into "APP"."A"("COL 2") values (HEXTORAW('c102'));`},
	} {
		net := NewNet()
		r := insert(1001, 18, 5)
		r.Operation, r.Redo, r.Status = op, texts[0], notValid
		net.begin(false)
		net.remember(&r.Row)
		net.Verified(position.Boundary{}, true)
		net.begin(false)
		if r.Redo = texts[1]; !net.judge(&r.Row) || !r.Replaced || r.Renumbered {
			t.Errorf("operation %s: another text is dropped", op)
		}
	}
}

// Array DML repeats RS_ID and SSN (R5, case C107), and placeholder rows repeat the ROWID too: the net must not take one row for
// another.
func TestR8NetTellsRowsOfOneAddressApart(t *testing.T) {
	net := NewNet()
	rows := make([]record, 4)
	for i := range rows {
		rows[i] = insert(1001, 18, 5)
		rows[i].Redo = fmt.Sprintf("row %d", i)
	}
	rows[0].RowID, rows[1].RowID, rows[2].RowID, rows[3].RowID = "AAA", "AAB", "", ""
	net.begin(false)
	for i := range rows {
		net.remember(&rows[i].Row)
	}
	net.Verified(position.Boundary{}, true)
	for range 2 { // a failed step is judged again
		net.begin(false)
		for i := range rows {
			if net.judge(&rows[i].Row) {
				t.Errorf("row %d counts as news: late %v, replaced %v", i, rows[i].Late, rows[i].Replaced)
			}
		}
	}
	fifth := insert(1001, 18, 5)
	if !net.judge(&fifth.Row) || !fifth.Late {
		t.Error("a fifth row of the address is dropped")
	}
}

func TestR8NetForgetsTheOldestBeyondItsLimit(t *testing.T) {
	net := NewNet()
	net.limit = 3
	var rows []record
	for i := range 5 {
		rows = append(rows, insert(1001, 18, uint32(i+1)))
		net.remember(&rows[i].Row)
	}
	net.Verified(position.Boundary{}, true)
	for i := range rows {
		if net.judge(&rows[i].Row) {
			t.Errorf("row %d counts as not delivered", i)
		}
	}
	unseen := insert(1001, 18, 9)
	if !net.judge(&unseen.Row) || !unseen.Late {
		t.Error("a row that was not delivered is dropped")
	}
}

// R8, R45: the texts of a step that is mined with the dictionary of its time are others than those before and behind it; that is no other
// reading of its rows. A row that was not returned before still is news.
func TestR45TextsOfAReplayAreNoOtherReading(t *testing.T) {
	for name, replays := range map[string][3]bool{"this step": {false, true, false}, "the last step": {true, false, false}, "none": {}} {
		net := NewNet()
		r := insert(1001, 18, 5)
		r.Redo = "before"
		net.begin(replays[0])
		net.remember(&r.Row)
		net.Verified(position.Boundary{}, true)
		net.begin(replays[1])
		r.Redo = "behind"
		if news := net.judge(&r.Row); news != (name == "none") {
			t.Errorf("%s: news %t", name, news)
		}
		late := insert(1002, 18, 6)
		if !net.judge(&late.Row) || !late.Late {
			t.Errorf("%s: a late row is dropped", name)
		}
	}
}
