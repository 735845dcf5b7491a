package engine

import (
	"math"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// joining is a table that has no version in the schema topic although others have: include is wider than before, or the table got its name
// while nobody captured. In the second case rows from before that DDL are another table's (R101), which shows only once it is mined.
type joining struct {
	// until is the SCN before the dictionary was read: a DDL that gave the name lies below it.
	until position.SCN
	// changed is the table's LAST_DDL_TIME in milliseconds since the epoch: a row that is younger is the table's.
	changed int64
}

// lastDDLForm is the form of LAST_DDL_TIME and of the database's time, by the server's wall clock.
const lastDDLForm = "2006-01-02 15:04:05"

// joins notes a table that joins.
func (m *miner) joins(now *tables, v *schema.Version) {
	j := joining{until: now.read, changed: math.MaxInt64}
	for _, id := range v.ObjectIDs {
		if at, err := time.Parse(lastDDLForm, now.stamps[object{v.Container, id}]); err == nil {
			// The second is not over, and clocks are read apart.
			j.changed = at.Add(2*time.Second).UnixMilli() - m.offset.Milliseconds()
		}
	}
	m.history.joining[v.Table] = j
}

// doubtful reports whether an item waits of which nobody can say yet whether a row is the table's that has the name today. It waits, and
// all behind it, until capture is where the name was read.
func (m *miner) doubtful(frontier position.SCN) bool {
	for t, j := range m.history.joining {
		if frontier >= j.until {
			delete(m.history.joining, t)
		}
	}
	if len(m.history.joining) == 0 {
		return false
	}
	for _, item := range m.held {
		for c := range item.Changes() {
			if c.Version == nil {
				continue
			}
			if j, ok := m.history.joining[c.Version.Table]; ok && c.SCN < j.until && (c.Millis == 0 || c.Millis <= j.changed) {
				return true
			}
		}
	}
	return false
}

// others takes rows out that are from before the DDL that gave a table its name: another table's.
func (m *miner) others(items []*transaction.Committed) []*transaction.Committed {
	if len(m.history.named) == 0 {
		return items
	}
	out := items[:0]
	for _, item := range items {
		item.Drop(func(c *transaction.Change) bool { return c.Version != nil && c.SCN < m.history.named[c.Version.Table] })
		if item.Len() == 0 && item.Fault() == nil {
			item.Release()
			continue
		}
		out = append(out, item)
	}
	return out
}
