package engine

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

// tail is capture at the tail of the redo in virtual time: when START was called, and how long after its commit each
// transaction was handed over. A step takes no time of its own but its hold-back.
type tail struct {
	starts    []time.Time
	latencies []time.Duration
}

// follow captures for a time, while a transaction commits at each interval; zero: none.
func (s *scene) follow(total, interval time.Duration) tail {
	s.t.Helper()
	s.config.PollInterval, s.config.IdleInterval, s.config.HoldBack = time.Second, 3*time.Second, 100*time.Millisecond
	var seen tail
	synctest.Test(s.t, func(t *testing.T) {
		began := time.Now()
		next := uint16(1)
		s.db.tick = func() {
			s.db.now++
			for ; interval > 0 && began.Add(time.Duration(next)*interval).Before(time.Now()); next++ {
				scn := s.db.now + 1
				s.db.flush(insert(s.a, xid(next), scn, int(next), "v"), false)
				s.db.flush(commit(xid(next), scn+1), false)
				s.db.now = scn + 1
			}
		}
		s.db.enter = func(ctx context.Context, what string) error {
			if what != "mine" {
				return nil
			}
			err := sleep(ctx, s.config.HoldBack) // the bound has been read: this is its age (R1)
			seen.starts = append(seen.starts, time.Now())
			return err
		}
		ctx, cancel := context.WithCancel(t.Context())
		out, ended := make(chan *change.Batch), make(chan error, 1)
		go func() { ended <- newMiner(s.config, s.db).run(ctx, s.beginning(), out) }()
		for end := time.After(total); ; {
			select {
			case b := <-out:
				for i := range b.Events {
					if tx := b.Events[i].Transaction; tx != nil {
						seen.latencies = append(seen.latencies, time.Since(began.Add(time.Duration(tx.ID.USN)*interval)))
					}
				}
				continue
			case <-end:
			}
			break
		}
		cancel()
		<-ended
	})
	return seen
}

// R21: under a steady load a commit is handed over within three periods, and START is called no more often than once a period.
func TestR21SteadyLoadIsDeliveredWithinThreePeriods(t *testing.T) {
	for _, interval := range []time.Duration{10 * time.Millisecond, 250 * time.Millisecond, 900 * time.Millisecond, 2500 * time.Millisecond} {
		t.Run(fmt.Sprint(interval), func(t *testing.T) {
			const total = time.Minute
			s := newScene(t)
			got := s.follow(total, interval)
			period := s.config.PollInterval
			if n, want := len(got.latencies), int((total-3*period)/interval); n < want {
				t.Fatalf("%d transactions were handed over, want at least %d", n, want)
			}
			for i, latency := range got.latencies {
				if latency >= 3*period {
					t.Fatalf("transaction %d was handed over after %s, want less than three periods of %s", i, latency, period)
				}
			}
			if n := len(got.starts); n > int(total/period)+1 {
				t.Errorf("START was called %d times in %s", n, total)
			}
		})
	}
}

// R21: every START writes to the alert log of the database, so a quiet one sees few of them.
func TestR21QuietDatabaseSeesOneStartInTheIdleInterval(t *testing.T) {
	s := newScene(t)
	const total = 10 * time.Minute
	got := s.follow(total, 0)
	idle := s.config.IdleInterval
	calm := 0
	for i := 1; i < len(got.starts); i++ {
		switch gap := got.starts[i].Sub(got.starts[i-1]); {
		case calm > 0 && gap < idle:
			t.Fatalf("START was called %s after the one before, %s after the beginning", gap, got.starts[i].Sub(got.starts[0]))
		case gap >= idle:
			calm++
		case got.starts[i].Sub(got.starts[0]) > 3*idle:
			t.Fatalf("START is still called every %s", gap)
		}
	}
	if want := int(total/idle) - 5; calm < want {
		t.Errorf("START was called %d times at the idle interval, want at least %d", calm, want)
	}
}

// A database that had a rest is followed closely again from the first change on.
func TestR21LoadAfterAQuietTimeIsFollowedAtOnce(t *testing.T) {
	var p pace
	c := testConfig(t)
	c.PollInterval, c.IdleInterval = time.Second, 3*time.Second
	for range 10 {
		p.after(c, 0, false, false)
	}
	if p.quiet != c.IdleInterval {
		t.Fatalf("a quiet database is looked at every %s, want %s", p.quiet, c.IdleInterval)
	}
	if p.after(c, 1, false, false); p.quiet != c.PollInterval {
		t.Fatalf("after a change the next step follows in %s, want %s", p.quiet, c.PollInterval)
	}
	if p.after(c, 0, true, false); !p.behind {
		t.Fatal("a step in closed logs is not followed by the next at once")
	}
}
