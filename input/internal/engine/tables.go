package engine

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
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
// changed once it is in use, and used by one goroutine.
type tables struct {
	byObject map[object]eras
	// byName has the newest version of every table that is captured.
	byName map[schema.Table]*schema.Version
	// bySegment finds partitioned tables by what rows of their segments say.
	bySegment map[segment]eras
	// partitioned tables get segments whose ids nobody knows yet (R103).
	partitioned map[schema.Table]bool
	// partitions are the names of them, as the reading has them.
	partitions map[schema.Table][]string
	// named is what the dictionary says of tables that have another layout there than in byName: a DDL on them lies ahead (R97).
	named map[schema.Table]*schema.Version
	// renamed keeps what under made; the set has one user.
	renamed map[alias]*schema.Version
	// children are the tables that a TRUNCATE … CASCADE of another one empties too, as the reading has them.
	children map[schema.Table][]schema.Table
	// read is the SCN before the dictionary was read, at the database's time then.
	read position.SCN
	at   string
	// sparing: updates that change no published column are not counted; undeleting: deletes are not.
	sparing, undeleting bool
	// truncating: TRUNCATE is counted.
	truncating bool
}

// readTables reads the captured tables from the dictionary, refuses by name what cannot be captured, and brackets the reading
// with SCNs. A closed container proves nothing: what was captured of it stays (R106).
func (m *miner) readTables(ctx context.Context) (*tables, error) {
	now, err := m.describe(ctx)
	if err != nil {
		return nil, err
	}
	m.facts.PDBs = now.pdbs
	m.older.stores(now.storage)
	t := newTables(now.read)
	t.at, t.children = now.at, now.children
	t.sparing, t.undeleting, t.truncating = m.config.SkipUnchanged, m.config.dropsDeletes(), m.config.Truncates
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
		t.partitions[now.tables[i].Version.Table] = now.tables[i].Partitions
	}
	return t, nil
}

func newTables(read position.SCN) *tables {
	return &tables{
		read: read, byObject: map[object]eras{}, byName: map[schema.Table]*schema.Version{},
		bySegment: map[segment]eras{}, partitioned: map[schema.Table]bool{}, partitions: map[schema.Table][]string{}, named: map[schema.Table]*schema.Version{},
		renamed: map[alias]*schema.Version{},
	}
}

// add takes a table that nothing was known of.
func (t *tables) add(v *schema.Version, partitioned bool) { t.take(v, partitioned, era{version: v}) }

// take makes a version the newest of its table, from an era on.
func (t *tables) take(v *schema.Version, partitioned bool, e era) {
	t.byName[v.Table] = v
	t.partitioned[v.Table] = partitioned
	if partitioned {
		key := segment{v.Container, v.Table.Owner, v.Table.Name}
		t.bySegment[key] = append(slices.Clone(t.bySegment[key]), e)
	}
	t.begin(v.Container, v.ObjectIDs, e)
}

// drop takes the name of a table out of the set.
func (t *tables) drop(v *schema.Version) {
	delete(t.byName, v.Table)
	delete(t.partitioned, v.Table)
	delete(t.named, v.Table)
	delete(t.bySegment, segment{v.Container, v.Table.Owner, v.Table.Name})
}

// copy gives a set that may be changed, with the moment of a later reading.
func (t *tables) copy(now *tables) *tables {
	out := *t
	out.read, out.at = now.read, now.at
	out.byObject, out.byName, out.bySegment = maps.Clone(t.byObject), maps.Clone(t.byName), maps.Clone(t.bySegment)
	out.partitioned, out.named, out.renamed = maps.Clone(t.partitioned), maps.Clone(t.named), map[alias]*schema.Version{}
	return &out
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
	if t.truncating {
		h.Write([]byte("\ntruncating"))
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
