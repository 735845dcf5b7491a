package wire

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
)

// exchange answers with an error behind markers (reference tns-server 10): what is not sent is dropped, the
// server says break, throws away everything up to the client's reset, says reset, and only then the error.
func (c *connection) exchange(e *OraError) error {
	c.out.drop()
	first := []tns.Marker{tns.MarkerBreak}
	if c.server.config.EagerReset {
		first = append(first, tns.MarkerReset)
	}
	if err := c.out.marker(first...); err != nil {
		return err
	}
	if err := c.drain(); err != nil {
		return err
	}
	c.reader.Reset()
	if !c.server.config.EagerReset {
		if err := c.out.marker(tns.MarkerReset); err != nil {
			return err
		}
	}
	c.summarizeError(e)
	return c.out.send(true)
}

// patience waits before a break is answered, for Oracle's JDBC driver (seen with 23.5): its interrupt and its
// reset are written by two threads through one buffer, and an answer within microseconds, which no network gives,
// makes it lose the reset and wait for ever.
func (c *connection) patience() error {
	if c.client != driverJDBC {
		return nil
	}
	timer := time.NewTimer(50 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}

// drain throws away what the client sent up to its reset marker.
func (c *connection) drain() error {
	for {
		p, err := c.packet()
		if err != nil {
			return err
		}
		if p.Type != tns.TypeMarker {
			continue
		}
		m, err := p.Marker()
		if err != nil {
			return err
		}
		if m == tns.MarkerReset {
			return nil
		}
		c.breaks.Add(-1)
	}
}
