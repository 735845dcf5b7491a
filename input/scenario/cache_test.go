package scenario_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inCache keeps the position in a cache resource of files: the item is the scenario's position file.
func (s *scenario) inCache() (change fields, resources string) {
	return fields{"position.file": nil, "checkpoint_cache": "kept", "checkpoint_cache_key": filepath.Base(s.file)},
		fmt.Sprintf("cache_resources: [{label: kept, scenario_files: {directory: %q}}]", filepath.Dir(s.file))
}

func (s *scenario) startInCache() *pipeline {
	s.t.Helper()
	p := s.launchWith(s.inCache())
	p.awaitCapture()
	return p
}

// contracts 5: with checkpoint_cache and no brokers the position is in the cache; a restart goes on from there.
func TestPositionInACacheResourceIsContinuedAfterARestartAndAKill(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startInCache()
	s.commit("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), inserts(1, 2)...)
	p.stop()
	s.commit("INSERT INTO $t VALUES (2)")
	p = s.startInCache()
	same(t, p.settle(), inserts(2, 3)...)
	blocked := p.blockFrom(p.taken() + 1)
	s.commit("INSERT INTO $t VALUES (3)", "INSERT INTO $t VALUES (4)")
	<-blocked
	p.kill()
	same(t, s.startInCache().settle(), inserts(3, 5)...)
}

func TestItemOfTheCacheIsNamedByThePrefix(t *testing.T) {
	s := begin(t)
	change, resources := s.inCache()
	delete(change, "checkpoint_cache_key")
	s.file = filepath.Join(filepath.Dir(s.file), "oracle_cdc.shop")
	p := s.launchWith(change, resources)
	p.awaitCapture()
}

func TestCacheResourceThatDoesNotExistIsATypedStop(t *testing.T) {
	s := begin(t)
	change, _ := s.inCache()
	refusal(t, s.launch(change).stopped(), 5003, "kept")
}

func TestCacheThatKeepsNothingIsATypedStop(t *testing.T) {
	s := begin(t)
	change, _ := s.inCache()
	p := s.launchWith(change, "cache_resources: [{label: kept, noop: {}}]")
	refusal(t, p.stopped(), 5003, "kept")
	if got, _ := p.delivered(); len(got) > 0 {
		t.Errorf("delivered: %q", lines(got))
	}
}

// While the cache fails, changes go on and the position waits; what lasts longer than retry.max_time stops as a position file does.
func TestCacheThatFailsIsTriedAgainThenATypedStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.file = filepath.Join(t.TempDir(), "cache", "position.json")
	if err := os.Mkdir(filepath.Dir(s.file), 0o700); err != nil {
		t.Fatal(err)
	}
	change, resources := s.inCache()
	change["retry.max_time"], change["retry.max_interval"] = "3s", "500ms"
	p := s.launchWith(change, resources)
	p.awaitCapture()
	away := func() {
		if err := os.Rename(filepath.Dir(s.file), filepath.Dir(s.file)+".away"); err != nil {
			t.Fatal(err)
		}
	}
	back := func() {
		if err := os.Rename(filepath.Dir(s.file)+".away", filepath.Dir(s.file)); err != nil {
			t.Fatal(err)
		}
	}
	away()
	s.commit("INSERT INTO $t VALUES (1)")
	got := p.settle()
	same(t, got, inserts(1, 2)...)
	p.until("nobody tries again", func() bool { return strings.Contains(p.log.text(), "Position was not stored, trying again") })
	back()
	last := got[0].event.Position.Sequence
	p.until("the position does not follow", func() bool { return s.stored().Sequence >= last })
	away()
	s.commit("INSERT INTO $t VALUES (2)")
	refusal(t, p.stopped(), 5003, "kept")
	back()
	p.stop()
	p = s.launchWith(s.inCache())
	p.awaitCapture()
	got = p.settle()
	same(t, got[len(got)-1:], inserts(2, 3)...)
}

func TestPositionInTheCacheOfAForeignRunIsATypedStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startInCache()
	mine, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	foreign := strings.Replace(string(mine), s.stored().Run, "11111111-2222-3333-4444-555555555555", 1)
	if err := os.WriteFile(s.file, []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	s.exec("INSERT INTO $t VALUES (1)")
	refusal(t, p.stopped(), 9002, "kept")
}

// An item that vanishes is stored again, and the log says what that means.
func TestCacheThatForgetsIsWarnedOfAndStoredAgain(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startInCache()
	if err := os.Remove(s.file); err != nil {
		t.Fatal(err)
	}
	s.commit("INSERT INTO $t VALUES (1)")
	p.settle()
	p.until("the position is not stored again", func() bool { return s.stored() != nil })
	p.until("nobody is warned", func() bool { return strings.Contains(p.log.text(), "forgot the position") })
}
