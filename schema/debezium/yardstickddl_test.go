package debezium

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// Debezium's own classes make the same schema change records as profile debezium, byte for byte: its parser reads the statements, its
// serializer makes the record, and Connect's converter writes it, schemas included.
func TestDebeziumsOwnClassesMakeTheSameSchemaChanges(t *testing.T) {
	var names, lines, want []string
	s := debeziumSettings()
	s.ConnectorVersion, s.Encoding = yardstick, JSONSchema
	ask := func(name string, def *change.Definition, statements ...string) {
		t.Helper()
		line, err := json.Marshal(append(statements, def.Text))
		if err != nil {
			t.Fatal(err)
		}
		ev := defining(def)
		ev.TableOrder = 1 // its place in the transaction
		k, v := definition(t, s, ev)
		names, lines, want = append(names, name), append(lines, string(line)), append(want, k+"\t"+v)
	}
	column := func(name string, typ schema.Type, nullable bool) schema.Column {
		return schema.Column{Name: name, Type: typ, Nullable: nullable}
	}
	made := func(columns ...schema.Column) *schema.Version {
		v := customers()
		v.Columns, v.Key = append([]schema.Column{column("ID", number(9, 0), false)}, columns...), schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
		for i := range v.Columns {
			v.Columns[i].SegmentID = i + 1
		}
		return v.Seal()
	}
	const create = "CREATE TABLE CUSTOMERS (ID NUMBER(9) NOT NULL, "
	for _, c := range declaredTypes() {
		ask(c.ddl, created(made(column("X", c.typ, true)), create+"X "+c.ddl+", CONSTRAINT PK PRIMARY KEY (ID))"))
	}
	text := schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40, CharLength: 40, Precision: schema.NoNumber, Scale: schema.NoNumber}
	narrow := create + "V VARCHAR2(40), CONSTRAINT PK PRIMARY KEY (ID))"
	altered := func(text string, columns ...schema.Column) *change.Definition {
		def := created(made(columns...), text)
		def.Tables[0].Kind = change.TableAltered
		return def
	}
	three, late := "3", column("W", number(5, 0), true)
	late.Default = &three
	ask("ADD", altered("ALTER TABLE CUSTOMERS ADD (W NUMBER(5) DEFAULT 3)", column("V", text, true), late), narrow)
	ask("DROP COLUMN", altered("ALTER TABLE CUSTOMERS DROP COLUMN V"), narrow)
	ask("RENAME COLUMN", altered("ALTER TABLE CUSTOMERS RENAME COLUMN V TO W", column("W", text, true)), narrow)
	ask("MODIFY", altered("ALTER TABLE CUSTOMERS MODIFY (V NOT NULL)", column("V", text, false)), narrow)
	ask("a name that is quoted", altered(`ALTER TABLE CUSTOMERS ADD ("a B" NUMBER(5))`, column("V", text, true), column("a B", number(5, 0), true)), narrow)
	of := customers().Table
	ask("DROP TABLE", &change.Definition{Table: of, Text: "DROP TABLE CUSTOMERS", Tables: []change.TableDefinition{{Kind: change.TableDropped, Table: of}}}, narrow)
	ask("TRUNCATE", &change.Definition{Table: of, Text: "TRUNCATE TABLE CUSTOMERS"}, narrow)

	apart := map[string]string{
		"RAW(16)":                           "the parser has BINARY (-2), the dictionary that of VARBINARY (-3, reference 11.3), which is ours",
		"ROWID":                             "the parser takes it for text (12), the dictionary for ROWID (-8, reference 11.3), which is ours",
		"TIMESTAMP(3)":                      "the parser leaves the digits out of the type's name, the dictionary has them",
		"TIMESTAMP(6) WITH TIME ZONE":       "as above",
		"TIMESTAMP(6) WITH LOCAL TIME ZONE": "as above",
		"INTERVAL YEAR(2) TO MONTH":         "the parser leaves the digits out of the type's name and makes lengths of them",
		"INTERVAL DAY(2) TO SECOND(6)":      "as above",
	}
	for i, got := range java(t, "Definitions.java", lines) {
		// The converter writes what is in the struct; Debezium leaves snapshot out of streamed events (reference 1.3).
		got = strings.ReplaceAll(got, `"snapshot":null`, `"snapshot":"false"`)
		if why := apart[names[i]]; why != "" {
			if got == want[i] || strings.HasPrefix(got, "ERROR") {
				t.Errorf("%s is no different any more: %s\n%s", names[i], why, got)
			}
			continue
		}
		same(t, names[i]+" "+lines[i], got, want[i])
	}
	t.Logf("%d schema changes", len(lines))
}

type declaredType struct {
	ddl string
	typ schema.Type
}

// declaredTypes are types as a statement has them and as the dictionary describes them.
func declaredTypes() []declaredType {
	const none = schema.NoNumber
	typed := func(kind schema.TypeKind, name string, length, characters, precision, scale int) schema.Type {
		return schema.Type{Kind: kind, Name: name, Length: length, CharLength: characters, Precision: precision, Scale: scale}
	}
	return []declaredType{
		{"NUMBER", typed(schema.Number, "NUMBER", 22, 0, none, none)},
		{"NUMBER(*,0)", typed(schema.Number, "NUMBER", 22, 0, none, 0)},
		{"NUMBER(5)", typed(schema.Number, "NUMBER", 22, 0, 5, 0)},
		{"NUMBER(12,2)", typed(schema.Number, "NUMBER", 22, 0, 12, 2)},
		{"NUMBER(5,-2)", typed(schema.Number, "NUMBER", 22, 0, 5, -2)},
		{"FLOAT", typed(schema.Float, "FLOAT", 22, 0, 126, none)},
		{"FLOAT(63)", typed(schema.Float, "FLOAT", 22, 0, 63, none)},
		{"BINARY_FLOAT", typed(schema.BinaryFloat, "BINARY_FLOAT", 4, 0, none, none)},
		{"BINARY_DOUBLE", typed(schema.BinaryDouble, "BINARY_DOUBLE", 8, 0, none, none)},
		{"CHAR(3)", typed(schema.Char, "CHAR", 3, 3, none, none)},
		{"NCHAR(3)", typed(schema.NChar, "NCHAR", 6, 3, none, none)},
		{"VARCHAR2(10 CHAR)", typed(schema.Varchar2, "VARCHAR2", 40, 10, none, none)},
		{"NVARCHAR2(10)", typed(schema.NVarchar2, "NVARCHAR2", 20, 10, none, none)},
		{"RAW(16)", typed(schema.Raw, "RAW", 16, 0, none, none)},
		{"ROWID", typed(schema.RowID, "ROWID", 10, 0, none, none)},
		{"DATE", typed(schema.Date, "DATE", 7, 0, none, none)},
		{"TIMESTAMP(3)", typed(schema.Timestamp, "TIMESTAMP(3)", 11, 0, none, 3)},
		{"TIMESTAMP(6) WITH TIME ZONE", typed(schema.TimestampTZ, "TIMESTAMP(6) WITH TIME ZONE", 13, 0, none, 6)},
		{"TIMESTAMP(6) WITH LOCAL TIME ZONE", typed(schema.TimestampLTZ, "TIMESTAMP(6) WITH LOCAL TIME ZONE", 11, 0, none, 6)},
		{"INTERVAL YEAR(2) TO MONTH", typed(schema.IntervalYM, "INTERVAL YEAR(2) TO MONTH", 5, 0, 2, 0)},
		{"INTERVAL DAY(2) TO SECOND(6)", typed(schema.IntervalDS, "INTERVAL DAY(2) TO SECOND(6)", 11, 0, 2, 6)},
	}
}
