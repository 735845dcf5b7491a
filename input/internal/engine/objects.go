package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// sameObjects stops a start that no schema topic tells of earlier versions, where a captured name stands for another object than at the position,
// or an object that was captured has another captured name: rows from before that DDL would go out under the name that the dictionary has
// today, which is another table's (R101), and the DDL itself stops capture only behind them (R93). A position that does not know the
// objects says nothing.
func (m *miner) sameObjects(ctx context.Context, from *position.Position, stored *registry.Registry, now *tables) error {
	if len(stored.Tables()) > 0 {
		return nil // it knows the ids, and rows up to the DDL have the table that had them
	}
	had := make(map[string]uint64, len(from.Tables))
	names := make(map[uint64][]string, len(from.Tables)) // ids are per container
	for _, t := range from.Tables {
		had[t.Name] = t.Object
		names[t.Object] = append(names[t.Object], t.Name)
	}
	var first *stop.Error
	var exclude []string
	for _, v := range now.versions() {
		if v.Object == 0 {
			continue
		}
		name := v.Table.String()
		var fault *stop.Error
		if object := had[name]; object > 0 && object != v.Object {
			fault = stop.New(stop.SchemaDiffers, name, "the name stood for object %d at the position and stands for object %d now: another table got it since, "+
				"and no schema topic says from where on its rows have it", object, v.Object)
		} else if at := slices.IndexFunc(names[v.Object], func(was string) bool { return was != name && m.nameIn(v.Table.PDB, was) }); at >= 0 {
			was := names[v.Object][at]
			fault = stop.New(stop.SchemaDiffers, name, "the table is object %d, which was captured as %s at the position: it was renamed since, "+
				"and no schema topic says up to where its rows have the name from before", v.Object, was)
			exclude = append(exclude, was)
		} else {
			continue
		}
		exclude = append(exclude, name)
		if first == nil {
			first = fault
		}
	}
	if first == nil {
		return nil
	}
	behind, err := m.db.scn(ctx)
	if err != nil {
		return err
	}
	slices.Sort(exclude)
	exclude = slices.Compact(exclude)
	again := "which reads them"
	if !m.config.Snapshot.joining() {
		again = "and ask for their rows with the signal execute-snapshot"
	}
	return first.Doing("exclude %s and restart, the others go on; once oracle_cdc_mined_scn has passed %s, take them out of exclude and restart, %s. "+
		"A schema topic (oracle_schema in the pipeline, and its brokers for the input) keeps versions over a restart", list(exclude), behind, again)
}

// nameIn reports a name of a position that is of a PDB and is captured.
func (m *miner) nameIn(pdb, text string) bool {
	if pdb != "" {
		var in bool
		if text, in = strings.CutPrefix(text, pdb+"."); !in {
			return false
		}
	}
	owner, name, _ := strings.Cut(text, ".")
	return m.config.Selection.Captured(schema.Table{PDB: pdb, Owner: owner, Name: name})
}
