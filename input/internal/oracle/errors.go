package oracle

import (
	"errors"
	"fmt"

	"github.com/sijms/go-ora/v2/network"
)

// Errors of using a session wrongly or of one that is gone. ErrUnusable is for reconnecting, the others are faults of
// the caller.
var (
	// ErrUnusable: an earlier error ended the session (R16). It wraps that error.
	ErrUnusable = errors.New("the database session is not usable any more")
	// ErrLost: the connection failed, or the driver met something that it did not expect.
	ErrLost = errors.New("the connection to the database was lost")
	// ErrClosed: the session was closed.
	ErrClosed = errors.New("the database session is closed")
	// ErrRowsOpen: a statement while rows of an earlier one are open (reference logminer N 70).
	ErrRowsOpen = errors.New("rows of an earlier statement are still open on this session")
	// ErrBusy: two goroutines use one session.
	ErrBusy = errors.New("the session is in use by another goroutine")
	// ErrOtherSession: SID or SERIAL# changed under the connection (R10).
	ErrOtherSession = errors.New("the database session is not the one of the log-on")
	// ErrSettings: a session setting reads back other than it was set (R16).
	ErrSettings = errors.New("a session setting did not take")
	// ErrIncomplete: a GV$ view does not cover every open instance, so the look did not happen (R32).
	ErrIncomplete = errors.New("GV$ views do not cover every open instance")
)

// asOracle and isCause look through the chain without handing out errors that would print a secret: only the driver's
// Oracle error, whose text is the server's, is given to errors.As.
func asOracle(err error, target any) bool {
	ora, ok := target.(**network.OracleError)
	return ok && errors.As(err, ora)
}

func isCause(err, target error) bool { return errors.Is(err, target) }

var (
	errCloseSlow = fmt.Errorf("%w: the server did not close a cursor in time", ErrLost)
	errSocket    = fmt.Errorf("%w while a cursor was closed", ErrLost)
	errDriver    = errors.New("the database driver panicked")
)
