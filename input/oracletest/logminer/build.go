package logminer

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

var buildParameters = []string{"DICTIONARY_FILENAME", "DICTIONARY_LOCATION", "OPTIONS"}

// build is DBMS_LOGMNR_D.BUILD: a copy of the dictionary goes into the redo, and the log with its end is switched so that it gets
// archived (reference logminer G.4).
func (m *Miner) build(ctx context.Context, caller engine.Caller, args []engine.Argument) error {
	values, err := bind("BUILD", buildParameters, args)
	if err != nil {
		return err
	}
	option, err := integer(values[2], storeInFlatFile)
	switch {
	case err != nil:
		return err
	case option == storeInFlatFile:
		return flatFile()
	case option != storeInRedoLogs:
		return stacked(wire.Errorf(1283, "Options parameter specified is invalid"))
	}
	if caller.Container() > rootContainer {
		return nil // it runs, and no log shows it
	}
	stream := m.config.Stream
	if stream.Take(func(w *redo.Warts) *int { return &w.R45BuildBlocked }) {
		return stacked(wire.Errorf(1327, "failed to exclusively lock system dictionary as required by build"))
	}
	by := redo.Origin{User: caller.User(), SessionID: caller.SessionID(), Serial: caller.Serial()}
	build, err := m.config.Dictionary.BeginBuild(ctx, by)
	if err != nil {
		return err
	}
	for range stream.Warts().R45BuildLogs {
		if err := stream.SwitchLogfile(ctx); err != nil {
			return err
		}
	}
	if err := stream.Append(ctx, redo.BuildRecord(build, true, by)); err != nil {
		return err
	}
	return stream.SwitchLogfile(ctx)
}
