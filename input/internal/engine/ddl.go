package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// committedDDL is a DDL row with the commit SCN of its transaction.
type committedDDL struct {
	ddlRow
	commit position.SCN
	// stops: capture stops at it.
	stops bool
	// doubtful: which segments it gave a table or took from it the reading does not show.
	doubtful bool
}

// judge looks at the DDL whose transactions commit in the step, which ends at bound. It reports whether the captured tables changed
// or the dictionary has to be read behind a later bound, so that the same step must be mined again up to that (R102). A DDL that this
// version cannot follow marks its transaction: capture stops when that commits (R93).
func (m *miner) judge(ctx context.Context, bound position.SCN, tail bool) (again position.SCN, err error) {
	var committed []committedDDL
	committed, m.undecided = m.decided()
	m.committed = committed
	if len(committed) == 0 {
		err = m.vanish(nil, nil)
	} else {
		again, err = m.weigh(ctx, committed, bound, tail)
	}
	if err != nil || again > 0 {
		return again, err
	}
	return m.claimed(ctx, bound, tail)
}

// weigh is judge for a step with DDL.
func (m *miner) weigh(ctx context.Context, committed []committedDDL, bound position.SCN, tail bool) (again position.SCN, err error) {
	now, err := m.readTables(ctx)
	if err != nil {
		return 0, err
	}
	m.history.read = now.children
	if err := m.vanish(committed, now); err != nil {
		return 0, err
	}
	if attached := m.attach(committed); m.pass(committed, now) || attached {
		return bound, nil
	}
	if m.unbegun(committed) {
		return bound, nil
	}
	m.stepOps, m.stepReads = nil, nil
	m.reshaped(committed)
	m.unlogged(committed)
	m.refuse(committed, now)
	if err := m.doubt(ctx, committed, now, tail); err != nil {
		return 0, err
	}
	for i := range committed {
		d := &committed[i]
		m.stepOps = append(m.stepOps, opsEvent{kind: ddlSeenEvent, details: []detail{{"table", d.table.String()}, {"scn", d.scn.String()}, {"commit_scn", d.commit.String()}}})
		if d.stops {
			continue
		}
		if what := m.unfollowed(d, now); what != "" {
			d.stops = true
			m.buffer.Fault(d.id, stop.New(stop.DDL, fmt.Sprintf("%s at SCN %s", d.table, d.scn), "%s", what).
				Doing("%s", m.goingOn(d)))
			continue
		}
		m.bulk(d)
		m.inherited(d, now)
	}
	if len(m.tables.stopped) > 0 && !slices.ContainsFunc(committed, func(d committedDDL) bool { return d.stops }) {
		next := m.tables.copy(m.tables) // what stopped it is gone again
		clear(next.stopped)
		m.tables, m.applier.tables = next, next
	}
	seen := m.tables.away(now, committed)
	d := m.tables.differs(seen)
	d.returned = m.tables.returned(seen, committed)
	if d.none() {
		m.thereAgain(d)
		return 0, nil
	}
	behind, err := m.db.reading(ctx)
	if err != nil {
		return 0, err
	}
	exact := tail
	if h := &m.history; tail && (h.look == nil || bound < h.behind || !h.look.differs(now).none()) {
		// Every DDL up to the reading belongs in the step: then the layout is that of the last one (R96). DDL that comes faster than
		// the dictionary is read would keep the step for ever.
		h.look, h.behind = now, behind
		if h.looks++; bound < behind && h.looks <= maxLooks {
			return behind, nil
		}
		exact = bound >= behind
	}
	m.history.look = nil
	before := m.tables
	if exact && seen != now {
		seen, d = now, m.tables.differs(now) // there is nothing ahead
		d.returned = m.tables.returned(now, committed)
	}
	changed, err := m.follow(seen, d, committed, behind, exact)
	if err != nil || !changed && before.namesLike(m.tables) {
		return 0, err
	}
	return bound, nil
}

// maxLooks bounds the readings of the dictionary that one step is mined again for.
const maxLooks = 8

// remembers reports whether a DDL is about a table of which versions were stored when capture began, or gives another one its name: the rows
// from before it are those of the stored one.
func (m *miner) remembers(d *ddlRow) bool {
	for _, e := range m.tables.byObject[d.object] {
		if m.history.stored[e.version.Table] {
			return true
		}
	}
	to, _ := d.becomes()
	return m.history.stored[d.table] || m.history.stored[to]
}

// decided sorts the DDL rows of this step and of those before by what became of their transactions; what was rolled back is
// gone.
func (m *miner) decided() (committed []committedDDL, undecided []ddlRow) {
	for _, rows := range [][]ddlRow{m.ddl, m.applier.ddl} {
		for _, d := range rows {
			switch end, ended := m.buffer.Ending(d.id); {
			case !ended:
				undecided = append(undecided, d)
			case end.Commit:
				committed = append(committed, committedDDL{ddlRow: d, commit: end.Key.SCN})
			}
		}
	}
	return committed, undecided
}

// concerns reports whether a DDL may change the captured set or one of its tables: it is about a captured segment or table, about one that
// matches, renames something, or is about an index that may be a key. It completes the table's name.
func (m *miner) concerns(d *ddlRow) bool {
	d.table.PDB = m.pdbName(d.object.container)
	if d.wide() {
		return true
	}
	if watched, known := m.watches(d.object.container); !known || !watched {
		return watched
	}
	if d.what.Class == definition.RenameTable || d.what.Class == definition.UndropTable || m.names(d) {
		return true
	}
	for t, v := range m.tables.byName {
		if d.rekeys(t) || d.rekeysElsewhere(v) {
			return true
		}
	}
	return d.what.Cascades && len(m.cascade(d, m.history.children)) > 0
}

// watches reports whether tables of a container may be captured. One that nobody knows was made since the containers were read, and
// is looked at where every one counts.
func (m *miner) watches(container int) (watched, known bool) {
	if !m.facts.CDB {
		return true, true
	}
	for _, c := range m.facts.PDBs {
		if c.ID == container {
			named := func(name string) bool { return strings.EqualFold(name, c.Name) }
			return len(m.config.PDBs) == 0 || slices.ContainsFunc(m.config.PDBs, named), true
		}
	}
	return len(m.config.PDBs) == 0 && container >= oracle.FirstPDB, false
}

// unfollowed says why capture cannot go on behind a DDL, and nothing where it can.
func (m *miner) unfollowed(d *committedDDL, now *tables) string {
	what, captured := &d.what, m.captured(&d.ddlRow)
	switch {
	case captured && what.Class == definition.Unknown:
		return "a DDL that is not understood was run on a captured table: " + definition.Shown(d.text)
	case captured && what.Has(definition.Unfinished):
		return what.Verb + " takes columns away in pieces, and nobody sees the layout until all are gone"
	case what.Has(definition.Rewritten) && len(m.emptied(d)) > 0:
		return what.Verb + " changed rows of a captured table, with row events or without"
	case what.Cascades && !slices.Equal(m.cascade(&d.ddlRow, m.history.children), m.cascade(&d.ddlRow, now.children)):
		return what.Verb + " … CASCADE changed rows of captured tables without row events, and which ones is not known, since their foreign keys changed meanwhile"
	case what.Has(definition.Rowless) && m.config.StopAtBulkDDL && len(m.emptied(d)) > 0:
		return what.Verb + " changed rows of a captured table without row events"
	case m.config.StopAtBulkDDL && m.takesOver(d, now):
		return what.Verb + " gave the name of a captured table to another one, whose rows consumers do not have"
	case what.Has(definition.RowIDs) && m.config.StopAtBulkDDL && m.renumbers(d):
		return what.Verb + " gave rows other ROWIDs, which are the keys of the table's records (key.missing: rowid)"
	case !m.config.Snapshot.NewTables && what.Has(definition.Filled) && (now.byName[d.table] != nil || captured):
		return "a table that is captured was created with rows (AS SELECT), which the redo may not have"
	case d.doubtful:
		return what.Verb + " changed the partitions of a table, and other DDL on them, an exchange as a rule, lies between it and the dictionary: " +
			"whose the rows between them are nobody knows"
	case d.scn < m.started && !what.Keeps() && !d.adds(now) && m.names(&d.ddlRow) && !m.remembers(&d.ddlRow) && !m.passes(d) && !m.attached(d):
		return what.Verb + " was run on a table that matches before capture began here, and no version of the table from before it is stored"
	}
	return ""
}

// goingOn says what to do about a table at whose DDL capture stops. One that was never captured here has nothing to make good but its rows.
func (m *miner) goingOn(d *committedDDL) string {
	const exclude = "exclude the table and restart, the others go on behind it"
	if len(m.history.stored) > 0 && !m.remembers(&d.ddlRow) {
		return exclude + "; once oracle_cdc_mined_scn has passed " + d.commit.String() +
			", take it out of exclude, restart, and ask for its rows with the signal execute-snapshot"
	}
	return exclude + "; to capture it again, begin anew with a new topic_prefix. A schema topic (oracle_schema in the pipeline) keeps versions over a restart"
}

// named reports whether a DDL names a table, by what LogMiner says or by the text, under its old name or its new one.
func (d *ddlRow) named(is func(schema.Table) bool) bool {
	if is(d.table) {
		return true
	}
	for _, n := range d.what.Names() {
		if is(schema.Table{PDB: d.table.PDB, Owner: n.Owner, Name: n.Name}) {
			return true
		}
	}
	return false
}

// names reports whether a DDL is about a table that is captured or matches.
func (m *miner) names(d *ddlRow) bool { return m.captured(d) || d.named(m.config.Selection.Captured) }

// rekeys reports DDL on an index whose text does not name the table: the index may have been the key of any of its owner's tables.
func (d *ddlRow) rekeys(t schema.Table) bool {
	return d.what.Has(definition.Key) && d.what.Table.IsZero() && d.what.Index.Owner == t.Owner && d.table.PDB == t.PDB
}

// rekeysElsewhere reports DDL on an index of another schema, of which the text does not name the table either: it may have been, or may be, the
// key of one that has no other.
func (d *ddlRow) rekeysElsewhere(v *schema.Version) bool {
	byIndex := v.Key.Origin != schema.KeyPrimary && v.Key.Origin != schema.KeyConfig
	return byIndex && d.what.Has(definition.Key) && d.what.Table.IsZero() && !d.what.Index.IsZero() && d.what.Index.Owner != v.Table.Owner && d.table.PDB == v.Table.PDB
}

// wide reports DDL that may change what the whole database logs, or a container of it.
func (d *ddlRow) wide() bool { return d.what.Has(definition.Logging) && d.what.Table.IsZero() }

// moves reports a DDL that may give the name of a table to another one, or take it away.
func (d committedDDL) moves() bool { return d.what.Has(definition.Tables) }

// exchanges reports a DDL that gives a table segments of another one.
func (d committedDDL) exchanges() bool {
	return d.what.Has(definition.Segments) && len(d.what.Also) > 0
}

// adds reports a DDL that makes partitions of a table of the reading, by the name that it has still, as an insert into an interval table
// does. It leaves all others and their rows as they were.
func (d committedDDL) adds(now *tables) bool {
	called := schema.Table{PDB: d.table.PDB, Owner: d.what.Table.Owner, Name: d.what.Table.Name}
	return now.byName[called] != nil && d.what.Class == definition.Partition && d.what.Effects == definition.Segments && len(d.what.Made) > 0
}

// takes reports a DDL behind which all segments of a table may be others.
func (d committedDDL) takes() bool { return d.moves() || d.exchanges() }

func (m *miner) captured(d *ddlRow) bool {
	if segments, ok := m.tables.byObject[d.object]; ok {
		if e := segments[segments.at(d.scn)]; !e.gone && !e.passing() {
			return true
		}
	}
	_, ok := m.tables.byName[d.table]
	return ok
}

func (m *miner) pdbName(container int) string {
	for _, c := range m.facts.PDBs {
		if c.ID == container {
			return c.Name
		}
	}
	return ""
}
