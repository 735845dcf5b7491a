package debezium

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Definitions renders the records that tell consumers of DDL: Debezium's SchemaChangeKey and SchemaChangeValue (reference
// debezium-format 11.3), with the source block of the profile. DDL is rare, so that nothing of it is prepared but the schemas.
type Definitions struct {
	settings Settings
	// time is the profile's origin of ts_ms.
	time origin
	// What stands around keys and values, empty without schemas.
	keyOpen, keyClose, valueOpen, valueClose string
}

// NewDefinitions prepares them.
func NewDefinitions(s Settings) *Definitions {
	s = s.withDefaults()
	d := &Definitions{settings: s, time: builtMillis}
	for _, m := range s.Profile.envelope {
		if m.name == "ts_ms" {
			d.time = m.from
		}
	}
	key, val := definitionKey(), s.definitionValue()
	// Their names are ours and UTF-8: there is no error.
	d.keyOpen, d.keyClose, _ = s.keyEncoding().wrap(&key)
	d.valueOpen, d.valueClose, _ = s.Encoding.wrap(&val)
	return d
}

func definitionKey() connect {
	c := required("struct").named("io.debezium.connector.oracle.SchemaChangeKey")
	c.fields = []connectField{{"databaseName", required("string")}}
	return c
}

func (s *Settings) definitionValue() connect {
	texts := required("string")
	enum, names := optional("array"), optional("array")
	enum.items, names.items = &texts, &texts
	column := required("struct").named("io.debezium.connector.schema.Column")
	column.fields = []connectField{
		{"name", required("string")},
		{"jdbcType", required("int32")},
		{"nativeType", optional("int32")},
		{"typeName", required("string")},
		{"typeExpression", optional("string")},
		{"charsetName", optional("string")},
		{"length", optional("int32")},
		{"scale", optional("int32")},
		{"position", required("int32")},
		{"optional", optional("boolean")},
		{"autoIncremented", optional("boolean")},
		{"generated", optional("boolean")},
		{"comment", optional("string")},
		{"defaultValueExpression", optional("string")},
		{"enumValues", enum},
	}
	columns := required("array")
	columns.items = &column
	table := optional("struct").named("io.debezium.connector.schema.Table")
	table.fields = []connectField{
		{"defaultCharsetName", optional("string")},
		{"primaryKeyColumnNames", names},
		{"columns", columns},
		{"comment", optional("string")},
	}
	item := required("struct").named("io.debezium.connector.schema.Change")
	item.fields = []connectField{{"type", required("string")}, {"id", required("string")}, {"table", table}}
	changes := required("array")
	changes.items = &item
	c := required("struct").named("io.debezium.connector.oracle.SchemaChangeValue")
	c.fields = []connectField{
		{"source", s.sourceSchema()},
		{"ts_ms", required("int64")},
		{"databaseName", optional("string")},
		{"schemaName", optional("string")},
		{"ddl", optional("string")},
		{"tableChanges", changes},
	}
	return c
}

// AppendKey appends the key of an event with a definition. The error is that a name is not UTF-8; dst is as before then.
func (d *Definitions) AppendKey(dst []byte, ev *change.Event) ([]byte, error) {
	w := definitionWriter{settings: &d.settings, dst: append(append(dst, d.keyOpen...), `{"databaseName":`...)}
	w.text(w.database(ev.Aside.Definition.Table))
	if w.err != nil {
		return dst, w.fault(ev.Aside.Definition)
	}
	return append(append(w.dst, '}'), d.keyClose...), nil
}

// AppendValue appends the value of an event with a definition. The error is that a text is not UTF-8; dst is as before then.
func (d *Definitions) AppendValue(dst []byte, ev *change.Event) ([]byte, error) {
	def := ev.Aside.Definition
	out, err := d.appendSource(append(append(dst, d.valueOpen...), `{"source":`...), ev)
	if err != nil {
		return dst, err
	}
	at := ev.Built / 1_000_000
	if d.time == commitMillis {
		at = recordMillis(ev)
	}
	w := definitionWriter{settings: &d.settings, dst: strconv.AppendInt(append(out, `,"ts_ms":`...), at, 10)}
	w.member(`,"databaseName":`, w.database(def.Table))
	w.member(`,"schemaName":`, def.Table.Owner)
	w.member(`,"ddl":`, def.Text)
	w.literal(`,"tableChanges":[`)
	for i := range def.Tables {
		if i > 0 {
			w.literal(",")
		}
		w.change(&def.Tables[i])
	}
	if w.err != nil {
		return dst, w.fault(def)
	}
	return append(append(w.dst, "]}"...), d.valueClose...), nil
}

// appendSource appends the source block; of a table that was renamed it has both names.
func (d *Definitions) appendSource(dst []byte, ev *change.Event) ([]byte, error) {
	def := ev.Aside.Definition
	named := def.Table
	if def.Renamed != "" {
		named.Name += "," + def.Renamed
	}
	c := &compiler{settings: d.settings, version: &schema.Version{Table: named}}
	if err := c.members(d.settings.Profile.source); err != nil {
		return dst, stop.Wrap(stop.Undecodable, err, def.Table.String(), "the schema change cannot be published")
	}
	t := &Table{object: def.Table.String(), marks: d.settings.Profile.marks}
	for i := range c.steps {
		var err error
		if dst, err = t.appendPart(append(dst, c.steps[i].literal...), ev, c.steps[i].emit, nil); err != nil {
			return dst, err
		}
	}
	return append(dst, c.literal...), nil
}

// definitionWriter keeps the first error.
type definitionWriter struct {
	settings *Settings
	dst      []byte
	err      error
}

func (w *definitionWriter) fault(def *change.Definition) error {
	return stop.Wrap(stop.Undecodable, w.err, def.Table.String(), "the schema change cannot be published")
}

func (w *definitionWriter) literal(s string) { w.dst = append(w.dst, s...) }

func (w *definitionWriter) text(s string) {
	if w.err == nil {
		w.dst, w.err = appendText(w.dst, s)
	}
}

func (w *definitionWriter) member(literal, s string) {
	w.literal(literal)
	w.text(s)
}

// database is the catalog: the PDB, or the database where there is none.
func (w *definitionWriter) database(t schema.Table) string {
	if t.PDB != "" {
		return t.PDB
	}
	return w.settings.Database
}

func (w *definitionWriter) change(c *change.TableDefinition) {
	w.member(`{"type":`, string(c.Kind))
	w.member(`,"id":`, `"`+w.database(c.Table)+`"."`+c.Table.Owner+`"."`+c.Table.Name+`"`)
	w.literal(`,"table":`)
	if c.Version == nil {
		w.literal("null}")
		return
	}
	w.literal(`{"defaultCharsetName":null,"primaryKeyColumnNames":[`)
	for n, i := range c.Version.Key.Columns {
		if n > 0 {
			w.literal(",")
		}
		w.text(c.Version.Columns[i].Name)
	}
	w.literal(`],"columns":[`)
	position := 0
	for i := range c.Version.Columns {
		if column := &c.Version.Columns[i]; column.Published() {
			if position++; position > 1 {
				w.literal(",")
			}
			w.column(column, position, w.settings.masks(c.Version.Table, column.Name))
		}
	}
	w.literal(`],"comment":null}}`)
}

// column appends a column; the default of one that is masked may be a value of it.
func (w *definitionWriter) column(c *schema.Column, position int, masked bool) {
	t := columnTypeOf(c.Type)
	w.member(`{"name":`, c.Name)
	w.number(`,"jdbcType":`, t.jdbc)
	w.member(`,"nativeType":null,"typeName":`, t.name)
	w.member(`,"typeExpression":`, t.name)
	w.literal(`,"charsetName":null`)
	w.number(`,"length":`, t.length)
	w.number(`,"scale":`, t.scale)
	w.number(`,"position":`, position)
	w.dst = strconv.AppendBool(append(w.dst, `,"optional":`...), c.Nullable)
	w.literal(`,"autoIncremented":false,"generated":false,"comment":null,"defaultValueExpression":`)
	if c.Default == nil || masked {
		w.literal("null")
	} else {
		w.text(*c.Default)
	}
	w.literal(`,"enumValues":null}`)
}

// number appends a member that is null where there is no number.
func (w *definitionWriter) number(literal string, n int) {
	w.literal(literal)
	if n == schema.NoNumber {
		w.literal("null")
		return
	}
	w.dst = strconv.AppendInt(w.dst, int64(n), 10)
}

// columnType is a column's type as Debezium's table model has it.
type columnType struct {
	// jdbc is the number of the type in java.sql.Types, or in Oracle's extension of them.
	jdbc int
	name string
	// length and scale are NoNumber where the model has none.
	length, scale int
}

// columnTypeOf is the one table of them (reference debezium-format 11.3).
func columnTypeOf(t schema.Type) columnType {
	c := columnType{jdbc: jdbcOther, name: t.Name, length: schema.NoNumber, scale: schema.NoNumber}
	switch t.Kind {
	case schema.Number:
		c.jdbc, c.length, c.scale = 2, t.Precision, t.Scale
		switch {
		case t.Precision == schema.NoNumber:
			c.length = greatestPrecision
		case t.Scale == schema.NoNumber:
			c.scale = 0
		}
	case schema.Float:
		c.jdbc, c.length = 6, t.Precision
	case schema.BinaryFloat:
		c.jdbc = 100
	case schema.BinaryDouble:
		c.jdbc = 101
	case schema.Char:
		c.jdbc, c.length = 1, charLength(t)
	case schema.NChar:
		c.jdbc, c.length = -15, charLength(t)
	case schema.Varchar2:
		c.jdbc, c.length = 12, charLength(t)
	case schema.NVarchar2:
		c.jdbc, c.length = -9, charLength(t)
	case schema.Raw:
		c.jdbc, c.length = -3, t.Length
	case schema.RowID:
		c.jdbc = -8
	case schema.Date:
		c.jdbc = 93
	case schema.Timestamp:
		c.jdbc, c.length = 93, fractionDigits(t)
	case schema.TimestampTZ:
		c.jdbc, c.length = -101, fractionDigits(t)
	case schema.TimestampLTZ:
		c.jdbc, c.length = -102, fractionDigits(t)
	case schema.IntervalYM:
		c.jdbc = -103
	case schema.IntervalDS:
		c.jdbc = -104
	case schema.CLOB:
		c.jdbc = 2005
	case schema.NCLOB:
		c.jdbc = 2011
	case schema.BLOB:
		c.jdbc = 2004
	case schema.XMLType:
		c.jdbc = 2009
	case schema.Unsupported, schema.Long, schema.LongRaw, schema.URowID:
	}
	return c
}

// jdbcOther is the number of types that the reference does not list.
const jdbcOther = 1111

// charLength is the length that the column was declared with, in characters.
func charLength(t schema.Type) int {
	if t.CharLength > 0 {
		return t.CharLength
	}
	return t.Length
}
