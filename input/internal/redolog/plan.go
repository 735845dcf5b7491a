package redolog

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Step is one mining step: everything that is fixed before its first row.
type Step struct {
	// From is the boundary of the step before; Bound is c: the step delivers the rows with SCN <= Bound outside region(From)
	// and no others (R3).
	From  position.Boundary
	Bound position.SCN
	// StartSCN and EndSCN are what LogMiner reads, beyond From and Bound on both sides (R6, R7).
	StartSCN, EndSCN position.SCN
	// Logs are the files to add, per thread in order of sequence.
	Logs []Log
	// Tail: a log that is still written to may hold rows of the step. Otherwise capture is behind and the step is final: such a log
	// may be among Logs for the margin (R7), but every record of it lies above Bound (K3).
	Tail bool

	threads []threadPlan
}

// threadPlan is one thread's part of a step.
type threadPlan struct {
	Thread
	mark position.Mark
	// logs are the unbroken readable ones from the mark on.
	logs []Log
}

// Plan fixes the next step. reading is a CURRENT_SCN of at least the hold-back's age (R1); logs is how many closed logs
// may be taken per thread (R12). The error is a *stop.Error for purged redo or a gap, an *oracle.Fault where reading the
// inventory again may cure it.
func (inv Inventory) Plan(from position.Boundary, reading position.SCN, logs int) (Step, error) {
	if reading < from.SCN {
		return Step{}, &oracle.Fault{Class: oracle.Reconnect, Limit: -1, Becomes: stop.New(stop.Identity, "CURRENT_SCN "+reading.String(),
			"the database is behind the position, which is at SCN %s", from.SCN)}
	}
	step := Step{From: from, Bound: reading}
	if err := step.place(inv); err != nil {
		return Step{}, err
	}
	for _, t := range step.threads {
		step.Bound = min(step.Bound, t.bound(from.SCN, logs))
	}
	for _, t := range step.threads {
		// The thread's redo ends where the last step did: nothing can be mined before a further log is there.
		if covered := t.covered(); covered < reading && covered <= from.SCN {
			return Step{}, t.missing(t.behind())
		}
	}
	if err := step.choose(); err != nil {
		return Step{}, err
	}
	return step, nil
}

// place finds every thread's first log. A thread that the boundary does not know begins at the margin before it.
func (s *Step) place(inv Inventory) error {
	for _, m := range s.From.Marks {
		if !slices.ContainsFunc(inv.Threads, func(t Thread) bool { return t.ID == m.Thread }) {
			// It may be disabled with all its redo read (R23); that is not followed yet.
			return stop.New(stop.Identity, name(m.Thread, m.Log), "a redo thread of the position has no logs any more")
		}
	}
	for _, t := range inv.Threads {
		p := threadPlan{Thread: t, mark: position.Mark{Thread: t.ID, Log: t.next()}}
		if m, ok := s.From.Mark(t.ID); ok {
			p.mark = m
		} else if at := slices.IndexFunc(t.Logs, func(l Log) bool { return l.Next > below(s.From.SCN) }); at >= 0 {
			p.mark.Log = t.Logs[at].Sequence
		}
		p.logs = t.unbroken(p.mark.Log)
		if len(p.logs) == 0 && (t.Open || p.mark.Log < t.next()) {
			return t.missing(p.mark.Log)
		}
		s.threads = append(s.threads, p)
	}
	if len(s.threads) == 0 {
		return stop.New(stop.Identity, "V$THREAD", "the database shows no redo thread")
	}
	return nil
}

// ended reports a closed thread that is read to its last log: nothing more comes, so it bounds nothing (R26).
func (t threadPlan) ended() bool {
	return !t.Open && (len(t.logs) == 0 || t.behind() == t.next())
}

// covered is the greatest SCN up to which the thread's redo is at hand.
func (t threadPlan) covered() position.SCN {
	if t.ended() {
		return position.Unlimited
	}
	last := t.logs[len(t.logs)-1]
	if !last.Closed() {
		return position.Unlimited
	}
	return last.Next - 1
}

// bound is what the thread allows: all that is at hand, or while behind the end of so many closed logs (R12).
func (t threadPlan) bound(from position.SCN, logs int) position.SCN {
	bound := t.covered()
	for _, l := range t.logs {
		if !l.Closed() || logs == 0 {
			break
		}
		if l.Next-1 > from {
			bound = l.Next - 1
			logs--
		}
	}
	return bound
}

// behind is the sequence behind the unbroken logs.
func (t threadPlan) behind() uint32 { return t.mark.Log + uint32(len(t.logs)) } //nolint:gosec // a count of logs

// choose collects the files and the range: from the lowest first log of any thread, all logs of every thread up to the
// bound and one more, so that rows on both sides of a bound or a switch are complete (R6, R7).
func (s *Step) choose() error {
	s.StartSCN, s.EndSCN = position.Unlimited, s.Bound+Margin
	for _, t := range s.threads {
		if len(t.logs) > 0 {
			s.StartSCN = min(s.StartSCN, t.logs[0].First)
		}
	}
	for _, t := range s.threads {
		if err := s.chooseThread(t); err != nil {
			return err
		}
	}
	if s.StartSCN > s.Bound || s.EndSCN <= s.StartSCN || len(s.Logs) == 0 {
		// ORA-01281 otherwise; a log behind the last one listed is being made.
		t := s.threads[0]
		return t.missing(t.next())
	}
	return nil
}

func (s *Step) chooseThread(t threadPlan) error {
	// Another thread's first log may lie further back than this one's (R6); those logs are needed whole.
	first := slices.IndexFunc(t.Logs, func(l Log) bool { return l.Next > s.StartSCN })
	if first < 0 {
		return nil
	}
	logs := t.unbroken(t.Logs[first].Sequence)
	if len(logs) == 0 || len(t.logs) > 0 && logs[len(logs)-1].Sequence < t.logs[0].Sequence {
		return t.missing(t.Logs[first].Sequence + uint32(len(logs))) //nolint:gosec // a count of logs
	}
	end := slices.IndexFunc(logs, func(l Log) bool { return l.First > s.Bound })
	if end < 0 {
		end = len(logs)
	} else {
		end++
	}
	last := logs[end-1]
	s.Logs = append(s.Logs, logs[:end]...)
	s.Tail = s.Tail || !last.Closed() && last.First <= s.Bound
	if last.Closed() && !(t.ended() && end == len(logs)) {
		s.EndSCN = min(s.EndSCN, last.Next-1)
	}
	return nil
}

// After is the boundary that the verified step makes, from the greatest address of each thread that it returned, marks of
// threads without one left alone (R4). The first log still needed follows the inventory, not the address: it is the
// first that was not closed or reaches into the margin (R6, R120).
func (s Step) After(addresses map[int]position.RBA) position.Boundary {
	after := position.Boundary{SCN: s.Bound, Marks: s.From.Marks}
	for _, t := range s.threads {
		m := t.mark
		if e, ok := addresses[t.ID]; ok && e.Compare(m.Address) > 0 {
			m.Address = e
		}
		for _, l := range t.logs {
			if !l.Closed() || l.Next > below(s.Bound) {
				break
			}
			m.Log = l.Sequence + 1
		}
		after = after.With(m)
	}
	return after
}

// Floor is an SCN below which no row lies outside the region of the boundary that the verified step makes. What reached the redo late
// lies in a log that was not closed in the inventory (K2), and no record of a log lies below its first SCN (K3).
func (s Step) Floor() position.SCN {
	floor := s.Bound
	for _, t := range s.threads {
		for _, l := range t.logs {
			if !l.Closed() {
				floor = min(floor, l.First)
			}
		}
	}
	return floor
}

// Log finds the step's log of an address; false for a sequence that the step did not read.
func (s Step) Log(thread int, sequence uint32) (Log, bool) {
	for _, l := range s.Logs {
		if l.Thread == thread && l.Sequence == sequence {
			return l, true
		}
	}
	return Log{}, false
}
