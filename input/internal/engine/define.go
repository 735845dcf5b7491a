package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
)

// define completes what consumers are told of the DDL whose transactions commit in the step, from the versions as they are behind it.
func (m *miner) define() {
	for i := range m.committed {
		if d := &m.committed[i]; d.told != nil {
			text := d.told.Text
			*d.told = m.definition(d)
			d.told.Text = text
		}
	}
	m.committed = nil
}

// untold reports a DDL of which consumers are told nothing: it is about no captured table, or about nothing that they see.
func untold(c *transaction.Change) bool {
	return c.Op == transaction.Define && c.Definition.Table.Name == ""
}

// definition says what a DDL did to captured tables; it is zero where that is nothing. It follows from the text and from the versions
// that are stored alone, so that it is the same when the redo is mined again.
func (m *miner) definition(d *committedDDL) change.Definition {
	at := func(n definition.Name) schema.Table {
		return schema.Table{PDB: d.table.PDB, Owner: n.Owner, Name: n.Name}
	}
	about := d.table
	if !d.what.Table.IsZero() {
		about = at(d.what.Table)
	}
	if about == m.config.Signals.Table && !m.config.Selection.Included(about) {
		return change.Definition{} // it is read for its signals alone
	}
	out := change.Definition{Table: about}
	segment, known := m.tables.segment(d, about)
	switch d.what.Class {
	case definition.CreateTable:
		if !m.config.Selection.Captured(about) {
			return change.Definition{}
		}
		out.Tables = m.begun(d, segment, about, change.TableCreated)
	case definition.DropTable:
		if !known && !m.config.Selection.Captured(about) {
			return change.Definition{}
		}
		out.Tables = []change.TableDefinition{{Kind: change.TableDropped, Table: about}}
	case definition.RenameTable, definition.UndropTable:
		return m.renaming(d, segment, known, out)
	case definition.Truncate:
		if !known && len(m.cascade(&d.ddlRow, m.history.children)) == 0 {
			return change.Definition{}
		}
	case definition.Ignore, definition.Unknown, definition.CreateTemporaryTable, definition.CreateTableAsSelect:
		return m.rekeying(d)
	default:
		if !known {
			return change.Definition{}
		}
		out.Tables = m.begun(d, segment, about, change.TableAltered)
	}
	return out
}

// renaming tells of a table that has another name from then on, or came back from the recycle bin. A table that loses a captured name
// keeps its layout.
func (m *miner) renaming(d *committedDDL, segment eras, known bool, out change.Definition) change.Definition {
	kind, called := change.TableAltered, out.Table
	if d.what.Class == definition.UndropTable {
		kind = change.TableCreated
	}
	if !d.what.New.IsZero() {
		called.Name = d.what.New.Name
		out.Renamed = called.Name
	}
	if !m.config.Selection.Captured(out.Table) && !m.config.Selection.Captured(called) || !known {
		return change.Definition{} // also a view or a sequence
	}
	if e := segment.begun(d); e != nil && e.gone {
		out.Tables = []change.TableDefinition{{Kind: kind, Table: called, Version: e.version}}
		return out
	}
	out.Tables = m.begun(d, segment, called, kind)
	return out
}

// rekeying tells of DDL that is about no table by its text, where a version of a captured table begins with it: that of an index.
func (m *miner) rekeying(d *committedDDL) change.Definition {
	if !d.what.Has(definition.Key | definition.Layout | definition.Logging) {
		return change.Definition{}
	}
	var out change.Definition
	for _, v := range m.tables.begunBy(d) {
		out.Table = v.Table
		out.Tables = append(out.Tables, change.TableDefinition{Kind: change.TableAltered, Table: v.Table, Version: v})
	}
	return out
}

// begun gives a table with the version that begins with a DDL, or with the one it has where the DDL leaves the layout as it is. Where
// neither is known nobody has seen the layout, and there is none.
func (m *miner) begun(d *committedDDL, segment eras, called schema.Table, kind change.DefinitionKind) []change.TableDefinition {
	if len(segment) == 0 {
		return nil
	}
	e := segment.begun(d)
	switch {
	case e == nil && d.what.Has(definition.Layout|definition.Key|definition.Tables):
		return nil
	case e == nil:
		e = &segment[segment.at(d.commit)]
	}
	if e.unknown || e.gone {
		return nil
	}
	return []change.TableDefinition{{Kind: kind, Table: called, Version: e.version}}
}

// begun gives the era that began with a DDL, nil where none did.
func (e eras) begun(d *committedDDL) *era {
	for i := range e {
		if e[i].from == d.commit || e[i].began == d.scn {
			return &e[i]
		}
	}
	return nil
}

// segment gives the eras of a segment that a DDL is about, by its object or by the name that the table has behind it or before. There are
// none where no captured table had the segment then.
func (t *tables) segment(d *committedDDL, about schema.Table) (eras, bool) {
	captured := func(e eras) bool {
		at := &e[e.at(d.commit)]
		return at.from <= d.commit && (!at.gone || at.from == d.commit)
	}
	if segments := t.byObject[d.object].seen(); len(segments) > 0 {
		return segments, captured(segments)
	}
	names := []schema.Table{about}
	if !d.what.New.IsZero() {
		names = append(names, schema.Table{PDB: about.PDB, Owner: about.Owner, Name: d.what.New.Name})
	}
	for o, segments := range t.byObject {
		segments = segments.seen()
		if o.container == d.object.container && len(segments) > 0 && captured(segments) && slices.Contains(names, segments[segments.at(d.commit)].version.Table) {
			return segments, true
		}
	}
	return nil, false
}

// begunBy lists the versions that begin with a DDL, by table.
func (t *tables) begunBy(d *committedDDL) (out []*schema.Version) {
	for o, segments := range t.byObject {
		if o.container != d.object.container {
			continue
		}
		if e := segments.begun(d); e != nil && !e.unknown && !e.gone && e.version.ValidFrom == uint64(d.commit) && !slices.Contains(out, e.version) {
			out = append(out, e.version)
		}
	}
	slices.SortFunc(out, byTable)
	return out
}

// define renders what consumers are told of a DDL.
func (e *emitter) define(c *transaction.Change, tx *change.Transaction) error {
	if e.batch == nil {
		e.open()
	}
	base := eventOf(c, tx, 0, 0)
	base.Kind, base.Topic, base.Built = change.SchemaChange, e.config.Internal.SchemaChanges, e.clock.UnixNano()
	base.Aside = &change.Aside{Definition: c.Definition}
	from := len(e.buffer)
	var err error
	e.batch.Events, e.buffer, err = e.records.define(e.batch.Events, e.buffer, &base)
	e.bytes += len(e.buffer) - from
	if err != nil {
		return placed(err, c, tx)
	}
	return nil
}

// define appends the event of a DDL.
func (r *Records) define(events []change.Event, buf []byte, ev *change.Event) ([]change.Event, []byte, error) {
	if r.definitions == nil {
		r.definitions = debezium.NewDefinitions(r.settings)
	}
	ev.Headers = r.headers
	from := len(buf)
	buf, err := r.definitions.AppendKey(buf, ev)
	if err != nil {
		return events, buf, err
	}
	middle := len(buf)
	if buf, err = r.definitions.AppendValue(buf, ev); err != nil {
		return events, buf[:from], err
	}
	ev.Key, ev.Value = buf[from:middle:middle], buf[middle:len(buf):len(buf)]
	return appendEvent(events, ev), buf, nil
}
