package oracle

// Statements about changes without redo (R128). The views of data files are cheap, those of segments are not: they are read when a tablespace
// had such a change.
var (
	// UNRECOVERABLE_CHANGE# is 0 where a file never had one. DB_UNRECOVERABLE_SCN_TRACKING, on by default, keeps it.
	unrecoverableFiles = Statement{
		"read V$DATAFILE",
		`SELECT con_id, ts#, unrecoverable_change#, TO_CHAR(unrecoverable_time, 'YYYY-MM-DD HH24:MI:SS') FROM v$datafile WHERE unrecoverable_change# > 0`,
	}

	tablespaceNames = Statement{"read V$TABLESPACE", `SELECT con_id, ts#, name FROM v$tablespace`}

	// A table without a row may have no segment, and then has nothing that a load could have changed.
	tablesInTablespace = Statement{"read CDB_SEGMENTS", `SELECT owner, segment_name FROM cdb_segments
 WHERE con_id = :1 AND tablespace_name = :2 AND segment_type IN ('TABLE', 'TABLE PARTITION', 'TABLE SUBPARTITION')
UNION
SELECT owner, table_name FROM cdb_lobs WHERE con_id = :3 AND tablespace_name = :4`}
)
