package debezium

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// defining is the event of a DDL with the place of section 17's events.
func defining(def *change.Definition) *change.Event {
	ev := brief(nil, 0, nil, nil)
	ev.Kind, ev.Op, ev.Built, ev.TableOrder = change.SchemaChange, 0, 1700000000123456789, 0
	ev.Aside = &change.Aside{Definition: def}
	return ev
}

func definition(t *testing.T, s Settings, ev *change.Event) (key, val string) {
	t.Helper()
	d := NewDefinitions(s)
	k, err := d.AppendKey([]byte("+"), ev)
	if err != nil {
		t.Fatal(err)
	}
	v, err := d.AppendValue([]byte("+"), ev)
	if err != nil {
		t.Fatal(err)
	}
	return string(k[1:]), string(v[1:])
}

func created(v *schema.Version, text string) *change.Definition {
	return &change.Definition{Table: v.Table, Text: text, Tables: []change.TableDefinition{{Kind: change.TableCreated, Table: v.Table, Version: v}}}
}

// Reference debezium-format 17.4.
func TestSchemaChangeWithSchemasEqualsTheGoldenStrings(t *testing.T) {
	v := customers()
	v.Columns = v.Columns[:1]
	s := debeziumSettings()
	s.Encoding = JSONSchema
	key, val := definition(t, s, defining(created(v.Seal(), "CREATE TABLE ...")))
	same(t, "key", key, reference(t, "schema_change_key"))
	same(t, "value", val, reference(t, "schema_change_value"))
	s.KeyEncoding = JSON
	key, _ = definition(t, s, defining(created(v, "")))
	same(t, "key", key, `{"databaseName":"ORCLPDB1"}`)
}

// The worked example of reference debezium-format 11.3: two columns, one of them nullable with a scale.
func TestSchemaChangeEqualsTheWorkedExample(t *testing.T) {
	v := customers()
	v.Columns = []schema.Column{v.Columns[0], v.Columns[3]}
	ddl := `CREATE TABLE "INVENTORY"."CUSTOMERS" ("ID" NUMBER(9,0) NOT NULL ENABLE, "BALANCE" NUMBER(12,2), CONSTRAINT "PK" PRIMARY KEY ("ID"))`
	_, val := definition(t, debeziumSettings(), defining(created(v.Seal(), ddl)))
	_, rest, _ := strings.Cut(val, `},"ts_ms":`)
	same(t, "value", rest, `1700000000123,"databaseName":"ORCLPDB1","schemaName":"INVENTORY","ddl":"CREATE TABLE \"INVENTORY\".\"CUSTOMERS\" (\"ID\" NUMBER(9,0) NOT NULL ENABLE, \"BALANCE\" NUMBER(12,2), CONSTRAINT \"PK\" PRIMARY KEY (\"ID\"))","tableChanges":[{"type":"CREATE","id":"\"ORCLPDB1\".\"INVENTORY\".\"CUSTOMERS\"","table":{"defaultCharsetName":null,"primaryKeyColumnNames":["ID"],"columns":[{"name":"ID","jdbcType":2,"nativeType":null,"typeName":"NUMBER","typeExpression":"NUMBER","charsetName":null,"length":9,"scale":0,"position":1,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null},{"name":"BALANCE","jdbcType":2,"nativeType":null,"typeName":"NUMBER","typeExpression":"NUMBER","charsetName":null,"length":12,"scale":2,"position":2,"optional":true,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":null,"enumValues":null}],"comment":null}}]}`)
}

// Reference debezium-format 11.3: the source block has both names of a table that was renamed, the id is the new one; a dropped table has
// no layout; a statement that changes no layout has no table.
func TestSchemaChangeOfRenameDropAndTruncate(t *testing.T) {
	v := customers()
	moved := v.Table
	moved.Name = "CLIENTS"
	_, val := definition(t, debeziumSettings(), defining(&change.Definition{
		Table: v.Table, Renamed: "CLIENTS", Text: "RENAME CUSTOMERS TO CLIENTS", Tables: []change.TableDefinition{{Kind: change.TableAltered, Table: moved, Version: v}},
	}))
	for _, want := range []string{`"table":"CUSTOMERS,CLIENTS"`, `"tableChanges":[{"type":"ALTER","id":"\"ORCLPDB1\".\"INVENTORY\".\"CLIENTS\"","table":{"def`} {
		if !strings.Contains(val, want) {
			t.Errorf("%s has no %s", val, want)
		}
	}
	_, val = definition(t, debeziumSettings(), defining(&change.Definition{
		Table: v.Table, Text: "DROP", Tables: []change.TableDefinition{{Kind: change.TableDropped, Table: v.Table}, {Kind: change.TableAltered, Table: moved, Version: v}},
	}))
	if !strings.Contains(val, `"tableChanges":[{"type":"DROP","id":"\"ORCLPDB1\".\"INVENTORY\".\"CUSTOMERS\"","table":null},{"type":"ALTER",`) {
		t.Error(val)
	}
	_, val = definition(t, debeziumSettings(), defining(&change.Definition{Table: v.Table, Text: "TRUNCATE TABLE CUSTOMERS"}))
	if !strings.HasSuffix(val, `"ddl":"TRUNCATE TABLE CUSTOMERS","tableChanges":[]}`) {
		t.Error(val)
	}
}

// Profile cdc has its own source block, and its own meaning of ts_ms: the commit time. A database without containers gives its name.
func TestSchemaChangeOfProfileCDC(t *testing.T) {
	v := customers()
	v.Columns, v.Table.PDB = v.Columns[:1], ""
	ev := defining(created(v.Seal(), "x"))
	ev.Transaction.CommitMillis = 1700000001000
	key, val := definition(t, settings(), ev)
	same(t, "key", key, fmt.Sprintf(`{"databaseName":%q}`, settings().Database))
	var got struct {
		Source struct {
			Connector, TxID, Schema, Table, SCN string
			PDB                                 *string
		}
		TS int64 `json:"ts_ms"`
	}
	if err := json.Unmarshal([]byte(val), &got); err != nil {
		t.Fatal(err)
	}
	if got.Source.Connector != "oracle-cdc" || got.Source.TxID != "2.10.823" || got.Source.PDB != nil || got.Source.Table != "CUSTOMERS" || got.TS != 1700000001000 {
		t.Errorf("%+v in %s", got, val)
	}
}

// Reference debezium-format 11.3, the list of jdbcType. Columns without a field in records are none of the table either.
func TestTypesInSchemaChanges(t *testing.T) {
	none := schema.NoNumber
	text, hidden := "'NEW'", schema.Column{Name: "H", Type: number(1, 0), Hidden: true}
	typed := func(kind schema.TypeKind, name string, length, characters, precision, scale int) schema.Type {
		return schema.Type{Kind: kind, Name: name, Length: length, CharLength: characters, Precision: precision, Scale: scale}
	}
	for _, c := range []struct {
		typ           schema.Type
		jdbc          int
		length, scale string
	}{
		{typed(schema.Number, "NUMBER", 22, 0, none, none), 2, "38", "null"},
		{typed(schema.Number, "NUMBER", 22, 0, none, 0), 2, "38", "0"},
		{typed(schema.Number, "NUMBER", 22, 0, 5, none), 2, "5", "0"},
		{typed(schema.Number, "NUMBER", 22, 0, 5, -2), 2, "5", "-2"},
		{typed(schema.Float, "FLOAT", 22, 0, 126, none), 6, "126", "null"},
		{typed(schema.BinaryFloat, "BINARY_FLOAT", 4, 0, none, none), 100, "null", "null"},
		{typed(schema.BinaryDouble, "BINARY_DOUBLE", 8, 0, none, none), 101, "null", "null"},
		{typed(schema.Char, "CHAR", 12, 3, none, none), 1, "3", "null"},
		{typed(schema.NChar, "NCHAR", 6, 3, none, none), -15, "3", "null"},
		{typed(schema.Varchar2, "VARCHAR2", 40, 10, none, none), 12, "10", "null"},
		{typed(schema.NVarchar2, "NVARCHAR2", 20, 10, none, none), -9, "10", "null"},
		{typed(schema.Raw, "RAW", 16, 0, none, none), -3, "16", "null"},
		{typed(schema.RowID, "ROWID", 10, 0, none, none), -8, "null", "null"},
		{typed(schema.Date, "DATE", 7, 0, none, none), 93, "null", "null"},
		{typed(schema.Timestamp, "TIMESTAMP(3)", 11, 0, none, 3), 93, "3", "null"},
		{typed(schema.TimestampTZ, "TIMESTAMP(6) WITH TIME ZONE", 13, 0, none, 6), -101, "6", "null"},
		{typed(schema.TimestampLTZ, "TIMESTAMP(6) WITH LOCAL TIME ZONE", 11, 0, none, 6), -102, "6", "null"},
		{typed(schema.IntervalYM, "INTERVAL YEAR(2) TO MONTH", 5, 0, 2, none), -103, "null", "null"},
		{typed(schema.IntervalDS, "INTERVAL DAY(2) TO SECOND(6)", 11, 0, 2, 6), -104, "null", "null"},
		{typed(schema.CLOB, "CLOB", 4000, 0, none, none), 2005, "null", "null"},
		{typed(schema.NCLOB, "NCLOB", 4000, 0, none, none), 2011, "null", "null"},
		{typed(schema.BLOB, "BLOB", 4000, 0, none, none), 2004, "null", "null"},
		{typed(schema.XMLType, "XMLTYPE", 2000, 0, none, none), 2009, "null", "null"},
	} {
		v := customers()
		v.Key, v.Columns = schema.Key{Origin: schema.KeyNone}, []schema.Column{hidden, {Name: "C", Type: c.typ, Default: &text}}
		_, val := definition(t, debeziumSettings(), defining(created(v.Seal(), "x")))
		_, got, _ := strings.Cut(val, `"primaryKeyColumnNames":`)
		same(t, c.typ.Name, got, fmt.Sprintf(`[],"columns":[{"name":"C","jdbcType":%d,"nativeType":null,"typeName":"%s","typeExpression":"%s","charsetName":null,`+
			`"length":%s,"scale":%s,"position":1,"optional":false,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":"'NEW'","enumValues":null}],"comment":null}}]}`,
			c.jdbc, c.typ.Name, c.typ.Name, c.length, c.scale))
	}
}

// The default of a masked column may be one of its values.
func TestSchemaChangeHidesTheDefaultOfAMaskedColumn(t *testing.T) {
	v := customers()
	text := "'hush'"
	v.Columns[2].Default = &text
	s := debeziumSettings()
	if _, val := definition(t, s, defining(created(v, "x"))); !strings.Contains(val, `"defaultValueExpression":"'hush'"`) {
		t.Error(val)
	}
	s.Masks = []Mask{{Match: pattern(t, "INVENTORY.CUSTOMERS.STATUS"), Characters: 3}}
	if _, val := definition(t, s, defining(created(v, "x"))); strings.Contains(val, "hush") {
		t.Error(val)
	}
}

func TestSchemaChangeThatIsNotUTF8IsATypedStopAndLeavesNothing(t *testing.T) {
	for what, change := range map[string]func(*schema.Version, *change.Definition){
		"ddl":    func(_ *schema.Version, d *change.Definition) { d.Text = "\xff" },
		"column": func(v *schema.Version, _ *change.Definition) { v.Columns[1].Name = "\xff" },
		"owner":  func(_ *schema.Version, d *change.Definition) { d.Table.Owner = "\xff" },
	} {
		v := customers()
		def := created(v, "x")
		change(v, def)
		got, err := NewDefinitions(debeziumSettings()).AppendValue([]byte("kept"), defining(def))
		if typed, ok := stop.As(err); !ok || typed.Code != stop.Undecodable || string(got) != "kept" {
			t.Errorf("%s: %q, %v", what, got, err)
		}
	}
	v := customers()
	def := created(v, "x")
	def.Table.PDB = "\xff"
	if got, err := NewDefinitions(debeziumSettings()).AppendKey([]byte("kept"), defining(def)); err == nil || string(got) != "kept" {
		t.Errorf("key: %q, %v", got, err)
	}
}

// Reference debezium-format 10: the headers that tell where a record was made, and none of a row's.
func TestHeadersOfASchemaChange(t *testing.T) {
	names := func(s Settings) string {
		headers, _ := Headers(s)(nil, nil, defining(created(customers(), "x")))
		var out []string
		for _, h := range headers {
			out = append(out, h.Key)
		}
		return strings.Join(out, " ")
	}
	s := debeziumSettings()
	s.Flat = &Flat{Deletes: DeleteTombstone, Headers: []string{"op"}}
	want := "__debezium.context.connectorLogicalName __debezium.context.taskId __debezium.context.connectorName __debezium.context.runId"
	if got := names(s); got != want {
		t.Errorf("debezium: %s", got)
	}
	if got := names(settings()); got != "" {
		t.Errorf("cdc: %s", got)
	}
}
