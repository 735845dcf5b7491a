package logminer

import (
	"context"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Dictionary is today's dictionary, the "online catalog".
type Dictionary interface {
	// Table returns the layout that an object id of a container has now.
	Table(container int, objectID uint32) (*catalog.Table, bool)
	Containers() []catalog.Container
	// BeginBuild writes the first record of a copy of the dictionary.
	BeginBuild(ctx context.Context, by redo.Origin) (*redo.Build, error)
}

// Config of a Miner. All fields but Zone are needed.
type Config struct {
	Stream     *redo.Stream
	Dictionary Dictionary
	// Release is 19 or 23.
	Release int
	// Zone is that of the server's operating system, in which TIMESTAMP shows (reference logminer B.2); nil is UTC.
	Zone *time.Location
	// DBID and DBName of the database, for V$LOGMNR_LOGS.
	DBID   uint32
	DBName string
	// SharedUndo says that local undo is off: START, COMMIT and ROLLBACK then show the root (R117, nobody has recorded it).
	SharedUndo bool
}

// Miner serves LogMiner to all sessions. It implements engine.Views, engine.Procedures and engine.Constants.
type Miner struct {
	config Config
	late   lateRows
}

// New makes a Miner.
func New(config Config) *Miner {
	if config.Zone == nil {
		config.Zone = time.UTC
	}
	return &Miner{config: config, late: lateRows{passed: map[lateRow]struct{}{}}}
}

// View finds V$LOGMNR_CONTENTS, V$LOGMNR_LOGS and V$LOGMNR_PARAMETERS, also by the names that SYS owns.
func (m *Miner) View(owner, name string) (engine.View, bool) {
	if owner != "" && owner != "SYS" && owner != "PUBLIC" {
		return nil, false
	}
	if owner == "SYS" {
		name = strings.Replace(name, "V_$", "V$", 1)
	}
	switch name {
	case "V$LOGMNR_CONTENTS":
		return newContents(m), true
	case "V$LOGMNR_LOGS":
		return m.logsView(), true
	case "V$LOGMNR_PARAMETERS":
		return m.parametersView(), true
	}
	return nil, false
}

// Call runs the procedures of DBMS_LOGMNR and DBMS_LOGMNR_D.
func (m *Miner) Call(ctx context.Context, caller engine.Caller, name string, args []engine.Argument) (known bool, err error) {
	if member, ok := buildMember(name); ok && member == "BUILD" {
		return true, m.build(ctx, caller, args)
	}
	member, ok := packageMember(name)
	if !ok {
		return false, nil
	}
	state := sessionOf(caller)
	switch member {
	case "ADD_LOGFILE":
		return true, m.addLogfile(caller, state, args)
	case "REMOVE_LOGFILE":
		return true, m.removeLogfile(state, args)
	case "START_LOGMNR":
		return true, m.startLogmnr(caller, state, args)
	case "END_LOGMNR":
		return true, m.endLogmnr(state, args)
	}
	return false, nil
}
