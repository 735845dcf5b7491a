package change

import "github.com/oracle-cdc/redpanda-connect-oracle/schema"

// Definition is a DDL on captured tables, as consumers are told of it.
type Definition struct {
	// Table is what the statement is about, Renamed the name that it gave, empty where it gave none.
	Table   schema.Table
	Renamed string
	// Text is the statement as the redo has it.
	Text string
	// Tables says what became of tables. It is empty where no layout changed, as with TRUNCATE, and where nobody saw the layout, since
	// another DDL followed before the dictionary was read.
	Tables []TableDefinition
}

// DefinitionKind says what became of a table, by the text that records have.
type DefinitionKind string

// What becomes of tables. A table that is renamed is altered.
const (
	TableCreated DefinitionKind = "CREATE"
	TableAltered DefinitionKind = "ALTER"
	TableDropped DefinitionKind = "DROP"
)

// TableDefinition is a table behind a DDL.
type TableDefinition struct {
	Kind DefinitionKind
	// Table is its name from then on.
	Table schema.Table
	// Version has its layout, nil where it is gone.
	Version *schema.Version
}
