package redo

import (
	"errors"
	"fmt"
)

// ErrClosed is returned by Append and SwitchLogfile after Close.
var ErrClosed = errors.New("redo stream is closed")

// FileError says that no log file of that name can be opened: it never existed or its archived copy is gone.
type FileError struct{ Name string }

func (e *FileError) Error() string { return "redo log file " + e.Name + " cannot be opened" }

// ReusedError says that an online log holds another sequence than the one it was opened for.
type ReusedError struct {
	Name           string
	Thread         int
	Found, Require uint32
}

func (e *ReusedError) Error() string {
	return fmt.Sprintf("redo log %s contains sequence %d; sequence %d required", e.Name, e.Found, e.Require)
}

// StaleSCNError says that a record came with an SCN below the FIRST_CHANGE# of the log it would be written to, which
// no log may hold (correctness K3).
type StaleSCNError struct{ SCN, FirstChange SCN }

func (e *StaleSCNError) Error() string {
	return fmt.Sprintf("record SCN %d lies below FIRST_CHANGE# %d of the current log", e.SCN, e.FirstChange)
}
