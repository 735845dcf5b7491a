package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// users are the users, roles and grants by container. Common ones are in all of them.
type users struct {
	mu    sync.RWMutex
	byCon map[int]*directory
}

// directory holds those of one container.
type directory struct {
	users  map[string]catalog.User
	roles  map[string]catalog.Role
	grants map[string]map[catalog.Privilege]catalog.Grant // by grantee
}

// set puts common users everywhere and local ones into every PDB, and Oracle's own roles with what they hold.
func (u *users) set(list []catalog.User, containers []catalog.Container) {
	u.byCon = make(map[int]*directory)
	for _, c := range containers {
		a := &directory{
			users: make(map[string]catalog.User), roles: make(map[string]catalog.Role),
			grants: make(map[string]map[catalog.Privilege]catalog.Grant),
		}
		for _, user := range list {
			if user.Common || c.ID > catalog.PDBSeed {
				a.users[user.Name] = user
			}
		}
		a.maintained()
		u.byCon[c.ID] = a
	}
}

// scope lists the containers that a statement reaches: its own, or all.
func (u *users) scope(container int, common bool) []*directory {
	if !common {
		return []*directory{u.byCon[container]}
	}
	return slices.Collect(maps.Values(u.byCon))
}

func (u *users) find(container int, name string) (catalog.User, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	a := u.byCon[container]
	if a == nil {
		return catalog.User{}, false
	}
	user, ok := a.users[name]
	return user, ok
}

func (u *users) list(container int) []catalog.User {
	u.mu.RLock()
	defer u.mu.RUnlock()
	list := slices.Collect(maps.Values(u.byCon[container].users))
	slices.SortFunc(list, func(a, b catalog.User) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// newName checks a name that a user or role is to get: it is common, from the root, if it begins with C##, else local.
func (u *users) newName(container int, name string) (common bool, err error) {
	common = strings.HasPrefix(name, "C##")
	switch {
	case container == catalog.Root && !common:
		return common, wire.Errorf(65096, "common user or role name must start with C##")
	case container != catalog.Root && common:
		return common, wire.Errorf(65094, "local user or role name cannot start with C##")
	}
	return common, nil
}

// taken reports whether any of the containers has a user or role of that name.
func taken(scope []*directory, name string) bool {
	return slices.ContainsFunc(scope, func(a *directory) bool {
		_, user := a.users[name]
		_, role := a.roles[name]
		return user || role
	})
}

func (u *users) create(container int, stmt *sql.CreateUser) error {
	common, err := u.newName(container, stmt.Name)
	if err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	scope := u.scope(container, common)
	if taken(scope, stmt.Name) {
		return wire.Errorf(1920, "user name '%s' conflicts with another user or role name", stmt.Name)
	}
	for _, a := range scope {
		a.users[stmt.Name] = catalog.User{
			Name: stmt.Name, Password: stmt.Password, Common: common, Locked: stmt.Locked, Expired: stmt.Expired,
		}
	}
	return nil
}

// alter changes a user. A common one can be changed from the root only, but for its CONTAINER_DATA, which concerns the root alone.
func (u *users) alter(container int, stmt *sql.AlterUser, known func(container string) bool) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	user, ok := u.byCon[container].users[stmt.Name]
	switch {
	case !ok:
		return wire.Errorf(1918, "user '%s' does not exist", stmt.Name)
	case user.Common && container != catalog.Root:
		return wire.Errorf(65066, "The specified changes must apply to all containers.")
	}
	if stmt.Password != "" {
		user.Password, user.Expired = stmt.Password, false
	}
	if stmt.Locked != nil {
		user.Locked = *stmt.Locked
	}
	user.Expired = user.Expired || stmt.Expired
	if d := stmt.ContainerData; d != nil {
		if !user.Common {
			return wire.Errorf(65057, "CONTAINER_DATA attribute cannot be set for a local user")
		}
		for _, name := range d.Names {
			if !known(name) {
				return wire.Errorf(65011, "Pluggable database %s does not exist.", name)
			}
		}
		changeContainerData(&user, d)
	}
	for _, a := range u.scope(container, user.Common) {
		a.users[user.Name] = user
	}
	return nil
}

func changeContainerData(user *catalog.User, d *sql.ContainerData) {
	switch d.Op {
	case "SET":
		user.AllContainers, user.Containers = d.All, d.Names
	case "ADD":
		user.Containers = slices.Concat(user.Containers, d.Names)
	case "REMOVE":
		user.Containers = slices.DeleteFunc(slices.Clone(user.Containers), func(name string) bool { return slices.Contains(d.Names, name) })
	}
}

func (u *users) drop(container int, name string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	user, ok := u.byCon[container].users[name]
	switch {
	case !ok:
		return wire.Errorf(1918, "user '%s' does not exist", name)
	case user.Common && container != catalog.Root:
		return wire.Errorf(65066, "The specified changes must apply to all containers.")
	}
	for _, a := range u.scope(container, user.Common) {
		delete(a.users, name)
		delete(a.grants, name)
	}
	return nil
}

func (u *users) createRole(container int, name string) error {
	common, err := u.newName(container, name)
	if err != nil {
		return err
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	scope := u.scope(container, common)
	if taken(scope, name) {
		return wire.Errorf(1921, "role name '%s' conflicts with another user or role name", name)
	}
	for _, a := range scope {
		a.roles[name] = catalog.Role{Name: name, Common: common}
	}
	return nil
}

func (u *users) dropRole(container int, name string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	role, ok := u.byCon[container].roles[name]
	switch {
	case !ok:
		return wire.Errorf(1919, "role '%s' does not exist", name)
	case role.Common && container != catalog.Root:
		return wire.Errorf(65066, "The specified changes must apply to all containers.")
	}
	for _, a := range u.scope(container, role.Common) {
		delete(a.roles, name)
		delete(a.grants, name)
		for _, held := range a.grants {
			delete(held, catalog.Privilege{Name: name, Role: true})
		}
	}
	return nil
}
