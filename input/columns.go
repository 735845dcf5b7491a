package input

import (
	"fmt"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

func columnsField() *service.ConfigField {
	return service.NewObjectField(ocFieldColumns,
		service.NewStringListField(ocFieldExclude).
			Description("Columns that are never read: patterns that match the whole name `PDB.OWNER.TABLE.COLUMN`; one that matches `OWNER.TABLE.COLUMN` counts too. Their values are in no record, memory buffer, log or error; a row that cannot be read is not quoted where a pattern may match its table, judged from the table's name. A column that is added later and matches is excluded from its first row. A column of the record key cannot be excluded (CDC-3001).").
			Example([]any{`FREEPDB1\.APP\.CUSTOMERS\.(NI_NUMBER|DOB)`}).Default([]any{}).LintRule(patternList(ocFieldExclude)),
		service.NewStringListField(ocFieldInclude).
			Description("Keep only these columns, of all captured tables; the columns of a table's key stay. Not together with `exclude`.").
			Default([]any{}).LintRule(patternList(ocFieldInclude)).Advanced(),
	).Description("Columns of the captured tables.")
}

func keyField() *service.ConfigField {
	return service.NewObjectField(ocFieldKey,
		service.NewAnyMapField(ocFieldColumns).
			Description("Key columns by table, in the listed order: `\"[PDB.]OWNER.TABLE\": [COLUMN, …]`. They go before the primary key. The table needs supplemental logging of all columns, since an old row must have its key. Rows with equal keys replace each other in a compacted topic.").
			Example(map[string]any{"APP.ORDER_LINES": []any{"ORDER_ID", "LINE_NO"}}).Default(map[string]any{}).
			LintRule(`root = if this.type() == "object" { this.key_values().filter(e -> e.value.type() != "array" || e.value.length() == 0 || e.value.any(c -> c.type() != "string" || c == "") || !e.key.contains(".")).map_each(e -> "key.columns: " + e.key + ": needs a table as OWNER.TABLE or PDB.OWNER.TABLE, and a list of column names") }`),
		enumField(ocFieldKeyMissing, "fail", "fail", "rowid", "none").
			Description("What a table without a primary key and without a unique index over NOT NULL columns does. `fail`: it is refused by name. `rowid`: the key is the row's ROWID, in the field `ROWID`; a row that moves gets a new key. `none`: it is captured, and its records have no key; a delete has no tombstone, a topic of more than one partition does not keep the order of one row's changes, and a compacted topic refuses them."),
	).Description("Keys of records.")
}

func (p *parser) columns() *naming.Columns {
	c, err := naming.NewColumns(p.list(ocFieldColumns, ocFieldInclude), p.list(ocFieldColumns, ocFieldExclude), p.yes(ocFieldCaseSensitive))
	if err != nil && p.err == nil {
		p.err = err
	}
	return c
}

// keys reads key.columns, a map of lists, which the runtime has no field for.
func (p *parser) keys() *naming.Keys {
	byTable := map[string][]string{}
	for table, list := range field(p, p.conf.FieldAnyMap, []string{ocFieldKey, ocFieldColumns}) {
		columns, err := list.FieldStringList()
		if err != nil && p.err == nil {
			p.err = fmt.Errorf("key.columns: %s: %w", table, err)
		}
		byTable[table] = columns
	}
	k, err := naming.NewKeys(byTable, p.yes(ocFieldCaseSensitive))
	if err != nil && p.err == nil {
		p.err = err
	}
	return k
}
