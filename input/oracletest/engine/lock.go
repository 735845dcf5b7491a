package engine

import (
	"context"
	"errors"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// rowLock is FOR UPDATE of a block over one table.
type rowLock struct {
	reader *tableReader
	noWait bool
	wait   time.Duration // negative: as long as it takes
}

func (c *compiler) rowLock(b *block, tree *joinTree, lock *sql.Lock) (*rowLock, error) {
	if b.group != nil || b.distinct {
		return nil, wire.Errorf(1786, "FOR UPDATE of this query expression is not allowed")
	}
	if len(b.windows.calls) > 0 {
		return nil, wire.Errorf(3001, "unimplemented feature: FOR UPDATE with an analytic function")
	}
	if lock.SkipLocked {
		return nil, wire.Errorf(3001, "unimplemented feature: SKIP LOCKED")
	}
	if err := c.x.session.writable(); err != nil {
		return nil, err
	}
	reader, ok := tree.levels[0].reader.(*tableReader)
	if !ok || len(tree.levels) != 1 {
		return nil, wire.Errorf(3001, "unimplemented feature: FOR UPDATE of more than one table")
	}
	for _, e := range lock.Of {
		name, ok := e.(*sql.Name)
		if !ok {
			return nil, at(e.Pos(), wire.Errorf(904, "invalid identifier"))
		}
		if ref, ok, err := c.scope.local(name); err != nil {
			return nil, err
		} else if !ok || ref.source != reader.src {
			return nil, at(e.Pos(), wire.Errorf(904, "%s: invalid identifier", nameText(name)))
		}
	}
	layout := reader.src.layout
	if err := c.x.rights.permit(toLock, sql.Object{Owner: layout.Owner, Name: layout.Name}, layout.Owner, layout.Name); err != nil {
		return nil, err
	}
	l := &rowLock{reader: reader, noWait: lock.NoWait, wait: time.Duration(lock.Wait) * time.Second}
	return l, nil
}

// acquire locks the rows that the block finds; when one changed meanwhile, the block is run again on a newer snapshot, as the restart of
// a statement does.
func (l *rowLock) acquire(b *block, f *frame) error {
	x := b.x
	ctx := x.ctx
	if l.wait > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.wait)
		defer cancel()
	}
	for {
		rows := &blockRows{block: b, f: f}
		stable := true
		if err := b.loop.open(f); err != nil {
			return err
		}
		for {
			ok, err := rows.advance(f)
			if err != nil {
				return err
			}
			if !ok {
				break
			}
			same, err := x.session.lock(ctx, l.reader.current, l.noWait)
			if errors.Is(err, context.DeadlineExceeded) && x.ctx.Err() == nil {
				err = wire.Errorf(30006, "resource busy; acquire with WAIT timeout expired")
			}
			if err != nil {
				return err
			}
			stable = stable && same
		}
		if stable {
			return nil
		}
		x.refresh()
	}
}

// lock locks a row for the session's transaction and reports whether it is still what found showed.
func (s *session) lock(ctx context.Context, found store.Found, noWait bool) (bool, error) {
	now, ok, err := s.transaction().Lock(ctx, found.Row, noWait)
	return ok && now.Same(found), err
}

// refresh gives the execution a snapshot of now.
func (x *execution) refresh() {
	x.view = x.session.snapshot()
}
