package snapshot

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// world is a database with one table, its redo, an emitter with a gate, a reader, and a consumer that keeps the newest record per key.
// Whatever happens is chosen by one source of chance, so that a schedule can be played again.
type world struct {
	rand    *rand.Rand
	mutant  mutant
	table   schema.Table
	version *schema.Version

	// The database: commits in the order in which they were made. inclusive: AS OF SCN s shows commits at s.
	scn       position.SCN
	commits   []*commit
	inclusive bool

	// The miner: readings of the SCN, of which an old one is the next bound, and F.
	readings []position.SCN
	bound    position.SCN
	frontier position.SCN
	// floor is where the stream begins.
	floor position.SCN

	// The emitter.
	gate     *Gate
	progress *Progress
	known    []*commit
	high     position.SCN // the highest SCN that went out in this run, of an item or a batch

	// The reader: batches that were begun.
	batches []*reading

	// What went out, in order; the consumer has the first delivered ones, the position covers the first acked ones.
	log              []event
	delivered, acked int
	consumer         map[int]int

	// replayed is what must go out again after a restart before the consumer is where it was.
	replayed position.SCN
	// released are the SCNs of chunks that went out in this run, by key; awaits are keys whose rows became old by a late commit and that
	// are read again, spoilt those of which nobody reads again.
	released       map[int]position.SCN
	awaits, spoilt map[int]bool

	published, between int
}

type commit struct {
	scn position.SCN
	// rows are the values of the rows that it leaves, by key; 0: deleted. One with two rows moves a row from one key to another (R84).
	rows    map[int]int
	late    bool
	known   bool // the miner delivered it
	emitted bool
}

type reading struct {
	ticket Ticket
	early  position.SCN // what a mutant read before it closed the gate
	scn    position.SCN
	chunks []Chunk
	rows   []map[int]int
	filled bool
}

type event struct {
	item     *commit
	values   map[int]int // by key; 0: the row is gone
	frontier string
}

// mutant switches one fault on. moves is none: every commit moves a row.
type mutant struct {
	moves bool

	equalBefore, early, again, ahead, unacked, norequeue, reorder bool
}

const worldKeys = 12

func newWorld(seed uint64, m mutant) *world {
	r := rand.New(rand.NewPCG(seed, 1))
	v := &schema.Version{Columns: []schema.Column{{Name: "ID", Type: schema.Type{Kind: schema.Number}}}}
	v.Table = schema.Table{Owner: "APP", Name: "T"}
	v.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	v.Seal()
	w := &world{
		rand: r, mutant: m, table: v.Table, version: v, scn: 100, inclusive: r.IntN(2) == 0,
		consumer: map[int]int{}, released: map[int]position.SCN{}, awaits: map[int]bool{}, spoilt: map[int]bool{},
	}
	for range worldKeys {
		w.commit(false)
	}
	// What is older than the start of capture is not in the stream.
	for _, c := range w.commits {
		c.known, c.emitted = true, true
	}
	w.scn++
	w.bound, w.frontier, w.floor = w.scn, w.scn, w.scn
	w.scn++
	w.run(nil)
	return w
}

// run begins a run from a frontier.
func (w *world) run(from *Frontier) {
	floor := w.floor
	for _, e := range w.log[:w.acked] {
		if e.item != nil {
			floor = max(floor, e.item.scn)
		}
	}
	if w.mutant.again {
		floor = 0
	}
	w.gate = NewGate(floor)
	w.progress, _ = NewProgress(w.version, ByKey, from, 1000)
	w.batches, w.known = nil, nil
	w.high = 0
	clear(w.released)
	for key := range w.awaits {
		if !left(from, key) {
			delete(w.awaits, key)
			w.spoilt[key] = true
		}
	}
}

func left(f *Frontier, key int) bool {
	return f == nil || slices.ContainsFunc(f.Left, func(r Range) bool { return inRange(r, key) })
}

func inRange(r Range, key int) bool {
	of := func(b Bound) int { n, _ := strconv.Atoi(b[0]); return n }
	return (r.After == nil || key > of(r.After)) && (r.UpTo == nil || key <= of(r.UpTo))
}

// commit changes a row, or moves it to another key. SCNs may repeat, but not for one row.
func (w *world) commit(late bool) {
	value := 1 + len(w.commits)
	c := &commit{rows: map[int]int{w.rand.IntN(worldKeys): value}, late: late}
	kind := w.rand.IntN(8)
	if w.mutant.moves {
		kind = 2
	}
	switch kind {
	case 0, 1:
		for key := range c.rows {
			c.rows[key] = 0
		}
	case 2:
		to := w.rand.IntN(worldKeys)
		for key := range c.rows {
			if key != to {
				c.rows[key], c.rows[to] = 0, value
			}
			break
		}
	}
	w.scn += position.SCN(w.rand.IntN(3))
	for _, o := range w.commits {
		if o.shares(c.rows) && o.scn >= w.scn {
			w.scn = o.scn + 1
		}
	}
	c.scn = w.scn
	w.commits = append(w.commits, c)
}

// has reports whether a commit changes a row, shares whether it changes one of some.
func (c *commit) has(key int) bool {
	_, ok := c.rows[key]
	return ok
}

func (c *commit) shares(rows map[int]int) bool {
	for key := range rows {
		if c.has(key) {
			return true
		}
	}
	return false
}

// at is the value of a row at an SCN, with what committed exactly there or without.
func (w *world) at(key int, scn position.SCN, inclusive bool) int {
	value, newest := 0, position.SCN(0)
	for _, c := range w.commits {
		if v, ok := c.rows[key]; ok && (c.scn < scn || inclusive && c.scn == scn) && c.scn >= newest {
			value, newest = v, c.scn
		}
	}
	return value
}

// step mines up to a reading that has its age.
func (w *world) step() {
	w.readings = append(w.readings, w.scn)
	w.scn++ // time passes, and SCNs with it: what commits from now on is above the reading
	if len(w.readings) > 1 {
		w.bound, w.readings = w.readings[0], w.readings[1:]
	}
	frontier := w.bound
	behind := map[int]int{}
	for _, c := range w.commits {
		switch {
		case c.known || c.scn > w.bound:
		case c.late && (c.shares(behind) || w.rand.IntN(4) > 0): // it is not in the redo yet, and nobody knows
		case !c.late && (c.shares(behind) || w.rand.IntN(5) == 0):
			// It is one step late, which F has room for; what depends on it cannot be in the redo either (K4).
			maps.Copy(behind, c.rows)
			frontier = min(frontier, c.scn-1)
		default:
			c.known = true
			w.known = append(w.known, c)
		}
	}
	slices.SortStableFunc(w.known, func(a, b *commit) int { return int(a.scn) - int(b.scn) }) //nolint:gosec // small numbers
	w.frontier = max(w.frontier, frontier)
}

// emit does what the gate says, once; false: it says to wait.
func (w *world) emit() (bool, error) {
	var lowest position.SCN
	if len(w.known) > 0 {
		lowest = w.known[0].scn
	}
	frontier := w.frontier
	if w.mutant.ahead {
		frontier = position.Unlimited
	}
	what, ticket := w.gate.Next(frontier, lowest, len(w.known) > 0)
	if w.mutant.equalBefore && len(w.known) > 0 && lowest == w.gate.Holding() && len(w.gate.closed) == 0 {
		what = EmitItem
	}
	if w.mutant.reorder && what == EmitBatch && len(w.known) > 0 {
		what = EmitItem // whatever is known goes first
	}
	switch what {
	case EmitItem:
		if err := w.item(); err != nil {
			return false, err
		}
	case EmitBatch:
		w.batch(ticket)
	default:
		return false, nil
	}
	return true, w.check()
}

func (w *world) item() error {
	c := w.known[0]
	for key, value := range c.rows {
		if s := w.released[key]; !c.late && s > c.scn && w.consumer[key] != value {
			return fmt.Errorf("key %d is put back from what it was at SCN %s to what it was at %s", key, s, c.scn)
		}
	}
	w.known = w.known[1:]
	c.emitted = true
	if w.mutant.early || w.mutant.again {
		w.gate.Emitted(0, nil)
	} else {
		for _, late := range w.gate.Emitted(c.scn, []schema.Table{w.table}) {
			if !w.mutant.norequeue {
				w.progress.Again(late.Table, late.Range, late.Mode)
			}
		}
	}
	for key, value := range c.rows {
		newer := slices.ContainsFunc(w.commits, func(o *commit) bool { return o.has(key) && o.emitted && o.scn > c.scn })
		switch {
		case c.late && w.released[key] > c.scn:
			w.awaits[key] = true
		case newer && c.late:
			w.spoilt[key] = true
		case value == w.at(key, w.scn, true):
			delete(w.spoilt, key)
		}
	}
	w.high = max(w.high, c.scn)
	w.out(event{item: c, values: c.rows})
	return nil
}

func (w *world) batch(t Ticket) {
	at := slices.IndexFunc(w.batches, func(b *reading) bool { return b.ticket == t })
	b := w.batches[at]
	w.batches = slices.Delete(w.batches, at, at+1)
	w.published++
	if slices.ContainsFunc(w.commits, func(c *commit) bool { return c.scn > b.scn }) {
		w.between++
	}
	w.high = max(w.high, b.scn)
	w.gate.Released(t, b.chunks)
	for i, c := range b.chunks {
		w.progress.Released(c, int64(len(b.rows[i])))
		for key := range b.rows[i] {
			w.released[key] = b.scn
			delete(w.awaits, key)
			delete(w.spoilt, key)
		}
		w.out(event{values: b.rows[i]})
	}
}

func (w *world) out(e event) {
	text, err := json.Marshal(w.progress.Frontier())
	if err != nil {
		panic(err)
	}
	e.frontier = string(text)
	w.log = append(w.log, e)
	maps.Copy(w.consumer, e.values)
}

// check holds the consumer against the table at the moment that the stream has come to, for all rows that the snapshot has passed.
func (w *world) check() error {
	if w.high < w.replayed {
		return nil
	}
	f := w.progress.Frontier()
	for key := range worldKeys {
		if left(f, key) || w.awaits[key] || w.spoilt[key] {
			continue
		}
		// What committed exactly at the highest SCN may be on its way.
		got, with, without := w.consumer[key], w.at(key, w.high, true), w.at(key, w.high, false)
		if got != with && got != without && !w.due(key) {
			return fmt.Errorf("at SCN %s the consumer has %d for key %d, the table %d or %d", w.high, got, key, with, without)
		}
	}
	return nil
}

// due: a commit of the row below what went out is still on its way. Below the SCN of a chunk that went out only late ones are.
func (w *world) due(key int) bool {
	return slices.ContainsFunc(w.commits, func(c *commit) bool {
		return c.has(key) && !c.emitted && c.scn <= w.high && (c.late || c.scn >= w.released[key])
	})
}
