package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// maxPatience bounds how much longer than another step a replay may be silent: LogMiner reads the dictionary and every log behind it
// before the first row of the step comes.
const maxPatience = 24

// replay mines with the newest dictionary of the redo that is complete below the step (R45).
func (l *logMiner) replay(
	ctx context.Context, from position.Boundary, reading position.SCN, t *tables, strangers []object, handle func([]logminer.Row) error,
) (mined, error) {
	if l.facts.CDB && l.facts.Container > 1 {
		return mined{}, &redolog.NoReplayError{Why: "inside a pluggable database LogMiner takes no dictionary from the redo"}
	}
	books, err := l.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return mined{}, err
	}
	var plan redolog.Step
	var build redolog.Build
	err = l.look(ctx, books, 0, func(inventory redolog.Inventory) (err error) {
		// The reading is the bound of the step that is mined again.
		if plan, err = inventory.Plan(from, reading, l.config.MaxLogsPerStep); err == nil {
			plan, build, err = inventory.Replay(plan)
		}
		return err
	})
	if err != nil {
		return mined{}, err
	}
	l.config.Log.Info("A step has rows from before a DDL and is mined again with the dictionary of its time", "build", build.String(), "logs", len(plan.Logs))
	// A session of its own may be silent for longer, and gives the memory of the dictionary back when it closes.
	l.sessions.drop(oracle.Mining)
	patient, silence := l.config.Oracle, l.config.QueryTimeout
	for range min(len(plan.Logs), maxPatience) - 1 {
		patient.ReadTimeout += l.config.Oracle.ReadTimeout
		silence += l.config.QueryTimeout
	}
	session, err := oracle.Connect(ctx, patient, oracle.Mining)
	if err != nil {
		return mined{}, err
	}
	m, err := l.run(ctx, books, session, logminer.Request{
		Plan: plan, Filter: filter(t, strangers), Net: l.net, Silence: silence, Replay: true,
	}, handle)
	_ = session.Close() // what the log-off says is nothing about the rows
	if err != nil {
		return mined{}, refusedReplay(err, build)
	}
	m.build = build.String()
	return m, nil
}

// refusedReplay tells answers that no repeat changes: the dictionary or a log behind it is not what the views say (reference logminer
// G.4, K), or a DDL is one that tracking cannot follow.
func refusedReplay(err error, build redolog.Build) error {
	number, ok := oracle.Code(err)
	if !ok {
		return err
	}
	refused := &redolog.NoReplayError{
		Why: fmt.Sprintf("with the copy of the dictionary in %s the database answers %s", build, strings.Join(strings.Fields(err.Error()), " ")),
	}
	switch number {
	case 308, 1284, 1285, 1291:
		refused.Do = "restore the archived logs from that copy of the dictionary on and restart; without them, begin anew with a new topic_prefix, or exclude the table"
	case 1288, 1321, 1333, 1347, 1354, 1358, 1371, 44613, 65040:
	default:
		return err
	}
	return refused
}
