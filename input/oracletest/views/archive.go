package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Archived redo and its destinations (reference logminer H.1).
func (s *Set) addArchive() {
	s.fixed["V$ARCHIVED_LOG"] = fixed{
		columns: columns(num("RECID"), num("STAMP"), str("NAME", 513), num("DEST_ID"), num("THREAD#"), num("SEQUENCE#"),
			num("RESETLOGS_CHANGE#"), day("RESETLOGS_TIME"), num("RESETLOGS_ID"), num("FIRST_CHANGE#"), day("FIRST_TIME"),
			num("NEXT_CHANGE#"), day("NEXT_TIME"), num("BLOCKS"), num("BLOCK_SIZE"), str("CREATOR", 7), str("REGISTRAR", 7),
			str("STANDBY_DEST", 3), str("ARCHIVED", 3), str("APPLIED", 9), str("DELETED", 3), str("STATUS", 1), day("COMPLETION_TIME"),
			str("DICTIONARY_BEGIN", 3), str("DICTIONARY_END", 3), str("END_OF_REDO", 3), num("BACKUP_COUNT"), num("ACTIVATION#"),
			str("IS_RECOVERY_DEST_FILE", 3), str("COMPRESSED", 3), num("CON_ID")),
		rows:   s.archivedLogs,
		global: true,
	}
	s.fixed["V$ARCHIVE_DEST_STATUS"] = fixed{
		columns: columns(num("DEST_ID"), str("DEST_NAME", 256), str("STATUS", 9), str("TYPE", 16), str("DATABASE_MODE", 15),
			str("RECOVERY_MODE", 34), str("DESTINATION", 256), num("ARCHIVED_THREAD#"), num("ARCHIVED_SEQ#"), str("ERROR", 256),
			str("DB_UNIQUE_NAME", 30), num("CON_ID")),
		rows: func(engine.Caller) []row {
			thread, sequence := s.lastArchived()
			return []row{
				{
					integer(1), text("LOG_ARCHIVE_DEST_1"), text("VALID"), text("LOCAL"), text("OPEN"), text("IDLE"), text(s.config.Stream.ArchiveDestination()),
					integer(thread), integer(sequence), null, text("NONE"), integer(0),
				},
				{
					integer(2), text("LOG_ARCHIVE_DEST_2"), text("INACTIVE"), text("LOCAL"), text("UNKNOWN"), text("IDLE"), null,
					integer(0), integer(0), null, text("NONE"), integer(0),
				},
			}
		},
		global: true,
	}
	s.fixed["V$ARCHIVE_DEST"] = fixed{
		columns: columns(num("DEST_ID"), str("DEST_NAME", 256), str("STATUS", 9), str("BINDING", 9), str("NAME_SPACE", 7), str("TARGET", 16),
			str("ARCHIVER", 10), str("SCHEDULE", 8), str("DESTINATION", 256), num("LOG_SEQUENCE"), str("ERROR", 256),
			str("VALID_TYPE", 15), str("VALID_ROLE", 12), str("DB_UNIQUE_NAME", 30), num("CON_ID")),
		rows: func(engine.Caller) []row {
			_, sequence := s.lastArchived()
			return []row{{
				integer(1), text("LOG_ARCHIVE_DEST_1"), text("VALID"), text("MANDATORY"), text("SYSTEM"), text("PRIMARY"), text("ARCH"),
				text("ACTIVE"), text(s.config.Stream.ArchiveDestination()), integer(sequence), null, text("ALL_LOGFILES"), text("ALL_ROLES"), text("NONE"), integer(0),
			}}
		},
		global: true,
	}
}

func (s *Set) lastArchived() (thread int, sequence uint32) {
	for _, a := range s.config.Stream.Archived() {
		thread, sequence = a.Thread, a.Sequence
	}
	return thread, sequence
}

// archivedLogs keeps the rows of purged copies: RMAN marks them (D, no name), rm does not (reference logminer H.2).
func (s *Set) archivedLogs(engine.Caller) []row {
	var list []row
	resetlogs := s.config.Stream.Resetlogs()
	for i, a := range s.config.Stream.Archived() {
		name, status := text(a.Name), "A"
		if a.Deleted {
			name, status = null, "D"
		}
		list = append(list, row{
			integer(i + 1), integer(a.Completion.Unix()), name, integer(1), integer(a.Thread), integer(a.Sequence),
			scn(resetlogs.SCN), s.date(resetlogs.Time), integer(resetlogs.Time.Unix()), scn(a.FirstChange), s.date(a.FirstTime),
			scn(a.NextChange), s.date(a.NextTime), integer(a.Blocks), integer(redoBlockSize), text("ARCH"), text("ARCH"),
			text("NO"), text("YES"), text("NO"), relation.YesNo(a.Deleted), text(status), s.date(a.Completion),
			relation.YesNo(a.BuildBegin), relation.YesNo(a.BuildEnd), text("NO"), integer(0), scn(redo.SCN(s.config.DBID)),
			text("NO"), text("NO"), integer(0),
		})
	}
	return list
}
