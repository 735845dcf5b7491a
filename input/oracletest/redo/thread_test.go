package redo

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ofInstance(instance int) *Record {
	r := insert(10)
	r.Origin.Instance = instance
	return r
}

// Reference logminer A.7: every instance has a thread with its own sequences; equal sequence numbers are normal.
func TestThreadsHaveTheirOwnLogs(t *testing.T) {
	s := open(t, Config{Threads: 2, Groups: 2})
	one, two := ofInstance(1), ofInstance(2)
	appendAll(t, s, one)
	appendAll(t, s, two)
	if one.Thread != 1 || two.Thread != 2 || one.RBA != two.RBA || two.SCN <= one.SCN {
		t.Errorf("%d %s %d, %d %s %d", one.Thread, one.RBA, one.SCN, two.Thread, two.RBA, two.SCN)
	}
	if err := s.SwitchThread(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	type state struct{ Thread, Group, Sequence int }
	var got []state
	for _, th := range s.Threads() {
		got = append(got, state{th.Thread, th.CurrentGroup, int(th.Sequence)})
	}
	if diff := cmp.Diff([]state{{1, 1, 1}, {2, 4, 2}}, got); diff != "" {
		t.Error(diff)
	}
	if a := s.Archived(); len(a) != 1 || a[0].Thread != 2 {
		t.Errorf("archived %+v", a)
	}
	members := map[string]bool{}
	for _, o := range s.Online() {
		members[o.Member] = true
	}
	if len(members) != 4 {
		t.Errorf("members %v", members)
	}
	if err := s.SwitchThread(t.Context(), 3); err == nil {
		t.Error("thread 3 was switched")
	}
}

func TestR23ThreadShowsHowItIsEnabled(t *testing.T) {
	s := open(t, Config{Threads: 2})
	if err := s.SetThread(2, false, EnabledPrivate); err != nil {
		t.Fatal(err)
	}
	states := s.Threads()
	if !states[0].Open || states[0].Enabled != EnabledPublic || states[1].Open || states[1].Enabled != EnabledPrivate {
		t.Errorf("%+v", states)
	}
	if err := s.SetThread(0, true, EnabledPublic); err == nil {
		t.Error("thread 0 was set")
	}
}
