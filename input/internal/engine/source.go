package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// source mines redo. There is one in the product, on LogMiner; tests put a synthetic stream in its place.
type source interface {
	// reading gives an SCN that has the age of the hold-back when it returns (R1).
	reading(ctx context.Context) (position.SCN, error)
	// mine delivers the rows outside region(from) up to a bound at or below reading, and verifies them. An error means that
	// nothing was mined.
	mine(ctx context.Context, from position.Boundary, reading position.SCN, t *tables, handle func([]logminer.Row) error) (mined, error)
	// replay mines like mine, with a dictionary from the redo: rows have the names of their moment. The rows of strangers come too. The
	// error is a *redolog.NoReplayError where there is no such dictionary (R45).
	replay(
		ctx context.Context, from position.Boundary, reading position.SCN, t *tables, strangers []object, handle func([]logminer.Row) error,
	) (mined, error)
	// kept follows a step whose rows were made permanent.
	kept(from position.Boundary, m mined)
}

// mined is what a verified step found.
type mined struct {
	// after is the boundary behind the step.
	after position.Boundary
	// floor: no row outside region(after) lies below it.
	floor position.SCN
	rows  int64
	logs  int
	// behind: the step ended in closed logs; there is more redo already.
	behind bool
	// build names the copy of the dictionary that the step was mined with; empty: today's dictionary.
	build string
}

// logMiner is the source of the product.
type logMiner struct {
	config   *Config
	sessions *sessions
	// facts is what the database said of itself when it was connected.
	facts oracle.Database
	pace  *redolog.Pace
	// net catches rows that an earlier step should have returned (R8).
	net *logminer.Net

	filtered *tables
	filter   *logminer.Filter
}

func (l *logMiner) reading(ctx context.Context) (position.SCN, error) {
	books, err := l.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return 0, err
	}
	scn, err := oracle.CurrentSCN(ctx, books)
	if err != nil {
		return 0, err
	}
	return scn, sleep(ctx, l.config.HoldBack)
}

// mine runs the step in the order of R2: bound, threads and logs, START, query, verification.
func (l *logMiner) mine(
	ctx context.Context, from position.Boundary, reading position.SCN, t *tables, handle func([]logminer.Row) error,
) (m mined, err error) {
	defer func() {
		if err != nil {
			l.failed(err)
		}
	}()
	books, err := l.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return mined{}, err
	}
	var plan redolog.Step
	err = l.look(ctx, books, redolog.Since(from), func(inventory redolog.Inventory) (err error) {
		plan, err = inventory.Plan(from, reading, l.pace.Logs())
		return err
	})
	if err != nil {
		return mined{}, err
	}
	mining, err := l.sessions.get(ctx, oracle.Mining)
	if err != nil {
		return mined{}, err
	}
	m, err = l.run(ctx, books, mining, logminer.Request{
		Plan: plan, Filter: l.filterFor(t), Net: l.net, Silence: l.config.QueryTimeout, Divisible: l.pace.Logs() > 1,
	}, handle)
	if err != nil {
		return mined{}, err
	}
	l.pace.Succeeded(plan)
	l.sessions.fetchSlowly(false)
	return m, nil
}

// run mines a planned step on a session and verifies it.
func (l *logMiner) run(ctx context.Context, books, mining *oracle.Session, r logminer.Request, handle func([]logminer.Row) error) (mined, error) {
	result, err := logminer.New(mining).Step(ctx, r, handle)
	if err != nil {
		return mined{}, err
	}
	if err := r.Plan.Verify(ctx, books); err != nil {
		return mined{}, err
	}
	if err := oracle.CheckIncarnation(ctx, books, l.facts); err != nil {
		return mined{}, err
	}
	return mined{
		after: r.Plan.After(result.Addresses), floor: r.Plan.Floor(), rows: result.Rows - result.Repeated, logs: len(r.Plan.Logs), behind: !r.Plan.Tail,
	}, nil
}

// failed makes the next step smaller. One that cannot be made smaller and was silent may have had rows on their way, in an array that
// did not fill in time: they are fetched in small ones next (R11).
func (l *logMiner) failed(err error) {
	if _, typed := oracle.Classify(err); typed.Code == stop.Stalled && l.pace.Logs() == 1 {
		l.sessions.fetchSlowly(true)
	}
	l.pace.Failed()
}

// kept tells the net of the step; a step that is mined again for a larger captured set was not kept.
func (l *logMiner) kept(from position.Boundary, m mined) { l.net.Verified(from, !m.behind) }

// filterFor builds the filter once per captured set.
func (l *logMiner) filterFor(t *tables) *logminer.Filter {
	if l.filtered != t {
		l.filtered, l.filter = t, filter(t, nil)
	}
	return l.filter
}

// filter builds the filter of a captured set, which shows the rows of strangers too.
func filter(t *tables, strangers []object) *logminer.Filter {
	byContainer := map[int]*logminer.Objects{}
	of := func(container int) *logminer.Objects {
		if byContainer[container] == nil {
			byContainer[container] = &logminer.Objects{Container: container}
		}
		return byContainer[container]
	}
	for o := range t.byObject {
		of(o.container).IDs = append(of(o.container).IDs, o.id)
	}
	for _, o := range strangers {
		of(o.container).Strangers = append(of(o.container).Strangers, o.id)
	}
	for s := range t.bySegment {
		of(s.container).Names = append(of(s.container).Names, schema.Table{Owner: s.owner, Name: s.name})
	}
	var all []logminer.Objects
	for _, o := range byContainer {
		slices.Sort(o.IDs) // one set, one text
		slices.SortFunc(o.Names, func(a, b schema.Table) int { return cmp.Compare(a.String(), b.String()) })
		all = append(all, *o)
	}
	return logminer.NewFilter(all...)
}

// A log that is between online and archived is looked for again after switchWait, switchLooks times in one step; that it is away
// for that long is no failure of the step yet (R2).
const (
	switchWait  = 250 * time.Millisecond
	switchLooks = 20
)

// look reads the inventory of the logs with records above an SCN and makes a plan from it, again while a log switch is under way.
func (l *logMiner) look(ctx context.Context, books *oracle.Session, since position.SCN, plan func(redolog.Inventory) error) error {
	for tries := 1; ; tries++ {
		inventory, err := redolog.Read(ctx, books, l.facts.ResetlogsSCN, since)
		if err != nil {
			return err
		}
		err = plan(inventory)
		if class, _ := oracle.Classify(err); class != oracle.ReMine || tries >= switchLooks {
			return err
		}
		if err := sleep(ctx, switchWait); err != nil {
			return err
		}
	}
}

// start gives the boundary for a first start at an SCN (R89).
func (l *logMiner) start(ctx context.Context, q position.SCN) (position.Boundary, error) {
	books, err := l.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return position.Boundary{}, err
	}
	b := position.Boundary{SCN: q}
	err = l.look(ctx, books, redolog.Since(b), func(inventory redolog.Inventory) (err error) {
		b.Marks, err = inventory.Start(q)
		return err
	})
	return b, err
}

// reaches implements database.
func (l *logMiner) reaches(ctx context.Context, from position.Boundary) error {
	books, err := l.sessions.get(ctx, oracle.Bookkeeping)
	if err != nil {
		return err
	}
	now, err := oracle.CurrentSCN(ctx, books)
	if err != nil {
		return err
	}
	return l.look(ctx, books, redolog.Since(from), func(inventory redolog.Inventory) error {
		_, err := inventory.Plan(from, max(now, from.SCN), 1)
		return err
	})
}
