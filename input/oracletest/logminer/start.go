package logminer

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

var startParameters = []string{"STARTSCN", "ENDSCN", "STARTTIME", "ENDTIME", "DICTFILENAME", "OPTIONS"}

func (m *Miner) startLogmnr(caller engine.Caller, s *session, args []engine.Argument) error {
	values, err := bind("START_LOGMNR", startParameters, args)
	if err != nil {
		return err
	}
	var numbers [3]uint64 // StartScn, EndScn, Options
	for i, at := range []int{0, 1, 5} {
		if numbers[i], err = integer(values[at], 0); err != nil {
			return err
		}
	}
	if !values[4].IsNull() {
		return flatFile()
	}
	next := &mining{span: span{start: redo.SCN(numbers[0]), end: redo.SCN(numbers[1])}, options: int64(numbers[2])}
	if err := m.checkOptions(next.options); err != nil {
		return err
	}
	if next.options&dictFromRedoLogs != 0 && caller.Container() > rootContainer { // inside a PDB it never helps (reference logminer A.7, K)
		return noDictionary()
	}
	if next.end != 0 && next.end <= next.start {
		return stacked(wire.Errorf(1281, "SCN range specified is invalid"))
	}
	if err := m.limitTime(caller, &next.span, values[2], values[3]); err != nil {
		return err
	}
	if next.end == 0 {
		next.end = redo.NoNextChange
	}
	if next.options&dictFromRedoLogs != 0 && len(s.files) > 0 {
		if err := next.findBuild(s); err != nil {
			return err
		}
	}
	if caller.Container() > rootContainer {
		next.files, err = m.chooseFiles(next.span)
	} else {
		next.files, err = listedFiles(s, next.span)
	}
	if err != nil {
		return err
	}
	s.started = next
	return nil
}

// listedFiles checks the session's list against the range (reference logminer A.3, correctness K8) and returns the
// files in the order of threads and sequences.
func listedFiles(s *session, wanted span) ([]*redo.File, error) {
	if len(s.files) == 0 {
		return nil, stacked(wire.Errorf(1292, "no log file has been specified for the current LogMiner session"))
	}
	files := inRedoOrder(s.files)
	startCovered, endCovered := wanted.fromStart(), wanted.toEnd()
	var previous redo.Header
	for _, file := range files {
		h, err := file.Header()
		if err != nil {
			return nil, startError(err)
		}
		log := logSpan{h.FirstChange, h.NextChange, h.FirstTime, h.NextTime}
		startCovered = startCovered || wanted.startsIn(log)
		endCovered = endCovered || wanted.endsIn(log)
		needed := wanted.meets(log)
		if needed && previous.Thread == h.Thread && h.Sequence != previous.Sequence+1 {
			return nil, missingLog()
		}
		if needed {
			previous = h
		}
	}
	if !startCovered || !endCovered {
		return nil, missingLog()
	}
	return files, nil
}

func inRedoOrder(files []*redo.File) []*redo.File {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b *redo.File) int {
		return cmp.Or(cmp.Compare(a.Thread(), b.Thread()), cmp.Compare(a.Sequence(), b.Sequence()))
	})
	return files
}

// chooseFiles finds the logs of a range for a session inside a PDB, where Oracle picks them itself (reference logminer
// A.7, range mode).
func (m *Miner) chooseFiles(wanted span) ([]*redo.File, error) {
	var names []string
	covered, without := wanted.fromStart(), m.config.Stream.Warts().R15WithoutThread
	copied := map[[2]uint32]bool{}
	for _, a := range m.config.Stream.Archived() {
		log := logSpan{a.FirstChange, a.NextChange, a.FirstTime, a.NextTime}
		if a.Thread == without || a.Deleted || !wanted.meets(log) {
			continue
		}
		copied[[2]uint32{uint32(a.Thread), a.Sequence}] = true
		covered = covered || wanted.startsIn(log)
		names = append(names, a.Name)
	}
	for _, o := range m.config.Stream.Online() {
		log := logSpan{o.FirstChange, o.NextChange, o.FirstTime, o.NextTime}
		if o.Thread == without || o.Status == redo.StatusUnused || copied[[2]uint32{uint32(o.Thread), o.Sequence}] || !wanted.meets(log) {
			continue
		}
		covered = covered || wanted.startsIn(log)
		names = append(names, o.Member)
	}
	if !covered {
		return nil, missingLog()
	}
	list := &session{}
	for _, name := range names {
		file, err := m.config.Stream.OpenFile(name)
		if err != nil {
			return nil, wire.Errorf(604, "error occurred at recursive SQL level 1\nORA-01284: file %s cannot be opened\n"+
				"ORA-00308: cannot open archived log '%s'\n"+`ORA-06512: at "SYS.DBMS_LOGMNR", line 72`, name, name)
		}
		list.files = append(list.files, file)
	}
	return listedFiles(list, wanted)
}
