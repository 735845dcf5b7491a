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
