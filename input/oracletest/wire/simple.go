package wire

import (
	"context"
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// simple answers a function without a body.
func (c *connection) simple(kind Call, run func(context.Context) error) error {
	return c.answer(call{moment: moment{call: kind}, run: run, end: c.status})
}

// logoff answers and waits for the packet that ends the session, so that the answer is not lost to a
// connection closed under it.
func (c *connection) logoff() error {
	err := c.answer(call{
		moment: moment{call: CallLogoff},
		run:    func(context.Context) error { return nil },
		end: func() {
			c.status()
			c.clean = true
		},
	})
	if err != nil || !c.clean { // the client was told an error and is still there
		return err
	}
	for err == nil {
		_, err = c.Payload()
		if errors.Is(err, errBreak) { // too late to matter
			err = nil
		}
	}
	return errEnd
}

// version answers with banner and number, in one packet with the status behind them.
func (c *connection) version() error {
	var request ttc.VersionRequest
	if err := request.Decode(c.reader, c.dialect); err != nil {
		return err
	}
	release := releases[c.server.config.Release]
	return c.answer(call{
		moment: moment{call: CallVersion},
		run: func(context.Context) error {
			c.out.body = ttc.VersionAnswer{Banner: release.banner, Number: release.number}.Encode(c.out.body, c.dialect)
			return nil
		},
		end: c.status,
	})
}
