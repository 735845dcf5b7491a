package replay

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/sqlredo"
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
	config  *engine.Config
	chunks  chunks
	emit    func(*change.Event) error
	// tables holds the newest version by name, one for each container that was named. Recordings need not hold object ids, so
	// each table gets one of its own.
	tables  map[tableName][]*schema.Version
	objects uint64
	// made counts the addresses and SCNs that were made up; numbered says whether rows have an SCN, once one was seen.
	made     uint32
	numbered *bool
	// changes counts the rows of captured tables, foreign those of others that changed something.
	changes   int
	foreign   map[tableName]int
	statement sqlredo.Statement
}

func newPlayer(config *engine.Config, database string, emit func(*change.Event) error) *player {
	return &player{
		offline: engine.NewOffline(config, database), config: config, emit: emit,
		tables: map[tableName][]*schema.Version{}, foreign: map[tableName]int{},
	}
}

// capture adds a table, or a new version of one.
func (p *player) capture(t *tableRecord) error {
	v, err := t.version()
	if err != nil {
		return err
	}
	v.Logging = p.config.Logging
	if err := refuse(v); err != nil {
		return err
	}
	return p.admit([]oracle.Description{{Version: v}})
}

// admit captures tables that are described, but for those that the configuration leaves out. What a start would refuse is refused.
func (p *player) admit(found []oracle.Description) error {
	var chosen []oracle.Description
	for i := range found {
		if p.config.Selection.Captured(found[i].Version.Table) {
			chosen = append(chosen, found[i])
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	if err := errors.Join(p.offline.Refuse(chosen)...); err != nil {
		return err
	}
	for i := range chosen {
		if err := p.add(chosen[i].Version); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) add(v *schema.Version) error {
	key := tableName{v.Table.Owner, v.Table.Name}
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

// complete fills in what an export may lack: the container where all tables are of one, the table from the statement, and the SCN from the
// order of the rows.
func (p *player) complete(r *row) error {
	if r.Container == "" {
		container := -1
		for _, versions := range p.tables {
			for _, v := range versions {
				if container >= 0 && container != v.Container {
					return errors.New("the row lacks SRC_CON_ID, and the tables are of several containers")
				}
				container = v.Container
			}
		}
		r.Container = scalar(strconv.Itoa(max(container, 0)))
	}
	switch logminer.Operation(r.Code.number(0)) { //nolint:gosec // a code
	case logminer.Insert, logminer.Update, logminer.Delete:
		if r.Owner == "" && r.Table == "" && r.SQL != nil {
			if err := p.statement.Parse(*r.SQL); err != nil {
				return fmt.Errorf("the row lacks SEG_OWNER and TABLE_NAME, and its statement does not tell the table: %w", err)
			}
			r.Owner, r.Table = p.statement.Owner, p.statement.Table
		}
	default:
	}
	numbered := r.SCN != ""
	if p.numbered == nil {
		p.numbered = &numbered
	}
	if numbered != *p.numbered {
		return stop.New(stop.Corrupt, "RS_ID "+r.RSID, "some rows have an SCN and others have none")
	}
	if !numbered {
		p.made++
		r.SCN = scalar(strconv.FormatUint(uint64(p.made), 10))
	}
	return nil
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

// maxForeign bounds the names of foreign tables that are kept.
const maxForeign = 1000

// count takes note of whose row it is.
func (p *player) count(r *row, v *schema.Version) {
	name := tableName{r.Owner, r.Table}
	switch {
	case v != nil:
		p.changes++
	case r.Table != "" && (p.foreign[name] > 0 || len(p.foreign) < maxForeign):
		p.foreign[name]++
	}
}

// apply takes one row of the recording, in the order of the recording.
func (p *player) apply(chunk *row) error {
	r, err := p.chunks.join(chunk)
	if r == nil || err != nil {
		return err
	}
	if err := p.complete(r); err != nil {
		return err
	}
	v, err := p.captured(r)
	if err != nil {
		return err
	}
	p.count(r, v)
	mined, err := p.mined(r, v)
	if err != nil {
		return err
	}
	if err := p.offline.Apply(mined); err != nil {
		return err
	}
	if mined.Operation == logminer.Commit && p.offline.Full() {
		return p.offline.Step(p.emit) // a long export does not fit into memory
	}
	return nil
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
