package views

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrivilegesAndRoles(t *testing.T) {
	s, _ := newSet(t)
	app := caller{container: 3, user: "APP"}
	for _, c := range []struct {
		name    string
		caller  caller
		view    string
		columns []string
		want    []string
	}{
		{"the session's", root, "SESSION_PRIVS", []string{"PRIVILEGE"}, []string{"CREATE SESSION", "LOGMINING"}},
		{"enabled roles", root, "SESSION_ROLES", []string{"ROLE"}, []string{"EXECUTE_CATALOG_ROLE"}},
		{"roles", root, "DBA_ROLES", []string{"ROLE", "COMMON", "ORACLE_MAINTAINED"}, []string{"CLERK|NO|N", "DBA|YES|Y"}},
		{"local and common", root, "USER_SYS_PRIVS", []string{"USERNAME", "PRIVILEGE", "ADMIN_OPTION", "COMMON", "INHERITED"}, []string{
			"C##CDC|LOGMINING|NO|YES|NO", "C##CDC|SET CONTAINER|YES|NO|NO", "C##CDC|SET CONTAINER|YES|YES|NO",
		}},
		{"inherited", app, "DBA_SYS_PRIVS", []string{"GRANTEE", "PRIVILEGE", "COMMON", "INHERITED"}, []string{
			"C##CDC|LOGMINING|YES|YES", "C##CDC|SET CONTAINER|NO|NO", "C##CDC|SET CONTAINER|YES|YES", "CLERK|CREATE TABLE|NO|NO",
		}},
		{"of all containers", root, "CDB_ROLE_PRIVS", []string{"CON_ID", "GRANTEE", "GRANTED_ROLE"}, []string{
			"1|SYSTEM|DBA", "3|SYSTEM|DBA", "3|APP|CLERK", "4|SYSTEM|DBA", "4|APP|CLERK",
		}},
		{"own roles", app, "USER_ROLE_PRIVS", []string{"USERNAME", "GRANTED_ROLE"}, []string{"APP|CLERK"}},
		{"on objects", app, "DBA_TAB_PRIVS", []string{"GRANTEE", "OWNER", "TABLE_NAME", "GRANTOR", "PRIVILEGE", "GRANTABLE", "TYPE"}, []string{
			"C##CDC|SYS|DBMS_LOGMNR|SYS|EXECUTE|NO|PACKAGE", "CLERK|APP|T|APP|SELECT|YES|TABLE",
		}},
		{"on own objects", app, "USER_TAB_PRIVS", []string{"GRANTEE", "TABLE_NAME"}, []string{"CLERK|T"}},
		{"to oneself", root, "ALL_TAB_PRIVS", []string{"GRANTEE", "TABLE_NAME"}, []string{"C##CDC|DBMS_LOGMNR"}},
		{"roles' own", app, "ROLE_SYS_PRIVS", []string{"ROLE"}, nil},
		{"roles' objects", app, "ROLE_TAB_PRIVS", []string{"ROLE"}, nil},
		{"container data", root, "CDB_CONTAINER_DATA", []string{"USERNAME", "ALL_CONTAINERS", "CONTAINER_NAME"}, []string{"C##CDC|Y|-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, read(t, s, c.caller, c.view, c.columns...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if _, ok := s.View("", "ALL_SYS_PRIVS"); ok {
		t.Error("ALL_SYS_PRIVS exists")
	}
}

// Reference logminer A.7 and I: what the caller may not see is left out without a word.
func TestWhatACallerMayNotSeeIsLeftOut(t *testing.T) {
	s, _ := newSet(t)
	blind := caller{container: 1, user: "C##CDC", hidden: []int{3, 4, 5}}
	for view, want := range map[string][]string{
		"V$PDBS": {"PDB$SEED"}, "V$CONTAINERS": {"CDB$ROOT", "PDB$SEED"},
	} {
		if diff := cmp.Diff(want, read(t, s, blind, view, "NAME")); diff != "" {
			t.Errorf("%s: %s", view, diff)
		}
	}
	for _, view := range []string{"CDB_TABLES", "V$TRANSACTION"} {
		if got := read(t, s, blind, view, "CON_ID"); got != nil {
			t.Errorf("%s: %v", view, got)
		}
	}
	if got := read(t, s, blind, "V$SESSION", "SID"); len(got) != 1 {
		t.Errorf("sessions %v", got)
	}
	for _, view := range []string{"ALL_TABLES", "ALL_OBJECTS", "ALL_TAB_COLUMNS", "ALL_CONSTRAINTS", "ALL_IND_COLUMNS"} {
		if got := read(t, s, caller{container: 3, user: "OTHER"}, view); got != nil {
			t.Errorf("%s without a right: %v", view, got)
		}
		if got := read(t, s, caller{container: 3, user: "OTHER", all: true}, view); got == nil {
			t.Errorf("%s with SELECT ANY TABLE: nothing", view)
		}
	}
}
