package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Issuer is who runs a DDL, and its text.
type Issuer struct {
	Container int
	Origin    redo.Origin
	SQL       string
}

// definition is a DDL that is about to be written.
type definition struct {
	// table is what the row shows, nil for a DDL of no table.
	table *catalog.Table
	// tables and gone are what is in the dictionary when it has committed (redo.Effect).
	tables []*catalog.Table
	gone   []uint32
	// before are statements that Oracle runs for itself in the same transaction, behind the row of the user's own are rows.
	before []string
	rows   []*redo.Record
	// online is a table that others may change while the DDL goes on.
	online *Table
	// apply does it.
	apply func(scn redo.SCN)
}

// defines is a DDL that leaves a table as it shows it.
func defines(t *catalog.Table, apply func(redo.SCN)) *definition {
	return &definition{table: t, tables: []*catalog.Table{t}, apply: apply}
}

// ddl runs a DDL as a transaction of its own: START, DDL and COMMIT (reference logminer F.1), then apply. plan runs under the lock.
func (s *Store) ddl(ctx context.Context, by Issuer, plan func(sp *space) (*definition, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp := s.spaces[by.Container]
	if sp == nil {
		return wire.Errorf(65011, "Pluggable database does not exist.")
	}
	d, err := plan(sp)
	if err != nil {
		return err
	}
	xid := sp.undo.take()
	defer sp.undo.release(xid)
	rec := func(op redo.Op) *redo.Record {
		return &redo.Record{XID: xid, Container: by.Container, Origin: by.Origin, Op: op}
	}
	recs := []*redo.Record{rec(redo.Start)}
	for i, text := range append(slices.Clip(d.before), by.SQL) {
		one := rec(redo.DDL)
		one.Table, one.SQL, one.Shared, one.Recursive = d.table, text, i == 0, i < len(d.before)
		one.Unlogged = s.logging == Logging{}
		recs = append(recs, one)
	}
	if len(d.tables) > 0 || len(d.gone) > 0 {
		recs[len(recs)-1].Effect = &redo.Effect{Tables: d.tables, Gone: d.gone}
	}
	for _, r := range d.rows {
		r.XID, r.Container, r.Origin, r.Unlogged = xid, by.Container, by.Origin, s.logging == Logging{}
	}
	recs = append(recs, d.rows...)
	if s.failDDL() {
		for _, r := range slices.Backward(d.rows) {
			undo := *r
			undo.Op, undo.Undo, undo.After, undo.AfterSet, undo.Shared = redo.Delete, true, nil, nil, false
			recs = append(recs, &undo)
		}
		if err := s.log.Append(ctx, append(recs, rec(redo.Rollback))...); err != nil {
			return err
		}
		return wire.Errorf(30036, "unable to extend segment by 8 in undo tablespace 'UNDOTBS1'")
	}
	if d.online != nil && s.pause != nil {
		if err := s.log.Append(ctx, recs...); err != nil {
			return err
		}
		if err := s.hold(ctx, d.online); err != nil {
			return firstError(s.log.Append(context.WithoutCancel(ctx), rec(redo.Rollback)), err)
		}
		recs = nil
	}
	commit := rec(redo.Commit)
	if err := s.log.Append(ctx, append(recs, commit)...); err != nil {
		return err
	}
	d.apply(commit.SCN)
	s.lastCommit = commit.SCN
	s.moments.note(s.now(), commit.SCN)
	return nil
}

// Note writes a DDL that changes nothing in the store but the time of a table's last DDL (reference logminer G.1); table may be nil.
func (s *Store) Note(ctx context.Context, by Issuer, table *Table) error {
	return s.ddl(ctx, by, func(*space) (*definition, error) {
		if table == nil {
			return &definition{apply: func(redo.SCN) {}}, nil
		}
		if table.altering {
			return nil, errBusy()
		}
		layout := *table.layout
		layout.LastDDL = s.now()
		return defines(&layout, func(redo.SCN) { table.layout = &layout }), nil
	})
}

// Touch writes a DDL whose row names no table, and which moves the time of a table's last DDL all the same.
func (s *Store) Touch(ctx context.Context, by Issuer, table *Table) error {
	return s.ddl(ctx, by, func(*space) (*definition, error) {
		if table.altering {
			return nil, errBusy()
		}
		layout := *table.layout
		layout.LastDDL = s.now()
		return &definition{tables: []*catalog.Table{&layout}, apply: func(redo.SCN) { table.layout = &layout }}, nil
	})
}

// SetLogging changes the database's supplemental logging.
func (s *Store) SetLogging(ctx context.Context, by Issuer, alter func(*Logging)) error {
	return s.ddl(ctx, by, func(*space) (*definition, error) {
		return &definition{apply: func(redo.SCN) { alter(&s.logging) }}, nil
	})
}

// Preset sets the supplemental logging that the database has from the start, without redo.
func (s *Store) Preset(l Logging) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logging = l
}

// CreateTable publishes a table, with rows if there are any; the store gives out its object id and version. Without logging the rows are
// in no redo.
func (s *Store) CreateTable(ctx context.Context, by Issuer, layout catalog.Table, rows [][]datum.Datum, logging bool) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		if _, ok := sp.tables[tableKey(layout.Owner, layout.Name)]; ok {
			return nil, errNameUsed()
		}
		layout.Container = sp.container
		layout.ObjectID = sp.takeObject()
		layout.DataObjectID, layout.Version = layout.ObjectID, 1
		if layout.Partitioning != nil {
			sp.giveIDs(layout.Partitioning, s.now())
		}
		layout.ForeignKeys = slices.Clone(layout.ForeignKeys)
		for i := range layout.ForeignKeys {
			if layout.ForeignKeys[i].Parent == 0 { // itself
				layout.ForeignKeys[i].Parent = layout.ObjectID
			}
		}
		layout.Created, layout.LastDDL = s.now(), s.now()
		t := newTable(sp, &layout)
		made := make([]*Row, len(rows))
		for i := range rows {
			made[i] = &Row{heap: t.heaps[0], id: t.heaps[0].slot()}
		}
		d := defines(t.layout, func(scn redo.SCN) {
			t.changed = scn
			sp.publish(t)
			by := &Tx{store: s, space: sp, commit: scn, ended: true}
			for i, values := range rows {
				made[i].head = &version{tx: by, values: values}
				t.rows.Set(made[i].id, made[i])
			}
		})
		if logging && !s.log.Warts().R107NoRows {
			for i, values := range rows {
				rec := t.at(&redo.Record{Op: redo.Insert, After: values, AfterSet: allColumns(values)}, made[i])
				rec.Shared = i > 0 && made[i].id>>16 == made[i-1].id>>16
				d.rows = append(d.rows, rec)
			}
		}
		return d, nil
	})
}

func errNameUsed() error { return wire.Errorf(955, "name is already used by an existing object") }

func (sp *space) takeObject() uint32 {
	id := sp.nextObject
	// An index or a LOB segment would take ids too, so tables do not follow each other without a gap.
	sp.nextObject += 2
	return id
}

func (sp *space) publish(t *Table) {
	sp.tables[tableKey(t.layout.Owner, t.layout.Name)] = t
	sp.byID[t.layout.ObjectID] = t
	for _, id := range t.layout.SegmentIDs() {
		sp.segments[id] = t
	}
}

// user finds a transaction that holds a lock or a change in the table.
func (sp *space) user(t *Table) *Tx {
	for tx := range sp.active {
		for i := range tx.changes {
			if tx.changes[i].table == t {
				return tx
			}
		}
	}
	var found *Tx
	t.rows.Scan(func(_ uint64, r *Row) bool {
		if r.holder != nil && r.holder.active() {
			found = r.holder
		}
		return found == nil
	})
	return found
}

func errBusy() error {
	return wire.Errorf(54, "resource busy and acquire with NOWAIT specified or timeout expired")
}

// DropTable drops a table. With purge it is gone at once; otherwise it stays in the recycle bin under a generated name, and the DDL
// text gets that name behind it (reference logminer G.1). Foreign keys that reference it go with cascade, else they keep it.
func (s *Store) DropTable(ctx context.Context, by Issuer, t *Table, purge, cascade bool) error {
	bin := ""
	if !purge {
		bin = binName()
		by.SQL += ` AS "` + bin + `"`
	}
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		if err := sp.changeable(t); err != nil {
			return nil, err
		}
		old := t.layout
		if !cascade && sp.referenced(t, func(f *catalog.ForeignKey) bool { return true }) {
			return nil, wire.Errorf(2449, "unique/primary keys in table referenced by foreign keys")
		}
		leave := func() {
			sp.detach(t, func(*catalog.ForeignKey) bool { return true })
			delete(sp.tables, tableKey(old.Owner, old.Name))
			t.dropped = true
		}
		if purge {
			return &definition{table: old, gone: []uint32{old.ObjectID}, apply: func(redo.SCN) {
				leave()
				sp.forget(old)
			}}, nil
		}
		recycled := *old
		recycled.Name, recycled.Dropped, recycled.LastDDL, recycled.Original = bin, true, s.now(), old.Name
		return &definition{
			table: old, tables: []*catalog.Table{&recycled},
			// The rename that the drop consists of (reference logminer G.1).
			before: []string{`ALTER TABLE "` + old.Owner + `"."` + old.Name + `" RENAME TO "` + bin + `"`},
			apply: func(scn redo.SCN) {
				leave()
				bin := recycled
				bin.DropSCN = uint64(scn)
				t.layout = &bin
			},
		}, nil
	})
}

// binName makes a name of the recycle bin: BIN$, 22 characters, ==$0.
func binName() string {
	var id [16]byte
	// rand.Read does not fail.
	_, _ = rand.Read(id[:])
	return "BIN$" + base64.StdEncoding.EncodeToString(id[:]) + "$0"
}

// changeable reports why a DDL cannot change the table now.
func (sp *space) changeable(t *Table) error {
	if t.dropped {
		return wire.Errorf(942, "table or view does not exist")
	}
	if t.altering || sp.user(t) != nil {
		return errBusy()
	}
	return nil
}

// Truncate empties a table: a new data object, no undo.
func (s *Store) Truncate(ctx context.Context, by Issuer, t *Table) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		if err := sp.changeable(t); err != nil {
			return nil, err
		}
		if sp.referenced(t, func(f *catalog.ForeignKey) bool { return !f.Disabled }) {
			return nil, wire.Errorf(2266, "unique/primary keys in table referenced by enabled foreign keys")
		}
		layout := *t.layout
		layout.LastDDL = s.now()
		if layout.Partitioning == nil {
			layout.DataObjectID = sp.takeObject()
		} else {
			layout.Partitioning = layout.Partitioning.Clone()
			for i := range layout.Partitioning.Partitions {
				p := &layout.Partitioning.Partitions[i]
				p.DataObjectID, p.LastDDL = sp.takeObject(), layout.LastDDL
			}
		}
		return &definition{table: t.layout, tables: []*catalog.Table{&layout}, apply: func(scn redo.SCN) {
			t.layout, t.changed = &layout, scn
			t.reset()
		}}, nil
	})
}

// Alteration is what an ALTER TABLE does.
type Alteration struct {
	Layout catalog.Table
	// Structural raises the object version (reference logminer G.2) and rewrites the rows, if Rewrite is set.
	Structural bool
	// Keys says that unique keys come or go.
	Keys    bool
	Rewrite func(values []datum.Datum) []datum.Datum
	// Absent tells which columns of a rewritten row are not stored (R109), by those that were not before.
	Absent func(absent []bool) []bool
	// Check refuses rows that the new layout cannot hold.
	Check func(values []datum.Datum) error
	// Lost are keys that are no more: with Cascade the foreign keys of other tables that reference them go too, else they forbid
	// it with the code Keep.
	Lost    []string
	Cascade bool
	// Move gives the rows another place, and the table another data object.
	Move bool
	// Online alterations do not fail for open transactions: they wait for them, or from 23.3 on do not even wait (K7).
	Online bool
	Keep   error
	// OnlyEnabled leaves foreign keys alone that are disabled.
	OnlyEnabled bool
}

// Then puts a second alteration behind a first one, on whose layout it was planned.
func (a Alteration) Then(b Alteration) Alteration {
	first := a
	a.Layout, a.Structural, a.Keys, a.Online = b.Layout, a.Structural || b.Structural, a.Keys || b.Keys, a.Online && b.Online
	a.Lost, a.Move = append(slices.Clip(a.Lost), b.Lost...), a.Move || b.Move
	rewritten := func(values []datum.Datum) []datum.Datum {
		if first.Rewrite != nil {
			return first.Rewrite(values)
		}
		return values
	}
	a.Rewrite = func(values []datum.Datum) []datum.Datum {
		values = rewritten(values)
		if b.Rewrite != nil {
			values = b.Rewrite(values)
		}
		return values
	}
	a.Absent = func(absent []bool) []bool {
		for _, one := range []*Alteration{&first, &b} {
			if one.Absent != nil {
				absent = one.Absent(absent)
			}
		}
		return absent
	}
	a.Check = func(values []datum.Datum) error {
		if first.Check != nil {
			if err := first.Check(values); err != nil {
				return err
			}
		}
		if b.Check != nil {
			return b.Check(rewritten(values))
		}
		return nil
	}
	return a
}

// Alter changes a table's layout. plan gets the present one.
func (s *Store) Alter(ctx context.Context, by Issuer, t *Table, plan func(catalog.Table) (Alteration, error)) error {
	return s.ddl(ctx, by, func(sp *space) (*definition, error) {
		old, a, err := s.planAlteration(ctx, sp, t, plan)
		if err != nil {
			return nil, err
		}
		if _, used := sp.tables[tableKey(a.Layout.Owner, a.Layout.Name)]; used && a.Layout.Name != old.Name {
			return nil, errNameUsed()
		}
		lost := func(f *catalog.ForeignKey) bool {
			return slices.Contains(a.Lost, f.Key) && !(a.OnlyEnabled && f.Disabled)
		}
		if len(a.Lost) > 0 && !a.Cascade && sp.referenced(t, lost) {
			return nil, a.Keep
		}
		if err := t.admits(&a); err != nil {
			return nil, err
		}
		if err := t.admitsForeign(&a.Layout); err != nil {
			return nil, err
		}
		a.Layout.LastDDL = s.now()
		if a.Structural {
			a.Layout.Version++
		}
		if a.Move && a.Layout.Partitioning != nil {
			return nil, wire.Errorf(14511, "cannot perform operation on a partitioned object")
		}
		if a.Move {
			a.Layout.DataObjectID = sp.takeObject()
		}
		d := defines(&a.Layout, func(scn redo.SCN) {
			delete(sp.tables, tableKey(old.Owner, old.Name))
			sp.detach(t, lost)
			t.layout = &a.Layout
			sp.publish(t)
			if t.rewrite(&a, scn); a.Move {
				t.changed = scn // older rows are where they were
				t.heaps[0].data.Store(a.Layout.DataObjectID)
			}
		})
		if a.Online && s.online {
			d.online = t
		}
		return d, nil
	})
}

// planAlteration plans a change when the table can be changed, for which it may wait. The layout is the one it was planned on.
func (s *Store) planAlteration(ctx context.Context, sp *space, t *Table, plan func(catalog.Table) (Alteration, error)) (*catalog.Table, Alteration, error) {
	for {
		if t.dropped {
			return nil, Alteration{}, wire.Errorf(942, "table or view does not exist")
		}
		if t.altering {
			return nil, Alteration{}, errBusy()
		}
		old := t.layout
		a, err := plan(*old)
		if err != nil {
			return nil, a, err
		}
		a.Online = a.Online && len(a.Layout.Keys()) == len(old.Keys())
		user := sp.user(t)
		switch {
		case user == nil || a.Online && s.online:
			return old, a, nil
		case !a.Online:
			return nil, a, errBusy()
		}
		s.mu.Unlock()
		select {
		case <-user.done:
			err = nil
		case <-ctx.Done():
			err = ctx.Err()
		}
		s.mu.Lock()
		if err != nil {
			return nil, a, err
		}
	}
}

// PauseDDL lets alterations that do not wait for open transactions stop between their row and their COMMIT until resume is called
// (R94).
func (s *Store) PauseDDL() (resume func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pause == nil {
		s.pause = make(chan struct{})
	}
	pause := s.pause
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.pause == pause {
			s.pause = nil
		}
		close(pause)
	})
}

// hold waits for the end of a pause with the lock given away.
func (s *Store) hold(ctx context.Context, t *Table) error {
	pause := s.pause
	t.altering = true
	s.mu.Unlock()
	var err error
	select {
	case <-pause:
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.mu.Lock()
	t.altering = false
	return err
}

// admits checks the committed rows against the new layout: conditions of its columns, and new unique keys.
func (t *Table) admits(a *Alteration) error {
	next := newTable(t.space, &a.Layout)
	var err error
	t.rows.Scan(func(_ uint64, r *Row) bool {
		if r.head.values == nil {
			return true
		}
		values := r.head.values
		if a.Check != nil {
			if err = a.Check(values); err != nil {
				return false
			}
		}
		if a.Rewrite != nil {
			values = a.Rewrite(values)
		}
		for _, x := range next.indexes {
			key, indexed := x.key(values)
			if _, used := x.keys.Get(key); indexed && used {
				err = wire.Errorf(2299, "cannot validate (%s.%s) - duplicate keys found", a.Layout.Owner, x.name)
				return false
			}
			x.add(values, r)
		}
		return true
	})
	return err
}

// rewrite gives every row its new shape, down to its newest committed version. Older versions go: a flashback query across the
// change is ORA-01466 anyway.
func (t *Table) rewrite(a *Alteration, scn redo.SCN) {
	if a.Structural {
		t.changed = scn
		t.rows.Scan(func(_ uint64, r *Row) bool {
			r.head = a.reshape(r.head)
			return true
		})
	}
	if a.Structural || a.Keys {
		t.buildIndexes()
	}
}

func (a *Alteration) reshape(v *version) *version {
	if v == nil {
		return nil
	}
	next := &version{tx: v.tx, sequence: v.sequence, values: v.values, absent: v.absent}
	if v.values != nil && a.Rewrite != nil {
		next.values = a.Rewrite(v.values)
	}
	if v.values != nil && a.Absent != nil {
		next.absent = a.Absent(v.absent)
	}
	if v.tx.commit == 0 {
		next.prev = a.reshape(v.prev)
	}
	return next
}

// failDDL reports whether the next DDL is one of those that fail (R93FailDDL).
func (s *Store) failDDL() bool {
	return s.log.Take(func(w *redo.Warts) *int { return &w.R93FailDDL })
}
