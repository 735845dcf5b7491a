package engine

import (
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// public is the grantee that everybody is.
const public = "PUBLIC"

// grant runs GRANT and REVOKE: all of it, or nothing.
func (s *session) grant(stmt *sql.Grant) error {
	common := stmt.Container == "ALL"
	if common && s.container != catalog.Root {
		return wire.Errorf(65050, "Common DDLs only allowed in root.")
	}
	list, all, err := s.granted(stmt)
	if err != nil {
		return err
	}
	for _, p := range list {
		if !s.mayGrant(p) {
			return insufficient()
		}
	}
	users := &s.engine.users
	users.mu.Lock()
	defer users.mu.Unlock()
	scope := users.scope(s.container, common)
	for _, grantee := range stmt.Grantees {
		if err := checkGrantee(users.byCon[s.container], grantee, common); err != nil {
			return err
		}
		if stmt.On != nil && grantee == s.user.Name {
			return wire.Errorf(1749, "Cannot GRANT or REVOKE privileges to or from yourself.")
		}
		if stmt.Revoke {
			err = checkRevoke(users.byCon[s.container], grantee, list, all, common)
		} else {
			err = checkCircles(users.byCon[s.container], grantee, list)
		}
		if err != nil {
			return err
		}
	}
	for _, a := range scope {
		for _, grantee := range stmt.Grantees {
			for _, p := range list {
				if stmt.Revoke {
					a.revoke(grantee, p, common)
					continue
				}
				a.put(catalog.Grant{Grantee: grantee, Privilege: p, Grantor: s.user.Name, Option: stmt.Option, Common: common, Local: !common})
			}
		}
	}
	return nil
}

func insufficient() error { return wire.Errorf(1031, "insufficient privileges") }

// granted lists what the statement names; all says that it was ALL, of which some may be missing at a REVOKE.
func (s *session) granted(stmt *sql.Grant) (list []catalog.Privilege, all bool, err error) {
	if stmt.On != nil {
		return s.grantedOn(stmt)
	}
	for _, p := range stmt.Privileges {
		switch {
		case p.Name == "ALL PRIVILEGES":
			all = true
			for _, name := range systemPrivileges {
				list = append(list, catalog.Privilege{Name: name})
			}
		case slices.Contains(systemPrivileges, p.Name):
			list = append(list, catalog.Privilege{Name: p.Name})
		case s.engine.users.isRole(s.container, p.Name):
			list = append(list, catalog.Privilege{Name: p.Name, Role: true})
		case strings.Contains(p.Name, " ") || slices.Contains(tablePrivileges, p.Name):
			return nil, false, at(p.Pos, wire.Errorf(990, "missing or invalid privilege"))
		default:
			return nil, false, at(p.Pos, wire.Errorf(1919, "role '%s' does not exist", p.Name))
		}
	}
	return list, all, nil
}

func (s *session) grantedOn(stmt *sql.Grant) (list []catalog.Privilege, all bool, err error) {
	owner, allowed, err := s.grantable(*stmt.On)
	if err != nil {
		return nil, false, at(stmt.On.Pos, err)
	}
	for _, p := range stmt.Privileges {
		names := []string{p.Name}
		switch {
		case p.Name == "ALL" || p.Name == "ALL PRIVILEGES":
			names, all = allowed, true
		case !slices.Contains(allowed, p.Name):
			return nil, false, at(p.Pos, notAllowedOn(p.Name, allowed))
		}
		for _, name := range names {
			list = append(list, catalog.Privilege{Name: name, Owner: owner, Object: stmt.On.Name})
		}
	}
	return list, all, nil
}

// notAllowedOn says that a privilege is none of an object of this kind.
func notAllowedOn(name string, allowed []string) error {
	switch {
	case name != "EXECUTE" && !slices.Contains(tablePrivileges, name):
		return wire.Errorf(990, "missing or invalid privilege")
	case slices.Equal(allowed, packagePrivileges):
		return wire.Errorf(2225, "only EXECUTE and DEBUG privileges are valid for procedures")
	case slices.Equal(allowed, sequencePrivileges):
		return wire.Errorf(2205, "only SELECT and ALTER privileges are valid for sequences")
	case slices.Equal(allowed, viewPrivileges):
		return wire.Errorf(2204, "ALTER, INDEX and EXECUTE not allowed for views")
	}
	return wire.Errorf(2224, "EXECUTE privilege not allowed for tables")
}

// grantable finds an object and what can be granted on it.
func (s *session) grantable(o sql.Object) (owner string, allowed []string, err error) {
	if t, layout, ok := s.findTable(o); ok && t != nil {
		if !s.accessible(layout.Owner, layout.Name) {
			return "", nil, tableMissing(o)
		}
		return layout.Owner, tablePrivileges, nil
	}
	if owner, allowed, ok := s.grantableObject(o); ok {
		return owner, allowed, nil
	}
	if (o.Owner == "" || o.Owner == sysUser) && isPackage(o.Name) {
		return sysUser, packagePrivileges, nil
	}
	if views := s.engine.views(); views != nil {
		if _, ok := views.View(o.Owner, o.Name); ok {
			if strings.HasPrefix(o.Name, "V$") || strings.HasPrefix(o.Name, "GV$") {
				return "", nil, wire.Errorf(2030, "can only select from fixed tables/views")
			}
			return sysUser, viewPrivileges, nil
		}
	}
	if strings.HasPrefix(o.Name, "DBMS_") {
		return "", nil, wire.Errorf(4042, "procedure, function, package, or package body does not exist")
	}
	return "", nil, tableMissing(o)
}

// grantableObject finds a view or a sequence.
func (s *session) grantableObject(o sql.Object) (owner string, allowed []string, ok bool) {
	if owner = o.Owner; owner == "" {
		owner = s.schema
	}
	found, ok := s.engine.objects.find(s.container, owner, o.Name)
	if !ok || !s.accessible(owner, o.Name) {
		return "", nil, false
	}
	if found.sequence != nil {
		return owner, sequencePrivileges, true
	}
	return owner, viewPrivileges, true
}

// isPackage reports whether there is a package of that name.
func isPackage(name string) bool {
	return slices.Contains(protectedPackages, name) ||
		slices.Contains([]string{"DBMS_APPLICATION_INFO", "DBMS_LOB", "DBMS_OUTPUT", "DBMS_ROWID", "DBMS_SESSION", "DBMS_STATS"}, name)
}

func (s *session) mayGrant(p catalog.Privilege) bool {
	switch {
	case p.Role:
		if s.has("GRANT ANY ROLE") {
			return true
		}
	case p.Object == "":
		if s.has("GRANT ANY PRIVILEGE") {
			return true
		}
	case p.Owner == s.user.Name || s.has("GRANT ANY OBJECT PRIVILEGE"):
		return true
	}
	return s.holds(func(g catalog.Grant) bool { return g.Privilege == p && g.Option })
}

func checkGrantee(a *directory, name string, common bool) error {
	if name == public {
		return nil
	}
	user, isUser := a.users[name]
	role, isRole := a.roles[name]
	switch {
	case !isUser && !isRole:
		return wire.Errorf(1917, "user or role '%s' does not exist", name)
	case common && isUser && !user.Common, common && isRole && !role.Common:
		return wire.Errorf(65030, "cannot grant a privilege commonly to a local user or role")
	}
	return nil
}

// checkCircles refuses a role that would hold itself.
func checkCircles(a *directory, grantee string, list []catalog.Privilege) error {
	for _, p := range list {
		if p.Role && (p.Name == grantee || slices.Contains(a.enabled(p.Name), grantee)) {
			return wire.Errorf(1934, "circular role grant detected")
		}
	}
	return nil
}

// checkRevoke reports what was not granted, or not in this scope: a common grant is revoked with CONTAINER = ALL only.
func checkRevoke(a *directory, grantee string, list []catalog.Privilege, all, common bool) error {
	revoked := 0
	for _, p := range list {
		g, ok := a.grants[grantee][p]
		switch {
		case ok && (common && g.Common || !common && g.Local):
			revoked++
		case all:
		case ok:
			return wire.Errorf(65092, "system privilege granted with a different scope to '%s'", grantee)
		case p.Role:
			return wire.Errorf(1951, "ROLE '%s' not granted to '%s'", p.Name, grantee)
		case p.Object == "":
			return wire.Errorf(1952, "system privileges not granted to '%s'", grantee)
		default:
			return wire.Errorf(1927, "cannot REVOKE privileges you did not grant")
		}
	}
	if revoked == 0 {
		return wire.Errorf(1927, "cannot REVOKE privileges you did not grant")
	}
	return nil
}

func (a *directory) revoke(grantee string, p catalog.Privilege, common bool) {
	g, ok := a.grants[grantee][p]
	if !ok {
		return
	}
	if common {
		g.Common = false
	} else {
		g.Local = false
	}
	if g.Common || g.Local {
		a.grants[grantee][p] = g
		return
	}
	delete(a.grants[grantee], p)
}

func (u *users) isRole(container int, name string) bool {
	u.mu.RLock()
	defer u.mu.RUnlock()
	_, ok := u.byCon[container].roles[name]
	return ok
}

// rename lets grants follow an object to its new name; without one they go.
func (u *users) rename(container int, owner, from, to string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, held := range u.byCon[container].grants {
		for p, g := range held {
			if p.Owner != owner || p.Object != from {
				continue
			}
			delete(held, p)
			if to != "" {
				p.Object, g.Object = to, to
				held[p] = g
			}
		}
	}
}
