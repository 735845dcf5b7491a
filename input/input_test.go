package input

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/positionstore"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// specOnce is Spec, whose rules take a while to parse.
var specOnce = sync.OnceValue(Spec)

// captureFunc stands in for engine.Run.
type captureFunc func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error

// memoryStore is a position store whose writes a test watches, fails and delays.
type memoryStore struct {
	stored *position.Position
	saves  []uint64
	fail   func(p *position.Position) error
	closed bool
}

func (s *memoryStore) Load(context.Context) (*position.Position, error) { return s.stored, nil }

func (s *memoryStore) Save(_ context.Context, p *position.Position) error {
	if s.fail != nil {
		if err := s.fail(p); err != nil {
			return err
		}
	}
	s.stored = p
	s.saves = append(s.saves, p.Sequence)
	return nil
}

func (s *memoryStore) Close() error { s.closed = true; return nil }

// testReader makes an input on a capture and a store of the test's.
func testReader(t *testing.T, fields string, capture captureFunc, store positionstore.Store) (*reader, *service.Resources) {
	t.Helper()
	res := service.MockResources()
	conf, err := specOnce().ParseYAML(`
connection_string: oracle://u:p@db:1521/FREE
topic_prefix: shop
include: ['FREEPDB1\.APP\..*']
position: {file: `+filepath.Join(t.TempDir(), "position.json")+`}
`+fields, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parseConfig(conf, res)
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(c, res)
	r.capture = capture
	if store != nil {
		r.open = func(context.Context) (positionstore.Store, error) { return store, nil }
	}
	return r, res
}

// batch makes a batch of so many messages with the position of a sequence number.
func batch(sequence uint64, messages int) *change.Batch {
	p := at(sequence)
	p.Run = "run"
	b := &change.Batch{Position: p}
	for range messages {
		b.Events = append(b.Events, change.Event{Kind: change.Change, Op: change.Create, Topic: "t", Value: []byte("v"), Position: p})
	}
	return b
}

func hand(ctx context.Context, out chan<- *change.Batch, b *change.Batch) error {
	select {
	case out <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// emitting captures batches from a list behind the position's sequence number, and then waits for the end.
func emitting(messages ...int) captureFunc {
	return func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error {
		c.Ready()
		for i := sequence(from); i < uint64(len(messages)); i++ {
			if err := hand(ctx, out, batch(i+1, messages[i])); err != nil {
				return err
			}
		}
		<-ctx.Done()
		return ctx.Err()
	}
}

func connect(t *testing.T, r *reader) {
	t.Helper()
	if err := r.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func closeInput(t *testing.T, r *reader) {
	t.Helper()
	if err := r.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// read reads a batch of so many messages and returns its acknowledgement.
func read(t *testing.T, r *reader, messages int) service.AckFunc {
	t.Helper()
	b, ack, err := r.ReadBatch(t.Context())
	if err != nil || len(b) != messages {
		t.Fatalf("%d messages, %v; want %d", len(b), err, messages)
	}
	return ack
}

func wantNotConnected(t *testing.T, r *reader) {
	t.Helper()
	if _, _, err := r.ReadBatch(t.Context()); !errors.Is(err, service.ErrNotConnected) {
		t.Fatalf("%v, want ErrNotConnected", err)
	}
}

func wantBackOff(t *testing.T, err error) (wait time.Duration) {
	t.Helper()
	var backOff *service.ErrBackOff
	if !errors.As(err, &backOff) {
		t.Fatalf("%v, want an error with a wait", err)
	}
	return backOff.Wait
}

func TestBatchesComeInOrderAndTheirAcksMoveThePosition(t *testing.T) {
	store := &memoryStore{}
	r, _ := testReader(t, "", emitting(2, 0, 3), store)
	connect(t, r)
	first, second := read(t, r, 2), read(t, r, 3)
	if err := second(t.Context(), nil); err != nil || sequence(r.window.Safe()) != 0 {
		t.Fatalf("%v, safe %d: want nothing safe before the first batch is", err, sequence(r.window.Safe()))
	}
	if err := first(t.Context(), nil); err != nil || sequence(r.window.Safe()) != 3 {
		t.Fatalf("%v, safe %d: want 3", err, sequence(r.window.Safe()))
	}
	closeInput(t, r)
	if sequence(store.stored) != 3 || !store.closed {
		t.Fatalf("stored %d, closed %v: want the last position stored on Close", sequence(store.stored), store.closed)
	}
}

func TestReadWithoutConnectionSaysSo(t *testing.T) {
	r, _ := testReader(t, "", emitting(), &memoryStore{})
	wantNotConnected(t, r)
	closeInput(t, r)
}

// R65, R66: after a nack the engine has ended before the next begins, from what is acknowledged; late acks change nothing.
func TestR66NackBeginsAgainFromThePositionInMemory(t *testing.T) {
	running, starts := 0, []uint64{}
	inner := emitting(1, 1, 1, 1)
	r, _ := testReader(t, "", func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error {
		if running++; running > 1 {
			t.Error("two engines run at once")
		}
		defer func() { running-- }()
		starts = append(starts, sequence(from))
		return inner(ctx, c, from, out)
	}, &memoryStore{})
	connect(t, r)
	one, two, three := read(t, r, 1), read(t, r, 1), read(t, r, 1)
	_ = one(t.Context(), nil)
	_ = three(t.Context(), nil)
	_ = two(t.Context(), errors.New("nack"))
	wantNotConnected(t, r)
	connect(t, r)
	_ = two(t.Context(), nil)
	if sequence(r.window.Safe()) != 1 {
		t.Fatalf("safe %d: a late ack moved it", sequence(r.window.Safe()))
	}
	for range 3 {
		_ = read(t, r, 1)(t.Context(), nil)
	}
	if !slices.Equal(starts, []uint64{0, 1}) || sequence(r.window.Safe()) != 4 {
		t.Fatalf("began at %v, safe %d", starts, sequence(r.window.Safe()))
	}
	closeInput(t, r)
}

func TestNacksWithoutProgressAreSpaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := testReader(t, "", emitting(1), &memoryStore{})
		began := time.Now()
		for range 8 {
			connect(t, r)
			_ = read(t, r, 1)(t.Context(), errors.New("nack"))
			wantNotConnected(t, r)
		}
		if took := time.Since(began); took < 30*time.Second {
			t.Errorf("eight generations that were refused took %s", took)
		}
		closeInput(t, r)
	})
}

// A batch that was taken from the engine and not handed out would be lost, if reading went on behind it.
func TestReadThatIsGivenUpLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := testReader(t, "checkpoint_limit: 1", emitting(1, 1, 1), &memoryStore{})
		connect(t, r)
		first := read(t, r, 1)
		ctx, cancel := context.WithCancel(t.Context())
		given := make(chan error, 1)
		go func() {
			_, _, err := r.ReadBatch(ctx)
			given <- err
		}()
		synctest.Wait() // the second batch waits for room in the window
		cancel()
		if err := <-given; err == nil {
			t.Error("a batch was handed out over the limit")
		}
		_ = first(t.Context(), nil)
		delivered := map[uint64]bool{1: true}
		for range 10 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			b, ack, err := r.ReadBatch(ctx)
			cancel()
			if errors.Is(err, service.ErrNotConnected) {
				connect(t, r)
			} else if err == nil {
				delivered[change.From(b[0].Context()).Position.Sequence] = true
				_ = ack(t.Context(), nil)
			}
		}
		if safe := sequence(r.window.Safe()); safe != 3 || len(delivered) != 3 {
			t.Errorf("the position covers %d batches, those delivered are %v", safe, delivered)
		}
		closeInput(t, r)
	})
}

func TestTypedStopInConnectIsForGood(t *testing.T) {
	for _, onStop := range []string{"exit", "hold"} {
		t.Run(onStop, func(t *testing.T) {
			calls := 0
			fault := stop.New(stop.Privilege, "C##CDC", "locked")
			r, res := testReader(t, "on_stop: "+onStop, func(context.Context, *engine.Config, *position.Position, chan<- *change.Batch) error {
				calls++
				return fault
			}, &memoryStore{})
			for range 3 {
				err := r.Connect(t.Context())
				if wait := wantBackOff(t, err); wait < time.Hour || !stop.Is(err.(*service.ErrBackOff).Err, stop.Privilege) { //nolint:errorlint // checked above
					t.Fatalf("%v with a wait of %s", err, wait)
				}
				wantNotConnected(t, r)
			}
			if calls != 1 {
				t.Fatalf("the database was touched %d times", calls)
			}
			if recorded := rendezvous.Of(res).Stopped(); (recorded == fault) != (onStop == "exit") {
				t.Fatalf("recorded %v", recorded)
			}
			closeInput(t, r)
		})
	}
}

// What was handed over before the stop is still acknowledged and stored.
func TestTypedStopWhileRunningKeepsTheAcksBeforeIt(t *testing.T) {
	store := &memoryStore{}
	calls := 0
	r, res := testReader(t, "", func(ctx context.Context, c *engine.Config, _ *position.Position, out chan<- *change.Batch) error {
		calls++
		c.Ready()
		if err := hand(ctx, out, batch(1, 1)); err != nil {
			return err
		}
		return stop.New(stop.Undecodable, "table A", "a row")
	}, store)
	connect(t, r)
	ack := read(t, r, 1)
	wantNotConnected(t, r)
	wantBackOff(t, r.Connect(t.Context()))
	_ = ack(t.Context(), nil)
	closeInput(t, r)
	if calls != 1 || sequence(store.stored) != 1 || !stop.Is(rendezvous.Of(res).Stopped(), stop.Undecodable) {
		t.Fatalf("%d runs, stored %d, recorded %v", calls, sequence(store.stored), rendezvous.Of(res).Stopped())
	}
}

func TestFaultThatPassesIsTriedAgainUntilItsTimeIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := true
		lost := stop.New(stop.Unavailable, "db:1521", "refused")
		inner := emitting(1)
		r, res := testReader(t, "", func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error {
			if down {
				return lost
			}
			return inner(ctx, c, from, out)
		}, &memoryStore{})
		var waits []time.Duration
		for range 4 {
			waits = append(waits, wantBackOff(t, r.Connect(t.Context())))
		}
		if !slices.IsSorted(waits) || waits[0] >= waits[3] || waits[3] > r.config.engine.Retry.MaxInterval {
			t.Errorf("waits %v: want them to grow", waits)
		}
		time.Sleep(time.Hour)
		down = false
		connect(t, r)
		_ = read(t, r, 1)(t.Context(), nil)
		down = true
		wantBackOff(t, r.Connect(t.Context()))
		time.Sleep(r.config.engine.Retry.MaxTime)
		wantBackOff(t, r.Connect(t.Context()))
		if rendezvous.Of(res).Stopped() != nil {
			t.Error("stopped too early")
		}
		time.Sleep(time.Second)
		if wait := wantBackOff(t, r.Connect(t.Context())); wait < time.Hour || rendezvous.Of(res).Stopped() != lost {
			t.Errorf("wait %s, stopped %v: want the stop", wait, rendezvous.Of(res).Stopped())
		}
		closeInput(t, r)
	})
}

// While the database is away the runtime knows it, so that /ready says so; the generation with its open transactions goes on.
func TestDatabaseThatIsAwayForAWhileEndsNoGeneration(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lost, runs := stop.New(stop.Unavailable, "db:1521", "refused"), 0
		again := make(chan struct{})
		r, res := testReader(t, "", func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error {
			runs++
			c.Ready()
			if err := hand(ctx, out, batch(1, 1)); err != nil {
				return err
			}
			c.Available(lost)
			<-again
			c.Available(nil)
			return hand(ctx, out, batch(2, 1))
		}, &memoryStore{})
		connect(t, r)
		ack := read(t, r, 1)
		synctest.Wait()
		if _, _, err := r.ReadBatch(t.Context()); !errors.Is(err, service.ErrNotConnected) || !stop.Is(err, stop.Unavailable) {
			t.Fatalf("%v, want not connected and CDC-1001", err)
		}
		for range 3 {
			wantBackOff(t, r.Connect(t.Context()))
		}
		close(again)
		connect(t, r)
		_ = ack(t.Context(), nil) // of before: still good
		_ = read(t, r, 1)(t.Context(), nil)
		if runs != 1 || sequence(r.window.Safe()) != 2 || rendezvous.Of(res).Stopped() != nil {
			t.Fatalf("%d runs, position %d, stopped %v", runs, sequence(r.window.Safe()), rendezvous.Of(res).Stopped())
		}
		closeInput(t, r)
	})
}

func TestFaultThatPassesInARunPausesTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, _ := testReader(t, "", func(_ context.Context, c *engine.Config, _ *position.Position, _ chan<- *change.Batch) error {
			c.Ready()
			time.Sleep(time.Millisecond) // of the bubble: Connect has returned by then
			return stop.New(stop.Broker, "kafka:9092", "down")
		}, &memoryStore{})
		began := time.Now()
		for range 8 {
			connect(t, r)
			wantNotConnected(t, r)
			wantNotConnected(t, r) // asked again without Connect
		}
		if took := time.Since(began); took < 30*time.Second || took > 70*time.Second {
			t.Errorf("eight runs that failed took %s", took)
		}
		closeInput(t, r)
	})
}

func TestConnectThatIsGivenUpEndsItsEngine(t *testing.T) {
	ended := false
	r, _ := testReader(t, "", func(ctx context.Context, _ *engine.Config, _ *position.Position, _ chan<- *change.Batch) error {
		<-ctx.Done()
		ended = true
		return ctx.Err()
	}, &memoryStore{})
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := r.Connect(ctx); !errors.Is(err, context.DeadlineExceeded) || !ended {
		t.Fatalf("%v, engine ended: %v", err, ended)
	}
	closeInput(t, r)
}

func TestStoreThatCannotBeOpenedIsTriedAgain(t *testing.T) {
	r, _ := testReader(t, "", emitting(1), nil)
	opened := 0
	r.open = func(context.Context) (positionstore.Store, error) {
		if opened++; opened < 3 {
			return nil, stop.New(stop.Broker, "kafka:9092", "down")
		}
		return &memoryStore{stored: at(0)}, nil
	}
	for range 2 {
		wantBackOff(t, r.Connect(t.Context()))
	}
	connect(t, r)
	read(t, r, 1)
	closeInput(t, r)
}

// R88: what Save returns is durable, and a generation that follows begins there.
func TestR88PositionOfAFirstStartIsStoredBeforeAnythingElse(t *testing.T) {
	store := &memoryStore{}
	var starts []uint64
	r, _ := testReader(t, "", func(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error {
		starts = append(starts, sequence(from))
		c.Ready()
		if from == nil {
			if err := c.Save(ctx, at(1)); err != nil {
				return err
			}
			if sequence(store.stored) != 1 {
				t.Error("Save returned before the position was stored")
			}
		}
		if err := hand(ctx, out, batch(2, 1)); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}, store)
	connect(t, r)
	_ = read(t, r, 1)(t.Context(), errors.New("nack"))
	wantNotConnected(t, r)
	connect(t, r)
	closeInput(t, r)
	if !slices.Equal(starts, []uint64{0, 1}) {
		t.Fatalf("generations began at %v", starts)
	}
}

func TestPeersDecideAboutHeartbeatsAndTombstones(t *testing.T) {
	for _, c := range []struct {
		heartbeats             string
		output                 bool
		beats, marksTombstones bool
	}{
		{"auto", true, true, false}, {"auto", false, false, true}, {"always", false, true, true}, {"never", true, false, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var got engine.Peers
			r, _ := testReader(t, "emit: {heartbeats: "+c.heartbeats+"}", func(ctx context.Context, conf *engine.Config, _ *position.Position, _ chan<- *change.Batch) error {
				var err error
				got, err = conf.Peers(ctx)
				conf.Ready()
				return err
			}, &memoryStore{})
			if c.output {
				r.meet.JoinOutput()
			}
			if err := r.meet.JoinProcessor(); err != nil {
				t.Fatal(err)
			}
			connect(t, r)
			wantNotConnected(t, r)
			if got.Heartbeats != c.beats || !got.SchemaEvents || r.messages.markTombstones != c.marksTombstones {
				t.Errorf("%+v: peers %+v, tombstones marked %v", c, got, r.messages.markTombstones)
			}
			closeInput(t, r)
		})
	}
}
