package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// object identifies a segment: ids are per container (reference logminer B, N 10).
type object struct {
	container int
	id        uint64
}

// segment names a table as rows do.
type segment struct {
	container   int
	owner, name string
}

// tables is the captured set: which segments belong to which version of which table. It is replaced as a whole, never
// changed once it is in use, and used by one goroutine.
type tables struct {
	byObject map[object]eras
	// byName has the newest version of every table that is captured.
	byName map[schema.Table]*schema.Version
	// bySegment finds partitioned tables by what rows of their segments say.
	bySegment map[segment]eras
	// aliases are the names that partitioned tables have in the dictionary where those are not theirs: rows of segments that nobody knows yet have them
	// (R97, R103).
	aliases map[schema.Table]segment
	// left are partitioned tables that DDL of the running step took the names of: it may have rows of theirs from before that.
	left []*schema.Version
	// partitioned tables get segments whose ids nobody knows yet (R103).
	partitioned map[schema.Table]bool
	// partitions are the names of them, as the reading has them.
	partitions map[schema.Table][]string
	// refused are the tables of the reading that this version cannot capture.
	refused []oracle.Description
	// stopped are the tables at whose DDL capture stops.
	stopped map[schema.Table]bool
	// named is what the dictionary says of tables that have another layout there than in byName: a DDL on them lies ahead (R97).
	named map[schema.Table]*schema.Version
	// renamed keeps what under made; the set has one user.
	renamed map[alias]*schema.Version
	// children are the tables that a TRUNCATE … CASCADE of another one empties too, as the reading has them.
	children map[schema.Table][]schema.Table
	// read is the SCN before the dictionary was read, at the database's time then, and stamps when the last DDL had been run on the
	// tables, by their own ids.
	read   position.SCN
	at     string
	stamps map[object]string
	// sparing: updates that change no published column are not counted; undeleting: deletes are not.
	sparing, undeleting bool
	// truncating: TRUNCATE is counted; defining: what consumers are told of DDL is.
	truncating, defining bool
	// barring are the users whose transactions are not counted, in order.
	barring []string
}

// readTables reads the captured tables from the dictionary, also those that cannot be captured, and brackets the reading with SCNs. A
// closed container proves nothing: what was captured of it stays (R106).
func (m *miner) readTables(ctx context.Context) (*tables, error) {
	now, err := m.describe(ctx)
	if err != nil {
		return nil, err
	}
	m.facts.PDBs, m.compared = now.pdbs, m.config.Now()
	m.older.stores(now.storage)
	t := newTables(now.read)
	t.at, t.children = now.at, now.children
	t.sparing, t.undeleting, t.truncating = m.config.SkipUnchanged, m.config.dropsDeletes(), m.config.Truncates
	t.defining, t.barring = m.config.SchemaChanges, m.config.ExcludeUsers
	if m.tables != nil {
		for _, v := range m.tables.versions() {
			if slices.ContainsFunc(now.pdbs, func(c oracle.Container) bool { return c.ID == v.Container && !c.Open() }) {
				t.add(v, m.tables.partitioned[v.Table])
			}
		}
	}
	for i := range now.tables {
		t.add(now.tables[i].Version, now.tables[i].Partitioned)
		t.partitions[now.tables[i].Version.Table] = now.tables[i].Partitions
		now.tables[i].Version.Partitions, now.tables[i].Version.Object = now.tables[i].Partitions, now.tables[i].Object
		t.stamps[object{now.tables[i].Version.Container, now.tables[i].Object}] = now.tables[i].LastDDL
		if len(m.config.tableFaults(now.tables[i:i+1], 0)) > 0 {
			t.refused = append(t.refused, now.tables[i])
		}
	}
	return t, nil
}

func newTables(read position.SCN) *tables {
	return &tables{
		read: read, byObject: map[object]eras{}, byName: map[schema.Table]*schema.Version{},
		bySegment: map[segment]eras{}, aliases: map[schema.Table]segment{}, partitioned: map[schema.Table]bool{}, partitions: map[schema.Table][]string{}, named: map[schema.Table]*schema.Version{},
		renamed: map[alias]*schema.Version{}, stopped: map[schema.Table]bool{}, stamps: map[object]string{},
	}
}

// add takes a table that nothing was known of.
func (t *tables) add(v *schema.Version, partitioned bool) { t.take(v, partitioned, era{version: v}) }

// take makes a version the newest of its table, from an era on.
func (t *tables) take(v *schema.Version, partitioned bool, e era) {
	t.name(v, partitioned)
	t.begin(v.Container, v.ObjectIDs, e)
	t.list(v)
}

// name gives a table its newest version, but no segments.
func (t *tables) name(v *schema.Version, partitioned bool) {
	t.byName[v.Table] = v
	t.partitioned[v.Table] = partitioned
}

// list lets rows of a partitioned table be found by the name that it has today.
func (t *tables) list(v *schema.Version) {
	if t.partitioned[v.Table] {
		t.bySegment[t.calls(v)] = t.oldest(v)
	}
}

func ownName(v *schema.Version) segment { return segment{v.Container, v.Table.Owner, v.Table.Name} }

// oldest gives the eras of that segment of a version of which the most is known.
func (t *tables) oldest(v *schema.Version) (known eras) {
	for _, id := range v.ObjectIDs {
		if e := t.byObject[object{v.Container, id}]; len(e) > len(known) {
			known = e
		}
	}
	return known
}

// drop takes the name of a table out of the set.
func (t *tables) drop(v *schema.Version) {
	if t.partitioned[v.Table] {
		t.left = append(slices.Clip(t.left), v)
	}
	delete(t.byName, v.Table)
	delete(t.partitioned, v.Table)
	delete(t.named, v.Table)
	if _, elsewhere := t.aliases[v.Table]; !elsewhere { // else another one has it
		delete(t.bySegment, ownName(v))
	}
	delete(t.aliases, v.Table)
}

// copy gives a set that may be changed, with the moment of a later reading.
func (t *tables) copy(now *tables) *tables {
	out := *t
	out.read, out.at, out.stamps = now.read, now.at, now.stamps
	out.byObject, out.byName, out.bySegment = maps.Clone(t.byObject), maps.Clone(t.byName), maps.Clone(t.bySegment)
	out.partitioned, out.named, out.renamed = maps.Clone(t.partitioned), maps.Clone(t.named), map[alias]*schema.Version{}
	out.stopped, out.aliases = maps.Clone(t.stopped), maps.Clone(t.aliases)
	return &out
}

// versions lists the captured versions by table name.
func (t *tables) versions() []*schema.Version {
	out := make([]*schema.Version, 0, len(t.byName))
	for _, v := range t.byName {
		out = append(out, v)
	}
	slices.SortFunc(out, byTable)
	return out
}

func byTable(a, b *schema.Version) int { return cmp.Compare(a.Table.String(), b.Table.String()) }

// numbering names the way in which events are counted inside a transaction; another way gives another digest.
const numbering = "1"

// digest stands for what decides the index of an event in its transaction (R67).
func (t *tables) digest() string {
	h := sha256.New()
	h.Write([]byte(numbering))
	if t.undeleting {
		h.Write([]byte("\nundeleting"))
	}
	if t.truncating {
		h.Write([]byte("\ntruncating"))
	}
	if t.defining {
		h.Write([]byte("\ndefining"))
	}
	for _, user := range slices.Sorted(slices.Values(t.barring)) {
		h.Write([]byte("\nbarring\n" + user))
	}
	for _, v := range t.versions() {
		h.Write([]byte("\n" + v.Table.String()))
		if t.sparing {
			h.Write([]byte("\nsparing"))
			for i := range v.Columns {
				if v.Columns[i].Excluded {
					h.Write([]byte("\n" + v.Columns[i].Name))
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// warnUnmatched names patterns that may be misspelt: a single one without a match is no reason to stop.
func (m *miner) warnUnmatched(t *tables) {
	names := make([]schema.Table, 0, len(t.byName))
	for name := range t.byName {
		names = append(names, name)
	}
	if signals := m.config.Signals.Table; signals.Name != "" && t.byName[signals] == nil {
		m.config.Log.Warn("signals.table names no table that can be captured: its rows are not seen until there is one", "table", signals.String())
	}
	for _, p := range m.config.Selection.Unmatched(names) {
		m.config.Log.Warn("A pattern of include matches no table", "pattern", p)
	}
	for _, p := range m.config.Columns.Unmatched(t.versions()) {
		m.config.Log.Warn("A pattern of columns.include or columns.exclude matches no column", "pattern", p)
	}
	for _, name := range m.config.Keys.Unmatched(names) {
		m.config.Log.Warn("An entry of key.columns names no captured table", "table", name)
	}
}

// warnClosed names the pluggable databases whose tables nobody can see.
func (m *miner) warnClosed() {
	for _, c := range m.facts.PDBs {
		if !c.Open() && len(m.config.PDBs) == 0 {
			m.config.Log.Warn("A pluggable database is not open and is not captured; restart when it is", "pdb", c.Name, "open_mode", c.OpenMode)
		}
	}
}

// containers lists the containers that have a captured table.
func (t *tables) containers() []int {
	var out []int
	for _, v := range t.byName {
		if !slices.Contains(out, v.Container) {
			out = append(out, v.Container)
		}
	}
	return out
}
