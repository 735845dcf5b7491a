package engine

import (
	"slices"
	"sync"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// roster is the captured set as the miner has it, for those who read tables beside it. It is safe for all of them.
type roster struct {
	mu sync.Mutex
	// versions are those of a table that rows AS OF an SCN can have which were read and are not out, or are still to be read, oldest first;
	// the last one is the captured one.
	versions map[schema.Table][]*schema.Version
	// gone has an SCN from which a table is captured no more, or below: its rows are asked for no more.
	gone       map[schema.Table]position.SCN
	containers []oracle.Container
	// held are tables that are not to be read yet.
	held map[schema.Table]bool
}

func newRoster() *roster {
	return &roster{versions: map[schema.Table][]*schema.Version{}, gone: map[schema.Table]position.SCN{}}
}

// show takes a captured set. No batch AS OF an SCN below lowest is out still or comes, so that only versions valid from there on are asked
// for: rows of the stream have theirs from the miner's set, and a restart from the schema topic (R100).
func (c *roster) show(t *tables, containers []oracle.Container, lowest position.SCN) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.containers = containers
	for name, v := range t.byName {
		list := c.versions[name]
		if len(list) > 0 && list[len(list)-1] == v {
			continue
		}
		if n := len(list); n > 0 && list[n-1].Number == v.Number {
			list = list[:n-1] // it has other segments
		}
		c.versions[name] = append(slices.Clone(list), v)
		delete(c.gone, name)
	}
	for name, list := range c.versions {
		if _, ok := t.byName[name]; !ok && c.gone[name] == 0 {
			c.gone[name] = position.SCN(list[len(list)-1].ValidFrom)
		}
	}
	for name, list := range c.versions {
		if from, gone := c.gone[name]; gone && from <= lowest {
			delete(c.versions, name)
			delete(c.gone, name)
			continue
		}
		n := 0
		for n+1 < len(list) && position.SCN(list[n+1].ValidFrom) <= lowest {
			n++
		}
		if n > 0 {
			c.versions[name] = slices.Clone(list[n:])
		}
	}
}

// now gives the version that a table has now, and false where it is captured no more. It implements snapshot.Versions.
func (c *roster) now(t schema.Table) (*schema.Version, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.versions[t]
	if _, gone := c.gone[t]; gone || len(list) == 0 {
		return nil, false
	}
	return list[len(list)-1], true
}

// at gives the version that was valid at an SCN, up to which all DDL was mined.
func (c *roster) at(t schema.Table, scn position.SCN) (*schema.Version, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if from, gone := c.gone[t]; gone && scn >= from {
		return nil, false
	}
	list := c.versions[t]
	for i := len(list) - 1; i >= 0; i-- {
		if position.SCN(list[i].ValidFrom) <= scn {
			return list[i], true
		}
	}
	return nil, false
}

// hold takes the tables that are not to be read yet.
func (c *roster) hold(tables map[schema.Table]position.SCN) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = make(map[schema.Table]bool, len(tables))
	for t := range tables {
		c.held[t] = true
	}
}

// holds reports a table that is not to be read yet.
func (c *roster) holds(t schema.Table) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held[t]
}

// container gives the container of a version.
func (c *roster) container(v *schema.Version) oracle.Container {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, one := range c.containers {
		if one.ID == v.Container {
			return one
		}
	}
	return oracle.Container{ID: v.Container, Name: v.Table.PDB}
}

// names lists the captured tables.
func (c *roster) names() []schema.Table {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []schema.Table
	for t := range c.versions {
		if _, gone := c.gone[t]; !gone {
			out = append(out, t)
		}
	}
	return out
}
