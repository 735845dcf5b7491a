package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/positionstore"
)

// disk is a position file whose process may be killed: what is written behind that never happened.
type disk struct {
	*positionstore.FileStore
	killed *atomic.Bool
	// flaky makes a write fail now and then.
	flaky func() bool
}

func (d disk) Save(ctx context.Context, p *position.Position) error {
	if d.killed.Load() {
		return errors.New("killed")
	}
	if d.flaky() {
		return errors.New("disk full")
	}
	return d.FileStore.Save(ctx, p)
}

// pipeline plays the runtime against a real reader, window, writer and store; the engine behind them counts. The position's
// SCN of done is the number of messages that it covers.
type pipeline struct {
	rng, engine *rand.Rand
	total       int
	files       *memoryFiles
	// acked is how many messages, from the first on, were acknowledged at least once.
	acked map[int]bool
}

// counting emits the numbers from the position on, in batches of any size.
func (p *pipeline) counting(ctx context.Context, c *engine.Config, from *position.Position, out chan<- *change.Batch) error {
	c.Ready()
	running := position.Position{Run: "run", Sequence: 1}
	if from != nil {
		running = *from
	}
	next := int(running.Done.SCN)
	for {
		n := 0
		if next < p.total {
			n = p.engine.IntN(min(4, p.total-next) + 1)
		}
		b := &change.Batch{}
		for range n {
			b.Events = append(b.Events, change.Event{Kind: change.Change, Op: change.Create, Topic: "t", Index: next, Value: fmt.Append(nil, next)})
			next++
		}
		running.Sequence++
		running.Done.SCN = position.SCN(next)
		at := running
		b.Position = &at
		if err := hand(ctx, out, b); err != nil {
			return err
		}
		if next == p.total {
			<-ctx.Done()
			return ctx.Err()
		}
	}
}

type received struct {
	batch service.MessageBatch
	ack   service.AckFunc
	err   error
}

// process is one life of the process: it ends with a kill, or when everything is acknowledged and stored.
func (p *pipeline) process(t *testing.T) (finished bool, err error) {
	var killed atomic.Bool
	r, _ := testReader(t, "checkpoint_limit: 9", p.counting, nil)
	r.open = func(context.Context) (positionstore.Store, error) {
		f, err := positionstore.OpenFileOn(p.files, "position.json")
		writes := 0
		return disk{FileStore: f, killed: &killed, flaky: func() bool { writes++; return writes%7 == 3 }}, err
	}
	defer func() {
		killed.Store(!finished)
		if closed := r.Close(context.Background()); err == nil && finished {
			err = closed
		}
	}()
	ctx, cancel := context.WithCancel(context.Background())
	var wait chan received
	defer func() {
		cancel()
		if wait != nil {
			<-wait
		}
	}()
	if err := r.Connect(ctx); err != nil {
		return false, err
	}
	stored, err := p.stored()
	if err != nil {
		return false, err
	}
	next, out := stored, []received(nil)
	for range 2000 {
		if wait == nil {
			wait = make(chan received, 1)
			go func(answer chan<- received) {
				b, ack, err := r.ReadBatch(ctx)
				answer <- received{b, ack, err}
			}(wait)
		}
		synctest.Wait()
		select {
		case got := <-wait:
			wait = nil
			if errors.Is(got.err, service.ErrNotConnected) {
				if err := r.Connect(ctx); err != nil {
					return false, err
				}
				next, out = done(r.window.Safe()), nil
				continue
			}
			if got.err != nil {
				return false, got.err
			}
			for _, m := range got.batch {
				if at := change.From(m.Context()).Index; at != next {
					return false, fmt.Errorf("message %d comes where %d is due", at, next)
				}
				next++
			}
			out = append(out, got)
		default:
			time.Sleep(time.Duration(p.rng.IntN(400)) * time.Millisecond)
		}
		if err := p.acknowledge(ctx, out); err != nil {
			return false, err
		}
		if err := p.covered(r.window.Safe()); err != nil {
			return false, err
		}
		switch stored, err = p.stored(); {
		case err != nil:
			return false, err
		case stored == p.total:
			return true, nil
		case p.rng.IntN(40) == 0:
			return false, nil
		}
	}
	return false, errors.New("the pipeline does not come to an end")
}

// acknowledge acks or nacks a batch, perhaps one that was before.
func (p *pipeline) acknowledge(ctx context.Context, out []received) error {
	if len(out) == 0 || p.rng.IntN(3) == 0 {
		return nil
	}
	which := out[len(out)-1-p.rng.IntN(min(len(out), 5))]
	if p.rng.IntN(15) == 0 {
		return which.ack(ctx, errors.New("nack"))
	}
	for _, m := range which.batch {
		p.acked[change.From(m.Context()).Index] = true
	}
	return which.ack(ctx, nil)
}

// covered holds P2: the position covers what was acknowledged and nothing else.
func (p *pipeline) covered(safe *position.Position) error {
	for i := range done(safe) {
		if !p.acked[i] {
			return fmt.Errorf("the position covers message %d, which was not acknowledged", i)
		}
	}
	return nil
}

func done(p *position.Position) int {
	if p == nil {
		return 0
	}
	return int(p.Done.SCN)
}

func (p *pipeline) stored() (int, error) {
	f, err := positionstore.OpenFileOn(p.files, "position.json")
	if err != nil {
		return 0, err
	}
	stored, err := f.Load(context.Background())
	return done(stored), err
}

// memoryFiles is a file system without a disk.
type memoryFiles struct {
	mu      sync.Mutex
	content map[string][]byte
}

func (f *memoryFiles) Read(name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	data, ok := f.content[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (f *memoryFiles) Create(name string) (positionstore.File, error) {
	return &memoryFile{files: f, name: name}, nil
}

func (f *memoryFiles) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.content[to] = f.content[from]
	delete(f.content, from)
	return nil
}

func (*memoryFiles) SyncFolder(string) error { return nil }

type memoryFile struct {
	files *memoryFiles
	name  string
	bytes.Buffer
}

func (*memoryFile) Sync() error { return nil }

func (m *memoryFile) Close() error {
	m.files.mu.Lock()
	defer m.files.mu.Unlock()
	m.files.content[m.name] = m.Bytes()
	return nil
}

// R65, R66: whatever the runtime does with batches, and whenever the process is killed, every message is delivered from the stored
// position on in order, and the position covers acknowledged messages only.
func TestR65InputDeliversFromTheStoredPositionOn(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		total := rapid.IntRange(1, 60).Draw(rt, "messages")
		var failure error
		synctest.Test(t, func(t *testing.T) {
			p := &pipeline{
				rng: rand.New(rand.NewPCG(seed, 3)), engine: rand.New(rand.NewPCG(seed, 4)), total: total,
				files: &memoryFiles{content: map[string][]byte{}}, acked: map[int]bool{},
			}
			for range 200 {
				finished, err := p.process(t)
				if finished || err != nil {
					failure = err
					return
				}
			}
			failure = errors.New("never finished")
		})
		if failure != nil {
			rt.Fatal(failure)
		}
	})
}
