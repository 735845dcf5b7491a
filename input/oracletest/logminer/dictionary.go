package logminer

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// names is a dictionary: it finds the table of a change.
type names interface {
	table(record *redo.Record) (*catalog.Table, bool)
}

// catalogNames is today's dictionary.
type catalogNames struct{ Dictionary }

func (n catalogNames) table(record *redo.Record) (*catalog.Table, bool) {
	return n.Table(record.Container, segmentOf(record))
}

// segmentOf is DATA_OBJ#: the object id of the partition that holds the row, or of the table.
func segmentOf(record *redo.Record) uint32 {
	if record.Segment != 0 {
		return record.Segment
	}
	return record.Table.ObjectID
}

// tracker is a dictionary from the redo. With DDL_DICT_TRACKING it has every version of a table that the DDL read so far have made.
type tracker struct {
	build    *redo.Build
	tracking bool
	versions map[segment][]*catalog.Table // oldest first
	pending  map[transaction][]applied
}

type segment struct {
	container int
	id        uint32
}

// applied is a version that goes again when its DDL is rolled back.
type applied struct {
	segment segment
	table   *catalog.Table
}

func newTracker(build *redo.Build, tracking bool) *tracker {
	t := &tracker{build: build, tracking: tracking, versions: map[segment][]*catalog.Table{}, pending: map[transaction][]applied{}}
	for container, tables := range build.Tables {
		for id, table := range tables {
			t.versions[segment{container, id}] = []*catalog.Table{table}
		}
	}
	return t
}

// table finds the newest version that a row can be of, or else the newest one at all, which does not fit it.
func (t *tracker) table(record *redo.Record) (*catalog.Table, bool) {
	list := t.versions[segment{record.Container, segmentOf(record)}]
	for _, table := range slices.Backward(list) {
		if table.Version == record.Table.Version {
			return table, true
		}
	}
	if len(list) == 0 {
		return nil, false
	}
	return list[len(list)-1], true
}

// follow applies a DDL, and takes back one that is rolled back.
func (t *tracker) follow(record *redo.Record, subjects subjects) error {
	if !t.tracking || record.SCN <= t.build.SCN {
		return nil
	}
	key := transaction{record.Container, record.XID}
	switch record.Op {
	case redo.DDL:
		if record.Unlogged {
			return wire.Errorf(1347, "Supplemental log data no longer found")
		}
		t.pending[key] = append(t.pending[key], t.apply(record, subjects)...)
	case redo.Rollback:
		for _, a := range t.pending[key] {
			t.versions[a.segment] = slices.DeleteFunc(t.versions[a.segment], func(v *catalog.Table) bool { return v == a.table })
			clear(subjects)
		}
		delete(t.pending, key)
	case redo.Commit:
		t.apply(record, subjects) // of a DDL that shows no row
		delete(t.pending, key)
	default:
	}
	return nil
}

// apply adds the versions that a record makes.
func (t *tracker) apply(record *redo.Record, subjects subjects) (made []applied) {
	if record.Effect == nil {
		return nil
	}
	for _, table := range record.Effect.Tables {
		for _, id := range table.SegmentIDs() {
			at := segment{record.Container, id}
			t.versions[at] = append(t.versions[at], table)
			made = append(made, applied{at, table})
		}
	}
	clear(subjects)
	return made
}

func noDictionary() error {
	return stacked(wire.Errorf(1371, "Complete LogMiner dictionary not found"))
}

// findBuild chooses the newest complete copy of the dictionary in the listed logs that is not younger than the range. Without a
// start the range begins with the oldest one (reference logminer G.4).
func (m *mining) findBuild(s *session) error {
	var complete []*redo.Build
	begun := map[*redo.Build]int{}
	found, previous := false, redo.Header{}
	for i, file := range inRedoOrder(s.files) {
		h, err := file.Header()
		if err != nil {
			return startError(err)
		}
		found = found || len(h.BuildBegins) > 0 || len(h.BuildEnds) > 0
		if i > 0 && (h.Thread != previous.Thread || h.Sequence != previous.Sequence+1) {
			clear(begun) // all logs of a copy must be there
		}
		for _, b := range h.BuildBegins {
			begun[b] = i
		}
		for _, b := range h.BuildEnds {
			if _, ok := begun[b]; ok {
				complete = append(complete, b)
			}
		}
		previous = h
	}
	switch {
	case !found:
		return stacked(wire.Errorf(1333, "failed to establish LogMiner Dictionary"))
	case len(complete) == 0:
		return noDictionary()
	case m.fromStart():
		m.build, m.start = complete[0], complete[0].SCN
	default:
		for _, b := range complete {
			if b.SCN <= m.start {
				m.build = b
			}
		}
		if m.build == nil {
			return stacked(wire.Errorf(1321, "SCN does not match any dictionary in the logs: no LogMiner dictionary for requested start SCN"))
		}
	}
	if m.options&ddlDictTracking == 0 {
		return nil
	}
	// With tracking no log between the dictionary and the end of the range may be missing (reference logminer A.3).
	_, err := listedFiles(s, span{start: m.build.SCN, end: m.end, to: m.to})
	return err
}
