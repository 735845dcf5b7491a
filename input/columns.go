package input

import (
	"errors"
	"fmt"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

func columnsField() *service.ConfigField {
	return service.NewObjectField(ocFieldColumns,
		service.NewStringListField(ocFieldExclude).
			Description("Columns that are never read: patterns that match the whole name `PDB.OWNER.TABLE.COLUMN`; one that matches `OWNER.TABLE.COLUMN` counts too. Their values are in no record, memory buffer, log or error; a row that cannot be read is not quoted where a pattern may match its table, judged from the table's name. A column that is added later and matches is excluded from its first row. A column of the record key cannot be excluded (CDC-3001).").
			Example([]any{`FREEPDB1\.APP\.CUSTOMERS\.(NI_NUMBER|DOB)`}).Default([]any{}).LintRule(patternList(ocFieldColumns+"."+ocFieldExclude)),
		service.NewStringListField(ocFieldInclude).
			Description("Keep only these columns, of all captured tables; the columns of a table's key stay. Not together with `exclude`.").
			Default([]any{}).LintRule(patternList(ocFieldColumns+"."+ocFieldInclude)).Advanced(),
		service.NewObjectListField(ocFieldMask,
			service.NewStringField(ocFieldMatch).Description("Columns, by the whole name as in `exclude`.").LintRule(patternList(ocFieldColumns+"."+ocFieldMask+"."+ocFieldMatch)),
			service.NewStringField(ocFieldWith).Description("A text in the place of every value, NULL too.").Example("***").Default(""),
			service.NewIntField(ocFieldCharacters).Description("So many asterisks in the place of every value, NULL too.").Default(0),
			service.NewStringField(ocFieldHash).Description("A digest in the place of every value but NULL: "+listed(debezium.Digests())+". It is written in hexadecimal and cut to the length of the column.").Example("SHA-256").Default(""),
			service.NewStringField(ocFieldSalt).Description("Goes before the value into the digest.").Default("").Secret(),
			service.NewIntField(ocFieldVersion).Description("How the value goes into the digest: `2` as UTF-8, `1` as Java serialises it, as older versions of Debezium do.").Default(2),
		).Description("Text columns whose values are hidden, with one of `with`, `characters` and `hash`; of several entries that match the first counts. A column of another type is refused. Values are masked in rows, not in record keys, and what the pipeline stages in memory is not masked.").
			Default([]any{}).Advanced().LintRule(fmt.Sprintf(`root = if this.type() == "object" {
  [
    if [ this.with.or("") != "", this.characters.or(0) != 0, this.hash.or("") != "" ].filter(w -> w).length() != 1 { "columns.mask: one of with, characters and hash, not several and not none" },
    if this.characters.or(0) < 0 { "columns.mask: characters must be at least 1" },
    if this.hash.or("") != "" && !%s.contains(this.hash) { "columns.mask: hash must be one of %s" },
    if ![1, 2].contains(this.version.or(2)) { "columns.mask: version must be 1 or 2" }
  ].filter(e -> e != null)
}`, quoted(debezium.Digests()), listed(debezium.Digests()))),
		service.NewObjectListField(ocFieldTruncate,
			service.NewStringField(ocFieldMatch).Description("Columns, by the whole name as in `exclude`.").LintRule(patternList(ocFieldColumns+"."+ocFieldTruncate+"."+ocFieldMatch)),
			service.NewIntField(ocFieldLength).Description("The greatest length, in characters as Java counts them (one outside the BMP is two) or bytes.").
				LintRule(`root = if this < 1 { ["columns.truncate.length must be at least 1"] }`),
		).Description("Text and RAW columns whose values are cut in rows, not in record keys. Of several entries that match the first counts, and a mask goes before.").
			Default([]any{}).Advanced(),
		service.NewStringListField(ocFieldPropagateType).
			Description("Columns, by the whole name as in `exclude`, whose type, length and scale go into the parameters of their schemas as `__debezium.source.column.type`, `.length` and `.scale`, where they are known. With `records.encoding: json_schema`.").
			Default([]any{}).Advanced().LintRule(patternList(ocFieldColumns+"."+ocFieldPropagateType)),
	).Description("Columns of the captured tables.")
}

func keyField() *service.ConfigField {
	return service.NewObjectField(ocFieldKey,
		service.NewAnyMapField(ocFieldColumns).
			Description("Key columns by table, in the listed order: `\"[PDB.]OWNER.TABLE\": [COLUMN, …]`. They go before the primary key. The table needs supplemental logging of all columns, since an old row must have its key. Rows with equal keys replace each other in a compacted topic.").
			Example(map[string]any{"APP.ORDER_LINES": []any{"ORDER_ID", "LINE_NO"}}).Default(map[string]any{}).
			LintRule(`root = if this.type() == "object" { this.key_values().filter(e -> e.value.type() != "array" || e.value.length() == 0 || e.value.any(c -> c.type() != "string" || c == "") || !e.key.contains(".")).map_each(e -> "key.columns: " + e.key + ": needs a table as OWNER.TABLE or PDB.OWNER.TABLE, and a list of column names") }`),
		enumField(ocFieldKey+"."+ocFieldKeyMissing, "fail", "fail", "rowid", "none").
			Description("What a table without a primary key and without a unique index over NOT NULL columns (profile `debezium`: any unique index over plain columns, the first by name) does. `fail`: it is refused by name. `rowid`: the key is the row's ROWID, in the field `ROWID`; a row that moves gets a new key. `none`: it is captured, and its records have no key; a delete has no tombstone, a topic of more than one partition does not keep the order of one row's changes, and a compacted topic refuses them."),
	).Description("Keys of records.")
}

func (p *parser) columns() *naming.Columns {
	c, err := naming.NewColumns(p.list(ocFieldColumns, ocFieldInclude), p.list(ocFieldColumns, ocFieldExclude), p.yes(ocFieldCaseSensitive))
	if err != nil && p.err == nil {
		p.err = err
	}
	return c
}

// treat gives records the masks and truncations, and hides what is masked from what quotes rows.
func (p *parser) treat(s *debezium.Settings, hidden *naming.Columns) {
	fail := func(i int, name string, err error) {
		if err != nil && p.err == nil {
			p.err = fmt.Errorf("columns.%s, entry %d: %w", name, i+1, err)
		}
	}
	for i, conf := range field(p, p.conf.FieldObjectList, []string{ocFieldColumns, ocFieldMask}) {
		e := &parser{conf: conf}
		m := debezium.Mask{
			With: e.text(ocFieldWith), Characters: e.number(ocFieldCharacters), Hash: debezium.Digest(e.text(ocFieldHash)),
			Salt: e.text(ocFieldSalt), Version: e.number(ocFieldVersion),
		}
		var err error
		m.Match, err = naming.ParsePattern(e.text(ocFieldMatch), p.yes(ocFieldCaseSensitive))
		fail(i, ocFieldMask, errors.Join(e.err, err, m.Validate()))
		s.Masks = append(s.Masks, m)
		if p.err == nil {
			hidden.Hide(m.Match)
		}
	}
	for i, conf := range field(p, p.conf.FieldObjectList, []string{ocFieldColumns, ocFieldTruncate}) {
		e := &parser{conf: conf}
		cut := debezium.Truncation{Length: e.count(ocFieldLength)}
		var err error
		cut.Match, err = naming.ParsePattern(e.text(ocFieldMatch), p.yes(ocFieldCaseSensitive))
		fail(i, ocFieldTruncate, errors.Join(e.err, err))
		s.Truncations = append(s.Truncations, cut)
	}
}

// propagate gives records the columns whose types go into their schemas.
func (p *parser) propagate() []naming.Pattern {
	list := p.list(ocFieldColumns, ocFieldPropagateType)
	if len(list) == 0 {
		return nil
	}
	patterns, err := naming.ParsePatterns(list, p.yes(ocFieldCaseSensitive))
	switch {
	case p.err != nil:
	case err != nil:
		p.err = fmt.Errorf("columns.propagate_type: %w", err)
	case p.text(ocFieldRecords, ocFieldEncoding) == string(debezium.JSON):
		p.err = errors.New("columns.propagate_type needs records.encoding json_schema: without schemas there is no place for types")
	}
	return patterns
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
