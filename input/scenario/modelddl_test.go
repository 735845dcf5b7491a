package scenario_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// modelDDL is a class of statements, with the rule that capture follows it when it is the only one on its table between two looks at
// the dictionary.
type modelDDL struct {
	name string
	fits func(*modelTable) bool
	run  func(*model, *modelTable)
}

// quiet ends the transactions that have a table locked; those on other tables go on across the DDL.
func (m *model) quiet(t *modelTable) {
	for _, w := range t.pdb.writers {
		if w.touched[t] {
			w.end(!m.chance(4))
		}
	}
}

// ddl runs a DDL that waits for nobody.
func (m *model) ddl(db *modelPDB, statement string) {
	m.s.t.Helper()
	m.note(db.name, -1, statement)
	db.ddl.exec(statement)
}

// alter runs ALTER TABLE on a table that nobody else has locked.
func (m *model) alter(t *modelTable, clause string, args ...any) {
	m.s.t.Helper()
	m.quiet(t)
	m.shape(t.pdb, t.name)
	m.ddl(t.pdb, "ALTER TABLE "+t.name+" "+fmt.Sprintf(clause, args...))
}

// shape counts a DDL by the names that it is about.
func (m *model) shape(db *modelPDB, names ...string) {
	for _, name := range names {
		m.shaped[db.name+".APP."+name]++
	}
}

// others are the columns of a table that may come and go.
func (t *modelTable) others() (out []*modelColumn) {
	for _, c := range t.columns[2:] {
		if !c.virtual {
			out = append(out, c)
		}
	}
	return out
}

func (t *modelTable) without(c *modelColumn) {
	t.columns, t.plain = slices.DeleteFunc(slices.Clone(t.columns), func(x *modelColumn) bool { return x == c }), false
}

func (m *model) column() *modelColumn {
	return &modelColumn{name: "C" + strconv.Itoa(m.next()), of: pick(m.r, m.types)}
}

// declared is a column as a statement declares it.
func (c *modelColumn) declared() string {
	out := c.name + " " + c.of.declared
	if c.byDefault != nil {
		out += " DEFAULT " + c.byDefault.sql
	}
	if c.notNull {
		out += " NOT NULL"
	}
	return out
}

// create makes a table of a kind.
func (m *model) create(db *modelPDB, name, kind string) *modelTable {
	m.s.t.Helper()
	number := classic{declared: "NUMBER(9)"}
	t := &modelTable{pdb: db, name: name, rows: map[int]modelRow{}, primary: true, plain: true}
	t.columns = []*modelColumn{{name: "ID", of: number}, {name: "K", of: number, notNull: true}}
	declared := []string{"ID NUMBER(9) PRIMARY KEY", t.columns[1].declared()}
	for range 1 + m.r.IntN(4) {
		c := m.column()
		t.columns, declared = append(t.columns, c), append(declared, c.declared())
	}
	statement := "CREATE TABLE " + name + " (" + strings.Join(declared, ", ") + ")"
	switch kind {
	case "range":
		t.partitions = []modelPartition{{"P0", keysEach / 2}, {"P1", keysEach}, {"P2", 2 * keysEach}}
		statement += fmt.Sprintf(" PARTITION BY RANGE (ID) (PARTITION P0 VALUES LESS THAN (%d), PARTITION P1 VALUES LESS THAN (%d), "+
			"PARTITION P2 VALUES LESS THAN (%d)) ENABLE ROW MOVEMENT", keysEach/2, keysEach, 2*keysEach)
	case "interval":
		t.interval = true
		statement += " PARTITION BY RANGE (ID) INTERVAL (3) (PARTITION P0 VALUES LESS THAN (1)) ENABLE ROW MOVEMENT"
	}
	m.shape(db, name)
	m.ddl(db, statement)
	db.tables = append(db.tables, t)
	return t
}

// free gives a name that no table of the PDB has.
func (m *model) free(db *modelPDB, prefix string) string {
	for {
		name := prefix + strconv.Itoa(m.r.IntN(6))
		if !slices.ContainsFunc(db.tables, func(t *modelTable) bool { return t.name == name }) {
			return name
		}
	}
}

func (m *model) rename(t *modelTable, to string) {
	m.quiet(t)
	m.shape(t.pdb, t.name, to)
	statement := "ALTER TABLE " + t.name + " RENAME TO " + to
	if m.chance(2) {
		statement = "RENAME " + t.name + " TO " + to
	}
	m.ddl(t.pdb, statement)
	was := t.full()
	t.name = to
	m.renamed[was] = t.full()
}

func (m *model) drop(t *modelTable, how string) {
	m.quiet(t)
	m.shape(t.pdb, t.name)
	m.ddl(t.pdb, "DROP TABLE "+t.name+how)
	m.dropped[t.full()] = m.dropped[t.full()] || t.interval
	t.pdb.tables = slices.DeleteFunc(t.pdb.tables, func(x *modelTable) bool { return x == t })
}

// emptied takes the rows of a partition away; nothing tells of them.
func (t *modelTable) emptied(from, below int) {
	for id := range t.rows {
		if id >= from && id < below {
			delete(t.rows, id)
		}
	}
}

func anyTable(*modelTable) bool { return true }

func hasOthers(t *modelTable) bool { return len(t.others()) > 1 }

func hasPartitions(t *modelTable) bool { return len(t.partitions) > 1 }

func (t *modelTable) one(is func(*modelColumn) bool) *modelColumn {
	for _, c := range t.columns {
		if is(c) {
			return c
		}
	}
	return nil
}

func columnDDL() []modelDDL {
	gone := func(m *model, t *modelTable, clause string) {
		c := pick(m.r, t.others())
		m.alter(t, clause, c.name)
		t.without(c)
	}
	added := func(m *model, t *modelTable, c *modelColumn) {
		t.columns, t.plain = append(slices.Clone(t.columns), c), false
	}
	return []modelDDL{
		{"add", anyTable, func(m *model, t *modelTable) {
			c := m.column()
			if m.chance(2) { // it waits for nobody: transactions on the table go on across it
				m.shape(t.pdb, t.name)
				m.ddl(t.pdb, "ALTER TABLE "+t.name+" ADD ("+c.declared()+")")
			} else {
				m.alter(t, "ADD (%s)", c.declared())
			}
			added(m, t, c)
		}},
		{"add two", anyTable, func(m *model, t *modelTable) {
			a, b := m.column(), m.column()
			m.alter(t, "ADD (%s, %s)", a.declared(), b.declared())
			added(m, t, a)
			added(m, t, b)
		}},
		{"add with default", anyTable, func(m *model, t *modelTable) {
			c := m.column()
			v := pick(m.r, c.of.values)
			c.byDefault = &v
			m.shape(t.pdb, t.name)
			m.ddl(t.pdb, "ALTER TABLE "+t.name+" ADD ("+c.declared()+")")
			added(m, t, c)
			t.guarded = true
		}},
		{"add with default not null", anyTable, func(m *model, t *modelTable) {
			c := m.column()
			v := pick(m.r, c.of.values)
			c.byDefault, c.notNull = &v, true
			m.alter(t, "ADD (%s)", c.declared())
			added(m, t, c)
			t.guarded = true
		}},
		{"drop column", hasOthers, func(m *model, t *modelTable) { gone(m, t, "DROP COLUMN %s") }},
		{"set unused", hasOthers, func(m *model, t *modelTable) { gone(m, t, "SET UNUSED (%s)") }},
		{"drop unused", func(t *modelTable) bool { return !t.plain }, func(m *model, t *modelTable) { m.alter(t, "DROP UNUSED COLUMNS") }},
		{"rename column", hasOthers, func(m *model, t *modelTable) {
			c, to := pick(m.r, t.others()), "C"+strconv.Itoa(m.next())
			m.alter(t, "RENAME COLUMN %s TO %s", c.name, to)
			c.name, t.plain = to, false
		}},
		{"widen", func(t *modelTable) bool { return t.one(wider) != nil }, func(m *model, t *modelTable) {
			c := t.one(wider)
			m.alter(t, "MODIFY (%s VARCHAR2(%d))", c.name, 50+m.next())
			t.plain = false
		}},
		{"invisible", hasOthers, func(m *model, t *modelTable) {
			c := pick(m.r, t.others())
			word := map[bool]string{true: "VISIBLE", false: "INVISIBLE"}[c.invisible]
			m.alter(t, "MODIFY %s %s", c.name, word)
			c.invisible, t.plain = !c.invisible, false
		}},
		{"virtual", anyTable, func(m *model, t *modelTable) {
			if c := t.one(func(c *modelColumn) bool { return c.virtual }); c != nil {
				m.alter(t, "DROP COLUMN %s", c.name)
				t.without(c)
				return
			}
			c := &modelColumn{name: "V" + strconv.Itoa(m.next()), virtual: true}
			m.alter(t, "ADD (%s NUMBER GENERATED ALWAYS AS (ID + 1) VIRTUAL)", c.name)
			added(m, t, c)
		}},
		{"key", func(t *modelTable) bool { return !t.partitioned() }, func(m *model, t *modelTable) {
			switch {
			case !t.unique:
				m.quiet(t)
				m.shape(t.pdb, t.name)
				m.ddl(t.pdb, fmt.Sprintf("CREATE UNIQUE INDEX %s_K ON %s (K)", t.name, t.name))
				t.unique = true
			case t.primary:
				m.alter(t, "DROP PRIMARY KEY")
				t.primary = false
			default:
				m.alter(t, "ADD PRIMARY KEY (ID)")
				t.primary = true
			}
		}},
	}
}

// wider are columns whose type a MODIFY makes longer: what they hold stays.
func wider(c *modelColumn) bool { return c.of.declared == "VARCHAR2(40)" && !c.invisible }

func tableDDL() []modelDDL {
	return []modelDDL{
		{"rename to a captured name", anyTable, func(m *model, t *modelTable) { m.rename(t, m.free(t.pdb, "T")) }},
		{"rename away", anyTable, func(m *model, t *modelTable) { m.rename(t, m.free(t.pdb, "U")) }},
		{"purge", anyTable, func(m *model, t *modelTable) { m.drop(t, " PURGE") }},
		{"drop", func(t *modelTable) bool { return !t.partitioned() && !t.unique }, func(m *model, t *modelTable) {
			m.drop(t, "")
			t.pdb.bin = append(t.pdb.bin, t)
		}},
		{"flashback", func(t *modelTable) bool { return len(t.pdb.bin) > 0 }, func(m *model, t *modelTable) {
			back := t.pdb.bin[len(t.pdb.bin)-1]
			t.pdb.bin = slices.DeleteFunc(t.pdb.bin, func(x *modelTable) bool { return x.name == back.name }) // older ones of that name stay where they are
			was, to := back.name, m.free(t.pdb, "T")
			m.shape(t.pdb, was, to)
			m.ddl(t.pdb, "FLASHBACK TABLE "+was+" TO BEFORE DROP RENAME TO "+to)
			back.name = to
			t.pdb.tables = append(t.pdb.tables, back)
		}},
		{"create", anyTable, func(m *model, t *modelTable) {
			m.create(t.pdb, m.free(t.pdb, pick(m.r, []string{"T", "T", "U"})), pick(m.r, []string{"heap", "heap", "range", "interval"}))
		}},
		{"truncate", anyTable, func(m *model, t *modelTable) {
			m.quiet(t)
			m.shape(t.pdb, t.name)
			m.ddl(t.pdb, "TRUNCATE TABLE "+t.name)
			if clear(t.rows); t.captured() {
				m.expected = append(m.expected, expectation{text: t.full() + "  t null"})
			}
		}},
		{"move", func(t *modelTable) bool { return !t.partitioned() }, func(m *model, t *modelTable) { m.alter(t, "MOVE") }},
		{"storage", anyTable, func(m *model, t *modelTable) {
			m.alter(t, "%s", pick(m.r, []string{"ENABLE ROW MOVEMENT", "CACHE", "PCTFREE 20", "NOPARALLEL"}))
		}},
		{"logging", anyTable, func(m *model, t *modelTable) {
			m.alter(t, "%s SUPPLEMENTAL LOG DATA (ALL) COLUMNS", map[bool]string{true: "DROP", false: "ADD"}[t.logged])
			t.logged = !t.logged
		}},
		{"comment", anyTable, func(m *model, t *modelTable) { m.ddl(t.pdb, "COMMENT ON TABLE "+t.name+" IS 'drop table'") }},
	}
}

func partitionDDL() []modelDDL {
	static := func(t *modelTable) bool { return t.partitions != nil }
	return []modelDDL{
		{"add partition", static, func(m *model, t *modelTable) {
			p := modelPartition{"P" + strconv.Itoa(m.next()+10), t.partitions[len(t.partitions)-1].below + 5}
			m.alter(t, "ADD PARTITION %s VALUES LESS THAN (%d)", p.name, p.below)
			t.partitions = append(t.partitions, p)
		}},
		{"split partition", static, func(m *model, t *modelTable) {
			at := m.r.IntN(len(t.partitions))
			from, below := t.partition(at)
			if below-from < 2 {
				return
			}
			middle, a, b := (from+below)/2, m.next()+10, m.next()+10
			m.alter(t, "SPLIT PARTITION %s AT (%d) INTO (PARTITION P%d, PARTITION P%d)", t.partitions[at].name, middle, a, b)
			t.partitions = slices.Replace(slices.Clone(t.partitions), at, at+1, modelPartition{fmt.Sprintf("P%d", a), middle}, modelPartition{fmt.Sprintf("P%d", b), below})
		}},
		{"merge partitions", hasPartitions, func(m *model, t *modelTable) {
			at, into := m.r.IntN(len(t.partitions)-1), m.next()+10
			m.alter(t, "MERGE PARTITIONS %s, %s INTO PARTITION P%d", t.partitions[at].name, t.partitions[at+1].name, into)
			t.partitions = slices.Replace(slices.Clone(t.partitions), at, at+2, modelPartition{fmt.Sprintf("P%d", into), t.partitions[at+1].below})
		}},
		{"move partition", static, func(m *model, t *modelTable) { m.alter(t, "MOVE PARTITION %s", pick(m.r, t.partitions).name) }},
		{"truncate partition", static, func(m *model, t *modelTable) {
			at := m.r.IntN(len(t.partitions))
			m.alter(t, "TRUNCATE PARTITION %s", t.partitions[at].name)
			t.emptied(t.partition(at))
		}},
		{"drop partition", hasPartitions, func(m *model, t *modelTable) {
			at := m.r.IntN(len(t.partitions))
			m.alter(t, "DROP PARTITION %s", t.partitions[at].name)
			t.emptied(t.partition(at))
			t.partitions = slices.Delete(slices.Clone(t.partitions), at, at+1)
		}},
		{"exchange partition", func(t *modelTable) bool { return t.partitions != nil && t.plain && t.primary }, exchange},
	}
}

// exchange gives a partition the rows of a table that is not captured, and that table those of the partition.
func exchange(m *model, t *modelTable) {
	at := m.r.IntN(len(t.partitions))
	from, below := t.partition(at)
	id := from + m.r.IntN(below-from)
	other := &modelTable{pdb: t.pdb, name: m.free(t.pdb, "U"), columns: t.columns, rows: map[int]modelRow{}, primary: true, plain: true}
	declared, row := []string{"ID NUMBER(9) PRIMARY KEY"}, modelRow{t.columns[0]: strconv.Itoa(id), t.columns[1]: strconv.Itoa(m.next())}
	for _, c := range t.columns[1:] {
		declared = append(declared, c.declared())
	}
	m.ddl(t.pdb, "CREATE TABLE "+other.name+" ("+strings.Join(declared, ", ")+")")
	for _, c := range t.columns[2:] {
		row[c] = "null"
	}
	m.ddl(t.pdb, fmt.Sprintf("INSERT INTO %s (ID, K) VALUES (%d, %s)", other.name, id, row[t.columns[1]]))
	m.shape(t.pdb, other.name)
	m.alter(t, "EXCHANGE PARTITION %s WITH TABLE %s", t.partitions[at].name, other.name)
	t.emptied(from, below)
	t.rows[id] = row
	m.drop(other, " PURGE")
}

// severalDDL are statements that belong together.
func severalDDL() []modelDDL {
	return []modelDDL{
		{"swap columns", func(t *modelTable) bool { _, b := twins(t); return b != nil }, func(m *model, t *modelTable) {
			a, b := twins(t)
			for _, to := range [][2]string{{a.name, "X"}, {b.name, a.name}, {"X", b.name}} {
				m.alter(t, "RENAME COLUMN %s TO %s", to[0], to[1])
			}
			a.name, b.name, t.plain = b.name, a.name, false
		}},
		{"there and back", hasOthers, func(m *model, t *modelTable) {
			c := pick(m.r, t.others())
			was := c.name
			m.alter(t, "RENAME COLUMN %s TO X", was)
			c.name = "X"
			m.statementsOf(m.r.IntN(6))
			m.alter(t, "RENAME COLUMN X TO %s", was)
			c.name = was
		}},
		{"swap tables", func(t *modelTable) bool { return len(t.pdb.tables) > 1 }, func(m *model, t *modelTable) {
			other := t.pdb.tables[0]
			if other == t {
				other = t.pdb.tables[1]
			}
			a, b, between := t.name, other.name, m.free(t.pdb, pick(m.r, []string{"T", "U"}))
			m.rename(t, between)
			m.statementsOf(m.r.IntN(3))
			m.rename(other, a)
			m.rename(t, b)
		}},
		{"made again", anyTable, func(m *model, t *modelTable) {
			name := t.name
			m.drop(t, " PURGE")
			m.statementsOf(m.r.IntN(3))
			m.create(t.pdb, name, "heap")
		}},
		{"two at once", hasOthers, func(m *model, t *modelTable) {
			c := pick(m.r, t.others())
			m.alter(t, "DROP COLUMN %s", c.name)
			t.without(c)
			m.statementsOf(m.r.IntN(3))
			c = m.column()
			m.alter(t, "ADD (%s)", c.declared())
			t.columns = append(slices.Clone(t.columns), c)
		}},
		{"created with rows", anyTable, func(m *model, t *modelTable) {
			name := m.free(t.pdb, "T")
			m.quiet(t)
			m.shape(t.pdb, name)
			m.filled = m.filled || len(t.rows) > 0 // of none there is nothing to miss
			m.ddl(t.pdb, "CREATE TABLE "+name+" AS SELECT * FROM "+t.name)
			m.ddl(t.pdb, "DROP TABLE "+name+" PURGE")
			m.loaded = append(m.loaded, t.pdb.name+".APP."+name)
		}},
	}
}

// twins are two columns of one type.
func twins(t *modelTable) (a, b *modelColumn) {
	for i, a := range t.columns {
		for _, b := range t.columns[i+1:] {
			if i > 1 && !a.virtual && a.of.declared == b.of.declared && a.notNull == b.notNull {
				return a, b
			}
		}
	}
	return nil, nil
}
