package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// MostReselected bounds the rows of one Lookup.
const MostReselected = 64

// Lookup names rows of a version that are read AS OF an SCN, at most MostReselected.
type Lookup struct {
	Version   *schema.Version
	Container oracle.Container
	SCN       position.SCN
	RowIDs    []string
}

// Reselector reads single rows again that the redo does not have whole (R84), on a session of its own, which it opens when it is needed. It belongs
// to one goroutine.
type Reselector struct {
	config *Config
	pool   *pool
	// row is that of the version that was asked for last.
	row *Row
}

// NewReselector makes one that reaches the database as a reader with the same configuration does. Nothing happens before the first Read.
func NewReselector(c *Config) *Reselector {
	return &Reselector{config: c, pool: &pool{config: c, sessions: make([]*pooled, 1)}}
}

// Read gives the images of rows by their ROWIDs; of one that is not there is none. It takes no longer than the stream may wait (R78). Another
// error than that of ctx says why these rows cannot be read, by Why in a few words.
func (r *Reselector) Read(ctx context.Context, l *Lookup) (map[string][]value.Value, error) {
	held, cancel := context.WithTimeoutCause(ctx, r.config.MaxHold, errHeld)
	defer cancel()
	for tries := 0; ; tries++ {
		rows, err := r.read(held, l)
		switch {
		case err == nil:
			return rows, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case held.Err() != nil:
			r.pool.dropAll()
			return nil, context.Cause(held)
		case tries >= r.config.Retries || !passing(err):
			return nil, err
		}
		if class, _ := oracle.Classify(err); class == oracle.Reconnect {
			r.pool.dropAll()
		}
		if sleep(held, r.config.RetryWait) != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// passing reports an error that another try may not meet.
func passing(err error) bool {
	if _, lost := tooOld(err); lost || changedBy(err) {
		return false
	}
	number, _ := oracle.Code(err)
	class, _ := oracle.Classify(err)
	return number != missingTable && class != oracle.Stop
}

// tooOld reports an SCN that the database has no past of.
func tooOld(err error) (number int, ok bool) {
	number, _ = oracle.Code(err)
	return number, slices.Contains([]int{1555, 8180, 8181, 22924}, number)
}

func (r *Reselector) read(ctx context.Context, l *Lookup) (found map[string][]value.Value, err error) {
	if r.row == nil || r.row.version != l.Version {
		if r.row, err = newRow(l.Version, nil, true); err != nil {
			return nil, err
		}
	}
	session, err := r.pool.get(ctx, 0, l.Container)
	if err != nil {
		return nil, err
	}
	if found, err = r.rows(ctx, session, l); err != nil {
		return nil, err
	}
	// Under a name that another table has by now are other rows, and another layout has other values in the same places.
	now, err := oracle.ReadShape(ctx, session, l.Container, l.Version.Table)
	if err != nil {
		return nil, err
	}
	if Layout(now.Version) != Layout(l.Version) || len(now.Segments) > 0 && !slices.ContainsFunc(now.Segments, func(s oracle.Segment) bool {
		return slices.Contains(l.Version.ObjectIDs, s.Object)
	}) {
		return nil, errChanged
	}
	return found, nil
}

func (r *Reselector) rows(ctx context.Context, session *oracle.Session, l *Lookup) (found map[string][]value.Value, err error) {
	// A text for each number of rows would fill the server's memory of statements.
	ids := slices.Clone(l.RowIDs)
	for n := len(ids); n&(n-1) != 0; n++ {
		ids = append(ids, ids[0])
	}
	st, args := readRows(l.Version, r.row.List(), ids, l.SCN)
	rows, err := session.Query(ctx, st, args...)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := rows.Close(); err == nil {
			err = closed
		}
	}()
	found = make(map[string][]value.Value, len(l.RowIDs))
	for rows.Next() {
		if err := r.row.scan(rows); err != nil {
			return nil, err
		}
		row, err := r.row.selected()
		if err != nil {
			return nil, err
		}
		found[row.RowID] = row.Image
	}
	return found, rows.Err()
}

// Rest closes the session until the next Read.
func (r *Reselector) Rest() { r.pool.dropAll() }

// Close closes the session.
func (r *Reselector) Close() error { return r.pool.close() }

// Why says in a few words, without a value, why rows cannot be read.
func Why(err error) string {
	number, known := oracle.Code(err)
	switch _, old := tooOld(err); {
	case old:
		return fmt.Sprintf("ORA-%05d: the undo of its SCN is gone", number)
	case errors.Is(err, errHeld):
		return "the database did not answer in time (snapshot.max_hold)"
	case changedBy(err), number == missingTable:
		return "DDL reached the table since"
	case known:
		return fmt.Sprintf("ORA-%05d", number)
	default:
		return "the query failed"
	}
}
