package oracle

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Exported gathers rows of the dictionary views that somebody exported with the queries of the documentation, and makes of them the same
// descriptions as Describe does of a database. Rows are told apart by their columns and may come in any order.
type Exported struct {
	tables   map[exportedTable]*tableFacts
	names    map[int]string
	database Database
	// grouped: rows of log groups were there.
	grouped bool
}

type exportedTable struct {
	container   int
	owner, name string
}

// NewExported makes an empty one.
func NewExported() *Exported {
	return &Exported{tables: map[exportedTable]*tableFacts{}, names: map[int]string{}}
}

// Add takes a row: its values by the names of their columns in upper case, empty for NULL.
func (e *Exported) Add(row map[string]string) error {
	if _, ok := row["VERSION_FULL"]; ok {
		e.database.Name, e.database.Release = row["DATABASE_NAME"], row["VERSION_FULL"]
		e.database.AllKeys = Text(row["SUPPLEMENTAL_LOG_DATA_PK"]).Yes()
		e.database.AllCol = Text(row["SUPPLEMENTAL_LOG_DATA_ALL"]).Yes()
		return nil
	}
	container, err := Text(row["CON_ID"]).Int()
	if err != nil {
		return fmt.Errorf("CON_ID: %w", err)
	}
	key := exportedTable{container, row["OWNER"], row["TABLE_NAME"]}
	if key.owner == "" || key.name == "" {
		return errors.New("a row without OWNER or TABLE_NAME")
	}
	f := e.tables[key]
	if f == nil {
		f = &tableFacts{}
		e.tables[key] = f
	}
	return e.add(f, container, row)
}

func (e *Exported) add(f *tableFacts, container int, row map[string]string) error {
	get := func(name string) Text { return Text(row[name]) }
	switch {
	case row["DATA_TYPE"] != "":
		if container != 0 && row["PDB_NAME"] != "" {
			e.names[container] = row["PDB_NAME"]
		}
		if row["COLUMN_NAME"] == "" || row["INTERNAL_COLUMN_ID"] == "" {
			return fmt.Errorf("a column of table %s.%s without COLUMN_NAME or INTERNAL_COLUMN_ID", row["OWNER"], row["TABLE_NAME"])
		}
		if slices.ContainsFunc(f.columns, func(c columnRow) bool { return c.Name == row["COLUMN_NAME"] }) {
			return fmt.Errorf("column %s of table %s.%s is there twice", row["COLUMN_NAME"], row["OWNER"], row["TABLE_NAME"])
		}
		return f.addColumn(&catalogColumn{
			name: get("COLUMN_NAME"), internalID: get("INTERNAL_COLUMN_ID"), segmentID: get("SEGMENT_COLUMN_ID"),
			dataType: get("DATA_TYPE"), typeOwner: get("DATA_TYPE_OWNER"), length: get("DATA_LENGTH"), chars: get("CHAR_LENGTH"),
			precision: get("DATA_PRECISION"), scale: get("DATA_SCALE"), nullable: get("NULLABLE"), hidden: get("HIDDEN_COLUMN"),
			virtual: get("VIRTUAL_COLUMN"), generated: get("USER_GENERATED"), identity: get("IDENTITY_COLUMN"),
		})
	case row["CONSTRAINT_NAME"] != "":
		f.primary = row["CONSTRAINT_NAME"]
		return f.addKey(f.primary, get("COLUMN_NAME"), get("POSITION"))
	case row["INDEX_NAME"] != "":
		name := indexName{row["INDEX_OWNER"], row["INDEX_NAME"]}
		if !slices.Contains(f.unique, name) {
			f.unique = append(f.unique, name)
		}
		return f.addKey(name.String(), get("COLUMN_NAME"), get("COLUMN_POSITION"))
	case row["LOG_GROUP_TYPE"] != "":
		e.grouped = true
		f.groups = append(f.groups, row["LOG_GROUP_TYPE"])
		return nil
	}
	return fmt.Errorf("a row of table %s.%s that has none of DATA_TYPE, CONSTRAINT_NAME, INDEX_NAME and LOG_GROUP_TYPE", row["OWNER"], row["TABLE_NAME"])
}

// Database gives what is known of the database.
func (e *Exported) Database() Database { return e.database }

// Describe gives the tables, with the keys that the rule chooses, in the order of container, owner and name. Where the export has nothing of supplemental logging they count as
// logged as assumed. Object ids are made up: rows of an export are found by name.
func (e *Exported) Describe(assumed schema.Logging, rule KeyRule) ([]Description, error) {
	keys := make([]exportedTable, 0, len(e.tables))
	for key := range e.tables {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b exportedTable) int {
		return cmp.Or(cmp.Compare(a.container, b.container), cmp.Compare(a.owner, b.owner), cmp.Compare(a.name, b.name))
	})
	out := make([]Description, 0, len(keys))
	for i, key := range keys {
		f := e.tables[key]
		table := schema.Table{PDB: e.names[key.container], Owner: key.owner, Name: key.name}
		if len(f.columns) == 0 {
			return nil, fmt.Errorf("table %s has rows, but no columns", table)
		}
		v := &schema.Version{
			Table: table, Container: key.container, Number: 1, Exact: true,
			Logging: assumed, ObjectIDs: []uint64{uint64(i) + 1}, Columns: f.sorted(),
		}
		if e.grouped || e.database.AllKeys || e.database.AllCol {
			v.Logging = logging(f.groups, e.database)
		}
		v.Seal()
		v.Key = f.key(v, rule)
		d := Description{Version: v}
		d.refuse(tableRow{owner: key.owner, name: key.name}, f.columns, cmp.Or(e.database.Release, "unknown"))
		out = append(out, d)
	}
	return out, nil
}
