package signal

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Status is what became of a signal.
type Status string

// The statuses of an ops event signal-ack.
const (
	// OK: done, or begun.
	OK Status = "ok"
	// Rejected: understood, and not to be done now.
	Rejected Status = "rejected"
	// Unknown: nobody knows the type.
	Unknown Status = "unknown"
	// Invalid: it cannot be read.
	Invalid Status = "invalid"
	// Failed: it was tried.
	Failed Status = "failed"
)

// Answer is what the sender hears.
type Answer struct {
	Status Status
	Detail string
}

// Delivery is a signal on its way to whoever acts on it.
type Delivery struct {
	Signal Signal
	// reply is nil where nobody waits.
	reply chan<- Answer
}

// Answer tells a sender that waits. It never blocks; the first answer counts.
func (d *Delivery) Answer(a Answer) {
	if d.reply == nil {
		return
	}
	select {
	case d.reply <- a:
	default:
	}
}

// Progress is what is handled, as the position carries it. It is a value of its own: nobody changes it.
type Progress struct {
	// Offsets are the next offsets to read, by partition of the topic.
	Offsets map[int32]int64
}

// Past gives the progress behind a signal.
func (p Progress) Past(s *Signal) Progress {
	if s.Channel != Kafka || s.Offset < p.Offsets[s.Partition] {
		return p
	}
	next := Progress{Offsets: maps.Clone(p.Offsets)}
	if next.Offsets == nil {
		next.Offsets = map[int32]int64{}
	}
	next.Offsets[s.Partition] = s.Offset + 1
	return next
}

// String gives 0:12,1:7, for logs.
func (p Progress) String() string {
	var parts []string
	for _, partition := range slices.Sorted(maps.Keys(p.Offsets)) {
		parts = append(parts, strconv.Itoa(int(partition))+":"+strconv.FormatInt(p.Offsets[partition], 10))
	}
	return strings.Join(parts, ",")
}
