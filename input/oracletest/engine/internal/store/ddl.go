package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"slices"

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
		sp.place(&layout)
		t := newTable(sp, &layout)
		made := make([]*Row, len(rows))
		for i := range rows {
			made[i] = &Row{heap: t.heaps[0], id: t.heaps[0].slot()}
		}
		d := defines(t.layout, func(scn redo.SCN) {
			t.change(scn)
			sp.publish(t)
			if !logging && len(rows) > 0 {
				s.unrecoverable(sp, &layout, scn)
			}
			by := &Tx{store: s, space: sp, commit: scn, ended: true}
			for i, values := range rows {
				made[i].head = &version{tx: by, cells: values}
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
			t.layout = &layout
			t.change(scn)
			t.reset()
		}}, nil
	})
}

// failDDL reports whether the next DDL is one of those that fail (R93FailDDL).
func (s *Store) failDDL() bool {
	return s.log.Take(func(w *redo.Warts) *int { return &w.R93FailDDL })
}
