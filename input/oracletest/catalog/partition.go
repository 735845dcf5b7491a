package catalog

import (
	"slices"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Kinds of partitioning.
const (
	ByRange = "RANGE"
	ByList  = "LIST"
	ByHash  = "HASH"
)

// Partitioning says which partition a row goes to.
type Partitioning struct {
	Kind    string
	Columns []int // of Table.Columns
	// Interval makes partitions behind the highest bound by itself, Automatic does so for list values that no partition has.
	Interval  *Interval
	Automatic bool
	// Partitions are in the order of PARTITION_POSITION.
	Partitions []Partition
}

// Interval is the width of the partitions that Oracle makes: months, or a number (of seconds, for a DATE or TIMESTAMP).
type Interval struct {
	Text   string
	Months int
	Width  *apd.Decimal
}

// Partition is one partition, with a segment of its own.
type Partition struct {
	Name                   string
	ObjectID, DataObjectID uint32
	// Below are the bounds of RANGE, by partitioning column; the rows are below them.
	Below []Bound
	// Values are those of LIST; Default takes what no partition has.
	Values  []datum.Datum
	Default bool
	// HighValue is the bound as the dictionary shows it.
	HighValue        string
	Created, LastDDL time.Time
	// Own says that INTERVAL or AUTOMATIC made it.
	Own bool
	// Statistics are nil until they are gathered.
	Statistics *Statistics
}

// Bound is a value, or MAXVALUE.
type Bound struct {
	Max   bool
	Value datum.Datum
}

// Partition finds a partition by the object id of its segment.
func (t *Table) Partition(id uint32) (*Partition, bool) {
	if t.Partitioning == nil {
		return nil, false
	}
	for i := range t.Partitioning.Partitions {
		if p := &t.Partitioning.Partitions[i]; p.ObjectID == id {
			return p, true
		}
	}
	return nil, false
}

// SegmentIDs are the object ids that rows of the table carry: its own, or those of its partitions (reference logminer G.2).
func (t *Table) SegmentIDs() []uint32 {
	if t.Partitioning == nil {
		return []uint32{t.ObjectID}
	}
	ids := make([]uint32, len(t.Partitioning.Partitions))
	for i := range ids {
		ids[i] = t.Partitioning.Partitions[i].ObjectID
	}
	return ids
}

// Clone copies the list of partitions; what they hold is shared.
func (p *Partitioning) Clone() *Partitioning {
	c := *p
	c.Partitions = append([]Partition(nil), p.Partitions...)
	return &c
}

// Insert puts a partition where its bound belongs, or behind the others.
func (p *Partitioning) Insert(one Partition, compare func(a, b *datum.Datum) int) {
	at := len(p.Partitions)
	for p.Kind == ByRange && at > 0 && len(one.Below) == 1 && !one.Below[0].Max {
		before := p.Partitions[at-1].Below[0]
		if !before.Max && compare(&before.Value, &one.Below[0].Value) < 0 {
			break
		}
		at--
	}
	p.Partitions = slices.Insert(p.Partitions, at, one)
}
