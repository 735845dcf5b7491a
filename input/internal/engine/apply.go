package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// applier gives the rows of a step to the transaction buffer. It is pure apart from the buffer: what it finds wrong with a row
// marks the row's transaction (R22), what is wrong with the redo itself fails the step.
type applier struct {
	buffer  *transaction.Buffer
	decoder decode.Decoder
	// older decodes rows that have no names any more.
	older   *older
	tables  *tables
	logging schema.Logging
	// offset is what the server's wall clock is ahead of UTC (R136).
	offset time.Duration
	// first says which rows below the begin of a first start count (R90).
	first *ledger
	// discarded are transactions whose rows are dropped, excluded those of users that are not captured.
	discarded *discarded
	excluded  *excluded
	// entrants know transactions of which changes may be missing.
	entrants *entrants
	values   bool
	// raw: changes keep their row as it came, for dead letters.
	raw bool
	// columns says which columns are never read; rows of their tables are not quoted.
	columns *naming.Columns
	// redo keeps the text of rows for their records.
	redo bool
	// truncates: TRUNCATE of a captured table is a change.
	truncates bool
	// defines: consumers are told of DDL.
	defines bool
	// concerns says which DDL rows may change the captured set; their transactions are followed to their end. Nil: none.
	concerns func(*ddlRow) bool

	// cascade lists the captured tables that a DDL changes with its own.
	cascade func(*ddlRow) []schema.Table

	// strangers are the rows of the step in segments that nobody can name.
	strangers map[object]stranger
	// matches reports whether a table that rows name matches the configuration. Nil: none does.
	matches func(container int, owner, name string) bool

	// tooLate is what a row stops capture for whose table only the DDL of the step tells.
	tooLate error

	rows, used, undone, foreign, late int64
	rollbacks                         int
	// touched are the captured segments that have rows in the step, last the one of the last row.
	touched []object
	last    object
	// ddl lists the DDL rows of the step that concern the captured set, to be judged when it is verified.
	ddl []ddlRow
}

// ddlRow is a DDL that may concern the captured set.
type ddlRow struct {
	id     transaction.ID
	table  schema.Table
	object object
	text   string
	what   definition.Statement
	scn    position.SCN
	// told is what consumers are told of it once it is judged; nil: nothing.
	told *change.Definition
}

// begin prepares for a step.
func (a *applier) begin() {
	a.rows, a.used, a.undone, a.foreign, a.late, a.rollbacks = 0, 0, 0, 0, 0, 0
	a.ddl, a.touched, a.last = a.ddl[:0], a.touched[:0], object{}
	clear(a.strangers)
	a.tooLate = nil
	a.first.begin()
	a.discarded.begin()
}

// apply takes one row of the running step.
func (a *applier) apply(r *logminer.Row) error {
	a.rows++
	id := transaction.ID{Container: r.Container, XID: r.XID}
	switch r.Operation {
	case logminer.Start:
		a.entrants.start(id)
		return a.excluded.start(id, r) // it carries nothing else that is needed (R53)
	case logminer.Internal, logminer.SelectForUpdate:
		return nil // they change no row
	case logminer.Commit, logminer.Rollback:
		return a.end(id, r)
	case logminer.DDL:
		return a.statement(id, r)
	case logminer.ReplicationMarker:
		return nil // the transaction is delivered like any other (R137)
	default:
	}
	l, ok := a.tables.of(r.Container, r.ObjectID, r.Owner, r.Table, r.SCN)
	if full, _ := a.resolve(id, r.SCN); a.excluded.has(full) {
		if ok {
			a.excluded.drop(full)
		}
		return nil
	}
	if !ok {
		a.foreign++ // a segment that the dictionary cannot name and that is none of ours (R104)
		a.stranger(r)
		return nil
	}
	return a.change(id, l, r)
}

func ddlOf(id transaction.ID, r *logminer.Row) ddlRow {
	return ddlRow{
		id: id, table: schema.Table{Owner: r.Owner, Name: r.Table}, object: object{r.Container, r.ObjectID}, text: r.Redo, scn: r.SCN,
		what: definition.Classify(r.Redo, r.Owner),
	}
}

// statement takes a DDL row. It says nothing before its transaction commits, so that is held like one with captured rows.
func (a *applier) statement(id transaction.ID, r *logminer.Row) error {
	d := ddlOf(id, r)
	if a.concerns == nil {
		a.ddl = append(a.ddl, d)
		return nil
	}
	switch {
	case !a.first.counts(id, r.SCN), !a.concerns(&d):
	case r.Late:
		return tooLate(r, "a DDL on "+d.table.String())
	default:
		a.buffer.Hold(id, r.SCN)
		if a.defines {
			d.told = &change.Definition{Text: a.shown(d.table, definition.Discreet(r.Redo))}
			a.buffer.Append(id, r.User, transaction.Change{
				Op: transaction.Define, Definition: d.told, SCN: r.SCN, Thread: r.Thread, Address: r.Address, SSN: r.SSN, Millis: a.millis(r),
				TextBytes: len(r.Redo),
			})
		}
		a.ddl = append(a.ddl, d)
		if !a.excluded.has(id) {
			a.truncate(&d, r)
		}
	}
	return nil
}

// tooLate stops for a row that the step before should have returned, and whose effect came out without it (R8).
func tooLate(r *logminer.Row, what string) error {
	return stop.New(stop.TooLate, describe(r), "LogMiner returned %s one step late", what)
}

// end records the end of a transaction. A partial XID stands for the transaction that is open at this point.
func (a *applier) end(id transaction.ID, r *logminer.Row) error {
	if id.XID.IsPartial() {
		a.discarded.end(id)
		full, ok := a.resolve(id, r.SCN)
		if !ok {
			if full, ok = a.first.resolve(id, r.SCN); !ok {
				return nil
			}
		}
		id = full
	}
	a.first.end(id)
	a.entrants.end(id)
	a.discarded.end(id)
	a.excluded.finish(id, position.Key{SCN: r.SCN, Thread: r.Thread, Address: r.Address})
	if r.Late && a.buffer.Has(id) {
		return tooLate(r, "the "+r.Operation.String()+" of transaction "+id.XID.String())
	}
	if r.Operation == logminer.Rollback {
		a.rollbacks++
	}
	a.buffer.End(id, transaction.End{
		Commit: r.Operation == logminer.Commit,
		Key:    position.Key{SCN: r.SCN, Thread: r.Thread, Address: r.Address},
		Millis: a.millis(r),
	})
	return nil
}

// resolve finds the transaction that a partial XID stands for; a whole one stands for itself. Of two in a slot the younger one is open.
func (a *applier) resolve(id transaction.ID, scn position.SCN) (transaction.ID, bool) {
	if !id.XID.IsPartial() {
		return id, true
	}
	full, ok := a.buffer.Resolve(id, scn)
	if barred, is := a.excluded.resolve(id, scn); is && (!ok || barred.XID.Sequence > full.XID.Sequence) {
		return barred, true
	}
	return full, ok
}

// change takes a row of a captured table.
func (a *applier) change(id transaction.ID, l layout, r *logminer.Row) error {
	v := l.version
	if id.XID.IsPartial() {
		full, ok := a.resolve(id, r.SCN)
		if !ok {
			return nil // its transaction has no captured rows, or is none of this start's (R117)
		}
		id = full
	}
	if !a.first.counts(id, r.SCN) || a.discarded.has(id) {
		return nil
	}
	op, err := operation(r)
	if err != nil {
		if a.lob(id, l, r) {
			return nil
		}
		return a.first.structural(a.buffer, id, r, err)
	}
	a.used++
	a.byName(r)
	a.touch(object{r.Container, r.ObjectID})
	if id.XID.IsZero() || r.Address.IsZero() {
		return stop.New(stop.Corrupt, describe(r), "a row change of table %s without a transaction or an address (R13)", v.Table)
	}
	if r.Late {
		if !a.buffer.Has(id) {
			late := tooLate(r, "a change of transaction "+id.XID.String())
			if _, known := a.tables.byObject[object{r.Container, r.ObjectID}]; known {
				return late
			}
			// Its segment was found by the name that it has today: a DDL of this step may say that another table had it then.
			if a.tooLate == nil {
				a.tooLate = late
			}
			return nil
		}
		a.late++
	}
	if r.Undo {
		if r.Replaced {
			return nil // its text says nothing that counts
		}
		a.undone++
		a.buffer.Undo(id, transaction.Undo{
			Op: op, Table: v.Table, RowID: r.RowID, SCN: r.SCN, Thread: r.Thread, Address: r.Address, Missed: a.entrants.misses(id, v.Table),
		})
		return nil
	}
	c := transaction.Change{
		Op: op, Version: v, RowID: r.RowID, SCN: r.SCN, Thread: r.Thread, Address: r.Address, SSN: r.SSN,
		Millis: a.millis(r), TextBytes: len(r.Redo),
	}
	if a.redo {
		c.Redo = a.shown(v.Table, r.Redo)
	}
	if a.raw {
		c.Raw = &transaction.Raw{Redo: a.shown(v.Table, r.Redo), Info: r.Info, Status: r.Status}
	}
	numbered := a.read(&c, l, id, r)
	if r.Replaced {
		if c.Fault != nil || numbered {
			return nil // a DDL took the row's names since; the first reading, which had them, stands
		}
		// A DDL gave the row names, or other ones.
		if !a.buffer.Replace(id, c) && !r.Renumbered && l.names == nil {
			return stop.New(stop.Corrupt, describe(r), "a change of transaction %s, which has ended, is returned with another text (R8)", id.XID)
		}
		return nil
	}
	a.buffer.Append(id, r.User, c)
	return nil
}

// operation maps the code of a row of a captured table; one that nobody knows ends capture at once (R138).
func operation(r *logminer.Row) (transaction.Op, error) {
	switch r.Operation {
	case logminer.Insert:
		return transaction.Insert, nil
	case logminer.Update:
		return transaction.Update, nil
	case logminer.Delete:
		return transaction.Delete, nil
	case logminer.Unsupported:
		return transaction.Unsupported, nil
	default:
		return 0, stop.New(stop.Corrupt, describe(r), "operation code %d on a captured table is not known to this version", r.Operation)
	}
}

// touch takes note of a segment; rows of one mostly follow on each other.
func (a *applier) touch(o object) {
	if o == a.last {
		return
	}
	if a.last = o; !slices.Contains(a.touched, o) {
		a.touched = append(a.touched, o)
	}
}

// image decodes a row with the layout of its moment. While a DDL is under way that may be the old one or the new one: the one counts
// that alone fits, or both where they say the same (R94). It reports a row whose columns are numbered.
func (a *applier) image(c *transaction.Change, l layout, id transaction.ID, r *logminer.Row) (numbered bool) {
	if l.unknown {
		c.Fault = stop.New(stop.NoDictionary, fmt.Sprintf("table %s, transaction %s, %s", c.Version.Table, id.XID, describe(r)),
			"the row was written between two DDL of its table that were both run before capture reached it")
		return false
	}
	if a.numbered(c, l, id, r) {
		return true
	}
	c.Fault = a.decode(c, l.names, id, r)
	if c.Fault == nil && l.names == nil && l.next == nil {
		a.older.saw(r, c.Version)
	}
	if l.next == nil || l.next.unknown || c.Op == transaction.Unsupported {
		return false
	}
	other := *c
	other.Version, other.Before, other.After, other.Fault = l.next.version, nil, nil, nil
	switch other.Fault = a.decode(&other, nil, id, r); {
	case other.Fault != nil:
	case c.Fault != nil:
		*c = other
	case !alike(c.Version, other.Version):
		c.Fault = stop.New(stop.NoDictionary, fmt.Sprintf("table %s, transaction %s, %s", c.Version.Table, id.XID, describe(r)),
			"the row was written while a DDL was under way, and fits the layout before it and the one behind it")
	}
	return false
}

// alike reports whether the columns of one version have their names and types in another.
func alike(v, other *schema.Version) bool {
	for i := range v.Columns {
		at, ok := other.Column(v.Columns[i].Name)
		if !ok || other.Columns[at].Type != v.Columns[i].Type {
			return false
		}
	}
	return true
}

// decode fills the images of a change and says what forbids to publish it. names is the version whose names the row has, nil for its
// own.
func (a *applier) decode(c *transaction.Change, names *schema.Version, id transaction.ID, r *logminer.Row) *stop.Error {
	where := func(code stop.Code, err error, format string, args ...any) *stop.Error {
		return stop.Wrap(code, err, fmt.Sprintf("table %s, transaction %s, %s", c.Version.Table, id.XID, describe(r)), format, args...)
	}
	switch {
	case c.Op == transaction.Unsupported:
		return where(stop.Undecodable, nil, "LogMiner shows no content for the row (%s)", r.Info)
	case r.Status == 3:
		return where(stop.Configuration, nil, "supplemental logging is missing: %s", r.Info).
			Doing("ALTER DATABASE ADD SUPPLEMENTAL LOG DATA, then begin anew with a new topic_prefix")
	case r.Redo == "":
		return where(stop.Undecodable, nil, "the row has no SQL_REDO (%s)", r.Info)
	}
	version := c.Version
	if names == nil && (r.Owner != version.Table.Owner || r.Table != version.Table.Name) {
		names = version // its table has another name now
	}
	if names != nil {
		var ok bool
		if version, ok = a.tables.under(alias{c.Version, names, r.Owner, r.Table}); !ok {
			return where(stop.NoDictionary, nil, "the row was written before a DDL that changed the type of a column")
		}
	}
	image, err := a.decoder.Row(version, letter(c.Op), r.Redo)
	if err != nil {
		err = a.quoting(c.Version.Table, err, r)
		var e *decode.Error
		if errors.As(err, &e) && (e.Fault == decode.Generic || names != nil && e.Fault == decode.Mismatch) {
			return where(stop.NoDictionary, err, "the row was written before a DDL on its table")
		}
		return where(stop.Undecodable, err, "the row cannot be decoded")
	}
	c.Before, c.After, c.TextBytes = image.Before, image.After, image.TextBytes
	if c.RowID == "" {
		c.RowID = image.RowID
	}
	if column := a.incomplete(c); column != "" {
		return where(stop.Undecodable, nil, "the redo does not hold column %s", column).
			Doing("give the table ALL COLUMNS supplemental logging and begin anew with a new topic_prefix, or set supplemental_logging: key")
	}
	return nil
}

// shown is the text of a row as records may carry it: not that of a table with columns that are never read, or masked.
func (a *applier) shown(t schema.Table, redo string) string {
	return cmp.Or(a.columns.Withheld(t), redo)
}

// quoting adds the text of a row to an error, where that is allowed. Of a table with columns that are never read it takes away what
// the error says of the text, too: a damaged text can have a value where a name is expected.
func (a *applier) quoting(t schema.Table, err error, r *logminer.Row) error {
	text := r.Redo
	if withheld := a.columns.Withheld(t); withheld != "" {
		text = withheld
		var e *decode.Error
		if errors.As(err, &e) && e.Fault == decode.Mismatch {
			err = &decode.Error{Fault: decode.Mismatch, Reason: "a name in the statement is not one of the table's layout as known"}
		}
	}
	if a.values {
		return fmt.Errorf("%w; SQL_REDO: %s", err, text)
	}
	return err
}

// incomplete names a column that the images must have and lack: every published one with full logging, the key always in the
// old image.
func (a *applier) incomplete(c *transaction.Change) string {
	v := c.Version
	image := c.Before
	if c.Op == transaction.Insert {
		image = c.After
	}
	for _, i := range v.Key.Columns {
		if !image[i].Known() {
			return v.Columns[i].Name // also one that may be a default that the row does not store (R109)
		}
	}
	if a.logging != schema.LoggingAll {
		return ""
	}
	for i := range image {
		if image[i].Kind() == value.Absent && v.Columns[i].Published() {
			return v.Columns[i].Name
		}
	}
	return ""
}

func letter(op transaction.Op) change.Op {
	switch op {
	case transaction.Insert:
		return change.Create
	case transaction.Update:
		return change.Update
	default:
		return change.Delete
	}
}

// millis gives the time of a row since the epoch; 0 when the redo carries none.
func (a *applier) millis(r *logminer.Row) int64 {
	if r.UnixSeconds == 0 {
		return 0
	}
	return r.UnixSeconds*1000 - a.offset.Milliseconds()
}

// describe says where a row lies.
func describe(r *logminer.Row) string {
	return fmt.Sprintf("SCN %s, redo thread %d, address %s", r.SCN, r.Thread, r.Address)
}
