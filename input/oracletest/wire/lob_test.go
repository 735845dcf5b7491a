package wire_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

var (
	clobType  = datum.Type{Code: datum.TypeClob}
	nclobType = datum.Type{Code: datum.TypeClob, National: true}
	blobType  = datum.Type{Code: datum.TypeBlob}
)

func clob(s string) datum.Datum { return datum.Datum{Kind: datum.Clob, Text: s} }

func blob(b []byte) datum.Datum { return datum.Datum{Kind: datum.Blob, Raw: b} }

// largeText has characters of one to four bytes and is longer than a packet, a chunk and 64 KB.
func largeText() string { return strings.Repeat("Grüße, 世界 🌍. ", 6000) }

func largeBytes() []byte {
	b := make([]byte, 200_003)
	for i := range b {
		b[i] = byte(i * 7 >> 3)
	}
	return b
}

// lobRows has two rows with LOBs of the sizes that matter, and one of NULLs.
func lobRows() (columns []wire.Column, rows [][]datum.Datum) {
	columns = []wire.Column{
		{Name: "N", Type: numberType},
		{Name: "C", Type: clobType, Nullable: true},
		{Name: "NC", Type: nclobType, Nullable: true},
		{Name: "B", Type: blobType, Nullable: true},
		{Name: "S", Type: textType, Nullable: true},
	}
	rows = [][]datum.Datum{
		{number(1), clob("short ü"), clob("national ü🌍"), blob([]byte{0, 1, 255}), text("after")},
		{number(2), {}, {}, {}, {}},
		{number(3), clob(largeText()), clob(largeText()), blob(largeBytes()), text("after")},
		{number(4), clob(largeText()), clob("x"), blob([]byte{7}), text("after")},
	}
	return columns, rows
}

func checkLobRows(t *testing.T, rows *sql.Rows, want [][]datum.Datum) {
	t.Helper()
	defer func() { _ = rows.Close() }()
	n := 0
	for ; rows.Next(); n++ {
		var id int
		var c, nc, s sql.NullString
		var b []byte
		if err := rows.Scan(&id, &c, &nc, &b, &s); err != nil {
			t.Fatal(err)
		}
		w := want[n%len(want)]
		if c.String != w[1].Text || nc.String != w[2].Text || !bytes.Equal(b, w[3].Raw) || s.String != w[4].Text {
			t.Fatalf("row %d is (%d, %d characters, %d characters, %d bytes, %s)", n, id, len(c.String), len(nc.String), len(b), s.String)
		}
		if c.Valid == w[1].IsNull() || (b == nil) != w[3].IsNull() {
			t.Errorf("row %d: NULL where there is none, or the reverse", n)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if n != len(want) {
		t.Fatalf("%d rows, want %d", n, len(want))
	}
}

// Both modes of go-ora (reference tns-server 9 and 14.6), through every packet size and field version, the
// statement executed once and again.
func TestLobsReachTheDriver(t *testing.T) {
	columns, rows := lobRows()
	for _, mode := range []string{"PRE", "POST"} {
		for i, prefetch := range []string{"1000", "1", "2"} {
			for _, config := range []wire.Config{
				{},
				{SDU: 512},
				{SDU: 2 << 20},
				{FieldVersion: 7},
				{FieldVersion: 8},
				{BitVectors: true},
				{FieldVersion: 13, Errors: wire.ErrorMarker},
			} {
				if i > 0 && (config.FieldVersion != 0 || config.SDU == 512) { // the rows by one packet do not change there
					continue
				}
				name := fmt.Sprintf("%s by %s sdu %d version %d bits %t", mode, prefetch, config.SDU, config.FieldVersion, config.BitVectors)
				t.Run(name, func(t *testing.T) {
					config.Backend = newScript().on("select lobs", table(columns, rows...)).on("select no lobs", table(columns))
					db := open(t, listen(t, config), map[string]string{"LOB FETCH": mode, "PREFETCH_ROWS": prefetch})
					db.SetMaxOpenConns(1)
					stmt, err := db.PrepareContext(t.Context(), "select lobs")
					if err != nil {
						t.Fatal(err)
					}
					defer func() { _ = stmt.Close() }()
					for range 3 {
						r, err := stmt.QueryContext(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						checkLobRows(t, r, rows)
					}
					r, err := db.QueryContext(t.Context(), "select no lobs")
					if err != nil {
						t.Fatal(err)
					}
					checkLobRows(t, r, nil)
				})
			}
		}
	}
}

// A LOB that is bound goes through a temporary one: create, write, execute, free.
func TestTemporaryLobsReachTheBackend(t *testing.T) {
	const insert = "insert into t values (:1, :2, :3, :4)"
	for _, config := range []wire.Config{{}, {SDU: 512}, {SDU: 2 << 20}, {FieldVersion: 7}} {
		t.Run(fmt.Sprintf("sdu %d version %d", config.SDU, config.FieldVersion), func(t *testing.T) {
			backend := newScript().on(insert, done(1))
			config.Backend = backend
			// Only one row's LOBs have room: those of the others were freed.
			config.LobBytes = int64(3 * 2 * len(largeText()))
			db := open(t, listen(t, config), nil)
			db.SetMaxOpenConns(1)
			for range 5 {
				for _, s := range []string{largeText(), "x", "Grüße 🌍"} {
					b := largeBytes()
					_, err := db.ExecContext(t.Context(), insert, 7,
						go_ora.Clob{String: s, Valid: true}, go_ora.NClob{String: s, Valid: true}, go_ora.Blob{Data: b, Valid: true})
					if err != nil {
						t.Fatal(err)
					}
					last := backend.last(t)
					got := last.Binds[0]
					if got[1].Kind != datum.Clob || got[1].Text != s || got[2].Text != s || got[3].Kind != datum.Blob || !bytes.Equal(got[3].Raw, b) {
						t.Errorf("binds of %d, %d and %d bytes", len(got[1].Text), len(got[2].Text), len(got[3].Raw))
					}
					if ts := last.BindTypes; ts[1].Code != datum.TypeClob || ts[1].National || !ts[2].National || ts[3].Code != datum.TypeBlob {
						t.Errorf("types %+v", ts)
					}
				}
			}
			if _, err := db.ExecContext(t.Context(), insert, 7, go_ora.Clob{}, go_ora.NClob{}, go_ora.Blob{}); err != nil {
				t.Fatal(err)
			}
			if got := backend.last(t).Binds[0]; !got[1].IsNull() || !got[2].IsNull() || !got[3].IsNull() {
				t.Errorf("binds %+v", got)
			}
		})
	}
}

func TestTemporaryLobsAreBounded(t *testing.T) {
	backend := newScript().on("insert into t values (:1)", done(1)).on("select n", series(1))
	db := open(t, listen(t, wire.Config{Backend: backend, LobBytes: 1200}), nil)
	db.SetMaxOpenConns(1)
	_, err := db.ExecContext(t.Context(), "insert into t values (:1)", go_ora.Clob{String: strings.Repeat("x", 501), Valid: true})
	wantOra(t, err, 1652)
	rows, err := db.QueryContext(t.Context(), "select n")
	if err != nil {
		t.Fatal(err)
	}
	readSeries(t, rows, 1)
}

// LOBs that go out of a block, and both ways.
func TestLobsOutOfABlock(t *testing.T) {
	const block = "begin :1 := x; :2 := y; :3 := :3 || '!'; end;"
	backend := newScript().on(block, func(_ context.Context, _ *scriptSession, stmt wire.Statement) (wire.Result, error) {
		return wire.Result{Out: []wire.Out{
			{Direction: wire.OutTo, Value: clob(largeText())},
			{Direction: wire.OutTo, Value: blob(largeBytes())},
			{Direction: wire.InOut, Value: clob(stmt.Binds[0][2].Text + "!")},
		}}, nil
	})
	db := open(t, listen(t, wire.Config{Backend: backend}), nil)
	for range 2 {
		var c go_ora.Clob
		var b go_ora.Blob
		both := go_ora.Clob{String: "both ways", Valid: true}
		_, err := db.ExecContext(t.Context(), block,
			go_ora.Out{Dest: &c, Size: 1 << 20}, go_ora.Out{Dest: &b, Size: 1 << 20}, go_ora.Out{Dest: &both, In: true, Size: 100})
		if err != nil {
			t.Fatal(err)
		}
		if c.String != largeText() || !bytes.Equal(b.Data, largeBytes()) || both.String != "both ways!" {
			t.Errorf("%d characters, %d bytes, %q", len(c.String), len(b.Data), both.String)
		}
	}
}

// A long answer to a LOB read can be cancelled, and fails as a fault says.
func TestLobFaults(t *testing.T) {
	server := listen(t, wire.Config{Backend: newScript().on("select lob",
		table([]wire.Column{{Name: "C", Type: clobType}}, []datum.Datum{clob("content")}))})
	db := open(t, server, map[string]string{"LOB FETCH": "POST"})
	db.SetMaxOpenConns(1)
	for _, executed := range []bool{false, true} {
		h := server.AddFault(wire.Fault{Call: wire.CallLob, Executed: executed, Err: wire.Errorf(1555, "snapshot too old"), Count: 1})
		wantOra(t, queryError(t.Context(), db, "select lob"), 1555)
		if h.Hits() != 1 {
			t.Errorf("%d hits", h.Hits())
		}
		if err := queryError(t.Context(), db, "select lob"); err != nil {
			t.Error(err)
		}
	}
}
