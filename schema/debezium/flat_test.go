package debezium

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/bloblang"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// flatGolden reads a golden file: what reference debezium-format 15.1 makes of the create record of section 17, with the members in
// the order of Debezium's transformation.
func flatGolden(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/flat/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(b), "\n")
}

func flatSettings(deletes Deletes, fields ...string) Settings {
	s := debeziumSettings()
	s.Flat = &Flat{Deletes: deletes, Fields: fields}
	return s
}

var referenceFields = []string{"op", "table", "source.ts_ms", "source.scn"}

func TestFlatRecordsEqualTheGoldenFiles(t *testing.T) {
	v := customers()
	for _, c := range []struct {
		golden  string
		deletes Deletes
		fields  []string
		op      change.Op
		before  []value.Value
		after   []value.Value
	}{
		{"row", DeleteTombstone, nil, change.Create, nil, anne()},
		{"row", DeleteDropped, nil, change.Update, anne(), anne()},
		{"rewrite_create", DeleteRewritten, referenceFields, change.Create, nil, anne()},
		{"rewrite_delete", DeleteRewritten, referenceFields, change.Delete, anne(), nil},
	} {
		key, got := rendered(t, table(t, flatSettings(c.deletes, c.fields...), v), brief(v, c.op, c.before, c.after))
		same(t, c.golden, got, flatGolden(t, c.golden))
		same(t, "key of "+c.golden, key, `{"ID":1004}`)
	}
}

func TestFlatRecordsWithSchemasEqualTheGoldenFiles(t *testing.T) {
	v := customers()
	v.Columns[2].Default = new(string)
	for golden, s := range map[string]Settings{
		"row_schema": flatSettings(DeleteTombstone), "rewrite_create_schema": flatSettings(DeleteRewritten, referenceFields...),
	} {
		s.Encoding = JSONSchema
		s.Default = func(*schema.Column) (value.Value, bool) { return value.OfText("NEW"), true }
		key, got := rendered(t, table(t, s, v), brief(v, change.Create, nil, anne()))
		same(t, golden, got, flatGolden(t, golden))
		same(t, "key of "+golden, key, reference(t, "key_schema"))
	}
}

// The mappings of reference debezium-format 15.1, as they stand there.
const (
	rewriteMapping = `
let doc = if content().length() == 0 { null } else { this.payload | this }
let extra = if $doc != null {
  { "__op": $doc.op, "__table": $doc.source.table,
    "__source_ts_ms": $doc.source.ts_ms, "__source_scn": $doc.source.scn }
}
root = match {
  $doc == null    => deleted()
  $doc.op == "t"  => deleted()
  $doc.op == "d"  => $doc.before.assign({"__deleted": "true"}).assign($extra)
  _               => $doc.after.assign({"__deleted": "false"}).assign($extra)
}`
	tombstoneMapping = `
let doc = if content().length() == 0 { null } else { this.payload | this }
root = match {
  $doc == null    => deleted()
  $doc.op == "t"  => deleted()
  $doc.op == "d"  => ""
  _               => $doc.after
}`
)

// The flat record is what the mapping of the reference makes of the envelope of the same event, in every profile and encoding.
func TestFlatRecordsAreWhatTheMappingsOfTheReferenceMake(t *testing.T) {
	v := customers()
	changed := anne()
	changed[1] = value.OfText("An\"ne \U0001F600")
	changed[3] = value.OfNull()
	events := map[string]*change.Event{
		"create": streamed(v, change.Create, nil, anne()), "update": streamed(v, change.Update, anne(), changed),
		"delete": streamed(v, change.Delete, changed, nil),
		"read":   {Kind: change.Snapshot, Op: change.Read, Version: v, After: changed, SCN: 2122100, Millis: 1700000000000, Mark: change.First},
	}
	compared := 0
	for deletes, mapping := range map[Deletes]string{DeleteRewritten: rewriteMapping, DeleteTombstone: tombstoneMapping} {
		exec, err := bloblang.Parse(mapping)
		if err != nil {
			t.Fatal(err)
		}
		for name, s := range forms() {
			if s.Flat != nil {
				continue
			}
			envelopes := table(t, s, v)
			s.Flat = &Flat{Deletes: deletes}
			if deletes == DeleteRewritten {
				s.Flat.Fields = referenceFields
			}
			flat := table(t, s, v)
			for op, ev := range events {
				_, envelope := rendered(t, envelopes, ev)
				mapped, err := service.NewMessage([]byte(envelope)).BloblangQuery(exec)
				if err != nil {
					t.Fatal(err)
				}
				text, err := mapped.AsBytes()
				if err != nil {
					t.Fatal(err)
				}
				if len(text) == 0 && op == "delete" && deletes == DeleteTombstone {
					continue // a tombstone, which the engine makes
				}
				compared++
				_, got := rendered(t, flat, ev)
				row := exact(t, got)
				if s.Encoding == JSONSchema {
					row = row.(map[string]any)["payload"]
				}
				if !reflect.DeepEqual(row, exact(t, string(text))) {
					t.Errorf("%s, %s, %s: %s, want %s", deletes, name, op, got, text)
				}
			}
		}
	}
	if want := 4 * (4 + 3); compared != want {
		t.Errorf("%d records were compared, want %d", compared, want)
	}
}

// exact parses JSON with numbers as text.
func exact(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// Every member that the profile has may be added, and is then what the envelope shows: as a field, and as a header as text.
func TestEveryMemberOfTheEnvelopeCanBeAdded(t *testing.T) {
	v := customers()
	ev := streamed(v, change.Update, anne(), anne())
	ev.Transaction.User, ev.Built = "O\"NEIL\U0001F600", 1700000001123456789
	ev.Aside = &change.Aside{Redo: "update \"T\" set \"A\" = 'x\\y'"}
	for _, p := range profiles() {
		s := debeziumSettings()
		s.Profile, s.Redo, s.Transactions = p, p.has(redoText), true
		_, envelope := rendered(t, table(t, s, v), ev)
		whole := exact(t, envelope).(map[string]any)
		s.Flat = &Flat{Deletes: DeleteTombstone, Fields: p.addable(), Headers: p.addable()}
		_, got := rendered(t, table(t, s, v), ev)
		row := exact(t, got).(map[string]any)
		headers := map[string]change.Header{}
		list, _ := Headers(s)(nil, nil, ev)
		for _, h := range list {
			headers[h.Key] = h
		}
		for _, path := range p.addable() {
			block, member, in := strings.Cut(path, ".")
			want := whole[path]
			if in {
				want = whole[block].(map[string]any)[member]
			}
			name := "__" + strings.ReplaceAll(path, ".", "_")
			if path == "source.snapshot" && p.Name == "debezium" {
				want = nil // reference 3.2: the record has null, and its schema's default is not taken along
			}
			if !reflect.DeepEqual(row[name], want) {
				t.Errorf("%s: field %s is %v, want %v", p.Name, name, row[name], want)
			}
			h, there := headers[name]
			if text := fmt.Sprint(want); !there || want == nil && h.Value != nil || want != nil && string(h.Value) != text {
				t.Errorf("%s: header %s is %q, want %s", p.Name, name, h.Value, text)
			}
		}
	}
}

// Names without a block, and names of the user's.
func TestNamesOfAddedFields(t *testing.T) {
	v := customers()
	s := flatSettings(DeleteDropped, "op:ACTION", "scn", "ts_ms", "source.ts_ms", "total_order", "transaction.id:tx")
	s.Transactions = true
	_, got := rendered(t, table(t, s, v), brief(v, change.Create, nil, anne()))
	_, got, _ = strings.Cut(got, `"BALANCE":"+x4=",`)
	same(t, "added", got, `"__ACTION":"c","__scn":"2122185","__ts_ms":1700000001123,"__source_ts_ms":1700000000000,"__total_order":1,"__tx":"02000a0037030000"}`)
}

// A tombstone in the place of a delete says with headers what happened.
func TestHeadersOfAFlatTombstone(t *testing.T) {
	v := customers()
	s := flatSettings(DeleteTombstone)
	s.ContextHeaders, s.Flat.Headers = false, []string{"op", "source.scn", "commit_ts_ms:at", "start_scn"}
	grave := brief(v, change.Delete, anne(), nil)
	grave.Kind = change.Tombstone
	var b bytes.Buffer
	list, _ := Headers(s)(nil, nil, grave)
	for _, h := range list {
		fmt.Fprintf(&b, "%s=%s/%t ", h.Key, h.Value, h.Value == nil)
	}
	same(t, "headers", b.String(), "__op=d/false __source_scn=2122185/false __at=/true __start_scn=/true ")
	if list, _ := Headers(s)(nil, nil, &change.Event{Kind: change.Heartbeat}); len(list) > 0 {
		t.Errorf("a heartbeat has %v", list)
	}
}

func TestFlatSettingsThatMakeNoSenseAreRefused(t *testing.T) {
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Flat.Deletes = "ignore" }, "one of tombstone, drop, rewrite"},
		{func(s *Settings) { s.Tombstones = false }, "set flat.deletes to rewrite or drop"},
		{func(s *Settings) { s.Flat.Fields = []string{"nonsense"} }, "profile debezium has no \"nonsense\"; it has op, ts_ms"},
		{func(s *Settings) { s.Flat.Headers = []string{"source.pdb"} }, "flat.add_headers: profile debezium has no"},
		{func(s *Settings) { s.Flat.Fields = []string{"before.ID"} }, "has no"},
		{func(s *Settings) { s.Flat.Fields = []string{"source"} }, "has no"},
		{func(s *Settings) { s.Flat.Fields = []string{"op", "op"} }, "there twice"},
		{func(s *Settings) { s.Flat.Fields = []string{"op:deleted"} }, "there twice"},
		{func(s *Settings) { s.Flat.Fields = []string{"op:a b"} }, "letters, digits"},
		{func(s *Settings) { s.Flat.Fields = []string{"id"} }, "needs emit.transactions"},
		{func(s *Settings) { s.Flat.Headers = []string{"redo_sql"} }, "needs records.redo_sql"},
	} {
		s := flatSettings(DeleteTombstone)
		c.change(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v gives %v, want %s", *s.Flat, err, c.want)
		}
	}
	s := flatSettings(DeleteTombstone)
	s.Profile, s.Flat.Fields = CDC(), []string{"id", "pdb"} // profile cdc always has the block
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
}

func TestTablesThatCannotBeFlatAreRefused(t *testing.T) {
	for _, c := range []struct {
		deletes Deletes
		column  string
		key     schema.KeyOrigin
		code    stop.Code
		do      string
	}{
		{DeleteTombstone, "__op", schema.KeyPrimary, stop.NameCollision, "member:NAME"},
		{DeleteRewritten, "__deleted", schema.KeyPrimary, stop.NameCollision, "records.flat.deletes"},
		{DeleteTombstone, "X", schema.KeyNone, stop.Configuration, "key.columns"},
	} {
		v := customers()
		v.Columns[1].Name, v.Key.Origin = c.column, c.key
		if c.key == schema.KeyNone {
			v.Key.Columns = nil
		}
		_, err := NewTable(flatSettings(c.deletes, "op"), v.Seal())
		if fault, ok := stop.As(err); !ok || fault.Code != c.code || !strings.Contains(fault.Error(), c.do) {
			t.Errorf("%s: %v, want code %v that says %s", c.column, err, c.code, c.do)
		}
	}
	v := customers()
	v.Columns[1].Name = "__deleted"
	if _, err := NewTable(flatSettings(DeleteDropped), v.Seal()); err != nil {
		t.Errorf("nothing else has the name: %v", err)
	}
	if _, err := table(t, flatSettings(DeleteDropped), customers()).AppendValue(nil, brief(customers(), change.Truncate, nil, nil)); err == nil {
		t.Error("a truncate was rendered as a row")
	}
}
