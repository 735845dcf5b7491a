package oracle

// Statements about the database (reference logminer H.1, H.3, I; correctness R32, R87, R125, R126). Every one reads a
// single view with plain columns; what belongs together is joined in Go.
var (
	databaseRow = Statement{"read V$DATABASE", `SELECT dbid, name, cdb, log_mode, open_mode, database_role,
       resetlogs_change#, resetlogs_time,
       supplemental_log_data_min, supplemental_log_data_pk, supplemental_log_data_all
  FROM v$database`}

	// CURRENT_SCN is 0 while the database is only mounted (reference logminer I).
	currentSCN = Statement{"read V$DATABASE.CURRENT_SCN", `SELECT current_scn FROM v$database`}

	instanceVersion = Statement{"read V$INSTANCE", `SELECT version_full FROM v$instance`}

	ownContainer = Statement{
		"read the session's container",
		`SELECT SYS_CONTEXT('USERENV', 'CON_ID'), SYS_CONTEXT('USERENV', 'CON_NAME') FROM dual`,
	}

	// Empty without CONTAINER_DATA, without any error (reference logminer A.7).
	pdbList = Statement{"read V$PDBS", `SELECT con_id, name, dbid, guid, open_mode FROM v$pdbs`}

	// LOCAL_UNDO_ENABLED decides whether transaction ids are per container (R117).
	localUndo = Statement{
		"read DATABASE_PROPERTIES",
		`SELECT property_value FROM database_properties WHERE property_name = 'LOCAL_UNDO_ENABLED'`,
	}

	// DATABASE_PROPERTIES shows those of the session's container alone.
	storageProperties = Statement{
		"read CDB_PROPERTIES",
		`SELECT con_id, property_name, property_value FROM cdb_properties
 WHERE property_name IN ('NLS_CHARACTERSET', 'NLS_NCHAR_CHARACTERSET', 'DBTIMEZONE')`,
	}

	redoThreads = Statement{"read V$THREAD", `SELECT thread#, status, enabled, sequence# FROM v$thread`}

	openInstances = Statement{"read GV$INSTANCE", `SELECT inst_id, thread# FROM gv$instance`}

	// The column is XIDSLOT here and XIDSLT in V$LOGMNR_CONTENTS (reference logminer F.4).
	activeTransactions = Statement{
		"read GV$TRANSACTION",
		`SELECT inst_id, con_id, xidusn, xidslot, xidsqn, start_scn, TO_CHAR(start_date, 'YYYY-MM-DD HH24:MI:SS') FROM gv$transaction`,
	}

	// Prepared branches hold their locks without a session; the id is usn.slot.sqn. The CDB_ form of DBA_2PC_PENDING says
	// which container's.
	pendingTransactions = Statement{
		"read CDB_2PC_PENDING",
		`SELECT con_id, local_tran_id, state FROM cdb_2pc_pending`,
	}

	// START_DATE has whole seconds and the mapping steps of 3 seconds: 10 seconds are taken off (R89).
	scnBefore = Statement{
		"map the start of a transaction to an SCN",
		`SELECT TIMESTAMP_TO_SCN(TO_DATE(:1, 'YYYY-MM-DD HH24:MI:SS') - 10 / 86400) FROM dual`,
	}

	serverTime = Statement{"read SYSTIMESTAMP", `SELECT SYSTIMESTAMP FROM dual`}
)
