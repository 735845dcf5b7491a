package scenario_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGracefulRestartLosesAndRepeatsNothing(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	open := s.connect(app).begin()
	open.exec("INSERT INTO $t VALUES (10)")
	s.commit("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`)
	p.stop()
	s.commit("INSERT INTO $t VALUES (2)")
	open.exec("INSERT INTO $t VALUES (11)")
	s.switchLog()
	p = s.start(nil)
	s.commit("INSERT INTO $t VALUES (3)")
	open.exec("UPDATE $t SET id = 12 WHERE id = 11")
	open.commit()
	same(t, p.settle(),
		`{"ID":2} c {"ID":2}`, `{"ID":3} c {"ID":3}`,
		`{"ID":10} c {"ID":10}`, `{"ID":11} c {"ID":11}`, `{"ID":11} d {"ID":11}`, `{"ID":11} tombstone`, `{"ID":12} c {"ID":12}`,
	)
}

// oneByOne commits transactions from..to of so many inserts each.
func oneByOne(s *scenario, from, to, rows int) {
	for k := from; k < to; k++ {
		x := s.begin()
		for r := range rows {
			x.exec("INSERT INTO $t VALUES (:1)", k*rows+r)
		}
		x.commit()
	}
}

func inserts(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf(`{"ID":%d} c {"ID":%d}`, i, i))
	}
	return out
}

// R52, R67: what comes after a kill is exactly what was not acknowledged, also in the middle of a transaction, once the position
// is stored.
func TestR67AfterAKillExactlyTheUnacknowledgedSuffixIsDelivered(t *testing.T) {
	sideBySide(t)
	const transactions, rows, perBatch = 6, 5, 3
	for _, acknowledged := range []int{0, 1, 2, 3, 5} {
		t.Run(fmt.Sprintf("after %d batches", acknowledged), func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			change := fields{"batching.count": perBatch}
			p := s.start(change)
			blocked := p.blockFrom(acknowledged + 1)
			oneByOne(s, 0, transactions, rows)
			<-blocked
			got, _ := p.delivered()
			if n := len(got); n > 0 {
				last := got[n-1].event.Position.Sequence
				p.until("the position does not follow", func() bool { return s.stored().Sequence >= last })
			}
			p.kill()
			same(t, got, inserts(0, len(got))...)
			same(t, s.start(change).settle(), inserts(len(got), transactions*rows)...)
		})
	}
}

// Several deaths at random moments: each run begins at or before the first change that was not acknowledged, and goes on from
// there without a gap.
func TestRunsThatAreKilledAtRandomGoOnWithoutAGap(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
	change := fields{"batching.count": 4, "position.interval": "50ms"}
	r := rand.New(rand.NewPCG(7, 7))
	var all []string // identities of everything delivered, in order, without repeats
	replica := map[string]string{}
	p := s.start(change)
	for run := range 6 {
		if run > 0 {
			p = s.start(change)
		}
		last := run == 5
		if !last {
			p.blockFrom(1 + r.IntN(12))
		}
		work(s, uint64(run), 80)
		var got []message
		if last {
			got = p.settle()
		} else {
			p.until("nothing is taken", func() bool { return p.taken() > 0 })
			p.kill()
			got, _ = p.delivered()
			got = without(got, s.db.Table(fenceTable))
		}
		for i := range got {
			got[i].applyTo(replica)
		}
		all = join(t, all, identities(got))
	}
	if diff := cmp.Diff(s.rowsAt("t", s.scn()), replica); diff != "" {
		t.Errorf("the table (-database +stream):\n%s", diff)
	}
	for i, id := range all {
		if slices.Contains(all[:i], id) {
			t.Fatalf("%s came again after others", id)
		}
	}
}

// join appends what a later run delivered to what came before; the later run must begin at or before the end, and repeat the
// changes as they were.
func join(t *testing.T, before, after []string) []string {
	t.Helper()
	if len(after) == 0 {
		return before
	}
	at := slices.Index(before, after[0])
	if at < 0 {
		return append(before, after...)
	}
	n := min(len(before)-at, len(after))
	if diff := cmp.Diff(before[at:at+n], after[:n]); diff != "" {
		t.Fatalf("a repeat differs (-first +second):\n%s", diff)
	}
	return append(before, after[n:]...)
}

// R65: a nack ends the generation, and what was not acknowledged is read again from there. What the runtime had read ahead may
// come in between, and what was acknowledged so late that the nack was faster comes again; nothing is missing and the order
// after the nack is that of the database.
func TestR65NackedBatchIsReadAgainFromItsPlace(t *testing.T) {
	const transactions, rows = 10, 3
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.launch(fields{"batching.count": rows})
	nacked := 0
	p.judgeBy(func(_ context.Context, _ int, batch []message) error {
		for _, m := range batch {
			if nacked < 2 && string(m.event.Key) == `{"ID":10}` {
				nacked++
				return errors.New("a consumer that does not want it")
			}
		}
		return nil
	})
	p.awaitCapture()
	oneByOne(s, 0, transactions, rows)
	got := lines(p.settle())
	want := inserts(0, transactions*rows)
	if nacked != 2 {
		t.Fatalf("nacked %d times", nacked)
	}
	if diff := cmp.Diff(want[:9], got[:9]); diff != "" {
		t.Errorf("before the nack (-want +got):\n%s", diff)
	}
	last := lastRun(want, got)
	if last == len(got) {
		t.Fatalf("the last change is missing: %q", got)
	}
	if from := slices.Index(want, got[last]); from > 9 {
		t.Errorf("after the nack messages came without a gap only from %s on: %q", want[from], got)
	}
	for _, ahead := range got[9:last] {
		if !slices.Contains(want, ahead) {
			t.Errorf("%s is nothing that was committed", ahead)
		}
	}
}

// lastRun gives where the uninterrupted end of want begins in got.
func lastRun(want, got []string) int {
	for n := 1; n <= len(got); n++ {
		if n > len(want) || got[len(got)-n] != want[len(want)-n] {
			return len(got) - n + 1
		}
	}
	return 0
}

// P2: at no moment does the file hold a position of a batch that was not acknowledged yet.
func TestPositionFileIsNeverAheadOfAcknowledgements(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.launch(fields{"batching.count": 2, "position.interval": "1ms"})
	seen := 0
	p.judgeBy(func(_ context.Context, _ int, batch []message) error {
		seen++
		at := batch[0].event.Position
		// The writer gets time for a mistake.
		for range 20 {
			if now := s.stored(); now.Sequence >= at.Sequence {
				return fmt.Errorf("position %d is stored while batch %d waits", now.Sequence, at.Sequence)
			}
			s.exec("UPDATE $t SET id = id WHERE id = -1")
		}
		return nil
	})
	p.awaitCapture()
	oneByOne(s, 0, 10, 3)
	got := p.settle()
	same(t, got, inserts(0, 30)...)
	if seen < 15 {
		t.Fatalf("%d batches", seen)
	}
	last := got[len(got)-1].event.Position
	p.until("the position does not follow", func() bool { return s.stored().Sequence > last.Sequence })
	if now := s.stored(); now.Done.SCN < got[len(got)-1].event.Transaction.Key.SCN || now.Group != nil && !now.Group.Complete {
		t.Errorf("everything is acknowledged, and the position is %+v", now)
	}
}

// scn reads the database's clock.
func (s *scenario) scn() uint64 {
	s.t.Helper()
	var scn uint64
	if _, err := fmt.Sscan(s.connect(admin).rows("SELECT TO_CHAR(current_scn) FROM v$database")[0][0], &scn); err != nil {
		s.t.Fatal(err)
	}
	return scn
}
