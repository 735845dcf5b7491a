package oracle

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
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
