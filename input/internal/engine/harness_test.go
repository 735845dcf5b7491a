package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// counts is an Observer.
type counts struct {
	steps, late, retried, reconnects, heartbeats int
	rolledBack, committed, buried                int
	replays                                      int
	numbered                                     int64
	excluded                                     int
	excludedRows                                 int64
	loads                                        int
	last                                         StepInfo
}

func (c *counts) Step(s StepInfo) {
	c.steps++
	c.late += s.LateCommits
	c.rolledBack += s.RolledBack
	c.committed += s.Committed
	c.numbered += s.Numbered
	c.excluded += s.Excluded
	c.loads += s.Loads
	c.excludedRows += s.ExcludedRows
	if s.Replayed {
		c.replays++
	}
	c.last = s
}

func (c *counts) Failed(f Failure) {
	c.retried++
	if f == ConnectionLost {
		c.reconnects++
	}
}

func (c *counts) Buried() { c.buried++ }

func (c *counts) Read(string, int64) {}

func (c *counts) Remaining(string, time.Duration) {}

func (c *counts) Emitted(heartbeat bool) {
	if heartbeat {
		c.heartbeats++
	}
}

// testConfig captures every table of PDB1.APP but FOREIGN.
func testConfig(t testing.TB) *Config {
	t.Helper()
	selection, err := naming.NewSelection([]string{`PDB1\.APP\..*`}, []string{`.*\.FOREIGN`}, false)
	if err != nil {
		t.Fatal(err)
	}
	internal, err := naming.DefaultInternal().Resolve("shop", "")
	if err != nil {
		t.Fatal(err)
	}
	template, err := naming.ParseTemplate("")
	if err != nil {
		t.Fatal(err)
	}
	return &Config{
		Template: template, Selection: selection, Logging: schema.LoggingAll, AllowNoTables: true,
		PollInterval: 100 * time.Millisecond, IdleInterval: time.Second, Memory: 1 << 30,
		Records: debezium.Settings{Profile: debezium.CDC(), Server: "shop", Tombstones: true}, Internal: internal,
		BatchCount: 100, BatchBytes: 1 << 20, BatchPeriod: time.Hour,
		Retry: Retry{MaxTime: time.Hour, InitialInterval: time.Millisecond, MaxInterval: time.Second, MaxSteps: 1 << 30},
		Peers: func(context.Context) (Peers, error) { return Peers{}, nil },
		Save:  func(context.Context, *position.Position) error { return nil },
		Ready: func() {}, Available: func(error) {},
		Log:     slog.New(slog.DiscardHandler),
		Now:     time.Now,
		Observe: &counts{},
	}
}

// text renders an event as workload.expected does; false for messages that are no change.
func text(ev *change.Event) (string, bool) {
	var kind string
	switch ev.Kind {
	case change.Change:
		kind = string(ev.Op)
	case change.Tombstone:
		kind = "tombstone"
	default:
		return "", false
	}
	id, old, fresh := "", "", ""
	if ev.Before != nil {
		id, old = ev.Before[0].Text(), ev.Before[1].Text()
	}
	if ev.After != nil {
		id, fresh = ev.After[0].Text(), ev.After[1].Text()
	}
	if kind == "tombstone" {
		old = ""
	}
	return fmt.Sprintf("%s#%d %s %s/%s %s>%s", ev.Transaction.ID, ev.Index, kind, ev.Version.Table.Name, id, old, fresh), true
}

// store keeps positions as the product does: encoded.
type store struct {
	encoded []byte
	covered map[string]bool
}

func (s *store) save(p *position.Position, covered map[string]bool) error {
	encoded, err := position.Encode(p)
	if err != nil {
		return err
	}
	s.encoded, s.covered = encoded, covered
	return nil
}

func (s *store) load() (*position.Position, map[string]bool, error) {
	if s.encoded == nil {
		return nil, map[string]bool{}, nil
	}
	p, err := position.Decode(s.encoded)
	return p, maps.Clone(s.covered), err
}

// consumer plays the pipeline: it takes batches, acknowledges them in any order, twice, late or never, nacks, and kills.
type consumer struct {
	w      *workload
	config *Config
	store  store
	// rng is not the workload's, which mines while the consumer plays.
	rng *rand.Rand
	// safe is the position up to which everything is acknowledged in this process, and the events that it covers.
	safe    *position.Position
	covered map[string]bool
	// first is the position of the first start, start its S.
	first atomic.Pointer[position.Position]
	start position.SCN
	// kills and nacks are percentages per look.
	kills, nacks int
	// barred bounds the ledger of excluded transactions; 0: as in the product.
	barred int
	// generations counts runs of the engine, delivered all events.
	generations, delivered int

	// Mutations, to prove that the test sees what they break.
	mutate func(p *position.Position)
	anyAck bool
}

func (c *consumer) chance(percent int) bool { return c.rng.IntN(100) < percent }

// adopt takes the position of a first start, which is stored.
func (c *consumer) adopt() error {
	p := c.first.Swap(nil)
	if p == nil {
		return nil
	}
	c.start, c.safe = p.FirstStart.S, p
	return c.store.save(p, map[string]bool{})
}

// handed is a batch that is out.
type handed struct {
	position *position.Position
	events   []string
	acked    bool
}

// generation is one run of the engine with its window.
type generation struct {
	*consumer
	covered   map[string]bool
	from      *position.Position
	last      *position.Position
	delivered []string
	window    []*handed
	all       []*handed
	closed    bool
	lastBatch *change.Batch
	// promised is the greatest SCN of a heartbeat.
	promised position.SCN
}

var errFinished = errors.New("finished")

// capture runs generations until everything is delivered and acknowledged. It is to be called in a synctest bubble.
func (c *consumer) capture() error {
	// Nothing is late at the first start: a commit at or below S that comes after it is delivered or not, depending on restarts.
	late := c.w.late
	c.w.late = false
	c.config.Save = func(_ context.Context, p *position.Position) error {
		c.w.db.mu.Lock()
		defer c.w.db.mu.Unlock()
		c.w.late = late
		c.first.Store(p)
		return nil
	}
	c.covered = map[string]bool{}
	for c.generations < 30 {
		c.generations++
		g := &generation{consumer: c, covered: maps.Clone(c.covered), from: c.safe, last: c.safe}
		err := g.run()
		c.delivered += len(g.delivered)
		if errors.Is(err, errFinished) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("generation %d: %w", c.generations, err)
		}
	}
	return errors.New("capture does not come to an end")
}

func (g *generation) run() error {
	ctx, cancel := context.WithCancel(context.Background())
	out := make(chan *change.Batch)
	ended := make(chan error, 1)
	m := newMiner(g.config, g.w.db)
	if g.barred > 0 {
		m.excluded.limit = g.barred
	}
	go func() { ended <- m.run(ctx, g.from, out) }()
	err := g.consume(out, ended)
	cancel()
	runErr := <-ended
	switch {
	case err != nil && !errors.Is(err, errFinished):
		return err
	case !errors.Is(runErr, context.Canceled):
		return fmt.Errorf("the engine ended with %w", runErr)
	}
	if late := g.lateAcks(); late != nil {
		return late
	}
	if complaint := g.check(); complaint != nil {
		return complaint
	}
	return err
}

// consume plays until a kill, a nack or the end.
func (g *generation) consume(out <-chan *change.Batch, ended chan error) error {
	w, quiet := g.w, 0
	for {
		synctest.Wait()
		if err := g.adopt(); err != nil {
			return err
		}
		select {
		case b := <-out:
			synctest.Wait()
			if quiet++; len(b.Events) > 0 && b.Events[0].Transaction != nil {
				quiet = 0
			}
			if err := g.take(b); err != nil {
				return err
			}
		case err := <-ended:
			ended <- err
			return fmt.Errorf("the engine ended: %w", err)
		default:
			time.Sleep(time.Second)
			quiet++
		}
		synctest.Wait() // what the engine does meanwhile must not depend on who runs first
		if err := g.adopt(); err != nil {
			return err
		}
		if g.chance(50) {
			g.acknowledge()
		}
		if g.chance(30) && g.consumer.safe != nil {
			if err := g.consumer.store.save(g.consumer.safe, g.consumer.covered); err != nil {
				return err
			}
		}
		calm := g.generations > 20 // so that it comes to an end
		switch {
		case !calm && g.chance(g.kills):
			p, covered, err := g.consumer.store.load()
			g.consumer.safe, g.consumer.covered = p, covered
			g.closed = true
			return err
		case !calm && g.chance(g.nacks) && len(g.window) > 0:
			g.closed = true
			return nil
		case quiet > 3 && w.done():
			return g.settle(out)
		}
	}
}

// settle acknowledges everything and waits until the position comes to rest at the end of the redo.
func (g *generation) settle(out <-chan *change.Batch) error {
	final, _ := g.w.db.progress()
	for range 300 {
		synctest.Wait()
		for _, h := range g.window {
			h.acked = true
		}
		g.advance()
		p := g.consumer.safe
		_, end := g.w.db.progress()
		if p.Done.SCN >= final && slices.Equal(p.Done.Marks, end.Marks) && p.Resume.Equal(p.Done) && p.Group == nil && len(p.Excluded) == 0 {
			for _, e := range g.w.expected(g.start) {
				if !g.consumer.covered[e] {
					return fmt.Errorf("never delivered: %s", e)
				}
			}
			return errFinished
		}
		time.Sleep(time.Second)
		synctest.Wait()
		select {
		case b := <-out:
			synctest.Wait()
			if err := g.take(b); err != nil {
				return err
			}
		default:
		}
	}
	return fmt.Errorf("R119: the position of a quiet database is %+v, want resume and done at %s", g.consumer.safe, final)
}

// take registers a batch and looks at its position.
func (g *generation) take(b *change.Batch) error {
	p := b.Position
	if _, err := position.Encode(p); err != nil {
		return err
	}
	if g.last != nil {
		switch {
		case !g.last.Resume.Within(p.Resume), !g.last.Done.Within(p.Done):
			return fmt.Errorf("R52: the position moved back from %+v to %+v", g.last, p)
		case p.Sequence <= g.last.Sequence || p.Run != g.last.Run:
			return fmt.Errorf("R66: sequence %d of run %s follows %d of run %s", p.Sequence, p.Run, g.last.Sequence, g.last.Run)
		}
	}
	if g.barred > 0 && len(p.Excluded) > g.barred {
		return fmt.Errorf("R105: the position names %d excluded transactions", len(p.Excluded))
	}
	g.last = p
	if g.lastBatch != nil && len(b.Events) > 0 && len(g.lastBatch.Events) > 0 {
		a, z := &g.lastBatch.Events[len(g.lastBatch.Events)-1], &b.Events[0]
		if a.Transaction != nil && z.Transaction != nil && a.Transaction.ID == z.Transaction.ID && a.Index == z.Index {
			return fmt.Errorf("R64: the records of change %d of transaction %s lie in two batches", a.Index, a.Transaction.ID)
		}
	}
	if len(b.Events) > 0 {
		g.lastBatch = b
	}
	h := &handed{position: p}
	for i := range b.Events {
		if b.Events[i].Position != p {
			return errors.New("an event has another position than its batch")
		}
		switch ev := &b.Events[i]; {
		case ev.Kind == change.Heartbeat:
			g.promised = max(g.promised, ev.SCN)
		case ev.Transaction != nil && ev.Transaction.Key.SCN <= g.promised && !g.w.mayBeLate():
			return fmt.Errorf("R122: a heartbeat had SCN %s before the commit at %s", g.promised, ev.Transaction.Key.SCN)
		}
		if e, ok := text(&b.Events[i]); ok {
			h.events = append(h.events, e)
		}
	}
	h.acked = len(b.Events) == 0
	g.delivered = append(g.delivered, h.events...)
	g.window = append(g.window, h)
	g.all = append(g.all, h)
	g.advance()
	return nil
}

// acknowledge acknowledges a random batch, perhaps one that is long done.
func (g *generation) acknowledge() {
	if len(g.all) == 0 {
		return
	}
	h := g.all[len(g.all)-1-g.rng.IntN(min(len(g.all), 6))]
	h.acked = true
	if g.anyAck {
		g.move(h)
	}
	g.advance()
}

// advance moves the safe position over the acknowledged prefix (R65).
func (g *generation) advance() {
	for !g.closed && len(g.window) > 0 && g.window[0].acked {
		g.move(g.window[0])
		g.window = g.window[1:]
	}
}

func (g *generation) move(h *handed) {
	p := *h.position
	if g.mutate != nil {
		g.mutate(&p)
	}
	covered := maps.Clone(g.covered)
	for _, o := range g.all {
		for _, e := range o.events {
			if o.acked {
				covered[e] = true
			}
		}
		if o == h {
			break
		}
	}
	if g.anyAck && g.consumer.safe != nil && g.consumer.safe.Sequence > p.Sequence {
		return
	}
	g.consumer.safe, g.consumer.covered = &p, covered
}

// lateAcks acknowledges batches of a closed generation, which changes nothing.
func (g *generation) lateAcks() error {
	before := g.consumer.safe
	for _, h := range g.window {
		h.acked = true
	}
	g.advance()
	if g.closed && g.consumer.safe != before {
		return errors.New("R65: a late ack moved the position")
	}
	return nil
}
