package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// inserts is a transaction of n rows.
func (s *scene) inserts(x position.XID, scn position.SCN, n int) []logminer.Row {
	var rows []logminer.Row
	for i := range n {
		rows = append(rows, insert(s.a, x, scn, i, strings.Repeat("x", 30)))
	}
	return rows
}

// The budget covers open transactions and what waits for the emitter together; while the output is slow, mining waits.
func TestBudgetWaitsForTheEmitter(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 10
	s.config.Memory = 21_000 // one transaction and a half
	for n := range uint16(6) {
		scn := position.SCN(1000 + 10*n)
		s.step(append(s.inserts(xid(n), scn+1, 40), commit(xid(n), scn+2))...)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		out, ended := make(chan *change.Batch), make(chan error, 1)
		go func() { ended <- newMiner(s.config, s.db).run(ctx, s.beginning(), out) }()
		time.Sleep(compareInterval - time.Second) // nobody reads: mining stands in the step that does not fit
		select {
		case err := <-ended:
			t.Errorf("capture ended: %v", err)
		default:
		}
		s.db.mu.Lock()
		if s.db.steps > 2 {
			t.Errorf("%d steps were taken while nobody read", s.db.steps)
		}
		s.db.mu.Unlock()
		got := 0
		for got < 6*40 {
			b := <-out
			got += len(b.Events)
		}
		cancel()
		<-ended
	})
}

// One step is at least one log, and a log can hold far more than the budget in transactions that are small and ended: it is mined
// in parts (R12), not stopped for.
func TestR12LogLargerThanTheBudgetIsMinedInParts(t *testing.T) {
	s := newScene(t)
	s.config.Memory = 21_000 // one transaction and a half
	var rows []logminer.Row
	for n := range uint16(6) {
		scn := position.SCN(1000 + 100*n)
		for i, r := range s.inserts(xid(n), scn+1, 40) {
			r.SCN += position.SCN(i)
			rows = append(rows, r)
		}
		rows = append(rows, commit(xid(n), scn+50))
	}
	s.step(rows...)
	s.play(s.beginning())
	if s.err != nil || len(s.events()) != 6*40 {
		t.Fatalf("%d events (%v), want %d", len(s.events()), s.err, 6*40)
	}
}

func TestBudgetThatOpenTransactionsExceedStopsAndNamesThem(t *testing.T) {
	s := newScene(t)
	s.config.Memory = 60 * 430
	s.step(append(s.inserts(xid(1), 1001, 10), commit(xid(1), 1002))...)
	s.step(s.inserts(xid(2), 1011, 40)...)
	s.step(s.inserts(xid(3), 1021, 60)...)
	s.play(s.beginning())
	typed, ok := stop.As(s.err)
	if !ok || typed.Code != stop.BufferFull {
		t.Fatalf("%v, want CDC-4001", s.err)
	}
	three, two := strings.Index(typed.Object, "3.1.7"), strings.Index(typed.Object, "2.1.7")
	if three < 0 || two < three {
		t.Fatalf("object %q: want the open transactions, the largest first", typed.Object)
	}
	if len(s.events()) != 10 {
		t.Fatalf("%d events, want those committed before", len(s.events()))
	}
}

// A context that ends while capture is anywhere ends capture at once, with nothing left running.
func TestCancelledCaptureReturnsFromEverywhere(t *testing.T) {
	stages := map[string]func(s *scene, block func(context.Context) error){}
	for _, what := range []string{"connect", "describe", "scn", "open", "start", "reading", "mine"} {
		stages[what] = func(s *scene, block func(context.Context) error) {
			s.db.enter = func(ctx context.Context, entered string) error {
				if entered == what {
					return block(ctx)
				}
				return nil
			}
		}
	}
	stages["peers"] = func(s *scene, block func(context.Context) error) {
		s.config.Peers = func(ctx context.Context) (Peers, error) { return Peers{}, block(ctx) }
	}
	stages["versions"] = func(s *scene, block func(context.Context) error) {
		s.config.Versions = func(ctx context.Context, _ func(string) (int, bool)) (*registry.Registry, error) {
			return nil, block(ctx)
		}
	}
	stages["save"] = func(s *scene, block func(context.Context) error) {
		s.config.Save = func(ctx context.Context, _ *position.Position) error { return block(ctx) }
	}
	stages["emission"] = func(*scene, func(context.Context) error) {}
	stages["reconnecting"] = func(s *scene, _ func(context.Context) error) {
		lost := stop.New(stop.Unavailable, "", "lost")
		s.db.enter = func(_ context.Context, what string) error {
			if what == "mine" {
				s.db.refuse = func() error { return lost }
				return lost
			}
			return nil
		}
	}
	for name, arrange := range stages {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			entered := false
			arrange(s, func(ctx context.Context) error {
				entered = true
				<-ctx.Done()
				return ctx.Err()
			})
			s.step()
			s.step()
			s.step()
			s.step(append(s.inserts(xid(1), 1101, 10), commit(xid(1), 1102))...)
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error, 1)
				go func() { ended <- newMiner(s.config, s.db).run(ctx, nil, make(chan *change.Batch)) }()
				time.Sleep(time.Minute)
				synctest.Wait()
				select {
				case err := <-ended:
					t.Errorf("capture ended before it was cancelled: %v", err)
					cancel()
					return
				default:
				}
				if !entered && name != "emission" && name != "reconnecting" {
					t.Errorf("capture did not come to %s", name)
				}
				began := time.Now()
				cancel()
				if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(began) > 0 {
					t.Errorf("%v after %s, want context.Canceled at once", err, time.Since(began))
				}
			})
		})
	}
}

func TestR11StepThatFailsTooOftenStops(t *testing.T) {
	s := newScene(t)
	s.config.Retry.MaxSteps = 3
	s.db.failure = stop.New(stop.StepFailed, "", "always")
	s.db.fail = func(int) int { return 0 }
	s.play(s.beginning())
	if !stop.Is(s.err, stop.StepFailed) || s.seen.retried != 3 {
		t.Fatalf("%v after %d retries, want CDC-1002 after 3", s.err, s.seen.retried)
	}
}

// A connection that comes back goes on with the same step; the open transactions stay.
func TestLostConnectionIsMadeAgain(t *testing.T) {
	s := newScene(t)
	lost := stop.New(stop.Unavailable, "", "lost")
	failures := 0
	s.db.enter = func(_ context.Context, what string) error {
		if what == "mine" && s.db.steps == 1 && failures == 0 {
			failures = 1
			return lost
		}
		return nil
	}
	s.db.refuse = func() error {
		if failures > 0 && failures < 4 {
			failures++
			return lost
		}
		return nil
	}
	s.step(insert(s.a, xid(1), 1001, 1, "a"))
	s.step(commit(xid(1), 1010))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a")
	if failures != 4 || s.seen.reconnects == 0 {
		t.Fatalf("%d attempts failed, %d reconnects", failures, s.seen.reconnects)
	}
}

func TestR22ValueThatCannotBeRenderedIsPlacedInTheRedo(t *testing.T) {
	c := &transaction.Change{SCN: 7, Thread: 1, Address: position.RBA{Sequence: 1, Block: 2, Byte: 16}}
	err := placed(stop.New(stop.Undecodable, "P.APP.A.TS", "value cannot be published"), c, &change.Transaction{ID: xid(3)})
	for _, want := range []string{"P.APP.A.TS", "transaction 3.1.7", "SCN 7", "address 0x000001.00000002.0010"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}
