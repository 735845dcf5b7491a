package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// drawn makes a consumer over a random schedule.
type drawn struct {
	seed                                                    uint64
	before, operations, failing, kills, nacks, batch, bytes int
	late, sorted, bounds, heartbeats, schemaEvents          bool
	users                                                   bool
	barred                                                  int
}

func draw(t *rapid.T) drawn {
	return drawn{
		seed: rapid.Uint64().Draw(t, "seed"), before: rapid.IntRange(0, 12).Draw(t, "before"), operations: rapid.IntRange(1, 150).Draw(t, "operations"),
		failing: rapid.SampledFrom([]int{0, 20, 60}).Draw(t, "failing"),
		kills:   rapid.SampledFrom([]int{0, 3, 12}).Draw(t, "kills"), nacks: rapid.SampledFrom([]int{0, 3, 12}).Draw(t, "nacks"),
		batch: rapid.SampledFrom([]int{1, 2, 3, 7, 50}).Draw(t, "batch"), bytes: rapid.SampledFrom([]int{1, 600, 1 << 20}).Draw(t, "bytes"),
		late: rapid.Bool().Draw(t, "late"), sorted: rapid.Bool().Draw(t, "sorted"), bounds: rapid.Bool().Draw(t, "bounds"),
		heartbeats: rapid.Bool().Draw(t, "heartbeats"), schemaEvents: rapid.Bool().Draw(t, "schema events"),
		users: rapid.Bool().Draw(t, "users"), barred: rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "barred"),
	}
}

func (d drawn) consumer(t testing.TB) *consumer {
	db := newSynthetic(d.seed)
	db.sorted = d.sorted
	w := newWorkload(db, d.operations, false)
	w.users = d.users
	for range d.before {
		w.tick() // the first start finds transactions that are open
	}
	w.late = d.late
	w.drawnFailures(d.failing)
	if d.bounds {
		w.drawnBounds()
	}
	c := testConfig(t)
	c.BatchCount, c.BatchBytes = d.batch, d.bytes
	c.HeartbeatInterval = 1
	c.ExcludeUsers = []string{barredUser}
	c.Peers = func(context.Context) (Peers, error) {
		return Peers{Heartbeats: d.heartbeats, SchemaEvents: d.schemaEvents}, nil
	}
	return &consumer{w: w, config: c, rng: rand.New(rand.NewPCG(d.seed, 2)), kills: d.kills, nacks: d.nacks, barred: d.barred}
}

// capture runs one schedule in a bubble.
func (d drawn) capture(t *testing.T, change func(*consumer)) (err error) {
	synctest.Test(t, func(t *testing.T) {
		c := d.consumer(t)
		if change != nil {
			change(c)
		}
		err = c.capture()
	})
	return err
}

// Whatever the schedule, the cuts of steps and batches, failures of steps, the order of acks, nacks and kills: what is
// delivered after a restart is exactly what the position does not cover.
func TestR52DeliveredAfterARestartIsExactlyTheUnacknowledgedSuffix(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := draw(rt)
		if err := d.capture(t, nil); err != nil {
			rt.Fatalf("%+v: %v", d, err)
		}
	})
}

// A test that cannot fail proves nothing: each of these rules is broken on the way into the store, and the schedules must show it.
func TestR52BrokenRulesAreNoticed(t *testing.T) {
	for name, change := range map[string]func(*consumer){
		"resume without what is open and what is still to be emitted": func(c *consumer) {
			c.mutate = func(p *position.Position) { p.Resume = p.Done }
		},
		"group in progress forgotten": func(c *consumer) {
			c.mutate = func(p *position.Position) { p.Group = nil }
		},
		"group in progress taken as done": func(c *consumer) {
			c.mutate = func(p *position.Position) {
				if p.Group != nil {
					p.Done, p.Group = p.Group.Boundary, nil
				}
			}
		},
		"transaction taken as complete": func(c *consumer) {
			c.mutate = func(p *position.Position) {
				if p.Group != nil {
					g := *p.Group
					g.Complete, p.Group = true, &g
				}
			}
		},
		"index inside the transaction forgotten": func(c *consumer) {
			c.mutate = func(p *position.Position) {
				if p.Group != nil {
					g := *p.Group
					g.Index, p.Group = -1, &g
				}
			}
		},
		"address of the boundary forgotten": func(c *consumer) {
			c.mutate = func(p *position.Position) {
				p.Done.Marks = slices.Clone(p.Done.Marks)
				p.Done.Marks[0].Address = p.Resume.Marks[0].Address
			}
		},
		"list of a first start forgotten": func(c *consumer) {
			c.mutate = func(p *position.Position) {
				if p.FirstStart != nil {
					first := *p.FirstStart
					first.Open, p.FirstStart = nil, &first
				}
			}
		},
		"first start forgotten": func(c *consumer) {
			c.mutate = func(p *position.Position) { p.FirstStart = nil }
		},
		"any ack moves the position": func(c *consumer) { c.anyAck = true },
		"address alone decides what is mined": func(c *consumer) {
			c.w.db.covers = func(b position.Boundary, r *logminer.Row) bool {
				m, _ := b.Mark(r.Thread)
				return r.Address.Compare(m.Address) <= 0
			}
		},
		"SCN alone decides what is mined": func(c *consumer) {
			c.w.db.covers = func(b position.Boundary, r *logminer.Row) bool { return r.SCN <= b.SCN }
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(300) {
				d := drawn{seed: seed, before: int(seed % 12), operations: 80, kills: 8, nacks: 4, batch: 1 + int(seed%3), bytes: 1 << 20, failing: 10, bounds: seed%2 == 0}
				if err := d.capture(t, change); err != nil {
					t.Logf("noticed by schedule %d: %v", seed, err)
					return
				}
			}
			t.Fatal("no schedule noticed it")
		})
	}
}
