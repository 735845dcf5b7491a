package views

import (
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Tables and other objects (reference logminer I).
func (s *Set) addTables() {
	s.dict["TABLES"] = family{
		columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("TABLESPACE_NAME", 30), str("CLUSTER_NAME", 128), str("IOT_NAME", 128),
			str("STATUS", 8), num("NUM_ROWS"), num("BLOCKS"), str("PARTITIONED", 3), str("IOT_TYPE", 12), str("TEMPORARY", 1), str("SECONDARY", 1),
			str("NESTED", 3), str("ROW_MOVEMENT", 8), str("DEPENDENCIES", 8), str("COMPRESSION", 8), str("DROPPED", 3), str("READ_ONLY", 3),
			str("LOGGING", 3), str("EXTERNAL", 3), str("HYBRID", 3), str("HAS_RESERVABLE_COLUMN", 3)),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.withRecycled(c) {
				rows, blocks := counted(t.Statistics)
				list = append(list, row{
					text(t.Owner), text(t.Name), text(t.TablespaceName()), null, null,
					text("VALID"), rows, blocks, relation.YesNo(t.Partitioning != nil), organization(t), text("N"), text("N"),
					text("NO"), movement(t), text("DISABLED"), text("DISABLED"), relation.YesNo(t.Dropped), relation.YesNo(t.ReadOnly),
					text("YES"), text("NO"), text("NO"), text("NO"),
				})
			}
			return list
		},
	}
	s.dict["TAB_PARTITIONS"] = family{
		columns: columns(str("TABLE_OWNER", 128), str("TABLE_NAME", 128), str("PARTITION_NAME", 128), str("HIGH_VALUE", 4000), num("PARTITION_POSITION"),
			str("INTERVAL", 3), num("NUM_ROWS"), num("BLOCKS")),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.config.Database.Tables(c.ID) {
				for i := 0; t.Partitioning != nil && i < len(t.Partitioning.Partitions); i++ {
					p := &t.Partitioning.Partitions[i]
					rows, blocks := counted(p.Statistics)
					list = append(list, row{
						text(t.Owner), text(t.Name), text(p.Name), text(first(p.HighValue, 4000)), integer(i + 1), relation.YesNo(p.Own && t.Partitioning.Interval != nil),
						rows, blocks,
					})
				}
			}
			return list
		},
	}
	s.dict["UNUSED_COL_TABS"] = family{
		columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), num("COUNT")),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.config.Database.Tables(c.ID) {
				n := 0
				for i := range t.Columns {
					if t.Columns[i].Unused {
						n++
					}
				}
				if n > 0 {
					list = append(list, row{text(t.Owner), text(t.Name), integer(n)})
				}
			}
			return list
		},
	}
	// Here object tables would be too, which are in no *_TABLES (reference logminer I); there are none.
	s.dict["ALL_TABLES"] = family{
		columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("TABLESPACE_NAME", 30), str("CLUSTER_NAME", 128), str("IOT_NAME", 128),
			str("STATUS", 8), num("NUM_ROWS"), num("BLOCKS"), str("PARTITIONED", 3), str("IOT_TYPE", 12), str("OBJECT_ID_TYPE", 16),
			str("TABLE_TYPE_OWNER", 128), str("TABLE_TYPE", 128), str("TEMPORARY", 1), str("SECONDARY", 1), str("NESTED", 3), str("ROW_MOVEMENT", 8),
			str("DEPENDENCIES", 8), str("COMPRESSION", 8), str("DROPPED", 3), str("LOGGING", 3), str("EXTERNAL", 3)),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.withRecycled(c) {
				rows, blocks := counted(t.Statistics)
				list = append(list, row{
					text(t.Owner), text(t.Name), text("USERS"), null, null,
					text("VALID"), rows, blocks, relation.YesNo(t.Partitioning != nil), organization(t), null,
					null, null, text("N"), text("N"), text("NO"), movement(t),
					text("DISABLED"), text("DISABLED"), relation.YesNo(t.Dropped), relation.YesNo(!t.NoLogging), text("NO"),
				})
			}
			return list
		},
	}
	s.dict["LOG_GROUPS"] = family{
		columns: columns(str("OWNER", 128), str("LOG_GROUP_NAME", 128), str("TABLE_NAME", 128), str("LOG_GROUP_TYPE", 28), str("ALWAYS", 11),
			str("GENERATED", 14)),
		rows: s.logGroups,
	}
	// Groups of keys and of all columns have no rows in this view.
	s.dict["LOG_GROUP_COLUMNS"] = family{
		columns: columns(str("OWNER", 128), str("LOG_GROUP_NAME", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 4000), num("POSITION"),
			str("LOGGING_PROPERTY", 6)),
		rows: func(c catalog.Container) []row {
			var list []row
			for _, t := range s.config.Database.Tables(c.ID) {
				for _, g := range t.UserGroups {
					for n, i := range g.Columns {
						property := "LOG"
						if g.NoLog[n] {
							property = "NO LOG"
						}
						list = append(list, row{text(t.Owner), text(g.Name), text(t.Name), text(t.Columns[i].Name), integer(n + 1), text(property)})
					}
				}
			}
			return list
		},
	}
	s.dict["LOBS"] = family{
		columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 4000), str("SEGMENT_NAME", 128), str("TABLESPACE_NAME", 30),
			str("INDEX_NAME", 128), num("CHUNK"), str("SECUREFILE", 3), str("IN_ROW", 3), str("FORMAT", 15)),
		rows: s.lobs,
	}
	s.fixed["V$DATAFILE"] = fixed{
		columns: columns(num("FILE#"), num("CREATION_CHANGE#"), num("TS#"), num("RFILE#"), str("STATUS", 7), str("ENABLED", 10),
			num("CHECKPOINT_CHANGE#"), num("UNRECOVERABLE_CHANGE#"), day("UNRECOVERABLE_TIME"), num("BYTES"), str("NAME", 513), num("CON_ID")),
		rows:   s.datafiles,
		global: true,
	}
	s.fixed["V$TABLESPACE"] = fixed{
		columns: columns(num("TS#"), str("NAME", 30), str("INCLUDED_IN_DATABASE_BACKUP", 3), str("BIGFILE", 3), str("FLASHBACK_ON", 3),
			str("ENCRYPT_IN_BACKUP", 3), num("CON_ID")),
		rows: func(caller engine.Caller) []row {
			var list []row
			for _, c := range s.visible(caller) {
				for _, ts := range s.config.Database.Tablespaces(c.ID) {
					list = append(list, row{integer(ts.Number), text(ts.Name), text("YES"), text("NO"), text("YES"), null, integer(c.ID)})
				}
			}
			return list
		},
		global: true,
	}
}

// lobs lists the LOB columns. CLOBs have no byte order in a multi-byte database (reference logminer I).
func (s *Set) lobs(c catalog.Container) []row {
	var list []row
	for _, t := range s.config.Database.Tables(c.ID) {
		for i := range t.Columns {
			format := "NOT APPLICABLE"
			switch t.Columns[i].Type.Code {
			case datum.TypeClob:
				format = "ENDIAN NEUTRAL"
			case datum.TypeBlob:
			default:
				continue
			}
			id := fmt.Sprintf("%010d", t.ObjectID) + fmt.Sprintf("C%05d$$", i+1)
			list = append(list, row{
				text(t.Owner), text(t.Name), text(t.Columns[i].Name), text("SYS_LOB" + id), text(t.TablespaceName()),
				text("SYS_IL" + id), integer(8192), text("YES"), text("YES"), text(format),
			})
		}
	}
	return list
}

// withRecycled lists the tables of a container with those in the recycle bin, which are there under the names they have in it.
func (s *Set) withRecycled(c catalog.Container) []*catalog.Table {
	tables := s.config.Database.Tables(c.ID)
	return append(tables[:len(tables):len(tables)], s.config.Database.Recycled(c.ID)...)
}

// organization is IOT_TYPE.
func organization(t *catalog.Table) datum.Datum {
	if t.IndexOrganized {
		return text("IOT")
	}
	return null
}

func movement(t *catalog.Table) datum.Datum {
	if t.RowMovement {
		return text("ENABLED")
	}
	return text("DISABLED")
}

// logGroups names a group after the table's object id: generated names only have to be unique.
func (s *Set) logGroups(c catalog.Container) []row {
	var list []row
	for _, t := range s.config.Database.Tables(c.ID) {
		for _, g := range []struct {
			on                   bool
			suffix, kind, always string
		}{
			{t.LogGroups.All, "A", "ALL COLUMN LOGGING", "ALWAYS"},
			{t.LogGroups.PrimaryKey, "P", "PRIMARY KEY LOGGING", "ALWAYS"},
			{t.LogGroups.UniqueIndex, "U", "UNIQUE KEY LOGGING", "CONDITIONAL"},
			{t.LogGroups.ForeignKey, "F", "FOREIGN KEY LOGGING", "CONDITIONAL"},
		} {
			if g.on {
				name := "SYS_C00" + number(t.ObjectID) + g.suffix
				list = append(list, row{text(t.Owner), text(name), text(t.Name), text(g.kind), text(g.always), text("GENERATED NAME")})
			}
		}
		for _, g := range t.UserGroups {
			always := "CONDITIONAL"
			if g.Always {
				always = "ALWAYS"
			}
			list = append(list, row{text(t.Owner), text(g.Name), text(t.Name), text("USER LOG GROUP"), text(always), text("USER NAME")})
		}
	}
	return list
}

// datafiles has one file per tablespace.
func (s *Set) datafiles(caller engine.Caller) []row {
	var list []row
	for _, c := range s.visible(caller) {
		for _, ts := range s.config.Database.Tablespaces(c.ID) {
			at := null
			if ts.Unrecoverable > 0 {
				at = s.date(ts.At)
			}
			list = append(list, row{
				integer(c.ID + 100*(ts.Number-catalog.FirstTablespace)), integer(1), integer(ts.Number), integer(c.ID), text("ONLINE"), text("READ WRITE"),
				scn(s.config.Stream.Threads()[0].Checkpoint), scn(redo.SCN(ts.Unrecoverable)), at, integer(100 << 20),
				text("/opt/oracle/oradata/FREE/" + c.Name + "/" + strings.ToLower(ts.Name) + "01.dbf"), integer(c.ID),
			})
		}
	}
	return list
}
