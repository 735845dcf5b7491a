package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/sabotage"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/workload"
)

const (
	prefix = "shop"
	// patience bounds each wait for the pipeline.
	patience = time.Minute
	endTag   = "end-of-run"
	// endOrder is the key of the last order, outside every session's range.
	endOrder = 6
)

// demo is one run.
type demo struct {
	options
	stderr io.Writer
	begin  time.Time

	parts  *parts
	child  *pipeline
	topics *verify.Topics
	ledger ledger.Ledger
	// stalls is nil in a run of one kill.
	stalls *stalls
	deaths []verify.Ends
	stored []verify.Stored
	scns   []uint64
}

func newDemo(o options, stderr io.Writer) *demo {
	return &demo{options: o, stderr: stderr, begin: time.Now()}
}

func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.stderr, "%6.2fs  %s\n", time.Since(d.begin).Seconds(), fmt.Sprintf(format, args...))
}

func (d *demo) run(ctx context.Context) (report *verify.Report, err error) {
	dir, err := os.MkdirTemp("", "quickstart-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if d.keep || err != nil {
			d.say("the pipeline's log is %s", filepath.Join(dir, "pipeline.log"))
			return
		}
		err = os.RemoveAll(dir)
	}()
	if d.parts, err = startParts(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.parts.close()) }()
	if d.topics, err = verify.OpenTopics(prefix, d.parts.brokers()...); err != nil {
		return nil, err
	}
	defer d.topics.Close()
	if d.child, err = d.newPipeline(dir); err != nil {
		return nil, err
	}
	defer d.child.close()
	if d.kills > 0 {
		// Positions are stored more often than by default, so that most lives store some.
		d.child.settings = []string{"-s", "input.oracle_cdc.position.interval=200ms"}
		d.stalls = stall(d.parts.kafka, d.seed, prefix+".cdc.position")
		defer d.stalls.end()
	}
	if err := d.perform(ctx); err != nil {
		return nil, err
	}
	return d.judge(ctx)
}

func (d *demo) newPipeline(dir string) (*pipeline, error) {
	binary, err := filepath.Abs(d.binary)
	if err != nil {
		return nil, err
	}
	config, err := filepath.Abs(d.config)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(binary); err != nil {
		return nil, fmt.Errorf("%w: run make build first", err)
	}
	return &pipeline{binary: binary, config: config, dir: dir, env: d.parts.environment()}, nil
}

// perform runs workload and pipeline, with one death or many in the middle, until the last change has arrived.
func (d *demo) perform(ctx context.Context) error {
	d.say("stand-in at %s, broker at %v, seed %d", d.parts.oracle.address, d.parts.brokers(), d.seed)
	if err := d.child.start(ctx); err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := d.child.ready(bounded); err != nil {
		return err
	}
	if err := d.awaitCapture(bounded); err != nil {
		return err
	}
	d.say("pipeline captures")
	linger := time.Duration(0)
	if d.kills > 0 {
		linger = lifetime / 2 // transactions that are open when a position is stored, and at the kill
	}
	working, stop := context.WithTimeout(ctx, d.duration)
	defer stop()
	deaths := d.killOnce
	if d.kills > 0 {
		// The workload goes on until the last one.
		deaths = func(ctx context.Context) error {
			defer stop()
			return d.killAtRandom(ctx)
		}
	}
	group, working := errgroup.WithContext(working)
	group.Go(func() error {
		return workload.Run(working, workload.Config{
			Application: d.parts.oracle.application(), Ledger: &d.ledger, Seed: d.seed, Sessions: d.sessions, Pause: d.pause, Linger: linger,
		})
	})
	group.Go(func() (err error) {
		d.scns, err = workload.Operate(working, d.parts.oracle.system(), d.operation())
		return err
	})
	group.Go(func() error { return deaths(working) })
	if err := group.Wait(); err != nil {
		return err
	}
	if d.stalls != nil {
		d.stalls.end()
	}
	return d.finish(ctx)
}

// operation is how often the operator does something.
func (d *demo) operation() time.Duration {
	if d.kills > 0 {
		return lifetime / 2
	}
	return d.duration / 12
}

// killOnce kills the pipeline in the middle of the workload, notes where the topics ended, and starts it again.
func (d *demo) killOnce(ctx context.Context) error {
	half := time.NewTimer(d.duration / 2)
	defer half.Stop()
	if err := d.await(ctx, "shared"); err != nil {
		return err
	}
	d.say("first event")
	select {
	case <-ctx.Done():
		return nil
	case <-d.child.exited:
		return d.child.died()
	case <-half.C:
	}
	return d.die(context.WithoutCancel(ctx))
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
	d.say("pipeline killed after %d records", total(ends))
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

// await waits for a tag in the topics, as long as the pipeline lives.
func (d *demo) await(ctx context.Context, tag string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	seen, err := make(chan struct{}), error(nil)
	go func() {
		err = verify.Await(ctx, prefix, tag, d.parts.brokers()...)
		close(seen)
	}()
	select {
	case <-seen:
		if err != nil {
			return fmt.Errorf("waiting for the row tagged %s: %w", tag, err)
		}
		return nil
	case <-d.child.exited:
		cancel()
		<-seen
		return d.child.died()
	}
}

// finish writes the last transaction, waits until it arrived and ends the pipeline.
func (d *demo) finish(ctx context.Context) error {
	db := workload.Open(d.parts.oracle.application())
	defer db.Close()
	if err := workload.Insert(ctx, db, &d.ledger, endTag, []ledger.Row{{ledger.Int(endOrder)}}); err != nil {
		return fmt.Errorf("last transaction: %w", err)
	}
	scn, err := workload.CurrentSCN(ctx, d.parts.oracle.system())
	if err != nil {
		return err
	}
	d.scns = append(d.scns, scn)
	d.say("workload done: %d transactions committed", len(d.ledger.Transactions()))
	if err := d.await(ctx, endTag); err != nil {
		return err
	}
	d.say("last transaction arrived")
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return d.child.stop(bounded)
}

// judge reads the topics and lets the verifier decide, with the sabotage in between.
func (d *demo) judge(ctx context.Context) (*verify.Report, error) {
	records, err := d.topics.Records(ctx, d.deaths)
	if err != nil {
		return nil, err
	}
	if d.sabotage != "" {
		spoiled, what, err := sabotage.Apply(d.sabotage, records, rand.New(rand.NewPCG(d.seed, 1)))
		if err != nil {
			return nil, err
		}
		d.say("sabotage: %s", what)
		records = spoiled
	}
	db := workload.Open(d.parts.oracle.application())
	defer db.Close()
	report, err := verify.Judge(ctx, verify.Evidence{
		Format:    verify.Format{Prefix: prefix, PDB: d.parts.oracle.pdb, Tables: workload.Tables()},
		Records:   records,
		Committed: d.ledger.Transactions(),
		Source:    verify.Database{DB: db},
		SCNs:      d.scns,
		Stored:    d.stored,
	})
	if err == nil {
		d.say("judged: %d records, %d duplicates", len(records), report.Duplicates)
	}
	return report, err
}
