package wire

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
)

// strike lets a fault happen if there is one for the moment. The error it returns is answered, or ends the
// connection.
func (c *connection) strike(ctx context.Context, m moment) error {
	if c.server.faults.active.Load() == 0 {
		return nil
	}
	m.service = c.service
	if info, ok := c.info(); ok {
		m.user, m.sessionID = info.User, info.ID
	}
	f, ok := c.server.faults.take(m)
	if !ok {
		return nil
	}
	if m.rows > 0 { // the rows in front of the fault reach the client
		if err := c.out.send(true); err != nil {
			return &networkError{err}
		}
	}
	if err := f.wait(ctx); err != nil {
		return err
	}
	return c.strikeOutcome(&f)
}

func (c *connection) strikeOutcome(f *Fault) error {
	switch f.Then {
	case Proceed:
		if f.Err != nil {
			return f.Err
		}
		return nil
	case Hang:
		<-c.ctx.Done()
		return errFault
	case Reset:
		c.reset()
		return errFault
	default:
		if f.Err != nil {
			c.summarizeError(f.Err)
			if err := c.out.send(true); err != nil {
				return &networkError{err}
			}
		}
		return errFault
	}
}

// wait lets the time of a fault pass.
func (f *Fault) wait(ctx context.Context) error {
	if f.Delay > 0 {
		timer := time.NewTimer(f.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if f.Hold == nil {
		return nil
	}
	select {
	case <-f.Hold:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// connectFault lets a fault happen before the connection is accepted.
func (c *connection) connectFault(descriptor string) error {
	service, _ := tns.Service(descriptor)
	f, ok := c.server.faults.take(moment{call: CallConnect, service: service})
	if !ok {
		return nil
	}
	if err := f.wait(c.ctx); err != nil {
		return err
	}
	if f.Err != nil {
		return c.refuse(f.Err.Code)
	}
	return c.strikeOutcome(&f)
}
