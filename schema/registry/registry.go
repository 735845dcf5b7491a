package registry

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Registry holds the versions of all captured tables.
type Registry struct {
	server string

	mu      sync.RWMutex
	records map[schema.Table]*Record
	objects map[object][]span
}

// object is a segment's DATA_OBJ# inside its container.
type object struct {
	container int
	id        uint64
}

// span is a version for the SCNs at which it is its table's: from from on, below to.
type span struct {
	from, to uint64
	version  *schema.Version
}

// New makes an empty registry; server is topic_prefix.
func New(server string) *Registry {
	return &Registry{server: server, records: map[schema.Table]*Record{}, objects: map[object][]span{}}
}

// At finds the version that is valid for a row of a table at an SCN (R94). There is none below the first version: the caller
// has no layout for the row then (CDC-6001).
func (r *Registry) At(t schema.Table, scn position.SCN) (*schema.Version, bool) {
	record, ok := r.Record(t)
	if !ok {
		return nil, false
	}
	for i := len(record.versions) - 1; i >= 0; i-- {
		if v := record.versions[i].version; v.ValidFrom <= uint64(scn) {
			return v, true
		}
	}
	return nil, false
}

// Object finds the version of the table that a segment belonged to at an SCN (R101).
func (r *Registry) Object(container int, id uint64, scn position.SCN) (*schema.Version, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, s := range r.objects[object{container, id}] {
		if s.from <= uint64(scn) && uint64(scn) < s.to {
			return s.version, true
		}
	}
	return nil, false
}

// Number finds a version by its number (R95).
func (r *Registry) Number(t schema.Table, number int) (*schema.Version, bool) {
	record, ok := r.Record(t)
	if !ok {
		return nil, false
	}
	return record.number(number)
}

// Latest finds the newest version of a table.
func (r *Registry) Latest(t schema.Table) (*schema.Version, bool) {
	record, ok := r.Record(t)
	if !ok {
		return nil, false
	}
	return record.versions[len(record.versions)-1].version, true
}

// Record gives the record of a table as it belongs in the topic.
func (r *Registry) Record(t schema.Table) (*Record, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	record, ok := r.records[t]
	return record, ok
}

// Tables lists the tables, in the order of their names.
func (r *Registry) Tables() []schema.Table {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.SortedFunc(maps.Keys(r.records), func(a, b schema.Table) int { return strings.Compare(a.String(), b.String()) })
}

// Add takes a version, which must follow the table's others. One that is there already changes nothing but its segments and what is certain
// of it (R96, R99, R101); the result is false where nothing changed. The error is a *stop.Error: CDC-6003 when the stored version of the same number is another one, CDC-3002
// when the order is impossible.
func (r *Registry) Add(v *schema.Version) (added bool, err error) {
	fresh, err := NewRecord(r.server, v)
	if err != nil {
		return false, unstorable(err, v.Table)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	record, ok := r.records[v.Table]
	if !ok {
		r.put(fresh)
		return true, nil
	}
	if old, ok := record.number(v.Number); ok {
		if old.ValidFrom != v.ValidFrom || VersionDigest(old) != VersionDigest(v) {
			return false, stop.New(stop.SchemaDiffers, v.Table.String(), "version %d from SCN %d is not the stored version %d from SCN %d",
				v.Number, v.ValidFrom, old.Number, old.ValidFrom)
		}
		certain := old.Exact == v.Exact && old.CertainFrom == v.CertainFrom && old.PendingFrom == v.PendingFrom
		if certain && slices.Equal(old.ObjectIDs, v.ObjectIDs) && slices.Equal(old.Spells, v.Spells) {
			return false, nil
		}
		moved := *record
		moved.versions = slices.Clone(record.versions)
		for i := range moved.versions {
			if s := &moved.versions[i]; s.version.Number == v.Number {
				now := *s.version
				now.ObjectIDs, now.Spells, now.Partitions = v.ObjectIDs, v.Spells, v.Partitions
				now.Exact, now.CertainFrom, now.PendingFrom = v.Exact, v.CertainFrom, v.PendingFrom
				s.version = &now
			}
		}
		r.put(&moved)
		return true, nil
	}
	longer := *record
	longer.versions = append(slices.Clone(record.versions), fresh.versions...)
	if err := longer.check(); err != nil {
		return false, unstorable(err, v.Table)
	}
	r.put(&longer)
	return true, nil
}

// End notes that the table of a version is gone, as the version says. Its record keeps the versions: rows from before may be read again. It
// reports whether the record changed.
func (r *Registry) End(v *schema.Version) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	record, ok := r.records[v.Table]
	if !ok {
		return false
	}
	longer := *record
	longer.versions = slices.Clone(record.versions)
	for i := range longer.versions {
		if s := &longer.versions[i]; s.version.Number == v.Number && (s.version.GoneFrom != v.GoneFrom || s.version.UnseenTo != v.UnseenTo) {
			ended := *s.version
			ended.GoneFrom, ended.UnseenTo = v.GoneFrom, v.UnseenTo
			s.version = &ended
			r.put(&longer)
			return true
		}
	}
	return false
}

func unstorable(err error, t schema.Table) error {
	return stop.Wrap(stop.Corrupt, err, t.String(), "the version cannot be stored")
}

// Prune drops the versions of a table below the lowest number that a row may still need (R100); the newest stays. It reports
// whether the record changed.
func (r *Registry) Prune(t schema.Table, lowest int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	record, ok := r.records[t]
	if !ok {
		return false
	}
	from := 0
	for from < len(record.versions)-1 && record.versions[from].version.Number < lowest {
		from++
	}
	if from == 0 {
		return false
	}
	shorter := *record
	shorter.versions = record.versions[from:]
	r.put(&shorter)
	return true
}

// Needed gives, by the text of the table, the number of the lowest version that a row at or above an SCN can have. A table that is gone by
// then needs none.
func (r *Registry) Needed(floor position.SCN) map[string]int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := make(map[string]int, len(r.records))
	for t, record := range r.records {
		last := len(record.versions) - 1
		for i := range record.versions {
			v := record.versions[i].version
			until := v.Ended()
			if i < last {
				until = max(v.UnseenTo, record.versions[i+1].version.ValidFrom)
			}
			if until > uint64(floor) || i == last && until == 0 {
				out[t.String()] = v.Number
				break
			}
		}
	}
	return out
}

// Remove forgets a table and gives the key of the tombstone that removes its record.
func (r *Registry) Remove(t schema.Table) (key []byte, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	record, ok := r.records[t]
	if !ok {
		return nil, false
	}
	r.take(t)
	return record.Key(), true
}

// put and take must be called with mu held.
func (r *Registry) put(record *Record) {
	r.take(record.Table)
	r.records[record.Table] = record
	for i := range record.versions {
		s := span{version: record.versions[i].version, to: uint64(position.Unlimited)}
		s.from = s.version.ValidFrom
		if i+1 < len(record.versions) {
			s.to = record.versions[i+1].version.ValidFrom
		}
		if gone := s.version.GoneFrom; gone > 0 {
			s.to = min(s.to, gone)
		}
		for _, id := range s.version.ObjectIDs {
			key := object{s.version.Container, id}
			// Newest first: where two tables claim a segment at one SCN, it belongs to the one that got it last (EXCHANGE
			// PARTITION, R101).
			at, _ := slices.BinarySearchFunc(r.objects[key], s, func(have, add span) int { return cmp.Compare(add.from, have.from) })
			r.objects[key] = slices.Insert(r.objects[key], at, s)
		}
	}
}

func (r *Registry) take(t schema.Table) {
	record, ok := r.records[t]
	if !ok {
		return
	}
	delete(r.records, t)
	for i := range record.versions {
		v := record.versions[i].version
		for _, id := range v.ObjectIDs {
			key := object{v.Container, id}
			r.objects[key] = slices.DeleteFunc(r.objects[key], func(s span) bool { return s.version.Table == t })
			if len(r.objects[key]) == 0 {
				delete(r.objects, key)
			}
		}
	}
}
