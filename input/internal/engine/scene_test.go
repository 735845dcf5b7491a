package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// scene is redo that a test wrote, step by step, and what capture makes of it.
type scene struct {
	t      *testing.T
	db     *synthetic
	config *Config
	seen   *counts
	a, b   *schema.Version
	// steps happen one before each mining step.
	steps []func()

	// prepare changes the miner of a run. Nil: nothing.
	prepare func(*miner)
	// miner is that of the run in progress, or of the last one.
	miner *miner

	batches []*change.Batch
	err     error
}

func newScene(t *testing.T) *scene {
	t.Helper()
	s := &scene{t: t, db: newSynthetic(1), config: testConfig(t), seen: &counts{}, a: table("A", 101), b: table("B", 102)}
	s.config.Observe = s.seen
	s.db.described = []*schema.Version{s.a, s.b}
	s.db.tick = func() {
		if len(s.steps) > 0 {
			next := s.steps[0]
			s.steps = s.steps[1:]
			next()
		}
	}
	return s
}

// beginning is the position before all redo of a scene.
func (s *scene) beginning() *position.Position {
	b := position.Boundary{SCN: 1000, Marks: []position.Mark{{Thread: 1, Log: 1}}}
	return &position.Position{Run: "run", Sequence: 1, Resume: b, Done: b, Settings: s.digest()}
}

func (s *scene) digest() string {
	t := newTables(0)
	for _, v := range s.db.described {
		t.add(v, false)
	}
	return t.digest()
}

func xid(n uint16) position.XID { return position.XID{USN: n, Slot: 1, Sequence: 7} }

func row(x position.XID, scn position.SCN, op logminer.Operation) logminer.Row {
	return logminer.Row{XID: x, SCN: scn, Operation: op, Container: pdb, UnixSeconds: 1_700_000_000}
}

// of makes a row one of a table's.
func of(v *schema.Version, r logminer.Row, rowID, redo string) logminer.Row {
	r.ObjectID, r.Owner, r.Table, r.RowID, r.Redo = v.ObjectIDs[0], v.Table.Owner, v.Table.Name, rowID, redo
	return r
}

func insert(v *schema.Version, x position.XID, scn position.SCN, id int, text string) logminer.Row {
	return of(v, row(x, scn, logminer.Insert), fmt.Sprintf("AAAID%d", id), insertSQL(v, image{id, text}))
}

func update(v *schema.Version, x position.XID, scn position.SCN, old, new image) logminer.Row {
	rowID := fmt.Sprintf("AAAID%d", old.id)
	return of(v, row(x, scn, logminer.Update), rowID, updateSQL(v, old, new, rowID))
}

func remove(v *schema.Version, x position.XID, scn position.SCN, old image) logminer.Row {
	rowID := fmt.Sprintf("AAAID%d", old.id)
	return of(v, row(x, scn, logminer.Delete), rowID, deleteSQL(v, old, rowID))
}

func commit(x position.XID, scn position.SCN) logminer.Row   { return row(x, scn, logminer.Commit) }
func rollback(x position.XID, scn position.SCN) logminer.Row { return row(x, scn, logminer.Rollback) }

// undone is the undo row of a change.
func undone(r logminer.Row, scn position.SCN) logminer.Row {
	inverse := map[logminer.Operation]logminer.Operation{
		logminer.Insert: logminer.Delete, logminer.Delete: logminer.Insert, logminer.Update: logminer.Update,
		logminer.Unsupported: logminer.Unsupported,
	}
	r.Operation, r.Undo, r.SCN, r.Redo = inverse[r.Operation], true, scn, ""
	return r
}

// step writes rows in the order of their addresses before the next mining step, which sees SCNs up to the highest so far.
func (s *scene) step(rows ...logminer.Row) {
	s.steps = append(s.steps, func() {
		for _, r := range rows {
			s.db.flush(r, false)
			s.db.now = max(s.db.now, r.SCN)
		}
	})
}

// stepUpTo is step with a bound below what is written.
func (s *scene) stepUpTo(bound position.SCN, rows ...logminer.Row) {
	s.steps = append(s.steps, func() {
		for _, r := range rows {
			s.db.flush(r, false)
		}
		s.db.now = bound
	})
}

// run captures from a position until nothing comes any more, or it ends by itself. It is called in a bubble.
func (s *scene) run(from *position.Position) { s.runFor(from, 10*time.Second) }

// runFor is run with the time in which nothing but positions comes.
func (s *scene) runFor(from *position.Position, rest time.Duration) {
	s.batches, s.err = nil, nil
	ctx, cancel := context.WithCancel(context.Background())
	out, ended := make(chan *change.Batch), make(chan error, 1)
	s.miner = newMiner(s.config, s.db)
	if s.prepare != nil {
		s.prepare(s.miner)
	}
	go func() { ended <- s.miner.run(ctx, from, out) }()
	for quiet := time.Duration(0); quiet < rest; quiet += time.Second {
		synctest.Wait()
		select {
		case b := <-out:
			s.batches = append(s.batches, b)
			if len(b.Events) > 0 && b.Events[0].Kind != change.Heartbeat {
				quiet = 0
			}
		case s.err = <-ended:
			cancel()
			return
		default:
			time.Sleep(time.Second)
		}
	}
	cancel()
	if s.err = <-ended; errors.Is(s.err, context.Canceled) {
		s.err = nil
	}
}

// play runs the scene in a bubble of its own.
func (s *scene) play(from *position.Position) {
	s.t.Helper()
	synctest.Test(s.t, func(*testing.T) { s.run(from) })
}

// events lists what was delivered.
func (s *scene) events() []string {
	var out []string
	for _, b := range s.batches {
		for i := range b.Events {
			if e, ok := text(&b.Events[i]); ok {
				out = append(out, e)
			}
		}
	}
	return out
}

// want compares what was delivered; an event is written without its kind's repetition of the transaction's suffix.
func (s *scene) want(events ...string) {
	s.t.Helper()
	if s.err != nil {
		s.t.Fatal(s.err)
	}
	s.wantEvents(events...)
}

func (s *scene) wantEvents(events ...string) {
	s.t.Helper()
	if diff := cmp.Diff(events, s.events()); diff != "" {
		s.t.Fatalf("delivered (-want +got):\n%s", diff)
	}
}

// last is the newest position that was handed over.
func (s *scene) last() *position.Position { return s.batches[len(s.batches)-1].Position }

// through encodes and decodes a position, as a store does.
func (s *scene) through(p *position.Position) *position.Position {
	s.t.Helper()
	encoded, err := position.Encode(p)
	if err != nil {
		s.t.Fatal(err)
	}
	back, err := position.Decode(encoded)
	if err != nil {
		s.t.Fatal(err)
	}
	return back
}

// after is the position of the batch with an event.
func (s *scene) after(event string) *position.Position {
	s.t.Helper()
	for _, b := range s.batches {
		if slices.ContainsFunc(b.Events, func(ev change.Event) bool { e, _ := text(&ev); return e == event }) {
			return s.through(b.Position)
		}
	}
	s.t.Fatalf("%s was not delivered", event)
	return nil
}
