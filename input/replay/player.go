package replay

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// placeholderRowID stands in rows that have no ROWID (reference logminer B.2).
const placeholderRowID = "AAAAAAAAAAAAAAAAAA"

// statusCorrupt is STATUS of a row behind a block that LogMiner skipped (reference logminer B.2).
const statusCorrupt = 1343

// tableName finds a captured table by what its rows say.
type tableName struct{ owner, name string }

// player runs one recording through the engine's offline half and emits what commits.
type player struct {
	offline *engine.Offline
	chunks  chunks
	emit    func(*change.Event) error
	// tables holds the newest version by name, one for each container that was named. Recordings need not hold object ids, so
	// each table gets one of its own.
	tables  map[tableName][]*schema.Version
	objects uint64
	// made counts the addresses that were made up.
	made uint32
}

func newPlayer(offline *engine.Offline, emit func(*change.Event) error) *player {
	return &player{offline: offline, emit: emit, tables: map[tableName][]*schema.Version{}}
}

// capture adds a table, or a new version of one.
func (p *player) capture(t *tableRecord) error {
	v, err := t.version()
	if err != nil {
		return err
	}
	if err := refuse(v); err != nil {
		return err
	}
	key := tableName{t.Owner, t.Name}
	p.objects++
	v.ObjectIDs = []uint64{p.objects}
	for i, old := range p.tables[key] {
		if old.Container == v.Container {
			v.Number = old.Number + 1
			p.tables[key][i] = v
			return p.offline.Capture(v)
		}
	}
	p.tables[key] = append(p.tables[key], v)
	return p.offline.Capture(v)
}

// captured finds the version for a row, nil for a row of no captured table. A table without a container is that of any: it is
// captured in the row's when its first row comes.
func (p *player) captured(r *row) (*schema.Version, error) {
	container := int(r.Container.number(0)) //nolint:gosec // a container number
	var free *schema.Version
	for _, v := range p.tables[tableName{r.Owner, r.Table}] {
		if v.Container == container {
			return v, nil
		}
		if v.Container == 0 {
			free = v
		}
	}
	if free == nil {
		return nil, nil
	}
	own := *free
	own.Container = container
	p.tables[tableName{r.Owner, r.Table}] = append(p.tables[tableName{r.Owner, r.Table}], own.Seal())
	return &own, p.offline.Capture(&own)
}

// apply takes one row of the recording, in the order of the recording.
func (p *player) apply(chunk *row) error {
	r, err := p.chunks.join(chunk)
	if r == nil || err != nil {
		return err
	}
	v, err := p.captured(r)
	if err != nil {
		return err
	}
	mined, err := p.mined(r, v)
	if err != nil {
		return err
	}
	return p.offline.Apply(mined)
}

// mined makes of a recorded row what mining would have delivered.
func (p *player) mined(r *row, v *schema.Version) (*logminer.Row, error) {
	object := "SCN " + string(r.SCN) + ", RS_ID " + r.RSID
	m := &logminer.Row{
		SCN:       position.SCN(r.SCN.number(0)),
		Operation: logminer.Operation(r.Code.number(0)), //nolint:gosec // a code
		Undo:      r.Rollback.number(0) == 1,
		Status:    int(r.Status.number(0)),    //nolint:gosec // a status
		Thread:    int(r.Thread.number(1)),    //nolint:gosec // a thread number
		Container: int(r.Container.number(0)), //nolint:gosec // a container number
		SSN:       int64(r.SSN.number(0)),     //nolint:gosec // a row number
		Owner:     r.Owner, Table: r.Table, Info: r.Info, User: r.User,
	}
	if r.SQL != nil {
		m.Redo = *r.SQL
	}
	if r.RowID != placeholderRowID {
		m.RowID = r.RowID
	}
	if v != nil {
		m.ObjectID = v.ObjectIDs[0]
	}
	var err error
	if m.XID, err = r.transaction(); err != nil {
		return nil, stop.Wrap(stop.Corrupt, err, object, "row of no transaction")
	}
	if m.Address, err = p.address(r); err != nil {
		return nil, stop.Wrap(stop.Corrupt, err, object, "row of no redo address") // R5
	}
	if m.UnixSeconds, err = r.seconds(); err != nil {
		return nil, err
	}
	if v != nil && (m.SCN == 0 || m.Status == statusCorrupt) {
		return nil, stop.New(stop.Corrupt, object, "row of table %s without SCN, or behind a corrupt block", v.Table)
	}
	return m, nil
}

// address reads RS_ID; a recording without any gets addresses that rise.
func (p *player) address(r *row) (position.RBA, error) {
	if r.RSID == "" {
		p.made++
		return position.RBA{Sequence: 1, Block: p.made}, nil
	}
	return position.ParseRBA(r.RSID)
}

// step says that a mining step was verified here.
func (p *player) step() error {
	if err := p.chunks.end(); err != nil {
		return err
	}
	return p.offline.Step(p.emit)
}
