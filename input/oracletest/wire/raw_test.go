package wire_test

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
)

// raw speaks on the socket of a session go-ora logged on and left idle, so that tests can say what no
// driver says.
type raw struct {
	t    testing.TB
	conn net.Conn
}

func openRaw(t testing.TB, server *wire.Server) raw {
	t.Helper()
	db, d := openRemembered(t, server, map[string]string{"PREFETCH_ROWS": "5"})
	if err := db.PingContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := d.last().SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return raw{t: t, conn: d.last()}
}

// send sends a request in packets of at most n bytes each.
func (r raw) send(n int, request ...byte) {
	r.t.Helper()
	for len(request) > 0 {
		part := min(n, len(request))
		if _, err := r.conn.Write(tns.AppendData(nil, true, 0, request[:part])); err != nil {
			r.t.Fatal(err)
		}
		request = request[part:]
	}
}

func (r raw) write(b []byte) {
	r.t.Helper()
	if _, err := r.conn.Write(b); err != nil {
		r.t.Fatal(err)
	}
}

func (r raw) wantMarker(want tns.Marker) {
	r.t.Helper()
	p, err := tns.ReadPacket(r.conn, true)
	if err != nil {
		r.t.Fatal(err)
	}
	if m, err := p.Marker(); err != nil || m != want {
		r.t.Fatalf("marker %d, error %v, want marker %d", m, err, want)
	}
}

// receive reads one packet and returns its payload.
func (r raw) receive() []byte {
	r.t.Helper()
	p, err := tns.ReadPacket(r.conn, true)
	if err != nil {
		r.t.Fatal(err)
	}
	_, payload, err := p.Data()
	if err != nil {
		r.t.Fatal(err)
	}
	return payload
}

// wantClosed checks that the server closed the connection.
func (r raw) wantClosed() {
	r.t.Helper()
	if rest, err := io.ReadAll(r.conn); err != nil && !strings.Contains(err.Error(), "reset by peer") {
		r.t.Fatalf("%d bytes, error %v instead of the end", len(rest), err)
	}
}

func (r raw) wantAnswer(part string) {
	r.t.Helper()
	if got := r.receive(); !bytes.Contains(got, []byte(part)) {
		r.t.Errorf("answer %q, want one with %q", got, part)
	}
}

// A request may span packets anywhere, and one packet may hold piggybacks and a call.
func TestRequestsSpanPackets(t *testing.T) {
	r := openRaw(t, listen(t, wire.Config{Backend: newScript()}))
	request := []byte{
		0x11, 0x69, 0, 1, 1, 2, 1, 7, 1, 8, // close cursors 7 and 8, which are not open
		0x11, 0x78, 0, 1, 1, 1, 1, 9, // cancel cursor 9
		0x03, 0x93, 0, // ping
	}
	for n := 1; n <= len(request); n++ {
		r.send(n, request...)
		if got := r.receive(); !bytes.Equal(got, []byte{9, 0, 0}) {
			t.Fatalf("packets of %d: answer % x", n, got)
		}
	}
}

func TestUnknownCursors(t *testing.T) {
	r := openRaw(t, listen(t, wire.Config{Backend: newScript()}))
	r.send(100, 0x03, 0x05, 0, 1, 42, 1, 5)
	r.wantAnswer("ORA-01001")
	r.send(100, 0x03, 0x05, 0, 0, 1, 5) // no cursor at all
	r.wantAnswer("ORA-01001")
}

// The rows of a cancelled statement cannot be fetched any more: silence would be a gap.
func TestFetchAfterCancelFails(t *testing.T) {
	entered := make(chan struct{}, 1)
	r := openRaw(t, listen(t, wire.Config{Backend: newScript().on("select blocked", blockingAt(5, 50, entered))}))
	r.send(1000, executeRequest("select blocked", 5)...)
	r.wantAnswer("row 4")
	fetch := []byte{0x03, 0x05, 0, 1, 1, 1, 5}
	r.send(100, fetch...)
	<-entered
	r.write(interruptMarker)
	r.wantMarker(tns.MarkerBreak)
	r.send(100, fetch...) // on its way before the client saw the break: thrown away
	r.write(tns.AppendMarker(nil, true, tns.MarkerReset))
	r.wantMarker(tns.MarkerReset)
	r.wantAnswer("ORA-01013")
	r.send(100, fetch...)
	r.wantAnswer("ORA-01002")
}

func TestFetchAfterErrorFails(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript().on("select n", series(50))})
	r := openRaw(t, server)
	server.AddFault(wire.Fault{Rows: 7, Err: wire.Errorf(1555, "snapshot too old"), Count: 1})
	r.send(1000, executeRequest("select n", 5)...)
	r.wantAnswer("row 4")
	fetch := []byte{0x03, 0x05, 0, 1, 1, 1, 5}
	r.send(100, fetch...)
	r.wantAnswer("row 6") // two rows, then the error in the next packet
	r.wantAnswer("ORA-01555")
	r.send(100, fetch...)
	r.wantAnswer("ORA-01002")
}

// executeRequest is go-ora's parse and execute of a query, field version 11.
func executeRequest(sql string, prefetch byte) []byte {
	b := []byte{0x03, 0x5E, 0, 2, 0x80, 0x21, 0, 1, 1, byte(len(sql)), 1, 1, 13, 0, 0, 0, 1, prefetch, 0, 0, 0}
	b = append(b, 0, 0, 0, 0, 0, 0, 0)             // no defines
	b = append(b, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0) // versions 4, 5, 7
	b = append(b, 0, 0, 0, 0, 0, 0, 0)             // versions 8, 9
	b = append(b, byte(len(sql)))
	b = append(b, sql...)
	return append(b, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0)
}

// lobRequest is function 0x60 without charset and amount; rest follows the locator.
func lobRequest(operation uint16, offset byte, locator []byte, rest ...byte) []byte {
	b := []byte{0x03, 0x60, 0, 1, 1, byte(len(locator)), 0, 0, 0, 0, 0, 0, 0, 2, byte(operation >> 8), byte(operation), 0, 0, 1, offset, 0, 0}
	b = append(b, 0, 0, 0, 0, 0, 0)
	return append(append(b, locator...), rest...)
}

// Decoders are strict: what they do not expect ends the connection.
func TestSurprisesCloseTheConnection(t *testing.T) {
	for _, tc := range []struct {
		name    string
		request []byte
		answer  string
	}{
		{"unknown message", []byte{0x33, 0x00, 0}, ""},
		{"unknown function", []byte{0x03, 0x7F, 0}, "ORA-03001"},
		{"unknown piggyback", []byte{0x11, 0x7F, 0}, ""},
		{"LOB write without data", lobRequest(0x40, 0, make([]byte, 40), 7), ""},
		{"bytes behind the request", []byte{0x03, 0x93, 0, 0}, ""},
		{"integer too long", []byte{0x03, 0x05, 0, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1}, ""},
		{"LOB operation too long", []byte{0x03, 0x60, 0, 1, 4, 0xFF, 0xFF, 0xFF, 0xFF}, ""},
		{"re-execution of an unknown cursor", []byte{0x03, 0x04, 0, 1, 9, 1, 1, 0, 0}, ""},
		{"too many cursors", []byte{0x11, 0x69, 0, 1, 4, 0xFF, 0xFF, 0xFF, 0xFF}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			backend := newScript()
			server := listen(t, wire.Config{Backend: backend})
			r := openRaw(t, server)
			r.send(100, tc.request...)
			if tc.answer != "" {
				r.wantAnswer(tc.answer)
			}
			r.wantClosed()
			if err := server.Close(); err != nil {
				t.Fatal(err)
			}
			if h := backend.history(); len(h) != 1 || h[0] != "close clean=false" {
				t.Errorf("history %v", h)
			}
		})
	}
}

// python-oracledb sets the schema in front of its next call, which also gets the error.
func TestCurrentSchemaPiggyback(t *testing.T) {
	const alter = `ALTER SESSION SET CURRENT_SCHEMA = "SALES"`
	backend := newScript().on(alter, done(0))
	r := openRaw(t, listen(t, wire.Config{Backend: backend}))
	r.send(100, 0x11, 0x98, 0, 1, 1, 5, 5, 'S', 'A', 'L', 'E', 'S', 0x03, 0x93, 0)
	r.receive()
	if got := backend.last(t).SQL; got != alter {
		t.Errorf("statement %q", got)
	}
	r.send(100, 0x11, 0x98, 0, 1, 1, 1, 1, 'X', 0x03, 0x93, 0)
	r.wantAnswer("ORA-00942")
	r.send(100, 0x03, 0x93, 0)
	r.receive()
}

func TestGarbageInsteadOfConnect(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript()})
	for _, garbage := range []string{"GET / HTTP/1.1\r\n\r\n", "\x00\x10\x00\x00\x01\x00\x00\x00short123", "\x00\x04\x00\x00\x01\x00\x00\x00"} {
		conn, err := net.Dial("tcp", server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write([]byte(garbage)); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		raw{t: t, conn: conn}.wantClosed()
		_ = conn.Close()
	}
}

func TestListenIsForLoopbackOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:1521", "nonsense"} {
		if err := (wire.Config{Address: address, Backend: newScript()}).Validate(); err == nil {
			t.Errorf("address %s was accepted", address)
		}
	}
	if err := (wire.Config{Backend: newScript()}).Validate(); err != nil {
		t.Error(err)
	}
	for _, config := range []wire.Config{
		{},
		{Backend: newScript(), SDU: 511},
		{Backend: newScript(), SDU: 2<<20 + 1},
		{Backend: newScript(), Release: 11},
		{Backend: newScript(), FieldVersion: 14},
		{Backend: newScript(), OpenCursors: -1},
	} {
		if err := config.Validate(); err == nil {
			t.Errorf("configuration %+v was accepted", config)
		}
	}
}
