package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
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
// changed.
type tables struct {
	byObject map[object]*schema.Version
	byName   map[schema.Table]*schema.Version
	// bySegment finds partitioned tables by what rows of their segments say.
	bySegment map[segment]*schema.Version
	// partitioned tables get segments whose ids nobody knows yet (R103).
	partitioned map[schema.Table]bool
	// read is the SCN before the dictionary was read.
	read position.SCN
	// sparing: updates that change no published column are not counted; undeleting: deletes are not.
	sparing, undeleting bool
}

// readTables reads the captured tables from the dictionary, refuses by name what cannot be captured, and brackets the reading
// with SCNs. A closed container proves nothing: what was captured of it stays (R106).
func (m *miner) readTables(ctx context.Context) (*tables, error) {
	now, err := m.describe(ctx)
	if err != nil {
		return nil, err
	}
	m.facts.PDBs = now.pdbs
	t := newTables(now.read)
	t.sparing, t.undeleting = m.config.SkipUnchanged, m.config.dropsDeletes()
	if m.tables != nil {
		for _, v := range m.tables.versions() {
			if slices.ContainsFunc(now.pdbs, func(c oracle.Container) bool { return c.ID == v.Container && !c.Open() }) {
				t.add(v, m.tables.partitioned[v.Table])
			}
		}
	}
	if err := m.checkTables(now.tables, len(t.byName)); err != nil {
		return nil, err
	}
	for i := range now.tables {
		t.add(now.tables[i].Version, now.tables[i].Partitioned)
	}
	return t, nil
}

func newTables(read position.SCN) *tables {
	return &tables{
		read: read, byObject: map[object]*schema.Version{}, byName: map[schema.Table]*schema.Version{},
		bySegment: map[segment]*schema.Version{}, partitioned: map[schema.Table]bool{},
	}
}

func (t *tables) add(v *schema.Version, partitioned bool) {
	t.byName[v.Table] = v
	t.partitioned[v.Table] = partitioned
	if partitioned {
		t.bySegment[segment{v.Container, v.Table.Owner, v.Table.Name}] = v
	}
	for _, id := range v.ObjectIDs {
		t.byObject[object{v.Container, id}] = v
	}
}

// of finds the version of a row's table: by the id of its segment, and by name where the table makes segments by itself (R103).
func (t *tables) of(r *logminer.Row) (*schema.Version, bool) {
	if v, ok := t.byObject[object{r.Container, r.ObjectID}]; ok {
		return v, true
	}
	v, ok := t.bySegment[segment{r.Container, r.Owner, r.Table}]
	return v, ok
}

// versions lists the captured versions by table name.
func (t *tables) versions() []*schema.Version {
	out := make([]*schema.Version, 0, len(t.byName))
	for _, v := range t.byName {
		out = append(out, v)
	}
	slices.SortFunc(out, func(a, b *schema.Version) int { return cmp.Compare(a.Table.String(), b.Table.String()) })
	return out
}

// numbering names the way in which events are counted inside a transaction; another way gives another digest.
const numbering = "1"

// digest stands for what decides the index of an event in its transaction (R67).
func (t *tables) digest() string {
	h := sha256.New()
	h.Write([]byte(numbering))
	if t.undeleting {
		h.Write([]byte("\nundeleting"))
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

// checkTables refuses what this version cannot capture: nothing is left out silently.
func (m *miner) checkTables(found []oracle.Description, kept int) error {
	if faults := m.config.tableFaults(found, kept); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// tableFaults lists everything about the tables that match which this version cannot capture.
func (c *Config) tableFaults(found []oracle.Description, kept int) (faults []error) {
	var refused, keyless, unlogged []string
	var statements []string
	container := ""
	for i := range found {
		v := found[i].Version
		name := v.Table.String()
		if len(found[i].Refused) > 0 {
			refused = append(refused, name+" ("+strings.Join(found[i].Refused, ", ")+")")
		}
		faults = append(faults, c.keyFaults(v)...)
		if v.Key.Origin == schema.KeyNone && c.KeyMissing != CaptureKeyless {
			keyless = append(keyless, name)
		}
		if v.Logging != schema.LoggingAll && (c.Logging == schema.LoggingAll || v.Logging != schema.LoggingKey) {
			unlogged = append(unlogged, name)
			if pdb := v.Table.PDB; pdb != "" && pdb != container {
				container = pdb
				statements = append(statements, "ALTER SESSION SET CONTAINER = "+pdb)
			}
			statements = append(statements, found[i].Statement())
		}
	}
	if len(refused) > 0 {
		faults = append(faults, stop.New(stop.Configuration, list(refused), "tables that cannot be captured yet").
			Doing("add them to exclude, or wait for a version that captures them"))
	}
	if len(keyless) > 0 {
		faults = append(faults, stop.New(stop.Configuration, list(keyless), "tables without a primary key and without %s", c.KeyRule()).
			Doing("give each of them a key, add them to exclude, name one in key.columns, or set key.missing: rowid, or key.missing: none to publish their events without a key"))
	}
	if len(unlogged) > 0 {
		faults = append(faults, stop.New(stop.Configuration, list(unlogged), "supplemental logging of tables is below supplemental_logging: %s", c.Logging).
			Doing("%s", strings.Join(statements[:min(len(statements), maxListed)], "; ")+"; then restart"))
	}
	if len(found)+kept == 0 && !c.AllowNoTables {
		faults = append(faults, stop.New(stop.Configuration, "include "+list(c.Selection.Unmatched(nil)), "no table matches").
			Doing("correct include (patterns match the whole name PDB.OWNER.TABLE), grant the capture user the dictionary, or set allow_no_tables"))
	}
	return faults
}

// warnUnmatched names patterns that may be misspelt: a single one without a match is no reason to stop.
func (m *miner) warnUnmatched(t *tables) {
	names := make([]schema.Table, 0, len(t.byName))
	for name := range t.byName {
		names = append(names, name)
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

// maxListed bounds names in a message.
const maxListed = 20

func list(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}

// number gives every version its number and begin: those of the stored version where the layout is the same. A layout that
// changed while capture was stopped cannot be decoded by this version, and is refused. It returns the versions that are not
// stored yet.
func number(t *tables, stored *registry.Registry, from position.SCN) (missing []*schema.Version, err error) {
	for _, v := range t.versions() {
		s, ok := stored.Latest(v.Table)
		switch {
		case !ok:
			v.Number, v.ValidFrom = 1, uint64(from)
			missing = append(missing, v)
		case len(s.ObjectIDs) > 0 && !slices.ContainsFunc(s.ObjectIDs, func(id uint64) bool { return slices.Contains(v.ObjectIDs, id) }):
			return nil, stop.New(stop.SchemaDiffers, v.Table.String(), "another table has the name of version %d, the last one that was captured", s.Number).
				Doing("tables that change are not supported yet: start with a new topic_prefix, or exclude the table")
		case registry.VersionDigest(s) == registry.VersionDigest(v):
			v.Number, v.ValidFrom, v.Exact, v.Stored = s.Number, s.ValidFrom, s.Exact, true
		default:
			if s.Key.Origin != v.Key.Origin && registry.LayoutDigest(s) == registry.LayoutDigest(v) && s.Logging == v.Logging {
				return nil, stop.New(stop.SchemaDiffers, v.Table.String(),
					"the key of the table was of origin %s in version %d, the last one that was captured, and is of origin %s now", s.Key.Origin, s.Number, v.Key.Origin).
					Doing("set key.columns and key.missing to what they were, or start with a new topic_prefix")
			}
			return nil, stop.New(stop.SchemaDiffers, v.Table.String(),
				"the table differs from version %d, the last one that was captured", s.Number).
				Doing("tables that change are not supported yet: start with a new topic_prefix, or exclude the table")
		}
	}
	return missing, nil
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

// changed compares the captured set with a later reading: tables that are new, and those whose layout, key, logging or segments are
// not what they were, or that are gone.
func (t *tables) changed(now *tables) (added []*schema.Version, differ []string) {
	for _, v := range now.versions() {
		was, ok := t.byName[v.Table]
		switch {
		case !ok:
			added = append(added, v)
		case registry.VersionDigest(was) != registry.VersionDigest(v), !slices.Equal(was.ObjectIDs, v.ObjectIDs):
			differ = append(differ, v.Table.String())
		}
	}
	for name := range t.byName {
		if _, ok := now.byName[name]; !ok {
			differ = append(differ, name.String()+" (gone)")
		}
	}
	slices.Sort(differ)
	return added, differ
}
