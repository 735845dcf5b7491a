package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// TransactionInfo is an open transaction that has changed something.
type TransactionInfo = store.Info

// Logging is the supplemental logging of the database.
type Logging = store.Logging

// SessionInfo is what V$SESSION shows of a session.
type SessionInfo struct {
	SessionID, Serial          int
	User                       string
	Container, Instance        int
	Service                    string
	Machine, OSUser, Program   string
	Process                    string
	Module, Action, ClientInfo string
	ClientIdentifier           string
	Logon                      time.Time
	Active                     bool
	InTransaction              bool
	CurrentSchema              string
	Transaction                redo.XID // zero without one
}

// Users lists the users that exist in a container.
func (e *Engine) Users(container int) []catalog.User { return e.users.list(container) }

// Roles lists the roles that exist in a container.
func (e *Engine) Roles(container int) []catalog.Role {
	e.users.mu.RLock()
	defer e.users.mu.RUnlock()
	list := slices.Collect(maps.Values(e.users.byCon[container].roles))
	slices.SortFunc(list, func(a, b catalog.Role) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// Grants lists what users and roles hold in a container.
func (e *Engine) Grants(container int) []catalog.Grant {
	e.users.mu.RLock()
	defer e.users.mu.RUnlock()
	var list []catalog.Grant
	for _, held := range e.users.byCon[container].grants {
		list = slices.AppendSeq(list, maps.Values(held))
	}
	slices.SortFunc(list, func(a, b catalog.Grant) int {
		return cmp.Or(cmp.Compare(a.Grantee, b.Grantee), cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Tables lists the tables of a container by owner and name.
func (e *Engine) Tables(container int) []*catalog.Table { return e.store.Layouts(container) }

// Recycled lists the tables of a container that are in the recycle bin.
func (e *Engine) Recycled(container int) []*catalog.Table { return e.store.Recycled(container) }

// Segments lists the segments of a container.
func (e *Engine) Segments(container int) []catalog.Segment { return e.store.Segments(container) }

// Table finds a table of a container by its object id. A table in the recycle bin is still found, a purged one is not.
func (e *Engine) Table(container int, objectID uint32) (*catalog.Table, bool) {
	return e.store.Layout(container, objectID)
}

// Transactions lists the open transactions by the SCN of their start.
func (e *Engine) Transactions() []TransactionInfo {
	list := e.store.Transactions()
	slices.SortFunc(list, func(a, b TransactionInfo) int { return cmp.Compare(a.StartSCN, b.StartSCN) })
	return list
}

// Tablespaces lists those of a container.
func (e *Engine) Tablespaces(container int) []catalog.Tablespace {
	return e.store.Tablespaces(container)
}

// SupplementalLogging is the state of the whole database.
func (e *Engine) SupplementalLogging() Logging { return e.store.Logging() }

// ForceLogging reports whether ALTER DATABASE FORCE LOGGING was given.
func (e *Engine) ForceLogging() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.force
}

// SetSupplementalLogging changes it without a statement, for a set-up.
func (e *Engine) SetSupplementalLogging(l Logging) { e.store.Preset(l) }

// Sessions lists the sessions by id.
func (e *Engine) Sessions() []SessionInfo {
	e.mu.Lock()
	defer e.mu.Unlock()
	list := make([]SessionInfo, 0, len(e.sessions))
	for s := range e.sessions {
		list = append(list, s.info())
	}
	slices.SortFunc(list, func(a, b SessionInfo) int { return cmp.Compare(a.SessionID, b.SessionID) })
	return list
}

// BeginBuild writes the first record of a copy of the dictionary (DBMS_LOGMNR_D.BUILD).
func (e *Engine) BeginBuild(ctx context.Context, by redo.Origin) (*redo.Build, error) {
	return e.store.BeginBuild(ctx, by)
}

// TakeSCN takes a new SCN for who asks for the current one.
func (e *Engine) TakeSCN() redo.SCN {
	scn := e.redo.NextSCN()
	e.store.NoteSCN()
	return scn
}

// ExpireUndo lets queries of what was before an SCN fail (ORA-01555), also those that are being read.
func (e *Engine) ExpireUndo(scn redo.SCN) { e.store.ExpireUndo(scn) }

// PauseDDL keeps DDL that does not wait for open transactions from its COMMIT until resume is called.
func (e *Engine) PauseDDL() (resume func()) { return e.store.PauseDDL() }
