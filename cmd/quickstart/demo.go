package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/console"
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
	// existingOrders is how many orders each session finds, beside rows of other tables.
	existingOrders = 600
	// endOrder is the key of the last order, outside every session's range.
	endOrder = 6
)

// demo is one run.
type demo struct {
	options
	screen *console.Console
	watch  *watcher

	parts  *parts
	child  *pipeline
	topics *verify.Topics
	ledger ledger.Ledger
	// stalls is nil in a run of one kill.
	stalls *stalls
	// existing are the rows that were there before the pipeline began.
	existing []ledger.Change
	deaths   []verify.Ends
	stored   []verify.Stored
	asked    []verify.Asked
	scns     []uint64
	looks    looks
}

func newDemo(o options, screen *console.Console) *demo {
	return &demo{options: o, screen: screen, watch: newWatcher(screen)}
}

func (d *demo) run(ctx context.Context) (report *verify.Report, err error) {
	dir, err := os.MkdirTemp("", "quickstart-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, d.tidy(dir, err != nil)) }()
	if d.parts, err = startParts(ctx, filepath.Join(dir, "kafka")); err != nil {
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
		d.stalls = stall(d.parts.kafka, d.seed, prefix+".cdc.position")
		defer d.stalls.end()
	}
	if err := d.perform(ctx); err != nil {
		return nil, err
	}
	return d.judge(ctx)
}

// tidy removes the run's folder; of a run that failed it leaves the pipeline's log, if there is one.
func (d *demo) tidy(dir string, failed bool) error {
	log := filepath.Join(dir, "pipeline.log")
	if _, err := os.Stat(log); err != nil || !d.keep && !failed {
		return os.RemoveAll(dir)
	}
	d.screen.Say("the pipeline's log is %s", log)
	if d.keep {
		return nil
	}
	return os.RemoveAll(filepath.Join(dir, "kafka"))
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
	// Positions are stored more often than by default, so that most lives store some, and DDL need not wait long for them.
	settings := []string{"-s", "input.oracle_cdc.position.interval=200ms", "-s", "input.oracle_cdc.emit.schema_changes=true", "-s", "input.oracle_cdc.snapshot.chunk_rows=1000", "-s", "input.oracle_cdc.snapshot.tables=4", "-s", "input.oracle_cdc.signals.kafka=true"}
	return &pipeline{binary: binary, config: config, dir: dir, env: d.parts.environment(), settings: settings}, nil
}

// perform runs workload and pipeline, with incidents, until the last change has arrived.
func (d *demo) perform(ctx context.Context) (err error) {
	d.screen.Say("stand-in at %s, broker at %v, seed %d", d.parts.server.Addr(), d.parts.brokers(), d.seed)
	for _, schema := range d.parts.schemas {
		rows, err := workload.Existing(ctx, d.workload(schema), existingOrders)
		if err != nil {
			return err
		}
		d.existing = append(d.existing, rows...)
	}
	d.screen.Say("%d rows are there before anybody captures", len(d.existing))
	early, err := d.beginEarly(ctx)
	defer func() { err = errors.Join(err, leave(early)) }()
	if err != nil {
		return err
	}
	if err := d.makeSignalsTopic(ctx); err != nil {
		return err
	}
	if err := d.child.start(ctx); err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	watchers, watching := errgroup.WithContext(watching)
	defer func() { err = errors.Join(err, watchers.Wait()) }()
	defer stop()
	watchers.Go(func() error { return d.watch.run(watching, d.parts.brokers()) })
	watchers.Go(func() error { return d.watch.positions(watching, d.parts.brokers()) })
	watchers.Go(func() error { d.showProgress(watching); return nil })
	if err := d.captures(ctx); err != nil {
		return err
	}
	for _, p := range early {
		if err := errors.Join(p.Work(ctx, 20), p.Commit()); err != nil {
			return err
		}
	}
	if err := d.live(ctx); err != nil {
		return err
	}
	if d.stalls != nil {
		d.stalls.end()
	}
	return d.finish(ctx)
}

// captures waits until the pipeline captures.
func (d *demo) captures(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := d.child.ready(bounded); err != nil {
		return err
	}
	if err := d.awaitCapture(bounded); err != nil {
		return err
	}
	d.screen.Say("pipeline captures")
	return nil
}

// beginEarly begins a transaction in each PDB before the pipeline starts for the first time: it must be delivered whole (R87).
func (d *demo) beginEarly(ctx context.Context) (early []*workload.Pending, err error) {
	for _, schema := range d.parts.schemas {
		p, err := workload.Begin(ctx, d.workload(schema), 0)
		if err != nil {
			return early, err
		}
		early = append(early, p)
		if err := p.Work(ctx, 20); err != nil {
			return early, err
		}
	}
	return early, nil
}

func leave(pending []*workload.Pending) error {
	var errs []error
	for _, p := range pending {
		errs = append(errs, p.Close())
	}
	return errors.Join(errs...)
}

func (d *demo) workload(schema *workload.Schema) workload.Config {
	config := workload.Config{
		Application: d.parts.application(schema.PDB), Schema: schema, Ledger: &d.ledger, Seed: d.seed, Sessions: d.sessions, Pause: d.pause,
		Existing: d.existing,
	}
	if d.kills > 0 {
		config.Linger = lifetime / 2 // transactions that are open when a position is stored, and at the kill
	}
	return config
}

// live runs the workload, with what happens to redo, broker and pipeline meanwhile.
func (d *demo) live(ctx context.Context) error {
	working, stop := context.WithTimeout(ctx, d.duration)
	defer stop()
	incidents := d.incidents
	if d.kills > 0 {
		// The workload goes on until the last one.
		incidents = func(context.Context) error {
			defer stop()
			return d.killAtRandom(working)
		}
	}
	group, working := errgroup.WithContext(working)
	for _, schema := range d.parts.schemas {
		group.Go(func() error { return workload.Run(working, d.workload(schema)) })
		group.Go(func() error { return d.define(working, schema) })
	}
	group.Go(func() (err error) {
		interval := switchInterval
		if d.kills > 0 {
			interval = lifetime / 2
		}
		d.scns, err = workload.Operate(working, d.parts.system(), interval, max(3, int(d.duration/interval)/moments))
		return err
	})
	group.Go(func() error { return incidents(ctx) })
	return group.Wait()
}

const (
	// switchInterval is the time from one log switch that is asked for to the next.
	switchInterval = 200 * time.Millisecond
	// moments is at how many SCNs of a run its rows are held against the source, about.
	moments = 8
)

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
	schema := d.parts.schemas[0]
	db := workload.Open(d.parts.application(schema.PDB))
	defer db.Close()
	if err := workload.Insert(ctx, db, d.workload(schema), endTag, []ledger.Row{{ledger.Int(endOrder)}}); err != nil {
		return fmt.Errorf("last transaction: %w", err)
	}
	scn, err := workload.CurrentSCN(ctx, d.parts.system())
	if err != nil {
		return err
	}
	d.scns = append(d.scns, scn)
	transactions, _ := d.ledger.Count()
	d.screen.Say("workload done: %d transactions committed", transactions)
	if err := d.await(ctx, endTag); err != nil {
		return err
	}
	d.screen.Say("last transaction arrived")
	bounded, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := d.awaitSnapshot(bounded); err != nil {
		return err
	}
	if err := d.awaitAnswers(bounded); err != nil {
		return err
	}
	return d.child.stop(bounded)
}

// judge reads the topics and lets the verifier decide, with the sabotage in between.
func (d *demo) judge(ctx context.Context) (report *verify.Report, err error) {
	records, err := d.topics.Records(ctx, d.deaths)
	if err != nil {
		return nil, err
	}
	definitions, err := d.topics.Definitions(ctx, prefix+".cdc.schema_changes")
	if err != nil {
		return nil, err
	}
	answers, err := d.answers(ctx)
	if err != nil {
		return nil, err
	}
	if d.sabotage != "" {
		spoiled, what, err := sabotage.Apply(d.sabotage, records, rand.New(rand.NewPCG(d.seed, 1)))
		if err != nil {
			return nil, err
		}
		d.screen.Say("sabotage: %s", what)
		records = spoiled
	}
	source := verify.Databases{}
	for _, pdb := range pdbs() {
		source[pdb] = workload.Open(d.parts.application(pdb))
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	report, err = verify.Judge(ctx, verify.Evidence{
		Format:    verify.Format{Prefix: prefix, Tables: d.parts.tables(), Existing: d.existing},
		Records:   records,
		Committed: d.ledger.Transactions(),
		Source:    source,
		SCNs:      d.scns,
		Seen:      d.looks.seen,

		Definitions: definitions,
		Asked:       d.asked,
		Answers:     answers,
		Stored:      d.stored,
	})
	if err == nil {
		d.screen.Say("judged: %d records, %d duplicates", len(records), report.Duplicates)
	}
	return report, err
}
