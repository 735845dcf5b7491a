package views

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Settings of the database and of sessions.
func (s *Set) addSettings() {
	s.fixed["V$PARAMETER"] = fixed{
		columns: columns(num("NUM"), str("NAME", 80), num("TYPE"), str("VALUE", 4000), str("DISPLAY_VALUE", 4000), str("ISDEFAULT", 9),
			str("ISSES_MODIFIABLE", 5), str("ISSYS_MODIFIABLE", 9), str("ISMODIFIED", 10), str("DESCRIPTION", 255), num("CON_ID")),
		rows:   s.parameters,
		global: true,
	}
	s.fixed["NLS_DATABASE_PARAMETERS"] = fixed{
		columns: columns(str("PARAMETER", 128), str("VALUE", 64)),
		rows: func(engine.Caller) []row {
			return pairs("NLS_LANGUAGE", "AMERICAN", "NLS_TERRITORY", "AMERICA", "NLS_CHARACTERSET", "AL32UTF8",
				"NLS_NCHAR_CHARACTERSET", "AL16UTF16", "NLS_DATE_FORMAT", "DD-MON-RR", "NLS_NUMERIC_CHARACTERS", ".,",
				"NLS_TIMESTAMP_FORMAT", "DD-MON-RR HH.MI.SSXFF AM", "NLS_TIMESTAMP_TZ_FORMAT", "DD-MON-RR HH.MI.SSXFF AM TZR",
				"NLS_SORT", "BINARY", "NLS_COMP", "BINARY", "NLS_LENGTH_SEMANTICS", "BYTE", "NLS_RDBMS_VERSION", s.version().full)
		},
	}
	s.fixed["NLS_SESSION_PARAMETERS"] = fixed{
		columns: columns(str("PARAMETER", 30), str("VALUE", 64)),
		rows: func(caller engine.Caller) []row {
			var list []row
			for _, name := range []string{
				"NLS_LANGUAGE", "NLS_TERRITORY", "NLS_NUMERIC_CHARACTERS", "NLS_DATE_FORMAT", "NLS_DATE_LANGUAGE",
				"NLS_TIMESTAMP_FORMAT", "NLS_TIMESTAMP_TZ_FORMAT", "NLS_SORT", "NLS_COMP", "NLS_LENGTH_SEMANTICS",
			} {
				list = append(list, row{text(name), text(caller.NLS(name))})
			}
			return list
		},
	}
	properties := columns(str("PROPERTY_NAME", 128), str("PROPERTY_VALUE", 4000), str("DESCRIPTION", 4000))
	s.fixed["DATABASE_PROPERTIES"] = fixed{columns: properties, rows: func(engine.Caller) []row { return s.properties() }}
	// The form with CON_ID has a name of its own, and there is no DBA_PROPERTIES.
	s.fixed["CDB_PROPERTIES"] = fixed{
		columns: append(slices.Clone(properties), num("CON_ID")),
		rows: func(caller engine.Caller) []row {
			var list []row
			for _, c := range s.open(caller) {
				for _, p := range s.properties() {
					list = append(list, append(p, relation.Int(int64(c.ID))))
				}
			}
			return list
		},
	}
}

func (s *Set) properties() []row {
	var list []row
	local := "TRUE"
	if s.config.SharedUndo {
		local = "FALSE"
	}
	for _, p := range pairs("LOCAL_UNDO_ENABLED", local, "NLS_CHARACTERSET", "AL32UTF8", "NLS_NCHAR_CHARACTERSET", "AL16UTF16",
		"DBTIMEZONE", "+00:00", "GLOBAL_DB_NAME", s.config.Name) {
		list = append(list, append(p, null))
	}
	return list
}

func pairs(values ...string) []row {
	var list []row
	for i := 0; i < len(values); i += 2 {
		list = append(list, row{text(values[i]), text(values[i+1])})
	}
	return list
}

func (s *Set) parameters(engine.Caller) []row {
	const (
		typeBoolean = 1
		typeString  = 2
		typeInteger = 3
	)
	var list []row
	for i, p := range []struct {
		name, value string
		kind        int
	}{
		{"archive_lag_target", "0", typeInteger},
		{"cluster_database", "FALSE", typeBoolean},
		{"compatible", s.version().compatible, typeString},
		{"db_name", s.config.Name, typeString},
		{"db_unique_name", s.config.Name, typeString},
		{"enable_goldengate_replication", "FALSE", typeBoolean},
		{"enable_pluggable_database", "TRUE", typeBoolean},
		{"log_archive_dest_1", "LOCATION=" + s.config.Stream.ArchiveDestination(), typeString},
		{"max_string_size", "STANDARD", typeString},
		{"open_cursors", "300", typeInteger},
		{"processes", "300", typeInteger},
		{"recyclebin", "on", typeString},
		{"undo_retention", "900", typeInteger},
	} {
		list = append(list, row{
			integer(i + 1), text(p.name), integer(p.kind), text(p.value), text(p.value), text("TRUE"),
			text("FALSE"), text("FALSE"), text("FALSE"), null, integer(0),
		})
	}
	return list
}
