package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/redolog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// answer is how the running step reads rows from before a DDL. The first answer is to mine with today's dictionary, and to decode rows
// that lost their names by what is stored of their layout (R44). The second is to mine the whole step once more with a dictionary from
// the redo, where rows have the names of their moment (R45). There is no third: what cannot be read then is CDC-6001.
type answer struct {
	// second: the step is mined with the dictionary of its time.
	second bool
	// refused says why it cannot be.
	refused *redolog.NoReplayError
	// fault is the first thing that the first answer could not read.
	fault *stop.Error
	// used are the rows of captured tables that the first answer had up to a bound.
	used  int64
	bound position.SCN
	// strangers are the segments that nobody could name.
	strangers []object
}

// unread is a row that only the second answer may read.
type unread struct {
	scn   position.SCN
	fault *stop.Error
}

// read mines the running step by its answer.
func (m *miner) read(ctx context.Context, a *answer, reading position.SCN, s *staging) (mined, error) {
	handle := func(rows []logminer.Row) error { return m.rows(ctx, rows, s) }
	m.older.answer = a
	if a.second {
		return m.db.replay(ctx, m.boundary, reading, m.tables, a.strangers, handle)
	}
	return m.db.mine(ctx, m.boundary, reading, m.tables, handle)
}

// unanswered takes back a step that cannot be mined with the dictionary of its time: it is mined with today's again, and what that does
// not read stops capture when it commits.
func (m *miner) unanswered(a *answer, err error) bool {
	var refused *redolog.NoReplayError
	if !a.second || !errors.As(err, &refused) {
		return false
	}
	m.buffer.Discard()
	m.config.Log.Warn("Rows from before a DDL cannot be mined again with the dictionary of their time", "why", refused.Why)
	a.second, a.refused = false, refused
	return true
}

// ask reports whether the running step, which is complete, is to be mined again for the second answer: it has a row that the first could
// not read in a transaction that was not rolled back, or fault says so.
func (m *miner) ask(a *answer, found mined, fault *stop.Error) bool {
	if a.second || a.refused != nil {
		return false
	}
	lowest := position.Unlimited
	for id, row := range m.older.unread {
		if end, ended := m.buffer.Ending(id); (!ended || end.Commit) && fault == nil && row.scn < lowest {
			lowest, a.fault = row.scn, row.fault
		}
	}
	if fault != nil {
		a.fault = fault
	}
	if a.fault == nil {
		return false
	}
	m.buffer.Discard()
	a.second, a.used, a.bound = true, m.applier.used, found.after.SCN
	if fault != nil || len(m.history.vanished) > 0 {
		for o := range m.applier.strangers {
			a.strangers = append(a.strangers, o)
		}
	}
	m.learn()
	return true
}

// learn takes the segments of the running step that were found by the names of their tables into the captured set: the step is mined
// again, and a table may have another name in it, or none any more.
func (m *miner) learn() {
	if len(m.older.nameless) == 0 {
		return
	}
	next := m.tables.copy(m.tables)
	for o, known := range m.older.nameless {
		if len(next.byObject[o]) == 0 {
			next.byObject[o] = known
		}
	}
	m.use(next)
}

// answered checks a step that was mined for the second answer, and tells of it. Fewer rows than today's dictionary showed are a step
// that was not read whole.
func (m *miner) answered(a *answer, found mined) error {
	if found.after.SCN == a.bound && m.applier.used < a.used {
		return stop.Wrap(stop.NoDictionary, a.fault, "LogMiner",
			"with the dictionary of %s it shows %d rows of captured tables up to SCN %s, with today's %d", found.build, m.applier.used, a.bound, a.used)
	}
	if m.older.misplaced != nil {
		return m.older.misplaced
	}
	m.stepOps = append(m.stepOps, opsEvent{dictionaryReplayEvent, []detail{
		{"from_scn", m.boundary.SCN.String()},
		{"to_scn", found.after.SCN.String()},
		{"build", found.build},
		{"logs", strconv.Itoa(found.logs)},
		{"cause", a.fault.What},
		{"object", a.fault.Object},
	}, "A step was mined again with the dictionary of its time", slog.LevelInfo})
	return nil
}

// unnameable gives the fault of rows in a segment that nobody can name, to which the second answer has the name (R104).
func unnameable(err error) *stop.Error {
	if fault, ok := stop.As(err); ok && fault.Code == stop.NoDictionary {
		return fault
	}
	return nil
}

// explained adds to a fault why there is no second answer.
func (a *answer) explained(fault *stop.Error) *stop.Error {
	if a.refused == nil || fault == nil {
		return fault
	}
	fault.What += "; it cannot be mined with the dictionary of its time: " + a.refused.Why
	if a.refused.Do != "" {
		fault.Do = a.refused.Do
	}
	return fault
}

// read decodes a row by the answer of the running step. It reports a row whose columns are numbered.
func (a *applier) read(c *transaction.Change, l layout, id transaction.ID, r *logminer.Row) (numbered bool) {
	if !a.older.answer.second {
		numbered = a.image(c, l, id, r)
		a.older.first(c, l, id, r, numbered)
		return numbered
	}
	l.names = nil // a row has the names of its moment
	a.image(c, l, id, r)
	if l.unknown {
		return false
	}
	fault := func(err error, what string) {
		c.Fault = stop.Wrap(stop.NoDictionary, err, fmt.Sprintf("table %s, transaction %s, %s", c.Version.Table, id.XID, describe(r)),
			"the row was written before a DDL on its table, and with the dictionary of its time %s", what)
	}
	var misfit *decode.Error
	switch {
	case c.Op == transaction.Unsupported:
	case c.Fault == nil && !a.older.certain(c.Version, l, r):
		a.older.wait(id, c.Version, r)
		fault(nil, "its names may be those of another layout: that of version "+strconv.Itoa(c.Version.Number)+" is certain from a later SCN on")
	case c.Fault == nil || c.Fault.Code != stop.Undecodable:
	case errors.As(c.Fault.Err, &misfit) && misfit.Fault == decode.Mismatch:
		fault(c.Fault.Err, "it has other columns than the layout that is stored")
	case c.Before != nil || c.After != nil:
		fault(nil, "it lacks column "+a.incomplete(c))
	}
	return false
}

// lob takes a row of a LOB, XML or extended value that names its columns by their number (R49): only the second answer has their names,
// and this version reads none of them.
func (a *applier) lob(id transaction.ID, l layout, r *logminer.Row) bool {
	switch r.Operation {
	case logminer.SelectLOBLocator, logminer.LOBWrite, logminer.LOBTrim, logminer.LOBErase, logminer.XMLDocBegin, logminer.XMLDocWrite,
		logminer.XMLDocEnd, logminer.Begin32K, logminer.Write32K, logminer.End32K:
	default:
		return false
	}
	if id.XID.IsZero() || r.Late || !strings.Contains(r.Redo, `"COL `) {
		return false
	}
	a.used++
	a.touch(object{r.Container, r.ObjectID})
	c := transaction.Change{Version: l.version, Fault: stop.New(stop.NoDictionary,
		fmt.Sprintf("table %s, transaction %s, %s", l.version.Table, id.XID, describe(r)),
		"a part of a large value (%s) was written before a DDL on its table", r.Operation)}
	if !a.older.answer.second {
		a.older.first(&c, l, id, r, true)
	}
	a.buffer.Hold(id, r.SCN)
	a.buffer.Fault(id, c.Fault)
	return true
}

// first takes what the first answer made of a row.
func (o *older) first(c *transaction.Change, l layout, id transaction.ID, r *logminer.Row, numbered bool) {
	switch {
	case l.unknown, r.Replaced:
	case c.Fault == nil:
		if !numbered && l.next == nil {
			o.name(c.Version, r)
		}
	case c.Fault.Code != stop.NoDictionary || !o.certain(c.Version, l, r):
	case o.answer.refused != nil:
		c.Fault = o.answer.explained(c.Fault)
	default:
		if had, ok := o.unread[id]; !ok || r.SCN < had.scn {
			o.unread[id] = unread{r.SCN, c.Fault}
		}
	}
}

// name notes that a row had names, and the layout that they were of.
func (o *older) name(v *schema.Version, r *logminer.Row) {
	of := objectVersion{object{r.Container, r.ObjectID}, r.ObjectVersion}
	if of.version == 0 || o.lastNamed == (lastSeen{of, v}) {
		return
	}
	o.lastNamed = lastSeen{of, v}
	o.named[of] = v
}

// certain reports whether a version is the layout of a row for certain: by the SCN, or since the redo calls the layout by the number of
// one that had names, with today's dictionary (R96).
func (o *older) certain(v *schema.Version, l layout, r *logminer.Row) bool {
	at := r.SCN
	if l.next != nil && v == l.next.version {
		at = max(at, l.next.from)
	}
	if v.CertainFrom > 0 && uint64(at) >= v.CertainFrom {
		return true
	}
	of := objectVersion{object{r.Container, r.ObjectID}, r.ObjectVersion}
	if as, ok := o.seen[of]; ok && as.layout == o.layout(v) {
		return true
	}
	return of.version != 0 && o.named[of] == v
}

// byName remembers a segment that was found by the name of its table alone.
func (a *applier) byName(r *logminer.Row) {
	o := object{r.Container, r.ObjectID}
	if o == a.last {
		return
	}
	if _, ok := a.tables.byObject[o]; ok {
		return
	}
	if _, ok := a.older.nameless[o]; !ok {
		a.older.nameless[o] = slices.Clone(a.tables.bySegment[segment{r.Container, r.Owner, r.Table}])
	}
}
