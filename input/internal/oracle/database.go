package oracle

import (
	"context"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Database is what a database says about itself.
type Database struct {
	Name string
	DBID uint64
	// ResetlogsSCN and ResetlogsTime are the incarnation (R125).
	ResetlogsSCN  position.SCN
	ResetlogsTime string
	// Release is VERSION_FULL.
	Release                  string
	CDB                      bool
	LogMode, OpenMode, Role  string
	Minimal, AllKeys, AllCol bool // database-level supplemental logging: minimal, primary key, all columns
	// Container is where the session is: 0 in a non-container database, 1 in CDB$ROOT.
	Container     int
	ContainerName string
	// SharedUndo: transaction ids are not per container.
	SharedUndo bool
	// PDBs are the pluggable databases that the session sees, without the seed.
	PDBs    []Container
	Threads []Thread
}

// Container is a pluggable database, or the whole of a non-container database with ID 0 and no name.
type Container struct {
	ID       int
	Name     string
	DBID     uint64
	GUID     string
	OpenMode string
}

// Readable reports whether the database is open, so that its dictionary can be read.
func (d Database) Readable() bool { return strings.HasPrefix(d.OpenMode, "READ") }

// Open reports whether the container can be read: a closed one blocks mining and hides its dictionary.
func (c Container) Open() bool { return strings.HasPrefix(c.OpenMode, "READ") }

// Thread is a row of V$THREAD.
type Thread struct {
	ID       int
	Open     bool
	Enabled  bool // PUBLIC or PRIVATE
	Sequence uint32
}

// ReadDatabase reads identity, topology and the preconditions of capture; Check judges them.
func ReadDatabase(ctx context.Context, s *Session) (Database, error) {
	db, err := readDatabaseRow(ctx, s)
	if err != nil {
		return Database{}, err
	}
	if db.Release, err = s.one(ctx, instanceVersion); err != nil {
		return Database{}, err
	}
	if db.Threads, err = readThreads(ctx, s); err != nil {
		return Database{}, err
	}
	if !db.CDB {
		return db, nil
	}
	var id, name Text
	err = s.Each(ctx, ownContainer, nil, []any{&id, &name}, func() error {
		db.ContainerName = string(name)
		return Numbers(Number{"CON_ID", id, &db.Container})
	})
	if err != nil {
		return Database{}, err
	}
	undo, err := s.one(ctx, localUndo)
	if err != nil {
		return Database{}, err
	}
	db.SharedUndo = undo != "TRUE"
	db.PDBs, err = ReadPDBs(ctx, s)
	return db, err
}

// ReadLogging reads again what the whole database logs (R108).
func (d *Database) ReadLogging(ctx context.Context, s *Session) error {
	now, err := readDatabaseRow(ctx, s)
	if err == nil {
		d.Minimal, d.AllKeys, d.AllCol = now.Minimal, now.AllKeys, now.AllCol
	}
	return err
}

func readDatabaseRow(ctx context.Context, s *Session) (Database, error) {
	var db Database
	var dbid, name, cdb, logMode, openMode, role, resetlogs, resetlogsTime, minimal, keys, all Text
	found := false
	err := s.Each(ctx, databaseRow, nil, []any{
		&dbid, &name, &cdb, &logMode, &openMode, &role, &resetlogs, &resetlogsTime, &minimal, &keys, &all,
	}, func() (err error) {
		found = true
		db = Database{
			Name: string(name), CDB: cdb.Yes(), LogMode: string(logMode), OpenMode: string(openMode), Role: string(role),
			ResetlogsTime: string(resetlogsTime),
			// IMPLICIT: minimal logging comes with that of keys or columns (reference logminer H.1).
			Minimal: minimal != "NO" && minimal != "", AllKeys: keys.Yes(), AllCol: all.Yes(),
		}
		if db.DBID, err = dbid.Uint64(); err != nil {
			return err
		}
		db.ResetlogsSCN, err = resetlogs.SCN()
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("%s: no row", databaseRow.Name)
	}
	return db, err
}

func readThreads(ctx context.Context, s *Session) ([]Thread, error) {
	var threads []Thread
	var id, status, enabled, sequence Text
	err := s.Each(ctx, redoThreads, nil, []any{&id, &status, &enabled, &sequence}, func() error {
		var n, seq int
		if err := Numbers(Number{"THREAD#", id, &n}, Number{"SEQUENCE#", sequence, &seq}); err != nil {
			return err
		}
		threads = append(threads, Thread{
			ID: n, Open: status == "OPEN", Enabled: enabled != "DISABLED", Sequence: uint32(seq), //nolint:gosec // 32 bits in the redo
		})
		return nil
	})
	return threads, err
}

// FirstPDB is the lowest CON_ID of a user's PDB; 1 is the root and 2 the seed (reference logminer I).
const FirstPDB = 3

// ReadPDBs lists the pluggable databases that the session sees, without the seed.
func ReadPDBs(ctx context.Context, s *Session) ([]Container, error) {
	var pdbs []Container
	var id, name, dbid, guid, mode Text
	err := s.Each(ctx, pdbList, nil, []any{&id, &name, &dbid, &guid, &mode}, func() (err error) {
		c := Container{Name: string(name), GUID: string(guid), OpenMode: string(mode)}
		if c.DBID, err = dbid.Uint64(); err != nil {
			return err
		}
		if err := Numbers(Number{"CON_ID", id, &c.ID}); err != nil {
			return err
		}
		if c.ID >= FirstPDB {
			pdbs = append(pdbs, c)
		}
		return nil
	})
	return pdbs, err
}

// one reads the first column of a query of one row; no row is the empty text.
func (s *Session) one(ctx context.Context, st Statement, args ...any) (string, error) {
	var value Text
	result := ""
	err := s.Each(ctx, st, args, []any{&value}, func() error {
		result = string(value)
		return nil
	})
	return result, err
}

// CurrentSCN reads the bound of a step (R1).
func CurrentSCN(ctx context.Context, s *Session) (position.SCN, error) {
	text, err := s.one(ctx, currentSCN)
	if err != nil {
		return 0, err
	}
	scn, err := Text(text).SCN()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", currentSCN.Name, err)
	}
	if scn == 0 {
		return 0, stop.New(stop.Unavailable, "CURRENT_SCN", "the database is not open")
	}
	return scn, nil
}

// Identity is what a position made on this database holds, with the captured containers (R50).
func (d Database) Identity(captured ...Container) position.Identity {
	id := position.Identity{
		DBID: d.DBID, ResetlogsSCN: d.ResetlogsSCN, ResetlogsTime: d.ResetlogsTime, ReleaseVersion: d.Release,
		PDBs: map[string]position.PDB{},
	}
	for _, c := range captured {
		if c.ID != 0 {
			id.PDBs[c.Name] = position.PDB{ID: c.ID, DBID: c.DBID, GUID: c.GUID}
		}
	}
	return id
}
