package engine

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"

// systemPrivileges are those that can be granted. Not all of them have something here that they would allow.
var systemPrivileges = []string{
	"ALTER ANY INDEX", "ALTER ANY ROLE", "ALTER ANY SEQUENCE", "ALTER ANY TABLE", "ALTER ANY TRIGGER", "ALTER DATABASE", "ALTER PROFILE",
	"ALTER SESSION", "ALTER SYSTEM", "ALTER TABLESPACE", "ALTER USER", "ANALYZE ANY", "AUDIT SYSTEM", "COMMENT ANY TABLE", "CREATE ANY INDEX",
	"CREATE ANY PROCEDURE", "CREATE ANY SEQUENCE", "CREATE ANY SYNONYM", "CREATE ANY TABLE", "CREATE ANY TRIGGER", "CREATE ANY TYPE",
	"CREATE ANY VIEW", "CREATE CLUSTER", "CREATE DATABASE LINK", "CREATE INDEXTYPE", "CREATE JOB", "CREATE MATERIALIZED VIEW", "CREATE OPERATOR",
	"CREATE PLUGGABLE DATABASE", "CREATE PROCEDURE", "CREATE PUBLIC SYNONYM", "CREATE ROLE", "CREATE SEQUENCE", "CREATE SESSION",
	"CREATE SYNONYM", "CREATE TABLE", "CREATE TABLESPACE", "CREATE TRIGGER", "CREATE TYPE", "CREATE USER", "CREATE VIEW", "DELETE ANY TABLE",
	"DROP ANY INDEX", "DROP ANY PROCEDURE", "DROP ANY ROLE", "DROP ANY SEQUENCE", "DROP ANY TABLE", "DROP ANY VIEW", "DROP USER",
	"EXECUTE ANY PROCEDURE", "FLASHBACK ANY TABLE", "FORCE ANY TRANSACTION", "FORCE TRANSACTION", "GRANT ANY OBJECT PRIVILEGE",
	"GRANT ANY PRIVILEGE", "GRANT ANY ROLE", "INSERT ANY TABLE", "LOCK ANY TABLE", "LOGMINING", "MANAGE TABLESPACE", "READ ANY TABLE",
	"RESTRICTED SESSION", "SELECT ANY DICTIONARY", "SELECT ANY SEQUENCE", "SELECT ANY TABLE", "SELECT ANY TRANSACTION", "SET CONTAINER",
	"UNDER ANY TABLE", "UNLIMITED TABLESPACE", "UPDATE ANY TABLE",
}

// Privileges on objects by what the object is.
var (
	tablePrivileges    = []string{"ALTER", "DELETE", "FLASHBACK", "INDEX", "INSERT", "READ", "REFERENCES", "SELECT", "UPDATE"}
	viewPrivileges     = []string{"DELETE", "FLASHBACK", "INSERT", "READ", "REFERENCES", "SELECT", "UPDATE"}
	sequencePrivileges = []string{"ALTER", "SELECT"}
	packagePrivileges  = []string{"EXECUTE"}
)

// protectedPackages may be run by whom EXECUTE is granted only; the other packages are open to PUBLIC.
var protectedPackages = []string{"DBMS_FLASHBACK", "DBMS_LOCK", "DBMS_LOGMNR", "DBMS_LOGMNR_D"}

// Roles that every container has.
const (
	roleDBA            = "DBA"
	roleConnect        = "CONNECT"
	roleResource       = "RESOURCE"
	roleSelectCatalog  = "SELECT_CATALOG_ROLE"
	roleExecuteCatalog = "EXECUTE_CATALOG_ROLE"
)

// grantedAtStart are the grants of the accounts of contracts 9, by grantee: SYSTEM may do everything, the capture user what
// reference logminer L.1 lists, APP what an application needs in its own schema.
func grantedAtStart() map[string][]catalog.Privilege {
	system := func(names ...string) []catalog.Privilege {
		var list []catalog.Privilege
		for _, n := range names {
			list = append(list, catalog.Privilege{Name: n})
		}
		return list
	}
	role := func(name string) catalog.Privilege { return catalog.Privilege{Name: name, Role: true} }
	execute := func(name string) catalog.Privilege {
		return catalog.Privilege{Name: "EXECUTE", Owner: sysUser, Object: name}
	}
	return map[string][]catalog.Privilege{
		sysUser:  {role(roleDBA)},
		"SYSTEM": {role(roleDBA)},
		"C##CDC": append(system("CREATE SESSION", "SET CONTAINER", "LOGMINING", "SELECT ANY TRANSACTION", "SELECT ANY DICTIONARY", "SELECT ANY TABLE",
			"FLASHBACK ANY TABLE"), role(roleExecuteCatalog), execute("DBMS_LOGMNR"), execute("DBMS_LOGMNR_D")),
		"APP": append(system("CREATE VIEW", "CREATE SYNONYM", "UNLIMITED TABLESPACE"), role(roleConnect), role(roleResource)),
	}
}

// maintained makes Oracle's own roles and the grants of the start.
func (a *directory) maintained() {
	for _, name := range []string{roleDBA, roleConnect, roleResource, roleSelectCatalog, roleExecuteCatalog} {
		a.roles[name] = catalog.Role{Name: name, Common: true, OracleMaintained: true}
	}
	common := func(to string, p catalog.Privilege, option bool) {
		a.put(catalog.Grant{Grantee: to, Privilege: p, Grantor: sysUser, Common: true, Option: option})
	}
	for _, p := range systemPrivileges {
		common(roleDBA, catalog.Privilege{Name: p}, true)
	}
	for _, name := range []string{roleSelectCatalog, roleExecuteCatalog, roleConnect, roleResource} {
		common(roleDBA, catalog.Privilege{Name: name, Role: true}, true)
	}
	for _, p := range []string{"CREATE SESSION", "SET CONTAINER"} {
		common(roleConnect, catalog.Privilege{Name: p}, false)
	}
	for _, p := range []string{
		"CREATE CLUSTER", "CREATE INDEXTYPE", "CREATE OPERATOR", "CREATE PROCEDURE", "CREATE SEQUENCE", "CREATE TABLE", "CREATE TRIGGER", "CREATE TYPE",
	} {
		common(roleResource, catalog.Privilege{Name: p}, false)
	}
	for _, name := range protectedPackages {
		for _, role := range []string{roleDBA, roleExecuteCatalog} {
			common(role, catalog.Privilege{Name: "EXECUTE", Owner: sysUser, Object: name}, false)
		}
	}
	for name, list := range grantedAtStart() {
		user, ok := a.users[name]
		for i := 0; ok && i < len(list); i++ {
			a.put(catalog.Grant{Grantee: name, Privilege: list[i], Grantor: sysUser, Common: user.Common, Local: !user.Common})
		}
	}
}

// put adds a grant to what is there.
func (a *directory) put(g catalog.Grant) {
	held := a.grants[g.Grantee]
	if held == nil {
		held = make(map[catalog.Privilege]catalog.Grant)
		a.grants[g.Grantee] = held
	}
	before := held[g.Privilege]
	g.Local, g.Common, g.Option = g.Local || before.Local, g.Common || before.Common, g.Option || before.Option
	held[g.Privilege] = g
}
