package store

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Log is the redo stream (package redo).
type Log interface {
	CurrentSCN() redo.SCN
	NextSCN() redo.SCN
	Append(ctx context.Context, recs ...*redo.Record) error
	// Warts are what the redo does wrong, Take takes one from a count of them.
	Warts() redo.Warts
	Take(count func(*redo.Warts) *int) bool
}

// Config of a Store.
type Config struct {
	Log Log
	Now func() time.Time
	// Retention is how long superseded row versions stay readable; 0 keeps them for ever.
	Retention time.Duration
	// Span is how coarse flashback queries know the time of an SCN; 0 is exactly.
	Span time.Duration
	// Containers are the ids that hold tables.
	Containers []int
	// OnlineDDL says that some DDL do not wait for open transactions (K7).
	OnlineDDL bool
	// SharedUndo gives all containers the same undo segments.
	SharedUndo bool
	// Files is how many data files segments are spread over; 0 is 1.
	Files int
}

// Store holds the tables of all containers.
type Store struct {
	log       Log
	now       func() time.Time
	retention time.Duration
	span      time.Duration
	online    bool

	mu         sync.RWMutex
	lastCommit redo.SCN
	logging    Logging
	spaces     map[int]*space
	history    history
	moments    moments
	pause      chan struct{} // of PauseDDL, nil without one
}

// Logging is the supplemental logging of the whole database.
type Logging struct{ Minimal, All, PrimaryKey, UniqueIndex, ForeignKey bool }

// space is what one container holds.
type space struct {
	container  int
	tables     map[string]*Table // by OWNER.NAME
	byID       map[uint32]*Table
	segments   map[uint32]*Table // by the object ids of their rows (reference logminer G.2)
	nextObject uint32
	// nextPartition is the number of the next partition that gets a name from the system.
	nextPartition int
	undo          *segments
	files         uint32 // over which segments are spread
	active        map[*Tx]struct{}
	// tablespaces are in the order of their numbers, unlogged has the last change of each that left no redo.
	tablespaces []string
	unlogged    map[string]unlogged
}

// firstPartition is the number in the first such name.
const firstPartition = 81

// firstObject makes the first table of a container the one of reference logminer O.
const firstObject = 74569

// New makes an empty store.
func New(cfg Config) *Store {
	s := &Store{log: cfg.Log, now: cfg.Now, retention: cfg.Retention, span: cfg.Span, online: cfg.OnlineDDL, spaces: make(map[int]*space)}
	s.lastCommit = cfg.Log.CurrentSCN()
	s.moments.note(cfg.Now(), s.lastCommit)
	undo := newSegments()
	for _, id := range cfg.Containers {
		if !cfg.SharedUndo {
			undo = newSegments()
		}
		s.spaces[id] = &space{
			container: id, tables: make(map[string]*Table), byID: make(map[uint32]*Table), segments: make(map[uint32]*Table), nextPartition: firstPartition,
			nextObject: firstObject, active: make(map[*Tx]struct{}), undo: undo, files: uint32(max(cfg.Files, 1)),
			tablespaces: []string{catalog.DefaultTablespace}, unlogged: make(map[string]unlogged),
		}
	}
	return s
}

func tableKey(owner, name string) string { return owner + "\x00" + name }

// Table finds a table by name.
func (s *Store) Table(container int, owner, name string) (*Table, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sp := s.spaces[container]
	if sp == nil {
		return nil, false
	}
	t, ok := sp.tables[tableKey(owner, name)]
	return t, ok
}

// Layout finds the present layout of the table of an object id, which may be that of a partition.
func (s *Store) Layout(container int, objectID uint32) (*catalog.Table, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sp := s.spaces[container]
	if sp == nil {
		return nil, false
	}
	t, ok := sp.segments[objectID]
	if !ok {
		t, ok = sp.byID[objectID]
	}
	if !ok {
		return nil, false
	}
	return t.layout, true
}

// Layouts lists the tables of a container by owner and name.
func (s *Store) Layouts(container int) []*catalog.Table {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sp := s.spaces[container]
	if sp == nil {
		return nil
	}
	list := make([]*catalog.Table, 0, len(sp.tables))
	for _, key := range slices.Sorted(maps.Keys(sp.tables)) {
		list = append(list, sp.tables[key].layout)
	}
	return list
}

// Recycled lists the tables of a container that are in the recycle bin, by their object ids.
func (s *Store) Recycled(container int) []*catalog.Table {
	s.mu.RLock()
	defer s.mu.RUnlock()
	sp := s.spaces[container]
	if sp == nil {
		return nil
	}
	var list []*catalog.Table
	for _, id := range slices.Sorted(maps.Keys(sp.byID)) {
		if t := sp.byID[id]; t.dropped {
			list = append(list, t.layout)
		}
	}
	return list
}

// Logging returns the database's supplemental logging.
func (s *Store) Logging() Logging {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.logging
}

// Snapshot is the view of a statement: everything committed by now, and what tx (which may be nil) did so far.
func (s *Store) Snapshot(tx *Tx) View {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v := View{SCN: s.lastCommit, tx: tx}
	if tx != nil {
		v.mark = tx.sequence
	}
	return v
}

// AsOf is the view of a flashback query: what was committed at scn, and nothing else.
func (s *Store) AsOf(scn redo.SCN) (View, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	// What lies in front of the mapping of SCNs to times is no SCN of the past either (reference logminer I, J).
	if scn > s.log.CurrentSCN() || scn < s.moments.first() {
		return View{}, errNoSCN()
	}
	// Whether undo reaches back so far and the table has not changed since is found out when the table is read.
	return View{SCN: scn, flashback: true}, nil
}

func errNoSCN() error {
	return wire.Errorf(8181, "specified number is not a valid system change number")
}

func errTooOld() error {
	return wire.Errorf(1555, "snapshot too old: rollback segment number with name \"\" too small")
}
