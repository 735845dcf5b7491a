package logminer

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// contents is V$LOGMNR_CONTENTS. It implements engine.Projector: text is rendered for columns that are read only.
type contents struct {
	miner   *Miner
	columns []wire.Column
	wanted  []int // indexes of fields that are filled
}

func newContents(m *Miner) *contents {
	c := &contents{miner: m}
	for i, f := range fields {
		c.columns = append(c.columns, f.column)
		c.wanted = append(c.wanted, i)
	}
	return c
}

func (c *contents) Columns() []wire.Column { return c.columns }

// Privilege is what gives this view from 12.1 on (reference logminer L.1).
func (c *contents) Privilege() string { return "LOGMINING" }

// Project returns the view that fills these columns only.
func (c *contents) Project(columns []int) engine.View {
	projected := *c
	projected.wanted = append([]int(nil), columns...)
	return &projected
}

// Open begins to read the range that the session started. The ends of the logs are taken now: what is written later is
// in a later query.
func (c *contents) Open(_ context.Context, caller engine.Caller) (wire.Rows, error) {
	started := sessionOf(caller).started
	if started == nil {
		return nil, wire.Errorf(1306, "dbms_logmnr.start_logmnr() must be invoked before selecting from v$logmnr_contents")
	}
	settings, err := sessionNLS(caller)
	if err != nil {
		return nil, err
	}
	if started.options&stringLiteralsInStmt != 0 {
		if settings, err = fixedNLS(settings.zone); err != nil {
			return nil, err
		}
	}
	merge, err := openMerge(started.files)
	if err != nil {
		return nil, err
	}
	r := &rows{
		miner: c.miner, records: &blocks{from: merge, skip: started.options&skipCorruption != 0, container: caller.Container()}, span: started.span,
		style: style{
			nls:       settings,
			pretty:    started.options&printPrettySQL != 0,
			delimiter: started.options&noSQLDelimiter == 0,
			rowID:     started.options&noRowIDInStmt == 0,
		},
		containers: map[int]*catalog.Container{},
		subjects:   subjects{},
		begun:      map[transaction]redo.SCN{},
		hidden:     map[int]bool{},
		row:        row{miner: c.miner, session: caller.Container()},
		faults:     faults{stream: c.miner.config.Stream, late: &c.miner.late, merge: merge, warts: c.miner.config.Stream.Warts()},
	}
	switch {
	case started.options&dictFromOnlineCatalog != 0:
		r.names = catalogNames{c.miner.config.Dictionary}
	case started.build != nil:
		r.tracker = newTracker(started.build, started.options&ddlDictTracking != 0)
		r.names = r.tracker
	}
	r.style.shortRows = r.faults.warts.R46TrailingNulls
	r.pieces.columns, r.row.userNull = r.faults.warts.R7Pieces, r.faults.warts.K5UserNull
	if r.faults.warts.K1SCNOrder {
		r.records = &sorted{from: r.records, span: r.span}
	}
	if started.options&committedDataOnly != 0 {
		r.committed = newCommitted(r.records, r.span)
		r.records = r.committed
	}
	for _, i := range c.wanted {
		r.wanted = append(r.wanted, output{at: i, fill: fields[i].fill})
		r.needs |= fields[i].needs
	}
	for _, container := range c.miner.config.Dictionary.Containers() {
		r.containers[container.ID] = &container
		if !caller.Sees(container.ID) {
			r.hidden[container.ID] = true
		}
	}
	if c.miner.config.SharedUndo {
		r.row.root = r.containers[catalog.Root]
	}
	return r, nil
}
