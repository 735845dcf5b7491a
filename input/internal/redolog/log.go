package redolog

import (
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Margin is the number of SCNs read on both sides of a range, so that rows built from several redo records are complete
// (correctness.md 0, d).
const Margin position.SCN = 10_000

// Log is one redo log, by the file that is to be read.
type Log struct {
	Thread   int
	Sequence uint32
	// First and Next bound its records: First <= SCN < Next (K3). Next is position.Unlimited while it is written to.
	First, Next position.SCN
	// Name is the file; empty: the archived copy is gone and there is no online one.
	Name string
	// Group is the online group the file belongs to, 0 for an archived copy.
	Group int
	// DictionaryBegins and DictionaryEnds: a copy of the dictionary begins, or is complete, in it. Only archived logs say so.
	DictionaryBegins, DictionaryEnds bool
}

// Closed reports that the log has a successor, so that its content is final.
func (l Log) Closed() bool { return l.Next != position.Unlimited }

// Online reports that the file is an online log, which can be overwritten while it is read.
func (l Log) Online() bool { return l.Group != 0 }

// Contains reports whether a record of the SCN may be in the log (K3).
func (l Log) Contains(scn position.SCN) bool { return l.First <= scn && (scn < l.Next || !l.Closed()) }

// String names the log in messages.
func (l Log) String() string { return name(l.Thread, l.Sequence) }

func name(thread int, sequence uint32) string {
	return fmt.Sprintf("thread %d sequence %d", thread, sequence)
}

// below subtracts the margin without passing zero.
func below(scn position.SCN) position.SCN {
	if scn < Margin {
		return 0
	}
	return scn - Margin
}
