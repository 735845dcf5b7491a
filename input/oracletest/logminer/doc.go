// Package logminer is LogMiner: the procedures of DBMS_LOGMNR, the state they keep with a session, and
// V$LOGMNR_CONTENTS, which turns redo records into rows with SQL_REDO and SQL_UNDO text (reference logminer A to F).
// It reads redo and the dictionary and changes neither, but for the copy of the dictionary that DBMS_LOGMNR_D.BUILD puts into the redo.
//
// The warts of the redo (redo.Warts) show here: those of records are in the records, those of queries are read when a
// query begins.
//
// It is called by the engine through its Views and Procedures. It owns no goroutine.
//
// The tables below are the promise; doc_test.go holds them to what there is.
//
// # Views
//
//	V$LOGMNR_CONTENTS    SCN START_SCN COMMIT_SCN CSCN SAFE_RESUME_SCN TIMESTAMP START_TIMESTAMP COMMIT_TIMESTAMP XID XIDUSN XIDSLT
//	                     XIDSQN PXID PXIDUSN PXIDSLT PXIDSQN TX_NAME OBJECT_ID EDITION_NAME CLIENT_ID AUDIT_SESSIONID OPERATION
//	                     OPERATION_CODE ROLLBACK STATUS CSF SEG_OWNER SEG_NAME TABLE_NAME SEG_TYPE SEG_TYPE_NAME TABLE_SPACE ROW_ID
//	                     USERNAME OS_USERNAME MACHINE_NAME SESSION_INFO SESSION# SERIAL# SQL_REDO SQL_UNDO INFO RS_ID SSN RBASQN RBABLK
//	                     RBABYTE UBAFIL UBABLK UBAREC UBASQN ABS_FILE# REL_FILE# DATA_BLK# DATA_OBJ# DATA_OBJD# DATA_OBJV# REDO_VALUE
//	                     UNDO_VALUE SEQUENCE# THREAD# SRC_CON_NAME SRC_CON_ID SRC_CON_DBID SRC_CON_UID SRC_CON_GUID CON_ID
//	V$LOGMNR_LOGS        LOG_ID FILENAME LOW_TIME HIGH_TIME DB_ID DB_NAME RESET_SCN RESET_SCN_TIME THREAD_ID THREAD_SQN LOW_SCN NEXT_SCN
//	                     DICTIONARY_BEGIN DICTIONARY_END TYPE BLOCKSIZE FILESIZE INFO STATUS CON_ID
//	V$LOGMNR_PARAMETERS  START_DATE REQUIRED_START_DATE END_DATE START_SCN REQUIRED_START_SCN END_SCN OPTIONS INFO STATUS CON_ID
//
// # Procedures of DBMS_LOGMNR
//
//	ADD_LOGFILE     LogFileName Options
//	REMOVE_LOGFILE  LogFileName
//	START_LOGMNR    StartScn EndScn StartTime EndTime Options
//	END_LOGMNR
//
// # Procedures of DBMS_LOGMNR_D
//
//	BUILD  OPTIONS: STORE_IN_REDO_LOGS only (ORA-44613); the log with its end is switched; what it writes shows in no row; inside a PDB
//	       it runs and leaves nothing
//
// # Options of START_LOGMNR
//
//	NO_DICT_RESET_ONSELECT    without effect, as it is obsolete
//	COMMITTED_DATA_ONLY       transactions in the order of their COMMITs; ORA-04036 when they do not fit into memory
//	SKIP_CORRUPTION           a row CORRUPTED_BLOCKS with STATUS 1343, not ORA-01343
//	DDL_DICT_TRACKING         with DICT_FROM_REDO_LOGS only (ORA-01283): rows have the names of their moment
//	DICT_FROM_ONLINE_CATALOG  names of today
//	DICT_FROM_REDO_LOGS       names of the newest complete copy that is not younger than the range: ORA-01333 without one, ORA-01371 for an
//	                          incomplete one and inside a PDB, ORA-01321 if all are younger
//	NO_SQL_DELIMITER          no ; behind statements
//	PRINT_PRETTY_SQL          a line per clause and column; the values of an INSERT have names
//	CONTINUOUS_MINE           ORA-01283: gone since 19.1
//	NO_ROWID_IN_STMT          no ROWID in the WHERE of rows that are not undo
//	STRING_LITERALS_IN_STMT   fixed formats of literals whatever the session's NLS settings are
package logminer
