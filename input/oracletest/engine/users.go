package engine

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// users are the database users by container; a common user is in all of them.
type users struct {
	mu    sync.RWMutex
	byCon map[int]map[string]catalog.User
}

// set puts common users everywhere and local ones into every PDB.
func (u *users) set(list []catalog.User, containers []catalog.Container) {
	u.byCon = make(map[int]map[string]catalog.User)
	for _, c := range containers {
		u.byCon[c.ID] = make(map[string]catalog.User)
		for _, user := range list {
			if user.Common || c.ID > catalog.PDBSeed {
				u.byCon[c.ID][user.Name] = user
			}
		}
	}
}

func (u *users) find(container int, name string) (catalog.User, bool) {
	u.mu.RLock()
	defer u.mu.RUnlock()
	user, ok := u.byCon[container][name]
	return user, ok
}

func (u *users) list(container int) []catalog.User {
	u.mu.RLock()
	defer u.mu.RUnlock()
	list := make([]catalog.User, 0, len(u.byCon[container]))
	for _, user := range u.byCon[container] {
		list = append(list, user)
	}
	slices.SortFunc(list, func(a, b catalog.User) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// create adds a user: common from the root, where its name must begin with C##, else local.
func (u *users) create(container int, name, password string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	common := strings.HasPrefix(name, "C##")
	switch {
	case container == catalog.Root && !common:
		return wire.Errorf(65096, "common user or role name must start with C##")
	case container != catalog.Root && common:
		return wire.Errorf(65094, "local user or role name cannot start with C##")
	}
	if _, ok := u.byCon[container][name]; ok {
		return wire.Errorf(1920, "user name '%s' conflicts with another user or role name", name)
	}
	for id, byName := range u.byCon {
		if common || id == container {
			byName[name] = catalog.User{Name: name, Password: password, Common: common}
		}
	}
	return nil
}

func (u *users) alter(container int, name, password string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	user, ok := u.byCon[container][name]
	if !ok {
		return wire.Errorf(1918, "user '%s' does not exist", name)
	}
	if password == "" {
		return nil
	}
	user.Password = password
	for id, byName := range u.byCon {
		if user.Common || id == container {
			byName[name] = user
		}
	}
	return nil
}

func (u *users) drop(container int, name string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	user, ok := u.byCon[container][name]
	if !ok {
		return wire.Errorf(1918, "user '%s' does not exist", name)
	}
	for id, byName := range u.byCon {
		if user.Common || id == container {
			delete(byName, name)
		}
	}
	return nil
}
