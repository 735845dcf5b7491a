package engine

import (
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// overdue stops for a table whose difference from the dictionary no DDL explained although every DDL below the reading was mined
// (R106): one was missed. Also for one that is gone: nothing says up to which SCN its topic holds it, and what was asked of it never ends.
func (m *miner) overdue() error {
	var gone []string
	for t, behind := range m.history.ahead {
		if m.frontier.scn < behind {
			continue
		}
		delete(m.history.ahead, t)
		now, there := m.tables.named[t]
		if !there {
			if m.tables.byName[t] != nil { // else a DDL took it away
				gone = append(gone, t.String())
			}
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
	if len(gone) == 0 {
		return nil
	}
	slices.Sort(gone)
	return stop.New(stop.SchemaDiffers, strings.Join(gone[:min(len(gone), maxNamed)], ", "),
		"%d captured tables are not in the dictionary any more, and no DDL explains it", len(gone)).
		Doing("a DDL was missed: take what is gone out of include, or %s", stop.Anew)
}

// maxNamed bounds how many tables one message names.
const maxNamed = 10

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
