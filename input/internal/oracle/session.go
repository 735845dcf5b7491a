package oracle

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Role says what a session is for. It shows in V$SESSION.PROGRAM, so that a DBA finds it.
type Role string

// Roles of sessions. Rows of tables are read on the snapshot sessions, which are inside their containers. LogMiner statements run on the mining session and no others do: a COMMIT or an ALTER SESSION SET
// CONTAINER there would disturb it (reference logminer A.3, J).
const (
	Mining      Role = "mining"
	Bookkeeping Role = "bookkeeping"
	Dictionary  Role = "dictionary"
	Snapshot    Role = "snapshot"
	// Building writes copies of the dictionary into the redo, which may take long.
	Building Role = "building"
)

// Statement is an SQL text and the name that errors call it by.
type Statement struct{ Name, Text string }

// SessionID is what V$SESSION calls a session.
type SessionID struct{ SID, Serial int }

// Session is one database session on one pinned connection. It is used by one goroutine at a time; Close may be called
// when no call is in progress.
type Session struct {
	role  Role
	mask  mask
	calls calls
	db    *sql.DB
	conn  *sql.Conn
	id    SessionID
	rows  *Rows
	// closed ends the session for good.
	closed bool
}

// Connect logs on, sets the session up and reads the settings back. Errors hold no secret; a refused log-on is a
// *stop.Error (CDC-5002), so that nobody tries again and locks the account.
func Connect(ctx context.Context, cfg Config, role Role) (*Session, error) {
	cfg = cfg.withDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	var s *Session
	err := cfg.Logons.one(ctx, func() (err error) {
		if s, err = open(ctx, cfg, role); err != nil {
			return fmt.Errorf("connect to %s (%s): %w", cfg.Address(), role, refused(newMask(cfg).error(err), cfg.Address()))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := s.setUp(ctx); err != nil {
		if _, typed := Classify(err); typed != nil && typed.Code == stop.Privilege {
			// The set-up reads a view itself; all that is missing is worth more than its name.
			if all := CheckGrants(ctx, s); all != nil {
				err = all
			}
		}
		return nil, errors.Join(fmt.Errorf("set up the %s session at %s: %w", role, cfg.Address(), err), s.Close())
	}
	return s, nil
}

func open(ctx context.Context, cfg Config, role Role) (*Session, error) {
	dsn, err := cfg.dsn("oracle_cdc_" + string(role))
	if err != nil {
		return nil, err
	}
	d := newDialer(cfg.KeepAlive)
	connector := &once{dialer: d, timeout: cfg.ConnectTimeout, inner: goora.NewConnector(dsn)}
	if ora, ok := connector.inner.(*goora.OracleConnector); ok {
		ora.Dialer(d)
		if cfg.TLS != nil {
			// The driver writes the host's name into it.
			ora.WithTLSConfig(cfg.TLS.Clone())
		}
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		d.abort()
		return nil, errors.Join(err, db.Close())
	}
	return &Session{
		role: role, mask: newMask(cfg), db: db, conn: conn,
		calls: calls{grace: cfg.InterruptGrace, dialer: d},
	}, nil
}

// once lets database/sql connect a single time: a session that is gone must never be replaced by one without its
// LogMiner state and settings.
type once struct {
	inner   driver.Connector
	dialer  *dialer
	timeout time.Duration
	used    bool
}

func (o *once) Driver() driver.Driver { return o.inner.Driver() }

// Connect dials and logs on within the connect time-out. The context is kept from the driver, which would disconnect
// from another goroutine while it reads; the socket is closed instead.
func (o *once) Connect(ctx context.Context) (conn driver.Conn, err error) {
	if o.used {
		return nil, ErrUnusable
	}
	o.used = true
	ctx, cancel := context.WithTimeoutCause(ctx, o.timeout, fmt.Errorf("no log-on within %s: %w", o.timeout, context.DeadlineExceeded))
	defer cancel()
	stop := context.AfterFunc(ctx, o.dialer.abort)
	defer stop()
	defer recoverDriver(&err)
	conn, err = o.inner.Connect(context.WithoutCancel(ctx))
	if err == nil {
		return conn, nil
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if _, isOracle := code(err); isOracle {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %w", ErrLost, err)
}

// recoverDriver turns a panic of the driver over bytes that it did not expect into an error that ends the session.
func recoverDriver(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%w: %v\n%s", errDriver, r, debug.Stack())
	}
}

// Role says what the session is for.
func (s *Session) Role() Role { return s.role }

// ID is SID and SERIAL# of the log-on.
func (s *Session) ID() SessionID { return s.id }

// Usable reports whether a further statement may be made.
func (s *Session) Usable() bool { return !s.closed && s.calls.usable() }

// Exec runs a statement that returns no rows.
func (s *Session) Exec(ctx context.Context, st Statement, args ...any) error {
	if err := s.free(); err != nil {
		return fmt.Errorf("%s: %w", st.Name, err)
	}
	err := s.call(ctx, func(ctx context.Context) error {
		_, err := s.conn.ExecContext(ctx, st.Text, args...)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", st.Name, err)
	}
	return nil
}

// call makes one call on the connection that the context can break off.
func (s *Session) call(ctx context.Context, f func(context.Context) error) error {
	owner := new(token)
	if err := s.calls.begin(ctx, owner); err != nil {
		return err
	}
	stop := s.calls.watch(ctx, owner)
	defer stop()
	return s.made(ctx, f)
}

// made runs the call that was begun and ends it. The driver never sees the caller's cancellation, since it would send a
// second marker.
func (s *Session) made(ctx context.Context, f func(context.Context) error) error {
	err := func() (err error) {
		defer recoverDriver(&err)
		return f(context.WithoutCancel(ctx))
	}()
	return s.mask.error(s.calls.end(ctx, err))
}

// free refuses a statement while rows are open or after Close.
func (s *Session) free() error {
	switch {
	case s.closed:
		return ErrClosed
	case s.rows != nil:
		return ErrRowsOpen
	}
	return nil
}

// Close ends the session: by a log-off when it is healthy, else by throwing the connection away. It takes at most the
// interrupt grace.
func (s *Session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	if s.rows != nil {
		// database/sql would wait for the rows for ever.
		s.calls.mu.Lock()
		s.calls.breakOff(ErrRowsOpen)
		s.calls.mu.Unlock()
		_ = s.rows.rows.Close()
		s.rows = nil
	}
	deadline := time.AfterFunc(s.calls.grace, s.calls.dialer.abort)
	defer deadline.Stop()
	if !s.calls.usable() {
		// The driver's own errors about a socket that is closed anyway tell nobody anything.
		_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
		_ = s.db.Close()
		return nil
	}
	err := errors.Join(s.conn.Close(), s.db.Close())
	s.calls.dialer.abort()
	if err != nil {
		return fmt.Errorf("log off the %s session: %w", s.role, s.mask.error(err))
	}
	return nil
}
