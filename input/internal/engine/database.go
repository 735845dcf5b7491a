package engine

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// database is what the miner asks of Oracle. There is one in the product; tests put a synthetic one in its place.
type database interface {
	source
	// connect opens the sessions anew and judges the database: fit for capture, and the one of the identity, if there is one
	// (R125, R126). offset is what its wall clock is ahead of UTC.
	connect(ctx context.Context, id *position.Identity) (facts oracle.Database, offset time.Duration, err error)
	// scn gives CURRENT_SCN.
	scn(ctx context.Context) (position.SCN, error)
	// open lists the transactions that are open now.
	open(ctx context.Context) ([]oracle.OpenTransaction, error)
	// describe reads the tables that match, and before that the SCN and the containers.
	describe(ctx context.Context) (dictionary, error)
	// unrecoverable lists the tablespaces that had a change without redo, with the last one of each.
	unrecoverable(ctx context.Context) ([]oracle.Unrecoverable, error)
	// tablesIn lists the tables that match and live in a tablespace.
	tablesIn(ctx context.Context, in oracle.Container, tablespace string) ([]schema.Table, error)
	// modified gives the second of the last DDL on objects, in the form of dictionary.at; none of those that are gone.
	modified(ctx context.Context, container int, ids []uint64) (map[uint64]string, error)
	// called gives the names of objects; none of those that are gone.
	called(ctx context.Context, container int, ids []uint64) (map[uint64]oracle.ObjectName, error)
	// began gives an SCN at or below the first redo of an open transaction (R89).
	began(ctx context.Context, t oracle.OpenTransaction) (position.SCN, error)
	// reaches reports whether everything behind a boundary can be mined, in the way that a step would fail.
	reaches(ctx context.Context, from position.Boundary) error
	// start gives the boundary for a first start at an SCN (R89).
	start(ctx context.Context, q position.SCN) (position.Boundary, error)
}

// dictionary is one reading of the tables that match.
type dictionary struct {
	// read is the SCN before it.
	read position.SCN
	// at is the database's time before it.
	at   string
	pdbs []oracle.Container
	// storage is how the containers store values.
	storage map[int]oracle.Storage
	tables  []oracle.Description
	// children are the tables that a TRUNCATE … CASCADE of another one empties too, by that.
	children map[schema.Table][]schema.Table
}

// oracleDatabase is the database of the product.
type oracleDatabase struct {
	logMiner
	// granted: the grants were looked at; they need no second look after a lost connection.
	granted bool
}

func newOracleDatabase(c *Config) *oracleDatabase {
	return &oracleDatabase{logMiner: logMiner{
		config: c, sessions: newSessions(c.Oracle), pace: redolog.NewPace(c.MaxLogsPerStep), net: logminer.NewNet(),
	}}
}

func (d *oracleDatabase) close() error { return d.sessions.close() }

func (d *oracleDatabase) connect(ctx context.Context, id *position.Identity) (oracle.Database, time.Duration, error) {
	for _, role := range []oracle.Role{oracle.Mining, oracle.Bookkeeping, oracle.Dictionary} {
		d.sessions.drop(role)
	}
	facts, err := d.read(ctx)
	if err != nil {
		return oracle.Database{}, 0, err
	}
	if err := facts.Check(); err != nil {
		return oracle.Database{}, 0, err
	}
	if id != nil {
		if err := facts.Continue(*id); err != nil {
			return oracle.Database{}, 0, err
		}
	}
	books, err := d.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return oracle.Database{}, 0, err
	}
	offset, err := oracle.ServerOffset(ctx, books)
	if err != nil {
		return oracle.Database{}, 0, err
	}
	d.facts = facts
	return facts, offset, nil
}

// read asks the database what it is, once the capture user may ask.
func (d *oracleDatabase) read(ctx context.Context) (oracle.Database, error) {
	books, err := d.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return oracle.Database{}, err
	}
	if !d.granted {
		// The session that will mine is the one that calls DBMS_LOGMNR.
		mining, err := d.sessions.get(ctx, oracle.Mining)
		if err != nil {
			return oracle.Database{}, err
		}
		if err := oracle.CheckGrants(ctx, mining); err != nil {
			return oracle.Database{}, err
		}
		d.granted = true
	}
	return oracle.ReadDatabase(ctx, books)
}

func (d *oracleDatabase) scn(ctx context.Context) (position.SCN, error) {
	books, err := d.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return 0, err
	}
	return oracle.CurrentSCN(ctx, books)
}

func (d *oracleDatabase) open(ctx context.Context) ([]oracle.OpenTransaction, error) {
	books, err := d.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return nil, err
	}
	return oracle.OpenTransactions(ctx, books)
}

func (d *oracleDatabase) began(ctx context.Context, t oracle.OpenTransaction) (position.SCN, error) {
	books, err := d.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return 0, err
	}
	return t.Began(ctx, books)
}

func (d *oracleDatabase) unrecoverable(ctx context.Context) ([]oracle.Unrecoverable, error) {
	session, err := d.sessions.get(ctx, oracle.Dictionary)
	if err != nil {
		return nil, err
	}
	return oracle.ReadUnrecoverable(ctx, session)
}

func (d *oracleDatabase) tablesIn(ctx context.Context, in oracle.Container, tablespace string) ([]schema.Table, error) {
	session, err := d.sessions.get(ctx, oracle.Dictionary)
	if err != nil {
		return nil, err
	}
	return oracle.TablesIn(ctx, session, in, tablespace, d.config.Selection.Captured)
}

func (d *oracleDatabase) describe(ctx context.Context) (dictionary, error) {
	session, err := d.sessions.get(ctx, oracle.Dictionary)
	if err != nil {
		return dictionary{}, err
	}
	var now dictionary
	if now.read, err = oracle.CurrentSCN(ctx, session); err != nil {
		return dictionary{}, err
	}
	if now.at, err = oracle.DatabaseTime(ctx, session); err != nil {
		return dictionary{}, err
	}
	if err := d.facts.ReadLogging(ctx, session); err != nil {
		return dictionary{}, err
	}
	if d.facts.CDB {
		// A container may have been made, opened or closed since the database was connected.
		if d.facts.PDBs, err = oracle.ReadPDBs(ctx, session); err != nil {
			return dictionary{}, err
		}
	}
	now.pdbs = d.facts.PDBs
	if now.storage, err = oracle.ReadStorage(ctx, session); err != nil {
		return dictionary{}, err
	}
	containers, err := d.facts.Captured(d.config.PDBs)
	if err != nil {
		return dictionary{}, err
	}
	now.children = map[schema.Table][]schema.Table{}
	for _, c := range containers {
		if err := oracle.Cascades(ctx, session, c, now.children); err != nil {
			return dictionary{}, err
		}
		described, err := oracle.Describe(ctx, session, d.facts, c, d.config.Selection.Captured, d.config.KeyRule())
		if err != nil {
			return dictionary{}, err
		}
		if d.config.Defaults {
			if err := oracle.Defaults(ctx, session, d.facts, c, described); err != nil {
				d.sessions.drop(oracle.Dictionary) // it may have stayed in the container
				return dictionary{}, err
			}
		}
		now.tables = append(now.tables, described...)
	}
	return now, nil
}

func (d *oracleDatabase) modified(ctx context.Context, container int, ids []uint64) (map[uint64]string, error) {
	session, err := d.sessions.get(ctx, oracle.Dictionary)
	if err != nil {
		return nil, err
	}
	times := make(map[uint64]string, len(ids))
	return times, oracle.Modified(ctx, session, container, ids, times)
}

func (d *oracleDatabase) called(ctx context.Context, container int, ids []uint64) (map[uint64]oracle.ObjectName, error) {
	session, err := d.sessions.get(ctx, oracle.Dictionary)
	if err != nil {
		return nil, err
	}
	names := make(map[uint64]oracle.ObjectName, len(ids))
	return names, oracle.ObjectNames(ctx, session, container, ids, names)
}
