package engine

import (
	"log/slog"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
)

// leave lets a table go that DDL took the name of.
func (m *miner) leave(next *tables, was *schema.Version, now *tables, shaping []committedDDL) {
	delete(m.history.ahead, was.Table)
	m.end(next, was, now, shaping)
	next.drop(was)
	m.note(slog.LevelInfo, "A table is captured no more", tableRemovedEvent, detail{"table", was.Table.String()}, detail{"from_scn", shaping[len(shaping)-1].commit.String()})
}

// gives reports a DDL that may have given a table its name: one that takes it away, or gives another one, did not.
func (d committedDDL) gives(t schema.Table) bool {
	switch d.what.Class {
	case definition.DropTable:
		return false
	case definition.RenameTable, definition.UndropTable:
		return d.what.New.IsZero() || d.what.New.Name == t.Name
	default:
		return d.takes()
	}
}

// own leaves out DDL that drops or renames a table of a segment by a name which that never had as far as anybody knows. What gave it that one
// is not in the redo, as where a redefinition swapped two tables, and took the name of the captured one away with it: that is not known from
// such DDL, and the rows up to it are not all in this segment (R106).
func (t *tables) own(was *schema.Version, shaping, by []committedDDL) []committedDDL {
	return slices.DeleteFunc(slices.Clone(shaping), func(d committedDDL) bool {
		name := d.what.Table.Name
		if name == "" || d.what.Class != definition.DropTable && d.what.Class != definition.RenameTable || d.object.container != was.Container ||
			!slices.Contains(was.ObjectIDs, d.object.id) {
			return false
		}
		return name != was.Table.Name && !t.called(d.object, name) && !slices.ContainsFunc(by, func(o committedDDL) bool {
			return o.what.New.Name == name || o.what.Recycled == name
		})
	})
}

// called reports whether a segment was known under a name.
func (t *tables) called(o object, name string) bool {
	return slices.ContainsFunc(t.byObject[o], func(e era) bool {
		return e.version.Table.Name == name || e.turned != nil && e.turned.Table.Name == name
	})
}
