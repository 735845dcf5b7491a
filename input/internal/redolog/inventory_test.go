package redolog

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// closed and open make logs; a name beginning with "online" belongs to a group.
func closed(sequence uint32, first, next position.SCN) Log {
	return Log{Thread: 1, Sequence: sequence, First: first, Next: next, Name: fmt.Sprintf("arc%d", sequence)}
}

func online(sequence uint32, first, next position.SCN, group int) Log {
	return Log{Thread: 1, Sequence: sequence, First: first, Next: next, Name: fmt.Sprintf("online%d", group), Group: group}
}

func inventory(logs ...Log) Inventory {
	return Inventory{Threads: []Thread{{ID: 1, Open: true, Logs: logs}}}
}

func at(scn position.SCN, log uint32) position.Boundary {
	return position.Boundary{SCN: scn, Marks: []position.Mark{{Thread: 1, Log: log}}}
}

func TestArchivedCopyWinsOverTheOnlineLog(t *testing.T) {
	gone := closed(9, 900, 1000)
	gone.Name = ""
	purged := closed(8, 800, 900)
	purged.Name = ""
	got := build([]oracle.Thread{{ID: 1, Open: true, Enabled: true}, {ID: 2}},
		[]Log{online(9, 900, 1000, 1), online(10, 1000, 1100, 2), online(11, 1100, position.Unlimited, 3)},
		[]Log{gone, closed(10, 1000, 1100), purged})
	want := inventory(purged, online(9, 900, 1000, 1), closed(10, 1000, 1100), online(11, 1100, position.Unlimited, 3))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestARestoredCopyWinsOverADeletedOne(t *testing.T) {
	deleted, restored := closed(10, 1000, 1100), closed(10, 1000, 1100)
	deleted.Name = ""
	for _, logs := range [][]Log{{deleted, restored}, {restored, deleted}} {
		if got := build(nil, nil, logs); got.Threads[0].Logs[0].Name == "" {
			t.Errorf("%v", got)
		}
	}
}

func TestContinuityIsBySequence(t *testing.T) {
	// After an instance restart the next log begins above the end of the one before (reference logminer N 69).
	inv := inventory(closed(10, 1000, 1100), closed(11, 1500, 1600), online(12, 1600, position.Unlimited, 1))
	step, err := inv.Plan(at(1000, 10), 1700, 8)
	if err != nil || len(step.Logs) != 3 {
		t.Errorf("%+v, %v", step, err)
	}
}

func TestMissingLogs(t *testing.T) {
	purged := closed(11, 1100, 1200)
	purged.Name = ""
	current := online(14, 1400, position.Unlimited, 1)
	added := current // its group was added between the readings of V$LOGFILE and V$LOG
	added.Name = ""
	for name, tc := range map[string]struct {
		inv   Inventory
		from  position.Boundary
		class oracle.Class
		code  stop.Code
	}{
		"deleted archived log":                 {inventory(closed(10, 1000, 1100), purged, closed(12, 1200, 1300)), at(1150, 11), oracle.Stop, stop.RedoPurged},
		"not listed any more":                  {inventory(closed(12, 1200, 1300), closed(13, 1300, 1400), current), at(1150, 11), oracle.Stop, stop.RedoPurged},
		"a hole with logs on both sides":       {inventory(closed(10, 1000, 1100), closed(12, 1200, 1300), closed(13, 1300, 1400), current), at(1100, 11), oracle.Stop, stop.RedoGap},
		"a switch under way before the newest": {inventory(closed(12, 1200, 1300), current), at(1300, 13), oracle.ReMine, stop.RedoGap},
		"a switch under way behind the newest": {inventory(closed(12, 1200, 1300), closed(13, 1300, 1400)), at(1400, 14), oracle.ReMine, stop.RedoGap},
		"an online log without a file yet":     {inventory(closed(12, 1200, 1300), closed(13, 1300, 1400), added), at(1400, 14), oracle.ReMine, stop.RedoGap},
		"the thread is gone":                   {Inventory{}, at(1400, 14), oracle.Stop, stop.Identity},
	} {
		t.Run(name, func(t *testing.T) {
			step, err := tc.inv.Plan(tc.from, 2000, 8)
			if err == nil {
				t.Fatalf("planned %+v", step)
			}
			if class, typed := oracle.Classify(err); class != tc.class || typed.Code != tc.code {
				t.Errorf("%s, %v", class, err)
			}
		})
	}
}

func TestLogsBeforeAHoleAreMinedFirst(t *testing.T) {
	inv := inventory(closed(10, 20_000, 50_000), closed(11, 50_000, 90_000), closed(13, 150_000, 190_000), closed(14, 190_000, 200_000))
	from := at(20_000, 10)
	for i, want := range []position.SCN{49_999, 89_999} {
		step, err := inv.Plan(from, 300_000, 1)
		if err != nil || step.Bound != want {
			t.Fatalf("step %d: bound %s, %v", i, step.Bound, err)
		}
		from = step.After(nil)
	}
	if _, err := inv.Plan(from, 300_000, 1); !stop.Is(err, stop.RedoGap) {
		t.Errorf("at the hole: %v", err)
	}
}

func TestR10OnlineLogsMustNotHaveBeenReused(t *testing.T) {
	inv := inventory(closed(10, 1000, 1100), online(11, 1100, 1200, 1), online(12, 1200, position.Unlimited, 2))
	step, err := inv.Plan(at(1000, 10), 1300, 8)
	if err != nil {
		t.Fatal(err)
	}
	same := []Log{online(11, 1100, 1200, 1), online(12, 1200, 1250, 2), online(13, 1250, position.Unlimited, 3)}
	if err := step.verify(same); err != nil {
		t.Errorf("a switch without reuse: %v", err)
	}
	renamed := online(11, 1100, 1200, 1)
	renamed.Name = "other member"
	for name, now := range map[string][]Log{
		"overwritten":    {online(14, 1400, position.Unlimited, 1), online(12, 1200, 1250, 2)},
		"dropped":        {online(12, 1200, position.Unlimited, 2)},
		"another member": {renamed, online(12, 1200, position.Unlimited, 2)},
	} {
		err := step.verify(now)
		if class, typed := oracle.Classify(err); class != oracle.ReMine || typed.Code != stop.StepFailed || oracle.Retries(err) != 2 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestR89StartReachesBackIntoTheMargin(t *testing.T) {
	inv := inventory(closed(10, 10_000, 40_000), closed(11, 40_000, 80_000), online(12, 80_000, position.Unlimited, 1))
	for name, tc := range map[string]struct {
		scn  position.SCN
		want uint32
	}{
		"in the middle of a log":       {60_000, 11},
		"within the margin of a begin": {45_000, 10},
		"at a begin":                   {80_000, 11},
		"in the current log":           {99_999, 12},
	} {
		marks, err := inv.Start(tc.scn)
		if err != nil || len(marks) != 1 || marks[0].Log != tc.want || !marks[0].Address.IsZero() {
			t.Errorf("%s: %+v, %v", name, marks, err)
		}
	}
	if _, err := inv.Start(5_000); !stop.Is(err, stop.RedoPurged) {
		t.Errorf("before the oldest log: %v", err)
	}
	first := inventory(online(1, 10_000, position.Unlimited, 1))
	if marks, err := first.Start(5_000); err != nil || marks[0].Log != 1 {
		t.Errorf("before the first log of the incarnation: %+v, %v", marks, err)
	}
}

func TestColumnsOfALog(t *testing.T) {
	for name, tc := range map[string]struct {
		next oracle.Text
		want position.SCN
	}{
		"current since 12.2":  {"18446744073709551615", position.Unlimited},
		"current before 12.2": {"281474976710655", position.Unlimited},
		"null":                {"", position.Unlimited},
		"closed":              {"1100", 1100},
	} {
		var l Log
		if err := l.parse("1", "10", "1000", tc.next); err != nil || l.Next != tc.want || l.Closed() != (tc.want == 1100) {
			t.Errorf("%s: %+v, %v", name, l, err)
		}
	}
	var l Log
	if err := l.parse("1", "10", "x", "1100"); err == nil {
		t.Error("FIRST_CHANGE# that is no number is taken")
	}
}
