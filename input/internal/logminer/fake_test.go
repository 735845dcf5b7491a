package logminer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sijms/go-ora/v2/network"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// record is a row of the redo as the test writes it.
type record struct {
	Row
	// chunks are CSF pieces of the text; nil: one row with Redo.
	chunks []string
	// rsID overrides the address's text.
	rsID string
}

// fake is a database whose LogMiner returns records.
type fake struct {
	records []record
	// selects is the cursor predicate; nil is that of R3.
	selects predicate
	// byAddress delivers rows in the order of addresses instead of SCNs (K1 allows neither to be relied on).
	byAddress bool
	// raw gives the records unfiltered and in their order, whatever the statement asks for.
	raw bool
	// fail, if set, ends the rows with an error after so many.
	fail      error
	failAfter int
	// block makes Next wait for the context after so many rows, if it is not negative.
	block int
	// every is how long each row takes.
	every time.Duration

	files    []string
	from, to position.SCN
	ended    int
	checked  error
	texts    []string
}

// predicate is the cursor part of the statement: whether a row is outside what was delivered.
type predicate func(r *record, mark position.RBA, before position.SCN) bool

// bothHalves is R3; the others each lack one half.
func bothHalves(r *record, mark position.RBA, before position.SCN) bool {
	return r.Address.Compare(mark) > 0 || r.SCN > before
}

func addressOnly(r *record, mark position.RBA, _ position.SCN) bool {
	return r.Address.Compare(mark) > 0
}

func scnOnly(r *record, _ position.RBA, before position.SCN) bool { return r.SCN > before }

func (f *fake) Exec(_ context.Context, st oracle.Statement, args ...any) error {
	switch st {
	case newFile:
		f.files = []string{args[0].(string)}
	case addFile:
		f.files = append(f.files, args[0].(string))
	case start:
		f.from, f.to = position.SCN(args[0].(uint64)), position.SCN(args[1].(uint64))
		if f.to <= f.from {
			return &network.OracleError{ErrCode: 1281, ErrMsg: "ORA-01281: SCN range specified is invalid"}
		}
	case end:
		f.ended++
	}
	return nil
}

func (f *fake) Check(context.Context) error { return f.checked }

func (f *fake) Query(ctx context.Context, st oracle.Statement, args ...any) (rows, error) {
	f.texts = append(f.texts, st.Text)
	r := &fakeRows{ctx: ctx, fake: f}
	for i := range f.records {
		if f.raw || f.selected(&f.records[i], args) {
			r.records = append(r.records, split(&f.records[i])...)
		}
	}
	if !f.raw {
		slices.SortStableFunc(r.records, func(a, b record) int {
			if f.byAddress {
				return cmp.Or(cmp.Compare(a.Thread, b.Thread), a.Address.Compare(b.Address))
			}
			return cmp.Or(cmp.Compare(a.SCN, b.SCN), a.Address.Compare(b.Address))
		})
	}
	return r, nil
}

// selected applies the statement's range and predicate from its binds: the bound, then address and SCN per thread.
func (f *fake) selected(r *record, args []any) bool {
	if !slices.Contains(f.files, fileName(r.Thread, r.Address.Sequence)) && !r.Address.IsZero() || r.SCN < f.from || r.SCN > f.to {
		return false
	}
	if r.SCN > position.SCN(args[0].(uint64)) {
		return false
	}
	at := 1 + 2*(r.Thread-1)
	if r.Address.IsZero() || r.Thread == 0 || at+1 >= len(args) {
		return true
	}
	mark, err := position.ParseRBA(args[at].(string))
	if err != nil {
		panic(err)
	}
	selects := f.selects
	if selects == nil {
		selects = bothHalves
	}
	return selects(r, mark, position.SCN(args[at+1].(uint64)))
}

func split(r *record) []record {
	if len(r.chunks) == 0 {
		return []record{*r}
	}
	var all []record
	for i, c := range r.chunks {
		one := *r
		one.Redo = c
		one.chunks = []string{}
		if i == len(r.chunks)-1 {
			one.chunks = nil
		}
		all = append(all, one)
	}
	return all
}

type fakeRows struct {
	ctx     context.Context
	fake    *fake
	records []record
	at      int
	err     error
}

func (r *fakeRows) Next() bool {
	if r.fake.fail != nil && r.at == r.fake.failAfter {
		r.err = r.fake.fail
		return false
	}
	if r.fake.block >= 0 && r.at == r.fake.block {
		<-r.ctx.Done()
		r.err = context.Cause(r.ctx)
		return false
	}
	r.at++
	if r.fake.every == 0 {
		return r.at <= len(r.records)
	}
	select {
	case <-time.After(r.fake.every):
	case <-r.ctx.Done():
		r.err = context.Cause(r.ctx)
		return false
	}
	return r.at <= len(r.records)
}

func (r *fakeRows) Err() error   { return r.err }
func (r *fakeRows) Close() error { return nil }

func (r *fakeRows) Scan(dest ...any) error {
	for i, v := range r.records[r.at-1].columns() {
		if err := dest[i].(interface{ Scan(any) error }).Scan(v); err != nil {
			return err
		}
	}
	return nil
}

// columns gives the row as the driver would.
func (r *record) columns() []any {
	n := func(v int64) any { return strconv.FormatInt(v, 10) }
	s := func(v string) any {
		if v == "" {
			return nil
		}
		return v
	}
	flag := func(b bool) any {
		if b {
			return "1"
		}
		return "0"
	}
	address := rsID(r.Address)
	if r.rsID != "" {
		address = r.rsID
	}
	return []any{
		r.SCN.String(), n(int64(r.Thread)), address, n(r.SSN), n(int64(r.Operation)), flag(r.Undo), n(int64(r.Status)),
		flag(r.chunks != nil), s(r.Info), n(int64(r.XID.USN)), n(int64(r.XID.Slot)), n(int64(r.XID.Sequence)), n(int64(r.Container)),
		n(int64(r.ObjectID)), n(r.ObjectVersion), s(r.Owner), s(r.Table), s(r.RowID), s(r.User), time.Unix(r.UnixSeconds, 0).UTC(),
		n(int64(r.Session)), n(int64(r.Serial)), s(r.Redo),
	}
}

func fileName(thread int, sequence uint32) string { return fmt.Sprintf("log-%d-%d", thread, sequence) }

func newFake(records ...record) *fake { return &fake{records: records, block: -1} }

const (
	testContainer = 3
	testObject    = 74569
)

func testFilter() *Filter {
	return NewFilter(Objects{Container: testContainer, IDs: []uint64{testObject}})
}

// insert makes a captured row.
func insert(scn position.SCN, sequence, block uint32) record {
	return record{Row: Row{
		SCN: scn, Thread: 1, Address: position.RBA{Sequence: sequence, Block: block, Byte: 0x10}, Operation: Insert,
		XID: position.XID{USN: 5, Slot: 1, Sequence: 614}, Container: testContainer, ObjectID: testObject, Owner: "APP", Table: "T",
		RowID: "AAASNJAAMAAAACHAAA", Redo: `insert into "APP"."T"("ID") values ('1')`, UnixSeconds: 1_700_000_000,
	}}
}

// openPlan is a step over one current log that begins at SCN 1000.
func openPlan(from position.SCN, mark position.RBA, bound position.SCN) redolog.Step {
	inv := redolog.Inventory{Threads: []redolog.Thread{{ID: 1, Open: true, Logs: []redolog.Log{
		{Thread: 1, Sequence: 18, First: 1000, Next: position.Unlimited, Name: fileName(1, 18), Group: 1},
	}}}}
	b := position.Boundary{SCN: from, Marks: []position.Mark{{Thread: 1, Address: mark, Log: 18}}}
	step, err := inv.Plan(b, bound, 1)
	if err != nil {
		panic(err)
	}
	return step
}

// mine runs one step and collects its rows.
func mine(ctx context.Context, f *fake, r Request) ([]Row, Result, error) {
	var got []Row
	m := &Miner{database: f}
	result, err := m.Step(ctx, r, func(batch []Row) error {
		got = append(got, batch...)
		return nil
	})
	return got, result, err
}
