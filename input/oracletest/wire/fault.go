package wire

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Call is a kind of call a fault may strike.
type Call uint8

// The calls. AnyCall is every call of a session that is logged on.
const (
	AnyCall Call = iota
	CallConnect
	CallLogon
	CallVersion
	CallExecute
	CallFetch
	CallCommit
	CallRollback
	CallPing
	CallLogoff
	CallLob
)

// Outcome is what becomes of the connection.
type Outcome uint8

// The outcomes.
const (
	Proceed Outcome = iota // go on
	Close                  // close the connection in order
	Reset                  // TCP reset
	Hang                   // never answer, not even a break
)

// Fault is something that goes wrong. The fields of its first half choose the moment; those that are set
// must all hold. The second half says what happens, in the order of the fields.
type Fault struct {
	Call Call
	// SQL is contained in the statement, ignoring case. Calls without a statement do not match.
	SQL string
	// Service and User, ignoring case, and SessionID choose the session.
	Service, User string
	SessionID     int
	// Rows strikes when so many rows of one execution of the query were sent, instead of at the call. The
	// rows reach the client.
	Rows uint64
	// Executed strikes when the work is done and only the answer is missing, instead of before the work.
	Executed bool
	// Count is how often it strikes; 0 is always.
	Count int

	// Delay passes before anything else; a break ends it.
	Delay time.Duration
	// Hold waits until it is closed; a break ends it.
	Hold <-chan struct{}
	// Err is answered instead of the work, or in the middle of the rows. At CallConnect its code goes into
	// the refusal.
	Err *OraError
	// Then ends the connection, behind Err if there is one.
	Then Outcome
}

// FaultHandle watches a fault.
type FaultHandle struct {
	fault  Fault
	owner  *faults
	hits   int // under the lock of owner
	struck chan struct{}
}

// Hits is how often the fault struck.
func (h *FaultHandle) Hits() int {
	h.owner.mu.Lock()
	defer h.owner.mu.Unlock()
	return h.hits
}

// Wait waits until the fault struck for the first time.
func (h *FaultHandle) Wait(ctx context.Context) error {
	select {
	case <-h.struck:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Remove ends the fault.
func (h *FaultHandle) Remove() { h.owner.remove(h) }

// AddFault makes something go wrong from now on. Of several that match, the one added first strikes.
func (s *Server) AddFault(f Fault) *FaultHandle {
	h := &FaultHandle{fault: f, owner: &s.faults, struck: make(chan struct{})}
	s.faults.add(h)
	return h
}

// faults are the faults of a server.
type faults struct {
	active atomic.Int32 // faults there are
	rows   atomic.Int32 // of which look at rows

	mu  sync.Mutex
	all []*FaultHandle
}

// watchRows reports whether rows have to be looked at one by one.
func (f *faults) watchRows() bool { return f.rows.Load() != 0 }

func (f *faults) add(h *FaultHandle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = append(f.all, h)
	f.count()
}

func (f *faults) remove(h *FaultHandle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, one := range f.all {
		if one == h {
			f.all = append(f.all[:i:i], f.all[i+1:]...)
			break
		}
	}
	f.count()
}

func (f *faults) count() {
	rows := 0
	for _, h := range f.all {
		if h.fault.Rows > 0 {
			rows++
		}
	}
	f.active.Store(int32(len(f.all)))
	f.rows.Store(int32(rows))
}

// moment is when a fault may strike.
type moment struct {
	call      Call
	sql       string
	service   string
	user      string
	sessionID int
	rows      uint64
	executed  bool
}

// take finds the fault of a moment and counts it.
func (f *faults) take(m moment) (Fault, bool) {
	if f.active.Load() == 0 {
		return Fault{}, false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, h := range f.all {
		if !h.fault.matches(m) || h.fault.Count > 0 && h.hits >= h.fault.Count {
			continue
		}
		h.hits++
		if h.hits == 1 {
			close(h.struck)
		}
		return h.fault, true
	}
	return Fault{}, false
}

func (f *Fault) matches(m moment) bool {
	switch {
	case f.Rows != m.rows, f.Executed != m.executed:
		return false
	case f.Call == AnyCall && (m.call == CallConnect || m.call == CallLogon):
		return false
	case f.Call != AnyCall && f.Call != m.call && m.rows == 0:
		return false
	case f.SQL != "" && !strings.Contains(strings.ToUpper(m.sql), strings.ToUpper(f.SQL)):
		return false
	case f.Service != "" && !strings.EqualFold(f.Service, m.service):
		return false
	case f.User != "" && !strings.EqualFold(f.User, m.user):
		return false
	}
	return f.SessionID == 0 || f.SessionID == m.sessionID
}
