package engine

import (
	"math"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// forgetting bounds what is known of segments that are gone and of layouts that no row can have any more: a table whose partitions come
// and go every day runs for years. A frontier is used an interval after it was reached: rows that come late lie far above it.
type forgetting struct {
	at  time.Time
	scn position.SCN
}

// forgetInterval is how often it is looked what can be forgotten.
const forgetInterval = time.Minute

// forget takes away what only rows at or below a frontier of an interval ago could need; all of those were applied. What a restart needs
// is in the schema topic (R100).
func (m *miner) forget(now time.Time) {
	f := &m.forgetting
	switch {
	case f.at.IsZero():
		f.at, f.scn = now, m.frontier.scn
		return
	case now.Sub(f.at) < forgetInterval:
		return
	}
	below := f.scn
	f.at, f.scn = now, m.frontier.scn
	next, gone := m.tables.since(below)
	if next != nil {
		m.tables, m.applier.tables = next, next
	}
	m.older.forget(gone, m.tables, below)
}

// since gives the set without what rows above an SCN cannot need, and the segments that are in it no more; nil: it is the same.
func (t *tables) since(scn position.SCN) (next *tables, gone []object) {
	for key, e := range t.byObject {
		kept := e.since(scn)
		if len(kept) == len(e) {
			continue
		}
		if next == nil {
			next = t.copy(t)
		}
		if len(kept) > 0 {
			next.byObject[key] = kept
			continue
		}
		delete(next.byObject, key)
		gone = append(gone, key)
	}
	for key, e := range t.bySegment {
		if kept := e.since(scn); len(kept) != len(e) {
			if next == nil {
				next = t.copy(t)
			}
			if len(kept) == 0 {
				delete(next.bySegment, key)
				continue
			}
			next.bySegment[key] = kept
		}
	}
	return next, gone
}

// since gives the eras that rows above an SCN can have; none for a segment that is gone.
func (e eras) since(scn position.SCN) eras {
	i := e.at(scn)
	if i == len(e)-1 && e[i].gone && e[i].from <= scn {
		return nil
	}
	return slices.Clip(e[i:])
}

// forget takes away what was seen of segments that are gone, and of rows of the others before the last one that was seen at or below an
// SCN: the redo numbers the versions of an object upwards, so that rows with a lower number lie below that SCN and were applied. Should one
// come all the same, its number tells nothing.
func (o *older) forget(gone []object, t *tables, below position.SCN) {
	newest := map[object]int64{}
	for key, as := range o.seen {
		if as.from <= below {
			newest[key.object] = max(newest[key.object], key.version)
		}
	}
	for _, segment := range gone {
		newest[segment] = math.MaxInt64
	}
	for key := range o.seen {
		if key.version < newest[key.object] {
			delete(o.seen, key)
			o.forgotten[key.object] = newest[key.object]
		}
	}
	for _, segment := range gone {
		delete(o.forgotten, segment)
	}
	for key, v := range o.named {
		if !t.byObject[key.object].have(v) && !t.bySegment[segment{v.Container, v.Table.Owner, v.Table.Name}].have(v) {
			delete(o.named, key)
		}
	}
	o.last, o.lastNamed = lastSeen{}, lastSeen{}
	clear(o.digests) // made again when they are needed
	clear(o.places)
}

// have reports a version of one of the eras.
func (e eras) have(v *schema.Version) bool {
	return slices.ContainsFunc(e, func(era era) bool { return era.version == v })
}

// leastRendered is how many versions a renderer keeps ready at least.
const leastRendered = 1024

// bound keeps the versions that are ready to those of which rows may still come, by their number: most are the only one of their table.
func (r *Records) bound() {
	if len(r.tables) < max(leastRendered, r.most) {
		return
	}
	tables := map[schema.Table]bool{}
	for v := range r.tables {
		tables[v.Table] = true
	}
	r.most = 2 * len(tables)
	if len(r.tables) < max(leastRendered, r.most) {
		return
	}
	clear(r.tables)
	clear(r.counters)
	r.version, r.last = nil, nil
}
