package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Modes of a PDB besides READ WRITE.
const (
	mounted  = "MOUNTED"
	readOnly = "READ ONLY"
)

// Containers lists the containers by id.
func (e *Engine) Containers() []catalog.Container {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Clone(e.containers)
	for i := range list {
		list[i].OpenMode = e.mode(&list[i])
	}
	return list
}

// mode is the OPEN_MODE of a container; the caller holds mu.
func (e *Engine) mode(c *catalog.Container) string {
	if mode, ok := e.openModes[c.ID]; ok {
		return mode
	}
	return c.OpenMode
}

// SetOpenMode changes the OPEN_MODE of a container. Unlike ALTER PLUGGABLE DATABASE it leaves the sessions in it.
func (e *Engine) SetOpenMode(name, mode string) error {
	c := e.container(name)
	if c == nil {
		return fmt.Errorf("no container %q", name)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.openModes[c.ID] = mode
	return nil
}

func (e *Engine) container(name string) *catalog.Container {
	for i := range e.containers {
		if e.containers[i].Name == name {
			return &e.containers[i]
		}
	}
	return nil
}

func (e *Engine) modeOf(id int) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.containers {
		if e.containers[i].ID == id {
			return e.mode(&e.containers[i])
		}
	}
	return ""
}

// enter lists a new session, unless its container is closed or waits to be.
func (e *Engine) enter(s *session) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.openModes[s.container] == mounted || e.closing[s.container] {
		return wire.Errorf(1033, "ORACLE initialization or shutdown in progress")
	}
	e.sessions[s] = struct{}{}
	return nil
}

// signalGone tells who waits for sessions that one is gone; the caller holds mu.
func (e *Engine) signalGone() {
	close(e.gone)
	e.gone = make(chan struct{})
}

// open reports why the tables of the container cannot be read.
func (r *rights) open() error {
	if r.engine.modeOf(r.container) == mounted {
		return wire.Errorf(1109, "database not open")
	}
	return nil
}

// changeable reports why nothing of the container can be changed.
func (r *rights) changeable() error {
	if err := r.open(); err != nil {
		return err
	}
	if r.engine.modeOf(r.container) == readOnly {
		return wire.Errorf(16000, "database or pluggable database open for read-only access")
	}
	return nil
}

// alterState opens and closes PDBs. No redo is written for it: LogMiner shows no row that a client would have to know. SAVE STATE is
// about a restart, which there is not.
func (s *session) alterState(ctx context.Context, stmt *sql.PluggableState) error {
	list, err := s.pluggable(stmt)
	if err != nil {
		return err
	}
	for _, c := range list {
		switch {
		case stmt.Open != "":
			err = s.engine.openPluggable(c, stmt)
		case stmt.Close:
			err = s.closePluggable(ctx, c, stmt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pluggable lists the PDBs of a statement.
func (s *session) pluggable(stmt *sql.PluggableState) ([]*catalog.Container, error) {
	e := s.engine
	var named []*catalog.Container
	for _, name := range stmt.Names {
		c := e.container(name)
		switch {
		case c == nil || c.ID == catalog.Root:
			return nil, at(stmt.Pos, wire.Errorf(65011, "Pluggable database %s does not exist.", name))
		case c.ID == catalog.PDBSeed:
			return nil, at(stmt.Pos, wire.Errorf(65017, "seed pluggable database may not be dropped or altered"))
		}
		named = append(named, c)
	}
	inside := s.container != catalog.Root
	switch {
	case inside && (stmt.All || slices.ContainsFunc(named, func(c *catalog.Container) bool { return c.ID != s.container })):
		return nil, wire.Errorf(65040, "operation not allowed from within a pluggable database")
	case !stmt.All && len(named) > 0:
		return named, nil
	case !stmt.All && !inside:
		return nil, at(stmt.Pos, wire.Errorf(65000, "missing or invalid pluggable database name"))
	}
	var list []*catalog.Container
	for i := range e.containers {
		c := &e.containers[i]
		if c.ID > catalog.PDBSeed && (c.ID == s.container || stmt.All) && !slices.Contains(named, c) {
			list = append(list, c)
		}
	}
	return list, nil
}

func (e *Engine) openPluggable(c *catalog.Container, stmt *sql.PluggableState) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.mode(c)
	if now != mounted && (!stmt.Force || stmt.All && now == stmt.Open) {
		if stmt.All {
			return nil
		}
		return wire.Errorf(65019, "pluggable database %s already open", c.Name)
	}
	e.openModes[c.ID] = stmt.Open
	return nil
}

// closePluggable closes a PDB when no other session is in it, or ends those first.
func (s *session) closePluggable(ctx context.Context, c *catalog.Container, stmt *sql.PluggableState) error {
	e := s.engine
	e.mu.Lock()
	if e.mode(c) == mounted || e.closing[c.ID] {
		e.mu.Unlock()
		if stmt.All {
			return nil
		}
		return wire.Errorf(65020, "pluggable database %s already closed", c.Name)
	}
	e.closing[c.ID] = true
	e.mu.Unlock()
	err := s.awaitEmpty(ctx, c.ID, stmt.Immediate)
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.closing, c.ID)
	if err == nil {
		e.openModes[c.ID] = mounted
	}
	return err
}

// awaitEmpty waits until no other session is in a container; what they have not committed is rolled back then.
func (s *session) awaitEmpty(ctx context.Context, container int, end bool) error {
	e := s.engine
	ended := make(map[*session]bool)
	for {
		e.mu.Lock()
		gone := e.gone
		var others []*session
		for other := range e.sessions {
			if other != s && other.info().Container == container {
				others = append(others, other)
			}
		}
		e.mu.Unlock()
		if len(others) == 0 {
			return nil
		}
		for _, other := range others {
			if end && !ended[other] {
				if e.endSession == nil {
					return wire.Errorf(3001, "unimplemented feature: ending the sessions of a pluggable database")
				}
				ended[other] = true
				e.endSession(other.SessionID())
			}
		}
		select {
		case <-gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
