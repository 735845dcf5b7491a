package wire_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// Numbers of LOB operations (reference tns-server 9).
const (
	opLength    = 0x01
	opRead      = 0x02
	opTrim      = 0x20
	opWrite     = 0x40
	opOpen      = 0x8000
	opCreate    = 0x0110
	opFree      = 0x0111
	typeOfClob  = 112
	typeOfBlob  = 113
	amountGiven = 1
)

// lobAmount is function 0x60 with an offset and an amount.
func lobAmount(operation uint16, offset, amount byte, locator []byte) []byte {
	b := []byte{0x03, 0x60, 0, 1, 1, byte(len(locator)), 0, 0, 0, 0, 0, 0, 0, 2, byte(operation >> 8), byte(operation), 0, 0, 1, offset, 0, amountGiven}
	b = append(b, 0, 0, 0, 0, 0, 0)
	return append(append(b, locator...), 1, amount)
}

// create makes a temporary LOB and returns its locator.
func (r raw) create(typ byte) []byte {
	r.t.Helper()
	b := []byte{0x03, 0x60, 0, 1, 1, 40, 0, 1, 10, 0, 0, 0, 0, 0, 2, opCreate >> 8, opCreate & 0xFF, 0, 0, 1, 1, 1, typ, 0, 0, 0, 0, 0, 0, 0}
	r.send(1000, append(b, make([]byte, 40)...)...)
	answer := r.receive()
	if answer[0] != byte(ttc.CodeReturnParameters) {
		r.t.Fatalf("answer % x", answer)
	}
	return answer[1:41]
}

func (r raw) writeLob(offset byte, locator []byte, data string) []byte {
	r.t.Helper()
	r.send(1000, lobRequest(opWrite, offset, locator, append([]byte{0x0E, byte(len(data))}, data...)...)...)
	return r.receive()
}

func (r raw) content(locator []byte) []byte {
	r.t.Helper()
	r.send(1000, lobAmount(opRead, 1, 200, locator)...)
	answer := r.receive()
	if answer[0] != byte(ttc.CodeLobData) {
		return nil
	}
	return answer[2 : 2+int(answer[1])]
}

// Writing behind the end fills with zeros, or blanks in text; a part is overwritten in its place.
func TestTemporaryLobContent(t *testing.T) {
	r := openRaw(t, listen(t, wire.Config{Backend: newScript()}))
	blob, clob := r.create(typeOfBlob), r.create(typeOfClob)
	r.writeLob(4, blob, "abc")
	r.writeLob(5, blob, "B")
	if got := r.content(blob); string(got) != "\x00\x00\x00aBc" {
		t.Errorf("%q", got)
	}
	r.writeLob(3, clob, "\x00x\x00y")
	if got := r.content(clob); string(got) != "\x00 \x00 \x00x\x00y" {
		t.Errorf("%q", got)
	}
	r.send(1000, lobAmount(opTrim, 0, 3, clob)...)
	r.receive()
	r.send(1000, lobAmount(opLength, 0, 0, clob)...)
	if got := r.receive(); !bytes.Equal(got[41:43], []byte{1, 3}) {
		t.Errorf("length % x", got[41:])
	}
	r.send(1000, lobAmount(opTrim, 0, 4, clob)...)
	r.wantAnswer("ORA-21560")
	r.send(1000, lobAmount(opRead, 9, 1, clob)...)
	if got := r.receive(); got[0] != byte(ttc.CodeReturnParameters) {
		t.Errorf("data behind the end: % x", got)
	}
}

func TestLobOperationsThatFail(t *testing.T) {
	r := openRaw(t, listen(t, wire.Config{Backend: newScript()}))
	lob := r.create(typeOfBlob)
	for _, tc := range []struct {
		name    string
		request []byte
		want    string
	}{
		{"nobody's locator", lobAmount(opLength, 0, 0, make([]byte, 40)), "ORA-22275"},
		{"a short locator", lobAmount(opLength, 0, 0, make([]byte, 3)), "ORA-22275"},
		{"unknown operation", lobAmount(0x0004, 1, 1, lob), "ORA-03001: unimplemented feature: LOB operation 0x4"},
		{"close what is not open", closeRequest(lob), "ORA-22289"},
		{"open", lobAmount(opOpen, 0, 2, lob), "\x08\x00"},
		{"open again", lobAmount(opOpen, 0, 2, lob), "ORA-22293"},
		{"close", closeRequest(lob), "\x08\x00"},
		{"free", lobRequest(opFree, 0, lob), "\x08\x00"},
		{"read what is free", lobAmount(opRead, 1, 1, lob), "ORA-22275"},
		{"free again", lobRequest(opFree, 0, lob), "\x08\x00"},
	} {
		r.send(1000, tc.request...)
		if got := r.receive(); !bytes.Contains(got, []byte(tc.want)) {
			t.Errorf("%s: answer %q", tc.name, got)
		}
	}
}

// closeRequest has an operation of three bytes.
func closeRequest(locator []byte) []byte {
	b := []byte{0x03, 0x60, 0, 1, 1, byte(len(locator)), 0, 0, 0, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	return append(b, locator...)
}

// Temporary LOBs are freed in front of another call, several at once, as go-ora and node-oracledb do.
func TestTemporaryLobsAreFreedByPiggyback(t *testing.T) {
	r := openRaw(t, listen(t, wire.Config{Backend: newScript()}))
	a, b := r.create(typeOfBlob), r.create(typeOfClob)
	r.writeLob(1, a, "abc")
	request := []byte{0x11, 0x60, 0, 1, 1, 80, 0, 0, 0, 0, 0, 0, 0, 3, 8, 1, 0x11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	request = append(append(request, a...), b...)
	request = append(request, 0x03, 0x93, 0) // ping
	r.send(1000, request...)
	if got := r.receive(); !bytes.Equal(got, []byte{9, 0, 0}) {
		t.Fatalf("answer % x", got)
	}
	for _, locator := range [][]byte{a, b} {
		r.send(1000, lobAmount(opLength, 0, 0, locator)...)
		r.wantAnswer("ORA-22275")
	}
}

// The locators of values are forgotten, oldest first; what a forgotten one asks for is refused, not guessed.
func TestLocatorsAreBounded(t *testing.T) {
	columns := []wire.Column{{Name: "C", Type: clobType}}
	rows := make([][]datum.Datum, 12)
	for i := range rows {
		rows[i] = []datum.Datum{clob(fmt.Sprintf("value %d", i))}
	}
	server := listen(t, wire.Config{Backend: newScript().on("select c", table(columns, rows...)), Locators: 5})
	for prefetch, wantErr := range map[string]bool{"5": false, "12": true} {
		db := open(t, server, map[string]string{"LOB FETCH": "POST", "PREFETCH_ROWS": prefetch})
		err := queryError(t.Context(), db, "select c")
		if wantErr {
			wantOra(t, err, 22275)
		} else if err != nil {
			t.Error(err)
		}
	}
}

func TestValuesAreBoundedByTheirBytes(t *testing.T) {
	columns := []wire.Column{{Name: "B", Type: blobType}}
	rows := make([][]datum.Datum, 12)
	for i := range rows {
		rows[i] = []datum.Datum{blob(make([]byte, 1000))}
	}
	server := listen(t, wire.Config{Backend: newScript().on("select b", table(columns, rows...)), LobBytes: 5000})
	for prefetch, wantErr := range map[string]bool{"5": false, "12": true} {
		db := open(t, server, map[string]string{"LOB FETCH": "POST", "PREFETCH_ROWS": prefetch})
		if err := queryError(t.Context(), db, "select b"); wantErr {
			wantOra(t, err, 22275)
		} else if err != nil {
			t.Error(err)
		}
	}
}

// What a query delivered cannot be written to.
func TestValuesOfRowsCannotBeWritten(t *testing.T) {
	r := openRaw(t, listen(t, wire.Config{Backend: newScript().on("select n", table(
		[]wire.Column{{Name: "C", Type: blobType}}, []datum.Datum{blob([]byte("stored"))}))}))
	r.send(1000, executeRequest("select n", 5)...)
	r.receive()
	r.send(1000, 0x03, 0x05, 0, 1, 1, 1, 5) // fetch
	answer := r.receive()
	at := bytes.Index(answer, []byte{40, 0, 38}) + 1
	locator := answer[at : at+40]
	if got := r.writeLob(1, locator, "x"); !bytes.Contains(got, []byte("ORA-22920")) {
		t.Errorf("answer %q", got)
	}
	r.send(1000, lobAmount(opTrim, 0, 1, locator)...)
	r.wantAnswer("ORA-22920")
	if got := r.content(locator); string(got) != "stored" {
		t.Errorf("content %q", got)
	}
}

// A value of many packets and more than any buffer, both ways.
func TestLargeLobs(t *testing.T) {
	large := strings.Repeat("0123456789abcdef", 1<<18) // 4 MB, twice that in UTF-16
	var got string
	backend := newScript().on("select c", table([]wire.Column{{Name: "C", Type: clobType}}, []datum.Datum{clob(large)})).
		on("insert into t values (:1)", done(1))
	for _, mode := range []string{"PRE", "POST"} {
		db := open(t, listen(t, wire.Config{Backend: backend}), map[string]string{"LOB FETCH": mode})
		if err := db.QueryRowContext(t.Context(), "select c").Scan(&got); err != nil || got != large {
			t.Fatalf("%s: %d characters, error %v", mode, len(got), err)
		}
		if _, err := db.ExecContext(t.Context(), "insert into t values (:1)", go_ora.Clob{String: large, Valid: true}); err != nil {
			t.Fatal(err)
		}
		if back := backend.last(t).Binds[0][0]; back.Kind != datum.Clob || back.Text != large {
			t.Errorf("%s: %d characters arrived", mode, len(back.Text))
		}
	}
}

// What a client says of its work reaches the session, with and without lengths in front of the texts.
func TestLabelsReachTheSession(t *testing.T) {
	backend := newScript()
	r := openRaw(t, listen(t, wire.Config{Backend: backend}))
	request := []byte{0x11, 0x87, 0, 0, 0, 1, 0x1F, 1, 1, 2, 1, 1, 3, 1, 1, 1, 0, 0, 0, 0, 1, 1, 4, 0, 0, 0, 0, 0, 0}
	request = append(request, "\x02id\x03mod\x01a\x04info\x03\x93\x00"...)
	r.send(7, request...)
	r.receive()
	for name, want := range map[string]string{"id": "id", "module": "mod", "action": "a", "info": "info", "operation": ""} {
		if got := backend.labelled(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
