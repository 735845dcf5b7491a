package position

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// Signals is what was handled of what operators asked for, so that each signal is handled once across restarts. It is not changed, but
// replaced: positions in flight share it.
type Signals struct {
	// Offsets are the next offsets to read from the topic of signals, by partition.
	Offsets map[int32]int64
	// Table is the highest commit of rows that the signal table gave; nil: none yet. Positions of a build without Commits have it alone: what
	// lies at or below it is handled then.
	Table *Key
	// Commits are those of handled rows that lie outside of what is done, so that they are mined again after a restart. One that reaches the
	// redo late may lie below others and is none of them.
	Commits []Key
}

// PastRecord gives what is handled once a record of the topic is.
func (s *Signals) PastRecord(partition int32, offset int64) *Signals {
	next := Signals{Offsets: map[int32]int64{}}
	if s != nil {
		next.Table, next.Commits = s.Table, s.Commits
		maps.Copy(next.Offsets, s.Offsets)
	}
	next.Offsets[partition] = max(next.Offsets[partition], offset+1)
	return &next
}

// Next is the next offset to be read of a partition, and false where nothing says so.
func (s *Signals) Next(partition int32) (int64, bool) {
	if s == nil {
		return 0, false
	}
	offset, known := s.Offsets[partition]
	return offset, known
}

// ReadFrom gives what is handled where a partition is read from an offset on, also one below: its topic was made again.
func (s *Signals) ReadFrom(partition int32, offset int64) *Signals {
	next := s.PastRecord(partition, offset-1)
	next.Offsets[partition] = offset
	return next
}

// PastCommit gives what is handled once the rows of a commit are.
func (s *Signals) PastCommit(k Key) *Signals {
	next := Signals{Table: &k, Commits: []Key{k}}
	if s != nil {
		next.Offsets = s.Offsets
		if s.Table != nil && s.Table.Compare(k) > 0 {
			next.Table = s.Table
		}
		switch {
		case s.bounded():
			next.Commits = nil
		case s.HasCommit(k):
			next.Commits = s.Commits
		default:
			next.Commits = append(slices.Clone(s.Commits), k)
		}
	}
	return &next
}

// bounded: all commits up to Table count as handled, since nobody wrote which of them are.
func (s *Signals) bounded() bool { return s.Table != nil && s.Commits == nil }

// HasCommit reports whether the rows of a commit are handled.
func (s *Signals) HasCommit(k Key) bool {
	switch {
	case s == nil:
		return false
	case s.bounded():
		return s.Table.Compare(k) >= 0
	}
	return slices.Contains(s.Commits, k)
}

// Done gives what is to be remembered once everything inside a boundary is done: nothing there is mined again.
func (s *Signals) Done(b Boundary) *Signals {
	inside := func(k Key) bool { return b.Covers(k.SCN, k.Thread, k.Address) }
	if s == nil || s.Table == nil || s.bounded() && !inside(*s.Table) || s.Commits != nil && !slices.ContainsFunc(s.Commits, inside) {
		return s
	}
	next := *s
	if next.Commits = b.Outside(s.Commits); next.Commits == nil {
		next.Commits = []Key{}
	}
	return &next
}

func (w *writer) signals(s *Signals) {
	w.child("signal")
	if len(s.Offsets) > 0 {
		w.child("kafka")
		for _, partition := range slices.Sorted(maps.Keys(s.Offsets)) {
			w.number(strconv.Itoa(int(partition)), uint64(s.Offsets[partition])) //nolint:gosec // check refuses negative offsets
		}
		w.close()
	}
	if s.Table != nil {
		w.name("table")
		key, _ := json.Marshal(*s.Table) // texts and a number always have a JSON form
		w.dst = append(w.dst, key...)
	}
	if s.Commits != nil {
		w.name("commits")
		commits, _ := json.Marshal(s.Commits)
		w.dst = append(w.dst, commits...)
	}
	w.close()
}

func (r *reader) signals(o object, s *Signals) {
	o.option("kafka", &s.Offsets)
	o.option("table", &s.Table)
	o.option("commits", &s.Commits)
	o.close()
}
