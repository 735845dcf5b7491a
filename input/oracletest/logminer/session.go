package logminer

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// session is what DBMS_LOGMNR keeps with a database session; only that session's goroutine uses it.
type session struct {
	files   []*redo.File
	started *mining // nil until START_LOGMNR
}

// mining is a started range. A START replaces it as a whole: options are not remembered (reference logminer A.3).
type mining struct {
	files []*redo.File
	span
	options int64
	// build is the dictionary from the redo, nil with the online catalog.
	build *redo.Build
}

const attachKey = "logminer"

// sessionOf returns the state of a session, fresh at its first use.
func sessionOf(caller engine.Caller) *session {
	if state, ok := caller.Attached(attachKey); ok {
		if s, ok := state.(*session); ok {
			return s
		}
	}
	s := &session{}
	caller.Attach(attachKey, s)
	return s
}

var addParameters = []string{"LOGFILENAME", "OPTIONS"}

func (m *Miner) addLogfile(caller engine.Caller, s *session, args []engine.Argument) error {
	if caller.Container() > rootContainer {
		return stacked(wire.Errorf(65040, "operation not allowed from within a pluggable database"))
	}
	values, err := bind("ADD_LOGFILE", addParameters, args)
	if err != nil {
		return err
	}
	option, err := integer(values[1], optionAddFile)
	if err != nil {
		return err
	}
	name := values[0].Text
	switch option {
	case optionNew:
		file, _, err := m.register(name)
		if err != nil {
			return err
		}
		s.started, s.files = nil, []*redo.File{file}
		return nil
	case optionAddFile:
		return m.addFile(s, name)
	case optionRemoveFile:
		return s.remove(name)
	}
	return stacked(wire.Errorf(1283, "Options parameter specified is invalid"))
}

// rootContainer is also the lowest id of a caller in a non-container database, 0.
const rootContainer = 1

func (m *Miner) register(name string) (*redo.File, redo.Header, error) {
	file, err := m.config.Stream.OpenFile(name)
	if err != nil {
		return nil, redo.Header{}, stacked(cannotOpen(name))
	}
	header, err := file.Header()
	if err != nil {
		return nil, redo.Header{}, stacked(cannotOpen(name))
	}
	return file, header, nil
}

// addFile refuses a file that is listed, also under the name of its other copy (reference logminer A.4).
func (m *Miner) addFile(s *session, name string) error {
	file, header, err := m.register(name)
	if err != nil {
		return err
	}
	for _, listed := range s.files {
		if listed.Thread() == header.Thread && listed.Sequence() == header.Sequence {
			return stacked(wire.Errorf(1289, "cannot add duplicate logfile %s", name))
		}
	}
	s.files = append(s.files, file)
	return nil
}

func (s *session) remove(name string) error {
	i := slices.IndexFunc(s.files, func(f *redo.File) bool { return f.Name() == name })
	if i < 0 {
		return stacked(wire.Errorf(1290, "cannot remove unlisted logfile %s", name))
	}
	s.files = slices.Delete(slices.Clone(s.files), i, i+1)
	return nil
}

func (m *Miner) removeLogfile(s *session, args []engine.Argument) error {
	values, err := bind("REMOVE_LOGFILE", addParameters[:1], args)
	if err != nil {
		return err
	}
	return s.remove(values[0].Text)
}

func (m *Miner) endLogmnr(s *session, args []engine.Argument) error {
	if _, err := bind("END_LOGMNR", nil, args); err != nil {
		return err
	}
	if s.started == nil && len(s.files) == 0 {
		return stacked(wire.Errorf(1307, "no LogMiner session is currently active"))
	}
	s.started, s.files = nil, nil
	return nil
}
