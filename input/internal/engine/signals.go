package engine

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/signal"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// SignalConfig says where signals come from; the zero value is nowhere.
type SignalConfig struct {
	// Topic is where signals are read from the brokers, empty where they are not.
	Topic   string
	Brokers topicstore.Connection
	// Address is that of the listener, empty without one; Token is asked for there.
	Address, Token string
	// Table is the table whose inserted rows are signals.
	Table schema.Table
}

const (
	// beginPatience is how long a first start waits for the brokers to say where the topic of signals ends. Without an answer capture
	// begins all the same: signals are no data.
	beginPatience = 5 * time.Second
	// sentBefore is how much older than a position that does not know the topic's offsets a signal may be that is still obeyed: capture
	// looks for a topic that is missing every few seconds, and clocks differ.
	sentBefore = time.Minute
)

// queuedSignals bounds those that wait for the running step; the channels wait when there are more.
const queuedSignals = 16

// signals are what operators ask for, on their way to the miner, which acts between two steps.
type signals struct {
	arrived chan signal.Delivery
	// begins are the offsets that the topic is read from, once known.
	begins chan map[int32]int64
	on     net.Listener
	// handled is what the position says of signals. It is replaced, not changed.
	handled *position.Signals
	// since is about when the position was stored that capture begins from; zero: a first start.
	since time.Time
}

func newSignals() signals {
	return signals{arrived: make(chan signal.Delivery, queuedSignals), begins: make(chan map[int32]int64, 1)}
}

// openSignals takes what the channels need before capture begins.
func (m *miner) openSignals(ctx context.Context, from *position.Position) error {
	c := &m.config.Signals
	if from != nil {
		m.signals.handled = from.Signals
		if !from.Time.IsZero() {
			m.signals.since = from.Time.Add(-sentBefore)
		}
	}
	if c.Address == "" {
		return nil
	}
	var err error
	m.signals.on, err = m.listener().Listen(ctx)
	return err
}

// closeSignals gives the listener back where serveSignals never had it.
func (m *miner) closeSignals() {
	if m.signals.on != nil {
		_ = m.signals.on.Close() // closed before in the ordinary case
	}
}

// serveSignals runs the channels as workers until ctx ends.
func (m *miner) serveSignals(ctx context.Context, workers *errgroup.Group) {
	if m.config.Signals.Topic != "" {
		topic := m.topic()
		topic.Began = func(begins map[int32]int64) {
			select {
			case <-m.signals.begins: // this one goes on from there
			default:
			}
			m.signals.begins <- begins // there is room: nobody else sends
		}
		workers.Go(func() error { topic.Run(ctx, m.signals.arrived); return nil })
	}
	if m.signals.on != nil {
		workers.Go(func() error { m.listener().Run(ctx, m.signals.on, m.signals.arrived); return nil })
	}
}

func (m *miner) topic() *signal.Topic {
	c := &m.config.Signals
	t := &signal.Topic{
		Connection: c.Brokers, Name: c.Topic, Key: m.config.Records.Server, Since: m.signals.since, Log: m.config.Log, Now: m.config.Now,
	}
	if m.signals.handled != nil {
		t.From = m.signals.handled.Offsets
	}
	return t
}

// beginSignals has the first position say where the topic is read from, so that a restart skips no signal that is sent until another
// position is stored.
func (m *miner) beginSignals(ctx context.Context) {
	if m.config.Signals.Topic == "" {
		return
	}
	wait, cancel := context.WithTimeout(ctx, beginPatience)
	defer cancel()
	if begins, err := m.topic().Begin(wait); err == nil {
		m.began(begins)
	} // Else the reader of the topic meets the same fault, and says it.
}

func (m *miner) listener() *signal.Listener {
	return &signal.Listener{Address: m.config.Signals.Address, Token: m.config.Signals.Token, Log: m.config.Log}
}

// obey acts on what has arrived. It is called between two steps, and takes no more than waits at once: a flood of signals does not hold
// the stream.
func (m *miner) obey(ctx context.Context) error {
	for range queuedSignals {
		select {
		case d := <-m.signals.arrived:
			if err := m.receive(ctx, &d); err != nil {
				return err
			}
		case begins := <-m.signals.begins:
			m.began(begins)
		default:
			return nil
		}
	}
	return nil
}

// rest waits for the next step; a signal ends the wait.
func (m *miner) rest(ctx context.Context) error {
	timer := time.NewTimer(m.pace.wait(m.config))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	case d := <-m.signals.arrived:
		return m.receive(ctx, &d)
	case begins := <-m.signals.begins:
		m.began(begins)
		return nil
	}
}

// began notes where the topic is read from, so that a restart skips nothing that is sent until the first signal is handled.
// A topic that was made again begins below what was handled; one that is read on begins behind signals that are still to be handled.
func (m *miner) began(begins map[int32]int64) {
	for partition, offset := range begins {
		if at, known := m.signals.handled.Next(partition); !known || offset < at {
			m.signals.handled = m.signals.handled.ReadFrom(partition, offset)
		}
	}
}

func (m *miner) receive(ctx context.Context, d *signal.Delivery) error {
	select {
	case begins := <-m.signals.begins: // before what was read from there
		m.began(begins)
	default:
	}
	s := &d.Signal
	id := rand.Text()
	if s.Channel == signal.Kafka {
		id = s.Name()
	}
	before := len(m.commands) + len(m.discarded.fresh)
	answer, err := m.answer(ctx, s, id)
	if s.Channel == signal.Kafka {
		m.signals.handled = m.signals.handled.PastRecord(s.Partition, s.Offset)
	}
	switch {
	case answer == nil:
	case s.Channel == signal.HTTP && m.config.Stored != nil && len(m.commands)+len(m.discarded.fresh) > before:
		// Nobody sends it again: the sender hears of it once a kill does not undo it any more.
		r := &receipt{}
		m.receipts = append(m.receipts, r)
		d.AnswerWhen(*answer, func() bool { return r.stored(m.config) })
	default:
		d.Answer(*answer)
	}
	return err
}

// receipt waits for the position that has what was asked for to be stored.
type receipt struct {
	// sequence is the number of the first position that has it; 0: it is not made yet.
	sequence atomic.Uint64
}

func (r *receipt) stored(c *Config) bool {
	n, p := r.sequence.Load(), c.Stored()
	return n > 0 && p != nil && p.Run == c.Run && p.Sequence >= n
}

// receive tells who waits for it that the next position has what the group asks for.
func (e *emitter) receive(receipts []*receipt) {
	if len(receipts) == 0 {
		return
	}
	if e.batch != nil {
		e.mark() // an open batch has an older position else
	}
	for _, r := range receipts {
		r.sequence.Store(e.running.Sequence + 1)
	}
}

// answer acts on a signal and tells of what became of it. A fault of the database is one of capture, too.
func (m *miner) answer(ctx context.Context, s *signal.Signal, id string) (*signal.Answer, error) {
	command, answer := signal.Parse(s)
	var err error
	if command != nil {
		var done signal.Answer
		if done, err = m.act(ctx, command, id); err != nil {
			done = signal.Answer{Status: signal.Failed, Detail: err.Error()}
		}
		answer = &done
	}
	if answer == nil {
		return nil, err
	}
	level := slog.LevelInfo
	if answer.Status != signal.OK {
		level = slog.LevelWarn
	}
	m.note(level, "A signal was handled", signalAckEvent, detail{"id", s.ID}, detail{"signal", s.Type}, detail{"channel", string(s.Channel)},
		detail{"status", string(answer.Status)}, detail{"detail", answer.Detail})
	return answer, err
}

// act does what a command asks for. id is the signal's own, which comes again with it after a restart.
func (m *miner) act(ctx context.Context, c *signal.Command, id string) (signal.Answer, error) {
	switch c.Action {
	case signal.Log:
		m.config.Log.Info(c.Message, "signal", c.ID)
		return done(""), nil
	case signal.LogState:
		state := m.state()
		m.config.Log.LogAttrs(ctx, slog.LevelInfo, "State of capture", state...)
		return done("%s", shownState(state)), nil
	case signal.RefreshTables:
		return m.refresh(ctx)
	case signal.DropTransaction:
		return m.giveUp(c.Transaction), nil
	case signal.ExecuteSnapshot:
		return m.askRead(c, id), nil
	case signal.StopSnapshot:
		return m.askStop(c), nil
	case signal.PauseSnapshot, signal.ResumeSnapshot:
		return m.askPause(c.Action == signal.PauseSnapshot), nil
	case signal.BuildDictionary:
		return m.askBuild(), nil
	}
	return signal.Answer{Status: signal.Unknown}, nil
}

func done(format string, args ...any) signal.Answer {
	return signal.Answer{Status: signal.OK, Detail: fmt.Sprintf(format, args...)}
}

// state is what capture is doing, for an operator.
func (m *miner) state() []slog.Attr {
	out := []slog.Attr{
		slog.String("complete_scn", m.frontier.scn.String()), slog.String("mined_scn", m.boundary.SCN.String()), slog.String("safe_end_scn", m.safeEnd.String()),
		slog.Int("tables", len(m.tables.byName)), slog.Int("open_transactions", m.buffer.Open()),
		slog.Int64("buffer_bytes", m.buffer.Used()), slog.Int64("waiting_transactions", m.queued.Load()), slog.Bool("behind", m.pace.behind),
	}
	if s := m.snapshotState(); active(s) {
		out = append(out, slog.String("snapshot", string(s.Status)), slog.Uint64("snapshot_rows", s.Rows), slog.Int("snapshot_tables_left", len(s.Tables)),
			slog.Int("snapshots_waiting", len(s.Queued)))
	}
	if floor, id, ok := m.floor(); ok {
		out = append(out, slog.String("oldest_transaction", position.Transaction(id).String()), slog.String("oldest_scn", floor.SCN.String()))
	}
	if n := len(m.discarded.open); n > 0 {
		out = append(out, slog.Int("dropped_transactions", n))
	}
	if n := len(m.excluded.of); n > 0 {
		out = append(out, slog.Int("excluded_transactions", n))
	}
	return out
}

func shownState(attributes []slog.Attr) string {
	shown := make([]string, len(attributes))
	for i, a := range attributes {
		shown[i] = a.String()
	}
	return strings.Join(shown, ", ")
}

// refresh compares the captured tables with the dictionary now.
func (m *miner) refresh(ctx context.Context) (signal.Answer, error) {
	d, err := m.compare(ctx)
	if err != nil {
		return signal.Answer{}, err
	}
	if d.none() {
		return done("%d tables are captured, as the dictionary has them", len(m.tables.byName)), nil
	}
	return done("%d tables are captured; in the dictionary %d more, %d otherwise and %d gone: capture follows when it reaches their DDL",
		len(m.tables.byName), len(d.added), len(d.changed), len(d.gone)), nil
}

// signalled acts on the rows of the signal table among the items of a verified step, and takes them out where nobody asked for
// them as records. Items come again after a restart; what the position says of them is handled. The error is the first that the database
// answered; the others are acted on all the same.
func (m *miner) signalled(ctx context.Context, items []*transaction.Committed) (failed error) {
	table := m.config.Signals.Table
	if table.Name == "" {
		return nil
	}
	published := m.config.Selection.Included(table)
	of := func(c *transaction.Change) bool { return c.Version != nil && c.Version.Table == table } // what tells of a DDL has no version
	for _, item := range items {
		found := false
		for c := range item.Changes() {
			if !of(c) {
				continue
			}
			found = true
			if c.Op == transaction.Insert && !m.signals.handled.HasCommit(item.Key) {
				s := signal.Unreadable("", "", "the row cannot be read")
				if c.Fault == nil {
					s = rowOf(c)
				}
				if _, err := m.answer(ctx, &s, fmt.Sprintf("table-%s-%s-%d", item.Key.SCN, c.Address, c.SSN)); err != nil && failed == nil {
					failed = err
				}
			}
		}
		if !found {
			continue
		}
		m.signals.handled = m.signals.handled.PastCommit(item.Key)
		if !published {
			item.Drop(of)
		}
	}
	return failed
}

// rowOf reads a row of the signal table: three columns by position, whatever their names.
func rowOf(c *transaction.Change) signal.Signal {
	var fields [3]string
	n := 0
	for i := range c.After {
		if !c.Version.Columns[i].Published() || n == len(fields) {
			continue
		}
		switch v := c.After[i]; v.Kind() {
		case value.Text, value.Decimal:
			fields[n] = v.Text()
		case value.Null, value.Absent:
		default:
			// Without its data it would ask for something else: to stop everything instead of one table.
			return signal.Unreadable(fields[0], fields[1], "column "+c.Version.Columns[i].Name+" is no text: the table has three columns of VARCHAR2")
		}
		n++
	}
	return signal.FromRow(fields[0], fields[1], fields[2])
}

// giveUp forgets an open transaction.
func (m *miner) giveUp(name string) signal.Answer {
	id, err := m.transactionOf(name)
	if err != nil {
		return signal.Answer{Status: signal.Invalid, Detail: err.Error()}
	}
	rows, ok := m.buffer.Forget(id)
	if !ok {
		return signal.Answer{Status: signal.Rejected, Detail: "no transaction " + position.Transaction(id).String() + " with captured rows is open"}
	}
	m.discarded.add(id)
	m.event(transactionDiscardedEvent, detail{"transaction", position.Transaction(id).String()}, detail{"changes", strconv.Itoa(rows)})
	return done("%d changes of transaction %s are forgotten, and what it still does is not delivered", rows, position.Transaction(id))
}

// Signals is the one table of what may be asked.
func Signals() []signal.Description { return signal.Actions() }
