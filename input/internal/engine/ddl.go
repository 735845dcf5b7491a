package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// committedDDL is a DDL row with the commit SCN of its transaction.
type committedDDL struct {
	ddlRow
	commit position.SCN
}

// judge looks at the DDL whose transactions commit in the step, which ends at bound. It reports whether the captured tables changed
// or the dictionary has to be read behind a later bound, so that the same step must be mined again up to that (R102). A DDL that this
// version cannot follow marks its transaction: capture stops when that commits (R93).
func (m *miner) judge(ctx context.Context, bound position.SCN, tail bool) (again position.SCN, err error) {
	var committed []committedDDL
	committed, m.undecided = m.decided()
	if len(committed) == 0 {
		return 0, nil
	}
	now, err := m.readTables(ctx)
	if err != nil {
		return 0, err
	}
	m.stepOps = nil
	stopping := false
	for _, d := range committed {
		m.stepOps = append(m.stepOps, opsEvent{ddlSeenEvent, []detail{{"table", d.table.String()}, {"scn", d.scn.String()}, {"commit_scn", d.commit.String()}}})
		what := ""
		switch kind := statementOf(d.text); {
		case rowless(d.text) && m.captured(&d.ddlRow):
			if m.config.StopAtBulkDDL || !bulk(d.text) {
				what = kind + " changed rows of a captured table without row events"
				break
			}
			m.config.Log.Warn("A DDL changed rows of a captured table without row events", "table", d.table.String(), "statement", kind, "scn", d.scn.String())
			m.stepOps = append(m.stepOps, opsEvent{bulkDDLEvent, []detail{
				{"table", d.table.String()}, {"statement", kind}, {"scn", d.scn.String()}, {"commit_scn", d.commit.String()},
			}})
		case filled(d.text) && (now.byName[d.table] != nil || m.captured(&d.ddlRow)):
			what = "a table that is captured was created with rows (AS SELECT), which the redo may not have"
		case d.scn < m.started && !harmless(d.text) && m.names(&d.ddlRow) && !m.remembers(&d.ddlRow):
			what = kind + " was run on a table that matches before capture began here, and no version of the table from before it is stored"
		}
		if what != "" {
			stopping = true
			m.buffer.Fault(d.id, stop.New(stop.DDL, fmt.Sprintf("%s at SCN %s", d.table, d.scn), "%s", what).
				Doing("exclude the table and restart, the others go on behind it; to capture it again, begin anew with a new topic_prefix. "+
					"A schema topic (oracle_schema in the pipeline) keeps versions over a restart"))
		}
	}
	d := m.tables.differs(now)
	if stopping || d.none() {
		return 0, nil
	}
	behind, err := m.db.reading(ctx)
	if err != nil {
		return 0, err
	}
	if h := &m.history; tail && (h.look == nil || bound < h.behind || !h.look.differs(now).none()) {
		// Every DDL up to the reading belongs in the step: then the layout is that of the last one (R96).
		h.look, h.behind = now, behind
		if bound < behind {
			return behind, nil
		}
	}
	m.history.look = nil
	changed, err := m.follow(now, d, committed, behind, tail)
	if err != nil || !changed {
		return 0, err
	}
	return bound, nil
}

// remembers reports whether a DDL is about a table of which versions were stored when capture began.
func (m *miner) remembers(d *ddlRow) bool {
	for _, e := range m.tables.byObject[d.object] {
		if m.history.stored[e.version.Table] {
			return true
		}
	}
	return m.history.stored[d.table]
}

// decided sorts the DDL rows of this step and of those before by what became of their transactions; what was rolled back is
// gone.
func (m *miner) decided() (committed []committedDDL, undecided []ddlRow) {
	for _, rows := range [][]ddlRow{m.ddl, m.applier.ddl} {
		for _, d := range rows {
			switch end, ended := m.buffer.Ending(d.id); {
			case !ended:
				undecided = append(undecided, d)
			case end.Commit:
				committed = append(committed, committedDDL{d, end.Key.SCN})
			}
		}
	}
	return committed, undecided
}

// concerns reports whether a DDL may change the captured set: it is about a captured segment or table, about one that matches,
// or renames something. It completes the table's name.
func (m *miner) concerns(d *ddlRow) bool {
	d.table.PDB = m.pdbName(d.object.container)
	if watched, known := m.watches(d.object.container); !known || !watched {
		return watched
	}
	return m.captured(d) || m.config.Selection.Captured(d.table) || strings.Contains(strings.ToUpper(d.text), "RENAME")
}

// watches reports whether tables of a container may be captured. One that nobody knows was made since the containers were read, and
// is looked at where every one counts.
func (m *miner) watches(container int) (watched, known bool) {
	if !m.facts.CDB {
		return true, true
	}
	for _, c := range m.facts.PDBs {
		if c.ID == container {
			named := func(name string) bool { return strings.EqualFold(name, c.Name) }
			return len(m.config.PDBs) == 0 || slices.ContainsFunc(m.config.PDBs, named), true
		}
	}
	return len(m.config.PDBs) == 0 && container >= oracle.FirstPDB, false
}

// names reports whether a DDL is about a table that is captured or matches, under its old name or its new one.
func (m *miner) names(d *ddlRow) bool {
	if m.captured(d) || m.config.Selection.Captured(d.table) {
		return true
	}
	for _, word := range words(d.text) {
		if m.config.Selection.Captured(schema.Table{PDB: d.table.PDB, Owner: d.table.Owner, Name: word}) {
			return true
		}
	}
	return false
}

// words gives the words of a statement, upper-case and without quotes.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool {
		return r != '_' && r != '$' && r != '#' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// creates reports a DDL that makes a table.
func creates(text string) bool {
	w := bare(text)
	return len(w) > 0 && w[0] == "CREATE" && slices.Contains(w, "TABLE")
}

// renaming reports a DDL that may give a table another name.
func renaming(text string) bool { return slices.Contains(bare(text), "RENAME") }

// bare gives the words of a statement, upper-case, without comments, texts and quoted names: what it does and not what it is about.
func bare(text string) []string {
	var kept strings.Builder
	for len(text) > 0 {
		skip := 0
		switch {
		case strings.HasPrefix(text, "/*"):
			skip = behind(text, 2, "*/")
		case strings.HasPrefix(text, "--"):
			skip = behind(text, 2, "\n")
		case text[0] == '\'', text[0] == '"':
			skip = behind(text, 1, text[:1]) // a doubled quote begins the next one
		}
		if skip > 0 {
			kept.WriteByte(' ')
			text = text[skip:]
			continue
		}
		kept.WriteByte(text[0])
		text = text[1:]
	}
	return words(kept.String())
}

// behind is where a text goes on behind the next end mark.
func behind(text string, from int, end string) int {
	if at := strings.Index(text[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(text)
}

// statementOf names a statement by its first words.
func statementOf(text string) string {
	w := bare(text)
	if len(w) == 0 {
		return "a DDL"
	}
	return strings.Join(w[:min(2, len(w))], " ")
}

// harmless reports a DDL after which rows from before it still have their names: it makes something new, or changes no column. It
// errs towards stopping.
func harmless(text string) bool {
	w := bare(text)
	if len(w) == 0 {
		return false
	}
	switch w[0] {
	case "CREATE", "GRANT", "REVOKE", "COMMENT", "ANALYZE", "AUDIT", "NOAUDIT":
		return true
	case "ALTER":
		return len(w) > 1 && w[1] == "INDEX" || strings.Contains(strings.Join(w, " "), " SUPPLEMENTAL LOG ")
	case "DROP":
		return len(w) > 1 && w[1] == "INDEX"
	}
	return false
}

func (m *miner) captured(d *ddlRow) bool {
	if segments, ok := m.tables.byObject[d.object]; ok && !segments[segments.at(d.scn)].gone {
		return true
	}
	_, ok := m.tables.byName[d.table]
	return ok
}

// rowless reports a DDL that changes rows without row events (R129): TRUNCATE, partition maintenance, FLASHBACK TABLE. What makes a
// table, or says something of it, changes none. It errs towards stopping.
func rowless(text string) bool {
	w := bare(text)
	if len(w) == 0 {
		return true
	}
	switch w[0] {
	case "CREATE", "COMMENT", "GRANT", "REVOKE", "ANALYZE", "AUDIT", "NOAUDIT", "RENAME", "PURGE":
		return false
	}
	return slices.ContainsFunc(w, func(word string) bool {
		switch word {
		case "TRUNCATE", "FLASHBACK", "EXCHANGE", "PARTITION", "PARTITIONS", "SUBPARTITION", "SUBPARTITIONS", "PARTITIONSET":
			return true
		}
		return false
	})
}

// bulk reports, of a rowless DDL, one whose effect is known: rows went, came or moved with their table or partition. FLASHBACK TABLE may
// show the rows that it brings back, or not.
func bulk(text string) bool {
	w := bare(text)
	return len(w) > 0 && w[0] != "FLASHBACK"
}

// empties reports a TRUNCATE of a whole table.
func empties(text string) bool {
	w := bare(text)
	return len(w) > 1 && w[0] == "TRUNCATE" && w[1] == "TABLE"
}

// filled reports a CREATE TABLE AS SELECT: whether LogMiner shows its rows is not known of every database (R107), and a snapshot
// comes with a later version.
func filled(text string) bool {
	w := bare(text)
	if len(w) == 0 || w[0] != "CREATE" || !slices.Contains(w, "TABLE") {
		return false
	}
	for i, word := range w[:len(w)-1] {
		if word == "AS" && (w[i+1] == "SELECT" || w[i+1] == "WITH") {
			return true
		}
	}
	return false
}

func (m *miner) pdbName(container int) string {
	for _, c := range m.facts.PDBs {
		if c.ID == container {
			return c.Name
		}
	}
	return ""
}
