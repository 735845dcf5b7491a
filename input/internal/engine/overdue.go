package engine

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// overdue stops for a table whose difference from the dictionary no DDL explained although every DDL below the reading was mined
// (R106): one was missed. A table that is gone leaves no rows to lose.
func (m *miner) overdue() error {
	for t, behind := range m.history.ahead {
		if m.frontier.scn < behind {
			continue
		}
		delete(m.history.ahead, t)
		now, there := m.tables.named[t]
		if !there {
			next := m.tables.copy(m.tables)
			next.drop(next.byName[t])
			m.use(next)
			m.config.Log.Warn("A table that was captured is gone", "table", t.String())
			continue
		}
		was, ok := m.tables.byName[t]
		if !ok {
			return stop.New(stop.SchemaDiffers, t.String(), "a table of the name of one that went is there, and no DDL up to SCN %s explains it", behind).
				Doing("a DDL was missed: exclude the table, or %s", stop.Anew)
		}
		return stop.New(stop.SchemaDiffers, t.String(), "the table differs from version %d, the last one that was captured (%s), and no DDL up to SCN %s explains it",
			was.Number, contrast(was, now), behind).
			Doing("a DDL was missed: exclude the table, or %s", stop.Anew)
	}
	return nil
}

// contrast says in what two versions differ.
func contrast(was, now *schema.Version) string {
	switch {
	case !shares(was, now):
		return "it is another table of that name"
	case registry.LayoutDigest(was) != registry.LayoutDigest(now):
		return "in its columns"
	case was.Logging != now.Logging:
		return "in its supplemental logging"
	default:
		return "in its key or its segments"
	}
}
