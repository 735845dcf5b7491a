package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// Constraints and the indexes behind them, which have the constraint's name (reference logminer I).
func (s *Set) addKeys() {
	s.dict["CONSTRAINTS"] = family{
		columns: columns(str("OWNER", 128), str("CONSTRAINT_NAME", 128), str("CONSTRAINT_TYPE", 1), str("TABLE_NAME", 128),
			str("R_OWNER", 128), str("R_CONSTRAINT_NAME", 128), str("DELETE_RULE", 9), str("STATUS", 8), str("DEFERRABLE", 14), str("DEFERRED", 9),
			str("VALIDATED", 13), str("GENERATED", 14), str("RELY", 4), day("LAST_CHANGE"), str("INDEX_OWNER", 128), str("INDEX_NAME", 128)),
		rows: func(c catalog.Container) []row {
			return s.perKey(c, func(t *catalog.Table, k key) []row {
				return []row{{
					text(t.Owner), text(k.Name), text(k.kind), text(t.Name),
					null, null, null, text("ENABLED"), text("NOT DEFERRABLE"), text("IMMEDIATE"),
					text("VALIDATED"), text("USER NAME"), null, s.date(t.LastDDL), text(t.Owner), text(k.Name),
				}}
			})
		},
	}
	s.dict["CONS_COLUMNS"] = family{
		columns: columns(str("OWNER", 128), str("CONSTRAINT_NAME", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 4000), num("POSITION")),
		rows: func(c catalog.Container) []row {
			return s.perKey(c, func(t *catalog.Table, k key) []row {
				var list []row
				for i, column := range k.Columns {
					list = append(list, row{text(t.Owner), text(k.Name), text(t.Name), text(t.Columns[column].Name), integer(i + 1)})
				}
				return list
			})
		},
	}
	s.dict["INDEXES"] = family{
		columns: columns(str("OWNER", 128), str("INDEX_NAME", 128), str("INDEX_TYPE", 27), str("TABLE_OWNER", 128), str("TABLE_NAME", 128),
			str("TABLE_TYPE", 11), str("UNIQUENESS", 9), str("TABLESPACE_NAME", 30), str("STATUS", 8), str("PARTITIONED", 3), str("TEMPORARY", 1),
			str("GENERATED", 1), str("VISIBILITY", 9), str("FUNCIDX_STATUS", 8), str("DROPPED", 3)),
		rows: func(c catalog.Container) []row {
			return s.perKey(c, func(t *catalog.Table, k key) []row {
				return []row{{
					text(t.Owner), text(k.Name), text("NORMAL"), text(t.Owner), text(t.Name),
					text("TABLE"), text("UNIQUE"), text("USERS"), text("VALID"), text("NO"), text("N"),
					text("N"), text("VISIBLE"), null, text("NO"),
				}}
			})
		},
	}
	// The owner is named INDEX_OWNER here, and USER_IND_COLUMNS has none.
	s.dict["IND_COLUMNS"] = family{
		columns: columns(str("INDEX_OWNER", 128), str("INDEX_NAME", 128), str("TABLE_OWNER", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 4000),
			num("COLUMN_POSITION"), num("COLUMN_LENGTH"), num("CHAR_LENGTH"), str("DESCEND", 4)),
		rows: func(c catalog.Container) []row {
			return s.perKey(c, func(t *catalog.Table, k key) []row {
				var list []row
				for i, column := range k.Columns {
					d := describe(&t.Columns[column].Type)
					list = append(list, row{
						text(t.Owner), text(k.Name), text(t.Owner), text(t.Name), text(t.Columns[column].Name),
						integer(i + 1), integer(d.length), integer(d.characters), text("ASC"),
					})
				}
				return list
			})
		},
	}
}

// key is a constraint with its CONSTRAINT_TYPE.
type key struct {
	catalog.Constraint
	kind string
}

func (s *Set) perKey(c catalog.Container, rows func(*catalog.Table, key) []row) []row {
	var list []row
	for _, t := range s.config.Database.Tables(c.ID) {
		if t.PrimaryKey != nil {
			list = append(list, rows(t, key{*t.PrimaryKey, "P"})...)
		}
		for _, u := range t.Unique {
			list = append(list, rows(t, key{u, "U"})...)
		}
	}
	return list
}
