package redo

import (
	"fmt"
	"slices"
)

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
	firstPiece // of a change of two redo records
	lastPiece
	showLast
	corrupt
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

// FirstPiece says that the change is complete with a second record only, which says LastPiece and follows in its thread.
func (r *Record) FirstPiece() bool { return r.quirks&firstPiece != 0 }

// LastPiece says that the record is nothing but the second one of a change.
func (r *Record) LastPiece() bool { return r.quirks&lastPiece != 0 }

// ShowsLast says that the change shows where its second record is.
func (r *Record) ShowsLast() bool { return r.quirks&showLast != 0 }

// Corrupt says that the blocks of the record cannot be read, or that the record stands for such blocks (CorruptedBlocks).
func (r *Record) Corrupt() bool { return r.quirks&corrupt != 0 }

// CorruptedBlocks is what a reader shows that skips corrupt records from first to last (reference logminer C): only the sequence is
// left of the address.
func CorruptedBlocks(first, last *Record) *Record {
	return &Record{
		Thread: first.Thread, RBA: RBA{Sequence: first.RBA.Sequence}, SCN: first.SCN, Time: first.Time, Op: Internal,
		SQL: fmt.Sprintf("corrupt blocks %d to %d skipped", first.RBA.Block, last.RBA.Block), quirks: corrupt,
	}
}

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
	set(zeroAddress, w.R13ZeroAddressRollback && r.Op == Rollback || w.R13ZeroAddressCommit && r.Op == Commit || w.R13ZeroAddressChange && change || w.R13ZeroAddressDDL && r.Op == DDL)
	set(zeroXID, w.R13ZeroXIDChange && change)
	set(threadZero, w.R29ThreadZero && end)
	set(hidden, w.R53NoStart && r.Op == Start)
	set(unsupported, change && r.Table != nil && w.R22Unsupported == r.Table.Owner+"."+r.Table.Name)
	if w.R117ClusterRowID && len(r.RowID) == len(clusterObject)+12 {
		r.RowID = clusterObject + r.RowID[len(clusterObject):]
	}
	pieces := change && w.R7Pieces > 0 && r.Table != nil && len(r.Table.Columns) > w.R7Pieces
	set(firstPiece, pieces)
	set(showLast, pieces && w.R7LastPiece)
	if change && !r.Undo && w.R113Hidden > 0 {
		w.R113Hidden--
		r.quirks |= hidden
	}
	if change && w.R22CorruptChanges > 0 {
		w.R22CorruptChanges--
		r.quirks |= corrupt
	}
	switch {
	case change && w.R8LateChanges > 0:
		w.R8LateChanges--
		r.quirks |= late
	case r.Op == Commit && w.R8LateCommits > 0:
		w.R8LateCommits--
		r.quirks |= late
	}
}

// clusterObject is the data object in the ROWIDs of clustered tables.
const clusterObject = "AAASAA"

// emptyUSN is an undo segment that the engine does not use; the empty transactions of R29ThreadZeroEmpty are there.
const emptyUSN = 0x7fff

// adorn returns the records with those that the warts add.
func (s *Stream) adorn(recs []*Record) []*Record {
	w := &s.warts
	if w.R112UndoForward {
		recs = undoForward(recs)
	}
	if !w.R13ZeroXIDStart && !w.R29ThreadZeroEmpty && w.R138Operation == 0 && !w.R138Internal && w.R7Pieces == 0 {
		return recs
	}
	var all []*Record
	for _, r := range recs {
		if r.Op == Start && w.R13ZeroXIDStart {
			all = append(all, &Record{Op: Start, Container: r.Container, Origin: r.Origin, SCN: r.SCN, quirks: zeroXID})
		}
		all = append(all, r)
		if r.change() && w.R7Pieces > 0 && r.Table != nil && len(r.Table.Columns) > w.R7Pieces {
			all = append(all, &Record{
				Op: Internal, Undo: r.Undo, Container: r.Container, Origin: r.Origin, SCN: r.SCN, XID: r.XID, Table: r.Table, RowID: r.RowID, quirks: lastPiece,
			})
		}
		if r.change() && w.R138Internal {
			all = append(all, &Record{Op: Internal, Undo: r.Undo, Container: r.Container, Origin: r.Origin, SCN: r.SCN, XID: r.XID, Table: r.Table, RowID: r.RowID})
		}
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

// undoForward turns runs of undo records of one operation on one table around.
func undoForward(recs []*Record) []*Record {
	all := slices.Clone(recs)
	for i := 0; i < len(all); {
		n := i + 1
		for n < len(all) && all[i].Undo && all[n].Undo && all[n].Op == all[i].Op && all[n].Table == all[i].Table {
			n++
		}
		slices.Reverse(all[i:n])
		i = n
	}
	return all
}
