package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/store"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Redo is the redo stream that the engine writes.
type Redo interface {
	// NextSCN advances the clock and returns it.
	NextSCN() redo.SCN
	// CurrentSCN is what V$DATABASE.CURRENT_SCN shows.
	CurrentSCN() redo.SCN
	// Append writes records in order, all or none, and sets their address and, where zero, SCN and time.
	Append(ctx context.Context, recs ...*redo.Record) error
	SwitchLogfile(ctx context.Context) error
	// Warts are what the redo does wrong, Take takes one from a count of them.
	Warts() redo.Warts
	Take(count func(*redo.Warts) *int) bool
}

// Config of an Engine.
type Config struct {
	// Containers are the root and the PDBs; nil is CDB$ROOT and FREEPDB1.
	Containers []catalog.Container
	// Users are common users, and local ones for every PDB; nil is system, c##cdc and app (contracts 9 and issue 3). Those names have
	// what grantedAtStart says, others nothing.
	Users []catalog.User
	Redo  Redo
	// Services maps further service names to containers; every container is a service by its name anyway.
	Services map[string]string
	// Release is 19 or 23; 0 is 23.
	Release int
	// SharedUndo turns local undo off: transaction ids are unique in the whole database.
	SharedUndo bool
	// Instances are the instances of services, from 1 on; a service that is not in it is of instance 1. A session writes to the
	// redo thread of its instance.
	Instances map[string]int
	// Root is the service of the root besides CDB$ROOT; empty is FREE.
	Root string
	// Clock gives the time; its location is the zone of the server. nil is time.Now in UTC.
	Clock func() time.Time
	// UndoRetention is how long old row versions stay readable; 0 is for ever.
	UndoRetention time.Duration
	// FlashbackSpan is how coarse flashback queries know the time of an SCN: so long after a DDL they may still fail; 0 is exactly.
	FlashbackSpan time.Duration
	// DataFiles is how many files a segment is spread over, extent by extent; 0 is 1.
	DataFiles int
	// EndSession ends a session of another client, whose Close is called then; nil refuses to close a PDB that has sessions.
	EndSession func(id int)
}

// Engine is the database: it implements wire.Backend.
type Engine struct {
	redo       Redo
	now        func() time.Time
	store      *store.Store
	containers []catalog.Container
	services   map[string]int // by upper-case name
	instances  map[string]int
	endSession func(id int)
	cache      *statementCache
	extension  atomic.Pointer[extension]
	users      users
	objects    objects
	statements statementLogs
	// constraints counts system-generated constraint names.
	constraints atomic.Int64

	mu        sync.Mutex
	sessions  map[*session]struct{}
	openModes map[int]string // of containers where it was changed
	closing   map[int]bool   // containers that wait for their sessions
	// gone is closed, and replaced, when a session ends or leaves a container.
	gone  chan struct{}
	force bool // FORCE LOGGING
}

type extension struct {
	views      Views
	procedures Procedures
}

// Open makes an empty database.
func Open(cfg Config) (*Engine, error) {
	cfg = cfg.withDefaults()
	if err := cfg.validate(); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	ids := make([]int, len(cfg.Containers))
	for i, c := range cfg.Containers {
		ids[i] = c.ID
	}
	e := &Engine{
		redo: cfg.Redo, now: cfg.Clock, containers: cfg.Containers,
		store:    store.New(store.Config{Log: cfg.Redo, Now: cfg.Clock, Retention: cfg.UndoRetention, Span: cfg.FlashbackSpan, Files: cfg.DataFiles, Containers: ids, SharedUndo: cfg.SharedUndo, OnlineDDL: cfg.Release != 19}),
		services: make(map[string]int), instances: make(map[string]int), cache: newStatementCache(), sessions: make(map[*session]struct{}),
		openModes: make(map[int]string), closing: make(map[int]bool), gone: make(chan struct{}), endSession: cfg.EndSession,
	}
	e.extension.Store(&extension{})
	e.users.set(cfg.Users, cfg.Containers)
	for _, c := range cfg.Containers {
		e.services[strings.ToUpper(c.Name)] = c.ID
	}
	e.services[strings.ToUpper(cfg.Root)] = catalog.Root
	for name, instance := range cfg.Instances {
		e.instances[strings.ToUpper(name)] = instance
	}
	for name, container := range cfg.Services {
		e.services[strings.ToUpper(name)] = e.services[strings.ToUpper(container)]
	}
	// Everything that capture needs is there at the start (contracts 9).
	e.store.Preset(store.Logging{Minimal: true})
	return e, nil
}

func (c Config) withDefaults() Config {
	if c.Containers == nil {
		c.Containers = []catalog.Container{
			{ID: catalog.Root, Name: "CDB$ROOT", OpenMode: "READ WRITE"},
			{ID: catalog.PDBSeed + 1, Name: "FREEPDB1", OpenMode: "READ WRITE"},
		}
	}
	if c.Users == nil {
		c.Users = []catalog.User{
			{Name: "SYS", Password: "oracle", Common: true, OracleMaintained: true},
			{Name: "SYSTEM", Password: "oracle", Common: true, OracleMaintained: true},
			{Name: "C##CDC", Password: "cdc", Common: true, AllContainers: true},
			{Name: "APP", Password: "app"},
		}
	}
	if c.Root == "" {
		c.Root = "FREE"
	}
	if c.Clock == nil {
		c.Clock = func() time.Time { return time.Now().UTC() } //nolint:forbidigo // the clock to inject
	}
	return c
}

func (c *Config) validate() error {
	var errs []error
	if c.Redo == nil {
		errs = append(errs, errors.New("redo stream is missing"))
	}
	seen := make(map[int]bool)
	for _, x := range c.Containers {
		if seen[x.ID] || x.ID <= 0 || x.Name == "" {
			errs = append(errs, fmt.Errorf("container %d %q: id must be positive and unique, name set", x.ID, x.Name))
		}
		seen[x.ID] = true
	}
	if !seen[catalog.Root] {
		errs = append(errs, errors.New("container 1 (CDB$ROOT) is missing"))
	}
	return errors.Join(errs...)
}

// Extend gives the engine the views and procedures that read its state; either may be nil.
func (e *Engine) Extend(views Views, procedures Procedures) {
	e.extension.Store(&extension{views: views, procedures: procedures})
}

func (e *Engine) views() Views { return e.extension.Load().views }

func (e *Engine) procedures() Procedures { return e.extension.Load().procedures }

// Service reports whether a service name is known.
func (e *Engine) Service(name string) bool {
	_, ok := e.services[strings.ToUpper(name)]
	return ok
}

// Password returns the password of a user in the container of a service.
func (e *Engine) Password(service, user string) (password string, known bool) {
	container, ok := e.services[strings.ToUpper(service)]
	if !ok {
		return "", false
	}
	u, ok := e.users.find(container, userName(user))
	return u.Password, ok
}

// userName gives a user name as the dictionary has it: upper case unless quoted.
func userName(name string) string {
	if n := len(name); n >= 2 && name[0] == '"' && name[n-1] == '"' {
		return name[1 : n-1]
	}
	return strings.ToUpper(name)
}

// Open begins a session; the wire has verified the password.
func (e *Engine) Open(ctx context.Context, logon wire.Logon) (wire.Session, error) {
	container, ok := e.services[strings.ToUpper(logon.Service)]
	if !ok {
		return nil, wire.Errorf(12514, "TNS:listener does not currently know of service requested in connect descriptor")
	}
	u, ok := e.users.find(container, userName(logon.User))
	if !ok {
		return nil, wire.Errorf(1017, "invalid username/password; logon denied")
	}
	s := newSession(e, logon, u, container)
	s.enableRoles()
	if err := mayOpen(s); err != nil {
		return nil, err
	}
	if logon.Alter != "" {
		if err := s.alterAtLogon(ctx, logon.Alter); err != nil {
			return nil, err
		}
	}
	if err := e.enter(s); err != nil {
		return nil, err
	}
	return s, nil
}
