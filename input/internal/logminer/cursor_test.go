package logminer

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// The scene of R3: A lies before B in the redo and has the higher SCN; L reaches the redo late.
func TestR3BothHalvesOfTheCursor(t *testing.T) {
	a, b, late := insert(1005, 18, 5), insert(1001, 18, 9), insert(1002, 18, 12)
	run := func(p predicate) []position.SCN {
		f := newFake(a, b)
		f.selects = p
		from := position.Boundary{SCN: 1000, Marks: []position.Mark{{Thread: 1, Log: 18}}}
		var got []position.SCN
		for i, bound := range []position.SCN{1003, 1010} {
			if i == 1 {
				f.records = append(f.records, late)
			}
			mark, _ := from.Mark(1)
			plan := openPlan(from.SCN, mark.Address, bound)
			rows, result, err := mine(t.Context(), f, Request{Plan: plan, Filter: testFilter()})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				got = append(got, r.SCN)
			}
			from = plan.After(result.Addresses)
		}
		return got
	}
	if got := fmt.Sprint(run(bothHalves)); got != "[1001 1002 1005]" {
		t.Errorf("both halves deliver %s", got)
	}
	if got := fmt.Sprint(run(addressOnly)); got != "[1001 1002]" {
		t.Errorf("by address alone row A should be lost, got %s", got)
	}
	if got := fmt.Sprint(run(scnOnly)); got != "[1001 1005]" {
		t.Errorf("by SCN alone the late row should be lost, got %s", got)
	}
}

func TestR4MarkIsTheGreatestAddressNotTheLast(t *testing.T) {
	rollback := insert(1004, 0, 0)
	rollback.Operation, rollback.Address = Rollback, position.RBA{}
	other := insert(1005, 18, 7)
	other.Operation, other.ObjectID = Commit, 0
	for name, tc := range map[string]struct {
		records []record
		want    uint32
	}{
		"rows at 9 and 5":                      {[]record{insert(1001, 18, 9), insert(1002, 18, 5)}, 9},
		"a COMMIT of another table":            {[]record{insert(1001, 18, 5), other}, 7},
		"a ROLLBACK without address":           {[]record{insert(1001, 18, 9), rollback}, 9},
		"nothing":                              {nil, 4},
		"a mark never goes back":               {[]record{insert(1001, 18, 2)}, 4},
		"only a ROLLBACK without address left": {[]record{rollback}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			plan := openPlan(1000, position.RBA{Sequence: 18, Block: 4}, 1010)
			_, result, err := mine(t.Context(), newFake(tc.records...), Request{Plan: plan, Filter: testFilter()})
			if err != nil {
				t.Fatal(err)
			}
			if m, _ := plan.After(result.Addresses).Mark(1); m.Address.Block != tc.want {
				t.Errorf("mark %s, want block %d", m.Address, tc.want)
			}
		})
	}
}

func TestR5RowsThatShareAnAddressAreAllDelivered(t *testing.T) {
	begin := insert(1001, 18, 5)
	begin.Operation = Start
	records := []record{begin, insert(1001, 18, 5)} // equal RS_ID and SSN (reference logminer O scene 1)
	for i := range 50 {
		r := insert(1002+position.SCN(i%2)*2, 18, 6) // array DML: one RS_ID, SCNs on both sides of the bound
		r.SSN = int64(i)
		records = append(records, r)
	}
	f := newFake(records...)
	plan := openPlan(1000, position.RBA{}, 1003)
	first, result, err := mine(t.Context(), f, Request{Plan: plan, Filter: testFilter()})
	if err != nil {
		t.Fatal(err)
	}
	after := plan.After(result.Addresses)
	mark, _ := after.Mark(1)
	second, _, err := mine(t.Context(), f, Request{Plan: openPlan(after.SCN, mark.Address, 1010), Filter: testFilter()})
	if err != nil {
		t.Fatal(err)
	}
	if len(first) != 27 || len(second) != 25 {
		t.Errorf("%d and %d rows, want 27 and 25", len(first), len(second))
	}
}

// redo is a random redo stream: logs are written and switched, rows arrive late with old SCNs, archived logs are purged.
type redo struct {
	fake    *fake
	logs    []redolog.Log // of thread 1
	now     position.SCN
	block   uint32
	readers *redolog.Pace
	from    position.Boundary
	got     map[position.RBA]int
	steps   int
}

func newRedo(p predicate, byAddress bool) *redo {
	r := &redo{fake: newFake(), now: 1000, readers: redolog.NewPace(8), got: map[position.RBA]int{}}
	r.fake.selects, r.fake.byAddress = p, byAddress
	r.logs = []redolog.Log{{Thread: 1, Sequence: 1, First: 1000, Next: position.Unlimited, Name: fileName(1, 1), Group: 1}}
	r.from = position.Boundary{SCN: 0, Marks: []position.Mark{{Thread: 1, Log: 1}}}
	return r
}

func (r *redo) current() *redolog.Log { return &r.logs[len(r.logs)-1] }

// write appends a row to the current log with an SCN of the past that still belongs to the log (K2, K3).
func (r *redo) write(age position.SCN) {
	scn := r.current().First
	if r.now-scn > age {
		scn = r.now - age
	}
	r.block++
	r.fake.records = append(r.fake.records, insert(scn, r.current().Sequence, r.block))
}

func (r *redo) advance(by position.SCN) { r.now += by }

func (r *redo) rotate() {
	r.now++
	c := r.current()
	c.Next, c.Group = r.now, 0
	next := redolog.Log{Thread: 1, Sequence: c.Sequence + 1, First: r.now, Next: position.Unlimited, Group: 1}
	next.Name = fileName(1, next.Sequence)
	r.logs = append(r.logs, next)
}

// purge deletes every log that the boundary does not need.
func (r *redo) purge() {
	m, _ := r.from.Mark(1)
	for len(r.logs) > 1 && r.logs[0].Sequence < m.Log {
		r.logs = r.logs[1:]
	}
}

func (r *redo) step(ctx context.Context, reading position.SCN) error {
	inv := redolog.Inventory{Threads: []redolog.Thread{{ID: 1, Open: true, Logs: r.logs}}}
	plan, err := inv.Plan(r.from, max(reading, r.from.SCN), r.readers.Logs())
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	rows, result, err := mine(ctx, r.fake, Request{Plan: plan, Filter: testFilter()})
	if err != nil {
		return err
	}
	for _, row := range rows {
		r.got[row.Address]++
	}
	next := plan.After(result.Addresses)
	if !r.from.Within(next) {
		return fmt.Errorf("boundary %v after %v", next, r.from)
	}
	r.from = next
	r.readers.Succeeded(plan)
	r.steps++
	return nil
}

// missed counts rows that were not delivered exactly once.
func (r *redo) missed() (lost, twice int) {
	for i := range r.fake.records {
		switch n := r.got[r.fake.records[i].Address]; {
		case n == 0:
			lost++
		case n > 1:
			twice++
		}
	}
	return lost, twice
}

// play runs one random schedule to its end.
func (r *redo) play(t *rapid.T, ctx context.Context) {
	small := rapid.Bool().Draw(t, "small")
	stride := position.SCN(30_000) // logs far apart, so that they fall out of the margin
	if small {
		stride = 20
	}
	ops := rapid.SliceOfN(rapid.IntRange(0, 9), 1, 60).Draw(t, "ops")
	for _, op := range ops {
		switch op {
		case 0, 1, 2, 3:
			r.write(position.SCN(rapid.Uint64Range(0, uint64(stride)).Draw(t, "age")))
		case 4, 5:
			r.advance(position.SCN(rapid.Uint64Range(1, uint64(stride)).Draw(t, "by")))
		case 6:
			r.rotate()
		case 7:
			r.purge()
		default:
			reading := r.now - min(r.now-1000, position.SCN(rapid.Uint64Range(0, uint64(stride)).Draw(t, "hold back")))
			if err := r.step(ctx, reading); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.advance(1)
	for range len(r.logs) + 2 {
		if err := r.step(ctx, r.now); err != nil {
			t.Fatal(err)
		}
	}
}

func TestR3AnyCutsDeliverEveryRowOnce(t *testing.T) {
	ctx := t.Context()
	rapid.Check(t, func(t *rapid.T) {
		r := newRedo(bothHalves, rapid.Bool().Draw(t, "delivered in address order"))
		r.play(t, ctx)
		if lost, twice := r.missed(); lost > 0 || twice > 0 {
			t.Fatalf("%d rows lost, %d twice, of %d in %d steps", lost, twice, len(r.fake.records), r.steps)
		}
	})
}

// The same schedules must notice when either half of the predicate is missing; otherwise the test above proves nothing.
func TestR3MutantsOfThePredicateLoseRows(t *testing.T) {
	for name, p := range map[string]predicate{"address only": addressOnly, "SCN only": scnOnly} {
		t.Run(name, func(t *testing.T) {
			lost := 0
			schedules := rapid.Custom(func(rt *rapid.T) int {
				r := newRedo(p, false)
				r.play(rt, t.Context())
				n, _ := r.missed()
				return n
			})
			for seed := range 60 {
				lost += schedules.Example(seed)
			}
			if lost == 0 {
				t.Error("no schedule lost a row")
			}
		})
	}
}

func TestR6LogsWithoutCapturedRowsAreLeftBehind(t *testing.T) {
	r := newRedo(bothHalves, false)
	r.write(0)
	for range 10 {
		r.advance(50_000)
		r.rotate()
	}
	for range 20 {
		if err := r.step(t.Context(), r.now); err != nil {
			t.Fatal(err)
		}
	}
	r.purge()
	if len(r.logs) > 2 {
		t.Errorf("%d logs are still needed: %v", len(r.logs), r.logs)
	}
	if err := r.step(t.Context(), r.now); err != nil {
		t.Errorf("after all old logs were deleted: %v", err)
	}
}
