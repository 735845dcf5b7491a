package oracle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sijms/go-ora/v2/network"
)

// oraCancelled is "user requested cancel of current operation".
const oraCancelled = 1013

// calls serialises the calls of one session, breaks off the one in progress, and decides what an error does to the
// session (R16). Its lock is held over the writing of the interrupt marker and over nothing else that can block.
type calls struct {
	grace  time.Duration
	dialer *dialer

	mu sync.Mutex
	// owner is the token of the call in progress, nil between calls.
	owner       *token
	interrupted bool
	deadline    *time.Timer
	broken      error
}

// token stands for one call, or for all calls of one Rows: an interrupt that runs late must not hit the next owner.
type token struct{ _ byte }

// begin takes the session for one call.
func (c *calls) begin(ctx context.Context, owner *token) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.broken != nil:
		return fmt.Errorf("%w: %w", ErrUnusable, c.broken)
	case c.owner != nil:
		return ErrBusy
	}
	c.owner = owner
	return nil
}

// watch breaks off the owner's call in progress when the context ends: the marker first, the socket after the grace
// period. The returned function ends the watch.
func (c *calls) watch(ctx context.Context, owner *token) (stop func() bool) {
	return context.AfterFunc(ctx, func() { c.interrupt(owner) })
}

func (c *calls) interrupt(owner *token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.owner != owner || c.interrupted {
		return
	}
	c.interrupted = true
	c.deadline = time.AfterFunc(c.grace, c.dialer.abort)
	c.dialer.interrupt()
}

// end gives the session back and judges the error of the call. Only an error that Oracle itself reported leaves the
// session usable: after a time-out the driver would read the old answer as that of the next query, a closed socket is
// never thrown out, and a marker that came too late cancels the next call instead (reference tns-server 14.3, 14.4).
func (c *calls) end(ctx context.Context, err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owner = nil
	interrupted := c.interrupted
	c.interrupted = false
	if c.deadline != nil {
		c.deadline.Stop()
		c.deadline = nil
	}
	code, isOracle := code(err)
	if c.dialer.failed() {
		c.breakOff(cmp.Or(err, errSocket))
	}
	switch {
	case interrupted && isOracle && code == oraCancelled:
		return fmt.Errorf("%w (answered with ORA-01013)", context.Cause(ctx))
	case interrupted:
		c.breakOff(errors.Join(errors.New("an interrupt was sent and not answered"), err))
		return context.Cause(ctx)
	case err == nil:
		return nil
	case isOracle && code != oraCancelled && !endsSession(code):
		return err
	case isOracle:
		c.breakOff(err)
		return err
	default:
		c.breakOff(err)
		return fmt.Errorf("%w: %w", ErrLost, err)
	}
}

// breakOff makes the session unusable and closes its socket, so that the server's side ends too. The lock is held.
func (c *calls) breakOff(err error) {
	if c.broken == nil {
		c.broken = err
	}
	c.dialer.abort()
}

// usable reports whether a further call may be made.
func (c *calls) usable() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken == nil
}

// code gives the ORA number of an error that Oracle reported.
func code(err error) (int, bool) {
	if err == nil { // every row comes by here
		return 0, false
	}
	var ora *network.OracleError
	if errors.As(err, &ora) {
		return ora.ErrCode, true
	}
	return 0, false
}

// endsSession lists the codes after which the driver itself calls the connection bad (reference tns-server 14.3) and
// those that end the server's side of the session.
func endsSession(code int) bool {
	switch code {
	case 28, 31, 1012, 1033, 1034, 1089, 1090, 1092, 2396, 3113, 3114, 3135, 12528, 12537:
		return true
	}
	return false
}
