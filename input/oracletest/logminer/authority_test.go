package logminer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Reference logminer A.7: without CONTAINER_DATA the rows of PDBs are missing, and nothing says so.
func TestContainerDataHidesRows(t *testing.T) {
	s := newScene(t, redo.Config{})
	s.caller.hidden = 3
	one, other := marker(redo.XID{USN: 1, Sqn: 5}, redo.Start), marker(redo.XID{USN: 2, Sqn: 6}, redo.Start)
	one.Container, other.Container = 3, 4
	s.append(one, other)
	if diff := cmp.Diff([]string{"4|2"}, s.mine(capture, "SRC_CON_ID", "XIDUSN")); diff != "" {
		t.Error(diff)
	}
}

// Reference logminer L.1: only LOGMINING gives V$LOGMNR_CONTENTS.
func TestContentsNeedLogMining(t *testing.T) {
	s := newScene(t, redo.Config{})
	for name, want := range map[string]string{"V$LOGMNR_CONTENTS": "LOGMINING", "V$LOGMNR_LOGS": ""} {
		view, _ := s.miner.View("", name)
		got := ""
		if p, ok := view.(engine.Privileged); ok {
			got = p.Privilege()
		}
		if got != want {
			t.Errorf("%s needs %q, want %q", name, got, want)
		}
	}
}
