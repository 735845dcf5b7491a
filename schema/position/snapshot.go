package position

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// SnapshotStatus says how far a snapshot, or one of its tables, has come.
type SnapshotStatus string

// How far a snapshot has come.
const (
	SnapshotWaiting   SnapshotStatus = "waiting"
	SnapshotRunning   SnapshotStatus = "running"
	SnapshotPaused    SnapshotStatus = "paused"
	SnapshotCompleted SnapshotStatus = "completed"
	SnapshotAborted   SnapshotStatus = "aborted"
)

// Snapshot is the progress of a snapshot that a position carries, like that of events (R86). It is not changed, but replaced: positions
// in flight share it.
type Snapshot struct {
	// ID names the snapshot, Run the process that began it.
	ID, Run string
	// Kind is why it was begun: a mode of the configuration, or what asked for it.
	Kind   string
	Status SnapshotStatus
	// Whole is the kind of the last snapshot before this one that read all captured tables to its end; empty: none did.
	Whole string
	// Rows is how many were delivered, those of tables that are done included.
	Rows uint64
	// Last is the table whose rows were delivered last; empty: none yet, or nobody noted it.
	Last string
	// Tables are those still to be read, in their order.
	Tables []SnapshotTable
	// Queued are snapshots that were asked for and wait for this one, in their order; they have none queued themselves.
	Queued []Snapshot
}

// SnapshotTable is the progress of one table.
type SnapshotTable struct {
	// Table is its name as patterns have it.
	Table string
	// Condition is the SQL condition that rows must meet besides those of the configuration; empty: none.
	Condition string
	// Override is a whole query in the table's place; empty: none.
	Override string
	// By is what it is cut by, where that was asked for; empty: what fits.
	By   string
	Rows uint64
	// Frontier says up to where rows were delivered, in the form of who reads them; nil: none yet.
	Frontier json.RawMessage
}

// Begun reports whether rows of the table were delivered.
func (t *SnapshotTable) Begun() bool { return t.Frontier != nil || t.Rows > 0 }

// Table finds a table of the snapshot.
func (s *Snapshot) Table(name string) (SnapshotTable, bool) {
	if s == nil {
		return SnapshotTable{}, false
	}
	at := slices.IndexFunc(s.Tables, func(t SnapshotTable) bool { return t.Table == name })
	if at < 0 {
		return SnapshotTable{}, false
	}
	return s.Tables[at], true
}

// compact takes the white space out of JSON.
func compact(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return nil
	}
	var out bytes.Buffer
	_ = json.Compact(&out, raw) // it was parsed, or check has seen it
	return out.Bytes()
}

// check refuses a frontier that is not JSON, and names that are there twice: the record would be damaged, or lose one of the two.
func (s *Snapshot) check() error {
	if s == nil {
		return nil
	}
	seen := map[string]bool{}
	for i := range s.Tables {
		t := &s.Tables[i]
		switch {
		case t.Frontier != nil && !json.Valid(t.Frontier):
			return fmt.Errorf("position: the frontier of table %s is not JSON", t.Table)
		case seen[t.Table]:
			return fmt.Errorf("position: table %s is twice in snapshot %s", t.Table, s.ID)
		}
		seen[t.Table] = true
	}
	ids := map[string]bool{}
	for i := range s.Queued {
		if ids[s.Queued[i].ID] {
			return fmt.Errorf("position: snapshot %s is queued twice", s.Queued[i].ID)
		}
		ids[s.Queued[i].ID] = true
		if err := s.Queued[i].check(); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) snapshot(s *Snapshot) {
	w.child("snapshot")
	w.snapshotMembers(s)
	if len(s.Queued) > 0 {
		w.child("queued")
		for i := range s.Queued {
			w.child(s.Queued[i].ID)
			w.number("n", uint64(i)+1)
			w.snapshotMembers(&s.Queued[i])
			w.close()
		}
		w.close()
	}
	w.close()
}

func (w *writer) snapshotMembers(s *Snapshot) {
	w.text("id", s.ID)
	w.text("run", s.Run)
	w.text("kind", s.Kind)
	w.text("status", string(s.Status))
	if s.Whole != "" {
		w.text("whole", s.Whole)
	}
	w.number("rows", s.Rows)
	if s.Last != "" {
		w.text("last", s.Last)
	}
	if len(s.Tables) == 0 {
		return
	}
	w.child("tables")
	for i := range s.Tables {
		t := &s.Tables[i]
		w.child(t.Table)
		w.number("n", uint64(i)+1)
		if t.Condition != "" {
			w.text("condition", t.Condition)
		}
		if t.Override != "" {
			w.text("override", t.Override)
		}
		if t.By != "" {
			w.text("by", t.By)
		}
		w.number("rows", t.Rows)
		if t.Frontier != nil {
			w.raw("frontier", compact(t.Frontier))
		}
		w.close()
	}
	w.close()
}

func (r *reader) snapshot(o object, s *Snapshot) {
	r.snapshotMembers(o, s)
	if o.has("queued") {
		queue := o.child("queued")
		order := map[string]int{}
		for _, id := range slices.Sorted(maps.Keys(queue.members)) {
			one := queue.child(id)
			order[id] = one.place()
			var queued Snapshot
			r.snapshotMembers(one, &queued)
			one.close()
			s.Queued = append(s.Queued, queued)
		}
		slices.SortStableFunc(s.Queued, func(a, b Snapshot) int { return cmp.Compare(order[a.ID], order[b.ID]) })
	}
	o.close()
}

func (r *reader) snapshotMembers(o object, s *Snapshot) {
	o.take("id", &s.ID)
	o.take("run", &s.Run)
	o.take("kind", &s.Kind)
	o.take("status", &s.Status)
	o.option("whole", &s.Whole)
	o.take("rows", &s.Rows)
	o.option("last", &s.Last)
	if !o.has("tables") {
		return
	}
	tables := o.child("tables")
	order := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(tables.members)) {
		t := SnapshotTable{Table: name}
		in := tables.child(name)
		order[name] = in.place()
		in.option("condition", &t.Condition)
		in.option("override", &t.Override)
		in.option("by", &t.By)
		in.take("rows", &t.Rows)
		in.option("frontier", &t.Frontier)
		t.Frontier = compact(t.Frontier)
		in.close()
		s.Tables = append(s.Tables, t)
	}
	slices.SortStableFunc(s.Tables, func(a, b SnapshotTable) int { return cmp.Compare(order[a.Table], order[b.Table]) })
}

// place reads the number by which an object stands in a list: members of JSON objects have no order.
func (o object) place() (n int) {
	o.take("n", &n)
	if n < 1 && o.r.err == nil {
		o.fail("n", fmt.Errorf("%s is no place in a list", strconv.Itoa(n)))
	}
	return n
}
