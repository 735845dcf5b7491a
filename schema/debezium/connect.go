package debezium

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// Encoding is records.encoding and records.key_encoding.
type Encoding string

// Encodings.
const (
	// JSON is the value alone, JSONSchema the object of schema and payload that Connect's JSON converter writes.
	JSON       Encoding = "json"
	JSONSchema Encoding = "json_schema"
)

// connect is a Connect schema (reference debezium-format 1.2).
type connect struct {
	typ    string
	fields []connectField
	// items is the schema of an array's elements.
	items    *connect
	optional bool
	name     string
	version  int
	doc      string
	// parameters are names and values in turn.
	parameters []string
	// def is the default as JSON, empty without one.
	def string
}

type connectField struct {
	name string
	connect
}

func required(typ string) connect { return connect{typ: typ} }
func optional(typ string) connect { return connect{typ: typ, optional: true} }

// named gives a schema a name, which has a version then.
func (c connect) named(name string) connect {
	if name != "" {
		c.name, c.version = name, 1
	}
	return c
}

// appendTo writes the schema as Connect's JSON converter does; field is its name in a struct, empty outside one. The error is that a
// name is not UTF-8.
func (c *connect) appendTo(dst []byte, field string) ([]byte, error) {
	w := schemaWriter{dst: append(append(dst, `{"type":"`...), c.typ...)}
	w.dst = append(w.dst, '"')
	if c.fields != nil {
		w.dst = append(w.dst, `,"fields":[`...)
		for i := range c.fields {
			if i > 0 {
				w.dst = append(w.dst, ',')
			}
			w.schema(&c.fields[i].connect, c.fields[i].name)
		}
		w.dst = append(w.dst, ']')
	}
	if c.items != nil {
		w.dst = append(w.dst, `,"items":`...)
		w.schema(c.items, "")
	}
	w.dst = strconv.AppendBool(append(w.dst, `,"optional":`...), c.optional)
	w.text(`,"name":`, c.name)
	if c.version != 0 {
		w.dst = strconv.AppendInt(append(w.dst, `,"version":`...), int64(c.version), 10)
	}
	w.text(`,"doc":`, c.doc)
	separator := `,"parameters":{`
	for i := 0; i+1 < len(c.parameters); i += 2 {
		w.text(separator, c.parameters[i])
		w.text(":", c.parameters[i+1])
		separator = ","
	}
	if len(c.parameters) > 0 {
		w.dst = append(w.dst, '}')
	}
	if c.def != "" {
		w.dst = append(append(w.dst, `,"default":`...), c.def...)
	}
	w.text(`,"field":`, field)
	return append(w.dst, '}'), w.err
}

// schemaWriter keeps the first error.
type schemaWriter struct {
	dst []byte
	err error
}

// text writes a member, nothing where its text is empty.
func (w *schemaWriter) text(literal, s string) {
	if s == "" || w.err != nil {
		return
	}
	w.dst, w.err = appendText(append(w.dst, literal...), s)
}

func (w *schemaWriter) schema(c *connect, field string) {
	if w.err == nil {
		w.dst, w.err = c.appendTo(w.dst, field)
	}
}

// wrap gives what stands in front of a payload and behind it.
func (e Encoding) wrap(c *connect) (open, end string, err error) {
	if e != JSONSchema {
		return "", "", nil
	}
	text, err := c.appendTo([]byte(`{"schema":`), "")
	return string(append(text, `,"payload":`...)), "}", err
}

// schema gives the Connect schema of a form, required and without a default (reference debezium-format 5 and 6).
func (s *shape) schema() connect {
	switch s.form {
	case integer:
		return required(integerType(s.width))
	case scaledDecimal:
		precision := s.precision
		if precision == 0 {
			precision = greatestPrecision
		}
		c := required("bytes").named(s.semantic)
		c.parameters = []string{"scale", strconv.Itoa(s.scale), "connect.decimal.precision", strconv.Itoa(precision)}
		return c
	case variableDecimal:
		c := required("struct").named(s.semantic)
		c.doc = "Variable scaled decimal"
		c.fields = []connectField{{"scale", required("int32")}, {"value", required("bytes")}}
		return c
	case rawBytes:
		return required("bytes")
	case float32Form:
		return required("float")
	case float64Form, decimalDouble, floatMicros:
		return required("double").named(s.semantic)
	case epochMillis, epochMicros, epochNanos, integerMicros:
		return required("int64").named(s.semantic)
	case structuredTime, structuredZoned, structuredDuration:
		c := required("struct").named(s.semantic)
		c.fields = structuredFields(s.form)
		return c
	default:
		return required("string").named(s.semantic)
	}
}

// integerType: 1 to 2 digits, 3 to 4, 5 to 9, 10 to 18.
func integerType(width int) string {
	switch {
	case width < 3:
		return "int8"
	case width < 5:
		return "int16"
	case width < 10:
		return "int32"
	}
	return "int64"
}

func structuredFields(f form) []connectField {
	if f == structuredDuration {
		return []connectField{
			{"years", optional("int32")},
			{"months", optional("int32")},
			{"days", optional("int32")},
			{"hours", optional("int32")},
			{"minutes", optional("int32")},
			{"seconds", optional("int64")},
			{"nanos", optional("int32")},
			{"precision", optional("int32")},
		}
	}
	fields := []connectField{
		{"year", optional("int32")},
		{"month", optional("int8")},
		{"day", optional("int8")},
		{"hour", optional("int8")},
		{"minute", optional("int8")},
		{"second", optional("int8")},
		{"nanos", optional("int32")},
	}
	if f == structuredZoned {
		fields = append(fields, connectField{"offsetSeconds", optional("int32")}, connectField{"zoneId", optional("string")})
	}
	return append(fields, connectField{"specialValue", optional("string")}, connectField{"precision", optional("int32")})
}

// hasDefault reports whether a form can carry a default in its schema: structs cannot.
func (f form) hasDefault() bool {
	switch f {
	case variableDecimal, structuredTime, structuredZoned, structuredDuration:
		return false
	default:
		return true
	}
}

// rowSchema is the schema of a member of the row, with what masks and truncations add (reference debezium-format 13).
func (f *field) rowSchema() connect {
	sh := f.shape
	if f.treatment != nil {
		sh.form = f.treatment.form
	}
	c := sh.schema()
	switch f.form {
	case masked, hashed:
		c.parameters = append(c.parameters, "masked", "true")
	case truncated:
		c.parameters = append(c.parameters, "truncateLength", strconv.Itoa(f.treatment.length))
	default:
	}
	return c
}

// rowSchema is the struct of before and after.
func (t *Table) rowSchema(s *Settings, name string) connect {
	row := connect{typ: "struct", optional: true, name: name}
	for i := range t.row {
		f := &t.row[i]
		c := f.rowSchema()
		if column := &t.version.Columns[f.index]; s.propagates(t.version.Table, column.Name) {
			c.parameters = append(c.parameters, sourceParameters(column.Type)...)
		}
		c.optional = !f.required
		if s.Profile.columnDefaults {
			c.def = f.def
		}
		row.fields = append(row.fields, connectField{f.field, c})
	}
	return row
}

// keySchema is the struct of the key.
func (t *Table) keySchema(s *Settings, name string) connect {
	key := connect{typ: "struct", name: name}
	if t.rowIDKey {
		key.fields = []connectField{{rowIDField, required("string")}}
	}
	for i := range t.key {
		f := &t.key[i]
		c := f.shape.schema()
		c.optional = f.nullable
		if s.Profile.columnDefaults {
			c.def = f.def
		}
		key.fields = append(key.fields, connectField{f.field, c})
	}
	return key
}

// rowIDField is the member of a key that is the ROWID.
const rowIDField = "ROWID"

// envelopeSchema is the struct of the whole record.
func (t *Table) envelopeSchema(s *Settings, names naming.Schemas) connect {
	envelope := connect{typ: "struct", name: names.Envelope, version: s.Profile.envelopeVersion}
	for _, m := range s.Profile.envelope {
		c := m.schema
		switch m.from {
		case beforeImage, afterImage:
			c = t.rowSchema(s, names.Value)
		case sourceBlock:
			c = s.sourceSchema()
		default:
		}
		envelope.fields = append(envelope.fields, connectField{m.name, c})
	}
	return envelope
}

// sourceSchema is the struct of the source block.
func (s *Settings) sourceSchema() connect {
	c := required("struct").named("io.debezium.connector.oracle.Source")
	for _, m := range s.Profile.source {
		c.fields = append(c.fields, connectField{m.name, m.schema})
	}
	return c
}

// schemaNames gives the names of a table's schemas.
func (s *Settings) schemaNames(t schema.Table) naming.Schemas {
	names := naming.SchemasOf(s.Server, t)
	if s.Profile.wholeNames {
		names = naming.SchemasOfTopic(s.Topic)
	}
	return names.Adjusted(naming.Adjuster{Adjustment: s.SchemaNames, Whole: s.Profile.wholeNames})
}

// fieldName gives the name of the member that a column is.
func (s *Settings) fieldName(column string) string {
	return naming.Adjuster{Adjustment: s.FieldNames, Whole: s.Profile.wholeNames}.Field(column)
}

// eventBlock is the schema of the transaction block.
func eventBlock() connect {
	c := optional("struct").named("event.block")
	c.fields = []connectField{
		{"id", required("string")}, {"total_order", required("int64")}, {"data_collection_order", required("int64")},
	}
	return c
}

// snapshotEnum is Debezium's schema of source.snapshot.
func snapshotEnum() connect {
	c := optional("string").named("io.debezium.data.Enum")
	c.parameters = []string{"allowed", "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"}
	c.def = `"false"`
	return c
}

// wrapRecords puts the schemas around key and value, once for the version.
func (t *Table) wrapRecords(s *Settings, v *schema.Version) error {
	names := s.schemaNames(v.Table)
	t.keyOpen, t.keyClose = "{", "}"
	if t.keyed {
		c := t.keySchema(s, names.Key)
		open, end, err := s.keyEncoding().wrap(&c)
		if err != nil {
			return err
		}
		t.keyOpen, t.keyClose = open+t.keyOpen, t.keyClose+end
	}
	c := t.envelopeSchema(s, names)
	var err error
	if t.flat {
		if c, err = t.flatSchema(s, names.Value); err != nil {
			return err
		}
	}
	t.valueOpen, t.valueClose, err = s.Encoding.wrap(&c)
	return err
}

func (s *Settings) keyEncoding() Encoding {
	if s.KeyEncoding == "" {
		return s.Encoding
	}
	return s.KeyEncoding
}
