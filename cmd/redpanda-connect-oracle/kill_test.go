package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// death is the end of a process: the position stored then, and how far the partitions were.
type death struct {
	position *position.Position
	ends     map[int32]int
}

func (w *world) died() death {
	w.t.Helper()
	// What the process had sent may still be taken by the broker.
	last := int64(-1)
	w.await("the topics do not come to rest", func() bool {
		n := w.count(dataTopic, positionTopic)
		still := n == last
		last = n
		if !still {
			time.Sleep(100 * time.Millisecond)
		}
		return still
	})
	d := death{ends: map[int32]int{}}
	if stored, _ := w.positions(); len(stored) > 0 {
		d.position = stored[len(stored)-1]
	}
	for p, records := range w.records(dataTopic) {
		d.ends[p] = len(records)
	}
	return d
}

// delivered is one record of the data topic.
type delivered struct {
	*kgo.Record
	commit position.SCN
	index  int
	op     string
	life   int
}

func parse(r *kgo.Record) (delivered, error) {
	d := delivered{Record: r, op: "null"}
	for _, h := range r.Headers {
		switch h.Key {
		case "cdc.commit_scn":
			n, err := position.ParseSCN(string(h.Value))
			if err != nil {
				return d, err
			}
			d.commit = n
		case "cdc.event_index":
			n, err := strconv.Atoi(string(h.Value))
			if err != nil {
				return d, err
			}
			d.index = n
		}
	}
	if r.Value == nil {
		return d, nil
	}
	var v struct{ Op string }
	err := json.Unmarshal(r.Value, &v)
	d.op = v.Op
	return d, err
}

// covered reports whether a restart from the position must not deliver the event again.
func covered(p *position.Position, d delivered) bool {
	if p == nil {
		return false
	}
	if d.commit <= p.Done.SCN {
		return true
	}
	g := p.Group
	return g != nil && (d.commit < g.Key.SCN || d.commit == g.Key.SCN && (g.Complete || d.index <= g.Index))
}

// judge checks the topic against the transactions: nothing lost, nothing invented, each key's history in order; and that what came
// twice lies behind the position stored when it came again.
func (w *world) judge(deaths []death) (duplicates int) {
	w.t.Helper()
	stored, at := w.positions()
	histories := map[string][]string{}
	for number, records := range w.records(dataTopic) {
		seen := map[string]bool{}
		var last delivered
		for offset, r := range records {
			d, err := parse(r)
			if err != nil {
				w.t.Fatal(err)
			}
			for _, death := range deaths {
				if offset >= death.ends[number] {
					d.life++
				}
			}
			identity := fmt.Sprintf("%s/%d/%s/%s", d.commit, d.index, d.op, r.Key)
			if !seen[identity] {
				if cmp.Or(cmp.Compare(d.commit, last.commit), cmp.Compare(d.index, last.index)) < 0 {
					w.t.Errorf("%s comes first behind %d/%d", identity, last.commit, last.index)
				}
				seen[identity], last = true, d
				histories[string(r.Key)] = append(histories[string(r.Key)], d.op)
				continue
			}
			duplicates++
			if d.life > 0 && covered(deaths[d.life-1].position, d) {
				w.t.Errorf("%s comes again in life %d, although the position stored at the death before covers it: %+v", identity, d.life, deaths[d.life-1].position)
			}
			for i := len(stored) - 1; i >= 0; i-- {
				if at[i].Before(r.Timestamp) {
					if covered(stored[i], d) {
						w.t.Errorf("%s comes again at %s, although the position stored at %s covers it", identity, r.Timestamp, at[i])
					}
					break
				}
			}
		}
	}
	for id := 1; id <= w.committed; id++ {
		if w.t.Failed() {
			return duplicates // one is enough to know
		}
		if got, want := strings.Join(histories[fmt.Sprintf(`{"ID":%d}`, id)], " "), history(id, w.committed); got != want {
			w.t.Errorf("row %d: %q, want %q", id, got, want)
		}
	}
	if len(histories) != w.committed {
		w.t.Errorf("%d keys, want %d", len(histories), w.committed)
	}
	return duplicates
}

// arrived waits until the last transaction is in the topic.
func (w *world) arrived() {
	w.t.Helper()
	client := w.client(kgo.ConsumeTopics(dataTopic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	for key, found := fmt.Sprintf(`{"ID":%d}`, w.committed), false; !found; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			w.t.Fatalf("the last of %d transactions is not among %d records: %v", w.committed, w.count(dataTopic), err)
		}
		fetches.EachRecord(func(r *kgo.Record) { found = found || string(r.Key) == key })
	}
}

// Kills of the process, restarts of the broker and errors of the broker under load: nothing is lost, and what comes twice lies
// behind the position that was stored.
func TestKillsAndBrokerFaultsUnderLoad(t *testing.T) {
	w := newWorld(t)
	random := rand.New(rand.NewPCG(5, 1)) //nolint:gosec // moments of faults
	var deaths []death
	for life := range 4 {
		c := w.start()
		if life == 0 {
			w.captures()
			w.startLoad()
		}
		before := w.count(dataTopic)
		w.await("nothing is delivered", func() bool { return w.count(dataTopic) > before })
		w.kafka.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownServerError, Count: 2, Topic: dataTopic},
			kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: 3})
		time.Sleep(time.Duration(300+random.IntN(700)) * time.Millisecond)
		if life%2 == 1 {
			w.brokerDown()
			time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
			w.brokerUp()
			before = w.count(dataTopic)
			w.await("nothing is delivered after the broker's restart", func() bool { return w.count(dataTopic) > before })
		}
		select {
		case <-c.exited:
			t.Fatal("the program ended by itself")
		default:
		}
		if life < 3 {
			c.kill()
			deaths = append(deaths, w.died())
			continue
		}
		w.endLoad()
		w.arrived()
		if err := c.command.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-c.exited
		if code := c.command.ProcessState.ExitCode(); code != 0 {
			t.Errorf("exit code %d", code)
		}
	}
	duplicates := w.judge(deaths)
	t.Logf("%d transactions, %d records, %d of them again", w.committed, w.count(dataTopic), duplicates)
	if duplicates == 0 {
		t.Error("nothing came again: the kills hit nothing, and the test shows nothing about duplicates")
	}
}

// A signal while the broker is away: the runtime waits three quarters of shutdown_timeout for acknowledgements, and the rest is
// enough to give up on them. What was not acknowledged comes after the restart.
func TestSignalWithoutABrokerEndsInTimeAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	c := w.start()
	w.captures()
	w.startLoad()
	w.await("nothing is delivered", func() bool { return w.count(dataTopic) > 0 })
	w.brokerDown()
	time.Sleep(200 * time.Millisecond)
	if err := c.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-c.exited
	if code := c.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d: the program did not end within shutdown_timeout", code)
	}
	w.endLoad()
	w.brokerUp()
	deaths := []death{w.died()}
	c = w.start()
	w.arrived()
	c.kill()
	w.judge(deaths)
}
