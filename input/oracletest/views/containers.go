package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Containers (reference logminer I).
func (s *Set) addContainers() {
	list := columns(num("CON_ID"), num("DBID"), num("CON_UID"), hex("GUID", 16), str("NAME", 128), str("OPEN_MODE", 10), str("RESTRICTED", 3),
		day("OPEN_TIME"), num("CREATE_SCN"), num("TOTAL_SIZE"), str("RECOVERY_STATUS", 8), str("LOCAL_UNDO", 3))
	s.fixed["V$CONTAINERS"] = fixed{
		columns: list,
		rows:    func(caller engine.Caller) []row { return s.containers(caller, 0) },
		global:  true,
	}
	s.fixed["V$PDBS"] = fixed{
		columns: list,
		rows:    func(caller engine.Caller) []row { return s.containers(caller, catalog.PDBSeed) },
		global:  true,
	}
	s.fixed["V$PDB_INCARNATION"] = fixed{
		columns: columns(num("DB_INCARNATION#"), num("PDB_INCARNATION#"), str("STATUS", 7), num("INCARNATION_SCN"), day("INCARNATION_TIME"),
			num("BEGIN_RESETLOGS_SCN"), day("BEGIN_RESETLOGS_TIME"), num("END_RESETLOGS_SCN"), day("END_RESETLOGS_TIME"), num("CON_ID")),
		rows: func(caller engine.Caller) []row {
			var list []row
			r := s.config.Stream.Resetlogs()
			for _, c := range s.visible(caller) {
				list = append(list, row{
					integer(1), integer(0), text("CURRENT"), scn(r.SCN), s.date(r.Time),
					scn(r.SCN), s.date(r.Time), scn(r.SCN), s.date(r.Time), integer(c.ID),
				})
			}
			return list
		},
	}
}

// containers lists those that the caller sees, from an id on.
func (s *Set) containers(caller engine.Caller, from int) []row {
	var list []row
	for _, c := range s.visible(caller) {
		if c.ID < from {
			continue
		}
		list = append(list, row{
			integer(c.ID), integer(c.DBID), integer(c.DBID), relation.Bytes(c.GUID[:]), text(c.Name), text(c.OpenMode), text("NO"),
			s.date(s.config.Startup), integer(1), integer(0), text("ENABLED"), relation.YesNo(!s.config.SharedUndo),
		})
	}
	return list
}
