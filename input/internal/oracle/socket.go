package oracle

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// interruptMarker is the packet that asks a server to break off the call in progress, in the framing of TNS 315 and
// later (12.2 on); the driver sends the same bytes when a context of QueryContext ends (reference tns-server 14.4).
var interruptMarker = [11]byte{0, 0, 0, 0x0b, 0x0c, 0, 0, 0, 1, 0, 3}

// tlsHandshake is the first byte of a TLS record that begins a handshake; a TNS packet begins with its length.
const tlsHandshake = 0x16

var errAborted = errors.New("the connection attempt was broken off")

// dialer dials for the driver and remembers the connection, since the driver hands it out to nobody and cannot break
// off a fetch itself.
type dialer struct {
	net     net.Dialer
	mu      sync.Mutex
	current *socket
	aborted bool
}

// DialContext is called by the driver, several times when a listener redirects or refuses.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := d.net.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.aborted {
		return nil, errors.Join(errAborted, conn.Close())
	}
	d.current = &socket{Conn: conn}
	return d.current, nil
}

// abort closes what is dialed and lets nothing more be dialed.
func (d *dialer) abort() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.aborted = true
	if d.current != nil {
		_ = d.current.Close()
	}
}

// interrupt sends the marker. Without TLS it goes between two packets of the driver, which writes each with one call;
// under TLS only the driver could write it, so the socket is closed instead.
func (d *dialer) interrupt() {
	d.mu.Lock()
	s := d.current
	d.mu.Unlock()
	if s == nil {
		return
	}
	if s.secured.Load() {
		d.abort()
		return
	}
	if _, err := s.Conn.Write(interruptMarker[:]); err != nil {
		d.abort()
	}
}

// failed reports that a read or write ended with an error, which database/sql and the driver swallow when it happens
// while they close a cursor: the next statement would then read the answer of that.
func (d *dialer) failed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current != nil && d.current.failed.Load()
}

// socket is the remembered connection.
type socket struct {
	net.Conn
	begun, secured, failed atomic.Bool
}

func (s *socket) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if err != nil {
		s.failed.Store(true)
	}
	return n, err
}

func (s *socket) Write(b []byte) (int, error) {
	if !s.begun.Load() && len(b) > 0 {
		s.secured.Store(b[0] == tlsHandshake)
		s.begun.Store(true)
	}
	n, err := s.Conn.Write(b)
	if err != nil {
		s.failed.Store(true)
	}
	return n, err
}

// newDialer makes the dialer of one session.
func newDialer(keepAlive time.Duration) *dialer {
	return &dialer{net: net.Dialer{KeepAlive: keepAlive}}
}
