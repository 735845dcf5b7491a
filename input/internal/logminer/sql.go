package logminer

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// Options of START_LOGMNR: DICT_FROM_ONLINE_CATALOG (16), NO_SQL_DELIMITER (64), NO_ROWID_IN_STMT (2048); 2128 together
// (reference logminer A.2). Never SKIP_CORRUPTION, which hides lost blocks, nor COMMITTED_DATA_ONLY, which buffers
// transactions in the database and would be believed about their order (P3).
const options = 16 + 64 + 2048

// replayOptions has DICT_FROM_REDO_LOGS (32) and DDL_DICT_TRACKING (8) in the place of the online catalog, 2152 together: rows have the
// names of their moment (R45, reference logminer G.3).
const replayOptions = 32 + 8 + 64 + 2048

// Statements of DBMS_LOGMNR (reference logminer A.1). NEW (1) ends an earlier session and begins an empty list, ADDFILE
// (3) appends. They run on the mining session only: its state is bound to the connection.
var (
	newFile = oracle.Statement{
		Name: "DBMS_LOGMNR.ADD_LOGFILE",
		Text: `BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => 1); END;`,
	}
	addFile = oracle.Statement{
		Name: "DBMS_LOGMNR.ADD_LOGFILE",
		Text: `BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => 3); END;`,
	}
	start       = starting(options)
	startReplay = starting(replayOptions)
	end         = oracle.Statement{Name: "DBMS_LOGMNR.END_LOGMNR", Text: `BEGIN DBMS_LOGMNR.END_LOGMNR; END;`}
)

func starting(options int) oracle.Statement {
	return oracle.Statement{
		Name: "DBMS_LOGMNR.START_LOGMNR",
		Text: `BEGIN DBMS_LOGMNR.START_LOGMNR(StartScn => :1, EndScn => :2, Options => ` + strconv.Itoa(options) + `); END;`,
	}
}
