package oracletest

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/views"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Server is a running database. Its methods may be called from any goroutine.
type Server struct {
	config Config
	stream *redo.Stream
	engine *engine.Engine
	wire   *wire.Server

	stop    context.CancelFunc
	running sync.WaitGroup
}

// Start starts a server. It runs until Close, which must be called; ctx gives its values, not its end, so that a test may
// hand in its own context and close the clients of the server first.
func Start(ctx context.Context, config Config) (*Server, error) {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return nil, fmt.Errorf("stand-in: %w", err)
	}
	s := &Server{config: config}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("stand-in: %w", err)
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	var err error
	s.wire, err = wire.Listen(ctx, wire.Config{
		Address: config.Listen, SDU: config.SDU, Release: config.Release, Backend: s.engine, Log: config.Log, Errors: config.Errors,
		BitVectors: config.BitVectors, TLS: config.TLS,
	})
	if err != nil {
		s.stop()
		s.stream.Close()
		return nil, err
	}
	// It ends with ctx and without an error only.
	s.running.Go(func() { _ = s.stream.Archive(ctx) })
	return s, nil
}

// open puts the layers together.
func (s *Server) open() error {
	c := s.config
	var err error
	s.stream, err = redo.Open(redo.Config{
		Threads: c.Instances, Groups: c.LogGroups, LogSize: c.LogSize, ArchiveDelay: c.ArchiveDelay, ArchiveKeep: c.ArchiveKeep, FirstSCN: c.FirstSCN, Now: c.Now,
		MemoryBudget: c.RedoMemory, Warts: c.Warts,
	})
	if err != nil {
		return err
	}
	all := containers(c.PDBs)
	services, instances := instanceServices(all, c.Instances)
	s.engine, err = engine.Open(engine.Config{
		Containers: all, Users: users(), Redo: s.stream, Root: Name, UndoRetention: c.UndoRetention, FlashbackSpan: c.FlashbackSpan, DataFiles: c.DataFiles,
		Services: services, Instances: instances, SharedUndo: c.SharedUndo, Release: c.Release,
		Clock:      func() time.Time { return c.Now().In(c.Zone) },
		EndSession: func(id int) { s.wire.Kill(id, wire.Close) },
	})
	if err != nil {
		return err
	}
	dbid := all[0].DBID
	fixed := views.New(views.Config{
		Stream: s.stream, Database: source{s.engine, s.stream}, Release: c.Release, DBID: dbid, Name: Name, Zone: c.Zone, Startup: c.Now(), SharedUndo: c.SharedUndo,
		LogMode: c.LogMode, Role: c.Role,
	})
	miner := logminer.New(logminer.Config{
		Stream: s.stream, Dictionary: s.engine, Release: c.Release, Zone: c.Zone, DBID: dbid, DBName: Name, SharedUndo: c.SharedUndo,
	})
	s.engine.Extend(viewList{miner, fixed}, miner)
	return nil
}

// Close ends all sessions, the listener and the archiver, and waits for them.
func (s *Server) Close() error {
	s.stop()
	s.stream.Close()
	err := s.wire.Close()
	s.running.Wait()
	return err
}

// Addr returns the address that clients connect to.
func (s *Server) Addr() string { return s.wire.Addr().String() }

// DSN returns what go-ora connects with. service is Name or a PDB.
func (s *Server) DSN(user, password, service string) string {
	u := url.URL{Scheme: "oracle", User: url.UserPassword(user, password), Host: s.Addr(), Path: "/" + service}
	return u.String()
}

// AddFault lets the wire fail (package wire).
func (s *Server) AddFault(f wire.Fault) *wire.FaultHandle { return s.wire.AddFault(f) }

// Wire returns the listener: sessions can be listed and killed there.
func (s *Server) Wire() *wire.Server { return s.wire }

// SwitchLogfile does what ALTER SYSTEM SWITCH LOGFILE does.
func (s *Server) SwitchLogfile(ctx context.Context) error { return s.stream.SwitchLogfile(ctx) }

// SwitchThread switches the log of an instance's redo thread.
func (s *Server) SwitchThread(ctx context.Context, thread int) error {
	return s.stream.SwitchThread(ctx, thread)
}

// SetThread changes what V$THREAD shows of a redo thread.
func (s *Server) SetThread(thread int, open bool, enabled redo.Enabled) error {
	return s.stream.SetThread(thread, open, enabled)
}

// SetOpenMode changes the OPEN_MODE of a PDB, such as MOUNTED: LogMiner and the CDB_ views go by it (reference logminer A.7, I), and
// nobody logs on to a PDB that is not open. ALTER PLUGGABLE DATABASE does the same and ends the sessions in it.
func (s *Server) SetOpenMode(pdb, mode string) error { return s.engine.SetOpenMode(pdb, mode) }

// PurgeArchived deletes the archived logs with NEXT_CHANGE# <= before as RMAN does, and returns how many.
func (s *Server) PurgeArchived(before redo.SCN) int { return s.stream.Purge(before, true) }

// RemoveArchived removes their files without telling the database.
func (s *Server) RemoveArchived(before redo.SCN) int { return s.stream.Purge(before, false) }

// SetWarts replaces what redo and LogMiner do wrong, for what is written and for queries that begin from now on.
func (s *Server) SetWarts(w redo.Warts) error { return s.stream.SetWarts(w) }

// Warts returns what is set, with what is left of counts.
func (s *Server) Warts() redo.Warts { return s.stream.Warts() }

// PauseLogWriter keeps redo from the logs until resume is called; commits go on (R20, R30).
func (s *Server) PauseLogWriter() (resume func()) { return s.stream.PauseWriter() }

// ExpireUndo lets the undo of commits up to an SCN be overwritten: AS OF an SCN below, and what is still being read as of one, is ORA-01555
// (reference logminer J).
func (s *Server) ExpireUndo(before redo.SCN) { s.engine.ExpireUndo(before) }

// LogStatements begins a log of what clients execute: the texts, the rows they got and the rows of each table that were visited, by what
// path. Stop ends it.
func (s *Server) LogStatements() *engine.StatementLog { return s.engine.LogStatements() }

// PauseDDL keeps ADD COLUMN and what else does not wait for open transactions (release 23) between its row and its COMMIT until resume is
// called; meanwhile others change the table in its old layout (R94).
func (s *Server) PauseDDL() (resume func()) { return s.engine.PauseDDL() }

// CurrentSCN returns the newest SCN.
func (s *Server) CurrentSCN() redo.SCN { return s.stream.CurrentSCN() }

// Stats counts what there is.
type Stats struct {
	SCN      redo.SCN `json:"scn"`
	Sequence uint32   `json:"sequence"` // of the current log
	Archived int      `json:"archived"` // archived logs that the control file lists as available
	Sessions int      `json:"sessions"`
	Open     int      `json:"open_transactions"`
}

// Stats counts now.
func (s *Server) Stats() Stats {
	stats := Stats{SCN: s.CurrentSCN(), Sessions: len(s.engine.Sessions()), Open: len(s.engine.Transactions())}
	for _, t := range s.stream.Threads() {
		stats.Sequence = t.Sequence
	}
	for _, a := range s.stream.Archived() {
		if !a.Deleted {
			stats.Archived++
		}
	}
	return stats
}
