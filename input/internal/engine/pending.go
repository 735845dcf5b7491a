package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// edition names a version.
type edition struct {
	table  schema.Table
	number int
}

func editionOf(v *schema.Version) edition { return edition{v.Table, v.Number} }

// pend notes a version of which everything up to its reading has still to be mined: what the dictionary showed then may be what another DDL
// did than the one that the version begins with. Without such a DDL it is exact (R96).
func (m *miner) pend(v *schema.Version) {
	if v.PendingFrom == 0 {
		delete(m.history.pending, editionOf(v))
		return
	}
	m.history.pending[editionOf(v)] = v
}

// reshaped takes the DDL of a step that may be what the reading of a version showed: that is certain from it on at the earliest.
func (m *miner) reshaped(by []committedDDL) {
	var now []*schema.Version
	for _, v := range m.history.pending {
		from := v.PendingFrom
		for i := range by {
			if d := &by[i]; uint64(d.commit) > from && uint64(d.commit) <= v.CertainFrom && d.reshapes(v) {
				from = uint64(d.commit)
			}
		}
		if from > v.PendingFrom {
			later := *v
			later.PendingFrom = from
			now = append(now, &later)
		}
	}
	m.certify(now)
	for _, v := range now {
		m.history.reshaped[editionOf(v)] = true
	}
}

// uncertain announces the versions that DDL of the kept step left less certain, and that it did not end.
func (m *miner) uncertain() {
	for e := range m.history.reshaped {
		if v := m.tables.byName[e.table]; v != nil && v.Number == e.number && !slices.Contains(m.announce, v) {
			m.announce = append(m.announce, v)
		}
	}
	clear(m.history.reshaped)
}

// reshapes reports a DDL that may have given a table another layout or another key.
func (d *committedDDL) reshapes(v *schema.Version) bool {
	switch {
	case d.wide() && d.object.container == v.Container, d.rekeys(v.Table), d.renamesUntold() && d.object.container == v.Container:
		return true
	}
	return d.about(v) && d.relays()
}

// reached settles the versions up to whose reading everything is mined for good: F has passed it.
func (m *miner) reached() {
	m.settle(func(v *schema.Version) bool { return v.CertainFrom <= uint64(m.frontier.scn) })
}

// settle announces what is certain of versions now for those that are the newest of their tables: of older ones nothing is to be written any
// more. A first version that turns out to be what it was taken for is written as it is.
func (m *miner) settle(is func(*schema.Version) bool) {
	var now, told []*schema.Version
	for _, v := range m.history.pending {
		if !is(v) {
			continue
		}
		settled := v.Settled()
		if now = append(now, settled); !v.Exact || !settled.Exact {
			told = append(told, settled)
		}
	}
	m.certify(now)
	slices.SortFunc(told, byTable)
	for _, v := range told {
		if newest := m.tables.byName[v.Table]; newest != nil && newest.Number == v.Number && !slices.Contains(m.announce, newest) {
			m.announce = append(m.announce, newest)
		}
	}
}

// certify replaces versions by those of which other things are certain.
func (m *miner) certify(now []*schema.Version) {
	if len(now) == 0 {
		return
	}
	of := make(map[edition]*schema.Version, len(now))
	for _, v := range now {
		of[editionOf(v)] = v
		m.pend(v)
	}
	next := m.tables.copy(m.tables)
	replaced := next.certify(of)
	m.tables, m.applier.tables = next, next
	m.older.certify(replaced)
	for i, v := range m.announce {
		if again, ok := replaced[v]; ok && v.GoneFrom == 0 {
			m.announce[i] = again
		}
	}
}

// certify puts what is certain of versions in the place of what was, and gives what took the place of which.
func (t *tables) certify(now map[edition]*schema.Version) map[*schema.Version]*schema.Version {
	replaced := map[*schema.Version]*schema.Version{}
	instead := func(v *schema.Version) (*schema.Version, bool) {
		if again, ok := replaced[v]; ok {
			return again, true
		}
		certain, ok := now[editionOf(v)]
		if !ok || v.Number == 0 {
			return nil, false
		}
		again := *v
		again.Exact, again.CertainFrom, again.PendingFrom = certain.Exact, certain.CertainFrom, certain.PendingFrom
		replaced[v] = &again
		return &again, true
	}
	known := func(e eras) eras {
		var out eras
		for i := range e {
			if again, ok := instead(e[i].version); ok {
				if out == nil {
					out = slices.Clone(e)
				}
				out[i].version = again
			}
		}
		return out
	}
	for o, e := range t.byObject {
		if again := known(e); again != nil {
			t.byObject[o] = again
		}
	}
	for s, e := range t.bySegment {
		if again := known(e); again != nil {
			t.bySegment[s] = again
		}
	}
	for name, v := range t.byName {
		if again, ok := instead(v); ok {
			t.byName[name] = again
		}
	}
	return replaced
}

// certify follows versions that others took the place of.
func (o *older) certify(replaced map[*schema.Version]*schema.Version) {
	for of, v := range o.named {
		if again, ok := replaced[v]; ok {
			o.named[of] = again
		}
	}
	o.lastNamed = lastSeen{}
}

// wait notes a row that is older than the reading of its version, but not than the last DDL that was mined before that: it is the version's,
// unless another DDL comes.
func (o *older) wait(id transaction.ID, v *schema.Version, r *logminer.Row) {
	if v.PendingFrom == 0 || uint64(r.SCN) < v.PendingFrom || uint64(r.SCN) >= v.CertainFrom {
		return
	}
	of := waiter{id, editionOf(v)}
	if first, ok := o.waiting[of]; !ok || r.SCN < first {
		o.waiting[of] = r.SCN
	}
}

// waiter is a transaction with a row that waits for a version to be certain.
type waiter struct {
	id transaction.ID
	of edition
}

// await looks whether the rows of the running step that wait have the layout of their version: that is so where the redo up to the reading of
// the version has no other DDL on the table. The step is mined again then. Otherwise they are for the second answer (R45), and so are those
// of a version of which that is known already.
func (m *miner) await(ctx context.Context) (settled bool, err error) {
	waiting, until := map[edition]*schema.Version{}, position.SCN(0)
	for w, first := range m.older.waiting {
		v, pending := m.history.pending[w.of]
		if end, ended := m.buffer.Ending(w.id); pending && uint64(first) >= v.PendingFrom && !m.history.doubted[w.of] && (!ended || end.Commit) {
			waiting[w.of], until = v, max(until, position.SCN(v.CertainFrom))
		}
	}
	if len(waiting) == 0 {
		return false, nil
	}
	m.config.Log.Info("Rows from before a DDL wait: it is looked ahead whether another DDL lies up to where the dictionary was read",
		"from_scn", m.boundary.SCN.String(), "to_scn", until.String())
	ahead, err := m.lookAhead(ctx, until)
	if err != nil {
		return false, err
	}
	for e, v := range waiting {
		if slices.ContainsFunc(ahead, func(d committedDDL) bool {
			return uint64(d.scn) > v.PendingFrom && uint64(d.scn) <= v.CertainFrom && d.reshapes(v)
		}) {
			m.history.doubted[e] = true // what of its rows lies behind that DDL is certain once that is mined
			delete(waiting, e)
		}
	}
	m.settle(func(v *schema.Version) bool { return waiting[editionOf(v)] == v })
	return true, nil // mined again in any case: what is compared with the next reading of the redo (R8) is not what the look fetched
}

// lookAhead gives the DDL from the running step on, up to an SCN, that may concern the captured set, whatever became of its transactions.
// Nothing else of the redo is kept. As with F, mining starts frontierAge after the bound was read.
func (m *miner) lookAhead(ctx context.Context, until position.SCN) (found []committedDDL, err error) {
	reading, err := m.db.reading(ctx)
	if err == nil {
		err = sleep(ctx, frontierAge)
	}
	if err != nil {
		return nil, err
	}
	for at := m.boundary; at.SCN < until; {
		step, err := m.db.mine(ctx, at, reading, m.tables, func(rows []logminer.Row) error {
			for i := range rows {
				r := &rows[i]
				if r.Operation != logminer.DDL {
					continue
				}
				d := ddlOf(transaction.ID{Container: r.Container, XID: r.XID}, r)
				if m.concerns(&d) {
					found = append(found, committedDDL{ddlRow: d})
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		if step.after.SCN <= at.SCN {
			return nil, stop.New(stop.StepFailed, "LogMiner", "no redo was found between SCN %s and SCN %s, which the database has passed", at.SCN, until)
		}
		at = step.after
	}
	return found, nil
}
