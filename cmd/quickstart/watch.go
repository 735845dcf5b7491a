package main

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/console"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// watcher reads the data topics while the run goes on, as any consumer would. What it sees is for people; the verdict rests on what
// is read at the end.
type watcher struct {
	screen *console.Console
	// first is closed when the first record was seen.
	first   chan struct{}
	records atomic.Int64
	shown   map[string]bool
	// done is the SCN up to which every commit is acknowledged, by the position that was stored last.
	done atomic.Uint64
	// read: it says that the rows that were there before are read.
	read atomic.Bool
}

func newWatcher(screen *console.Console) *watcher {
	return &watcher{screen: screen, first: make(chan struct{}), shown: map[string]bool{}}
}

// run reads until the context ends.
func (w *watcher) run(ctx context.Context, brokers []string) error {
	client, err := verify.Follow(prefix, brokers...)
	if err != nil {
		return err
	}
	defer client.Close()
	for ctx.Err() == nil {
		client.PollFetches(ctx).EachRecord(w.see)
	}
	return nil
}

func (w *watcher) see(r *kgo.Record) {
	if w.records.Add(1) == 1 {
		close(w.first)
	}
	if r.Value == nil || !strings.HasSuffix(r.Topic, ".ORDERS") {
		return
	}
	// One insert, one update and one delete of an order are enough to see what records look like.
	for _, op := range []string{"c", "u", "d"} {
		if !w.shown[op] && strings.Contains(string(r.Value), `"op":"`+op+`"`) {
			w.shown[op] = true
			w.screen.Record(r.Topic, r.Key, r.Value)
		}
	}
}

// positions reads which positions are stored until the context ends.
func (w *watcher) positions(ctx context.Context, brokers []string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics(prefix+".cdc.position"),
		kgo.MetadataMinAge(50*time.Millisecond), kgo.MetadataMaxAge(time.Second))
	if err != nil {
		return err
	}
	defer client.Close()
	for ctx.Err() == nil {
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			if stored, err := verify.ParseStored(r.Value); err == nil {
				w.done.Store(stored.Done)
				w.read.Store(stored.Read)
			}
		})
	}
	return nil
}

// showProgress shows how far the run is until the context ends.
func (d *demo) showProgress(ctx context.Context) {
	begin := d.parts.server.Stats().Sequence
	tick := time.NewTicker(d.screen.Interval())
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		p := console.Progress{Records: d.watch.records.Load(), Switches: int(d.parts.server.Stats().Sequence - begin)}
		p.Transactions, p.Changes = d.ledger.Count()
		d.screen.Show(p)
	}
}
