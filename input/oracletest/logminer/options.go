package logminer

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Options of ADD_LOGFILE (reference logminer A.2).
const (
	optionNew        = 1
	optionRemoveFile = 2
	optionAddFile    = 3
)

// Options of START_LOGMNR (reference logminer A.2).
const (
	noDictResetOnSelect   = 1
	committedDataOnly     = 2
	skipCorruption        = 4
	ddlDictTracking       = 8
	dictFromOnlineCatalog = 16
	dictFromRedoLogs      = 32
	noSQLDelimiter        = 64
	printPrettySQL        = 512
	continuousMine        = 1024
	noRowIDInStmt         = 2048
	stringLiteralsInStmt  = 4096
)

var constants = map[string]int64{
	"NEW": optionNew, "REMOVEFILE": optionRemoveFile, "ADDFILE": optionAddFile,
	"NO_DICT_RESET_ONSELECT": noDictResetOnSelect, "COMMITTED_DATA_ONLY": committedDataOnly,
	"SKIP_CORRUPTION": skipCorruption, "DDL_DICT_TRACKING": ddlDictTracking,
	"DICT_FROM_ONLINE_CATALOG": dictFromOnlineCatalog, "DICT_FROM_REDO_LOGS": dictFromRedoLogs,
	"NO_SQL_DELIMITER": noSQLDelimiter, "PRINT_PRETTY_SQL": printPrettySQL, "CONTINUOUS_MINE": continuousMine,
	"NO_ROWID_IN_STMT": noRowIDInStmt, "STRING_LITERALS_IN_STMT": stringLiteralsInStmt,
}

// Constant gives the value of DBMS_LOGMNR.X.
func (m *Miner) Constant(name string) (datum.Datum, bool) {
	member, ok := packageMember(name)
	list := constants
	if !ok {
		member, ok = buildMember(name)
		list = buildConstants
	}
	if !ok {
		return datum.Datum{}, false
	}
	value, ok := list[member]
	if !ok {
		return datum.Datum{}, false
	}
	return relation.Int(value), true
}

// Options of DBMS_LOGMNR_D.BUILD (reference logminer A.2).
const (
	storeInFlatFile = 1
	storeInRedoLogs = 2
)

var buildConstants = map[string]int64{"STORE_IN_FLAT_FILE": storeInFlatFile, "STORE_IN_REDO_LOGS": storeInRedoLogs}

// buildMember strips SYS.DBMS_LOGMNR_D from a name.
func buildMember(name string) (string, bool) {
	name = strings.TrimPrefix(strings.ToUpper(strings.ReplaceAll(name, `"`, "")), "SYS.")
	return strings.CutPrefix(name, "DBMS_LOGMNR_D.")
}

// packageMember strips SYS.DBMS_LOGMNR from a name.
func packageMember(name string) (string, bool) {
	name = strings.TrimPrefix(strings.ToUpper(strings.ReplaceAll(name, `"`, "")), "SYS.")
	return strings.CutPrefix(name, "DBMS_LOGMNR.")
}

func flatFile() error {
	return stacked(wire.Errorf(44613, "LogMiner flat file dictionary is de-supported"))
}

const knownOptions = noDictResetOnSelect | committedDataOnly | skipCorruption | ddlDictTracking | dictFromOnlineCatalog |
	dictFromRedoLogs | noSQLDelimiter | printPrettySQL | noRowIDInStmt | stringLiteralsInStmt

// checkOptions refuses options of START_LOGMNR that contradict each other, that a release 19 or later does not have
// (CONTINUOUS_MINE, reference logminer M), or that this server cannot do.
func (m *Miner) checkOptions(options int64) error {
	dictionaries := options & (dictFromOnlineCatalog | dictFromRedoLogs)
	switch {
	case options&^knownOptions != 0,
		dictionaries == dictFromOnlineCatalog|dictFromRedoLogs,
		options&ddlDictTracking != 0 && dictionaries != dictFromRedoLogs:
		return stacked(wire.Errorf(1283, "Options parameter specified is invalid"))
	}
	if dictionaries == 0 && m.config.Release >= 23 {
		return flatFile()
	}
	return nil
}
