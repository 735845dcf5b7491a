package oracle

// Dictionary statements (reference logminer I). CDB_ views show one more column, CON_ID, than DBA_ views and every
// container that is open and visible; in a non-container database CON_ID is 0. The ALL_ views are never used: they hide
// silently what the user has no grant on. All take the container first; those of a schema take its owner too.
var (
	maintainedUsers = Statement{
		"read CDB_USERS",
		`SELECT username FROM cdb_users WHERE con_id = :1 AND oracle_maintained = 'Y'`,
	}

	// *_TAB_COLS and not *_TAB_COLUMNS: hidden, virtual and unused columns count for the segment's layout (R42, R43).
	// DATA_DEFAULT is not in it: as a LONG it is in no CDB_ view, and columnDefaults reads it inside the container.
	columnList = Statement{"read CDB_TAB_COLS", `SELECT table_name, column_name, internal_column_id, segment_column_id,
       data_type, data_type_owner, data_length, char_length, data_precision, data_scale,
       nullable, hidden_column, virtual_column, user_generated, identity_column, default_length
  FROM cdb_tab_cols WHERE con_id = :1 AND owner = :2`}

	// A LONG comes in a round trip of its own, hence the condition. A virtual column has its expression there.
	columnDefaults = Statement{"read DATA_DEFAULT of DBA_TAB_COLS", `SELECT table_name, column_name, data_default
  FROM dba_tab_cols WHERE owner = :1 AND default_length IS NOT NULL AND virtual_column = 'NO'`}

	toRoot = Statement{"ALTER SESSION SET CONTAINER", `ALTER SESSION SET CONTAINER = CDB$ROOT`}

	encryptedColumns = Statement{"read CDB_ENCRYPTED_COLUMNS", `SELECT table_name, column_name FROM cdb_encrypted_columns
 WHERE con_id = :1 AND owner = :2`}

	// A key that is not enabled is not enforced.
	primaryKeys = Statement{"read CDB_CONSTRAINTS", `SELECT table_name, constraint_name FROM cdb_constraints
 WHERE con_id = :1 AND owner = :2 AND constraint_type = 'P' AND status = 'ENABLED'`}

	keyColumns = Statement{"read CDB_CONS_COLUMNS", `SELECT table_name, constraint_name, column_name, position
  FROM cdb_cons_columns WHERE con_id = :1 AND owner = :2`}

	uniqueIndexes = Statement{"read CDB_INDEXES", `SELECT table_name, owner, index_name FROM cdb_indexes
 WHERE con_id = :1 AND table_owner = :2 AND uniqueness = 'UNIQUE' AND status = 'VALID'`}

	indexColumns = Statement{"read CDB_IND_COLUMNS", `SELECT table_name, index_owner, index_name, column_name, column_position
  FROM cdb_ind_columns WHERE con_id = :1 AND table_owner = :2`}

	// Tables that go with another one in TRUNCATE … CASCADE, and what their keys refer to.
	cascadingKeys = Statement{"read foreign keys of CDB_CONSTRAINTS", `SELECT owner, table_name, r_owner, r_constraint_name FROM cdb_constraints
 WHERE con_id = :1 AND owner <> 'SYS' AND constraint_type = 'R' AND delete_rule = 'CASCADE'`}

	referredKeys = Statement{"read referred keys of CDB_CONSTRAINTS", `SELECT owner, table_name, constraint_name FROM cdb_constraints
 WHERE con_id = :1 AND owner <> 'SYS' AND constraint_type IN ('P', 'U')`}

	logGroups = Statement{"read CDB_LOG_GROUPS", `SELECT table_name, log_group_type FROM cdb_log_groups
 WHERE con_id = :1 AND owner = :2`}

	databaseTime = Statement{"read SYSDATE", `SELECT TO_CHAR(SYSDATE, 'YYYY-MM-DD HH24:MI:SS') FROM dual`}

	// Behind the container come objectsAsked ids. LAST_DDL_TIME has steps of a second, and moves for grants too (R96).
	modifiedObjects = Statement{"read LAST_DDL_TIME of CDB_OBJECTS", `SELECT object_id, TO_CHAR(last_ddl_time, 'YYYY-MM-DD HH24:MI:SS') FROM cdb_objects
 WHERE con_id = :1 AND object_id IN (` + bindList(2, objectsAsked) + `)`}

	// Behind the container come objectsAsked ids.
	namedObjects = Statement{"read names of CDB_OBJECTS", `SELECT object_id, owner, object_name FROM cdb_objects
 WHERE con_id = :1 AND object_id IN (` + bindList(2, objectsAsked) + `)`}

	// DATA_OBJ# of redo rows is the OBJECT_ID of a heap table or of a partition of it (reference logminer G.2).
	objectIDs = Statement{"read CDB_OBJECTS", `SELECT object_name, subobject_name, object_type, object_id, TO_CHAR(last_ddl_time, 'YYYY-MM-DD HH24:MI:SS')
  FROM cdb_objects
 WHERE con_id = :1 AND owner = :2 AND object_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION')`}
)
