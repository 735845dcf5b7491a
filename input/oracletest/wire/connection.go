package wire

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// queued bounds the packets read ahead of the call loop. A client sends nothing but markers while a call
// runs, so that it is never full then.
const queued = 16

// connection is one client. The goroutine of serve owns all of it but what stands below mu; the reader
// goroutine sorts packets and cancels the running call when a marker comes in.
type connection struct {
	server *Server
	conn   net.Conn
	raw    net.Conn // below TLS
	log    *slog.Logger
	ctx    context.Context //nolint:containedctx // the life of the connection
	stop   context.CancelCauseFunc

	packets chan tns.Packet
	reader  *ttc.Reader
	out     output
	wide    bool

	client   string // name of the driver
	service  string
	dialect  ttc.Dialect
	session  Session
	clean    bool // the client logged off
	cursors  cursors
	lobs     lobs
	sequence byte // of the running call
	// current is the cursor of the running call: its number goes into every summary.
	current *cursor
	// pending is an error of a piggyback, which has no answer of its own: the next call gets it.
	pending error

	// breaks counts the markers in packets that ask to cancel.
	breaks atomic.Int32
	killed atomic.Bool

	mu     sync.Mutex
	cancel context.CancelCauseFunc // of the running call
	logon  *Logon                  // once logged on
}

func newConnection(s *Server, conn, raw net.Conn) *connection {
	c := &connection{
		server:  s,
		conn:    conn,
		raw:     raw,
		log:     s.config.Log.With("remote", conn.RemoteAddr().String()),
		packets: make(chan tns.Packet, queued),
		out:     output{conn: conn},
		cursors: cursors{limit: s.config.OpenCursors},
		lobs:    lobs{limit: s.config.Locators, space: s.config.LobBytes},
	}
	c.ctx, c.stop = context.WithCancelCause(s.ctx)
	c.reader = ttc.NewReader(c)
	return c
}

// serve holds the conversation and returns when it is over.
func (c *connection) serve() {
	defer c.stop(errEnd)
	defer func() { _ = c.conn.Close() }()
	if err := c.connect(); err != nil {
		c.report("connect", err)
		return
	}
	var reading sync.WaitGroup
	reading.Go(c.read)
	err := c.converse()
	c.report("session", err)
	c.stop(errEnd)
	_ = c.conn.Close()
	reading.Wait()
	c.cursors.closeAll()
	if c.session != nil {
		c.session.Close(c.clean)
	}
}

func (c *connection) converse() error {
	if err := c.negotiate(); err != nil {
		return err
	}
	if err := c.authenticate(); err != nil {
		return err
	}
	return c.calls()
}

// report logs why a conversation ended, unless it ended as conversations do.
func (c *connection) report(what string, err error) {
	switch {
	case err == nil, errors.Is(err, errEnd), errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, errFault), errors.Is(err, errKilled):
	default:
		c.log.Warn(what+" ended", "error", err)
	}
}

// read is the reader goroutine.
func (c *connection) read() {
	defer close(c.packets)
	for {
		p, err := tns.ReadPacket(c.conn, c.wide)
		if err != nil {
			c.stop(err)
			return
		}
		if p.Type == tns.TypeMarker {
			c.marker(p)
		}
		select {
		case c.packets <- p:
		case <-c.ctx.Done():
			return
		}
	}
}

// marker cancels the running call. The count goes up first: a call that begins meanwhile looks at it.
func (c *connection) marker(p tns.Packet) {
	if m, err := p.Marker(); err != nil || m == tns.MarkerReset {
		return
	}
	c.breaks.Add(1)
	c.interrupt(errBreak)
}

func (c *connection) interrupt(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel(cause)
	}
}

// begin gives a call its context.
func (c *connection) begin() (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.mu.Lock()
	c.cancel = cancel
	c.mu.Unlock()
	if err := c.interrupted(); err != nil {
		cancel(err)
	}
	return ctx, func() {
		c.mu.Lock()
		c.cancel = nil
		c.mu.Unlock()
		cancel(nil)
	}
}

// interrupted says why the running call should stop. It is cheap enough to be asked for every row.
func (c *connection) interrupted() error {
	if c.breaks.Load() != 0 {
		return errBreak
	}
	if c.killed.Load() {
		return errKilled
	}
	return nil
}

// packet takes the next packet.
func (c *connection) packet() (tns.Packet, error) {
	p, ok := <-c.packets
	if !ok {
		return tns.Packet{}, context.Cause(c.ctx)
	}
	return p, nil
}

// Payload delivers the bytes of the next DATA packet to the reader of requests.
func (c *connection) Payload() ([]byte, error) {
	for {
		p, err := c.packet()
		if err != nil {
			return nil, err
		}
		if p.Type == tns.TypeMarker {
			m, err := p.Marker()
			if err != nil {
				return nil, err
			}
			if m == tns.MarkerReset { // outside an exchange: nothing to reset
				continue
			}
			c.breaks.Add(-1)
			return nil, errBreak
		}
		flags, payload, err := p.Data()
		if err != nil {
			return nil, err
		}
		if flags&tns.FlagEndOfSession != 0 {
			return nil, errEnd
		}
		return payload, nil
	}
}

func (c *connection) info() (SessionInfo, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.logon == nil {
		return SessionInfo{}, false
	}
	return SessionInfo{
		ID: c.logon.SessionID, Serial: c.logon.Serial, Service: c.logon.Service, User: c.logon.User,
		Program: c.logon.Program, Remote: c.conn.RemoteAddr().String(),
	}, true
}

func (c *connection) kill(how Outcome) {
	switch how {
	case Close:
		_ = c.raw.Close()
	case Reset:
		c.reset()
	default:
		c.killed.Store(true)
		c.interrupt(errKilled)
	}
}

// reset ends the connection with a TCP reset.
func (c *connection) reset() {
	if tcp, ok := c.raw.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.raw.Close()
}
