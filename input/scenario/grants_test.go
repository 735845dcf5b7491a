package scenario_test

import (
	"strings"
	"testing"
)

// Issue 4, bad input: each missing grant is named, all of them at once, before a position is stored.
func TestMissingGrantsAreNamedAndRefused(t *testing.T) {
	sideBySide(t)
	const views = "SELECT on V$DATABASE, SELECT on V$INSTANCE, SELECT on GV$INSTANCE, SELECT on V$PDBS, SELECT on V$THREAD"
	for name, c := range map[string]struct {
		revoke []string
		names  []string
		do     string
	}{
		"LOGMINING": {[]string{"REVOKE LOGMINING FROM c##cdc CONTAINER = ALL"}, []string{"LOGMINING"}, "GRANT LOGMINING TO"},
		"the package": {
			[]string{"REVOKE EXECUTE_CATALOG_ROLE FROM c##cdc CONTAINER = ALL", "REVOKE EXECUTE ON SYS.DBMS_LOGMNR FROM c##cdc CONTAINER = ALL"},
			[]string{"EXECUTE on SYS.DBMS_LOGMNR"},
			"GRANT EXECUTE ON SYS.DBMS_LOGMNR TO",
		},
		"the dictionary": {
			[]string{"REVOKE SELECT ANY DICTIONARY FROM c##cdc CONTAINER = ALL"},
			[]string{views, "SELECT on CDB_OBJECTS", "SELECT on V$ARCHIVED_LOG", "SELECT on GV$TRANSACTION"},
			"GRANT SELECT ANY DICTIONARY TO",
		},
		"all three": {
			[]string{
				"REVOKE LOGMINING FROM c##cdc CONTAINER = ALL", "REVOKE SELECT ANY DICTIONARY FROM c##cdc CONTAINER = ALL",
				"REVOKE EXECUTE_CATALOG_ROLE FROM c##cdc CONTAINER = ALL", "REVOKE EXECUTE ON SYS.DBMS_LOGMNR FROM c##cdc CONTAINER = ALL",
			},
			[]string{"LOGMINING, " + views, "EXECUTE on SYS.DBMS_LOGMNR"},
			"GRANT LOGMINING, SELECT ANY DICTIONARY TO <capture user>; GRANT EXECUTE",
		},
		"the containers": {
			[]string{"ALTER USER c##cdc SET CONTAINER_DATA = (CDB$ROOT) CONTAINER = CURRENT"},
			[]string{"pluggable database"},
			"CONTAINER_DATA",
		},
		"CREATE SESSION": {[]string{"REVOKE CREATE SESSION FROM c##cdc CONTAINER = ALL"}, []string{"ORA-01045"}, "CREATE SESSION"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(ownSettings))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			dba := s.connect(admin)
			for _, statement := range c.revoke {
				dba.exec(statement)
			}
			stopped := s.refused(nil, 5002, c.names[0])
			for _, want := range c.names {
				if !strings.Contains(stopped.Error(), want) {
					t.Errorf("%q does not name %s", stopped, want)
				}
			}
			if !strings.Contains(stopped.Action(), c.do) {
				t.Errorf("%q does not say %s", stopped, c.do)
			}
			s.finds(s.component(nil), wanted{5002, c.names[0]})
		})
	}
}

// Rows are read with the grants on the tables alone that resources/sql/setup-cdb.sql gives; what is missing is said with the table and the grants.
func TestGrantsThatSnapshotsNeed(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		grant []string
		ora   string
	}{
		"none":         {nil, "ORA-00942"},
		"SELECT":       {[]string{"GRANT SELECT, FLASHBACK ON $" + fenceTable + " TO c##cdc", "GRANT SELECT ON $t TO c##cdc"}, "ORA-01031"},
		"by table":     {[]string{"GRANT SELECT, FLASHBACK ON $t TO c##cdc", "GRANT SELECT, FLASHBACK ON $" + fenceTable + " TO c##cdc"}, ""},
		"mode is none": {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(ownSettings))
			s.table("t", rowColumns)
			s.fill("t", 0, 20)
			for _, privilege := range []string{"SELECT ANY TABLE", "FLASHBACK ANY TABLE"} {
				s.connect(admin).exec("REVOKE " + privilege + " FROM c##cdc CONTAINER = ALL")
			}
			for _, grant := range c.grant {
				s.exec(grant)
			}
			change := initially(fields{"snapshot.chunk_retries": 0})
			if name == "mode is none" {
				change = fields{"snapshot.mode": "none"}
			}
			if c.ora == "" {
				p := s.start(change)
				if c.grant != nil {
					p.snapshotted()
				}
				s.exec("INSERT INTO $t VALUES (100, 1, 'x')")
				if got, want := len(without(p.settle(), s.db.Table(fenceTable))), map[bool]int{true: 21, false: 1}[c.grant != nil]; got != want {
					t.Errorf("%d records, want %d", got, want)
				}
				return
			}
			stopped := s.launch(change).stopped()
			refusal(t, stopped, 5002, s.full(map[bool]string{true: "t", false: fenceTable}[c.grant != nil]))
			if !strings.Contains(stopped.Error(), c.ora) || !strings.Contains(stopped.Action(), "FLASHBACK") {
				t.Errorf("%q: %q", stopped, stopped.Action())
			}
		})
	}
}
