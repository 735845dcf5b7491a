package engine

import (
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// closing has one row read again where a snapshot is through and none of its records is marked as the last: the chunks behind the last row
// turned out to be empty, or their tables to be gone. Consumers wait for that mark (reference debezium-format 3.2), and a record that is out
// cannot get it any more. That row is one like others: it goes where its SCN belongs (R76), and where its table has a key, a consumer has it
// already as it is. A table without key is not asked: there, it would be a row too many.
//
// It reports whether there is something to wait for. A snapshot without rows ends without a mark, and so does one whose rows are gone.
func (e *emitter) closing() (more bool, err error) {
	s, now := e.snapshots, e.running.Snapshot
	if now.Rows == 0 || now.Kind == readIncremental || s.marked == now.ID {
		clear(s.tried)
		return false, nil
	}
	t, found := e.closer(now)
	if !found {
		e.config.Log.Info("No record of the snapshot is marked as the last one: none of its tables has a row that may be read again", "snapshot", now.ID)
		clear(s.tried)
		return false, nil
	}
	s.tried[t] = true
	listed := position.SnapshotTable{Table: t.String()}
	if r := s.readings[t]; r != nil {
		r.task.Progress.One(t)
		listed.Frontier = frontierOf(r.task.Progress.Frontier())
		s.queue.Add(r.task)
	} else {
		listed.Frontier = frontierOf(&snapshot.Frontier{Mode: snapshot.Whole, Left: []snapshot.Range{{}}, One: true})
		if begun, err := e.read(t, listed); err != nil || !begun {
			return begun, err
		}
	}
	e.put(listed)
	return true, nil
}

// closer finds a table of the snapshot that has rows and a key and was not tried: the last one that had rows if possible, for it is the one
// that has them most probably.
func (e *emitter) closer(now *position.Snapshot) (schema.Table, bool) {
	fits := func(t schema.Table) bool {
		v, there := e.snapshots.roster.now(t)
		return there && !e.snapshots.tried[t] && v.Key.Origin != schema.KeyNone && e.config.Selection.Included(t)
	}
	if t, named := e.snapshots.named()[now.Last]; named && fits(t) {
		return t, true
	}
	var rest []schema.Table
	for t, r := range e.snapshots.readings {
		if r.snapshot == now.ID && r.rows > 0 && fits(t) {
			rest = append(rest, t)
		}
	}
	if len(rest) == 0 {
		return schema.Table{}, false
	}
	return slices.MinFunc(rest, func(a, b schema.Table) int { return strings.Compare(a.String(), b.String()) }), true
}
