package engine

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// Where no schema topic knows the captured tables the position does: one that is new in include at a restart is read, and known from then on.
func TestPositionKnowsTheTablesWhereNoSchemaTopicDoes(t *testing.T) {
	s := newScene(t)
	s.config.Snapshot = SnapshotConfig{Mode: SnapshotInitial, NewTables: true}
	s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002))
	p := s.beginning()
	p.Tables = objectsOf(s.a, s.b)
	s.play(p)
	if _, listed := s.last().Snapshot.Table("PDB1.APP.B"); listed || !slices.Equal(s.last().Tables, p.Tables) {
		t.Errorf("nothing is new, and the position says %+v, %v", s.last().Snapshot, s.last().Tables)
	}
	p.Tables = objectsOf(s.a)
	s.play(p)
	if _, listed := s.last().Snapshot.Table("PDB1.APP.B"); !listed || !slices.Equal(s.last().Tables, objectsOf(s.a, s.b)) {
		t.Errorf("table B is new, and the position says %+v, %v", s.last().Snapshot, s.last().Tables)
	}
	if _, listed := s.last().Snapshot.Table("PDB1.APP.A"); listed {
		t.Error("table A is read again")
	}
	// One that is captured no more is new to the next start that captures it.
	last := s.through(s.last())
	var err error
	if s.config.Selection, err = naming.NewSelection([]string{`PDB1\.APP\.A`}, nil, false); err != nil {
		t.Fatal(err)
	}
	s.db.described = []*schema.Version{s.a}
	s.step(insert(s.a, xid(2), 1011, 2, "a"), commit(xid(2), 1012))
	s.play(last)
	if !slices.Equal(s.last().Tables, objectsOf(s.a)) {
		t.Errorf("%v", s.last().Tables)
	}
}

// An older position that does not say which tables it had, and other settings: it is said that tables may be new.
func TestPositionThatDoesNotNameItsTablesIsSaidWhenSettingsChanged(t *testing.T) {
	for changed, words := range map[bool]bool{false: false, true: true} {
		s := newScene(t)
		var log bytes.Buffer
		s.config.Log = slog.New(slog.NewTextHandler(&log, nil))
		s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002))
		p := s.beginning()
		if changed {
			p.Settings = "another"
		}
		s.play(p)
		if said := strings.Contains(log.String(), "which tables were captured"); said != words {
			t.Errorf("changed %v: %s", changed, &log)
		}
	}
}
