package main

import (
	"context"
	"errors"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// awaitCapture waits until the first position is stored: from its SCN on every commit is captured (R88). Being connected alone
// does not say that.
func (d *demo) awaitCapture(ctx context.Context) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(d.parts.brokers()...))
	if err != nil {
		return err
	}
	defer client.Close()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		offsets, err := kadm.NewClient(client).ListEndOffsets(ctx, prefix+".cdc.position")
		if end, ok := offsets.Lookup(prefix+".cdc.position", 0); err == nil && ok && end.Err == nil && end.Offset > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(errors.New("the pipeline stores no first position"), ctx.Err())
		case <-d.child.exited:
			return d.child.died()
		case <-tick.C:
		}
	}
}

// awaitSnapshot waits until the stored position says that the rows that were there before are read.
func (d *demo) awaitSnapshot(ctx context.Context) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !d.watch.read.Load() {
		select {
		case <-ctx.Done():
			return errors.Join(errors.New("the rows that were there before are not all read"), ctx.Err())
		case <-d.child.exited:
			return d.child.died()
		case <-tick.C:
		}
	}
	d.screen.Say("the rows that were there before are read")
	return nil
}
