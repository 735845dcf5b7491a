package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

const redoBlockSize = 512

// Online redo (reference logminer H.1).
func (s *Set) addLogs() {
	s.fixed["V$LOG"] = fixed{
		columns: columns(num("GROUP#"), num("THREAD#"), num("SEQUENCE#"), num("BYTES"), num("BLOCKSIZE"), num("MEMBERS"), str("ARCHIVED", 3),
			str("STATUS", 16), num("FIRST_CHANGE#"), day("FIRST_TIME"), num("NEXT_CHANGE#"), day("NEXT_TIME"), num("CON_ID")),
		rows: func(engine.Caller) []row {
			var list []row
			for _, l := range s.config.Stream.Online() {
				list = append(list, row{
					integer(l.Group), integer(l.Thread), integer(l.Sequence), integer(l.Bytes), integer(redoBlockSize), integer(1),
					relation.YesNo(l.Archived), text(string(l.Status)), scn(l.FirstChange), s.date(l.FirstTime), scn(l.NextChange),
					s.date(l.NextTime), integer(0),
				})
			}
			return list
		},
		global: true,
	}
	s.fixed["V$LOGFILE"] = fixed{
		columns: columns(num("GROUP#"), str("STATUS", 7), str("TYPE", 7), str("MEMBER", 513), str("IS_RECOVERY_DEST_FILE", 3), num("CON_ID")),
		rows: func(engine.Caller) []row {
			var list []row
			for _, m := range s.config.Stream.Members() {
				list = append(list, row{integer(m.Group), null, text("ONLINE"), text(m.Name), text("NO"), integer(0)})
			}
			return list
		},
		global: true,
	}
	s.fixed["V$THREAD"] = fixed{
		columns: columns(num("THREAD#"), str("STATUS", 6), str("ENABLED", 8), num("GROUPS"), str("INSTANCE", 80), day("OPEN_TIME"),
			num("CURRENT_GROUP#"), num("SEQUENCE#"), num("CHECKPOINT_CHANGE#"), day("CHECKPOINT_TIME"), num("ENABLE_CHANGE#"),
			day("ENABLE_TIME"), num("DISABLE_CHANGE#"), day("DISABLE_TIME"), num("LAST_REDO_SEQUENCE#"), num("LAST_REDO_BLOCK"),
			num("LAST_REDO_CHANGE#"), day("LAST_REDO_TIME"), num("CON_ID")),
		rows:   s.threads,
		global: true,
	}
	s.fixed["V$LOG_HISTORY"] = fixed{
		columns: columns(num("RECID"), num("STAMP"), num("THREAD#"), num("SEQUENCE#"), num("FIRST_CHANGE#"), day("FIRST_TIME"),
			num("NEXT_CHANGE#"), num("RESETLOGS_CHANGE#"), day("RESETLOGS_TIME"), num("CON_ID")),
		rows: func(engine.Caller) []row {
			var list []row
			resetlogs := s.config.Stream.Resetlogs()
			for i, a := range s.config.Stream.Archived() {
				list = append(list, row{
					integer(i + 1), integer(a.Completion.Unix()), integer(a.Thread), integer(a.Sequence), scn(a.FirstChange), s.date(a.FirstTime),
					scn(a.NextChange), scn(resetlogs.SCN), s.date(resetlogs.Time), integer(0),
				})
			}
			return list
		},
		global: true,
	}
}

func (s *Set) threads(engine.Caller) []row {
	var list []row
	for _, t := range s.config.Stream.Threads() {
		status := "OPEN"
		if !t.Open {
			status = "CLOSED"
		}
		list = append(list, row{
			integer(t.Thread), text(status), text(string(t.Enabled)), integer(t.Groups), text(s.instanceName(t.Thread)), s.date(t.Opened),
			integer(t.CurrentGroup), integer(t.Sequence), scn(t.Checkpoint), s.date(t.Opened), scn(s.config.Stream.Resetlogs().SCN),
			s.date(t.Opened), scn(redo.SCN(0)), null, integer(t.Sequence), null,
			scn(t.LastRedo), null, integer(0),
		})
	}
	return list
}
