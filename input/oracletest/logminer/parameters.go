package logminer

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// States of a file in V$LOGMNR_LOGS (reference logminer A.3).
const (
	fileWillBeRead = 0
	fileFirst      = 1
	filePruned     = 2
	fileMissing    = 4
)

func logsColumns() []wire.Column {
	return []wire.Column{
		relation.NumberColumn("LOG_ID"), relation.TextColumn("FILENAME", 513), relation.DateColumn("LOW_TIME"), relation.DateColumn("HIGH_TIME"),
		relation.NumberColumn("DB_ID"),
		relation.TextColumn("DB_NAME", 9), relation.NumberColumn("RESET_SCN"), relation.DateColumn("RESET_SCN_TIME"),
		relation.NumberColumn("THREAD_ID"), relation.NumberColumn("THREAD_SQN"), relation.NumberColumn("LOW_SCN"),
		relation.NumberColumn("NEXT_SCN"), relation.TextColumn("DICTIONARY_BEGIN", 3), relation.TextColumn("DICTIONARY_END", 3),
		relation.TextColumn("TYPE", 7), relation.NumberColumn("BLOCKSIZE"), relation.NumberColumn("FILESIZE"),
		relation.TextColumn("INFO", 32), relation.NumberColumn("STATUS"), relation.NumberColumn("CON_ID"),
	}
}

// logsView is V$LOGMNR_LOGS: the files registered by the session.
func (m *Miner) logsView() engine.View {
	return relation.New(logsColumns(), func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
		s := sessionOf(caller)
		files := s.files
		if s.started != nil {
			files = s.started.files
		}
		files = inRedoOrder(files)
		var rows [][]datum.Datum
		first := true
		for i, file := range files {
			if i > 0 {
				if r := missingRow(files[i-1], file, len(rows)+1); r != nil {
					rows = append(rows, r)
				}
			}
			h, err := file.Header()
			if err != nil {
				return nil, fetchError(err)
			}
			status := fileStatus(s.started, &h, &first)
			kind := "ARCHIVE"
			if h.Online {
				kind = "ONLINE"
			}
			resetlogs := m.config.Stream.Resetlogs()
			rows = append(rows, []datum.Datum{
				relation.Int(int64(len(rows) + 1)), relation.Text(h.Name), m.serverDate(h.FirstTime), m.serverDate(h.NextTime), relation.Int(int64(m.config.DBID)),
				relation.Text(m.config.DBName), relation.Uint(uint64(resetlogs.SCN)), m.serverDate(resetlogs.Time),
				relation.Int(int64(h.Thread)), relation.Int(int64(h.Sequence)), relation.Uint(uint64(h.FirstChange)),
				relation.Uint(uint64(h.NextChange)), relation.YesNo(len(h.BuildBegins) > 0), relation.YesNo(len(h.BuildEnds) > 0),
				relation.Text(kind), relation.Int(512), relation.Int(h.Bytes),
				{},
				relation.Int(int64(status)), relation.Int(int64(caller.Container())),
			})
		}
		return rows, nil
	})
}

// missingRow is the row of the logs between two of a list, nil if there are none (reference logminer A.3).
func missingRow(before, after *redo.File, id int) []datum.Datum {
	if before.Thread() != after.Thread() || after.Sequence() <= before.Sequence()+1 {
		return nil
	}
	name := fmt.Sprintf("Missing log file(s) for thread number %d, sequence number(s) %d to %d", after.Thread(), before.Sequence()+1, after.Sequence()-1)
	row := make([]datum.Datum, len(logsColumns()))
	row[0], row[1], row[8], row[17], row[18] = relation.Int(int64(id)), relation.Text(name), relation.Int(int64(after.Thread())),
		relation.Text("MISSING_LOGFILE"), relation.Int(fileMissing)
	return row
}

func fileStatus(started *mining, h *redo.Header, first *bool) int {
	switch {
	case started == nil:
		return fileWillBeRead
	case !started.meets(logSpan{h.FirstChange, h.NextChange, h.FirstTime, h.NextTime}):
		return filePruned
	case *first:
		*first = false
		return fileFirst
	}
	return fileWillBeRead
}

// parametersView is V$LOGMNR_PARAMETERS: the range of the session, no row before START.
func (m *Miner) parametersView() engine.View {
	columns := []wire.Column{
		relation.DateColumn("START_DATE"), relation.DateColumn("REQUIRED_START_DATE"), relation.DateColumn("END_DATE"),
		relation.NumberColumn("START_SCN"), relation.NumberColumn("REQUIRED_START_SCN"), relation.NumberColumn("END_SCN"),
		relation.NumberColumn("OPTIONS"), relation.TextColumn("INFO", 32), relation.NumberColumn("STATUS"),
		relation.NumberColumn("CON_ID"),
	}
	return relation.New(columns, func(_ context.Context, caller engine.Caller) ([][]datum.Datum, error) {
		started := sessionOf(caller).started
		if started == nil {
			return nil, nil
		}
		end := started.end
		if end == redo.NoNextChange {
			end = 0
		}
		from := m.serverDate(started.from)
		return [][]datum.Datum{{
			from, from, m.serverDate(started.to),
			relation.Uint(uint64(started.start)), relation.Uint(uint64(started.start)), relation.Uint(uint64(end)),
			relation.Int(started.options),
			{},
			relation.Int(0), relation.Int(int64(caller.Container())),
		}}, nil
	})
}
