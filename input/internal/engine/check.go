package engine

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Check looks at everything that a start looks at before it captures, and lists what is wrong, each as a *stop.Error. stored is the
// position to go on from, if any. Nothing is mined and nothing stored; it may run beside a capture, on sessions of its own.
func Check(ctx context.Context, c *Config, stored *position.Position) []error {
	db := newOracleDatabase(c)
	faults := newMiner(c, db).check(ctx, db, stored)
	// What the log-off of a session says that found nothing wrong is no fault of the database.
	_ = db.close()
	for i, err := range faults {
		faults[i] = inTime(ctx, err, c.Oracle.Address())
	}
	return faults
}

func (m *miner) check(ctx context.Context, db *oracleDatabase, stored *position.Position) []error {
	facts, err := db.read(ctx)
	if err != nil {
		return []error{err}
	}
	m.facts, db.facts = facts, facts
	faults := facts.Faults()
	if stored != nil {
		if err := facts.Continue(stored.Identity); err != nil {
			faults = append(faults, err)
		}
	}
	if facts.CDB && facts.Container != 1 || !facts.Readable() {
		// Other containers do not show from here, and a closed database has no dictionary.
		return faults
	}
	now, err := m.describe(ctx)
	if err != nil {
		return append(faults, err)
	}
	if faults = append(faults, m.config.tableFaults(now.tables, 0)...); len(faults) > 0 {
		return faults
	}
	t := newTables(now.read)
	for i := range now.tables {
		t.add(now.tables[i].Version, now.tables[i].Partitioned)
	}
	if _, err := m.renderer(t); err != nil {
		faults = append(faults, err)
	}
	return faults
}

// inTime gives an error its code; a check that did not end in time says so.
func inTime(ctx context.Context, err error, address string) error {
	if _, ok := stop.As(err); ok {
		return err
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return stop.Wrap(stop.Unavailable, err, address, "the checks of the start did not end in time").
			Doing("check that the database answers, or raise connection.connect_timeout")
	}
	return typed(ctx, err)
}
