package logminer

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// blocks stops at records whose blocks cannot be read, or shows one row for those that follow each other (reference logminer A.2, C).
// Blocks have no SCN before they are read: those outside the range stop it as well.
type blocks struct {
	from source
	skip bool // SKIP_CORRUPTION
	// container is that of the session: nothing says whose blocks they were.
	container int
	// after is what follows the corrupt blocks.
	after *redo.Record
	ended bool
}

func (b *blocks) read(ctx context.Context) (*redo.Record, error) {
	r, err := b.next(ctx)
	switch {
	case r == nil || err != nil || !r.Corrupt():
		return r, err
	case !b.skip:
		return nil, wire.Errorf(1343, "LogMiner encountered corruption in the logstream")
	}
	first := r.Clone()
	last := first
	for {
		if r, err = b.from.read(ctx); err != nil {
			return nil, err
		}
		if r == nil || !r.Corrupt() || r.Thread != first.Thread || r.RBA.Sequence != first.RBA.Sequence {
			break
		}
		last = r.Clone()
	}
	if b.ended = r == nil; !b.ended {
		b.after = r.Clone()
	}
	skipped := redo.CorruptedBlocks(first, last)
	skipped.Container = b.container
	return skipped, nil
}

func (b *blocks) next(ctx context.Context) (*redo.Record, error) {
	if r := b.after; r != nil {
		b.after = nil
		return r, nil
	}
	if b.ended {
		return nil, nil
	}
	return b.from.read(ctx)
}
