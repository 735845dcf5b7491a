package engine

import (
	"maps"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// sysUser owns the dictionary and may do everything.
const sysUser = "SYS"

// access is what a statement does with a table: any of the object privileges, or of the system privileges, lets it do so
// in another schema.
type access struct{ object, system []string }

// name is the privilege itself, empty if only system privileges give it.
func (a access) name() string {
	if len(a.object) == 0 {
		return ""
	}
	return a.object[0]
}

var (
	toRead      = access{[]string{"SELECT", "READ"}, []string{"SELECT ANY TABLE", "READ ANY TABLE"}}
	toLock      = access{[]string{"SELECT"}, []string{"SELECT ANY TABLE"}}
	toInsert    = access{[]string{"INSERT"}, []string{"INSERT ANY TABLE"}}
	toUpdate    = access{[]string{"UPDATE"}, []string{"UPDATE ANY TABLE"}}
	toDelete    = access{[]string{"DELETE"}, []string{"DELETE ANY TABLE"}}
	toFlashback = access{[]string{"FLASHBACK"}, []string{"FLASHBACK ANY TABLE"}}
	toAlter     = access{[]string{"ALTER"}, []string{"ALTER ANY TABLE"}}
	toIndex     = access{[]string{"INDEX"}, []string{"CREATE ANY INDEX"}}
	toDrop      = access{nil, []string{"DROP ANY TABLE"}}
	toReference = access{[]string{"REFERENCES"}, nil}
	toComment   = access{nil, []string{"COMMENT ANY TABLE"}}
)

// rights are with which names are resolved and privileges checked: those of a session, or of the owner of a view.
type rights struct {
	engine    *Engine
	container int
	who       string
	schema    string // current schema
	// grantees are those whose grants count: the user, PUBLIC and the enabled roles.
	grantees []string
}

// ownerRights are those of the owner of a view, whose roles do not count.
func (r *rights) ownerRights(owner string) *rights {
	return &rights{engine: r.engine, container: r.container, who: owner, schema: owner, grantees: []string{owner, public}}
}

// enabled lists a user or role and the roles that it holds, and PUBLIC with its roles.
func (a *directory) enabled(name string) []string {
	list := []string{name, public}
	for i := 0; i < len(list); i++ {
		for p := range a.grants[list[i]] {
			if p.Role && !slices.Contains(list, p.Name) {
				list = append(list, p.Name)
			}
		}
	}
	return list
}

// enableRoles takes the roles that the user holds now. A role that is granted later counts from the next log-on or change of
// the container on, as its owner does not SET ROLE.
func (r *rights) enableRoles() {
	users := &r.engine.users
	users.mu.RLock()
	defer users.mu.RUnlock()
	r.grantees = users.byCon[r.container].enabled(r.who)
}

// holds reports whether the user, PUBLIC or an enabled role has a grant that match accepts.
func (r *rights) holds(match func(catalog.Grant) bool) bool {
	users := &r.engine.users
	users.mu.RLock()
	defer users.mu.RUnlock()
	for _, name := range r.grantees {
		for _, g := range users.byCon[r.container].grants[name] {
			if match(g) {
				return true
			}
		}
	}
	return false
}

// holdsAny is holds for given privileges, without looking at all grants.
func (r *rights) holdsAny(owner, object string, names []string) bool {
	users := &r.engine.users
	users.mu.RLock()
	defer users.mu.RUnlock()
	for _, grantee := range r.grantees {
		held := users.byCon[r.container].grants[grantee]
		for _, name := range names {
			if _, ok := held[catalog.Privilege{Name: name, Owner: owner, Object: object}]; ok {
				return true
			}
		}
	}
	return false
}

// has reports whether the session has one of the system privileges.
func (r *rights) has(names ...string) bool {
	return r.who == sysUser || r.holdsAny("", "", names)
}

// need demands a system privilege.
func (r *rights) need(names ...string) error {
	if r.has(names...) {
		return nil
	}
	return insufficient()
}

// needIn demands one privilege in the user's own schema, another one in others.
func (r *rights) needIn(owner, own, others string) error {
	if owner == r.who {
		return r.need(own, others)
	}
	return r.need(others)
}

// permit checks access to an object of a schema: without any right to it, it does not exist for the session.
func (r *rights) permit(a access, o sql.Object, owner, name string) error {
	switch {
	case owner == r.who || r.has(a.system...) || r.holdsAny(owner, name, a.object):
		return nil
	case r.accessible(owner, name):
		return at(o.Pos, insufficient())
	}
	return at(o.Pos, tableMissing(o))
}

// accessible reports whether a session has any right to an object.
func (r *rights) accessible(owner, name string) bool {
	if owner == r.who || r.has("SELECT ANY TABLE", "READ ANY TABLE", "INSERT ANY TABLE", "UPDATE ANY TABLE", "DELETE ANY TABLE",
		"ALTER ANY TABLE", "DROP ANY TABLE", "FLASHBACK ANY TABLE", "LOCK ANY TABLE", "COMMENT ANY TABLE") {
		return true
	}
	return r.holds(func(g catalog.Grant) bool { return g.Owner == owner && g.Object == name })
}

// permitView checks access to a fixed or dictionary view: V$, DBA_ and CDB_ views need SELECT ANY DICTIONARY, SELECT_CATALOG_ROLE
// or a grant on what SYS owns under their name (reference logminer I and L.1).
func (r *rights) permitView(v View, o sql.Object) error {
	object, open := dictionaryObject(o.Name)
	if !open && !r.has("SELECT ANY DICTIONARY") && !slices.Contains(r.grantees, roleSelectCatalog) &&
		!r.holdsAny(sysUser, object, toRead.object) {
		return at(o.Pos, tableMissing(o))
	}
	if p, ok := v.(Privileged); ok && !r.has(p.Privilege()) {
		return at(o.Pos, insufficient())
	}
	return nil
}

// dictionaryObject names the object of SYS behind a view; open is set for those that PUBLIC may read.
func dictionaryObject(name string) (object string, open bool) {
	for _, prefix := range []string{"ALL_", "USER_", "NLS_", "SESSION_", "ROLE_"} {
		if strings.HasPrefix(name, prefix) {
			return name, true
		}
	}
	switch name {
	case "DATABASE_PROPERTIES", "PRODUCT_COMPONENT_VERSION", "V$VERSION", "V$NLS_PARAMETERS", "V$OPTION", "GLOBAL_NAME", "DICTIONARY", "DICT":
		return name, true
	}
	if strings.HasPrefix(name, "V$") || strings.HasPrefix(name, "GV$") {
		return strings.Replace(name, "V$", "V_$", 1), false
	}
	return name, false
}

// mayExecute reports whether the session may run a packaged procedure.
func (r *rights) mayExecute(name string) bool {
	pkg, _, _ := strings.Cut(name, ".")
	return !slices.Contains(protectedPackages, pkg) || r.who == sysUser || r.holdsAny(sysUser, pkg, packagePrivileges)
}

// Sees reports whether the session's CONTAINER_DATA shows a container (reference logminer A.7); SYS and SYSTEM see all.
func (s *session) Sees(container int) bool {
	if container == s.container || container <= 0 {
		return true
	}
	if s.container != catalog.Root {
		return false
	}
	user, ok := s.engine.users.find(catalog.Root, s.user.Name)
	if !ok || user.OracleMaintained || user.AllContainers {
		return ok
	}
	for _, c := range s.engine.containers {
		if c.ID == container {
			return slices.Contains(user.Containers, c.Name)
		}
	}
	return false
}

// Accessible reports whether the session has any right to a table.
func (s *session) Accessible(owner, name string) bool { return s.accessible(owner, name) }

// SystemPrivileges lists those that the session has.
func (s *session) SystemPrivileges() []string {
	if s.user.Name == sysUser {
		return systemPrivileges
	}
	users := &s.engine.users
	users.mu.RLock()
	defer users.mu.RUnlock()
	set := make(map[string]bool)
	for _, name := range s.grantees {
		for p := range users.byCon[s.container].grants[name] {
			if !p.Role && p.Object == "" {
				set[p.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// Roles lists the enabled roles.
func (s *session) Roles() []string {
	var list []string
	for _, name := range s.grantees {
		if name != public && name != s.user.Name {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// mayOpen refuses users who must not log on, in the order in which Oracle finds out.
func mayOpen(s *session) error {
	switch {
	case s.user.Locked:
		return wire.Errorf(28000, "The account is locked.")
	case !s.has("CREATE SESSION"):
		return wire.Errorf(1045, "user %s lacks CREATE SESSION privilege; logon denied", s.user.Name)
	case s.user.Expired:
		return wire.Errorf(28001, "the password has expired")
	}
	return nil
}
