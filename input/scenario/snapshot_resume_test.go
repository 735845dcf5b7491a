package scenario_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// kills is how often a snapshot is killed; ORACLE_CDC_KILLS asks for more.
func kills(t *testing.T, few int) int {
	n, err := strconv.Atoi(os.Getenv("ORACLE_CDC_KILLS"))
	if err != nil {
		return few
	}
	t.Logf("%d kills", n)
	return n
}

// R86: a snapshot that is killed again and again, at any moment, goes on where it was: nothing is lost, a consumer holds the table in the
// end, and not much is read twice.
func TestR86SnapshotThatIsKilledGoesOn(t *testing.T) {
	const rows = 6000
	s := begin(t)
	s.table("t", rowColumns)
	s.fill("t", 1000, 1000+rows)
	r := rand.New(rand.NewPCG(9, 9))
	change := initially(fields{"snapshot.max_pending_chunks": 2, "batching.count": 200})
	replica := map[string]string{}
	name, reads, twice, died := s.db.Table("t"), 0, 0, 0
	seen := map[string]bool{} // by the running snapshot
	apply := func(got []message) {
		for i := range got {
			if got[i].event.Version != nil && got[i].event.Version.Table.Name == name {
				if got[i].event.Kind == snapshotKind {
					reads++
					if key := string(got[i].event.Key); seen[key] {
						twice++
					} else {
						seen[key] = true
					}
				}
				got[i].applyTo(replica)
			}
		}
	}
	finished := 0
	for most := kills(t, 6); died < most; {
		p := s.start(change)
		blocked := p.blockFrom(1 + r.IntN(20))
		for range r.IntN(4) {
			s.commit(
				fmt.Sprintf("UPDATE $t SET v = v + 1 WHERE id = %d", 1000+r.IntN(rows)), fmt.Sprintf("UPDATE $t SET name = 'x' WHERE id = %d", 1000+r.IntN(rows)),
			)
			s.commit(fmt.Sprintf("DELETE FROM $t WHERE id = %d", 1000+r.IntN(rows)))
		}
		// In the middle of what is delivered, or at any other moment.
		atAnyMoment := time.NewTimer(10 * time.Second)
		if r.IntN(4) == 0 {
			atAnyMoment.Reset(time.Duration(r.IntN(3000)) * time.Millisecond)
		}
		select {
		case <-blocked:
			atAnyMoment.Reset(50 * time.Millisecond) // what is acknowledged is stored, as it mostly is
			<-atAnyMoment.C
		case <-atAnyMoment.C:
		}
		p.kill()
		died++
		got, _ := p.delivered()
		apply(got)
		if now := s.stored().Snapshot; now != nil && now.Status == position.SnapshotCompleted && died < most {
			finished++
			s.restartSnapshot()
			clear(seen)
		}
	}
	p := s.start(change)
	p.snapshotted()
	apply(p.settle())
	if diff := cmp.Diff(s.rowsAt("t", s.scn()), replica); diff != "" {
		t.Errorf("the table (-database +consumer):\n%s", diff)
	}
	t.Logf("%d kills in %d snapshots of %d rows: %d rows were read, %d of them twice (%.1f%%)", died, finished+1, rows, reads, twice, 100*float64(twice)/float64(reads))
	// A kill costs at most what is out and not acknowledged: the chunks of a batch, and those of the next.
	if len(seen) < rows-died*10 || twice > died*4*1000 {
		t.Errorf("%d rows were read by the last snapshot, %d twice by all", len(seen), twice)
	}
}

const snapshotKind = change.Snapshot

// restartSnapshot makes the position one of a snapshot that has read nothing.
func (s *scenario) restartSnapshot() {
	s.t.Helper()
	p := s.stored()
	again := *p.Snapshot
	again.Status, again.ID, again.Tables = position.SnapshotRunning, again.ID+"+", []position.SnapshotTable{{Table: s.full("t")}}
	s.store(p, &again)
}

// store writes a position with another snapshot.
func (s *scenario) store(p *position.Position, of *position.Snapshot) {
	s.t.Helper()
	p.Snapshot = of
	data, err := position.Encode(p)
	if err == nil {
		err = os.WriteFile(s.file, data, 0o600)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}
