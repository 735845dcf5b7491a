package redo

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, config Config) *Stream {
	t.Helper()
	s, err := Open(config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func insert(bytes int) *Record { return &Record{Op: Insert, SQL: string(make([]byte, bytes))} }

func appendAll(t testing.TB, s *Stream, recs ...*Record) {
	t.Helper()
	if err := s.Append(t.Context(), recs...); err != nil {
		t.Fatal(err)
	}
}

// Reference logminer O, scene 1: START and the first change share RS_ID and SSN; array rows share RS_ID only (B.3).
func TestR5SharedRecordsHaveOneAddress(t *testing.T) {
	s := open(t, Config{FirstSequence: 0x12})
	start, first, second := &Record{Op: Start}, insert(10), insert(10)
	first.Shared, second.Shared = true, true
	alone := insert(10)
	appendAll(t, s, start, first, second, alone)

	if start.RBA != first.RBA || first.RBA != second.RBA {
		t.Errorf("addresses differ: %s %s %s", start.RBA, first.RBA, second.RBA)
	}
	if start.SSN != 0 || first.SSN != 0 || second.SSN != 1 {
		t.Errorf("SSN = %d %d %d, want 0 0 1", start.SSN, first.SSN, second.SSN)
	}
	if start.SCN != first.SCN || first.SCN != second.SCN || alone.SCN <= second.SCN {
		t.Errorf("SCN = %d %d %d %d", start.SCN, first.SCN, second.SCN, alone.SCN)
	}
	if got, want := start.RBA.String(), "0x000012.00000002.0010"; got != want {
		t.Errorf("first address %s, want %s", got, want)
	}
	if alone.RBA == start.RBA || alone.SSN != 0 {
		t.Errorf("own record: address %s, SSN %d", alone.RBA, alone.SSN)
	}
}

func TestCommitEndsItsBlock(t *testing.T) {
	s := open(t, Config{})
	commit, next := &Record{Op: Commit}, &Record{Op: Start}
	appendAll(t, s, insert(10), commit)
	appendAll(t, s, next)
	if next.RBA.Block != commit.RBA.Block+1 || next.RBA.Byte != blockHeader {
		t.Errorf("commit at %s, next record at %s", commit.RBA, next.RBA)
	}
}

// Correctness K3, reference logminer H.2: FIRST_CHANGE# <= SCN < NEXT_CHANGE#, logs without gap, addresses rise.
func TestK3EveryRecordLiesInTheRangeOfItsLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		// The second budget makes nearly every record go to a file and come back.
		s := open(t, Config{
			LogSize: minLogSize, Groups: 2, MemoryBudget: rapid.SampledFrom([]int64{0, minBudget}).Draw(rt, "budget"),
			SpillDir: t.TempDir(), Now: func() time.Time { return time.Unix(1772286359, 123).UTC() },
		})
		defer s.Close()
		var written []*Record
		for range rapid.IntRange(1, 150).Draw(rt, "calls") {
			switch rapid.IntRange(0, 5).Draw(rt, "kind") {
			case 0:
				if err := s.SwitchLogfile(t.Context()); err != nil {
					rt.Fatal(err)
				}
			case 1:
				s.NextSCN()
			default:
				var call []*Record
				for range rapid.IntRange(1, 4).Draw(rt, "records") {
					r := insert(rapid.IntRange(0, 1500).Draw(rt, "bytes"))
					if rapid.Bool().Draw(rt, "preset") {
						r.SCN = s.NextSCN()
					}
					r.Shared = rapid.Bool().Draw(rt, "shared")
					call = append(call, r)
				}
				if err := s.Append(t.Context(), call...); err != nil {
					rt.Fatal(err)
				}
				written = append(written, call...)
			}
		}
		checkLogs(rt, s, written)
	})
}

func checkLogs(rt *rapid.T, s *Stream, written []*Record) {
	var read []*Record
	next := SCN(0)
	names := []string{}
	for _, a := range s.Archived() {
		names = append(names, a.Name)
	}
	for _, o := range s.Online() {
		if o.Status == StatusCurrent {
			names = append(names, o.Member)
		}
	}
	for _, name := range names {
		f, err := s.OpenFile(name)
		if err != nil {
			rt.Fatal(err)
		}
		h, err := f.Header()
		if err != nil {
			rt.Fatal(err)
		}
		if next != 0 && h.FirstChange != next {
			rt.Fatalf("FIRST_CHANGE# of sequence %d = %d, want %d", h.Sequence, h.FirstChange, next)
		}
		if h.NextChange <= h.FirstChange {
			rt.Fatalf("sequence %d has the range %d..%d", h.Sequence, h.FirstChange, h.NextChange)
		}
		next = h.NextChange
		recs := readFile(rt, f)
		for _, r := range recs {
			if r.SCN < h.FirstChange || r.SCN >= h.NextChange || r.RBA.Sequence != h.Sequence {
				rt.Fatalf("record %s with SCN %d in sequence %d %d..%d", r.RBA, r.SCN, h.Sequence, h.FirstChange, h.NextChange)
			}
		}
		read = append(read, recs...)
	}
	if next != NoNextChange || len(read) != len(written) {
		rt.Fatalf("last NEXT_CHANGE# %d, %d records of %d", next, len(read), len(written))
	}
	for i := range read {
		if !reflect.DeepEqual(read[i], written[i]) {
			rt.Fatalf("record %d is %+v, written was %+v", i, read[i], written[i])
		}
		if i > 0 && !read[i].Shared && !less(read[i-1].RBA, read[i].RBA) {
			rt.Fatalf("address %s after %s", read[i].RBA, read[i-1].RBA)
		}
	}
}

// readFile reads all records of a file in batches.
func readFile(t interface{ Fatal(args ...any) }, f *File) []*Record {
	var all []*Record
	for {
		recs, err := f.Records(len(all), len(all)+pageRecords)
		if err != nil {
			t.Fatal(err)
		}
		if len(recs) == 0 {
			return all
		}
		all = append(all, recs...)
	}
}

func less(a, b RBA) bool { return a.String() < b.String() }

func TestStaleSCNIsRefused(t *testing.T) {
	s := open(t, Config{})
	old := insert(1)
	old.SCN = s.NextSCN()
	appendAll(t, s, insert(1))
	if err := s.SwitchLogfile(t.Context()); err != nil {
		t.Fatal(err)
	}
	var stale *StaleSCNError
	if err := s.Append(t.Context(), old); !errors.As(err, &stale) {
		t.Fatalf("err = %v, want StaleSCNError", err)
	}
}

func TestOnlineLogStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, Config{Groups: 3, ArchiveDelay: time.Minute})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Archive(ctx) }()

		want(t, s, StatusCurrent, StatusUnused, StatusUnused)
		switchOnce(t, s)
		want(t, s, StatusActive, StatusCurrent, StatusUnused)
		switchOnce(t, s)
		want(t, s, StatusActive, StatusActive, StatusCurrent)
		begin := time.Now()
		switchOnce(t, s) // has to wait for the archiver
		if waited := time.Since(begin); waited != time.Minute {
			t.Errorf("the switch waited %v for the archiver", waited)
		}
		synctest.Wait()
		want(t, s, StatusCurrent, StatusInactive, StatusActive)
		if n := len(s.Archived()); n != 2 {
			t.Errorf("%d archived logs, want 2", n)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func switchOnce(t *testing.T, s *Stream) {
	t.Helper()
	if err := s.SwitchLogfile(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func want(t *testing.T, s *Stream, states ...Status) {
	t.Helper()
	for i, l := range s.Online() {
		if l.Status != states[i] {
			t.Errorf("group %d is %s, want %s", l.Group, l.Status, states[i])
		}
	}
}

func TestWaitForArchiverEndsWithContextAndClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, Config{Groups: 2, ArchiveDelay: time.Hour})
		switchOnce(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.SwitchLogfile(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("err = %v", err)
		}
		done := make(chan error, 1)
		go func() { done <- s.SwitchLogfile(t.Context()) }()
		synctest.Wait()
		s.Close()
		if err := <-done; !errors.Is(err, ErrClosed) {
			t.Errorf("err = %v", err)
		}
		if err := s.Append(t.Context(), insert(1)); !errors.Is(err, ErrClosed) {
			t.Errorf("err = %v", err)
		}
	})
}

func TestReusedOnlineLogCannotBeRead(t *testing.T) {
	s := open(t, Config{Groups: 2})
	appendAll(t, s, insert(1))
	f, err := s.OpenFile(s.Online()[0].Member)
	if err != nil {
		t.Fatal(err)
	}
	switchOnce(t, s)
	if recs, err := f.Records(0, 10); err != nil || len(recs) != 1 {
		t.Fatalf("%d records, %v", len(recs), err)
	}
	switchOnce(t, s)
	var reused *ReusedError
	if _, err := f.Records(0, 10); !errors.As(err, &reused) || reused.Require != 1 || reused.Found != 3 {
		t.Fatalf("err = %v", err)
	}
	archived, err := s.OpenFile(s.Archived()[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	if recs, err := archived.Records(0, 10); err != nil || len(recs) != 1 {
		t.Fatalf("archived copy: %d records, %v", len(recs), err)
	}
}

func TestPurgedCopyIsGone(t *testing.T) {
	for _, told := range []bool{false, true} {
		s := open(t, Config{})
		switchOnce(t, s)
		switchOnce(t, s)
		rows := s.Archived()
		f, err := s.OpenFile(rows[0].Name)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.Purge(rows[0].NextChange, told); n != 1 {
			t.Errorf("%d purged, want 1", n)
		}
		var gone *FileError
		if _, err := f.Records(0, 1); !errors.As(err, &gone) {
			t.Errorf("read: %v", err)
		}
		if _, err := s.OpenFile(rows[0].Name); !errors.As(err, &gone) {
			t.Errorf("open: %v", err)
		}
		if got := s.Archived(); got[0].Deleted != told || got[1].Deleted {
			t.Errorf("told %v: deleted %v %v", told, got[0].Deleted, got[1].Deleted)
		}
	}
}

func TestArchiveKeepPurgesTheOldest(t *testing.T) {
	s := open(t, Config{ArchiveKeep: 2})
	for range 4 {
		switchOnce(t, s)
	}
	var gone []bool
	for _, a := range s.Archived() {
		gone = append(gone, a.Deleted)
	}
	if len(gone) != 4 || !gone[0] || !gone[1] || gone[2] || gone[3] {
		t.Errorf("deleted = %v", gone)
	}
}

func TestConfigIsChecked(t *testing.T) {
	for _, c := range []Config{{Groups: 1}, {LogSize: 100}, {ArchiveKeep: -1}} {
		if _, err := Open(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}
