package logminer

import (
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// stacked adds the line that errors of DBMS_LOGMNR arrive with (reference logminer A.1).
func stacked(err *wire.OraError) *wire.OraError {
	err.Message += "\n" + `ORA-06512: at "SYS.DBMS_LOGMNR", line 72`
	return err
}

// cannotOpen is the answer for a file that ADD_LOGFILE does not find.
func cannotOpen(name string) *wire.OraError {
	return wire.Errorf(1284, "file %s cannot be opened", name)
}

func missingLog() *wire.OraError { return stacked(wire.Errorf(1291, "missing log file")) }

// startError turns an error of a registered file into what START answers: the group was reused between registration and
// read, or the file is gone.
func startError(err error) error {
	var reused *redo.ReusedError
	var gone *redo.FileError
	switch {
	case errors.As(err, &reused):
		return stacked(wire.Errorf(1368, "redo log file header mismatch for thread %d sequence %d", reused.Thread, reused.Require))
	case errors.As(err, &gone):
		return stacked(cannotOpen(gone.Name))
	}
	return fmt.Errorf("read log header: %w", err)
}

// fetchError turns an error of a file into what a fetch answers.
func fetchError(err error) error {
	var reused *redo.ReusedError
	var gone *redo.FileError
	switch {
	case errors.As(err, &reused):
		return wire.Errorf(310, "archived log contains sequence %d; sequence %d required\nORA-00334: archived log: '%s'",
			reused.Found, reused.Require, reused.Name)
	case errors.As(err, &gone):
		return wire.Errorf(308, "cannot open archived log '%s'", gone.Name)
	}
	return fmt.Errorf("read log: %w", err)
}
