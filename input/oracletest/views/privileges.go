package views

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Privileges, roles and who holds them.
func (s *Set) addPrivileges() {
	s.fixed["SESSION_PRIVS"] = fixed{
		columns: columns(str("PRIVILEGE", 40)),
		rows:    func(caller engine.Caller) []row { return names(caller.SystemPrivileges()) },
	}
	s.fixed["SESSION_ROLES"] = fixed{
		columns: columns(str("ROLE", 128)),
		rows:    func(caller engine.Caller) []row { return names(caller.Roles()) },
	}
	s.dict["ROLES"] = family{unowned: true, administrative: true, columns: columns(str("ROLE", 128), str("COMMON", 3), str("ORACLE_MAINTAINED", 1)), rows: s.roles}
	s.dict["CONTAINER_DATA"] = family{unowned: true, administrative: true, columns: columns(str("USERNAME", 128), str("DEFAULT_ATTR", 1), str("OWNER", 128),
		str("OBJECT_NAME", 128), str("ALL_CONTAINERS", 1), str("CONTAINER_NAME", 128)), rows: s.containerData}

	system := columns(str("GRANTEE", 128), str("PRIVILEGE", 40), str("ADMIN_OPTION", 3), str("COMMON", 3), str("INHERITED", 3))
	s.dict["SYS_PRIVS"] = family{unowned: true, administrative: true, columns: system, rows: s.granted(isSystem, systemRow)}
	s.fixed["USER_SYS_PRIVS"] = s.ownGrants(columns(str("USERNAME", 128), system[1], system[2], system[3], system[4]), isSystem, systemRow)
	s.fixed["ROLE_SYS_PRIVS"] = s.roleGrants(columns(str("ROLE", 128), system[1], system[2], system[3], system[4]), isSystem, systemRow)

	role := columns(str("GRANTEE", 128), str("GRANTED_ROLE", 128), str("ADMIN_OPTION", 3), str("DEFAULT_ROLE", 3), str("COMMON", 3), str("INHERITED", 3))
	s.dict["ROLE_PRIVS"] = family{unowned: true, administrative: true, columns: role, rows: s.granted(isRole, roleRow)}
	s.fixed["USER_ROLE_PRIVS"] = s.ownGrants(columns(str("USERNAME", 128), role[1], role[2], role[3], role[4], role[5]), isRole, roleRow)

	object := columns(str("GRANTEE", 128), str("OWNER", 128), str("TABLE_NAME", 128), str("GRANTOR", 128), str("PRIVILEGE", 40), str("GRANTABLE", 3),
		str("COMMON", 3), str("TYPE", 24), str("INHERITED", 3))
	s.dict["TAB_PRIVS"] = family{unowned: true, administrative: true, columns: object, rows: s.granted(isObject, objectRow)}
	s.fixed["ROLE_TAB_PRIVS"] = s.roleGrants(columns(str("ROLE", 128), object[1], object[2], object[3], object[4], object[5], object[6], object[7], object[8]),
		isObject, objectRow)
	s.fixed["USER_TAB_PRIVS"] = fixed{columns: object, rows: func(caller engine.Caller) []row {
		return s.grants(s.container(caller), objectRow, func(g catalog.Grant) bool {
			return isObject(g) && (g.Grantee == caller.User() || g.Owner == caller.User() || g.Grantor == caller.User())
		})
	}}
	s.fixed["ALL_TAB_PRIVS"] = fixed{columns: object, rows: func(caller engine.Caller) []row {
		return s.grants(s.container(caller), objectRow, func(g catalog.Grant) bool {
			return isObject(g) && (g.Owner == caller.User() || g.Grantor == caller.User() || heldBy(caller, g))
		})
	}}
}

func names(list []string) []row {
	var rows []row
	for _, name := range list {
		rows = append(rows, row{text(name)})
	}
	return rows
}

func isSystem(g catalog.Grant) bool { return !g.Role && g.Object == "" }
func isRole(g catalog.Grant) bool   { return g.Role }
func isObject(g catalog.Grant) bool { return g.Object != "" }

// heldBy reports whether a grant is the caller's own, of PUBLIC or of one of its roles.
func heldBy(caller engine.Caller, g catalog.Grant) bool {
	return g.Grantee == caller.User() || g.Grantee == "PUBLIC" || slices.Contains(caller.Roles(), g.Grantee)
}

// inherited is INHERITED: a common grant is made at the root and inherited by the PDBs.
func inherited(c catalog.Container, common bool) bool { return common && c.ID != catalog.Root }

func systemRow(c catalog.Container, g catalog.Grant, common bool) row {
	return row{text(g.Grantee), text(g.Name), relation.YesNo(g.Option), relation.YesNo(common), relation.YesNo(inherited(c, common))}
}

func roleRow(c catalog.Container, g catalog.Grant, common bool) row {
	return row{text(g.Grantee), text(g.Name), relation.YesNo(g.Option), text("YES"), relation.YesNo(common), relation.YesNo(inherited(c, common))}
}

func objectRow(c catalog.Container, g catalog.Grant, common bool) row {
	kind := "TABLE"
	switch {
	case g.Name == "EXECUTE":
		kind = "PACKAGE"
	case g.Owner == "SYS":
		kind = "VIEW"
	}
	return row{
		text(g.Grantee), text(g.Owner), text(g.Object), text(g.Grantor), text(g.Name), relation.YesNo(g.Option),
		relation.YesNo(common), text(kind), relation.YesNo(inherited(c, common)),
	}
}

// grants makes the rows of grants; one that was made commonly and locally has two.
func (s *Set) grants(c catalog.Container, make func(catalog.Container, catalog.Grant, bool) row, match func(catalog.Grant) bool) []row {
	var list []row
	for _, g := range s.config.Database.Grants(c.ID) {
		if !match(g) {
			continue
		}
		if g.Local {
			list = append(list, make(c, g, false))
		}
		if g.Common {
			list = append(list, make(c, g, true))
		}
	}
	return list
}

func (s *Set) granted(match func(catalog.Grant) bool, make func(catalog.Container, catalog.Grant, bool) row) func(catalog.Container) []row {
	return func(c catalog.Container) []row { return s.grants(c, make, match) }
}

// ownGrants are those of the caller.
func (s *Set) ownGrants(list []wire.Column, match func(catalog.Grant) bool, make func(catalog.Container, catalog.Grant, bool) row) fixed {
	return fixed{columns: list, rows: func(caller engine.Caller) []row {
		return s.grants(s.container(caller), make, func(g catalog.Grant) bool {
			return match(g) && (g.Grantee == caller.User() || g.Grantee == "PUBLIC")
		})
	}}
}

// roleGrants are those of the caller's roles.
func (s *Set) roleGrants(list []wire.Column, match func(catalog.Grant) bool, make func(catalog.Container, catalog.Grant, bool) row) fixed {
	return fixed{columns: list, rows: func(caller engine.Caller) []row {
		return s.grants(s.container(caller), make, func(g catalog.Grant) bool { return match(g) && slices.Contains(caller.Roles(), g.Grantee) })
	}}
}

func (s *Set) roles(c catalog.Container) []row {
	var list []row
	for _, r := range s.config.Database.Roles(c.ID) {
		maintained := "N"
		if r.OracleMaintained {
			maintained = "Y"
		}
		list = append(list, row{text(r.Name), relation.YesNo(r.Common), text(maintained)})
	}
	return list
}

// containerData lists the users whose default was changed.
func (s *Set) containerData(c catalog.Container) []row {
	if c.ID != catalog.Root {
		return nil
	}
	var list []row
	for _, u := range s.config.Database.Users(c.ID) {
		if u.AllContainers {
			list = append(list, row{text(u.Name), text("Y"), null, null, text("Y"), null})
		}
		for _, name := range u.Containers {
			list = append(list, row{text(u.Name), text("Y"), null, null, text("N"), text(name)})
		}
	}
	return list
}
