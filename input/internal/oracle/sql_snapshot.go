package oracle

// Statements for snapshots (reference logminer J). They are made on a session that is in the table's container, where CDB_ views show that
// container alone.
var (
	// DATA_OBJECT_ID is what ROWIDs begin with; TRUNCATE, MOVE and EXCHANGE change it, LAST_DDL_TIME moves with every DDL (R81).
	segmentList = Statement{"read segments of CDB_OBJECTS", `SELECT subobject_name, object_type, object_id, data_object_id, TO_CHAR(last_ddl_time, 'YYYY-MM-DD HH24:MI:SS')
  FROM cdb_objects
 WHERE con_id = :1 AND owner = :2 AND object_name = :3 AND object_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION')`}

	extentList = Statement{"read CDB_EXTENTS", `SELECT partition_name, relative_fno, block_id, blocks FROM cdb_extents
 WHERE con_id = :1 AND owner = :2 AND segment_name = :3
   AND segment_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION')`}

	// What DBMS_STATS found last; NULL where it never ran.
	tableStatistics = Statement{"read statistics of CDB_TABLES", `SELECT num_rows, blocks FROM cdb_tables
 WHERE con_id = :1 AND owner = :2 AND table_name = :3`}

	// The time belongs to the SCN as closely as one statement can have it.
	currentSCNAndTime = Statement{"read V$DATABASE.CURRENT_SCN", `SELECT current_scn, SYSTIMESTAMP FROM v$database`}
)
