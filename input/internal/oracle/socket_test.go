package oracle

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// pipe gives a dialer with a remembered connection whose first bytes are those given, and what the server read of it.
func pipe(t *testing.T, first []byte) (*dialer, net.Conn) {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { _ = client.Close(); _ = server.Close() })
	d := newDialer(0)
	d.current = &socket{Conn: client}
	done := make(chan error, 1)
	go func() {
		_, err := d.current.Write(first)
		done <- err
	}()
	got := make([]byte, len(first))
	if _, err := io.ReadFull(server, got); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil || !bytes.Equal(got, first) {
		t.Fatalf("%x, %v", got, err)
	}
	return d, server
}

func TestInterruptIsTheDriversMarkerOnAPlainSocket(t *testing.T) {
	d, server := pipe(t, []byte{0, 0x40, 0, 0, 1})
	go d.interrupt()
	got := make([]byte, len(interruptMarker))
	if _, err := io.ReadFull(server, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, []byte{0, 0, 0, 0x0b, 0x0c, 0, 0, 0, 1, 0, 3}) {
		t.Errorf("marker % x", got)
	}
}

// Under TLS a marker on the socket would break the records: the socket is closed instead.
func TestInterruptClosesATLSSocket(t *testing.T) {
	d, server := pipe(t, []byte{tlsHandshake, 3, 1})
	d.interrupt()
	if _, err := server.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the server reads %v, want the end", err)
	}
	if _, err := d.current.Write([]byte{1}); err == nil || !d.failed() {
		t.Errorf("the socket goes on: %v", err)
	}
}

// A break that was sent while the answer was on its way hits the next call instead (reference tns-server 14.4): after an answer without
// ORA-01013, good or bad, there is no next call. One that would be sent when its call has ended is not sent.
func TestLateBreakEndsTheSession(t *testing.T) {
	enough := errors.New("enough")
	for name, answer := range map[string]error{"the call succeeded": nil, "the call failed": errors.New("of another kind")} {
		d, server := pipe(t, []byte{0, 0x40, 0, 0, 1})
		c := calls{grace: time.Minute, dialer: d}
		ctx, cancel := context.WithCancelCause(context.Background())
		owner := new(token)
		if err := c.begin(ctx, owner); err != nil {
			t.Fatal(err)
		}
		cancel(enough)
		read := make(chan int, 1)
		go func() {
			n, _ := io.ReadFull(server, make([]byte, len(interruptMarker)))
			read <- n
		}()
		c.interrupt(owner)
		if n := <-read; n != len(interruptMarker) {
			t.Fatalf("%d bytes of a marker", n)
		}
		if err := c.end(ctx, answer); !errors.Is(err, enough) || c.usable() {
			t.Errorf("%s: %v, usable %t", name, err, c.usable())
		}
		if err := c.begin(context.Background(), new(token)); !errors.Is(err, ErrUnusable) {
			t.Errorf("%s: the next call: %v", name, err)
		}
	}
	d, server := pipe(t, []byte{0, 0x40, 0, 0, 1})
	c := calls{grace: time.Minute, dialer: d}
	owner := new(token)
	if err := c.begin(context.Background(), owner); err != nil {
		t.Fatal(err)
	}
	if err := c.end(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	c.interrupt(owner) // would block: nobody reads
	if err := server.SetReadDeadline(time.Now().Add(10 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if n, err := server.Read(make([]byte, 1)); n != 0 || !c.usable() {
		t.Errorf("%d bytes, %v, usable %t: a break was sent for a call that has ended", n, err, c.usable())
	}
}

// The end of every fetched row comes by here.
func TestNoErrorIsClassifiedWithoutAllocating(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { code(nil) }); n > 0 {
		t.Errorf("%g allocations for a row", n)
	}
}
