package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/workload"
)

// incidents takes the broker away for a moment, later kills the pipeline, each at its time of the workload; around the kill a large
// transaction stays open. All of it happens in every run, however late.
func (d *demo) incidents(ctx context.Context) (err error) {
	begin := time.Now()
	if err := d.until(ctx, d.watch.first, nil); err != nil {
		return fmt.Errorf("waiting for the first record: %w", err)
	}
	d.screen.Say("first event")
	at := func(part float64) error {
		timer := time.NewTimer(time.Until(begin.Add(time.Duration(part * float64(d.duration)))))
		defer timer.Stop()
		return d.until(ctx, nil, timer.C)
	}
	if err := at(0.3); err != nil {
		return err
	}
	if err := d.restartBroker(ctx); err != nil {
		return err
	}
	if err := at(0.4); err != nil {
		return err
	}
	if err := d.ask(ctx); err != nil {
		return err
	}
	if err := at(0.5); err != nil {
		return err
	}
	schema := d.parts.schemas[len(d.parts.schemas)-1]
	large, err := workload.Begin(ctx, d.workload(schema), 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, large.Close()) }()
	if err := large.Work(ctx, 300); err != nil {
		return err
	}
	if err := at(0.65); err != nil {
		return err
	}
	if err := d.die(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if err := at(0.8); err != nil {
		return err
	}
	return errors.Join(large.Work(ctx, 50), large.Commit())
}

// until waits for a signal or a time, as long as the pipeline lives.
func (d *demo) until(ctx context.Context, signal <-chan struct{}, timer <-chan time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, max(patience, d.duration))
	defer cancel()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-d.child.exited:
		return d.child.died()
	case <-signal:
	case <-timer:
	}
	return nil
}

// outage is how long the broker is away: long enough that the pipeline notices.
const outage = 300 * time.Millisecond

// restartBroker stops the broker, whatever is on its way, and starts it again with the topics it has kept.
func (d *demo) restartBroker(ctx context.Context) error {
	d.parts.stopBroker()
	away := time.NewTimer(outage)
	defer away.Stop()
	if err := d.until(ctx, nil, away.C); err != nil {
		return err
	}
	if err := d.parts.startBroker(); err != nil {
		return err
	}
	d.screen.Say("broker restarted")
	return nil
}

// lifetime bounds how long a life lasts before its kill: from its first moment, when it is not even connected, to well into its
// work.
const lifetime = 3 * time.Second

// killAtRandom kills life after life at moments drawn from the seed.
func (d *demo) killAtRandom(ctx context.Context) error {
	random := rand.New(rand.NewPCG(d.seed, 2))
	for len(d.deaths) < d.kills {
		moment := time.NewTimer(time.Duration(random.Int64N(int64(lifetime))))
		select {
		case <-ctx.Done():
			moment.Stop()
			return fmt.Errorf("the time is over after %d kills", len(d.deaths))
		case <-d.child.exited:
			moment.Stop()
			return d.child.died()
		case <-moment.C:
		}
		if err := d.die(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// die kills the pipeline, notes where the topics ended and which position is stored, and starts it again.
func (d *demo) die(ctx context.Context) error {
	if err := d.child.kill(); err != nil {
		return err
	}
	if d.stalls != nil {
		d.stalls.died()
	}
	ends, err := d.settledEnds(ctx)
	if err != nil {
		return err
	}
	stored, err := d.topics.Stored(ctx, prefix+".cdc.position")
	if err != nil {
		return err
	}
	d.deaths, d.stored = append(d.deaths, ends), append(d.stored, stored)
	d.screen.Say("pipeline killed after %d records", total(ends))
	return d.child.start(ctx)
}

// settledEnds waits until the broker has taken what the dead process had sent.
func (d *demo) settledEnds(ctx context.Context) (verify.Ends, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	var last verify.Ends
	for {
		ends, err := d.topics.Ends(ctx)
		if err != nil {
			return nil, err
		}
		if last != nil && total(last) == total(ends) {
			return ends, nil
		}
		last = ends
		<-tick.C
	}
}

func total(ends verify.Ends) (n int64) {
	for _, partitions := range ends {
		for end := range maps.Values(partitions) {
			n += end
		}
	}
	return n
}
