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

// ddl runs a DDL as a transaction of its own: START, DDL and COMMIT (reference logminer F.1), then apply. plan runs under the lock and
// returns the layout that the record shows.
func (s *Store) ddl(ctx context.Context, by Issuer, plan func(sp *space) (*catalog.Table, func(scn redo.SCN), error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	sp := s.spaces[by.Container]
	if sp == nil {
		return wire.Errorf(65011, "Pluggable database does not exist.")
	}
	layout, apply, err := plan(sp)
	if err != nil {
		return err
	}
	xid := sp.undo.take()
	defer sp.undo.release(xid)
	rec := func(op redo.Op) *redo.Record {
		return &redo.Record{XID: xid, Container: by.Container, Origin: by.Origin, Op: op}
	}
	start, change, commit := rec(redo.Start), rec(redo.DDL), rec(redo.Commit)
	change.Table, change.SQL, change.Shared = layout, by.SQL, true
	if err := s.log.Append(ctx, start, change, commit); err != nil {
		return err
	}
	apply(commit.SCN)
	s.lastCommit = commit.SCN
	s.moments.note(s.now(), commit.SCN)
	return nil
}

// Note writes a DDL that changes nothing in the store; table may be nil.
func (s *Store) Note(ctx context.Context, by Issuer, table *Table) error {
	return s.ddl(ctx, by, func(*space) (*catalog.Table, func(redo.SCN), error) {
		var layout *catalog.Table
		if table != nil {
			layout = table.layout
		}
		return layout, func(redo.SCN) {}, nil
	})
}

// SetLogging changes the database's supplemental logging.
func (s *Store) SetLogging(ctx context.Context, by Issuer, alter func(*Logging)) error {
	return s.ddl(ctx, by, func(*space) (*catalog.Table, func(redo.SCN), error) {
		return nil, func(redo.SCN) { alter(&s.logging) }, nil
	})
}

// Preset sets the supplemental logging that the database has from the start, without redo.
func (s *Store) Preset(l Logging) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.logging = l
}

// CreateTable publishes a table; the store gives out its object id and version.
func (s *Store) CreateTable(ctx context.Context, by Issuer, layout catalog.Table) error {
	return s.ddl(ctx, by, func(sp *space) (*catalog.Table, func(redo.SCN), error) {
		if _, ok := sp.tables[tableKey(layout.Owner, layout.Name)]; ok {
			return nil, nil, errNameUsed()
		}
		layout.Container = sp.container
		layout.ObjectID = sp.takeObject()
		layout.DataObjectID, layout.Version = layout.ObjectID, 1
		layout.ForeignKeys = slices.Clone(layout.ForeignKeys)
		for i := range layout.ForeignKeys {
			if layout.ForeignKeys[i].Parent == 0 { // itself
				layout.ForeignKeys[i].Parent = layout.ObjectID
			}
		}
		layout.Created, layout.LastDDL = s.now(), s.now()
		t := newTable(sp, &layout)
		return t.layout, func(scn redo.SCN) {
			t.changed = scn
			sp.publish(t)
		}, nil
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
}

// quiet reports ORA-00054 while a transaction holds a lock or a change in the table.
func (sp *space) quiet(t *Table) error {
	for tx := range sp.active {
		for i := range tx.changes {
			if tx.changes[i].table == t {
				return errBusy()
			}
		}
	}
	busy := false
	t.rows.Scan(func(_ uint64, r *Row) bool {
		busy = r.holder != nil && r.holder.active()
		return !busy
	})
	if busy {
		return errBusy()
	}
	return nil
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
	return s.ddl(ctx, by, func(sp *space) (*catalog.Table, func(redo.SCN), error) {
		if err := sp.changeable(t); err != nil {
			return nil, nil, err
		}
		old := t.layout
		if !cascade && sp.referenced(t, func(f *catalog.ForeignKey) bool { return true }) {
			return nil, nil, wire.Errorf(2449, "unique/primary keys in table referenced by foreign keys")
		}
		return old, func(scn redo.SCN) {
			sp.detach(t, func(*catalog.ForeignKey) bool { return true })
			delete(sp.tables, tableKey(old.Owner, old.Name))
			t.dropped = true
			if purge {
				delete(sp.byID, old.ObjectID)
				return
			}
			recycled := *old
			recycled.Name, recycled.Dropped, recycled.LastDDL = bin, true, s.now()
			recycled.Original, recycled.DropSCN = old.Name, uint64(scn)
			t.layout = &recycled
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
	return sp.quiet(t)
}

// Truncate empties a table: a new data object, no undo.
func (s *Store) Truncate(ctx context.Context, by Issuer, t *Table) error {
	return s.ddl(ctx, by, func(sp *space) (*catalog.Table, func(redo.SCN), error) {
		if err := sp.changeable(t); err != nil {
			return nil, nil, err
		}
		if sp.referenced(t, func(f *catalog.ForeignKey) bool { return !f.Disabled }) {
			return nil, nil, wire.Errorf(2266, "unique/primary keys in table referenced by enabled foreign keys")
		}
		layout := *t.layout
		layout.DataObjectID, layout.LastDDL = sp.takeObject(), s.now()
		return t.layout, func(scn redo.SCN) {
			t.layout, t.changed = &layout, scn
			t.reset()
		}, nil
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
	// Check refuses rows that the new layout cannot hold.
	Check func(values []datum.Datum) error
	// Lost are keys that are no more: with Cascade the foreign keys of other tables that reference them go too, else they forbid
	// it with the code Keep.
	Lost    []string
	Cascade bool
	Keep    error
	// OnlyEnabled leaves foreign keys alone that are disabled.
	OnlyEnabled bool
}

// Alter changes a table's layout. plan gets the present one.
func (s *Store) Alter(ctx context.Context, by Issuer, t *Table, plan func(catalog.Table) (Alteration, error)) error {
	return s.ddl(ctx, by, func(sp *space) (*catalog.Table, func(redo.SCN), error) {
		if err := sp.changeable(t); err != nil {
			return nil, nil, err
		}
		old := t.layout
		a, err := plan(*old)
		if err != nil {
			return nil, nil, err
		}
		if _, used := sp.tables[tableKey(a.Layout.Owner, a.Layout.Name)]; used && a.Layout.Name != old.Name {
			return nil, nil, errNameUsed()
		}
		lost := func(f *catalog.ForeignKey) bool {
			return slices.Contains(a.Lost, f.Key) && !(a.OnlyEnabled && f.Disabled)
		}
		if len(a.Lost) > 0 && !a.Cascade && sp.referenced(t, lost) {
			return nil, nil, a.Keep
		}
		if err := t.admits(&a); err != nil {
			return nil, nil, err
		}
		if err := t.admitsForeign(&a.Layout); err != nil {
			return nil, nil, err
		}
		a.Layout.LastDDL = s.now()
		if a.Structural {
			a.Layout.Version++
		}
		return &a.Layout, func(scn redo.SCN) {
			delete(sp.tables, tableKey(old.Owner, old.Name))
			sp.detach(t, lost)
			t.layout = &a.Layout
			sp.publish(t)
			t.rewrite(&a, scn)
		}, nil
	})
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

// rewrite gives every row its new shape. Older versions go: a flashback query across the change is ORA-01466 anyway.
func (t *Table) rewrite(a *Alteration, scn redo.SCN) {
	if a.Structural {
		t.changed = scn
		t.rows.Scan(func(_ uint64, r *Row) bool {
			values := r.head.values
			if values != nil && a.Rewrite != nil {
				values = a.Rewrite(values)
			}
			r.head = &version{tx: r.head.tx, sequence: r.head.sequence, values: values}
			return true
		})
	}
	if a.Structural || a.Keys {
		t.buildIndexes()
	}
}
