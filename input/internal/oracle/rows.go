package oracle

import (
	"context"
	"database/sql"
	"fmt"
)

// Rows are the rows of a query. Every Rows is closed; until then the session takes no other statement.
type Rows struct {
	ctx     context.Context //nolint:containedctx // the query's; a fetch is cancelled by it, as in database/sql
	session *Session
	owner   *token
	name    string
	rows    *sql.Rows
	stop    func() bool
	err     error
}

// Query begins to read rows. The context covers the reading too: when it ends, a blocked Next comes back.
func (s *Session) Query(ctx context.Context, st Statement, args ...any) (*Rows, error) {
	if err := s.free(); err != nil {
		return nil, fmt.Errorf("%s: %w", st.Name, err)
	}
	r := &Rows{ctx: ctx, session: s, owner: new(token), name: st.Name}
	err := s.call(ctx, func(ctx context.Context) (err error) {
		//nolint:rowserrcheck,gocritic // Rows.Err and Rows.Close are the caller's
		r.rows, err = s.conn.QueryContext(ctx, st.Text, args...)
		return err
	})
	if err != nil {
		if r.rows != nil {
			_ = r.rows.Close()
		}
		return nil, fmt.Errorf("%s: %w", st.Name, err)
	}
	r.stop = s.calls.watch(ctx, r.owner)
	s.rows = r
	return r, nil
}

// Next steps to the next row. False means the end or an error: see Err.
func (r *Rows) Next() bool {
	if r.err != nil {
		return false
	}
	if r.err = r.session.calls.begin(r.ctx, r.owner); r.err != nil {
		return false
	}
	more, err := r.advance()
	r.err = r.session.mask.error(r.session.calls.end(r.ctx, err))
	return more && r.err == nil
}

// advance is the call on the driver; it comes once for every row.
func (r *Rows) advance() (more bool, err error) {
	defer recoverDriver(&err)
	more = r.rows.Next()
	return more, r.rows.Err()
}

// Scan copies the row into dest. It needs no round trip; a value that does not fit dest is an error of the rows.
func (r *Rows) Scan(dest ...any) error {
	if r.err == nil {
		r.err = r.rows.Scan(dest...)
	}
	return r.Err()
}

// Columns names the columns of the rows.
func (r *Rows) Columns() ([]string, error) {
	names, err := r.rows.Columns()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return names, nil
}

// Err is the error that ended the rows, nil at their normal end.
func (r *Rows) Err() error {
	if r.err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", r.name, r.err)
}

// Close closes the cursor and frees the session for the next statement. It is safe to call twice. After an error it
// reports nothing new: Err has it.
func (r *Rows) Close() error {
	if r.session.rows != r {
		return nil
	}
	r.stop()
	r.session.rows = nil
	ctx := context.WithoutCancel(r.ctx)
	owner := new(token)
	if err := r.session.calls.begin(ctx, owner); err != nil {
		// The socket is closed already; this only frees database/sql's lock.
		_ = r.rows.Close()
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, r.session.calls.grace, errCloseSlow)
	defer cancel()
	stop := r.session.calls.watch(ctx, owner)
	defer stop()
	if err := r.session.made(ctx, func(context.Context) error { return r.rows.Close() }); err != nil {
		return fmt.Errorf("close %s: %w", r.name, err)
	}
	return nil
}

// Each runs a query, scans every row into dest and calls row after each.
func (s *Session) Each(ctx context.Context, st Statement, args, dest []any, row func() error) (err error) {
	rows, err := s.Query(ctx, st, args...)
	if err != nil {
		return err
	}
	defer func() {
		if closeErr := rows.Close(); err == nil {
			err = closeErr
		}
	}()
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		if err := row(); err != nil {
			return fmt.Errorf("%s: %w", st.Name, err)
		}
	}
	return rows.Err()
}
