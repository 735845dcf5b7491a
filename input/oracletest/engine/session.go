package engine

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// session is one session. One goroutine at a time uses it, except for info.
type session struct {
	rights
	logon    wire.Logon
	user     catalog.User
	instance int
	nls      *parameters

	tx *store.Tx // nil until the first lock or change
	// transactionName and readOnly are of SET TRANSACTION, until the transaction ends.
	transactionName string
	readOnly        *store.View
	savepoints      []savepoint
	attached        map[string]any
	current         map[*sequence]*apd.Decimal // CURRVAL

	// shown is what V$SESSION shows; other sessions read it.
	mu    sync.Mutex
	shown SessionInfo
}

type savepoint struct {
	name string
	mark store.Mark
}

func newSession(e *Engine, logon wire.Logon, u catalog.User, container int) *session {
	s := &session{
		rights: rights{engine: e, container: container, who: u.Name, schema: u.Name},
		logon:  logon, user: u, instance: max(e.instances[strings.ToUpper(logon.Service)], 1), nls: newParameters(), attached: make(map[string]any),
	}
	s.shown = SessionInfo{
		SessionID: logon.SessionID, Serial: logon.Serial, User: u.Name, Container: container, Service: logon.Service,
		Machine: logon.Machine, OSUser: logon.OSUser, Program: logon.Program, Process: logon.Process,
		Logon: e.now(), CurrentSchema: u.Name, Instance: s.instance,
	}
	return s
}

func (s *session) info() SessionInfo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

func (s *session) show(change func(*SessionInfo)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.shown)
}

// SessionID is SID.
func (s *session) SessionID() int { return s.logon.SessionID }

// Serial is SERIAL#.
func (s *session) Serial() int { return s.logon.Serial }

// User is the user who logged on.
func (s *session) User() string { return s.user.Name }

// Container is the container the session is in.
func (s *session) Container() int { return s.container }

// NLS returns a session parameter; TIME_ZONE is one of them.
func (s *session) NLS(parameter string) string { return s.nls.get(parameter) }

// Attach keeps state of an extension until the session ends.
func (s *session) Attach(key string, state any) { s.attached[key] = state }

// Attached returns that state.
func (s *session) Attached(key string) (state any, ok bool) {
	state, ok = s.attached[key]
	return state, ok
}

// Identity tells the client where it is.
func (s *session) Identity() wire.Identity {
	return wire.Identity{
		Database: databaseName, UniqueName: databaseName, Instance: databaseName, Service: s.logon.Service, UserID: int(s.userID()),
	}
}

// databaseName is DB_NAME of an Oracle Free database.
const databaseName = "FREE"

// userID is a number for a user that stays the same.
func (s *session) userID() int64 {
	id := int64(100)
	for _, u := range s.engine.users.list(s.container) {
		if u.Name == s.user.Name {
			return id
		}
		id++
	}
	return id
}

func (s *session) origin() redo.Origin {
	return redo.Origin{
		User: s.user.Name, SessionID: s.logon.SessionID, Serial: s.logon.Serial, Machine: s.logon.Machine, Program: s.logon.Program,
		OSUser: s.logon.OSUser, Process: s.logon.Process, Client: s.info().ClientIdentifier,
		Instance: s.instance, Transaction: s.transactionName,
	}
}

// transaction returns the open transaction and begins one if there is none.
func (s *session) transaction() *store.Tx {
	if s.tx == nil {
		s.tx = s.engine.store.Begin(s.container, s.origin())
		s.show(func(i *SessionInfo) { i.InTransaction, i.Transaction = true, s.tx.XID() })
	}
	return s.tx
}

// mark is the present point of the session's work, from before a transaction too.
func (s *session) mark() (*store.Tx, store.Mark) {
	if s.tx == nil {
		return nil, store.Mark{}
	}
	return s.tx, s.tx.Mark()
}

// rollbackTo undoes what came after a mark; a transaction that began after it is undone as a whole, but stays open.
func (s *session) rollbackTo(tx *store.Tx, mark store.Mark) error {
	if s.tx == nil {
		return nil
	}
	if s.tx != tx {
		mark = store.Mark{}
	}
	return s.tx.RollbackTo(mark)
}

// InTransaction reports whether there is uncommitted work.
func (s *session) InTransaction() bool { return s.tx != nil }

// Commit commits.
func (s *session) Commit(ctx context.Context) error {
	tx := s.tx
	if tx == nil {
		s.endTransaction()
		return nil
	}
	if err := tx.Commit(ctx); err != nil {
		return clientError(err)
	}
	s.endTransaction()
	return nil
}

// Rollback rolls back.
func (s *session) Rollback(context.Context) error {
	tx := s.tx
	s.endTransaction()
	if tx == nil {
		return nil
	}
	return clientError(tx.Rollback())
}

func (s *session) endTransaction() {
	began := s.tx != nil
	s.tx, s.savepoints, s.transactionName, s.readOnly = nil, nil, "", nil
	if !began {
		return
	}
	s.show(func(i *SessionInfo) { i.InTransaction, i.Transaction = false, redo.XID{} })
}

// Close ends the session.
func (s *session) Close(clean bool) {
	ctx := context.Background()
	// Nobody is left to be told; a commit that the stream refuses is rolled back.
	if !clean || s.Commit(ctx) != nil {
		_ = s.Rollback(ctx)
	}
	for _, state := range s.attached {
		if c, ok := state.(interface{ Close() error }); ok {
			_ = c.Close()
		}
	}
	s.attached = nil
	s.engine.mu.Lock()
	delete(s.engine.sessions, s)
	s.engine.signalGone()
	s.engine.mu.Unlock()
}

// context is SYS_CONTEXT.
func (s *session) context(namespace, parameter string) (value string, known bool) {
	if !strings.EqualFold(namespace, "USERENV") {
		return "", true
	}
	info := s.info()
	switch strings.ToUpper(parameter) {
	case "CON_ID":
		return strconv.Itoa(s.container), true
	case "CON_NAME":
		return s.containerName(), true
	case "CDB_NAME", "DB_NAME", "DB_UNIQUE_NAME", "INSTANCE_NAME":
		return databaseName, true
	case "SERVICE_NAME":
		return s.logon.Service, true
	case "SID":
		return strconv.Itoa(s.logon.SessionID), true
	case "SESSIONID":
		return strconv.Itoa(redo.AuditID(s.logon.SessionID)), true
	case "SESSION_USER", "CURRENT_USER":
		return s.user.Name, true
	case "CURRENT_SCHEMA":
		return s.schema, true
	case "LANGUAGE":
		return "AMERICAN_AMERICA.AL32UTF8", true
	case "LANG":
		return "US", true
	case "NLS_DATE_FORMAT", "NLS_SORT", "NLS_TERRITORY", "NLS_CALENDAR", "NLS_CURRENCY":
		return s.NLS(parameter), true
	case "INSTANCE":
		return strconv.Itoa(s.instance), true
	case "MODULE":
		return info.Module, true
	case "ACTION":
		return info.Action, true
	case "CLIENT_INFO":
		return info.ClientInfo, true
	case "CLIENT_IDENTIFIER":
		return info.ClientIdentifier, true
	case "HOST", "TERMINAL":
		return s.logon.Machine, true
	case "OS_USER":
		return s.logon.OSUser, true
	case "DATABASE_ROLE":
		return "PRIMARY", true
	case "ISDBA":
		return "FALSE", true
	case "CLOUD_SERVICE", "PROXY_USER", "IP_ADDRESS", "DB_DOMAIN":
		return "", true // null outside a cloud (reference logminer A.7)
	}
	return "", false
}

func (s *session) containerName() string {
	for _, c := range s.engine.containers {
		if c.ID == s.container {
			return c.Name
		}
	}
	return ""
}

func (s *session) now() time.Time { return s.engine.now() }
