package debezium

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

var rewrite = flag.Bool("rewrite", false, "write testdata again; look at the difference")

func settings() Settings {
	return Settings{Profile: CDC(), ConnectorVersion: "1.2.3", Server: "server1", Database: "ORCL", Tombstones: true}
}

func number(precision, scale int) schema.Type {
	return schema.Type{Kind: schema.Number, Name: "NUMBER", Length: 22, Precision: precision, Scale: scale}
}

func typed(kind schema.TypeKind, name string, scale int) schema.Type {
	return schema.Type{Kind: kind, Name: name, Length: 100, CharLength: 100, Precision: schema.NoNumber, Scale: scale}
}

func varchar() schema.Type { return typed(schema.Varchar2, "VARCHAR2", schema.NoNumber) }

// customers is the table of the golden strings in reference debezium-format 17.
func customers() *schema.Version {
	return (&schema.Version{
		Table:  schema.Table{PDB: "ORCLPDB1", Owner: "INVENTORY", Name: "CUSTOMERS"},
		Number: 3, Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}},
		Columns: []schema.Column{
			{Name: "ID", Type: number(9, 0), SegmentID: 1},
			{Name: "NAME", Type: varchar(), SegmentID: 2, Nullable: true},
			{Name: "STATUS", Type: varchar(), SegmentID: 3, Nullable: true},
			{Name: "BALANCE", Type: number(12, 2), SegmentID: 4, Nullable: true},
		},
	}).Seal()
}

func anne() []value.Value {
	return []value.Value{value.OfDecimal("1004"), value.OfText("Anne"), value.OfText("NEW"), value.OfDecimal("-12.50")}
}

func transaction() *change.Transaction {
	return &change.Transaction{
		ID: position.XID{USN: 2, Slot: 10, Sequence: 823}, Key: position.Key{SCN: 2122190, Thread: 1},
		CommitMillis: 1700000001000, User: "SHOP", Count: 7,
	}
}

func streamed(v *schema.Version, op change.Op, before, after []value.Value) *change.Event {
	return &change.Event{
		Kind: change.Change, Op: op, Version: v, Before: before, After: after,
		SCN: 2122185, Thread: 1, Address: position.RBA{Sequence: 0x6a, Block: 0x4d90, Byte: 0x10}, SSN: 4, Millis: 1700000000000,
		RowID: "AAASNsAAEAAAAFfAAA", Transaction: transaction(), Index: 4, TableOrder: 2,
	}
}

func table(t testing.TB, s Settings, v *schema.Version) *Table {
	t.Helper()
	tab, err := NewTable(s, v)
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// described renders an event as the golden file holds it.
func described(t testing.TB, tab *Table, ev *change.Event) string {
	t.Helper()
	var b strings.Builder
	key, err := tab.AppendKey(nil, ev)
	if err != nil {
		t.Fatal(err)
	}
	if len(key) > 0 {
		fmt.Fprintf(&b, "key %s\n", key)
	}
	if ev.Kind != change.Tombstone {
		val, err := tab.AppendValue(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "value %s\n", val)
	}
	headers, _ := Headers(settings())(nil, nil, ev)
	for _, h := range headers {
		fmt.Fprintf(&b, "header %s %s\n", h.Key, h.Value)
	}
	return b.String()
}

func TestGoldenRecordsOfProfileCDC(t *testing.T) {
	v := customers()
	tab := table(t, settings(), v)
	changed := anne()
	changed[2], changed[3] = value.OfNull(), value.OfDecimal("0.5")
	partial := []value.Value{value.OfDecimal("1004"), {}, value.OfText("NEW"), value.OfUnavailable()}

	keyless := customers()
	keyless.Key = schema.Key{Origin: schema.KeyNone}
	byRowID := customers()
	byRowID.Key = schema.Key{Origin: schema.KeyRowID}
	plainDatabase := customers()
	plainDatabase.Table.PDB = ""

	tombstone := streamed(v, change.Delete, anne(), nil)
	tombstone.Kind = change.Tombstone
	snapshot := func(mark change.Mark) *change.Event {
		return &change.Event{Kind: change.Snapshot, Op: change.Read, Version: v, After: anne(), SCN: 2122100, Millis: 1700000000123, Mark: mark}
	}
	bare := streamed(v, change.Create, nil, anne())
	bare.RowID, bare.Transaction.User, bare.Transaction.CommitMillis = "", "", 0
	split := streamed(v, change.Update, partial, changed)
	split.Split, split.ReselectFailed = true, true

	var b strings.Builder
	for _, c := range []struct {
		name  string
		table *Table
		event *change.Event
	}{
		{"insert", tab, streamed(v, change.Create, nil, anne())},
		{"update", tab, streamed(v, change.Update, anne(), changed)},
		{"delete", tab, streamed(v, change.Delete, anne(), nil)},
		{"tombstone", tab, tombstone},
		{"truncate", tab, streamed(v, change.Truncate, nil, nil)},
		{"delete with a partial image", tab, streamed(v, change.Delete, partial, nil)},
		{"update from a partial image, split, reselect failed", tab, split},
		{"insert of an unknown user at an unknown time", tab, bare},
		{"first snapshot record", tab, snapshot(change.First)},
		{"snapshot record", tab, snapshot("")},
		{"last snapshot record", tab, snapshot(change.Last)},
		{"incremental snapshot record", tab, snapshot(change.Incremental)},
		{"insert without a container database", table(t, settings(), plainDatabase), streamed(plainDatabase, change.Create, nil, anne())},
		{"insert into a table without key", table(t, settings(), keyless), streamed(keyless, change.Create, nil, anne())},
		{"insert into a table keyed by ROWID", table(t, settings(), byRowID), streamed(byRowID, change.Create, nil, anne())},
	} {
		fmt.Fprintf(&b, "== %s\n%s", c.name, described(t, c.table, c.event))
	}
	compare(t, "testdata/cdc.golden", b.String())
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := "", ""
		if i < len(gotLines) {
			g = gotLines[i]
		}
		if i < len(wantLines) {
			w = wantLines[i]
		}
		if g != w {
			t.Fatalf("%s line %d:\n got %s\nwant %s\n(go test -rewrite writes the file again)", file, i+1, g, w)
		}
	}
}

// The row and key of the create event in reference debezium-format 17.1, whose bytes come from the real converters.
func TestRowAndKeyEqualDebeziums(t *testing.T) {
	v := customers()
	tab := table(t, settings(), v)
	ev := streamed(v, change.Create, nil, anne())
	key, err := tab.AppendKey(nil, ev)
	if err != nil || string(key) != `{"ID":1004}` {
		t.Errorf("key %s, %v", key, err)
	}
	val, err := tab.AppendValue(nil, ev)
	if want := `{"before":null,"after":{"ID":1004,"NAME":"Anne","STATUS":"NEW","BALANCE":"+x4="},"source":{`; err != nil || !strings.HasPrefix(string(val), want) {
		t.Errorf("value %s, %v", val, err)
	}
}

func TestKeyFollowsTheKeysOrderAndTheRightImage(t *testing.T) {
	v := customers()
	v.Key.Columns = []int{2, 0}
	tab := table(t, settings(), v)
	moved := anne()
	moved[2] = value.OfText("OLD")
	for _, c := range []struct {
		ev   *change.Event
		want string
	}{
		{streamed(v, change.Create, nil, moved), `{"STATUS":"OLD","ID":1004}`},
		{streamed(v, change.Update, anne(), moved), `{"STATUS":"OLD","ID":1004}`},
		{streamed(v, change.Delete, anne(), nil), `{"STATUS":"NEW","ID":1004}`},
	} {
		if key, err := tab.AppendKey([]byte("x"), c.ev); err != nil || string(key) != "x"+c.want {
			t.Errorf("%c: %s, %v; want %s", c.ev.Op, key, err, c.want)
		}
	}
}

func TestKeyWithoutItsValuesIsRefused(t *testing.T) {
	v := customers()
	v.Key.Columns = []int{0, 1}
	tab := table(t, settings(), v)
	for _, c := range []struct {
		what   string
		column int
		value  value.Value
		bad    bool
	}{
		{"absent", 0, value.Value{}, true},
		{"unavailable", 0, value.OfUnavailable(), true},
		{"NULL in a NOT NULL column", 0, value.OfNull(), true},
		{"text that is unavailable", 1, value.OfUnavailable(), true},
		{"NULL in a nullable column", 1, value.OfNull(), false},
	} {
		row := anne()
		row[c.column] = c.value
		key, err := tab.AppendKey([]byte("kept"), streamed(v, change.Create, nil, row))
		if !c.bad {
			if err != nil || string(key) != `kept{"ID":1004,"NAME":null}` {
				t.Errorf("%s: %s, %v", c.what, key, err)
			}
			continue
		}
		if !stop.Is(err, stop.Undecodable) || string(key) != "kept" {
			t.Errorf("%s: %s, %v; want CDC-3001 and the buffer as it was", c.what, key, err)
		}
	}
	byRowID := customers()
	byRowID.Key = schema.Key{Origin: schema.KeyRowID}
	ev := streamed(byRowID, change.Create, nil, anne())
	ev.RowID = ""
	if _, err := table(t, settings(), byRowID).AppendKey(nil, ev); !stop.Is(err, stop.Undecodable) {
		t.Errorf("no ROWID: %v", err)
	}
}

func TestFaultsNameTheColumnAndNeverTheValue(t *testing.T) {
	v := customers()
	tab := table(t, settings(), v)
	row := anne()
	row[3] = value.OfDecimal("98765432109.5")
	val, err := tab.AppendValue([]byte("kept"), streamed(v, change.Create, nil, row))
	if !stop.Is(err, stop.Undecodable) || string(val) != "kept" {
		t.Fatalf("%s, %v", val, err)
	}
	if text := err.Error(); !strings.Contains(text, "ORCLPDB1.INVENTORY.CUSTOMERS.BALANCE") || strings.Contains(text, "987654") {
		t.Error(text)
	}
}

func TestR95RowsRenderWithTheVersionTheyWereDecodedWith(t *testing.T) {
	v, later := customers(), customers()
	later.Number = 4
	tab := table(t, settings(), v)
	for what, ev := range map[string]*change.Event{
		"another version": streamed(later, change.Create, nil, anne()),
		"too few columns": streamed(v, change.Create, nil, anne()[:3]),
		"no version":      streamed(nil, change.Create, nil, anne()),
	} {
		if _, err := tab.AppendValue(nil, ev); !stop.Is(err, stop.Undecodable) {
			t.Errorf("%s: %v", what, err)
		}
		if _, err := tab.AppendKey(nil, ev); !stop.Is(err, stop.Undecodable) {
			t.Errorf("%s: key: %v", what, err)
		}
	}
}

func TestTombstonesFollowOnlyWhatHasAKey(t *testing.T) {
	keyless := customers()
	keyless.Key = schema.Key{Origin: schema.KeyNone}
	off := settings()
	off.Tombstones = false
	if !table(t, settings(), customers()).Tombstones() || table(t, settings(), keyless).Tombstones() || table(t, off, customers()).Tombstones() {
		t.Error("tombstones: want with a key and when on, only then")
	}
}

// Reference debezium-format 17.3.
func TestHeartbeatIsDebeziums(t *testing.T) {
	for _, c := range []struct {
		encoding Encoding
		key, val string
	}{
		{JSON, `{"serverName":"server1"}`, `{"ts_ms":1700000000000}`},
		{
			JSONSchema,
			`{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"field":"serverName"}],"optional":false,"name":"io.debezium.connector.common.ServerNameKey","version":1},"payload":{"serverName":"server1"}}`,
			`{"schema":{"type":"struct","fields":[{"type":"int64","optional":false,"field":"ts_ms"}],"optional":false,"name":"io.debezium.connector.common.Heartbeat","version":1},"payload":{"ts_ms":1700000000000}}`,
		},
	} {
		s := settings()
		s.Encoding = c.encoding
		h, err := NewHeartbeats(s)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "key", string(h.Key()), c.key)
		same(t, "value", string(h.AppendValue(nil, 1700000000000)), c.val)
	}
	s := settings()
	s.Server = "\xff"
	if _, err := NewHeartbeats(s); err == nil {
		t.Error("a prefix that is not UTF-8 was taken")
	}
}

func TestOtherMessagesHaveNoHeaders(t *testing.T) {
	for _, kind := range []change.Kind{change.Heartbeat, change.Schema, change.Ops, change.DeadLetter, change.Boundary} {
		if headers, _ := Headers(settings())(nil, nil, &change.Event{Kind: kind}); len(headers) != 0 {
			t.Errorf("%s: %v", kind, headers)
		}
	}
}

func TestHeaderValuesStayApartInTheirBuffer(t *testing.T) {
	v := customers()
	var headers []change.Header
	buf := make([]byte, 0, 3)
	for range 3 {
		headers, buf = Headers(settings())(headers, buf, streamed(v, change.Create, nil, anne()))
	}
	want := "2122185 2122190 2.10.823 4 7 3"
	for i := 0; i < len(headers); i += 6 {
		var got []string
		for _, h := range headers[i : i+6] {
			got = append(got, string(h.Value))
			_ = append(h.Value, "overwrites nothing"...)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("record %d: %v", i/6, got)
		}
	}
}

func TestValueIsOneLineOfJSON(t *testing.T) {
	v := customers()
	row := anne()
	row[1] = value.OfText("a\"\n😀\u2028")
	val, err := table(t, settings(), v).AppendValue(nil, streamed(v, change.Create, nil, row))
	if err != nil || !json.Valid(val) || bytes.ContainsAny(val, "\n\r") {
		t.Errorf("%s, %v", val, err)
	}
}
