package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Executed is one execution of a statement that came from a client.
type Executed struct {
	SQL       string
	SessionID int
	User      string
	Container int
	// Rows went to the client, up to now if it still fetches.
	Rows int64
	// Ended says that the cursor is at its end or closed.
	Ended bool
	// Reads are the tables of the statement in the order in which they were opened.
	Reads []TableRead
}

// TableRead is what one member of FROM (of a query or of DML) read.
type TableRead struct {
	Owner, Table, Partition string
	Path                    ReadPath
	// Index is the key through which the rows came, empty without one; Backward says that it was read from its end.
	Index    string
	Backward bool
	// AsOf is the SCN of a query of the past, 0 of another.
	AsOf redo.SCN
	// Opened is how often the reading began, Visited how many rows it came to, whether they met the conditions or not.
	Opened, Visited int64
}

// ReadPath is how a statement comes to rows.
type ReadPath string

// The paths.
const (
	FullScan   ReadPath = "full scan"
	RowIDRange ReadPath = "ROWID range"
	RowIDPath  ReadPath = "ROWID"
	IndexScan  ReadPath = "index scan" // all of it, in order
	IndexRange ReadPath = "index range"
	UniqueKey  ReadPath = "unique key"
)

// StatementLog notes what clients execute while it runs.
type StatementLog struct {
	owner *statementLogs
	mu    sync.Mutex
	list  []*executed
}

type statementLogs struct {
	active atomic.Int32
	mu     sync.Mutex
	logs   []*StatementLog
}

// executed is an Executed that may go on. The counters belong to the session, others read them.
type executed struct {
	what  Executed
	rows  atomic.Int64
	ended atomic.Bool
	mu    sync.Mutex
	reads []*tableRead
}

type tableRead struct {
	what            TableRead
	opened, visited atomic.Int64
}

// LogStatements begins a log. Stop ends it.
func (e *Engine) LogStatements() *StatementLog {
	l := &StatementLog{owner: &e.statements}
	e.statements.mu.Lock()
	defer e.statements.mu.Unlock()
	e.statements.logs = append(e.statements.logs, l)
	e.statements.active.Add(1)
	return l
}

// Stop ends the log; what it has noted stays.
func (l *StatementLog) Stop() {
	l.owner.mu.Lock()
	defer l.owner.mu.Unlock()
	if i := slices.Index(l.owner.logs, l); i >= 0 {
		l.owner.logs = slices.Delete(l.owner.logs, i, i+1)
		l.owner.active.Add(-1)
	}
}

// Statements are those that have begun since the start of the log, or since Reset, in the order of their begin.
func (l *StatementLog) Statements() []Executed {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]Executed, len(l.list))
	for i, x := range l.list {
		list[i] = x.now()
	}
	return list
}

// Reset forgets what was noted.
func (l *StatementLog) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = nil
}

func (x *executed) now() Executed {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := x.what
	out.Rows, out.Ended = x.rows.Load(), x.ended.Load()
	out.Reads = make([]TableRead, len(x.reads))
	for i, r := range x.reads {
		out.Reads[i] = r.what
		out.Reads[i].Opened, out.Reads[i].Visited = r.opened.Load(), r.visited.Load()
	}
	return out
}

// begin notes a statement in all logs; nil without one.
func (l *statementLogs) begin(s *session, text string) *executed {
	if l.active.Load() == 0 {
		return nil
	}
	x := &executed{what: Executed{SQL: text, SessionID: s.SessionID(), User: s.User(), Container: s.container}}
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, one := range l.logs {
		one.mu.Lock()
		one.list = append(one.list, x)
		one.mu.Unlock()
	}
	return x
}

func (x *executed) end() {
	if x != nil {
		x.ended.Store(true)
	}
}

// note begins, or goes on with, the note of a reader; nil if nobody wants it.
func (r *tableReader) note(f *frame) {
	x := f.x.noted
	if x == nil {
		return
	}
	if r.noted == nil {
		s := r.src
		read := TableRead{Owner: s.layout.Owner, Table: s.layout.Name, AsOf: r.view.Past(), Backward: r.backward}
		if p, ok := s.layout.Partition(s.partition); ok {
			read.Partition = p.Name
		}
		read.Path = r.way()
		if read.Path == IndexScan || read.Path == IndexRange || read.Path == UniqueKey {
			if keys := s.layout.Keys(); r.index < len(keys) {
				read.Index = keys[r.index].Name
			}
		}
		r.noted = &tableRead{what: read}
		x.mu.Lock()
		x.reads = append(x.reads, r.noted)
		x.mu.Unlock()
	}
	r.noted.opened.Add(1)
}

func (r *tableReader) way() ReadPath {
	switch {
	case r.rowID != nil:
		return RowIDPath
	case r.keys != nil:
		return UniqueKey
	case r.path == byRowIDRange:
		return RowIDRange
	case r.path == byIndexRange && r.keysIn == nil:
		return IndexScan
	case r.path == byIndexRange:
		return IndexRange
	}
	return FullScan
}

// visit counts a row.
func (r *tableReader) visit() {
	if r.noted != nil {
		r.noted.visited.Add(1)
	}
}
