package oracle

import "github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"

// Class says what an error asks for.
type Class int

// Classes of errors (contracts 6).
const (
	// Stop: end capture with the typed error.
	Stop Class = iota
	// Reconnect: throw the sessions away, connect again, same range.
	Reconnect
	// ReMine: mine the same range again.
	ReMine
	// Ignore: the call had nothing to do.
	Ignore
	// SnapshotRetry: read the chunk again at a new SCN.
	SnapshotRetry
)

// String names the class for logs.
func (c Class) String() string {
	switch c {
	case Reconnect:
		return "reconnect"
	case ReMine:
		return "re-mine"
	case Ignore:
		return "ignore"
	case SnapshotRetry:
		return "snapshot retry"
	case Stop:
	}
	return "stop"
}

// rule is one row of the table of ORA codes.
type rule struct {
	class Class
	// code is what the error becomes: at once, or when the retries have run out.
	code stop.Code
	// retries bounds repeats of the same error in a row; 0: as the class says.
	retries int
	// do is what the operator does; empty: the code's own action.
	do string
}

// Retries of a class where the code says nothing: R10 and mining.max_step_retries; reconnecting is bounded by time.
const reMineRetries = 20

// Operator actions that the codes' own do not say.
const (
	doService     = "correct the service in connection_string, or start the database that offers it"
	doCredentials = "correct user and password in connection_string, or the fields username and password, then restart; it is not tried again, so that the account is not locked"
	doLogon       = "GRANT CREATE SESSION TO <capture user> CONTAINER = ALL (resources/sql/setup-cdb.sql, step 3), then restart"
	doAccount     = "unlock the account or renew its password, then restart; it is not tried again"
	doGrants      = "grant the capture user what the statement named reads (resources/sql/setup-cdb.sql, step 3), then restart"
	doPDB         = "open the pluggable database, and ALTER PLUGGABLE DATABASE ... SAVE STATE"
	doRoot        = "connect to the service of CDB$ROOT; mining inside a PDB is not supported yet"
	doIncarnation = "the logs belong to another database or incarnation: begin anew with a new topic_prefix"
	doSupplement  = "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA, then begin anew with a new topic_prefix"
)

// oraRule is the one table from ORA numbers to classes (reference logminer K, contracts 6, correctness R125, R127).
func oraRule(code int) (rule, bool) {
	switch code {
	// The instance or the connection is gone, or the session's memory is exhausted.
	case 28, 31, 1001, 1012, 1033, 1034, 1089, 1090, 1092, 1109, 2396, 3113, 3114, 3135, 4068, 25408,
		12170, 12516, 12528, 12537, 12541, 12543,
		1341, 4030, 4036:
		return rule{class: Reconnect, code: stop.Unavailable}, true
	case 12514:
		return rule{class: Reconnect, code: stop.Unavailable, do: doService}, true
	case 16331:
		return rule{class: Reconnect, code: stop.Unavailable, do: doPDB}, true

	// The range was not read to its end; never the end of the data (reference logminer N 1).
	case 310, 334, 600, 1013, 1280, 1281, 1289, 1292, 1304, 1306, 1309, 1317, 1327, 1368:
		return rule{class: ReMine, code: stop.StepFailed}, true
	case 1291:
		return rule{class: ReMine, code: stop.RedoGap, retries: 20}, true
	case 1284, 1285:
		return rule{class: ReMine, code: stop.RedoPurged, retries: 3}, true

	case 1290, 1307:
		return rule{class: Ignore, code: stop.StepFailed}, true

	case 1466, 1555, 1882, 8103, 8180, 8181, 22924:
		return rule{class: SnapshotRetry, code: stop.SnapshotOld}, true
	}
	return oraStop(code)
}

// oraStop holds the rows whose class is Stop.
func oraStop(code int) (rule, bool) {
	switch code {
	case 308, 16226:
		return rule{code: stop.RedoPurged}, true
	case 1287, 1295, 1324, 1346:
		return rule{code: stop.Identity, do: doIncarnation}, true
	case 65040:
		return rule{code: stop.Identity, do: doRoot}, true
	case 1325:
		return rule{code: stop.Identity, do: doArchivelog}, true
	case 1017:
		return rule{code: stop.Privilege, do: doCredentials}, true
	case 1045:
		return rule{code: stop.Privilege, do: doLogon}, true
	case 28000, 28001:
		return rule{code: stop.Privilege, do: doAccount}, true
	case 942, 1031:
		return rule{code: stop.Privilege, do: doGrants}, true
	case 1347, 1354:
		return rule{code: stop.Configuration, do: doSupplement}, true
	case 25191, 30569, 60526, 65053, 65096:
		return rule{code: stop.Configuration}, true
	case 1343, 26653, 26766:
		return rule{code: stop.Corrupt}, true
	case 1288:
		return rule{code: stop.DDL}, true
	case 1321, 1333, 1358, 1371, 44613:
		return rule{code: stop.NoDictionary}, true
	}
	return rule{code: stop.Unclassified}, false
}
