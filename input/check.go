package input

import (
	"cmp"
	"context"
	"errors"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

var _ service.ConnectionTestable = (*reader)(nil)

// ConnectionTest looks at everything that a start looks at before it captures, within the connect time-out, and reports each fault as
// its typed error. It mines and stores nothing, and may run beside the running input, on sessions of its own. After a typed stop it repeats
// the stop and leaves the database alone; a log-on that was refused is not tried again by anyone.
func (r *reader) ConnectionTest(ctx context.Context) service.ConnectionTestResults {
	if err := r.stopped.Load(); err != nil {
		return service.ConnectionTestFailed(err).AsList()
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(r.config.engine.Oracle.ConnectTimeout, oracle.DefaultConnectTimeout))
	defer cancel()
	c := r.config.engine
	c.Log = newLog(r.log)
	stored, err := r.peek(ctx)
	var faults []error
	if err != nil {
		faults = append(faults, err)
	}
	faults = append(faults, engine.Check(ctx, &c, stored)...)
	var results service.ConnectionTestResults
	for _, err := range faults {
		results = append(results, service.ConnectionTestFailed(err))
	}
	if len(results) == 0 {
		return service.ConnectionTestSucceeded().AsList()
	}
	return results
}

// peek gives the position that a start would go on from. A topic is not opened for it, since that would create it.
func (r *reader) peek(ctx context.Context) (*position.Position, error) {
	if p := r.window.Safe(); p != nil {
		return p, nil
	}
	if r.config.store == "kafka" {
		return nil, nil
	}
	store, err := r.config.openStore(ctx)
	if err != nil {
		return nil, err
	}
	p, err := store.Load(ctx)
	return p, errors.Join(err, store.Close())
}
