package engine

import (
	"context"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// history is what is known of captured tables besides the dictionary.
type history struct {
	// numbers has the number of the newest version that each table ever had.
	numbers map[schema.Table]int
	// known has for each table the SCN of the last DDL that began or ended a version of it: those up to that, mined again, explain nothing new.
	known map[schema.Table]uint64
	// debut has the number of the first version of tables that came since the start.
	debut map[schema.Table]int
	// ahead are tables that the dictionary shows otherwise than the last DDL that was mined, and the SCN behind that reading: a DDL must
	// come below it.
	ahead map[schema.Table]position.SCN
	// look is the reading of the dictionary that the running step is mined again for, up to the SCN behind it.
	look   *tables
	behind position.SCN
	// uncertain are the versions that were read at the start and are in no step yet: what the dictionary showed may be what a DDL did
	// that is still to be mined, so that they are certain behind the reading only (R96).
	uncertain []*schema.Version
	// looks is how many readings the running step was mined again for.
	looks int
	// renames is how many times it was for the names of partitioned tables.
	renames int
	// stored are tables that had versions in the schema topic at the start.
	stored map[schema.Table]bool
	// children are those of the newest reading when the last step was kept, read those of the running one's.
	children, read map[schema.Table][]schema.Table
	// lost are tables whose versions were in the schema topic and are there no more.
	lost []string
	// joining are tables that joined at the start; named has the SCN of the DDL that gave one its name, as far as that was mined.
	joining map[schema.Table]joining
	named   map[schema.Table]position.SCN
	// appeared are tables that the dictionary has and no DDL explained yet.
	appeared map[schema.Table]appearance
	// nobody is the SCN of the first row of those for which capture stops since nobody can name their segment.
	nobody position.SCN
	// claimed are segments that were found by the names of their tables, and that those made.
	claimed map[object]bool
	// claiming are those about which the dictionary was asked, and the SCN behind that reading.
	claiming map[object]position.SCN
	// holders are the tables that had a name one after the other, the last ones.
	holders map[schema.Table][]*schema.Version
	// pending are the versions that may become certain from an earlier SCN on (R96).
	pending map[edition]*schema.Version
	// reshaped are those that DDL of the running step made less certain.
	reshaped map[edition]bool
	// doubted are those of which it is known that another DDL comes, which is not mined yet.
	doubted map[edition]bool
	// vanished are partitions that nobody saw in the dictionary.
	vanished []vanished
}

func newHistory() history {
	return history{
		numbers: map[schema.Table]int{}, debut: map[schema.Table]int{}, known: map[schema.Table]uint64{}, ahead: map[schema.Table]position.SCN{}, stored: map[schema.Table]bool{}, appeared: map[schema.Table]appearance{},
		joining: map[schema.Table]joining{}, named: map[schema.Table]position.SCN{},
		claimed: map[object]bool{}, claiming: map[object]position.SCN{}, holders: map[schema.Table][]*schema.Version{},
		pending: map[edition]*schema.Version{}, reshaped: map[edition]bool{}, doubted: map[edition]bool{},
	}
}

// remember gives every table of a reading its versions: those that are stored, and a first one where none is. A table that the
// dictionary shows otherwise than its last version, or no more, keeps that version: a DDL on it lies ahead (R97, R99). from is where
// capture goes on, needed what the position there needs, known what says which tables it had. It returns the versions that are not stored yet.
func (m *miner) remember(
	ctx context.Context, now *tables, stored *registry.Registry, from position.SCN, needed map[string]int, known *known,
) (*tables, []*schema.Version, error) {
	m.history = newHistory()
	m.history.children, m.history.read = now.children, now.children
	if err := reaches(stored, needed); err != nil {
		return nil, nil, err
	}
	set := newTables(now.read)
	set.at, set.stamps = now.at, now.stamps
	set.sparing, set.undeleting, set.truncating, set.defining = now.sparing, now.undeleting, now.truncating, now.defining
	set.barring = now.barring
	var missing []*schema.Version
	var records []remembered
	var refused []oracle.Description // but for tables whose DDL lies ahead: capture goes on up to that
	for _, v := range now.versions() {
		cannot := now.cannot(v.Table)
		record, ok := stored.Record(v.Table)
		if !ok && m.named(v, stored) {
			continue // it had another name that is captured: the DDL that gave it this one lies ahead
		}
		if !ok && cannot != nil {
			refused = append(refused, *cannot)
			continue
		}
		if !ok {
			had := needed[v.Table.String()]
			v.Number, v.ValidFrom, v.Exact = had, uint64(from), true
			if had == 0 {
				v.Number = m.retired + 1
			}
			m.history.numbers[v.Table] = v.Number
			m.history.hold(v, v)
			missing = append(missing, v)
			set.add(v, now.partitioned[v.Table])
			if had > 0 {
				m.history.lost = append(m.history.lost, v.Table.String())
			}
			if known.joins(v.Table) {
				m.joins(now, v)
				m.entrants.enter(v.Table, from)
				m.joined(v.Table, from)
			}
			continue
		}
		if known.returns(v.Table) {
			m.entrants.enter(v.Table, from)
			m.joined(v.Table, from)
		}
		versions := m.laid(record)
		latest := versions[len(versions)-1]
		if latest.GoneFrom > 0 {
			// Another one of that name: the DDL that made it lies ahead.
			records = append(records, remembered{versions: versions, partitioned: parted(versions), now: v})
			m.history.ahead[v.Table] = 0
			continue
		}
		same := len(latest.ObjectIDs) == 0 || shares(latest, v)
		switch {
		case same && registry.VersionDigest(withDefaults(latest, v)) == registry.VersionDigest(v) && cannot != nil:
			refused = append(refused, *cannot)
		case same && registry.VersionDigest(withDefaults(latest, v)) == registry.VersionDigest(v) && len(without(latest, v)) > 0:
			// DDL on its segments lies ahead.
			records = append(records, remembered{versions: versions, partitioned: now.partitioned[v.Table], now: v, doubted: now.partitioned[v.Table]})
			m.history.ahead[v.Table] = 0
			continue
		case same && registry.VersionDigest(withDefaults(latest, v)) == registry.VersionDigest(v):
			v.Spells = latest.Spells
			v.Continues(latest)
			if len(latest.ObjectIDs) > 0 {
				// The DDL that changed them lies ahead, and rows up to it are in these.
				v.ObjectIDs, v.Partitions = latest.ObjectIDs, latest.Partitions
			}
			versions[len(versions)-1] = v
		case same && latest.Key.Origin != v.Key.Origin && registry.LayoutDigest(latest) == registry.LayoutDigest(v) && latest.Logging == v.Logging &&
			(configured(latest) || configured(v)):
			return nil, nil, stop.New(stop.SchemaDiffers, v.Table.String(),
				"the key of the table was of origin %s in version %d, the last one that was captured, and is of origin %s now", latest.Key.Origin, latest.Number, v.Key.Origin).
				Doing("set key.columns and key.missing to what they were, or %s", stop.Anew)
		default:
			m.history.ahead[v.Table] = 0
			records = append(records, remembered{versions: versions, partitioned: now.partitioned[v.Table] || parted(versions), now: v})
			continue
		}
		records = append(records, remembered{versions: versions, partitioned: now.partitioned[v.Table] || parted(versions)})
	}
	for _, t := range stored.Tables() {
		if _, ok := now.byName[t]; ok || !m.config.Selection.Captured(t) {
			continue
		}
		record, _ := stored.Record(t)
		versions := m.laid(record)
		if versions[len(versions)-1].GoneFrom == 0 {
			m.history.ahead[t] = 0
		}
		records = append(records, remembered{versions: versions, partitioned: parted(versions)})
	}
	m.recall(set, records)
	if faults := m.config.tableFaults(refused, len(set.byName)+len(m.history.ahead)); len(faults) > 0 {
		return nil, nil, faults[0]
	}
	if lost := m.history.lost; len(lost) > 0 {
		m.config.Log.Warn("The schema topic lost versions of captured tables; they are made anew from the dictionary. Rows from before a DDL that was run since the "+
			"position stop capture, and the number of a version may have named another layout before", "tables", list(lost), "from_scn", from.String())
	}
	m.history.uncertain = missing
	if len(m.history.ahead) == 0 {
		return set, missing, nil
	}
	behind, err := m.db.reading(ctx)
	for t := range m.history.ahead {
		m.history.ahead[t] = behind
	}
	return set, missing, err
}

// reaches refuses a schema topic that has dropped what the position needs: versions go only once a newer position is stored (R100), so that
// this one is an older one, or another stream's.
func reaches(stored *registry.Registry, needed map[string]int) error {
	for _, t := range stored.Tables() {
		record, _ := stored.Record(t)
		lowest, ok := needed[t.String()]
		if oldest := record.Versions()[0]; ok && oldest.Number > lowest {
			return stop.New(stop.SchemaDiffers, t.String(),
				"the position needs version %d of the table, and the schema topic begins with version %d: it is newer than the position", lowest, oldest.Number).
				Doing("restore the newest position; without it, %s", stop.Anew)
		}
	}
	return nil
}

// withDefaults gives a stored version the defaults of the dictionary where one of the two has none: a start that reads none, or did
// not, has the same layout.
func withDefaults(stored, now *schema.Version) *schema.Version {
	out := *stored
	out.Columns = slices.Clone(stored.Columns)
	for i := range out.Columns {
		column := &out.Columns[i]
		if at, ok := now.Column(column.Name); ok && (column.Default == nil || now.Columns[at].Default == nil) {
			column.Default = now.Columns[at].Default
		}
	}
	return &out
}

// named reports whether the last version of a captured table, by another name, has segments of a version.
func (m *miner) named(v *schema.Version, stored *registry.Registry) bool {
	return slices.ContainsFunc(stored.Tables(), func(t schema.Table) bool {
		record, _ := stored.Record(t)
		versions := record.Versions()
		return m.config.Selection.Captured(t) && shares(versions[len(versions)-1], v)
	})
}

// configured reports a key that the configuration decided on.
func configured(v *schema.Version) bool {
	return v.Key.Origin == schema.KeyConfig || v.Key.Origin == schema.KeyRowID
}

// shares reports whether two versions are of one table, whatever its name.
func shares(a, b *schema.Version) bool {
	return a.Container == b.Container && slices.ContainsFunc(a.ObjectIDs, func(id uint64) bool { return slices.Contains(b.ObjectIDs, id) })
}

// laid gives the versions of a record with what the configuration says of them.
func (m *miner) laid(record *registry.Record) []*schema.Version {
	stored := record.Versions()
	out := make([]*schema.Version, len(stored))
	for i, v := range stored {
		own := *v
		own.Columns, own.Stored = slices.Clone(v.Columns), true
		for at := range own.Columns {
			column := &own.Columns[at]
			column.Excluded = m.config.Columns.Excluded(own.Table, column.Name, slices.Contains(own.Key.Columns, at))
		}
		out[i] = own.Seal()
	}
	return out
}

// parted reports stored versions of a partitioned table: only such a table has several segments that rows lie in.
func parted(versions []*schema.Version) bool { return len(versions[len(versions)-1].ObjectIDs) > 1 }
