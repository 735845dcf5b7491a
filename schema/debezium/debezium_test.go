package debezium

import (
	"os"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// reference reads a golden string of reference debezium-format 17, made by Debezium's and Connect's own classes.
func reference(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/reference/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(b), "\n")
}

func debeziumSettings() Settings {
	return Settings{
		Profile: Debezium(), ConnectorVersion: "3.7.0", Server: "server1", Database: "ORCL", Topic: "server1.INVENTORY.CUSTOMERS",
		Tombstones: true, ContextHeaders: true, Run: "0b7c9a4e-6f1d-4f6a-9f54-2f9a3f1d2c11",
	}
}

// brief is an event of section 17, where rs_id, user_name, row_id and the times of the transaction are null for brevity.
func brief(v *schema.Version, op change.Op, before, after []value.Value) *change.Event {
	tx := transaction()
	tx.CommitMillis, tx.User = 0, ""
	return &change.Event{
		Kind: change.Change, Op: op, Version: v, Before: before, After: after, SCN: 2122185, Thread: 1, SSN: 4,
		Millis: 1700000000000, Built: 1700000001123456789, Transaction: tx, TableOrder: 1,
	}
}

func rendered(t *testing.T, tab *Table, ev *change.Event) (key, val string) {
	t.Helper()
	k, err := tab.AppendKey(nil, ev)
	if err != nil {
		t.Fatal(err)
	}
	if ev.Kind == change.Tombstone {
		return string(k), ""
	}
	v, err := tab.AppendValue(nil, ev)
	if err != nil {
		t.Fatal(err)
	}
	return string(k), string(v)
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	from := max(0, at-60)
	t.Errorf("%s differs at byte %d:\n got …%s\nwant …%s", what, at, got[from:min(len(got), at+80)], want[from:min(len(want), at+80)])
}

// Acceptance list, item 1, without schemas.
func TestRecordsOfProfileDebeziumEqualTheGoldenStrings(t *testing.T) {
	v := customers()
	tab := table(t, debeziumSettings(), v)
	key, val := rendered(t, tab, brief(v, change.Create, nil, anne()))
	same(t, "key", key, `{"ID":1004}`)
	same(t, "create", val, reference(t, "create"))
	key, val = rendered(t, tab, brief(v, change.Truncate, nil, nil))
	same(t, "key of a truncate", key, "")
	same(t, "truncate", val, reference(t, "truncate"))
	grave := brief(v, change.Delete, anne(), nil)
	grave.Kind = change.Tombstone
	key, _ = rendered(t, tab, grave)
	same(t, "key of a tombstone", key, `{"ID":1004}`)
	// A snapshot row: reference 3, fields 14 to 25 are null, and scn is the snapshot's; ssn is Debezium's constant.
	read := &change.Event{
		Kind: change.Snapshot, Op: change.Read, Version: v, After: anne(), SCN: 2122100, Millis: 1700000000000, Built: 1700000001123456789,
		Mark: change.LastInTable,
	}
	_, val = rendered(t, tab, read)
	want := strings.NewReplacer(
		`"snapshot":"false"`, `"snapshot":"last_in_data_collection"`, `"txId":"02000a0037030000"`, `"txId":null`, `"scn":"2122185","commit_scn":"2122190"`,
		`"scn":"2122100","commit_scn":null`, `"redo_thread":1`, `"redo_thread":null`, `"txSeq":1`, `"txSeq":null`, `"op":"c"`, `"op":"r"`,
	).Replace(reference(t, "create"))
	same(t, "snapshot row", val, want)
}

func TestSourceBlockOfProfileDebezium(t *testing.T) {
	v := customers()
	ev := streamed(v, change.Update, anne(), anne())
	ev.Built, ev.Thread = 1700000001123456789, 2
	ev.Transaction.StartSCN, ev.Transaction.StartMillis = 2122180, 1699999999000
	ev.Aside = &change.Aside{Redo: `update "T" set "A" = '1'`}
	_, val := rendered(t, table(t, debeziumSettings(), v), ev)
	source := val[strings.Index(val, `"source":`):]
	same(t, "source", source, `"source":{"version":"3.7.0","connector":"oracle","name":"server1","ts_ms":1700000000000,"snapshot":"false",`+
		`"db":"ORCLPDB1","sequence":null,"ts_us":1700000000000000,"ts_ns":1700000000000000000,"schema":"INVENTORY","table":"CUSTOMERS",`+
		`"txId":"02000a0037030000","scn":"2122185","commit_scn":"2122190","lcr_position":null,"rs_id":"0x00006a.00004d90.0010","ssn":0,`+
		`"redo_thread":2,"user_name":"SHOP","redo_sql":"update \"T\" set \"A\" = '1'","row_id":"AAASNsAAEAAAAFfAAA","commit_ts_ms":1700000001000,`+
		`"start_scn":"2122180","start_ts_ms":1699999999000,"txSeq":5},"transaction":null,"op":"u","ts_ms":1700000001123,"ts_us":1700000001123456,`+
		`"ts_ns":1700000001123456789}`)
}

// Reference debezium-format 3.2; seed 001 has fewer marks, and writes true for the others.
func TestMarksOfSnapshotRecords(t *testing.T) {
	v := customers()
	for _, c := range []struct {
		mark              change.Mark
		cdc, debeziumText string
	}{
		{change.First, "first", "first"},
		{change.FirstInTable, "true", "first_in_data_collection"},
		{"", "true", "true"},
		{change.LastInTable, "true", "last_in_data_collection"},
		{change.Last, "last", "last"},
		{change.Incremental, "incremental", "incremental"},
	} {
		ev := &change.Event{Kind: change.Snapshot, Op: change.Read, Version: v, After: anne(), Mark: c.mark}
		for want, s := range map[string]Settings{"cdc " + c.cdc: settings(), "debezium " + c.debeziumText: debeziumSettings()} {
			_, val := rendered(t, table(t, s, v), ev)
			_, mark, _ := strings.Cut(want, " ")
			if !strings.Contains(val, `"snapshot":"`+mark+`"`) {
				t.Errorf("mark %q: %s, want %s", c.mark, val, want)
			}
		}
	}
}

func headerLines(s Settings, ev *change.Event) string {
	list, _ := Headers(s)(nil, nil, ev)
	var b strings.Builder
	for _, h := range list {
		b.WriteString(h.Key + " " + string(h.Value) + "\n")
	}
	return b.String()
}

const contextOfRun = "__debezium.context.connectorLogicalName server1\n__debezium.context.taskId 0\n__debezium.context.connectorName oracle\n" +
	"__debezium.context.runId 0b7c9a4e-6f1d-4f6a-9f54-2f9a3f1d2c11\n"

// Reference debezium-format 10.
func TestHeadersOfProfileDebezium(t *testing.T) {
	v := customers()
	s := debeziumSettings()
	without := s
	without.ContextHeaders = false
	change1 := streamed(v, change.Create, nil, anne())
	same(t, "create", headerLines(s, change1), contextOfRun)
	same(t, "create without context headers", headerLines(without, change1), "")
	old, fresh := streamed(v, change.Delete, anne(), nil), streamed(v, change.Create, nil, anne())
	old.Aside, fresh.Aside = &change.Aside{OtherKey: []byte(`{"ID":2}`)}, &change.Aside{OtherKey: []byte(`{"ID":1}`)}
	same(t, "delete of a key change", headerLines(s, old), "__debezium.newkey {\"ID\":2}\n"+contextOfRun)
	old.Kind = change.Tombstone
	same(t, "its tombstone", headerLines(s, old), "__debezium.newkey {\"ID\":2}\n"+contextOfRun)
	same(t, "its create", headerLines(s, fresh), "__debezium.oldkey {\"ID\":1}\n"+contextOfRun)
	same(t, "heartbeat", headerLines(s, &change.Event{Kind: change.Heartbeat}), "")
	// What Debezium fills with a fallback value is null, and is named.
	row := anne()
	row[3] = value.OfUnavailable()
	same(t, "missing number", headerLines(s, streamed(v, change.Create, nil, row)), contextOfRun+"cdc.unavailable [\"BALANCE\"]\n")
}

// The texts are those of org.apache.kafka.connect.storage.SimpleHeaderConverter 4.4.0 for the same struct.
func TestKeyInAHeaderIsWrittenAsTheSimpleConverterDoes(t *testing.T) {
	none := schema.NoNumber
	local := func(year int16, month, day, hour, minute, second uint8, nano uint32) value.Value {
		return value.OfLocal(dateTime(year, month, day, hour, minute, second, nano))
	}
	date := typed(schema.Timestamp, "TIMESTAMP(6)", 6)
	for _, c := range []struct {
		typ   schema.Type
		value value.Value
		want  string
	}{
		{number(9, 0), value.OfDecimal("1004"), `1004`},
		{number(12, 2), value.OfDecimal("-12.5"), `-12.50`},
		{number(38, 0), value.OfDecimal("12345678901234567890"), `12345678901234567890`},
		{number(36, -2), value.OfDecimal("12300"), `1.23E+4`},
		{number(36, -2), value.OfDecimal("0"), `0E+2`},
		{number(12, 9), value.OfDecimal("0.000000012"), `1.2E-8`},
		{number(12, 9), value.OfDecimal("0.0000001"), `1.00E-7`},
		{number(12, 9), value.OfDecimal("0"), `0E-9`},
		{number(12, 2), value.OfDecimal("0"), `0.00`},
		{number(12, 6), value.OfDecimal("100000"), `100000.000000`},
		{number(none, none), value.OfDecimal("77.323"), `{"scale":3,"value":"AS4L"}`},
		{varchar(), value.OfText("A\"b\\c\n\x01😀"), "\"A\\\"b\\\\c\n\x01😀\""},
		{typed(schema.Raw, "RAW", none), value.OfBytes("\x01\xff"), `"Af8="`},
		{typed(schema.BinaryDouble, "BINARY_DOUBLE", none), value.OfFloat64(nan()), `NaN`},
		{typed(schema.BinaryFloat, "BINARY_FLOAT", none), value.OfFloat32(1e10), `1.0E10`},
		{date, local(2018, 3, 27, 12, 34, 56, 7_891_000), `2018-03-27T12:34:56.007Z`},
		{date, local(2018, 3, 27, 0, 0, 0, 0), `2018-03-27`},
		{date, local(1970, 1, 1, 1, 0, 0, 0), `01:00:00.000Z`},
		{date, local(1, 1, 1, 0, 0, 0, 0), `00:00:00.000Z`},
		{varchar(), value.OfNull(), `null`},
	} {
		v := versionOf(c.typ)
		v.Columns[0].Name = `Q"x\`
		v.Key = schema.Key{Origin: schema.KeyUnique, Columns: []int{0}}
		s := debeziumSettings()
		s.Temporals = ConnectTimes
		got, err := table(t, s, v.Seal()).AppendOtherKey([]byte("kept"), streamed(v, change.Create, nil, []value.Value{c.value}))
		if want := `kept{"Q\"x\\":` + c.want + `}`; err != nil || string(got) != want {
			t.Errorf("%s, %v; want %s", got, err, want)
		}
	}
	v := customers()
	if got, err := table(t, settings(), v).AppendOtherKey(nil, streamed(v, change.Create, nil, anne())); err != nil || len(got) > 0 {
		t.Errorf("profile cdc has no such header: %s, %v", got, err)
	}
	row := anne()
	row[0] = value.OfDecimal("12345678901")
	if got, err := table(t, debeziumSettings(), v).AppendOtherKey([]byte("kept"), streamed(v, change.Create, nil, row)); !stop.Is(err, stop.Undecodable) || string(got) != "kept" {
		t.Errorf("a key that does not fit: %s, %v", got, err)
	}
}

func nan() float64 {
	zero := 0.0
	return zero / zero
}

// Section 18: tombstones follow deletes without a key too, and LOB columns keep their fields with lobs.mode skip.
func TestProfileDebeziumKeepsWhatSeedLeavesOut(t *testing.T) {
	keyless := customers()
	keyless.Key = schema.Key{Origin: schema.KeyNone}
	if !table(t, debeziumSettings(), keyless).Tombstones() {
		t.Error("no tombstone after a delete without a key")
	}
	lob := versionOf(varchar(), typed(schema.CLOB, "CLOB", schema.NoNumber))
	for want, s := range map[string]Settings{`{"CA":"x"}`: settings(), `{"CA":"x","CB":"__debezium_unavailable_value"}`: debeziumSettings()} {
		if got := after(t, table(t, s, lob), lob, value.OfText("x"), value.OfUnavailable()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
