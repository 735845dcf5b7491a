package engine

import (
	"context"
	"log/slog"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// compareInterval is how often the captured tables are compared with the dictionary although no DDL was mined (R106).
const compareInterval = time.Minute

// compareWhenDue compares once a minute: of a DDL whose row was missed, or that has none in the redo of an open container, nothing else
// would ever tell on a table without rows.
func (m *miner) compareWhenDue(ctx context.Context) error {
	if m.config.Now().Sub(m.compared) < compareInterval {
		return nil
	}
	_, err := m.compare(ctx)
	return err
}

// compare reads the dictionary. What differs has its DDL ahead in the redo, by the SCN behind the reading at the latest.
func (m *miner) compare(ctx context.Context) (difference, error) {
	now, err := m.readTables(ctx)
	if err != nil {
		return difference{}, err
	}
	if err := m.lookForLoads(ctx); err != nil {
		return difference{}, err
	}
	behind, err := m.db.scn(ctx)
	if err != nil {
		return difference{}, err
	}
	d := m.tables.differs(now)
	if _, err := m.follow(now, d, nil, behind, false); err != nil {
		return difference{}, err
	}
	m.unexplained(d.added)
	for _, v := range d.added {
		if _, known := m.history.appeared[v.Table]; !known {
			m.history.appeared[v.Table] = appearance{behind: behind}
		}
	}
	return d, nil
}

// appearance is a table that matches and is not captured, since no DDL that was mined made it.
type appearance struct {
	behind position.SCN
	told   bool
}

// unexplained tells of tables that are there although every DDL below an earlier reading that had them was mined: those of a container
// that was opened meanwhile, as a rule. What others see of them is not captured before the next start.
func (m *miner) unexplained(there []*schema.Version) {
	left := map[schema.Table]appearance{}
	for _, v := range there {
		a, known := m.history.appeared[v.Table]
		if !known {
			continue
		}
		if !a.told && m.frontier.scn >= a.behind {
			a.told = true
			m.note(slog.LevelWarn, "A table that matches is there and is not captured, since no DDL in the redo made it; a restart captures it from then on",
				idsRefreshedEvent, detail{"table", v.Table.String()}, detail{"result", "not captured before a restart"})
		}
		left[v.Table] = a
	}
	m.history.appeared = left
}
