package redolog

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func sequences(s Step) []uint32 {
	var got []uint32
	for _, l := range s.Logs {
		got = append(got, l.Sequence)
	}
	return got
}

func TestR6FirstLogFollowsTheInventory(t *testing.T) {
	far := inventory(closed(10, 10_000, 40_000), closed(11, 40_000, 80_000), online(12, 80_000, position.Unlimited, 1))
	for name, tc := range map[string]struct {
		reading position.SCN
		want    uint32
	}{
		"closed and outside the margin":   {95_000, 12},
		"closed but reaching into it":     {85_000, 11},
		"exactly at the margin is behind": {90_000, 12},
	} {
		step, err := far.Plan(at(79_999, 10), tc.reading, 8)
		if err != nil {
			t.Fatal(err)
		}
		if m, _ := step.After(nil).Mark(1); m.Log != tc.want {
			t.Errorf("%s: first log %d, want %d", name, m.Log, tc.want)
		}
	}
}

func TestR6StartIsTheBeginOfTheFirstLog(t *testing.T) {
	inv := inventory(closed(10, 10_000, 40_000), online(11, 40_000, position.Unlimited, 1))
	step, err := inv.Plan(at(45_000, 10), 60_000, 8)
	if err != nil || step.StartSCN != 10_000 {
		t.Errorf("start %s, %v", step.StartSCN, err)
	}
}

func TestR7ReadsPastBothEnds(t *testing.T) {
	inv := inventory(closed(10, 10_000, 40_000), closed(11, 40_000, 41_000), closed(12, 41_000, 90_000), online(13, 90_000, position.Unlimited, 1))
	step, err := inv.Plan(at(10_000, 10), 200_000, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The bound is the end of log 10; the log behind it is read too, and the end is clipped into it.
	if got := sequences(step); len(got) != 2 || got[1] != 11 || step.Bound != 39_999 || step.EndSCN != 40_999 || step.Tail {
		t.Errorf("logs %v, bound %s, end %s, tail %t", got, step.Bound, step.EndSCN, step.Tail)
	}
	step, err = inv.Plan(at(95_000, 12), 120_000, 1)
	if err != nil || step.EndSCN != 130_000 || !step.Tail {
		t.Errorf("at the tail: end %s, tail %t, %v", step.EndSCN, step.Tail, err)
	}
}

// A log that is still written to and begins above the bound is read for the margin alone: it holds no row of the step, so what the step
// delivers is final and need not be read again (R8).
func TestR8StepBelowTheOpenLogIsFinal(t *testing.T) {
	inv := inventory(closed(10, 10_000, 40_000), online(11, 40_000, position.Unlimited, 1))
	for _, tc := range []struct{ reading, bound position.SCN }{{39_000, 39_000}, {60_000, 39_999}} {
		step, err := inv.Plan(at(20_000, 10), tc.reading, 8)
		if err != nil || step.Bound != tc.bound || step.Tail || len(step.Logs) != 2 {
			t.Errorf("reading %s: logs %v, bound %s, tail %t, %v", tc.reading, sequences(step), step.Bound, step.Tail, err)
		}
	}
	step, err := inv.Plan(at(39_999, 10), 40_000, 8)
	if err != nil || step.Bound != 40_000 || !step.Tail {
		t.Errorf("the first row of the open log: bound %s, tail %t, %v", step.Bound, step.Tail, err)
	}
	// The open log of another thread reaches below the bound.
	inv = inventory(closed(10, 10_000, 40_000), online(11, 40_000, position.Unlimited, 1))
	inv.Threads = append(inv.Threads, Thread{ID: 2, Open: true, Logs: []Log{{Thread: 2, Sequence: 5, First: 15_000, Next: position.Unlimited, Name: "t2_5.log"}}})
	step, err = inv.Plan(at(20_000, 10), 60_000, 8)
	if err != nil || step.Bound != 39_999 || !step.Tail {
		t.Errorf("two threads: bound %s, tail %t, %v", step.Bound, step.Tail, err)
	}
}

// R100: what is late lies in a log that was not closed, on any thread.
func TestR100FloorIsTheBeginOfTheFirstOpenLog(t *testing.T) {
	for name, tc := range map[string]struct {
		logs    []Log
		reading position.SCN
		most    int
		want    position.SCN
	}{
		"at the tail":                  {[]Log{online(10, 10_000, position.Unlimited, 1)}, 60_000, 8, 10_000},
		"behind, in closed logs":       {[]Log{closed(10, 10_000, 40_000), closed(11, 40_000, 50_000), online(12, 50_000, position.Unlimited, 1)}, 60_000, 1, 39_999},
		"the open log above the bound": {[]Log{closed(10, 10_000, 40_000), online(11, 40_000, position.Unlimited, 1)}, 39_000, 8, 39_000},
	} {
		step, err := inventory(tc.logs...).Plan(at(20_000, 10), tc.reading, tc.most)
		if err != nil || step.Floor() != tc.want {
			t.Errorf("%s: floor %s, %v; want %s", name, step.Floor(), err, tc.want)
		}
	}
}

func TestR12BoundsWhileBehind(t *testing.T) {
	inv := inventory(closed(10, 10_000, 40_000), closed(11, 40_000, 80_000), closed(12, 80_000, 90_000), online(13, 90_000, position.Unlimited, 1))
	for _, tc := range []struct {
		logs int
		want position.SCN
	}{{1, 39_999}, {2, 79_999}, {3, 89_999}, {8, 89_999}} {
		step, err := inv.Plan(at(10_000, 10), 200_000, tc.logs)
		if err != nil || step.Bound != tc.want {
			t.Errorf("%d logs: bound %s, want %s, %v", tc.logs, step.Bound, tc.want, err)
		}
	}
	// A switch just before the reading: the bound lies inside the closed log (R1).
	step, err := inv.Plan(at(10_000, 10), 30_000, 1)
	if err != nil || step.Bound != 30_000 {
		t.Errorf("bound %s, %v", step.Bound, err)
	}
}

func TestR12TwoThreadsOfDifferentPace(t *testing.T) {
	thread := func(id int, logs ...Log) Thread {
		for i := range logs {
			logs[i].Thread = id
		}
		return Thread{ID: id, Open: true, Logs: logs}
	}
	inv := Inventory{Threads: []Thread{
		thread(1, closed(10, 10_000, 20_000), closed(11, 20_000, 30_000), online(12, 30_000, position.Unlimited, 1)),
		thread(2, closed(5, 5_000, 100_000), online(6, 100_000, position.Unlimited, 2)),
	}}
	from := position.Boundary{SCN: 12_000, Marks: []position.Mark{{Thread: 1, Log: 10}, {Thread: 2, Log: 5}}}
	step, err := inv.Plan(from, 200_000, 1)
	if err != nil || step.Bound != 19_999 || step.StartSCN != 5_000 {
		t.Errorf("bound %s, start %s, %v", step.Bound, step.StartSCN, err)
	}
	// A closed thread bounds nothing once it is read to its end.
	inv.Threads[1].Open = false
	inv.Threads[1].Logs = inv.Threads[1].Logs[:1]
	from = position.Boundary{SCN: 120_000, Marks: []position.Mark{{Thread: 1, Log: 12}, {Thread: 2, Log: 6}}}
	step, err = inv.Plan(from, 200_000, 1)
	if err != nil || step.Bound != 200_000 || len(step.Logs) != 2 {
		t.Errorf("bound %s, logs %v, %v", step.Bound, step.Logs, err)
	}
}

func TestR124BoundRegression(t *testing.T) {
	inv := inventory(online(10, 1000, position.Unlimited, 1))
	_, err := inv.Plan(at(2000, 10), 1999, 1)
	if class, typed := oracle.Classify(err); class != oracle.Reconnect || typed.Code != stop.Identity {
		t.Errorf("%s, %v", class, err)
	}
	if step, err := inv.Plan(at(2000, 10), 2000, 1); err != nil || step.Bound != 2000 {
		t.Errorf("the same SCN again: %v", err)
	}
}

func TestR121AMarkInAPurgedLogIsHarmless(t *testing.T) {
	inv := inventory(online(13, 90_000, position.Unlimited, 1))
	from := position.Boundary{SCN: 120_000, Marks: []position.Mark{{Thread: 1, Address: position.RBA{Sequence: 10, Block: 5}, Log: 13}}}
	if _, err := inv.Plan(from, 130_000, 1); err != nil {
		t.Error(err)
	}
}

func TestR12Pace(t *testing.T) {
	p := NewPace(8)
	var got []int
	for range 5 {
		got = append(got, p.Logs())
		p.Succeeded(Step{})
	}
	p.Failed()
	got = append(got, p.Logs())
	p.Succeeded(Step{Tail: true})
	got = append(got, p.Logs())
	want := []int{1, 2, 4, 8, 8, 4, 1}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("logs per step %v, want %v", got, want)
		}
	}
}

// thread draws a thread's logs: an unbroken chain with jumps, the last one open.
func drawThread(t *rapid.T, id int) Thread {
	scn := position.SCN(rapid.Uint64Range(1, 50_000).Draw(t, "begin"))
	var logs []Log
	n := rapid.IntRange(1, 8).Draw(t, "logs")
	for i := range n {
		l := Log{Thread: id, Sequence: uint32(10 + i), First: scn, Name: "f"}
		l.Next = scn + position.SCN(rapid.SampledFrom([]uint64{2, 50, 9_000, 60_000}).Draw(t, "span"))
		scn = l.Next
		if rapid.IntRange(0, 9).Draw(t, "restart") == 0 {
			scn += 5_000
		}
		if i == n-1 {
			l.Next, l.Group = position.Unlimited, 1
		}
		logs = append(logs, l)
	}
	return Thread{ID: id, Open: true, Logs: logs}
}

// Whatever the logs: every step moves on or is at the reading, boundaries nest, and what LogMiner is told to read covers
// what the step owns, with the margin where there is one (R2, R6, R7, R12).
func TestR2R6R7R12PlansCoverWhatTheyOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inv := Inventory{Threads: []Thread{drawThread(t, 1)}}
		if rapid.Bool().Draw(t, "two threads") {
			inv.Threads = append(inv.Threads, drawThread(t, 2))
		}
		oldest, newest := position.SCN(0), position.SCN(0)
		for _, thread := range inv.Threads {
			oldest = max(oldest, thread.Logs[0].First)
			newest = max(newest, thread.Logs[len(thread.Logs)-1].First)
		}
		reading := newest + position.SCN(rapid.Uint64Range(0, 30_000).Draw(t, "reading"))
		marks, err := inv.Start(min(oldest, reading))
		if err != nil {
			t.Fatal(err)
		}
		from := position.Boundary{SCN: oldest - 1, Marks: marks}
		for range 60 {
			step, err := inv.Plan(from, reading, rapid.IntRange(1, 4).Draw(t, "logs per step"))
			if err != nil {
				t.Fatal(err)
			}
			checkStep(t, inv, step, reading)
			next := step.After(nil)
			if !from.Within(next) {
				t.Fatalf("boundary %v after %v", next, from)
			}
			for _, m := range next.Marks {
				was, _ := from.Mark(m.Thread)
				// What is left behind is closed and outside the margin (R6, R120).
				for _, l := range step.Logs {
					if l.Thread == m.Thread && l.Sequence >= was.Log && l.Sequence < m.Log && (!l.Closed() || l.Next > below(step.Bound)) {
						t.Fatalf("log %s is left behind at bound %s", l, step.Bound)
					}
				}
			}
			from = next
			if from.SCN == reading {
				return
			}
		}
		t.Fatalf("the reading %s is not reached: %v", reading, from)
	})
}

func checkStep(t *rapid.T, inv Inventory, step Step, reading position.SCN) {
	if step.Bound > reading || step.Bound < step.From.SCN || step.Bound == step.From.SCN && step.Bound != reading {
		t.Fatalf("bound %s from %s with reading %s", step.Bound, step.From.SCN, reading)
	}
	if step.EndSCN < step.Bound || step.EndSCN <= step.StartSCN {
		t.Fatalf("range %s to %s for bound %s", step.StartSCN, step.EndSCN, step.Bound)
	}
	for _, thread := range inv.Threads {
		for _, l := range thread.Logs {
			_, chosen := step.Log(thread.ID, l.Sequence)
			needed := l.Next > step.StartSCN && l.First <= step.Bound
			if needed && !chosen {
				t.Fatalf("log %s is not read: %v", l, step.Logs)
			}
		}
	}
	seen := map[Log]bool{}
	for _, l := range step.Logs {
		if seen[l] {
			t.Fatalf("log %s is added twice", l)
		}
		seen[l] = true
	}
}
