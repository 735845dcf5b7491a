package engine

import (
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// workload runs random transactions against a synthetic database and knows what capture must deliver.
type workload struct {
	db     *synthetic
	tables []*schema.Version
	// left counts the operations still to come.
	left int
	// late lets commits reach the redo after the step that covers their SCN (R20).
	late bool
	// users: transactions have START rows and users, some the one that is excluded.
	users bool

	rows    map[rowKey]*liveRow
	running []*txn
	// pending ended and are not in the redo yet.
	pending   []*txn
	committed []*txn
	slots     map[uint16]uint32
	last      map[uint16]*txn
	rowIDs    int
	values    int
}

type rowKey struct {
	table *schema.Version
	id    int
}

// liveRow is a row of a table, or a key that a transaction has taken or given up.
type liveRow struct {
	image  image
	rowID  string
	exists bool
	lock   *txn
	// by is the transaction that last committed a change of the key.
	by *txn
}

// txn is a transaction of the workload.
type txn struct {
	xid     position.XID
	user    string
	key     position.Key
	commit  bool
	ended   bool
	written bool
	// began is the SCN of its first redo, scn that of its last.
	began, scn position.SCN
	changes    []changed
	// redo is what is not flushed yet; the redo of deps is on disk before it (K4).
	redo []logminer.Row
	deps []*txn
	held []rowKey
	// shared says of each row of redo that it lies in the record of the one before.
	shared []bool
	// array is the number of rows that still go into the record of the first one of an array statement.
	array int
}

// changed is a change that stands.
type changed struct {
	table    *schema.Version
	op       byte
	old, new image
	rowID    string
	before   map[rowKey]liveRow
}

func newWorkload(db *synthetic, operations int, late bool) *workload {
	w := &workload{
		db: db, left: operations, late: late, rows: map[rowKey]*liveRow{}, slots: map[uint16]uint32{}, last: map[uint16]*txn{},
		tables: []*schema.Version{table("A", 101), table("B", 102)},
	}
	db.described = w.tables
	db.tick = w.tick
	return w
}

// done reports that nothing more will happen.
func (w *workload) done() bool {
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	return w.left <= 0 && len(w.running) == 0 && len(w.pending) == 0
}

func (w *workload) chance(percent int) bool { return w.db.rng.IntN(100) < percent }

// tick does some operations and flushes some redo; what a bound read now must see is flushed, unless commits may be late.
func (w *workload) tick() {
	for range w.db.rng.IntN(6) {
		w.operate()
	}
	for _, t := range slices.Clone(w.running) {
		if w.chance(30) {
			w.flush(t, 1+w.db.rng.IntN(4))
		}
	}
	for _, t := range slices.Clone(w.pending) {
		if !w.late || w.left <= 0 || w.chance(60) {
			w.flush(t, len(t.redo))
		}
	}
	w.db.active = nil
	for _, t := range w.running {
		if t.scn > 0 {
			w.db.active = append(w.db.active, oracle.OpenTransaction{Container: pdb, XID: t.xid, StartSCN: t.began})
		}
	}
}

func (w *workload) operate() {
	w.left--
	switch {
	case w.left <= 0:
		for len(w.running) > 0 {
			w.end(w.running[0], w.chance(70))
		}
	case w.chance(4):
		w.switchLog()
	case len(w.running) == 0 || len(w.running) < 4 && w.chance(25):
		w.begin()
	default:
		t := w.running[w.db.rng.IntN(len(w.running))]
		switch p := w.db.rng.IntN(100); {
		case p < 62:
			w.change(t)
		case p < 74:
			w.undo(t, w.db.rng.IntN(len(t.changes)+1))
		case p < 92:
			w.end(t, true)
		default:
			w.end(t, false)
		}
	}
}

// switchLog flushes every strand first (reference logminer F.5).
func (w *workload) switchLog() {
	for _, t := range slices.Clone(w.running) {
		w.flush(t, len(t.redo))
	}
	for _, t := range slices.Clone(w.pending) {
		w.flush(t, len(t.redo))
	}
	w.db.switchLog()
}

func (w *workload) begin() {
	usn := uint16(1 + w.db.rng.IntN(5))
	if slices.ContainsFunc(w.running, func(t *txn) bool { return t.xid.USN == usn }) {
		return
	}
	w.slots[usn]++
	t := &txn{xid: position.XID{USN: usn, Slot: 2, Sequence: w.slots[usn]}}
	if before := w.last[usn]; before != nil {
		// The slot is free only once its transaction has ended.
		t.deps = append(t.deps, before)
		w.db.now = max(w.db.now, before.scn+1)
	}
	w.last[usn] = t
	w.running = append(w.running, t)
	if w.users {
		t.user = []string{barredUser, barredUser, "APP", ""}[w.db.rng.IntN(4)]
		w.append(t, logminer.Row{Operation: logminer.Start}, false)
		t.redo[0].User = t.user
	}
}

// next gives the SCN of the next redo record; several may share one.
func (w *workload) next() position.SCN {
	w.db.now += position.SCN(w.db.rng.IntN(3))
	return w.db.now
}

// append makes a redo row in the transaction's strand.
func (w *workload) append(t *txn, r logminer.Row, shared bool) {
	r.XID, r.Container, r.SCN, r.UnixSeconds = t.xid, pdb, w.next(), 1_700_000_000
	if w.users && w.chance(50) {
		r.User = t.user // LogMiner knows it only sometimes (K5)
	}
	if n := len(t.redo); shared && n > 0 {
		r.SCN = t.redo[n-1].SCN
	}
	if t.scn = r.SCN; t.began == 0 {
		t.began = r.SCN
	}
	t.redo, t.shared = append(t.redo, r), append(t.shared, shared)
}

// take locks a key for a transaction. A change that follows another transaction's has a higher SCN than its commit (K4).
func (w *workload) take(t *txn, k rowKey) (*liveRow, bool) {
	r, ok := w.rows[k]
	if !ok {
		r = &liveRow{}
		w.rows[k] = r
	}
	if r.lock != nil && r.lock != t {
		return nil, false
	}
	if r.lock == nil {
		r.lock = t
		t.held = append(t.held, k)
		if r.by != nil {
			t.deps = append(t.deps, r.by)
			w.db.now = max(w.db.now, r.by.key.SCN+1)
		}
	}
	return r, true
}

// change makes a random change in a transaction.
func (w *workload) change(t *txn) {
	v := w.tables[w.db.rng.IntN(len(w.tables))]
	if w.chance(8) {
		w.append(t, logminer.Row{Operation: logminer.Insert, ObjectID: 900, Owner: "APP", Table: "FOREIGN", RowID: "AAF"}, false)
		return
	}
	k := rowKey{v, w.db.rng.IntN(5)}
	r, ok := w.take(t, k)
	if !ok {
		return
	}
	w.values++
	value := fmt.Sprintf("v%d", w.values)
	switch {
	case !r.exists:
		w.insert(t, k, r, value)
	case w.chance(25):
		w.write(t, changed{table: v, op: 'd', old: r.image, rowID: r.rowID, before: map[rowKey]liveRow{k: *r}})
		r.exists = false
	case w.chance(25):
		other := rowKey{v, w.db.rng.IntN(5)}
		o, ok := w.take(t, other)
		if !ok || o.exists {
			return
		}
		fresh := image{other.id, value}
		w.write(t, changed{table: v, op: 'u', old: r.image, new: fresh, rowID: r.rowID, before: map[rowKey]liveRow{k: *r, other: *o}})
		o.image, o.rowID, o.exists = fresh, r.rowID, true
		r.exists = false
	default:
		fresh := image{k.id, value}
		w.write(t, changed{table: v, op: 'u', old: r.image, new: fresh, rowID: r.rowID, before: map[rowKey]liveRow{k: *r}})
		r.image = fresh
	}
}

func (w *workload) insert(t *txn, k rowKey, r *liveRow, value string) {
	w.rowIDs++
	if r.rowID == "" || w.chance(50) {
		r.rowID = fmt.Sprintf("AAAROWAAA%04d", w.rowIDs) // else the ROWID of a deleted row is used again
	}
	before := *r
	r.image, r.exists = image{k.id, value}, true
	w.write(t, changed{table: k.table, op: 'c', new: r.image, rowID: r.rowID, before: map[rowKey]liveRow{k: before}})
}

// write puts a change into the redo; an array statement puts several into one record.
func (w *workload) write(t *txn, c changed) {
	row := logminer.Row{ObjectID: c.table.ObjectIDs[0], Owner: "APP", Table: c.table.Table.Name, RowID: c.rowID}
	switch c.op {
	case 'c':
		row.Operation, row.Redo = logminer.Insert, insertSQL(c.table, c.new)
	case 'u':
		row.Operation, row.Redo = logminer.Update, updateSQL(c.table, c.old, c.new, c.rowID)
	case 'd':
		row.Operation, row.Redo = logminer.Delete, deleteSQL(c.table, c.old, c.rowID)
	}
	shared := t.array > 0 && len(t.redo) > 0
	t.array--
	if !shared && w.chance(15) {
		t.array = 2
	}
	w.append(t, row, shared)
	t.changes = append(t.changes, c)
}

// undo takes back the newest changes of a transaction, as a rollback to a savepoint does.
func (w *workload) undo(t *txn, count int) {
	t.array = 0
	for range count {
		last := len(t.changes) - 1
		c := t.changes[last]
		t.changes = t.changes[:last]
		for k, before := range c.before {
			r := w.rows[k]
			lock, by := r.lock, r.by
			*r = before
			r.lock, r.by = lock, by
		}
		row := logminer.Row{ObjectID: c.table.ObjectIDs[0], Owner: "APP", Table: c.table.Table.Name, RowID: c.rowID, Undo: true}
		row.Operation = map[byte]logminer.Operation{'c': logminer.Delete, 'u': logminer.Update, 'd': logminer.Insert}[c.op]
		w.append(t, row, false)
		if w.chance(20) {
			t.redo[len(t.redo)-1].XID.Sequence = position.PartialSequence
		}
	}
}

// end commits or rolls back.
func (w *workload) end(t *txn, commit bool) {
	t.ended, t.commit = true, commit
	w.running = slices.DeleteFunc(w.running, func(o *txn) bool { return o == t })
	if !commit {
		w.undo(t, len(t.changes))
		w.append(t, logminer.Row{Operation: logminer.Rollback}, false)
		if w.chance(40) {
			t.redo[len(t.redo)-1].XID.Sequence = position.PartialSequence
		}
	} else {
		w.append(t, logminer.Row{Operation: logminer.Commit}, false)
	}
	t.key = position.Key{SCN: t.scn, Thread: 1}
	for _, k := range t.held {
		r := w.rows[k]
		r.lock = nil
		if commit {
			r.by = t
		}
	}
	w.pending = append(w.pending, t)
}

// flush writes rows of a transaction's strand to the redo file, behind everything that it depends on.
func (w *workload) flush(t *txn, rows int) {
	if t.written {
		return
	}
	for _, d := range t.deps {
		w.flush(d, len(d.redo))
	}
	t.deps = nil
	for rows = min(rows, len(t.redo)); rows < len(t.redo) && t.shared[rows]; {
		rows++ // a record is written whole
	}
	for i, r := range t.redo[:rows] {
		at := w.db.flush(r, t.shared[i])
		switch {
		case r.Operation == logminer.Commit:
			t.key.Address = at.Address
			w.committed = append(w.committed, t)
		case r.Operation == logminer.Rollback && w.chance(30):
			w.db.file[len(w.db.file)-1].Address = position.RBA{}
		}
	}
	t.redo, t.shared = t.redo[rows:], t.shared[rows:]
	if t.ended && len(t.redo) == 0 {
		t.written = true
		w.pending = slices.DeleteFunc(w.pending, func(o *txn) bool { return o == t })
	}
}

// mayBeLate says whether commits are late now.
func (w *workload) mayBeLate() bool {
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	return w.late
}

// expected lists the events that capture from S must deliver, in commit order.
func (w *workload) expected(s position.SCN) []string {
	w.db.mu.Lock()
	defer w.db.mu.Unlock()
	txns := slices.Clone(w.committed)
	slices.SortFunc(txns, func(a, b *txn) int { return a.key.Compare(b.key) })
	var out []string
	for _, t := range txns {
		if t.key.SCN > s && t.user != barredUser {
			out = append(out, t.events()...)
		}
	}
	return out
}

// events renders what a transaction makes.
func (t *txn) events() []string {
	var out []string
	add := func(index int, kind string, v *schema.Version, id int, old, new string) {
		out = append(out, fmt.Sprintf("%s#%d %s %s/%d %s>%s", t.xid, index, kind, v.Table.Name, id, old, new))
	}
	for i, c := range t.changes {
		switch {
		case c.op == 'c':
			add(i, "c", c.table, c.new.id, "", c.new.v)
		case c.op == 'd':
			add(i, "d", c.table, c.old.id, c.old.v, "")
			add(i, "tombstone", c.table, c.old.id, "", "")
		case c.old.id != c.new.id:
			add(i, "d", c.table, c.old.id, c.old.v, "")
			add(i, "tombstone", c.table, c.old.id, "", "")
			add(i, "c", c.table, c.new.id, "", c.new.v)
		default:
			add(i, "u", c.table, c.new.id, c.old.v, c.new.v)
		}
	}
	return out
}

// drawnFailures makes a share of the steps fail before a random row.
func (w *workload) drawnFailures(percent int) {
	w.db.fail = func(rows int) int {
		if w.chance(percent) {
			return w.db.rng.IntN(rows + 1)
		}
		return -1
	}
	w.db.failure = &oracle.Fault{Class: oracle.ReMine, Limit: 1 << 30, Becomes: stop.New(stop.StepFailed, "", "drawn")}
}

// drawnBounds makes steps stop short of the reading.
func (w *workload) drawnBounds() {
	w.db.bound = func(from, reading position.SCN) position.SCN {
		if reading <= from || w.chance(60) {
			return max(from, reading)
		}
		return from + position.SCN(w.db.rng.IntN(int(min(reading-from, 1000))+1))
	}
}
