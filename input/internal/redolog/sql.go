package redolog

import "github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"

// Statements of the inventory (reference logminer H). V$LOG is read before V$ARCHIVED_LOG: a log that is archived and
// overwritten in between is then still listed.
var (
	threadList = oracle.Statement{Name: "read V$THREAD", Text: `SELECT thread#, status, enabled FROM v$thread`}

	// Not only the current log: active ones that are not archived yet are listed nowhere else (reference logminer N 17).
	onlineLogs = oracle.Statement{Name: "read V$LOG", Text: `SELECT group#, thread#, sequence#, status, first_change#, next_change# FROM v$log`}

	logFiles = oracle.Statement{Name: "read V$LOGFILE", Text: `SELECT group#, status, type, member FROM v$logfile`}

	destinations = oracle.Statement{
		Name: "read V$ARCHIVE_DEST_STATUS",
		Text: `SELECT dest_id, status, type FROM v$archive_dest_status`,
	}

	// Rows without a name are kept: dropping them would make a purge look like a gap. Sequences repeat in every incarnation.
	archivedLogs = oracle.Statement{
		Name: "read V$ARCHIVED_LOG",
		Text: `SELECT thread#, sequence#, dest_id, name, status, deleted, first_change#, next_change#, dictionary_begin, dictionary_end FROM v$archived_log
 WHERE resetlogs_change# = :1 AND next_change# > :2 AND archived = 'YES' AND standby_dest = 'NO'`,
	}
)
