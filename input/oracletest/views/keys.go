package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Constraints and indexes; the index behind a key has its name (reference logminer I).
func (s *Set) addKeys() {
	s.dict["CONSTRAINTS"] = family{
		columns: columns(str("OWNER", 128), str("CONSTRAINT_NAME", 128), str("CONSTRAINT_TYPE", 1), str("TABLE_NAME", 128),
			str("SEARCH_CONDITION_VC", 4000), str("R_OWNER", 128), str("R_CONSTRAINT_NAME", 128), str("DELETE_RULE", 9), str("STATUS", 8),
			str("DEFERRABLE", 14), str("DEFERRED", 9), str("VALIDATED", 13), str("GENERATED", 14), str("RELY", 4), day("LAST_CHANGE"),
			str("INDEX_OWNER", 128), str("INDEX_NAME", 128)),
		rows: s.constraints,
	}
	s.dict["CONS_COLUMNS"] = family{
		columns: columns(str("OWNER", 128), str("CONSTRAINT_NAME", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 4000), num("POSITION")),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.config.Database.Tables(c.ID) {
				for _, k := range constraintsOf(t) {
					for i, column := range k.Columns {
						position := integer(i + 1)
						if k.kind == "C" {
							position = null
						}
						list = append(list, row{text(t.Owner), text(k.Name), text(t.Name), text(t.Columns[column].Name), position})
					}
				}
			}
			return list
		},
	}
	s.dict["INDEXES"] = family{
		columns: columns(str("OWNER", 128), str("INDEX_NAME", 128), str("INDEX_TYPE", 27), str("TABLE_OWNER", 128), str("TABLE_NAME", 128),
			str("TABLE_TYPE", 11), str("UNIQUENESS", 9), str("TABLESPACE_NAME", 30), str("STATUS", 8), str("PARTITIONED", 3), str("TEMPORARY", 1),
			str("GENERATED", 1), str("VISIBILITY", 9), str("FUNCIDX_STATUS", 8), str("DROPPED", 3)),
		rows: func(c catalog.Container) []row {
			return s.perIndex(c, func(t *catalog.Table, x index) []row {
				return []row{{
					text(x.Owner), text(x.Name), text("NORMAL"), text(t.Owner), text(t.Name),
					text("TABLE"), text(x.uniqueness), text("USERS"), text("VALID"), text("NO"), text("N"),
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
			return s.perIndex(c, func(t *catalog.Table, x index) []row {
				var list []row
				for i, column := range x.Columns {
					d := describe(&t.Columns[column].Type)
					list = append(list, row{
						text(x.Owner), text(x.Name), text(t.Owner), text(t.Name), text(t.Columns[column].Name),
						integer(i + 1), integer(d.length), integer(d.characters), text("ASC"),
					})
				}
				return list
			})
		},
	}
}

// constraint is one with its CONSTRAINT_TYPE, and what the kinds have of their own.
type constraint struct {
	catalog.Constraint
	kind      string
	condition string
	foreign   *catalog.ForeignKey
}

func constraintsOf(t *catalog.Table) []constraint {
	var list []constraint
	if t.PrimaryKey != nil {
		list = append(list, constraint{Constraint: *t.PrimaryKey, kind: "P"})
	}
	for _, u := range t.Unique {
		if !u.IndexOnly {
			list = append(list, constraint{Constraint: u, kind: "U"})
		}
	}
	for i := range t.ForeignKeys {
		list = append(list, constraint{Constraint: t.ForeignKeys[i].Constraint, kind: "R", foreign: &t.ForeignKeys[i]})
	}
	for _, c := range t.Checks {
		list = append(list, constraint{Constraint: c.Constraint, kind: "C", condition: c.Text})
	}
	return list
}

func (s *Set) constraints(c catalog.Container) []row {
	tables := s.config.Database.Tables(c.ID)
	owners := make(map[uint32]string, len(tables))
	for _, t := range tables {
		owners[t.ObjectID] = t.Owner
	}
	var list []row
	for _, t := range tables {
		for _, k := range constraintsOf(t) {
			status, generated := "ENABLED", "USER NAME"
			if k.Disabled {
				status = "DISABLED"
			}
			if k.Generated {
				generated = "GENERATED NAME"
			}
			parentOwner, parentKey, rule := null, null, null
			if f := k.foreign; f != nil {
				parentOwner, parentKey, rule = text(owners[f.Parent]), text(f.Key), text("NO ACTION")
				if f.OnDelete != "" {
					rule = text(f.OnDelete)
				}
			}
			indexOwner, indexName := keyIndex(t, &k)
			list = append(list, row{
				text(t.Owner), text(k.Name), text(k.kind), text(t.Name),
				text(first(k.condition, 4000)), parentOwner, parentKey, rule, text(status),
				text("NOT DEFERRABLE"), text("IMMEDIATE"), text("VALIDATED"), text(generated), null, s.date(t.LastDDL),
				indexOwner, indexName,
			})
		}
	}
	return list
}

// keyIndex names the index that enforces a key.
func keyIndex(t *catalog.Table, k *constraint) (owner, name datum.Datum) {
	if k.Disabled || k.kind != "P" && k.kind != "U" {
		return null, null
	}
	return text(t.Owner), text(k.Name)
}

// index is one with its UNIQUENESS.
type index struct {
	catalog.Index
	uniqueness string
}

func (s *Set) perIndex(c catalog.Container, rows func(*catalog.Table, index) []row) []row {
	var list []row
	for _, t := range s.config.Database.Tables(c.ID) {
		for _, k := range t.Keys() {
			list = append(list, rows(t, index{catalog.Index{Owner: t.Owner, Name: k.Name, Columns: k.Columns}, "UNIQUE"})...)
		}
		for _, x := range t.Indexes {
			list = append(list, rows(t, index{x, "NONUNIQUE"})...)
		}
	}
	return list
}
