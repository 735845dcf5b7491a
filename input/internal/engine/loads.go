package engine

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// loads are changes that left no redo, such as direct-path loads in NOLOGGING mode: their rows come by no row of the redo, and the control
// file says no more of them than the tablespace and the SCN of the last one (R128).
type loads struct {
	// from is what the position said at the start, told what it says now: those up to there are told of.
	from, told position.SCN
	// last has the last one of each tablespace at the last look.
	last map[tablespace]position.SCN
	// ahead are those in tablespaces of captured tables that capture has not reached yet, the first one first.
	ahead []load
}

type tablespace struct {
	container int
	name      string
}

type load struct {
	pdb, tablespace string
	scn             position.SCN
	time            string
	// tables live in the tablespace.
	tables []schema.Table
}

func newLoads(told position.SCN) loads {
	return loads{from: told, told: told, last: map[tablespace]position.SCN{}}
}

// lookForLoads asks which tablespaces had such a change since the last look, or, at the first one, since the position was made.
func (m *miner) lookForLoads(ctx context.Context) error {
	found, err := m.db.unrecoverable(ctx)
	if err != nil {
		return err
	}
	for _, u := range found {
		of := tablespace{u.Container, u.Tablespace}
		last, known := m.loads.last[of]
		if !known {
			last = m.loads.from
		}
		if u.SCN <= last {
			m.loads.last[of] = last
			continue
		}
		in, watched, open := m.watched(u.Container)
		var tables []schema.Table
		switch {
		case watched && !open:
			continue // it shows no segments, and comes again once it does
		case watched:
			if tables, err = m.db.tablesIn(ctx, in, u.Tablespace); err != nil {
				return err
			}
		}
		m.loads.last[of] = u.SCN
		if len(tables) > 0 {
			m.loads.ahead = append(m.loads.ahead, load{in.Name, u.Tablespace, u.SCN, u.Time, tables})
		}
	}
	slices.SortStableFunc(m.loads.ahead, func(a, b load) int { return cmp.Compare(a.scn, b.scn) })
	return nil
}

// watched gives a container, whether tables of it may be captured, and whether it is open. Of the root none may.
func (m *miner) watched(container int) (in oracle.Container, watched, open bool) {
	if !m.facts.CDB {
		return oracle.Container{ID: container}, true, true
	}
	for _, c := range m.facts.PDBs {
		if c.ID == container {
			watched, _ = m.watches(container)
			return c, watched, c.Open()
		}
	}
	return oracle.Container{}, false, false
}

// tellLoads tells of those that capture has reached, and says how many they are.
func (m *miner) tellLoads() int {
	n := 0
	for ; n < len(m.loads.ahead) && m.loads.ahead[n].scn <= m.boundary.SCN; n++ {
		l := &m.loads.ahead[n]
		m.note(slog.LevelWarn, "Blocks in the tablespace of captured tables were changed without redo, as loads in NOLOGGING mode do: rows that were loaded into these tables are in no record",
			noLoggingEvent, detail{"pdb", l.pdb}, detail{"tablespace", l.tablespace}, detail{"scn", l.scn.String()}, detail{"time", l.time}, detail{"tables", l.names()})
	}
	m.loads.ahead = m.loads.ahead[n:]
	for _, last := range m.loads.last {
		if last <= m.boundary.SCN {
			m.loads.told = max(m.loads.told, last)
		}
	}
	return n
}

func (l *load) names() string {
	names := make([]string, len(l.tables))
	for i, t := range l.tables {
		names[i] = t.String()
	}
	return list(names)
}

// beforeLoads lowers the bound of a step, where capture stops at loads, to below the first one.
func (m *miner) beforeLoads(bound position.SCN) position.SCN {
	if !m.config.StopAtNoLogging || len(m.loads.ahead) == 0 {
		return bound
	}
	return min(bound, max(m.loads.ahead[0].scn-1, m.boundary.SCN))
}

// stopsAtLoad is the stop at the first load, once capture has delivered what committed below it; nil: there is none.
func (m *miner) stopsAtLoad() *stop.Error {
	if !m.config.StopAtNoLogging || len(m.loads.ahead) == 0 || m.boundary.SCN+1 < m.loads.ahead[0].scn {
		return nil
	}
	l := &m.loads.ahead[0]
	where := "tablespace " + l.tablespace
	if l.pdb != "" {
		where += " of " + l.pdb
	}
	return stop.New(stop.RedoGap, fmt.Sprintf("%s, SCN %s", where, l.scn),
		"blocks were changed without redo at %s, as loads in NOLOGGING mode do, in the tablespace of %s: rows that were loaded into these tables are in no record",
		cmp.Or(l.time, "a time that is not known"), l.names()).
		Doing("ALTER DATABASE FORCE LOGGING prevents it from now on; restart once with nologging: event, which goes on behind it, and where such a table was loaded " +
			"have it read by a signal execute-snapshot")
}

// endWith hands a stop over behind everything that was, and waits for it to be taken.
func (m *miner) endWith(ctx context.Context, groups chan<- *group, fault *stop.Error) error {
	if err := m.hand(ctx, groups, &group{stop: fault}); err != nil {
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}
