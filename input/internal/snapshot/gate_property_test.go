package snapshot

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// begin closes the gate for a batch of one or several chunks. The SCN comes later.
func (w *world) begin() {
	var chunks []Chunk
	for range 1 + w.rand.IntN(2) {
		rows := worldPiece * (1 + w.rand.IntN(4))
		c, uncut, ok := w.progress.take(rows)
		if uncut != nil {
			w.cut(*uncut)
			c, _, ok = w.progress.take(rows)
		}
		if ok {
			chunks = append(chunks, c)
		}
	}
	if len(chunks) == 0 {
		return
	}
	early := w.scn
	if w.mutant.early {
		// What is emitted between the reading and the closing slips past.
		w.step()
		_, _ = w.emit()
	}
	t, _ := w.gate.Close()
	w.batches = append(w.batches, &reading{ticket: t, early: early, chunks: chunks})
}

// worldPiece is how many rows a piece has by its plan.
const worldPiece = 200

// cut plans a range: at every third key inside it, or at every one.
func (w *world) cut(c Chunk) {
	var chunks []Chunk
	after := c.Range.After
	step := 1 + 2*w.rand.IntN(2)
	for key := step - 1; key < worldKeys-1; key += step {
		bound := Bound{strconv.Itoa(key)}
		if inRange(c.Range, key) && inRange(c.Range, key+1) {
			chunks = append(chunks, Chunk{Range: Range{after, bound}})
			after = bound
		}
	}
	w.progress.replace(c, worldPiece, append(chunks, Chunk{Range: Range{after, c.Range.UpTo}}), nil, 0)
}

// read goes on with a batch: its SCN first, then a chunk at a time, in which the database goes on.
func (w *world) read(b *reading) {
	switch {
	case b.scn == 0:
		scn := w.scn - position.SCN(w.rand.IntN(3)) // another instance may be behind
		if w.mutant.early {
			scn = b.early
		}
		if w.gate.Set(b.ticket, scn) {
			b.scn = scn
		}
	case len(b.rows) < len(b.chunks):
		rows := map[int]int{}
		for key := range worldKeys {
			if inRange(b.chunks[len(b.rows)].Range, key) {
				rows[key] = w.at(key, b.scn, w.inclusive)
			}
		}
		b.rows = append(b.rows, rows)
	default:
		b.filled = w.gate.Filled(b.ticket)
	}
}

func (w *world) giveUp(b *reading) {
	w.gate.GiveUp(b.ticket)
	for _, c := range b.chunks {
		if w.rand.IntN(2) == 0 {
			w.progress.recut(c, max(1, c.Rows/2))
			continue
		}
		w.progress.giveBack(c, w.rand.IntN(4) == 0)
	}
	w.batches = slices.DeleteFunc(w.batches, func(x *reading) bool { return x == b })
}

// restart kills the process: of what went out some reached the consumer, and some of that was acknowledged and stored.
func (w *world) restart() {
	w.delivered += w.rand.IntN(len(w.log) - w.delivered + 1)
	w.acked += w.rand.IntN(w.delivered - w.acked + 1)
	var from *Frontier
	stored := w.acked
	if w.mutant.unacked {
		stored = len(w.log)
	}
	if stored > 0 {
		from = &Frontier{}
		if err := json.Unmarshal([]byte(w.log[stored-1].frontier), from); err != nil {
			panic(err)
		}
	}
	w.replayed = max(w.replayed, w.high)
	// Items that were not acknowledged are mined again.
	for i, e := range w.log {
		if e.item != nil && i >= w.acked {
			e.item.known, e.item.emitted = false, false
		}
	}
	for _, c := range w.known {
		c.known = false
	}
	w.log = w.log[:w.delivered]
	clear(w.consumer)
	for _, e := range w.log {
		for key, value := range e.values {
			w.consumer[key] = value
		}
	}
	w.frontier = 0
	for _, c := range w.commits {
		if !c.known && (w.frontier == 0 || c.scn <= w.frontier) {
			w.frontier = c.scn - 1
		}
	}
	if w.frontier == 0 {
		w.frontier = w.bound
	}
	w.run(from)
}

// schedule plays one schedule to its end, when the snapshot is complete and everything is out.
func schedule(seed uint64, m mutant) (w *world, err error) {
	w = newWorld(seed, m)
	for range 60 + w.rand.IntN(120) {
		switch w.rand.IntN(12) {
		case 0, 1, 2:
			w.commit(w.rand.IntN(12) == 0)
		case 3, 4:
			w.step()
		case 5, 6, 7:
			if _, err := w.emit(); err != nil {
				return w, err
			}
		case 8:
			w.begin()
		case 9, 10:
			if len(w.batches) > 0 {
				w.read(w.batches[w.rand.IntN(len(w.batches))])
			}
		default:
			switch w.rand.IntN(5) {
			case 0:
				if len(w.batches) > 0 {
					w.giveUp(w.batches[w.rand.IntN(len(w.batches))])
				}
			case 1:
				if w.rand.IntN(3) == 0 {
					w.restart()
				}
			default:
				w.delivered += w.rand.IntN(len(w.log) - w.delivered + 1)
				w.acked += w.rand.IntN(w.delivered - w.acked + 1)
			}
		}
	}
	return w, w.finish()
}

// finish lets everything come to its end.
func (w *world) finish() error {
	for range 2000 {
		w.begin()
		for _, b := range slices.Clone(w.batches) {
			w.read(b)
		}
		w.scn++
		w.step()
		for {
			more, err := w.emit()
			if err != nil {
				return err
			}
			if !more {
				break
			}
		}
		if w.progress.Finished() && len(w.batches) == 0 && !slices.ContainsFunc(w.commits, func(c *commit) bool { return !c.emitted }) {
			if len(w.awaits) > 0 {
				return fmt.Errorf("keys %v became old by a late commit and were not read again", w.awaits)
			}
			return w.check()
		}
	}
	return fmt.Errorf("it does not come to an end: %d batches, frontier %s, %+v", len(w.batches), w.frontier, w.progress.Frontier().Left)
}

const schedules = 3000

// TestR76TheConsumerHoldsTheTable plays random schedules of commits, steps, batches, batches given up and kills. Rows move between keys that
// were read and keys that were not (R84).
func TestR76TheConsumerHoldsTheTable(t *testing.T) {
	published, between := 0, 0
	for seed := range uint64(schedules) {
		w, err := schedule(seed, mutant{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		published += w.published
		between += w.between
	}
	t.Logf("%d schedules, %d batches published, %d of them with a commit between their SCN and their publication", schedules, published, between)
	if 3*between < published {
		t.Errorf("only %d of %d batches had a commit between their SCN and their publication", between, published)
	}
}

// Every commit moves a row from one key to another: out of what was read into what was not, and the other way.
func TestR84RowsMoveAcrossTheFrontier(t *testing.T) {
	for seed := range uint64(schedules / 5) {
		if _, err := schedule(seed, mutant{moves: true}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

// A property that nothing can break shows nothing.
func TestR76EveryRuleOfTheGateIsNeeded(t *testing.T) {
	for name, m := range map[string]mutant{
		"an item at the SCN of a batch goes before it":                       {equalBefore: true},
		"the SCN is read before the gate is closed":                          {early: true},
		"an SCN that is not new is not read again":                           {again: true},
		"a batch goes out before F has come to it":                           {ahead: true},
		"items above a batch go before it":                                   {reorder: true},
		"the frontier is stored before the output has acknowledged the rows": {unacked: true},
		"a late commit has no chunk read again":                              {norequeue: true},
	} {
		found := 0
		for seed := range uint64(schedules / 5) {
			if _, err := schedule(seed, m); err != nil {
				found++
			}
		}
		t.Logf("%s: %d of %d schedules fail", name, found, schedules/5)
		if found == 0 {
			t.Errorf("%s: no schedule shows it", name)
		}
	}
}
