package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// synthetic is a database whose redo a test writes: rows lie in its file in the order in which they were flushed, which is
// the order of their addresses and not that of their SCNs (K1, K2). It answers mining as R3 demands.
type synthetic struct {
	mu  sync.Mutex
	rng *rand.Rand

	// file is the redo; what is not flushed yet is nowhere.
	file []logminer.Row
	// closed holds NEXT_CHANGE# of the closed logs, in order of sequence from 1.
	closed []position.SCN
	now    position.SCN
	block  uint32

	pdbs       []oracle.Container
	described  []*schema.Version
	storage    map[int]oracle.Storage
	descriptor func() []*schema.Version
	// hidden are tables that are not captured.
	hidden    func() []*schema.Version
	partition map[schema.Table]bool
	children  func() map[schema.Table][]schema.Table
	// seen are the layouts that were looked at last.
	seen   map[object]seenLayout
	active []oracle.OpenTransaction
	// loads are the last changes without redo, residents the captured tables by tablespace.
	loads     []oracle.Unrecoverable
	residents map[string][]schema.Table

	// dated gives a row the names of its moment, where the redo has a dictionary (R45).
	dated func(r logminer.Row) logminer.Row
	// foreign delivers rows of segments that nobody can name.
	foreign bool
	// sorted delivers rows in order of their SCN, else of their address.
	sorted bool
	// bound lowers a bound, as a step does while it is behind (R12).
	bound func(from, reading position.SCN) position.SCN
	// behind reports a step that ended in closed logs.
	behind func(after position.SCN) bool
	// floor gives that of a step, which is right.
	floor func(bound, right position.SCN) position.SCN
	// tick lets the workload go on; it is called before every look at the database.
	tick func()
	// fail says before which row of how many a step fails; -1: not.
	fail func(rows int) int
	// failure is what a failing step answers.
	failure error
	// steps counts verified steps, mines all.
	steps, mines int
	// after is the boundary of the last verified one.
	after position.Boundary
	// mined is told of every verified step.
	mined  func(from position.Boundary, m mined)
	refuse func() error
	// gap is the redo that is missing right behind a boundary.
	gap func(from position.Boundary) error
	// covers says which rows a step leaves out as delivered before.
	covers func(from position.Boundary, r *logminer.Row) bool
	// enter is called on every way into the database.
	enter func(ctx context.Context, what string) error
}

const pdb = 3

func newSynthetic(seed uint64) *synthetic {
	return &synthetic{
		rng: rand.New(rand.NewPCG(seed, 1)), now: 1000, partition: map[schema.Table]bool{},
		pdbs:    []oracle.Container{{ID: pdb, Name: "PDB1", OpenMode: "READ WRITE"}},
		bound:   func(_, reading position.SCN) position.SCN { return reading },
		behind:  func(position.SCN) bool { return false },
		floor:   func(_, right position.SCN) position.SCN { return right },
		tick:    func() {},
		fail:    func(int) int { return -1 },
		failure: &oracle.Fault{Class: oracle.ReMine, Limit: 1 << 30, Becomes: stop.New(stop.StepFailed, "", "drawn")},
		mined:   func(position.Boundary, mined) {},
		covers:  func(b position.Boundary, r *logminer.Row) bool { return b.Covers(r.SCN, r.Thread, r.Address) },
		refuse:  func() error { return nil },
		gap:     func(position.Boundary) error { return nil },
		enter:   func(context.Context, string) error { return nil },
	}
}

// progress gives the SCN and the boundary of the last verified step.
func (s *synthetic) progress() (position.SCN, position.Boundary) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now, s.after
}

// flush writes a row, at the next address or at that of the row before.
func (s *synthetic) flush(r logminer.Row, sameRecord bool) logminer.Row {
	if !sameRecord {
		s.block++
	}
	r.Thread = 1
	r.Address = position.RBA{Sequence: uint32(len(s.closed)) + 1, Block: s.block, Byte: 16}
	s.file = append(s.file, r)
	return r
}

// switchLog closes the current log; the caller has flushed everything.
func (s *synthetic) switchLog() {
	s.now++
	s.closed = append(s.closed, s.now)
	s.block = 0
}

func (s *synthetic) connect(ctx context.Context, _ *position.Identity) (oracle.Database, time.Duration, error) {
	if err := s.enter(ctx, "connect"); err != nil {
		return oracle.Database{}, 0, err
	}
	if err := s.refuse(); err != nil {
		return oracle.Database{}, 0, err
	}
	return oracle.Database{
		Name: "FREE", DBID: 7, ResetlogsSCN: 1, CDB: true,
		PDBs: s.pdbs,
	}, 0, nil
}

func (s *synthetic) reaches(_ context.Context, from position.Boundary) error { return s.gap(from) }

func (s *synthetic) scn(ctx context.Context) (position.SCN, error) {
	if err := s.enter(ctx, "scn"); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	read := s.now
	s.now++ // reading CURRENT_SCN advances it
	return read, ctx.Err()
}

func (s *synthetic) reading(ctx context.Context) (position.SCN, error) {
	if err := s.enter(ctx, "reading"); err != nil {
		return 0, err
	}
	return s.scn(ctx)
}

func (s *synthetic) open(ctx context.Context) ([]oracle.OpenTransaction, error) {
	if err := s.enter(ctx, "open"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	return slices.Clone(s.active), ctx.Err()
}

func (s *synthetic) describe(ctx context.Context) (dictionary, error) {
	if err := s.enter(ctx, "describe"); err != nil {
		return dictionary{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	described := s.described
	if s.descriptor != nil {
		described = s.descriptor()
	}
	now := dictionary{read: s.now, at: time.Now().Format(secondForm), pdbs: s.pdbs, storage: s.storage}
	if s.children != nil {
		now.children = s.children()
	}
	for _, v := range described {
		again := *v
		again.Columns = slices.Clone(v.Columns) // every reading has its own
		d := oracle.Description{Version: again.Seal(), Partitioned: s.partition[v.Table], Partitions: v.Partitions, Object: v.ObjectIDs[0], LastDDL: s.second(v)}
		for _, c := range again.Columns {
			if !c.Type.Captured() || len(c.Name) > 30 {
				d.Refused = append(d.Refused, "column "+c.Name+" has type "+c.Type.Name)
			}
		}
		now.tables = append(now.tables, d)
	}
	return now, nil
}

const secondForm = "2006-01-02 15:04:05"

// modified answers LAST_DDL_TIME: the second in which the layout of a table was seen to have changed.
func (s *synthetic) modified(ctx context.Context, container int, ids []uint64) (map[uint64]string, error) {
	if err := s.enter(ctx, "modified"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	described := s.described
	if s.descriptor != nil {
		described = s.descriptor()
	}
	out := map[uint64]string{}
	for _, v := range described {
		if v.Container == container && slices.Contains(ids, v.ObjectIDs[0]) {
			out[v.ObjectIDs[0]] = s.second(v)
		}
	}
	return out, nil
}

func (s *synthetic) called(ctx context.Context, container int, ids []uint64) (map[uint64]oracle.ObjectName, error) {
	if err := s.enter(ctx, "called"); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	described := s.described
	if s.descriptor != nil {
		described = s.descriptor()
	}
	if s.hidden != nil {
		described = slices.Concat(described, s.hidden())
	}
	out := map[uint64]oracle.ObjectName{}
	for _, v := range described {
		if v.Container == container && slices.Contains(ids, v.ObjectIDs[0]) {
			out[v.ObjectIDs[0]] = oracle.ObjectName{Owner: v.Table.Owner, Name: v.Table.Name}
		}
	}
	return out, nil
}

func (s *synthetic) second(v *schema.Version) string {
	key, digest := object{v.Container, v.ObjectIDs[0]}, registry.VersionDigest(v)
	seen, ok := s.seen[key]
	if !ok || seen.digest != digest {
		seen.digest, seen.second = digest, "1999-01-01 00:00:00"
		if ok {
			seen.second = time.Now().Format(secondForm)
		}
		if s.seen == nil {
			s.seen = map[object]seenLayout{}
		}
		s.seen[key] = seen
	}
	return seen.second
}

type seenLayout struct{ digest, second string }

func (s *synthetic) unrecoverable(ctx context.Context) ([]oracle.Unrecoverable, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.loads), ctx.Err()
}

func (s *synthetic) tablesIn(ctx context.Context, in oracle.Container, tablespace string) ([]schema.Table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !in.Open() {
		return nil, errors.New("asked of a closed container")
	}
	return s.residents[tablespace], ctx.Err()
}

func (s *synthetic) start(ctx context.Context, q position.SCN) (position.Boundary, error) {
	if err := s.enter(ctx, "start"); err != nil {
		return position.Boundary{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return position.Boundary{SCN: q, Marks: []position.Mark{{Thread: 1, Log: s.needed(q)}}}, nil
}

func (s *synthetic) began(ctx context.Context, t oracle.OpenTransaction) (position.SCN, error) {
	if err := s.enter(ctx, "began"); err != nil {
		return 0, err
	}
	if t.StartSCN == 0 {
		return 0, stop.New(stop.RedoPurged, t.String(), "no begin")
	}
	return t.StartSCN, ctx.Err()
}

// needed is the first log that is not closed or holds SCNs above c.
func (s *synthetic) needed(c position.SCN) uint32 {
	for i, next := range s.closed {
		if next > c {
			return uint32(i) + 1
		}
	}
	return uint32(len(s.closed)) + 1
}

var errNoMark = errors.New("the boundary lost the mark of thread 1")

// kept is of no use here: the stream has no net.
func (*synthetic) kept(position.Boundary, mined) {}

func (s *synthetic) mine(
	ctx context.Context, from position.Boundary, reading position.SCN, t *tables, handle func([]logminer.Row) error,
) (mined, error) {
	if err := s.enter(ctx, "mine"); err != nil {
		return mined{}, err
	}
	s.mu.Lock()
	s.mines++
	c := s.bound(from.SCN, reading)
	mark, ok := from.Mark(1)
	if !ok {
		s.mu.Unlock()
		return mined{}, errNoMark
	}
	var rows []logminer.Row
	after := mark
	for _, r := range s.file {
		switch {
		case r.SCN > c, !s.selected(&r, t), r.Address.Sequence != 0 && r.Address.Sequence < mark.Log:
			continue
		case !r.Address.IsZero() && s.covers(from, &r):
			continue
		}
		if r.Address.Compare(after.Address) > 0 {
			after.Address = r.Address
		}
		rows = append(rows, r)
	}
	if s.sorted {
		slices.SortStableFunc(rows, func(a, b logminer.Row) int { return int(int64(a.SCN) - int64(b.SCN)) })
	}
	failAt := s.fail(len(rows))
	after.Log = max(after.Log, s.needed(c))
	m := mined{after: from.With(after), rows: int64(len(rows)), logs: 1}
	m.after.SCN, m.behind = c, s.behind(c)
	if n := len(s.closed); n > 0 { // what is late lies in the log that is written to
		m.floor = s.floor(c, min(c, s.closed[n-1]))
	}
	chunks := s.chunks(len(rows), failAt)
	s.mu.Unlock()

	for _, n := range chunks {
		if err := handle(rows[:n]); err != nil {
			return mined{}, err
		}
		rows = rows[n:]
	}
	if failAt >= 0 {
		return mined{}, s.failure
	}
	s.mu.Lock()
	s.steps++
	s.after = m.after
	s.mined(from, m)
	s.mu.Unlock()
	return m, ctx.Err()
}

// chunks cuts a delivery into batches, up to where it fails.
func (s *synthetic) chunks(rows, failAt int) []int {
	if failAt >= 0 {
		rows = failAt
	}
	var out []int
	for rows > 0 {
		n := 1 + s.rng.IntN(min(rows, 7))
		out = append(out, n)
		rows -= n
	}
	return out
}

// selected is the filter of R103.
func (s *synthetic) selected(r *logminer.Row, t *tables) bool {
	switch r.Operation {
	case logminer.Commit, logminer.Rollback, logminer.Start, logminer.DDL:
		return true
	default:
	}
	if _, ok := t.byObject[object{r.Container, r.ObjectID}]; ok {
		return true
	}
	if r.Table == "" || r.Owner == "UNKNOWN" || strings.HasPrefix(r.Table, "OBJ# ") || strings.HasPrefix(r.Table, "BIN$") {
		return true
	}
	_, named := t.bySegment[segment{r.Container, r.Owner, r.Table}]
	return named
}

// table makes a captured table with a key and a text column.
func table(name string, id uint64) *schema.Version {
	v := &schema.Version{
		Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: name}, Container: pdb, Logging: schema.LoggingAll,
		ObjectIDs: []uint64{id}, Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}},
		Columns: []schema.Column{
			{Name: "ID", SegmentID: 1, Type: schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 10}},
			{Name: "V", SegmentID: 2, Nullable: true, Type: schema.Type{
				Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40, CharLength: 40, Precision: schema.NoNumber, Scale: schema.NoNumber,
			}},
		},
	}
	return v.Seal()
}

// image is a row of such a table.
type image struct {
	id int
	v  string
}

func insertSQL(v *schema.Version, new image) string {
	return fmt.Sprintf(`insert into "%s"."%s"("ID","V") values ('%d','%s');`, v.Table.Owner, v.Table.Name, new.id, new.v)
}

func updateSQL(v *schema.Version, old, new image, rowID string) string {
	return fmt.Sprintf(`update "%s"."%s" set "ID" = '%d', "V" = '%s' where "ID" = '%d' and "V" = '%s' and ROWID = '%s';`,
		v.Table.Owner, v.Table.Name, new.id, new.v, old.id, old.v, rowID)
}

func deleteSQL(v *schema.Version, old image, rowID string) string {
	return fmt.Sprintf(`delete from "%s"."%s" where "ID" = '%d' and "V" = '%s' and ROWID = '%s';`,
		v.Table.Owner, v.Table.Name, old.id, old.v, rowID)
}
