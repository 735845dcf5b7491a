package engine

import (
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Records renders changes into events: it splits a changed key and knows the topic of each table. It belongs to one
// goroutine.
type Records struct {
	settings debezium.Settings
	topics   *naming.Topics
	tables   map[*schema.Version]*recordTable
	// most is how many of them there may be.
	most int
	// version is what the last change was about, last its table: the next one is mostly about the same.
	version *schema.Version
	last    *recordTable
	// counters count the changes of a transaction by table; all versions of a table share one.
	counters   map[*schema.Version]*counter
	counts     map[schema.Table]*counter
	running    uint64
	keys       keys
	headers    change.Headers
	boundaries *debezium.Boundaries
	// definitions is nil until the first one.
	definitions *debezium.Definitions
	// heartbeats is nil until the first one.
	heartbeats *debezium.Heartbeats
}

// recordTable is a version made ready for rendering.
type recordTable struct {
	*debezium.Table
	topic string
}

// NewRecords makes a renderer.
func NewRecords(settings debezium.Settings, topics *naming.Topics) *Records {
	settings.Default = decode.Default
	return &Records{
		settings: settings, topics: topics, headers: debezium.Headers(settings), boundaries: debezium.NewBoundaries(settings),
		tables: map[*schema.Version]*recordTable{}, counters: map[*schema.Version]*counter{}, counts: map[schema.Table]*counter{},
	}
}

// Prepare makes a version ready, so that a table that cannot be published is refused before its first row.
func (r *Records) Prepare(v *schema.Version) error {
	_, err := r.table(v)
	return err
}

func (r *Records) table(v *schema.Version) (*recordTable, error) {
	if v == r.version {
		return r.last, nil
	}
	if t, ok := r.tables[v]; ok {
		r.version, r.last = v, t
		return t, nil
	}
	topic, err := r.topics.Topic(v.Table)
	if err != nil {
		return nil, err
	}
	settings := r.settings
	settings.Topic = topic
	t, err := debezium.NewTable(settings, v)
	if err != nil {
		return nil, err
	}
	r.bound()
	r.tables[v] = &recordTable{Table: t, topic: topic}
	return r.tables[v], nil
}

// beginTransaction forgets the order of changes by table, and who took which key.
func (r *Records) beginTransaction() {
	r.running++
	r.keys.begin()
}

// skip takes note of a change that was emitted before a restart.
func (r *Records) skip(base change.Event, op transaction.Op) error {
	if op != transaction.Update || !keyChanged(base.Version, base.Before, base.After) {
		return nil
	}
	t, err := r.table(base.Version)
	if err != nil {
		return err
	}
	old, fresh := split(base)
	_, err = r.keys.move(t, &old, &fresh)
	return err
}

// split makes the two sides of a changed key.
func split(base change.Event) (old, fresh change.Event) {
	old, fresh = base, base
	old.Op, old.After = change.Delete, nil
	fresh.Op, fresh.Before = change.Create, nil
	return old, fresh
}

// order gives the position of the next change among the transaction's changes to its table, from 1.
func (r *Records) order(v *schema.Version) int {
	c, ok := r.counters[v]
	if !ok {
		if c, ok = r.counts[v.Table]; !ok {
			c = &counter{}
			r.counts[v.Table] = c
		}
		r.counters[v] = c
	}
	if c.transaction != r.running {
		*c = counter{transaction: r.running}
	}
	c.changes++
	return c.changes
}

// counter is how many changes of a table a transaction has so far.
type counter struct {
	transaction uint64
	changes     int
}

// Append renders one change: one event, a delete with its tombstone, or for a changed key delete, tombstone and create, which
// share an index; of those the create alone where another row of the transaction has taken the old key (see keys). Bytes are appended
// to buf, events keep slices of it. base is what its events share, and is used up.
func (r *Records) Append(events []change.Event, buf []byte, base *change.Event, op transaction.Op) ([]change.Event, []byte, error) {
	t, err := r.table(base.Version)
	if err != nil {
		return events, buf, err
	}
	base.Topic, base.Headers = t.topic, r.headers
	switch op {
	case transaction.Insert:
		base.Op, base.Before = change.Create, nil
		return t.render(events, buf, base)
	case transaction.Delete:
		base.Op, base.After = change.Delete, nil
		return t.delete(events, buf, base)
	case transaction.Update:
		base.Op = change.Update
		if !keyChanged(base.Version, base.Before, base.After) {
			return t.render(events, buf, base)
		}
		old, fresh := split(*base)
		taken, err := r.keys.move(t, &old, &fresh)
		if err != nil {
			return events, buf, err
		}
		if buf, err = t.otherKeys(buf, &old, &fresh); err != nil {
			return events, buf, err
		}
		if !taken {
			if events, buf, err = t.delete(events, buf, &old); err != nil {
				return events, buf, err
			}
		}
		return t.render(events, buf, &fresh)
	case transaction.Truncate:
		base.Op, base.Before, base.After = change.Truncate, nil, nil
		return t.render(events, buf, base)
	default:
		return events, buf, stop.New(stop.Undecodable, base.Version.Table.String(), "a row without content cannot be published")
	}
}

// AppendRead renders a row that a query gave. base is what its events share, and is used up.
func (r *Records) AppendRead(events []change.Event, buf []byte, base *change.Event) ([]change.Event, []byte, error) {
	t, err := r.table(base.Version)
	if err != nil {
		return events, buf, err
	}
	base.Kind, base.Op, base.Topic, base.Headers = change.Snapshot, change.Read, t.topic, r.headers
	return t.render(events, buf, base)
}

// otherKeys gives each side of a changed key the key of the other, where the records have it as a header.
func (t *recordTable) otherKeys(buf []byte, old, fresh *change.Event) ([]byte, error) {
	from := len(buf)
	buf, err := t.AppendOtherKey(buf, old)
	if err != nil || len(buf) == from {
		return buf, err
	}
	middle := len(buf)
	if buf, err = t.AppendOtherKey(buf, fresh); err != nil {
		return buf[:from], err
	}
	asideOld, asideNew := change.Aside{}, change.Aside{}
	if old.Aside != nil {
		asideOld, asideNew = *old.Aside, *old.Aside
	}
	asideOld.OtherKey, asideNew.OtherKey = buf[middle:len(buf):len(buf)], buf[from:middle:middle]
	old.Aside, fresh.Aside = &asideOld, &asideNew
	return buf, nil
}

// render appends the key and value of one event.
func (t *recordTable) render(events []change.Event, buf []byte, ev *change.Event) ([]change.Event, []byte, error) {
	from := len(buf)
	buf, err := t.AppendKey(buf, ev)
	if err != nil {
		return events, buf, err
	}
	middle := len(buf)
	if buf, err = t.AppendValue(buf, ev); err != nil {
		return events, buf[:from], err
	}
	if middle > from {
		ev.Key = buf[from:middle:middle]
	}
	ev.Value = buf[middle:len(buf):len(buf)]
	return appendEvent(events, ev), buf, nil
}

// appendEvent copies an event once; append would copy it to the stack before.
func appendEvent(events []change.Event, ev *change.Event) []change.Event {
	events = slices.Grow(events, 1)[:len(events)+1]
	events[len(events)-1] = *ev
	return events
}

// delete appends a delete and, where the table has them, its tombstone with the same key. In the flat form it is one record or none.
func (t *recordTable) delete(events []change.Event, buf []byte, ev *change.Event) ([]change.Event, []byte, error) {
	switch t.Deletes() {
	case debezium.DeleteDropped:
		return events, buf, nil
	case debezium.DeleteTombstone:
		return t.grave(events, buf, ev)
	default:
	}
	events, buf, err := t.render(events, buf, ev)
	if err != nil || !t.Tombstones() {
		return events, buf, err
	}
	events = appendEvent(events, &events[len(events)-1])
	grave := &events[len(events)-1]
	grave.Kind, grave.Value = change.Tombstone, nil
	return events, buf, nil
}

// grave appends a tombstone in the place of a delete.
func (t *recordTable) grave(events []change.Event, buf []byte, ev *change.Event) ([]change.Event, []byte, error) {
	from := len(buf)
	buf, err := t.AppendKey(buf, ev)
	if err != nil {
		return events, buf, err
	}
	ev.Kind, ev.Key, ev.Value = change.Tombstone, buf[from:len(buf):len(buf)], nil
	return appendEvent(events, ev), buf, nil
}

// keyChanged reports whether an update gave the row another key. A key column that the redo does not hold on one side has not
// changed there: a statement that sets it is logged with its old value (reference logminer D.3).
func keyChanged(v *schema.Version, before, after []value.Value) bool {
	return slices.ContainsFunc(v.Key.Columns, func(i int) bool {
		return before[i].Known() && after[i].Known() && !before[i].Equal(after[i])
	})
}

// heartbeat makes the event that carries a position through a quiet stream; its SCN is the frontier, never above a commit that
// is still to come (R122).
func (r *Records) heartbeat(topic string, frontier position.SCN, now time.Time) (change.Event, error) {
	if r.heartbeats == nil {
		var err error
		if r.heartbeats, err = debezium.NewHeartbeats(r.settings); err != nil {
			return change.Event{}, err
		}
	}
	return change.Event{
		Kind: change.Heartbeat, SCN: frontier, Topic: topic,
		Key: r.heartbeats.Key(), Value: r.heartbeats.AppendValue(nil, now.UnixMilli()), Millis: now.UnixMilli(),
	}, nil
}
