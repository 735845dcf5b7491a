package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// calls answers calls until the conversation ends.
func (c *connection) calls() error {
	for {
		c.current = nil
		c.reader.Begin()
		err := c.message()
		if errors.Is(err, errBreak) {
			// Also for a break that found the session idle or in the middle of a request: the client's next
			// call gets the answer.
			if err = c.patience(); err == nil {
				err = c.exchange(cancelled())
			}
		}
		if err != nil {
			return err
		}
	}
}

// message reads one message and, if it is a call, answers it.
func (c *connection) message() error {
	var header ttc.Header
	if err := header.Decode(c.reader); err != nil {
		return err
	}
	c.sequence = header.Sequence
	var err error
	switch header.Code {
	case ttc.CodeFunction:
		err = c.function(header.Function)
	case ttc.CodePiggyback:
		err = c.piggyback(header.Function)
	default:
		c.reader.Fail("message %d instead of a call", header.Code)
		err = c.reader.Err()
	}
	if err != nil {
		return fmt.Errorf("message %d function 0x%02x: %w", header.Code, header.Function, err)
	}
	return nil
}

func (c *connection) function(f ttc.Function) error {
	switch f {
	case ttc.FunctionExecute:
		return c.execute()
	case ttc.FunctionReExecute, ttc.FunctionReExecuteAndFetch:
		return c.reExecute(f == ttc.FunctionReExecuteAndFetch)
	case ttc.FunctionFetch:
		return c.fetch()
	case ttc.FunctionCommit:
		return c.simple(CallCommit, c.session.Commit)
	case ttc.FunctionRollback:
		return c.simple(CallRollback, c.session.Rollback)
	case ttc.FunctionPing:
		return c.simple(CallPing, func(context.Context) error { return nil })
	case ttc.FunctionLogoff:
		return c.logoff()
	case ttc.FunctionLob:
		return c.lobCall()
	case ttc.FunctionVersion:
		return c.version()
	default:
		return c.refuseFunction(f)
	}
}

// call is one decoded call.
type call struct {
	moment
	// run does the work and appends the answer, up to the message that ends it.
	run func(ctx context.Context) error
	// end appends the message that ends the answer.
	end func()
}

// answer runs a call and sends its answer, or the error it ended with.
func (c *connection) answer(one call) error {
	if n := c.reader.Buffered(); n != 0 { // a client sends nothing behind a call before it has the answer
		c.reader.Fail("%d bytes behind the request", n)
		return c.reader.Err()
	}
	ctx, end := c.begin()
	defer end()
	err := c.attempt(ctx, one)
	switch cause := c.interrupted(); {
	case errors.Is(cause, errBreak) && (err == nil || !final(err)):
		return errBreak
	case errors.Is(cause, errKilled):
		return c.answerKilled()
	case err != nil:
		return c.answerError(err)
	}
	one.end()
	return c.out.send(true)
}

func (c *connection) attempt(ctx context.Context, one call) error {
	if err := c.pending; err != nil {
		c.pending = nil
		return err
	}
	if err := c.interrupted(); err != nil {
		return err
	}
	if err := c.strike(ctx, one.moment); err != nil {
		return err
	}
	if err := one.run(ctx); err != nil {
		return err
	}
	one.executed = true
	return c.strike(ctx, one.moment)
}

// answerError tells the client an error in the configured style, or passes it on if it ends the connection.
func (c *connection) answerError(err error) error {
	var network *networkError
	if final(err) || errors.As(err, &network) {
		return err
	}
	ora := oraError(err)
	if ora.Code == oraInternal {
		c.log.Error("defect of the stand-in", "error", err)
	}
	if c.server.config.Errors == ErrorMarker {
		return c.exchange(ora)
	}
	c.summarizeError(ora)
	return c.out.send(true)
}

func (c *connection) answerKilled() error {
	c.out.drop()
	c.summarizeError(Errorf(oraSessionKilled, "your session has been killed"))
	if err := c.out.send(true); err != nil {
		return err
	}
	return errKilled
}

// refuseFunction answers a function whose body nobody can read here: the conversation cannot go on.
func (c *connection) refuseFunction(f ttc.Function) error {
	c.summarizeError(notImplemented(fmt.Sprintf("function 0x%02x", f)))
	if err := c.out.send(true); err != nil {
		return err
	}
	return errRefused
}

// summarizeError appends the summary of a failed call.
func (c *connection) summarizeError(e *OraError) {
	s := ttc.Summary{Code: e.Code, Position: e.Position, Message: e.text()}
	if cur := c.current; cur != nil {
		s.Cursor = cur.id
		s.Rows = cur.fetched
	}
	c.summarize(s)
}

// summarize appends the summary of the running call.
func (c *connection) summarize(s ttc.Summary) {
	s.CallStatus, s.Call = c.callStatus(), c.sequence
	c.out.body = s.Encode(c.out.body, c.dialect)
}

func (c *connection) callStatus() uint32 {
	if c.session != nil && c.session.InTransaction() {
		return ttc.StatusInTransaction
	}
	return 0
}

// status appends the end of an answer to a simple call.
func (c *connection) status() {
	c.out.body = ttc.Status{CallStatus: c.callStatus()}.Encode(c.out.body)
}
