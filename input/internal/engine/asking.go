package engine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/signal"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// maxQueuedSnapshots bounds those that were asked for and wait: each is in every position.
const maxQueuedSnapshots = 100

// maxConditions bounds the text of conditions and queries of all that runs and waits: it is in every position, and a broker takes no record
// that is too long.
const maxConditions = 64 << 10

// conditions is how long those of a request, of what was asked for just before, and of what runs and waits are.
func (m *miner) conditions(of *snapshotCommand, state *position.Snapshot) (n int) {
	for _, c := range append(slices.Clone(m.commands), *of) {
		for _, t := range c.tables {
			n += len(t.condition) + len(t.override)
		}
	}
	if !active(state) {
		return n
	}
	for _, s := range append(slices.Clone(state.Queued), *state) {
		for i := range s.Tables {
			n += len(s.Tables[i].Condition) + len(s.Tables[i].Override)
		}
	}
	return n
}

// askRead has the tables that a command names read, as a snapshot of the given name.
func (m *miner) askRead(c *signal.Command, id string) signal.Answer {
	if len(c.Tables) == 0 {
		return done("no table is named: nothing is done")
	}
	command := snapshotCommand{kind: readTables, id: id}
	for _, t := range m.asks(c) {
		asked := askedTable{table: t, byRowID: strings.EqualFold(c.ChunkBy, "ROWID")}
		if condition, ok := c.Condition(t); ok {
			if condition.Whole {
				if asked.condition, asked.override = ofQuery(condition.Filter); asked.condition+asked.override == "" {
					return signal.Answer{Status: signal.Rejected, Detail: "a query in the place of table " + t.String() + " says where the SCN belongs: SELECT … FROM … AS OF SCN :scn WHERE …"}
				}
			} else {
				asked.condition = condition.Filter
			}
		}
		command.tables = append(command.tables, asked)
	}
	state := m.snapshotState()
	switch {
	case len(command.tables) == 0:
		return signal.Answer{Status: signal.Rejected, Detail: "no captured table matches"}
	case state != nil && len(state.Queued)+int(m.order.asked.Load()) >= maxQueuedSnapshots:
		return signal.Answer{Status: signal.Rejected, Detail: "too many snapshots wait already"}
	case m.conditions(&command, state) > maxConditions:
		return signal.Answer{Status: signal.Rejected, Detail: fmt.Sprintf("conditions of all that is read and waits have at most %d bytes, counted for each table", maxConditions)}
	}
	m.asked(command)
	var said []string
	if active(state) {
		said = append(said, "behind the snapshot that is running")
	}
	if m.order.Lag() >= m.config.maxLag() {
		said = append(said, "once capture is less than snapshot.max_lag behind")
	}
	if c.Blocking {
		said = append(said, "beside the stream, which does not wait, though a blocking one was asked for")
	}
	if c.ChunkBy != "" && !command.tables[0].byRowID {
		said = append(said, "cut by key: surrogate-key is not needed")
	}
	return done("to be read: %s%s", list(tableNames(command.tables)), prefixed(said))
}

func tableNames(tables []askedTable) []string {
	names := make([]string, len(tables))
	for i := range tables {
		names[i] = tables[i].table.String()
	}
	return names
}

func prefixed(parts []string) string {
	if len(parts) == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// asks lists the captured tables that a command is about, by name.
func (m *miner) asks(c *signal.Command) []schema.Table {
	var out []schema.Table
	for t := range m.tables.byName {
		if c.Matches(t) && m.config.Selection.Included(t) {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b schema.Table) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// simpleQuery is the form in which Debezium's documentation has the filter of a blocking snapshot.
var simpleQuery = regexp.MustCompile(`(?is)^\s*SELECT\s+\*\s+FROM\s+\S+\s+WHERE\s+(.+?)[\s;]*$`)

// ofQuery reads a whole query: one over the table alone is a condition, another one needs a place for the SCN.
func ofQuery(query string) (condition, override string) {
	if strings.Contains(query, ":scn") {
		return "", query
	}
	if parts := simpleQuery.FindStringSubmatch(query); parts != nil {
		return parts[1], ""
	}
	return "", ""
}

// askStop gives up what is left of tables; without a list, of all.
func (m *miner) askStop(c *signal.Command) signal.Answer {
	if !m.reading() {
		return signal.Answer{Status: signal.Rejected, Detail: "no snapshot is running"}
	}
	command := snapshotCommand{kind: stopReading}
	if len(c.Tables) == 0 {
		m.asked(command)
		return done("what is read and what waits is given up")
	}
	for _, t := range m.asks(c) {
		command.tables = append(command.tables, askedTable{table: t})
	}
	if len(command.tables) == 0 {
		return signal.Answer{Status: signal.Rejected, Detail: "no captured table matches"}
	}
	m.asked(command)
	return done("what is left of %s is given up", list(tableNames(command.tables)))
}

// askPause lets no further chunk begin, or lets chunks begin again.
func (m *miner) askPause(pause bool) signal.Answer {
	if !m.reading() {
		return signal.Answer{Status: signal.Rejected, Detail: "no snapshot is running"}
	}
	if pause {
		m.asked(snapshotCommand{kind: pauseReading})
		return done("no further chunk is read")
	}
	m.asked(snapshotCommand{kind: resumeReading})
	return done("chunks are read again")
}

// reading reports whether a snapshot is running or was just asked for.
func (m *miner) reading() bool { return m.order.asked.Load() > 0 || active(m.snapshotState()) }

// askBuild has a copy of the dictionary written now.
func (m *miner) askBuild() signal.Answer {
	if m.builder == nil {
		return signal.Answer{Status: signal.Rejected, Detail: "no copies of the dictionary are written: dictionary.build_interval is 0s"}
	}
	if !m.builder.ask() {
		return signal.Answer{Status: signal.Rejected, Detail: "no copies of the dictionary are written, or one is asked for already; the ops events dictionary-build say why"}
	}
	return done("a copy is begun; an ops event dictionary-build tells of its end")
}
