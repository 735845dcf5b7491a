package oracle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

const (
	doArchivelog = "as SYSDBA: SHUTDOWN IMMEDIATE; STARTUP MOUNT; ALTER DATABASE ARCHIVELOG; ALTER DATABASE OPEN; then restart"
	doMinimal    = "at the root: ALTER DATABASE ADD SUPPLEMENTAL LOG DATA; then restart"
	// What was captured so far ends with the old database: the new one has other SCNs and maybe other rows.
	doSameDatabase = "connect to the database the position was made on; after a restore, an OPEN RESETLOGS or a move " + stop.Anew
	doContainers   = "ALTER USER <capture user> SET CONTAINER_DATA=ALL CONTAINER=CURRENT"
)

// Check judges whether the database can be captured by this version. What it does not cover is refused by name.
func (d Database) Check() error {
	if faults := d.Faults(); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// Faults lists everything that keeps this version from capturing the database, what is to be mended first in front.
func (d Database) Faults() []error {
	var faults []error
	add := func(wrong bool, err *stop.Error) {
		if wrong {
			faults = append(faults, err)
		}
	}
	add(d.CDB && d.Container != 1, stop.New(stop.Identity, d.ContainerName, "mining inside a pluggable database is not supported yet").
		Doing("use the service of CDB$ROOT and a common user"))
	add(d.Role != "PRIMARY", stop.New(stop.Identity, d.Name, "database role %s is not supported yet", d.Role).
		Doing("connect to the primary database"))
	add(d.LogMode != "ARCHIVELOG", stop.New(stop.Identity, d.Name, "the database runs in %s mode", d.LogMode).Doing(doArchivelog))
	add(!strings.HasPrefix(d.OpenMode, "READ WRITE"), stop.New(stop.Unavailable, d.Name, "the database is %s", d.OpenMode).
		Doing("open it READ WRITE: ALTER DATABASE OPEN"))
	add(!d.Minimal, stop.New(stop.Configuration, d.Name, "minimal supplemental logging is off").Doing(doMinimal))
	add(d.CDB && d.SharedUndo, stop.New(stop.Identity, d.Name, "shared undo is not supported yet").
		Doing("switch to local undo (STARTUP UPGRADE, then ALTER DATABASE LOCAL UNDO ON, then a restart)"))
	if err := CheckThreads(d.Threads); err != nil {
		faults = append(faults, err)
	}
	return faults
}

// CheckThreads judges the redo threads: this version mines the redo of one.
func CheckThreads(threads []Thread) error {
	enabled := 0
	for _, t := range threads {
		if t.Enabled {
			enabled++
		}
	}
	switch enabled {
	case 0:
		return stop.New(stop.Identity, "V$THREAD", "no redo thread is enabled").
			Doing("ALTER DATABASE ENABLE PUBLIC THREAD 1, then restart")
	case 1:
		return nil
	}
	return stop.New(stop.Identity, "V$THREAD", "several redo threads are not supported yet (%d are enabled)", enabled).
		Doing("capture from a database with one instance; if the other threads are left over, ALTER DATABASE DISABLE THREAD n, then restart")
}

// Captured gives the containers to look for tables in: those named, every open one without a name, the database itself where
// there are no containers.
func (d Database) Captured(names []string) ([]Container, error) {
	if !d.CDB {
		if len(names) > 0 {
			return nil, stop.New(stop.Configuration, strings.Join(names, ", "), "pluggable databases are named, but the database has no containers").
				Doing("remove pdb_name and pdbs")
		}
		return []Container{{OpenMode: d.OpenMode}}, nil
	}
	if len(d.PDBs) == 0 {
		return nil, stop.New(stop.Privilege, d.Name, "the capture user sees no pluggable database").Doing(doContainers)
	}
	if len(names) == 0 {
		return slices.DeleteFunc(slices.Clone(d.PDBs), func(c Container) bool { return !c.Open() }), nil
	}
	var captured []Container
	for _, name := range names {
		at := slices.IndexFunc(d.PDBs, func(c Container) bool { return strings.EqualFold(c.Name, name) })
		if at < 0 {
			return nil, stop.New(stop.Configuration, name, "there is no such pluggable database, or the capture user does not see it").
				Doing("correct pdb_name or pdbs, or " + doContainers)
		}
		if err := d.PDBs[at].mustBeOpen(); err != nil {
			return nil, err
		}
		captured = append(captured, d.PDBs[at])
	}
	return captured, nil
}

// mustBeOpen refuses a captured container whose dictionary cannot be read now.
func (c Container) mustBeOpen() error {
	if c.Open() {
		return nil
	}
	return stop.New(stop.Unavailable, c.Name, "the pluggable database is %s", c.OpenMode).Doing(doPDB)
}

// Continue judges whether capture from a position can go on here: the identity is the same, and the containers of the position are
// open. A closed one shows none of its tables, which would look like tables that are gone (R106, R126).
func (d Database) Continue(from position.Identity) error {
	if !d.CDB {
		return CheckIdentity(from, d.Identity(d.PDBs...))
	}
	var captured []Container
	for _, c := range d.PDBs {
		if _, ok := from.PDBs[c.Name]; ok {
			captured = append(captured, c)
		}
	}
	if err := CheckIdentity(from, d.Identity(captured...)); err != nil {
		return err
	}
	for _, c := range captured {
		if err := c.mustBeOpen(); err != nil {
			return err
		}
	}
	return nil
}

// CheckIdentity compares the database with the one a position was made on (R125, R126).
func CheckIdentity(stored, now position.Identity) error {
	if stored.DBID != now.DBID {
		return stop.New(stop.Identity, fmt.Sprintf("connected to DBID %d", now.DBID), "the position was made on another database, DBID %d", stored.DBID).
			Doing(doSameDatabase)
	}
	if stored.ResetlogsSCN != now.ResetlogsSCN || stored.ResetlogsTime != now.ResetlogsTime {
		return stop.New(stop.Identity, fmt.Sprintf("connected to RESETLOGS %s of %s", now.ResetlogsSCN, now.ResetlogsTime),
			"the position was made on another incarnation of the database, RESETLOGS %s of %s", stored.ResetlogsSCN, stored.ResetlogsTime).
			Doing(doSameDatabase)
	}
	for name, was := range stored.PDBs {
		is, ok := now.PDBs[name]
		switch {
		case !ok:
			return stop.New(stop.Identity, name, "a captured pluggable database is gone or not captured any more")
		case is != was:
			return stop.New(stop.Identity, name, "a captured pluggable database was replaced: container %d, DBID %d, GUID %s; was %d, %d, %s",
				is.ID, is.DBID, is.GUID, was.ID, was.DBID, was.GUID)
		}
	}
	return nil
}

// CheckIncarnation reads the database's identity again and compares it with what it was when the session connected (R10,
// R125).
func CheckIncarnation(ctx context.Context, s *Session, was Database) error {
	now, err := readDatabaseRow(ctx, s)
	if err != nil {
		return err
	}
	if now.Role != was.Role {
		return stop.New(stop.Identity, now.Name, "database role %s became %s", was.Role, now.Role)
	}
	return CheckIdentity(
		position.Identity{DBID: was.DBID, ResetlogsSCN: was.ResetlogsSCN, ResetlogsTime: was.ResetlogsTime},
		position.Identity{DBID: now.DBID, ResetlogsSCN: now.ResetlogsSCN, ResetlogsTime: now.ResetlogsTime},
	)
}
