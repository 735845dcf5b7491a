package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// A row that a query gave, in both profiles, with and without an envelope, with a schema, and with its ROWID for a key: what belongs to a
// transaction is null (seed 001; reference debezium-format 3, 9.1).
func TestRecordsOfRowsThatAQueryGave(t *testing.T) {
	source := func(profile, mark string) string {
		if profile == "cdc" {
			return `{"version":"1.0","connector":"oracle-cdc","name":"shop","ts_ms":1700000000123,"snapshot":"` + mark + `","db":"PDB1","sequence":null,` +
				`"schema":"APP","table":"A","txId":null,"scn":"4711","commit_scn":null,"rs_id":null,"ssn":null,"redo_thread":null,"user_name":null,` +
				`"row_id":null,"pdb":"PDB1","reselect":null}`
		}
		return `{"version":"1.0","connector":"oracle","name":"shop","ts_ms":1700000000123,"snapshot":"` + mark + `","db":"PDB1","sequence":null,` +
			`"ts_us":1700000000123000,"ts_ns":1700000000123000000,"schema":"APP","table":"A","txId":null,"scn":"4711","commit_scn":null,` +
			`"lcr_position":null,"rs_id":null,"ssn":0,"redo_thread":null,"user_name":null,"redo_sql":null,"row_id":null,"commit_ts_ms":null,` +
			`"start_scn":null,"start_ts_ms":null,"txSeq":null}`
	}
	const row = `{"ID":7,"V":"it's"}`
	cdc := debezium.Settings{Profile: debezium.CDC(), Server: "shop", ConnectorVersion: "1.0", Tombstones: true}
	deb := debezium.Settings{Profile: debezium.Debezium(), Server: "shop", ConnectorVersion: "1.0", Tombstones: true, ContextHeaders: true, Run: "r", Transactions: true}
	with := func(s debezium.Settings, change func(*debezium.Settings)) debezium.Settings {
		change(&s)
		return s
	}
	const cdcHeaders = "cdc.scn=4711 cdc.snapshot=true cdc.schema_version=3"
	const debHeaders = "__debezium.context.connectorLogicalName=shop __debezium.context.taskId=0 __debezium.context.connectorName=oracle __debezium.context.runId=r"
	for name, c := range map[string]struct {
		settings            debezium.Settings
		mark                change.Mark
		rowID               bool
		key, value, headers string
	}{
		"cdc, first": {settings: cdc, mark: change.First, key: `{"ID":7}`, headers: cdcHeaders, value: `{"before":null,"after":` + row + `,"source":` +
			source("cdc", "first") + `,"op":"r","ts_ms":1700000000123,"ts_us":1700000000123000,"ts_ns":1700000000123000000,"transaction":null}`},
		"cdc, the first of a table": {settings: cdc, mark: change.FirstInTable, key: `{"ID":7}`, headers: cdcHeaders, value: `{"before":null,"after":` + row +
			`,"source":` + source("cdc", "true") + `,"op":"r","ts_ms":1700000000123,"ts_us":1700000000123000,"ts_ns":1700000000123000000,"transaction":null}`},
		"cdc, asked for, by ROWID": {settings: cdc, mark: change.Incremental, rowID: true, key: `{"ROWID":"AAA"}`, headers: cdcHeaders, value: `{"before":null,"after":` +
			row + `,"source":` + strings.Replace(source("cdc", "incremental"), `"row_id":null`, `"row_id":"AAA"`, 1) +
			`,"op":"r","ts_ms":1700000000123,"ts_us":1700000000123000,"ts_ns":1700000000123000000,"transaction":null}`},
		"debezium, the last of a table": {settings: deb, mark: change.LastInTable, key: `{"ID":7}`, headers: debHeaders, value: `{"before":null,"after":` + row +
			`,"source":` + source("debezium", "last_in_data_collection") + `,"transaction":null,"op":"r","ts_ms":1700000000999,"ts_us":1700000000999000,"ts_ns":1700000000999000001}`},
		"debezium, any": {settings: deb, key: `{"ID":7}`, headers: debHeaders, value: `{"before":null,"after":` + row +
			`,"source":` + source("debezium", "true") + `,"transaction":null,"op":"r","ts_ms":1700000000999,"ts_us":1700000000999000,"ts_ns":1700000000999000001}`},
		"flat": {
			settings: with(cdc, func(s *debezium.Settings) {
				s.Flat = &debezium.Flat{Deletes: debezium.DeleteRewritten, Fields: []string{"op", "source.snapshot", "scn", "commit_scn"}, Headers: []string{"op"}}
			}),
			mark: change.Last, key: `{"ID":7}`, headers: cdcHeaders + " __op=r",
			value: `{"ID":7,"V":"it's","__deleted":"false","__op":"r","__source_snapshot":"last","__scn":"4711","__commit_scn":null}`,
		},
	} {
		records := NewRecords(c.settings, naming.NewTopics(mustTemplate(t), "shop", "", "x"))
		v := &schema.Version{
			Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "A"}, Number: 3,
			Columns: []schema.Column{
				{Name: "ID", Type: schema.Type{Kind: schema.Number, Precision: 9}}, {Name: "V", Type: schema.Type{Kind: schema.Varchar2, Length: 10}, Nullable: true},
			},
			Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}},
		}
		ev := change.Event{
			Version: v, After: []value.Value{value.OfDecimal("7"), value.OfText("it's")}, SCN: 4711, Millis: 1700000000123, Built: 1700000000999000001, Mark: c.mark,
		}
		if c.rowID {
			v.Key, ev.RowID = schema.Key{Origin: schema.KeyRowID}, "AAA"
		}
		v.Seal()
		events, _, err := records.AppendRead(nil, nil, &ev)
		if err != nil || len(events) != 1 {
			t.Fatalf("%s: %d events, %v", name, len(events), err)
		}
		got := events[0]
		var headers []string
		list, _ := got.Headers(nil, nil, &got)
		for _, h := range list {
			headers = append(headers, h.Key+"="+string(h.Value))
		}
		want := []string{c.key, c.value, c.headers, "snapshot", "read"}
		if diff := cmp.Diff(want, []string{string(got.Key), string(got.Value), strings.Join(headers, " "), string(got.Kind), got.Op.Name()}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		c.settings.Encoding = debezium.JSONSchema
		schemas := NewRecords(c.settings, naming.NewTopics(mustTemplate(t), "shop", "", "x"))
		ev = change.Event{Version: v, After: ev.After, SCN: 4711, Millis: ev.Millis, Built: ev.Built, Mark: c.mark, RowID: ev.RowID}
		if events, _, err = schemas.AppendRead(nil, nil, &ev); err != nil || !strings.HasSuffix(string(events[0].Value), `,"payload":`+c.value+`}`) {
			t.Errorf("%s with schemas: %v, %s", name, err, events[0].Value)
		}
	}
}

func mustTemplate(t *testing.T) naming.Template {
	t.Helper()
	template, err := naming.ParseTemplate("")
	if err != nil {
		t.Fatal(err)
	}
	return template
}
