package redo

import (
	"errors"
	"fmt"
	"time"
)

// Warts are what redo and LogMiner do to their readers. Each serves a rule or a fact of correctness.md and is
// named after it; off is the zero value. What nobody has recorded on a real database is here as a fault for that rule, not
// as a claim about Oracle (design section 8).
//
// Those of the first group shape what is written from now on, the others what LogMiner shows from its next query on.
type Warts struct {
	// K2PrivateStrand keeps the rows of an open transaction out of the log, with the SCNs they have: until COMMIT, a log switch,
	// or until they take this many bytes (reference logminer F.5; R3, R14, R120, scene 4).
	K2PrivateStrand int64
	// K1Displaced spreads transactions over this many strands: one log write holds the strands one after the other, so that
	// its addresses do not follow the SCNs (R3, R4, R19).
	K1Displaced int
	// R14Displaced lets the records of one transaction go to different strands of K1Displaced, as redo dumps show.
	R14Displaced bool
	// R1WriteLag is how long after a commit its log write becomes visible (R1, R19, R20).
	R1WriteLag time.Duration

	// R117PartialXID shows XIDSQN 4294967295 on undo rows and ROLLBACK (reference logminer B.3).
	R117PartialXID bool
	// R13ZeroAddressRollback, R13ZeroAddressCommit and R13ZeroAddressChange show no address on such rows: observed on ROLLBACK
	// only (reference logminer B.3).
	R13ZeroAddressRollback, R13ZeroAddressCommit, R13ZeroAddressChange bool
	// R13ZeroXIDStart writes a START with an all-zero XID before that of each transaction (reference logminer B.3).
	R13ZeroXIDStart bool
	// R13ZeroXIDChange shows an all-zero XID on changes.
	R13ZeroXIDChange bool
	// R29ThreadZeroEmpty writes, after each COMMIT, that of an empty transaction with THREAD# 0 (reference logminer B.2, F.1).
	R29ThreadZeroEmpty bool
	// R29ThreadZero shows THREAD# 0 on COMMIT and ROLLBACK of all transactions.
	R29ThreadZero bool
	// R53NoStart leaves START out.
	R53NoStart bool
	// R5SplitSCN gives every row of a redo record an SCN of its own.
	R5SplitSCN bool
	// R22Unsupported is a table, as OWNER.NAME, whose changes come as UNSUPPORTED (reference logminer C).
	R22Unsupported string
	// R138Operation writes, after each change, a row of this operation code on its table; 0 is none.
	R138Operation Op
	// R8LateChanges and R8LateCommits are how many of the next changes and COMMITs LogMiner shows one query late: not in the
	// first one that ends at least R8Margin SCNs above them, which is how far a step reads behind its bound (R7).
	R8LateChanges, R8LateCommits int
	R8Margin                     SCN

	// R32InstanceOne lets only the first instance answer GV$ views.
	R32InstanceOne bool

	// K1SCNOrder delivers rows in SCN order, address order among equal ones; otherwise in the order of addresses of each thread.
	K1SCNOrder bool
	// R10ReuseAtRow makes the log writer go round before this row of a query that reads an online log, 1 being the first, until the
	// group is reused, in the next R10ReuseTimes queries. The fetch then fails with ORA-00310; with R10ReuseSilent the rows
	// that were not read yet are just missing.
	R10ReuseAtRow, R10ReuseTimes int
	R10ReuseSilent               bool
	// R10MissingSCN is how many of the next queries show a MISSING_SCN row first.
	R10MissingSCN int
	// R9Cut is how many of the next queries end behind the first row that has CSF 1.
	R9Cut int
}

func (w *Warts) validate() error {
	if w.K2PrivateStrand < 0 || w.K1Displaced < 0 || w.R1WriteLag < 0 || w.R10ReuseAtRow < 0 {
		return errors.New("warts: sizes, counts and times must not be negative")
	}
	if w.R14Displaced && w.K1Displaced < 2 {
		return fmt.Errorf("warts: R14Displaced needs several strands, K1Displaced is %d", w.K1Displaced)
	}
	return nil
}

// SetWarts replaces the warts. What earlier ones held back is written first.
func (s *Stream) SetWarts(w Warts) error {
	if err := w.validate(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	s.flushStrands()
	if !s.buffer.paused {
		s.writeBuffer()
	}
	s.warts = w
	return nil
}

// Warts returns the warts, with what is left of their counts.
func (s *Stream) Warts() Warts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.warts
}

// Take takes one from a count of the warts and reports whether there was one.
func (s *Stream) Take(count func(*Warts) *int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := count(&s.warts)
	if *n <= 0 {
		return false
	}
	*n--
	return true
}

// quirks are the warts of one record, fixed when it is written: it looks the same at every reading.
type quirks uint16

const (
	partialXID quirks = 1 << iota
	zeroXID
	zeroAddress
	threadZero
	hidden
	unsupported
	late
)

// PartialXID says that XIDSQN shows as 4294967295.
func (r *Record) PartialXID() bool { return r.quirks&partialXID != 0 }

// ZeroXID says that the XID shows as zeros.
func (r *Record) ZeroXID() bool { return r.quirks&zeroXID != 0 }

// ZeroAddress says that the address shows as zeros.
func (r *Record) ZeroAddress() bool { return r.quirks&zeroAddress != 0 }

// ThreadZero says that THREAD# shows as 0.
func (r *Record) ThreadZero() bool { return r.quirks&threadZero != 0 }

// Hidden says that the record does not show.
func (r *Record) Hidden() bool { return r.quirks&hidden != 0 }

// Unsupported says that the change shows as UNSUPPORTED.
func (r *Record) Unsupported() bool { return r.quirks&unsupported != 0 }

// Late says that the first query does not show the record.
func (r *Record) Late() bool { return r.quirks&late != 0 }

func (r *Record) change() bool { return r.Op == Insert || r.Op == Update || r.Op == Delete }

// blemish sets what the warts do to a record.
func (w *Warts) blemish(r *Record) {
	set := func(q quirks, when bool) {
		if when {
			r.quirks |= q
		}
	}
	end := r.Op == Commit || r.Op == Rollback
	change := r.change()
	set(partialXID, w.R117PartialXID && (r.Undo || r.Op == Rollback))
	set(zeroAddress, w.R13ZeroAddressRollback && r.Op == Rollback || w.R13ZeroAddressCommit && r.Op == Commit || w.R13ZeroAddressChange && change)
	set(zeroXID, w.R13ZeroXIDChange && change)
	set(threadZero, w.R29ThreadZero && end)
	set(hidden, w.R53NoStart && r.Op == Start)
	set(unsupported, change && r.Table != nil && w.R22Unsupported == r.Table.Owner+"."+r.Table.Name)
	switch {
	case change && w.R8LateChanges > 0:
		w.R8LateChanges--
		r.quirks |= late
	case r.Op == Commit && w.R8LateCommits > 0:
		w.R8LateCommits--
		r.quirks |= late
	}
}

// emptyUSN is an undo segment that the engine does not use; the empty transactions of R29ThreadZeroEmpty are there.
const emptyUSN = 0x7fff

// adorn returns the records with those that the warts add.
func (s *Stream) adorn(recs []*Record) []*Record {
	w := &s.warts
	if !w.R13ZeroXIDStart && !w.R29ThreadZeroEmpty && w.R138Operation == 0 {
		return recs
	}
	var all []*Record
	for _, r := range recs {
		if r.Op == Start && w.R13ZeroXIDStart {
			all = append(all, &Record{Op: Start, Container: r.Container, Origin: r.Origin, SCN: r.SCN, quirks: zeroXID})
		}
		all = append(all, r)
		if r.change() && w.R138Operation != 0 {
			all = append(all, &Record{
				Op: w.R138Operation, Container: r.Container, Origin: r.Origin, SCN: r.SCN, XID: r.XID, Table: r.Table, RowID: r.RowID,
			})
		}
		if r.Op == Commit && w.R29ThreadZeroEmpty {
			s.emptied++
			all = append(all, &Record{
				Op: Commit, Container: r.Container, XID: XID{USN: emptyUSN, Sqn: s.emptied}, SCN: r.SCN, quirks: threadZero,
				Origin: Origin{Instance: r.Origin.Instance},
			})
		}
	}
	return all
}
