package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// schemaTopic is a compacted topic.
type schemaTopic struct {
	values map[string][]byte
	writes int
}

func (s *schemaTopic) Load(context.Context) ([]registry.Stored, error) {
	var out []registry.Stored
	for key, value := range s.values {
		out = append(out, registry.Stored{Key: []byte(key), Value: value})
	}
	return out, nil
}

func (s *schemaTopic) Append(_ context.Context, key, value []byte) error {
	s.writes++
	if value == nil {
		delete(s.values, string(key))
		return nil
	}
	s.values[string(key)] = value
	return nil
}

// read gives what a start finds in it.
func (s *schemaTopic) read(ctx context.Context, container func(string) (int, bool)) (*registry.Registry, error) {
	return registry.Load(ctx, s, "shop", container)
}

// evolution is a database whose tables change under rows, with the redo of some transactions late, and a pipeline in front of a schema
// topic that is killed now and then.
type evolution struct {
	rng *rand.Rand
	// consumer is who takes and acknowledges: another goroutine than the one that mines.
	consumer *rand.Rand
	db       *synthetic
	config   *Config
	topic    *schemaTopic
	// stored is what the position store has, kept what this process has stored; acked is acknowledged, passing is handed over.
	stored, kept, acked, passing *position.Position
	// layouts are those of each table, oldest first; the last one is what the dictionary has, unless the table is gone.
	layouts map[string][]*schema.Version
	gone    map[string]bool
	// shaped is the commit of the last DDL by table.
	shaped map[string]position.SCN
	open   []*evolving
	// strands are rows that are not in the redo yet.
	strands []logminer.Row
	// due has the commit SCN of every row, start is the S of the first start.
	due    map[string]position.SCN
	start  position.SCN
	got    map[string]bool
	left   int
	xids   uint32
	values int
	ids    uint64
}

// evolving is a transaction of such a database.
type evolving struct {
	xid   position.XID
	began position.SCN
	// late: its rows reach the redo with its end.
	late   bool
	tables map[string]bool
	due    []string
}

func newEvolution(t testing.TB, seed uint64) *evolution {
	e := &evolution{
		rng: rand.New(rand.NewPCG(seed, 3)), consumer: rand.New(rand.NewPCG(seed, 4)), db: newSynthetic(seed), config: testConfig(t), topic: &schemaTopic{values: map[string][]byte{}},
		layouts: map[string][]*schema.Version{}, gone: map[string]bool{}, shaped: map[string]position.SCN{},
		due: map[string]position.SCN{}, got: map[string]bool{}, left: 120, ids: 100,
	}
	for _, name := range []string{"A", "B"} {
		e.ids++
		e.layouts[name] = []*schema.Version{table(name, e.ids)}
	}
	e.db.descriptor = func() (now []*schema.Version) {
		for _, name := range []string{"A", "B"} {
			if !e.gone[name] {
				now = append(now, e.layouts[name][len(e.layouts[name])-1])
			}
		}
		return now
	}
	e.db.tick = e.tick
	e.db.bound = func(from, reading position.SCN) position.SCN {
		if e.left > 0 && e.rng.IntN(3) == 0 {
			return min(reading, from+position.SCN(1+e.rng.IntN(20)))
		}
		return reading
	}
	e.config.BatchCount = 1 + e.rng.IntN(4)
	e.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true}, nil }
	e.config.Versions = e.topic.read
	e.config.Stored = e.asked(func() *position.Position { return e.kept })
	e.config.Save = func(_ context.Context, p *position.Position) error {
		e.stored, e.kept, e.start = p, p, p.FirstStart.S
		return nil
	}
	return e
}

// tick lets the database go on; its caller holds the lock of the database.
func (e *evolution) tick() {
	for range e.rng.IntN(5) {
		e.operate()
	}
	e.db.active = nil
	for _, x := range e.open {
		if x.began > 0 {
			e.db.active = append(e.db.active, oracle.OpenTransaction{Container: pdb, XID: x.xid, StartSCN: x.began})
		}
	}
}

func (e *evolution) operate() {
	if e.left--; e.left <= 0 {
		for len(e.open) > 0 {
			e.end(true)
		}
		e.switchLog()
		e.db.now++
		return
	}
	switch p := e.rng.IntN(100); {
	case p < 8:
		e.switchLog()
	case p < 22:
		e.shape([]string{"A", "B"}[e.rng.IntN(2)])
	case p < 45 && len(e.open) < 4:
		e.xids++
		e.open = append(e.open, &evolving{xid: position.XID{USN: uint16(e.xids % 7), Slot: uint16(e.xids), Sequence: e.xids}, tables: map[string]bool{}, late: e.rng.IntN(2) == 0})
	case p < 80 && len(e.open) > 0:
		e.insert(e.open[e.rng.IntN(len(e.open))], []string{"A", "B"}[e.rng.IntN(2)])
	case len(e.open) > 0:
		e.end(p < 95)
	}
}

// flush writes what the strands hold of a transaction, of every one for nil.
func (e *evolution) flush(x *position.XID) {
	e.strands = slices.DeleteFunc(e.strands, func(r logminer.Row) bool {
		if x != nil && r.XID != *x {
			return false
		}
		e.db.flush(r, false)
		return true
	})
}

func (e *evolution) switchLog() {
	e.flush(nil) // reference logminer F.5
	e.db.switchLog()
}

func (e *evolution) insert(x *evolving, name string) {
	if e.gone[name] {
		return
	}
	v := e.layouts[name][len(e.layouts[name])-1]
	e.values++
	e.db.now++
	var names, values []string
	text := name
	for i, c := range v.Columns {
		value := fmt.Sprintf("%s%d", strings.ToLower(c.Name), e.values)
		if i == 0 {
			value = fmt.Sprint(e.values)
		}
		names, values = append(names, `"`+c.Name+`"`), append(values, "'"+value+"'")
		text += " " + c.Name + "=" + value
	}
	e.strands = append(e.strands, inserted(v, x.xid, e.db.now, strings.Join(names, ","), strings.Join(values, ",")))
	if x.began == 0 {
		x.began = e.db.now
	}
	x.tables[name], x.due = true, append(x.due, text)
	if !x.late && e.rng.IntN(3) > 0 {
		e.flush(&x.xid)
	}
}

func (e *evolution) end(committed bool) {
	at := e.rng.IntN(len(e.open))
	x := e.open[at]
	e.open = slices.Delete(e.open, at, at+1)
	e.db.now++
	op := logminer.Rollback
	if committed {
		op = logminer.Commit
		for _, text := range x.due {
			e.due[text] = e.db.now
		}
	}
	e.strands = append(e.strands, row(x.xid, e.db.now, op))
	e.flush(&x.xid)
}

// known reports whether the topic has what the last DDL on a table made of it: a second one before that would leave a layout that
// nobody has seen.
func (e *evolution) known(name string) bool {
	for key, value := range e.topic.values {
		if strings.Contains(key, `"table":"`+name+`"`) {
			return e.shaped[name] == 0 || strings.Contains(string(value), fmt.Sprintf(`"%d"`, e.shaped[name]))
		}
	}
	return e.gone[name] && e.stored != nil && e.stored.Resume.SCN >= e.shaped[name]
}

// shape runs a DDL on a table: another column, DROP, or CREATE. DROP waits for the transactions on the table, another column does not
// (K7).
func (e *evolution) shape(name string) {
	if !e.known(name) {
		return
	}
	was := e.layouts[name][len(e.layouts[name])-1]
	var text string
	now := was
	switch {
	case e.gone[name]:
		e.ids++
		now = table(name, e.ids)
		text = "create table " + name + " (id number(10) primary key, v varchar2(40))"
	case e.rng.IntN(4) == 0:
		if slices.ContainsFunc(e.open, func(x *evolving) bool { return x.tables[name] }) {
			return
		}
		text = "drop table " + name + " purge"
	default:
		column := fmt.Sprintf("C%d", len(was.Columns))
		more := *was
		more.Columns = append(slices.Clone(was.Columns), text40(column, len(was.Columns)+1))
		now = more.Seal()
		text = "alter table " + name + " add (" + column + " varchar2(40))"
	}
	e.xids++
	x := position.XID{USN: 50, Slot: uint16(e.xids), Sequence: e.xids}
	e.db.flush(ddl(now, x, e.db.now+1, text), false)
	e.db.now += 2
	e.db.flush(commit(x, e.db.now), false)
	e.shaped[name] = e.db.now
	e.gone[name] = strings.HasPrefix(text, "drop")
	if now != was {
		e.layouts[name] = append(e.layouts[name], now)
	}
}

// out is a batch on its way: processed by oracle_schema and the output, then acknowledged.
type outgoing struct {
	batch            *change.Batch
	processed, acked bool
}

// process plays oracle_schema and the output.
func (e *evolution) process(o *outgoing) error {
	o.processed = true
	for i := range o.batch.Events {
		ev := &o.batch.Events[i]
		switch ev.Kind {
		case change.Schema:
			if err := e.topic.Append(context.Background(), ev.Key, ev.Value); err != nil {
				return err
			}
		case change.Change:
			text := ev.Version.Table.Name
			for at, v := range ev.After {
				text += " " + ev.Version.Columns[at].Name + "=" + v.Text()
			}
			if e.due[text] == 0 {
				return fmt.Errorf("delivered %s, which is no row", text)
			}
			e.got[text] = true
		default:
		}
	}
	return nil
}

// set moves a position that the engine may ask for.
func (e *evolution) set(p **position.Position, to *position.Position) {
	e.db.mu.Lock()
	defer e.db.mu.Unlock()
	*p = to
}

// live runs one generation until it is killed or refused, or everything is done.
func (e *evolution) live(from *position.Position) (finished bool, safe *position.Position, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	out, ended := make(chan *change.Batch), make(chan error, 1)
	go func() { ended <- newMiner(e.config, e.db).run(ctx, from, out) }()
	defer func() {
		cancel()
		if run := <-ended; err == nil && !errors.Is(run, context.Canceled) {
			err = run
		}
	}()
	safe = from
	var queue []*outgoing
	quiet := 0
	for {
		synctest.Wait()
		select {
		case b := <-out:
			queue = append(queue, &outgoing{batch: b})
			e.set(&e.passing, b.Position)
			if quiet++; len(b.Events) > 0 {
				quiet = 0
			}
		case run := <-ended:
			ended <- run
			return false, safe, fmt.Errorf("the engine ended: %w", run)
		default:
			time.Sleep(time.Second)
			quiet++
		}
		synctest.Wait()
		if done, finished, next, err := e.consume(&queue, &safe, quiet); done {
			return finished, next, err
		}
	}
}

// consume plays the pipeline for a moment: what is handed over is written, acknowledged and stored, or the process ends.
func (e *evolution) consume(queue *[]*outgoing, safe **position.Position, quiet int) (done, finished bool, next *position.Position, err error) {
	e.db.mu.Lock()
	defer e.db.mu.Unlock()
	calm := e.left <= -400
	for _, o := range *queue {
		if !o.processed && (calm || e.consumer.IntN(3) > 0) {
			if err := e.process(o); err != nil {
				return true, false, *safe, err
			}
		}
		if !o.processed {
			break
		}
		o.acked = o.acked || calm || e.consumer.IntN(3) > 0
	}
	for len(*queue) > 0 && (*queue)[0].acked {
		*safe, *queue = (*queue)[0].batch.Position, (*queue)[1:]
		e.acked = *safe
	}
	if *safe != nil && (calm || e.consumer.IntN(3) == 0) {
		e.stored, e.kept = *safe, *safe
	}
	switch {
	case calm && quiet > 30:
		return true, true, *safe, nil
	case !calm && e.consumer.IntN(25) == 0: // killed
		e.kept, e.acked, e.passing = nil, nil, nil
		return true, false, e.stored, nil
	case !calm && e.consumer.IntN(25) == 0: // refused
		if *safe == nil {
			*safe = e.stored // of the first start
		}
		return true, false, *safe, nil
	}
	return false, false, nil, nil
}

// asked answers what the emitter asks, beside everything else.
func (e *evolution) asked(answer func() *position.Position) func() *position.Position {
	return func() *position.Position {
		e.db.mu.Lock()
		defer e.db.mu.Unlock()
		return answer()
	}
}

// play runs generations to the end, and looks at what is left.
func (e *evolution) play() error {
	var from *position.Position
	for generation := 1; ; generation++ {
		if from != nil {
			encoded, err := position.Encode(from)
			if err != nil {
				return err
			}
			if from, err = position.Decode(encoded); err != nil {
				return err
			}
		}
		finished, next, err := e.live(from)
		if err != nil {
			return fmt.Errorf("generation %d: %w", generation, err)
		}
		if finished {
			break
		}
		from = next
	}
	for text, commit := range e.due {
		if !e.got[text] && commit > e.start {
			return fmt.Errorf("never delivered: %s", text)
		}
	}
	left, err := registry.Load(context.Background(), e.topic, "shop", func(string) (int, bool) { return pdb, true })
	if err != nil {
		return err
	}
	for _, name := range []string{"A", "B"} {
		record, ok := left.Record(table(name, 1).Table)
		switch {
		case e.gone[name] && ok:
			return fmt.Errorf("the record of %s, which is gone, is there for ever", name)
		case e.gone[name]:
		case !ok:
			return fmt.Errorf("the record of %s is gone", name)
		case len(record.Versions()) != 1:
			return fmt.Errorf("%s has %d versions at the end, and needs its last one", name, len(record.Versions()))
		}
	}
	return nil
}

func evolve(t *testing.T, seed uint64, change func(*evolution)) (err error) {
	synctest.Test(t, func(t *testing.T) {
		e := newEvolution(t, seed)
		if change != nil {
			change(e)
		}
		err = e.play()
	})
	return err
}

// R100: whatever the order of DDL, rows, acks, nacks and kills, every row finds its version, and what none can need is dropped.
func TestR100VersionsStayAsLongAsARowCanNeedThem(t *testing.T) {
	for seed := range uint64(150) {
		if err := evolve(t, seed, nil); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

func TestR100BrokenPruningIsNoticed(t *testing.T) {
	for name, change := range map[string]func(*evolution){
		"a passing row's position prunes": func(e *evolution) { e.config.Stored = e.asked(func() *position.Position { return e.passing }) },
		"an acknowledged position prunes": func(e *evolution) { e.config.Stored = e.asked(func() *position.Position { return e.acked }) },
		"nothing is pruned":               func(e *evolution) { e.config.Stored = nil },
		"rows that come late are forgotten": func(e *evolution) {
			e.db.floor = func(bound, _ position.SCN) position.SCN { return bound }
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(400) {
				if err := evolve(t, seed, change); err != nil {
					t.Logf("noticed by schedule %d: %v", seed, err)
					return
				}
			}
			t.Fatal("no schedule noticed it")
		})
	}
}
