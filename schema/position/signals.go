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
	// Table is the commit of the last rows that the signal table gave; nil: none yet.
	Table *Key
}

// PastRecord gives what is handled once a record of the topic is.
func (s *Signals) PastRecord(partition int32, offset int64) *Signals {
	next := Signals{Offsets: map[int32]int64{}}
	if s != nil {
		next.Table = s.Table
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
	next := Signals{Table: &k}
	if s != nil {
		next.Offsets = s.Offsets
		if s.Table != nil && s.Table.Compare(k) > 0 {
			next.Table = s.Table
		}
	}
	return &next
}

// HasCommit reports whether the rows of a commit are handled.
func (s *Signals) HasCommit(k Key) bool { return s != nil && s.Table != nil && s.Table.Compare(k) >= 0 }

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
	w.close()
}

func (r *reader) signals(o object, s *Signals) {
	o.option("kafka", &s.Offsets)
	o.option("table", &s.Table)
	o.close()
}
