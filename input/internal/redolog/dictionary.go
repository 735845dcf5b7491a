package redolog

import (
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Build is a copy of the dictionary that DBMS_LOGMNR_D.BUILD put into the redo, by the logs of its first and its last record.
type Build struct{ First, Last Log }

// String names the build by its logs.
func (b Build) String() string {
	if b.First.Sequence == b.Last.Sequence {
		return b.First.String()
	}
	return fmt.Sprintf("%s to %d", b.First, b.Last.Sequence)
}

// NoReplayError says why a step cannot be mined with the dictionary of its time.
type NoReplayError struct {
	// Why goes behind what was wrong with the rows, Do says what the operator does about it; empty: as the code says.
	Why, Do string
}

func (e *NoReplayError) Error() string { return e.Why }

// builds lists the complete copies of the dictionary in the logs of a thread, the oldest first, wherever their files are.
func (t Thread) builds() (found []Build) {
	begun := -1
	for i, l := range t.Logs {
		if i > 0 && t.Logs[i-1].Sequence+1 != l.Sequence {
			begun = -1 // nobody knows what the logs in between hold
		}
		switch {
		case l.DictionaryBegins && l.DictionaryEnds:
			// A copy ends with a log switch: this is one, whatever was begun before and broken off.
			found, begun = append(found, Build{l, l}), -1
		case l.DictionaryBegins:
			begun = i
		case l.DictionaryEnds && begun >= 0:
			found, begun = append(found, Build{t.Logs[begun], l}), -1
		}
	}
	return found
}

// Replay gives a step of the inventory as it is mined with a dictionary from the redo: the newest copy that is complete before the first
// record that the step reads, and every log of every thread from its begin on, none of which may be missing (reference logminer A.3,
// G.4). What the step delivers stays the same: bounds, region and the range that LogMiner reads (R6, R7). The error is a *NoReplayError.
func (inv Inventory) Replay(step Step) (Step, Build, error) {
	var build Build
	none := true
	for _, t := range inv.Threads {
		for _, b := range t.builds() {
			if b.Last.Closed() && b.Last.Next <= step.StartSCN && (none || b.First.First > build.First.First) {
				build, none = b, false
			}
		}
	}
	if none {
		return Step{}, Build{}, &NoReplayError{
			Why: fmt.Sprintf("no copy of the dictionary (DBMS_LOGMNR_D.BUILD) that ends below SCN %s is in the archived logs", step.StartSCN),
		}
	}
	start := step.StartSCN
	step.Logs, step.StartSCN, step.Tail = nil, build.First.First, false
	for _, t := range step.threads {
		if missing, ok := t.missingFrom(build.First.First, step.Bound); ok {
			return Step{}, Build{}, &NoReplayError{
				Why: fmt.Sprintf("the archived log of %s is gone, which lies between the last copy of the dictionary (%s) and the row", name(t.ID, missing), build),
				Do:  "restore the archived log named and restart; without it, begin anew with a new topic_prefix, or exclude the table",
			}
		}
		if err := step.chooseThread(t); err != nil {
			return Step{}, Build{}, fmt.Errorf("logs behind the dictionary of %s: %w", build, err)
		}
	}
	step.StartSCN = start
	return step, build, nil
}

// missingFrom finds the first log without a file among those that hold redo from an SCN up to a bound.
func (t Thread) missingFrom(from, bound position.SCN) (uint32, bool) {
	at := slices.IndexFunc(t.Logs, func(l Log) bool { return l.Next > from })
	if at < 0 {
		return 0, false
	}
	expected := t.Logs[at].Sequence
	for _, l := range t.Logs[at:] {
		if l.First > bound {
			break
		}
		if l.Sequence != expected || l.Name == "" {
			return expected, true
		}
		expected++
	}
	return 0, false
}

// Built reports whether the newest copy of the dictionary could serve a step to come: every log from its begin on is there.
func (inv Inventory) Built() bool {
	for _, t := range inv.Threads {
		builds := t.builds()
		if len(builds) == 0 {
			continue
		}
		from := builds[len(builds)-1].First.First
		if !slices.ContainsFunc(inv.Threads, func(other Thread) bool {
			_, missing := other.missingFrom(from, position.Unlimited)
			return missing
		}) {
			return true
		}
	}
	return false
}
