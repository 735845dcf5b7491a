package redolog

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// copies marks logs of sequences 1, 2, ... by a letter each: b begins a copy of the dictionary, e ends one, w is a whole one, x is gone; a
// log has 100,000 SCNs.
func copies(marks string) Inventory {
	var logs []Log
	for i, m := range marks {
		l := closed(uint32(i+1), position.SCN(i+1)*100_000, position.SCN(i+2)*100_000)
		l.DictionaryBegins, l.DictionaryEnds = m == 'b' || m == 'w', m == 'e' || m == 'w'
		if m == 'x' {
			l.Name = ""
		}
		logs = append(logs, l)
	}
	return inventory(logs...)
}

// R45: the newest copy that is complete below the step, with every log from its begin on; what the step reads stays the same.
func TestR45ReplayBeginsWithTheNewestCompleteCopyBelowTheStep(t *testing.T) {
	const step = position.SCN(650_000) // in log 6, behind its begin and the margin
	for name, tt := range map[string]struct {
		marks string
		want  []uint32
		says  string
	}{
		"one log":                       {"..w....", []uint32{3, 4, 5, 6, 7}, ""},
		"several logs":                  {".b.e...", []uint32{2, 3, 4, 5, 6, 7}, ""},
		"the newest":                    {"w..w...", []uint32{4, 5, 6, 7}, ""},
		"the log just below":            {"....w..", []uint32{5, 6, 7}, ""},
		"in the step's own log":         {".....w.", nil, "no copy of the dictionary"},
		"complete in the step only":     {"....be.", nil, "no copy of the dictionary"},
		"begun only":                    {"..b....", nil, "no copy of the dictionary"},
		"broken off, then a whole one":  {"b..w...", []uint32{4, 5, 6, 7}, ""},
		"broken off, then begun again":  {"b.be...", []uint32{3, 4, 5, 6, 7}, ""},
		"ended without a begin":         {"..e....", nil, "no copy of the dictionary"},
		"none":                          {".......", nil, "no copy of the dictionary"},
		"a log between is gone":         {"..w.x..", nil, "sequence 5 is gone"},
		"a log of the copy is gone":     {"bxe....", nil, "sequence 2 is gone"},
		"what is gone lies before":      {"x.w....", []uint32{3, 4, 5, 6, 7}, ""},
		"later copies in it are no use": {"..w...w", []uint32{3, 4, 5, 6, 7}, ""},
	} {
		inv := copies(tt.marks)
		plan, err := inv.Plan(at(step, 6), step+10, 8)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := inv.Replay(plan)
		var refused *NoReplayError
		if tt.says != "" {
			if !errors.As(err, &refused) || !strings.Contains(refused.Why, tt.says) {
				t.Errorf("%s: %v, want a refusal that says %q", name, err, tt.says)
			}
			continue
		}
		if err != nil || !slices.Equal(sequences(got), tt.want) {
			t.Errorf("%s: logs %v, %v, want %v", name, sequences(got), err, tt.want)
		}
		if got.StartSCN != plan.StartSCN || got.EndSCN != plan.EndSCN || got.Bound != plan.Bound || got.Tail != plan.Tail {
			t.Errorf("%s: the step became another one: %s to %s, bound %s, was %s to %s, %s", name,
				got.StartSCN, got.EndSCN, got.Bound, plan.StartSCN, plan.EndSCN, plan.Bound)
		}
		before, _ := plan.After(nil).Mark(1)
		if after, _ := got.After(nil).Mark(1); after != before {
			t.Errorf("%s: the boundary behind it is %+v, was %+v", name, after, before)
		}
	}
}

// A sequence that is not listed any more is missing like one whose file is gone.
func TestR45LogThatIsNotListedIsMissing(t *testing.T) {
	inv := copies("w......")
	inv.Threads[0].Logs = slices.Delete(inv.Threads[0].Logs, 2, 3)
	plan, err := inv.Plan(at(650_000, 6), 650_010, 8)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err = inv.Replay(plan); err == nil || !strings.Contains(err.Error(), "sequence 3 is gone") {
		t.Errorf("%v", err)
	}
}

// R45: a copy is written at the start unless the logs hold one that can be used.
func TestR45CopyThatCanBeUsedLater(t *testing.T) {
	for marks, want := range map[string]bool{
		"..w...": true, "b.e...": true, "......": false, "..b...": false, "..w.x.": false, "..wx..": false, "x.w...": true, "w.x..w": true, "w.x..b": false,
	} {
		if got := copies(marks).Built(); got != want {
			t.Errorf("%s: %t", marks, got)
		}
	}
}

// Only archived logs say what they hold of a dictionary; the online file of the same log may be all that is left to read.
func TestR45DictionaryOfALogThatIsReadOnline(t *testing.T) {
	gone := closed(1, 100, 200)
	gone.Name, gone.DictionaryBegins, gone.DictionaryEnds = "", true, true
	inv := build([]oracle.Thread{{ID: 1, Open: true, Enabled: true}}, []Log{online(1, 100, 200, 1), online(2, 200, position.Unlimited, 2)}, []Log{gone})
	if l := inv.Threads[0].Logs[0]; !l.DictionaryBegins || !l.DictionaryEnds || l.Name == "" {
		t.Errorf("%+v", l)
	}
	if !inv.Built() {
		t.Error("the copy counts for nothing")
	}
}
