package engine

import (
	"log/slog"

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
