package engine

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// holding names the open transaction that holds the position back, since its redo must stay until it ends (R52).
type holding struct {
	id    transaction.ID
	again time.Time
}

const (
	// heldLogs is how many logs the position may be behind before it is worth a word (R60).
	heldLogs = 2
	// heldInterval is how often the same transaction is named.
	heldInterval = 10 * time.Minute
)

// look says so when the position lies logs behind the last step for an open transaction.
func (h *holding) look(c *Config, floor position.Boundary, id transaction.ID, held bool, latest position.Boundary, now time.Time) {
	if !held {
		return
	}
	logs := logsBetween(floor, latest)
	if logs <= heldLogs || id == h.id && now.Before(h.again) {
		return
	}
	h.id, h.again = id, now.Add(heldInterval)
	c.Log.Warn("An open transaction holds the position: archived logs are needed from its first row on until it ends",
		"transaction", id.XID.String(), "container", id.Container, "position_scn", floor.SCN.String(), "logs", logs)
}

// logsBetween is the greatest number of logs by which a thread's first needed log is behind.
func logsBetween(from, to position.Boundary) uint32 {
	most := uint32(0)
	for _, m := range to.Marks {
		if was, ok := from.Mark(m.Thread); ok && m.Log > was.Log {
			most = max(most, m.Log-was.Log)
		}
	}
	return most
}
