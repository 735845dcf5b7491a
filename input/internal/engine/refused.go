package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// checkTables refuses what this version cannot capture: nothing is left out silently.
func (m *miner) checkTables(t *tables) error {
	if faults := m.config.tableFaults(t.refused, len(t.byName)); len(faults) > 0 {
		return faults[0]
	}
	return nil
}

// cannot gives what the reading refuses a table for, nil where it can be captured.
func (t *tables) cannot(name schema.Table) *oracle.Description {
	for i := range t.refused {
		if t.refused[i].Version.Table == name {
			return &t.refused[i]
		}
	}
	return nil
}

// unlogged marks the DDL with which the database lost the minimal level of supplemental logging, whether it has that again by now or not:
// what was written in between may lack what LogMiner needs (R108).
func (m *miner) unlogged(committed []committedDDL) {
	for i := range committed {
		d := &committed[i]
		if !d.what.Table.IsZero() || !slices.ContainsFunc(d.what.Logs, func(l definition.Log) bool { return l.Dropped && l.Group == "" && len(l.What) == 0 }) {
			continue
		}
		d.stops = true
		m.buffer.Fault(d.id, stop.New(stop.Configuration, fmt.Sprintf("%s at SCN %s", m.facts.Name, d.scn), "%s took minimal supplemental logging away", d.what.Verb).
			Doing("at the root: ALTER DATABASE ADD SUPPLEMENTAL LOG DATA; then %s", stop.Anew))
	}
}

// refuse marks the DDL that made tables ones that cannot be captured, or of which the configuration wants what cannot be (R108, R110): capture
// stops there, behind everything before it.
func (m *miner) refuse(committed []committedDDL, now *tables) {
	for i := range now.refused {
		m.refuseAt(committed, &now.refused[i], func(d *committedDDL) *stop.Error { return m.refusal(d, &now.refused[i]) })
	}
	for _, v := range now.versions() {
		if was := m.tables.byName[v.Table]; now.cannot(v.Table) != nil || was != nil && registry.VersionDigest(was) == registry.VersionDigest(v) {
			continue
		}
		if err := m.trial.Prepare(v); err != nil {
			m.refuseAt(committed, &oracle.Description{Version: v}, func(d *committedDDL) *stop.Error { return unpublishable(d, v, err) })
		}
	}
}

// refuseAt marks the first DDL that made a table what it is.
func (m *miner) refuseAt(committed []committedDDL, of *oracle.Description, fault func(*committedDDL) *stop.Error) {
	v := of.Version
	was, floor := m.tables.byName[v.Table], uint64(0)
	same := was != nil && shares(was, v)
	if same {
		floor = was.ValidFrom
	}
	shaping := shapers(committed, v, floor)
	if len(shaping) == 0 && same {
		shaping = m.tables.explaining(committed, was, v)
	}
	if len(shaping) == 0 || was != nil && !same && !slices.ContainsFunc(shaping, committedDDL.moves) {
		return // what made it so lies ahead
	}
	if same && registry.VersionDigest(was) == registry.VersionDigest(v) && len(of.Refused) == 0 {
		return
	}
	at := slices.IndexFunc(committed, func(d committedDDL) bool {
		return d.id == shaping[0].id && d.scn == shaping[0].scn && d.text == shaping[0].text
	})
	if d := &committed[at]; !d.stops {
		d.stops = true
		m.buffer.Fault(d.id, fault(d))
	}
}

// unpublishable says that a DDL made a table one whose records the configuration does not allow, such as by a column that is to be masked and
// holds no text.
func unpublishable(d *committedDDL, v *schema.Version, err error) *stop.Error {
	at := *stop.Wrap(stop.Configuration, err, "", "%s made it a table of which no records can be made", d.what.Verb)
	if fault, ok := stop.As(err); ok {
		at = *fault
		at.What = d.what.Verb + " made it a table of which no records can be made: " + fault.What + " (" + fault.Object + ")"
	}
	at.Object = fmt.Sprintf("%s at SCN %s", v.Table, d.scn)
	return &at
}

// refusal says what a DDL made of a table.
func (m *miner) refusal(d *committedDDL, of *oracle.Description) *stop.Error {
	where := fmt.Sprintf("%s at SCN %s", of.Version.Table, d.scn)
	if len(of.Refused) > 0 {
		return stop.New(stop.DDL, where, "%s made it a table that cannot be captured (%s)", d.what.Verb, strings.Join(of.Refused, ", ")).
			Doing("exclude the table and restart, the others go on behind it; to capture it again, begin anew with a new topic_prefix: " +
				"LogMiner may have left out rows of it from before the DDL that were mined after it was run")
	}
	fault, _ := stop.As(m.config.tableFaults([]oracle.Description{*of}, 0)[0])
	at := *fault
	at.Object = where
	if m.config.keyless(of.Version) && len(m.config.keyFaults(of.Version)) == 0 {
		// What gives it a key from now on lies behind this DDL.
		ways := "exclude the table, name its key in key.columns, or set key.missing: rowid or none; then restart"
		if m.config.Versions != nil && m.config.Snapshot.joining() {
			ways = "ALTER TABLE … ADD PRIMARY KEY, then restart: the table is read and captured from that key on; or " + ways
		}
		return at.Doing("%s", ways)
	}
	return &at
}

// keyless reports a table without a key, where that is refused.
func (c *Config) keyless(v *schema.Version) bool {
	return v.Key.Origin == schema.KeyNone && c.KeyMissing != CaptureKeyless && (v.Table != c.Signals.Table || c.Selection.Included(v.Table))
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
		if c.keyless(v) {
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

// maxListed bounds names in a message.
const maxListed = 20

func list(names []string) string {
	if len(names) <= maxListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
}
