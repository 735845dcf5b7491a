package workload

import (
	"strings"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// Owner of the tables.
const Owner = "APP"

// Schema is the tables of one PDB: the same in each, so that names, keys and ids of objects and transactions repeat.
type Schema struct {
	PDB string
	// Orders has a key of one column, Items one of two.
	Orders, Items *ledger.Table
	// Accounts has no primary key but a unique index over columns that are NOT NULL, one of them a text.
	Accounts *ledger.Table
	// Measures, Notes and Visits have the number, character and time types.
	Measures, Notes, Visits *ledger.Table

	// gates are held for reading by whoever has changes of a table open, for writing by DDL.
	gates map[*ledger.Table]*sync.RWMutex
}

// NewSchema describes the tables in a PDB.
func NewSchema(pdb string) *Schema {
	s := &Schema{PDB: pdb, gates: map[*ledger.Table]*sync.RWMutex{}}
	for _, d := range definitions() {
		table := &ledger.Table{PDB: pdb, Owner: Owner, Name: d.name}
		for _, c := range d.columns {
			table.Columns = append(table.Columns, c.Column)
		}
		*d.place(s) = table
		s.gates[table] = &sync.RWMutex{}
	}
	return s
}

// Tables lists them.
func (s *Schema) Tables() []*ledger.Table {
	var tables []*ledger.Table
	for _, d := range definitions() {
		tables = append(tables, *d.place(s))
	}
	return tables
}

// Setup is the script that makes the tables, as SYSTEM at the root.
func (s *Schema) Setup() string {
	statements := []string{"ALTER SESSION SET CONTAINER = " + s.PDB}
	for _, d := range definitions() {
		var lines, key []string
		for _, c := range d.columns {
			line := "  " + c.Name + " " + c.declared
			if c.Key {
				line += " NOT NULL"
				key = append(key, c.Name)
			}
			lines = append(lines, line)
		}
		name := Owner + "." + d.name
		if !d.unique {
			lines = append(lines, "  CONSTRAINT "+d.name+"_PK PRIMARY KEY ("+strings.Join(key, ", ")+")")
		}
		statements = append(statements, "CREATE TABLE "+name+" (\n"+strings.Join(lines, ",\n")+"\n)")
		if d.unique {
			statements = append(statements, "CREATE UNIQUE INDEX "+name+"_UK ON "+name+" ("+strings.Join(key, ", ")+")")
		}
		statements = append(statements, "ALTER TABLE "+name+" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	}
	return strings.Join(statements, ";\n") + ";\n"
}

// definition is a table as it is declared.
type definition struct {
	name string
	// unique says that its key is that of a unique index.
	unique  bool
	place   func(*Schema) **ledger.Table
	columns []column
}

type column struct {
	declared string
	ledger.Column
}

func of(declared, name string, kind ledger.Kind, scale, size int) column {
	return column{declared: declared, Column: ledger.Column{Name: name, Kind: kind, Scale: scale, Size: size}}
}

func (c column) key() column {
	c.Key = true
	return c
}

func definitions() []definition {
	id := of("NUMBER(10)", "ID", ledger.Integer, 0, 10).key()
	tag := of("VARCHAR2(32)", ledger.TagColumn, ledger.Text, 0, 32)
	return []definition{
		{name: "ORDERS", place: func(s *Schema) **ledger.Table { return &s.Orders }, columns: []column{
			id,
			of("VARCHAR2(80)", "CUSTOMER", ledger.Text, 0, 80),
			of("CHAR(8)", "STATUS", ledger.Fixed, 0, 8),
			of("NUMBER(12,2)", "AMOUNT", ledger.Decimal, 2, 12),
			of("DATE", "PLACED", ledger.Date, 0, 0),
			of("TIMESTAMP(6)", "CHANGED", ledger.Timestamp, 6, 0),
			tag,
		}},
		{name: "ITEMS", place: func(s *Schema) **ledger.Table { return &s.Items }, columns: []column{
			of("NUMBER(10)", "ORDER_ID", ledger.Integer, 0, 10).key(),
			of("NUMBER(5)", "LINE", ledger.Integer, 0, 5).key(),
			of("VARCHAR2(80)", "SKU", ledger.Text, 0, 80),
			of("NUMBER(5)", "QTY", ledger.Integer, 0, 5),
			of("NUMBER", "WEIGHT", ledger.Variable, 0, 12),
			of("RAW(16)", "CHECKSUM", ledger.Raw, 0, 16),
			tag,
		}},
		{name: "ACCOUNTS", unique: true, place: func(s *Schema) **ledger.Table { return &s.Accounts }, columns: []column{
			of("VARCHAR2(40)", "CODE", ledger.Text, 0, 40).key(),
			of("NUMBER(3)", "REGION", ledger.Integer, 0, 3).key(),
			of("NUMBER(18)", "BALANCE", ledger.Integer, 0, 18),
			of("NVARCHAR2(60)", "HOLDER", ledger.Text, 0, 60),
			of("DATE", "OPENED", ledger.Date, 0, 0),
			tag,
		}},
		{name: "MEASURES", place: func(s *Schema) **ledger.Table { return &s.Measures }, columns: []column{
			id,
			of("NUMBER(5,-2)", "HUNDREDS", ledger.Integer, -2, 5),
			of("NUMBER(2,4)", "TINY", ledger.Decimal, 4, 2),
			of("NUMBER(38)", "HUGE", ledger.Decimal, 0, 38),
			of("NUMBER(30,10)", "EXACT", ledger.Decimal, 10, 30),
			of("NUMBER(*,2)", "MONEY", ledger.Decimal, 2, 30),
			of("INTEGER", "WHOLE", ledger.Decimal, 0, 30),
			of("NUMBER", "ANY_NUMBER", ledger.Variable, 0, 12),
			of("FLOAT", "A_FLOAT", ledger.Variable, 0, 9),
			of("FLOAT(63)", "A_REAL", ledger.Variable, 0, 9),
			of("BINARY_FLOAT", "SINGLE_BITS", ledger.Binary32, 0, 0),
			of("BINARY_DOUBLE", "DOUBLE_BITS", ledger.Binary64, 0, 0),
			tag,
		}},
		{name: "NOTES", place: func(s *Schema) **ledger.Table { return &s.Notes }, columns: []column{
			id,
			of("VARCHAR2(4000)", "BODY", ledger.Text, 0, 3000),
			of("VARCHAR2(40 CHAR)", "TITLE", ledger.Text, 0, 40),
			of("NVARCHAR2(60)", "NATIONAL", ledger.Text, 0, 60),
			of("CHAR(12 CHAR)", "PADDED", ledger.Fixed, 0, 12),
			of("NCHAR(12)", "NATIONAL_PADDED", ledger.Fixed, 0, 12),
			of("RAW(200)", "BYTES", ledger.Raw, 0, 200),
			tag,
		}},
		{name: "VISITS", place: func(s *Schema) **ledger.Table { return &s.Visits }, columns: []column{
			id,
			of("DATE", "A_DAY", ledger.Date, 0, 0),
			of("TIMESTAMP(0)", "T0", ledger.Timestamp, 0, 0),
			of("TIMESTAMP(1)", "T1", ledger.Timestamp, 1, 0),
			of("TIMESTAMP(3)", "T3", ledger.Timestamp, 3, 0),
			of("TIMESTAMP(4)", "T4", ledger.Timestamp, 4, 0),
			of("TIMESTAMP", "T6", ledger.Timestamp, 6, 0),
			of("TIMESTAMP(7)", "T7", ledger.Timestamp, 7, 0),
			of("TIMESTAMP(9)", "T9", ledger.Timestamp, 9, 0),
			of("TIMESTAMP(0) WITH TIME ZONE", "Z0", ledger.Zoned, 0, 0),
			of("TIMESTAMP(9) WITH TIME ZONE", "Z9", ledger.Zoned, 9, 0),
			of("TIMESTAMP(6) WITH LOCAL TIME ZONE", "L6", ledger.Local, 6, 0),
			of("INTERVAL YEAR(4) TO MONTH", "YEARS", ledger.Months, 0, 0),
			of("INTERVAL DAY(4) TO SECOND(6)", "DAYS", ledger.Micros, 0, 0),
			tag,
		}},
	}
}
