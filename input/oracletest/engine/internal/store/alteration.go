package store

import (
	"context"
	"slices"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

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
		if a.Layout.IndexOrganized && (a.Layout.PrimaryKey == nil || a.Layout.PrimaryKey.Disabled) {
			return nil, wire.Errorf(25188, "cannot drop/disable/defer the primary key constraint for index-organized tables or sorted hash cluster")
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
			if constraints(old) != constraints(&a.Layout) {
				t.change(scn)
			}
			if t.rewrite(&a, scn); a.Move {
				t.change(scn) // older rows are where they were
				t.heaps[0].data.Store(a.Layout.DataObjectID)
			}
		})
		if a.Online && s.online {
			d.online = t
		}
		return d, nil
	})
}

// constraints counts the constraints of a table; what is only an index changes no definition.
func constraints(t *catalog.Table) int {
	n := len(t.ForeignKeys) + len(t.Checks)
	for _, key := range t.Unique {
		if !key.IndexOnly {
			n++
		}
	}
	if t.PrimaryKey != nil {
		n++
	}
	return n
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
		if r.head.gone() {
			return true
		}
		values := r.head.row()
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
		t.change(scn)
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
	next := &version{tx: v.tx, sequence: v.sequence, cells: v.row(), absent: v.absent}
	if !v.gone() && a.Rewrite != nil {
		next.cells = a.Rewrite(v.row())
	}
	if !v.gone() && a.Absent != nil {
		next.absent = a.Absent(v.absent)
	}
	if v.tx.commit == 0 {
		next.prev = a.reshape(v.prev)
	}
	return next
}
