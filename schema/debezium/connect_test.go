package debezium

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// withStatus is the table of section 17, whose STATUS has DEFAULT 'NEW'.
func withStatus() *schema.Version {
	v := customers()
	text := "'NEW'"
	v.Columns[2].Default = &text
	return v
}

// literalDefault stands for decode.Default, which this package may not import.
func literalDefault(c *schema.Column) (value.Value, bool) {
	if c.Default == nil || !strings.HasPrefix(*c.Default, "'") {
		return value.Value{}, false
	}
	return value.OfText(strings.Trim(*c.Default, "'")), true
}

// Acceptance list, item 1, with schemas.
func TestRecordsWithSchemasEqualTheGoldenStrings(t *testing.T) {
	v := withStatus()
	s := debeziumSettings()
	s.Encoding, s.Default = JSONSchema, literalDefault
	key, val := rendered(t, table(t, s, v), brief(v, change.Create, nil, anne()))
	same(t, "key", key, reference(t, "key_schema"))
	same(t, "create", val, reference(t, "create_schema"))
	_, val = rendered(t, table(t, s, v), brief(v, change.Truncate, nil, nil))
	open, _, _ := strings.Cut(reference(t, "create_schema"), `"payload":`)
	same(t, "truncate", val, open+`"payload":`+reference(t, "truncate")+"}")
}

func TestKeyAndValueHaveTheirOwnEncodings(t *testing.T) {
	v := withStatus()
	for _, c := range []struct{ value, key, wantValue, wantKey string }{
		{"json", "", "create", ""},
		{"json", "json_schema", "create", "key_schema"},
		{"json_schema", "json", "create_schema", ""},
		{"json_schema", "json_schema", "create_schema", "key_schema"},
	} {
		s := debeziumSettings()
		s.Encoding, s.KeyEncoding, s.Default = Encoding(c.value), Encoding(c.key), literalDefault
		key, val := rendered(t, table(t, s, v), brief(v, change.Create, nil, anne()))
		wantKey := `{"ID":1004}`
		if c.wantKey != "" {
			wantKey = reference(t, c.wantKey)
		}
		same(t, "key", key, wantKey)
		same(t, "value", val, reference(t, c.wantValue))
	}
}

// Reference debezium-format 17.5.
func TestSchemasOfSemanticTypesAreConnects(t *testing.T) {
	all := Debezium()
	structured := all.temporals[StructuredTimes]
	of := func(st style) connect { return (&shape{form: st.form, semantic: st.semantic}).schema() }
	kind := func(f form, width int) connect { return (&shape{form: f, width: width}).schema() }
	types := connect{typ: "struct", name: "types.Value", fields: []connectField{
		{"vsd", (&shape{form: variableDecimal, semantic: variableScaleName}).schema()},
		{"dec", (&shape{form: scaledDecimal, semantic: decimalName, precision: 38}).schema()},
		{"ts", of(adaptive().coarse)},
		{"mts", of(adaptive().middle)},
		{"nts", of(adaptive().fine)},
		{"zts", of(adaptive().zoned)},
		{"its", of(all.temporals[ISOTimes].coarse)},
		{"md", of(all.intervals[NumericIntervals])},
		{"iv", of(all.intervals[TextIntervals])},
		{"cts", of(all.temporals[ConnectTimes].fine)},
		{"xml", (&shape{form: plainText, semantic: xmlName}).schema()},
		{"json", required("string").named("io.debezium.data.Json")},
		{"raw", kind(rawBytes, 0)},
		{"f", kind(float32Form, 0)},
		{"d", kind(float64Form, 0)},
		{"i8", kind(integer, 2)},
		{"i16", kind(integer, 3)},
		{"i64", kind(integer, 10)},
		{"bool", required("boolean")},
		{"st", of(structured.coarse)},
		{"szt", of(structured.zoned)},
		{"sd", of(structured.interval)},
	}}
	for i := range types.fields {
		types.fields[i].optional = true
	}
	got, err := types.appendTo(nil, "")
	if err != nil {
		t.Fatal(err)
	}
	want, _, _ := strings.Cut(strings.TrimPrefix(reference(t, "types_schema"), `{"schema":`), `,"payload":`)
	same(t, "types.Value", string(got), want)
}

// schemaRow is the schema of a column in the row struct: of all modes, or of one.
type schemaRow struct {
	name string
	typ  schema.Type
	// mode is empty for the defaults.
	mode     func(*Settings)
	profiles string
	want     string
}

func schemaRows() []schemaRow {
	none := schema.NoNumber
	const optionalText = `{"type":"string","optional":true,"field":"CA"}`
	decimals := func(m Decimals) func(*Settings) { return func(s *Settings) { s.Decimals = m } }
	temporals := func(m Temporals) func(*Settings) { return func(s *Settings) { s.Temporals = m } }
	intervals := func(m Intervals) func(*Settings) { return func(s *Settings) { s.Intervals = m } }
	binary := func(m Binary) func(*Settings) { return func(s *Settings) { s.Binary = m } }
	decimal := func(precision, scale string) string {
		return `{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"` + scale +
			`","connect.decimal.precision":"` + precision + `"},"field":"CA"}`
	}
	plain := func(typ string) string { return `{"type":"` + typ + `","optional":true,"field":"CA"}` }
	named := func(typ, name string) string {
		return `{"type":"` + typ + `","optional":true,"name":"` + name + `","version":1,"field":"CA"}`
	}
	const variable = `{"type":"struct","fields":[{"type":"int32","optional":false,"field":"scale"},{"type":"bytes","optional":false,"field":"value"}],` +
		`"optional":true,"name":"io.debezium.data.VariableScaleDecimal","version":1,"doc":"Variable scaled decimal","field":"CA"}`
	const calendar = `{"type":"struct","fields":[{"type":"int32","optional":true,"field":"year"},{"type":"int8","optional":true,"field":"month"},` +
		`{"type":"int8","optional":true,"field":"day"},{"type":"int8","optional":true,"field":"hour"},{"type":"int8","optional":true,"field":"minute"},` +
		`{"type":"int8","optional":true,"field":"second"},{"type":"int32","optional":true,"field":"nanos"},`
	const special = `{"type":"string","optional":true,"field":"specialValue"},{"type":"int32","optional":true,"field":"precision"}],"optional":true,"name":"`
	const parts = `{"type":"struct","fields":[{"type":"int32","optional":true,"field":"years"},{"type":"int32","optional":true,"field":"months"},` +
		`{"type":"int32","optional":true,"field":"days"},{"type":"int32","optional":true,"field":"hours"},{"type":"int32","optional":true,"field":"minutes"},` +
		`{"type":"int64","optional":true,"field":"seconds"},{"type":"int32","optional":true,"field":"nanos"},{"type":"int32","optional":true,"field":"precision"}],` +
		`"optional":true,"name":"io.debezium.time.StructuredDuration","version":1,"field":"CA"}`
	stamp := func(digits int) schema.Type { return typed(schema.Timestamp, "TIMESTAMP", digits) }
	date, zoned := typed(schema.Date, "DATE", none), typed(schema.TimestampTZ, "TIMESTAMP(6) WITH TIME ZONE", 6)
	utc := typed(schema.TimestampLTZ, "TIMESTAMP(6) WITH LOCAL TIME ZONE", 6)
	months, span := typed(schema.IntervalYM, "INTERVAL YEAR(2) TO MONTH", 0), typed(schema.IntervalDS, "INTERVAL DAY(2) TO SECOND(6)", 6)
	float := schema.Type{Kind: schema.Float, Name: "FLOAT", Precision: 126, Scale: none}
	raw := typed(schema.Raw, "RAW", none)
	const both, cdc, deb = "cdc debezium", "cdc", "debezium"
	return []schemaRow{
		{"VARCHAR2", varchar(), nil, both, optionalText},
		{"NVARCHAR2", typed(schema.NVarchar2, "NVARCHAR2", none), nil, both, optionalText},
		{"CHAR", typed(schema.Char, "CHAR", none), nil, both, optionalText},
		{"NCHAR", typed(schema.NChar, "NCHAR", none), nil, both, optionalText},
		{"ROWID", typed(schema.RowID, "ROWID", none), nil, both, optionalText},
		{"CLOB", typed(schema.CLOB, "CLOB", none), nil, both, optionalText},
		{"NCLOB", typed(schema.NCLOB, "NCLOB", none), nil, both, optionalText},
		{"XMLTYPE", typed(schema.XMLType, "XMLTYPE", none), nil, cdc, optionalText},
		{"XMLTYPE", typed(schema.XMLType, "XMLTYPE", none), nil, deb, named("string", "io.debezium.data.Xml")},
		{"BLOB", typed(schema.BLOB, "BLOB", none), nil, both, plain("bytes")},
		{"RAW", raw, nil, both, plain("bytes")},
		{"RAW", raw, binary(Base64Text), both, optionalText},
		{"RAW", raw, binary(Base64URLText), both, optionalText},
		{"RAW", raw, binary(HexText), both, optionalText},
		{"BINARY_FLOAT", typed(schema.BinaryFloat, "BINARY_FLOAT", none), nil, both, plain("float")},
		{"BINARY_DOUBLE", typed(schema.BinaryDouble, "BINARY_DOUBLE", none), nil, both, plain("double")},
		{"NUMBER(1)", number(1, 0), nil, both, plain("int8")},
		{"NUMBER(2)", number(2, 0), nil, both, plain("int8")},
		{"NUMBER(3)", number(3, 0), nil, both, plain("int16")},
		{"NUMBER(4)", number(4, 0), nil, both, plain("int16")},
		{"NUMBER(5)", number(5, 0), nil, both, plain("int32")},
		{"NUMBER(9)", number(9, 0), nil, both, plain("int32")},
		{"NUMBER(10)", number(10, 0), nil, both, plain("int64")},
		{"NUMBER(18)", number(18, 0), nil, both, plain("int64")},
		{"NUMBER(19)", number(19, 0), nil, both, decimal("19", "0")},
		{"INTEGER", number(none, 0), nil, both, decimal("38", "0")},
		{"NUMBER(12,2)", number(12, 2), nil, both, decimal("12", "2")},
		{"NUMBER(*,2)", number(none, 2), nil, both, decimal("38", "2")},
		{"NUMBER(1,-1)", number(1, -1), nil, both, plain("int8")},
		{"NUMBER(2,-2)", number(2, -2), nil, both, plain("int16")},
		{"NUMBER(8,-1)", number(8, -1), nil, both, plain("int32")},
		{"NUMBER(16,-2)", number(16, -2), nil, both, plain("int64")},
		{"NUMBER(36,-2)", number(36, -2), nil, both, decimal("36", "-2")},
		{"NUMBER", number(none, none), nil, both, variable},
		{"FLOAT", float, nil, both, variable},
		{"NUMBER(9)", number(9, 0), decimals(TextDecimals), both, optionalText},
		{"NUMBER(12,2)", number(12, 2), decimals(TextDecimals), both, optionalText},
		{"NUMBER", number(none, none), decimals(TextDecimals), both, optionalText},
		{"FLOAT", float, decimals(TextDecimals), both, optionalText},
		{"NUMBER(8,-1)", number(8, -1), decimals(TextDecimals), cdc, optionalText},
		{"NUMBER(8,-1)", number(8, -1), decimals(TextDecimals), deb, plain("int32")},
		{"NUMBER(36,-2)", number(36, -2), decimals(TextDecimals), both, optionalText},
		{"NUMBER(9)", number(9, 0), decimals(DoubleDecimals), both, plain("double")},
		{"NUMBER", number(none, none), decimals(DoubleDecimals), both, plain("double")},
		{"NUMBER(8,-1)", number(8, -1), decimals(DoubleDecimals), deb, plain("int32")},
		{"DATE", date, nil, both, named("int64", "io.debezium.time.Timestamp")},
		{"TIMESTAMP(3)", stamp(3), nil, both, named("int64", "io.debezium.time.Timestamp")},
		{"TIMESTAMP(6)", stamp(6), nil, both, named("int64", "io.debezium.time.MicroTimestamp")},
		{"TIMESTAMP(9)", stamp(9), nil, both, named("int64", "io.debezium.time.NanoTimestamp")},
		{"zoned", zoned, nil, both, named("string", "io.debezium.time.ZonedTimestamp")},
		{"local zone", utc, nil, both, named("string", "io.debezium.time.ZonedTimestamp")},
		{"DATE", date, temporals(LocalISOTimes), cdc, optionalText},
		{"TIMESTAMP(9)", stamp(9), temporals(LocalISOTimes), cdc, optionalText},
		{"zoned", zoned, temporals(LocalISOTimes), cdc, optionalText},
		{"local zone", utc, temporals(LocalISOTimes), cdc, optionalText},
		{"months", months, temporals(LocalISOTimes), cdc, named("string", "io.debezium.time.Interval")},
		{"DATE", date, temporals(ConnectTimes), deb, named("int64", "org.apache.kafka.connect.data.Timestamp")},
		{"TIMESTAMP(9)", stamp(9), temporals(ConnectTimes), deb, named("int64", "org.apache.kafka.connect.data.Timestamp")},
		{"DATE", date, temporals(MicrosecondTimes), deb, named("int64", "io.debezium.time.MicroTimestamp")},
		{"TIMESTAMP(9)", stamp(9), temporals(MicrosecondTimes), deb, named("int64", "io.debezium.time.MicroTimestamp")},
		{"DATE", date, temporals(NanosecondTimes), deb, named("int64", "io.debezium.time.NanoTimestamp")},
		{"TIMESTAMP(0)", stamp(0), temporals(NanosecondTimes), deb, named("int64", "io.debezium.time.NanoTimestamp")},
		{"DATE", date, temporals(ISOTimes), deb, named("string", "io.debezium.time.IsoTimestamp")},
		{"zoned", zoned, temporals(ISOTimes), deb, named("string", "io.debezium.time.ZonedTimestamp")},
		{"local zone", utc, temporals(ConnectTimes), deb, named("string", "io.debezium.time.ZonedTimestamp")},
		{"TIMESTAMP(6)", stamp(6), temporals(StructuredTimes), deb, calendar + special + `io.debezium.time.StructuredTimestamp","version":1,"field":"CA"}`},
		{"zoned", zoned, temporals(StructuredTimes), deb, calendar +
			`{"type":"int32","optional":true,"field":"offsetSeconds"},{"type":"string","optional":true,"field":"zoneId"},` + special +
			`io.debezium.time.StructuredZonedTimestamp","version":1,"field":"CA"}`},
		{"months", months, temporals(StructuredTimes), deb, parts},
		{"span", span, temporals(StructuredTimes), deb, parts},
		{"months", months, nil, cdc, named("double", "io.debezium.time.MicroDuration")},
		{"span", span, nil, cdc, named("double", "io.debezium.time.MicroDuration")},
		{"months", months, nil, deb, named("int64", "io.debezium.time.MicroDuration")},
		{"span", span, nil, deb, named("int64", "io.debezium.time.MicroDuration")},
		{"span", span, intervals(TextIntervals), both, named("string", "io.debezium.time.Interval")},
	}
}

func TestSchemaOfEveryTypeInEveryMode(t *testing.T) {
	for _, r := range schemaRows() {
		for name := range strings.FieldsSeq(r.profiles) {
			s := settings()
			s.Profile, _ = ProfileOf(name)
			s.Encoding, s.LOBs = JSONSchema, LOBsInline
			if r.mode != nil {
				r.mode(&s)
			}
			v := versionOf(r.typ)
			_, val := rendered(t, table(t, s, v), streamed(v, change.Create, nil, []value.Value{value.OfNull()}))
			row := `{"type":"struct","fields":[` + r.want + `],"optional":true,"name":`
			if n := strings.Count(val, row); n != 2 {
				t.Errorf("%s, profile %s, %s: %d times %s in %s", r.name, name, s.Temporals, n, r.want, val)
			}
		}
	}
}

// Every payload of json_schema is the record of json.
func TestPayloadIsTheRecordWithoutItsSchema(t *testing.T) {
	for _, p := range profiles() {
		for _, rows := range [][]modeRow{decimalRows(), temporalRows(), intervalRows(), binaryRows()} {
			for _, r := range rows {
				v := versionOf(r.typ)
				plain := settings()
				plain.Profile = p
				with := plain
				with.Encoding = JSONSchema
				ev := streamed(v, change.Create, nil, []value.Value{r.value})
				_, bare := rendered(t, table(t, plain, v), ev)
				_, wrapped := rendered(t, table(t, with, v), ev)
				_, payload, _ := strings.Cut(wrapped, `,"payload":`)
				same(t, r.name, payload, bare+"}")
				if !json.Valid([]byte(wrapped)) {
					t.Errorf("%s: %s", r.name, wrapped)
				}
			}
		}
	}
}

// Seed 001 "Value" and "Source block", member by member.
func TestSchemaOfProfileCDC(t *testing.T) {
	v := withStatus()
	s := settings()
	s.Encoding, s.Default = JSONSchema, literalDefault
	key, val := rendered(t, table(t, s, v), streamed(v, change.Create, nil, anne()))
	same(t, "key", key, `{"schema":{"type":"struct","fields":[{"type":"int32","optional":false,"field":"ID"}],"optional":false,`+
		`"name":"server1.ORCLPDB1.INVENTORY.CUSTOMERS.Key"},"payload":{"ID":1004}}`)
	row := `{"type":"struct","fields":[{"type":"int32","optional":true,"field":"ID"},{"type":"string","optional":true,"field":"NAME"},` +
		`{"type":"string","optional":true,"field":"STATUS"},{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,` +
		`"parameters":{"scale":"2","connect.decimal.precision":"12"},"field":"BALANCE"}],"optional":true,"name":"server1.ORCLPDB1.INVENTORY.CUSTOMERS.Value","field":`
	opt := func(typ, name string) string { return `{"type":"` + typ + `","optional":true,"field":"` + name + `"}` }
	req := func(typ, name string) string { return `{"type":"` + typ + `","optional":false,"field":"` + name + `"}` }
	source := strings.Join([]string{
		req("string", "version"), req("string", "connector"), req("string", "name"), req("int64", "ts_ms"), req("string", "snapshot"), req("string", "db"),
		opt("string", "sequence"), req("string", "schema"), req("string", "table"), opt("string", "txId"), opt("string", "scn"), opt("string", "commit_scn"),
		opt("string", "rs_id"), opt("int64", "ssn"), opt("int32", "redo_thread"), opt("string", "user_name"), opt("string", "row_id"), opt("string", "pdb"),
		opt("string", "reselect"),
	}, ",")
	want := `{"schema":{"type":"struct","fields":[` + row + `"before"},` + row + `"after"},{"type":"struct","fields":[` + source +
		`],"optional":false,"name":"io.debezium.connector.oracle.Source","version":1,"field":"source"},` + req("string", "op") + "," + opt("int64", "ts_ms") + "," +
		opt("int64", "ts_us") + "," + opt("int64", "ts_ns") + `,{"type":"struct","fields":[` + req("string", "id") + "," + req("int64", "total_order") + "," +
		req("int64", "data_collection_order") + `],"optional":true,"name":"event.block","version":1,"field":"transaction"}],"optional":false,` +
		`"name":"server1.ORCLPDB1.INVENTORY.CUSTOMERS.Envelope","version":1},"payload":{"before":null,`
	same(t, "envelope", val[:min(len(val), len(want))], want)
	byRowID := customers()
	byRowID.Key = schema.Key{Origin: schema.KeyRowID}
	key, _ = rendered(t, table(t, s, byRowID), streamed(byRowID, change.Create, nil, anne()))
	same(t, "ROWID key", key, `{"schema":{"type":"struct","fields":[{"type":"string","optional":false,"field":"ROWID"}],"optional":false,`+
		`"name":"server1.ORCLPDB1.INVENTORY.CUSTOMERS.Key"},"payload":{"ROWID":"AAASNsAAEAAAAFfAAA"}}`)
}

// Acceptance list, item 8; off in both profiles unless it is asked for.
func TestNullIsTheDefaultOnlyWhenAskedFor(t *testing.T) {
	v := withStatus()
	row := anne()
	row[2] = value.OfNull()
	for _, p := range profiles() {
		s := debeziumSettings()
		s.Profile, s.Default = p, literalDefault
		_, val := rendered(t, table(t, s, v), brief(v, change.Create, nil, row))
		if !strings.Contains(val, `"STATUS":null`) {
			t.Errorf("%s: %s", p.Name, val)
		}
		s.NullAsDefault = true
		tab := table(t, s, v)
		if _, val = rendered(t, tab, brief(v, change.Create, nil, row)); !strings.Contains(val, `"STATUS":"NEW"`) {
			t.Errorf("%s with null_as_default: %s", p.Name, val)
		}
		// What the redo does not hold is not NULL, and NULL in another column has no default.
		row[1], row[2] = value.OfNull(), value.Value{}
		if _, val = rendered(t, tab, brief(v, change.Create, nil, row)); !strings.Contains(val, `"NAME":null,"STATUS":null`) {
			t.Errorf("%s with null_as_default, absent: %s", p.Name, val)
		}
		row = anne()
		row[2] = value.OfNull()
	}
	// A key is never replaced: NULL and the default are different rows.
	keyed := withStatus()
	keyed.Key = schema.Key{Origin: schema.KeyUnique, Columns: []int{0, 2}}
	s := debeziumSettings()
	s.Default, s.NullAsDefault = literalDefault, true
	if key, _ := rendered(t, table(t, s, keyed), brief(keyed, change.Create, nil, row)); key != `{"ID":1004,"STATUS":null}` {
		t.Errorf("key %s", key)
	}
}

// A required field without a value would be a record that its own schema refuses; Debezium writes a fallback value there.
func TestRequiredFieldWithoutAValueStopsWhereTheRecordHasItsSchema(t *testing.T) {
	v := versionOf(number(9, 0), varchar())
	v.Columns[0].Nullable, v.Columns[1].Nullable = false, false
	for _, missing := range []value.Value{{}, value.OfNull(), value.OfUnavailable()} {
		for _, c := range []struct {
			profile  *Profile
			encoding Encoding
			stops    bool
		}{{CDC(), JSON, false}, {CDC(), JSONSchema, false}, {Debezium(), JSON, false}, {Debezium(), JSONSchema, true}} {
			s := settings()
			s.Profile, s.Encoding = c.profile, c.encoding
			out, err := table(t, s, v).AppendValue(nil, streamed(v, change.Delete, []value.Value{missing, value.OfText("x")}, nil))
			if stop.Is(err, stop.Undecodable) != c.stops || err == nil && !strings.Contains(string(out), `"CA":null`) {
				t.Errorf("kind %d, profile %s, %s: %s, %v", missing.Kind(), c.profile.Name, c.encoding, out, err)
			}
		}
	}
	s := settings()
	s.Profile, s.Encoding = Debezium(), JSONSchema
	row := []value.Value{value.OfDecimal("1"), value.OfUnavailable()}
	out, err := table(t, s, v).AppendValue(nil, streamed(v, change.Delete, row, nil))
	if err != nil || !strings.Contains(string(out), `"CB":"__debezium_unavailable_value"`) {
		t.Errorf("text has a placeholder: %s, %v", out, err)
	}
}

func TestNamesAreAdjustedInSchemasKeysRowsAndHeaders(t *testing.T) {
	v := versionOf(number(9, 0), number(9, 0))
	v.Table = schema.Table{PDB: "P1", Owner: "APP", Name: "1ST#"}
	v.Columns[0].Name, v.Columns[1].Name = "ID#", "A B"
	v.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	v.Seal()
	for _, c := range []struct {
		profile *Profile
		mode    naming.Adjustment
		want    []string
	}{
		{CDC(), naming.Unadjusted, []string{`"name":"my-cdc.P1.APP.1ST#.Value"`, `"ID#":1,"A B":null`}},
		{CDC(), naming.Avro, []string{`"name":"my_cdc.P1.APP._1ST_.Value"`, `"name":"my_cdc.P1.APP._1ST_.Envelope"`, `"field":"A_B"`, `"ID_":1,"A_B":null`}},
		{CDC(), naming.AvroUnicode, []string{`"name":"my_u002dcdc.P1.APP._u0031ST_u0023.Value"`, `"ID_u0023":1,"A_u0020B":null`}},
		{Debezium(), naming.Avro, []string{`"name":"my_cdc.APP.1ST_.Value"`, `"ID_":1,"A_B":null`}},
		{Debezium(), naming.AvroUnicode, []string{`"name":"my_u002dcdc.APP.1ST_u005f.Value"`, `"ID_u0023":1,"A_u0020B":null`}},
	} {
		s := settings()
		s.Profile, s.Encoding, s.Server, s.Topic, s.SchemaNames, s.FieldNames = c.profile, JSONSchema, "my-cdc", "my-cdc.APP.1ST_", c.mode, c.mode
		ev := streamed(v, change.Create, nil, []value.Value{value.OfDecimal("1"), {}})
		key, val := rendered(t, table(t, s, v), ev)
		for _, want := range c.want {
			if !strings.Contains(val, want) {
				t.Errorf("%s %s: %s has no %s", c.profile.Name, c.mode, val, want)
			}
		}
		for _, fixed := range []string{`"io.debezium.connector.oracle.Source"`, `"event.block"`, `"data_collection_order"`, `"table":"1ST#"`} {
			if !strings.Contains(val, fixed) {
				t.Errorf("%s %s: %s lost %s", c.profile.Name, c.mode, val, fixed)
			}
		}
		adjuster := naming.Adjuster{Adjustment: c.mode, Whole: c.profile.Name == "debezium"}
		if name := adjuster.Field("ID#"); !strings.Contains(key, `"field":"`+name+`"`) || !strings.HasSuffix(key, `{"`+name+`":1}}`) {
			t.Errorf("%s %s: key %s", c.profile.Name, c.mode, key)
		}
		if text := headerLines(s, ev); !strings.Contains(text, `cdc.unavailable ["`+adjuster.Field("A B")+`"]`) {
			t.Errorf("%s %s: %s", c.profile.Name, c.mode, text)
		}
	}
}

// Seed 001: two columns that would become one field stop with CDC-6004.
func TestColumnsThatBecomeOneFieldAreRefused(t *testing.T) {
	v := versionOf(varchar(), varchar())
	v.Columns[0].Name, v.Columns[1].Name = "AMOUNT$", "AMOUNT_"
	v.Seal()
	for mode, collides := range map[naming.Adjustment]bool{"": false, naming.Unadjusted: false, naming.Avro: true, naming.AvroUnicode: false} {
		for _, p := range profiles() {
			s := settings()
			s.Profile, s.FieldNames = p, mode
			_, err := NewTable(s, v)
			if stop.Is(err, stop.NameCollision) != collides || (err != nil) != collides {
				t.Errorf("%s %s: %v", p.Name, mode, err)
			}
			if collides && (!strings.Contains(err.Error(), "AMOUNT$ and AMOUNT_") || !strings.Contains(err.Error(), "APP.T")) {
				t.Errorf("%v names neither the columns nor the table", err)
			}
		}
	}
}

func TestSchemasAreOnlyInTheirNamesTexts(t *testing.T) {
	v := versionOf(varchar())
	v.Columns[0].Name = `q"uo\te`
	v.Table.Name = `T"1`
	s := settings()
	s.Encoding = JSONSchema
	_, val := rendered(t, table(t, s, v.Seal()), streamed(v, change.Create, nil, []value.Value{value.OfText("x")}))
	if !json.Valid([]byte(val)) || !strings.Contains(val, `"field":"q\"uo\\te"`) || !strings.Contains(val, `"name":"server1.APP.T\"1.Value"`) {
		t.Error(val)
	}
}

// Reference debezium-format 13: the schema says what was done to the values, and a mask does not let the default through.
func TestSchemaTellsOfMasksAndTruncations(t *testing.T) {
	v := versionOf(varchar(), varchar(), typed(schema.Raw, "RAW", schema.NoNumber))
	text := "'secret'"
	v.Columns[0].Default = &text
	s := debeziumSettings()
	s.Encoding, s.Default, s.NullAsDefault = JSONSchema, literalDefault, true
	s.Masks = []Mask{{Match: pattern(t, "APP.T.CA"), Characters: 3}}
	s.Truncations = []Truncation{{Match: pattern(t, "APP.T.C[BC]"), Length: 2}}
	_, val := rendered(t, table(t, s, v), streamed(v, change.Create, nil, []value.Value{value.OfNull(), value.OfText("long"), value.OfBytes("long")}))
	for _, want := range []string{
		`{"type":"string","optional":true,"parameters":{"masked":"true"},"field":"CA"},{"type":"string","optional":true,` +
			`"parameters":{"truncateLength":"2"},"field":"CB"},{"type":"bytes","optional":true,"parameters":{"truncateLength":"2"},"field":"CC"}]`,
		`"after":{"CA":"***","CB":"lo","CC":"bG8="}`,
	} {
		if !strings.Contains(val, want) {
			t.Errorf("%s has no %s", val, want)
		}
	}
	if strings.Contains(val, "secret") {
		t.Error(val)
	}
}

// Reference debezium-format 17.3.
func TestBoundariesWithSchemasEqualTheGoldenStrings(t *testing.T) {
	s := debeziumSettings()
	s.Encoding = JSONSchema
	b := NewBoundaries(s)
	tx := &change.Transaction{ID: position.XID{USN: 2, Slot: 10, Sequence: 823}, CommitMillis: 1, Count: 2}
	same(t, "key", string(b.AppendKey(nil, tx)), reference(t, "transaction_key_schema"))
	end, err := b.AppendEnd(nil, tx, []Collection{{Table: schema.Table{PDB: "ORCLPDB1", Owner: "INVENTORY", Name: "CUSTOMERS"}, Count: 2}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "END", string(end), reference(t, "transaction_end_schema"))
	open, _, _ := strings.Cut(reference(t, "transaction_end_schema"), `"payload":`)
	same(t, "BEGIN", string(b.AppendBegin(nil, tx, 7)), open+
		`"payload":{"status":"BEGIN","id":"02000a0037030000","event_count":null,"data_collections":null,"ts_ms":7}}`)
}
