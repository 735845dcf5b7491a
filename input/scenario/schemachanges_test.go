package scenario_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// schemaChange is a schema change as its consumer reads it.
type schemaChange struct {
	Source struct {
		DB, Schema, Table, SCN string
		Commit                 string `json:"commit_scn"`
	}
	TS           int64  `json:"ts_ms"`
	DatabaseName string `json:"databaseName"`
	SchemaName   string `json:"schemaName"`
	DDL          string
	TableChanges []struct {
		Type, ID string
		Table    *struct {
			Key     []string `json:"primaryKeyColumnNames"`
			Columns []struct {
				Name   string
				Type   string `json:"typeName"`
				Length *int
				Scale  *int
			}
		}
	} `json:"tableChanges"`
}

// defined is a schema change in short: the table of the source block and what became of tables, with their columns.
func defined(value []byte) string {
	var c schemaChange
	if err := json.Unmarshal(value, &c); err != nil {
		return fmt.Sprintf("%v: %s", err, value)
	}
	out := "ddl " + c.Source.Table
	for _, t := range c.TableChanges {
		out += " " + t.Type + " " + t.ID[strings.LastIndex(t.ID, ".")+1:]
		if t.Table == nil {
			continue
		}
		var columns []string
		for _, column := range t.Table.Columns {
			columns = append(columns, column.Name)
		}
		out += fmt.Sprintf("(%s; %s)", strings.Join(columns, ","), strings.Join(t.Table.Key, ","))
	}
	return out
}

func withDefinitions(messages []message) []string {
	var out []string
	for _, m := range messages {
		if m.event.Kind == change.SchemaChange {
			out = append(out, defined(m.value))
			continue
		}
		out = append(out, m.line())
	}
	return out
}

// Each kind of DDL on a captured table is told of once, at its commit: behind what committed before it and in front of the first row of
// the new layout, also in a stream that begins again between them.
func TestR93SchemaChangesAreInOrderWithTheRows(t *testing.T) {
	s := begin(t)
	s.logAll()
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	s.table("kept", "id NUMBER(9) PRIMARY KEY")
	with := fields{
		"include": s.include("t", "u", "made", "kept", fenceTable), "emit.schema_changes": true, "records.truncates": true, "metadata": everyMetadatum(),
	}
	p := s.start(with)
	open := s.connect(app).begin()
	open.exec("INSERT INTO $kept VALUES (9)")
	s.commit("INSERT INTO $t VALUES (1, 1)")
	for _, step := range [][2]string{
		{"ALTER TABLE $t ADD (note VARCHAR2(10) DEFAULT 'n''n')", "INSERT INTO $t VALUES (2, 2, 'x')"},
		{"ALTER TABLE $t MODIFY (v NUMBER(12))", "UPDATE $t SET v = 123456789012 WHERE id = 2"},
		{"ALTER TABLE $t RENAME COLUMN v TO w", "INSERT INTO $t VALUES (3, 3, NULL)"},
		{"ALTER TABLE $t DROP COLUMN w", "INSERT INTO $t VALUES (4, 'y')"},
		{"TRUNCATE TABLE $t", "INSERT INTO $t VALUES (5, NULL)"},
		{"COMMENT ON TABLE $t IS 'nothing'", ""},
		{"ALTER TABLE $t RENAME TO $u", "INSERT INTO $u VALUES (6, NULL)"},
		{"ALTER TABLE $u RENAME TO $away", "INSERT INTO $away VALUES (7, NULL)"},
		{"ALTER TABLE $away ADD (z NUMBER(1))", ""},
		{"CREATE TABLE $made (a NUMBER(9) PRIMARY KEY, b DATE)", "INSERT INTO $made VALUES (8, NULL)"},
		{"CREATE INDEX $made_b ON $made (b)", ""},
		{"DROP TABLE $made PURGE", ""},
	} {
		s.exec(step[0])
		if step[1] != "" {
			s.commit(step[1])
		}
		p.settle()
	}
	open.commit()
	got := p.settle()
	want := []string{
		`{"ID":1} c {"ID":1,"V":1}`,
		`ddl T ALTER "T"(ID,V,NOTE; ID)`, `{"ID":2} c {"ID":2,"V":2,"NOTE":"x"}`,
		`ddl T ALTER "T"(ID,V,NOTE; ID)`, `{"ID":2} u {"ID":2,"V":2,"NOTE":"x"} -> {"ID":2,"V":123456789012,"NOTE":"x"}`,
		`ddl T ALTER "T"(ID,W,NOTE; ID)`, `{"ID":3} c {"ID":3,"W":3,"NOTE":null}`,
		`ddl T ALTER "T"(ID,NOTE; ID)`, `{"ID":4} c {"ID":4,"NOTE":"y"}`,
		`ddl T`, ` t null`, `{"ID":5} c {"ID":5,"NOTE":null}`,
		`ddl T,U ALTER "U"(ID,NOTE; ID)`, `{"ID":6} c {"ID":6,"NOTE":null}`,
		`ddl U,AWAY ALTER "AWAY"(ID,NOTE; ID)`,
		`ddl MADE CREATE "MADE"(A,B; A)`, `{"A":8} c {"A":8,"B":null}`,
		`ddl MADE DROP "MADE"`,
		`{"ID":9} c {"ID":9}`,
	}
	if diff := cmp.Diff(want, withDefinitions(got)); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	last := position.SCN(0)
	for _, m := range got {
		if m.event.Transaction.Key.SCN < last {
			t.Errorf("%s committed at %s is behind %s", m.value, m.event.Transaction.Key.SCN, last)
		}
		last = m.event.Transaction.Key.SCN
		if m.event.Kind != change.SchemaChange {
			if m.metadata["event_index"] != int64(m.event.Index) || m.event.Index >= m.event.Transaction.Count {
				t.Errorf("index %d of %d in %s", m.event.Index, m.event.Transaction.Count, m.value)
			}
			continue
		}
		var c schemaChange
		if err := json.Unmarshal(m.value, &c); err != nil {
			t.Fatal(err)
		}
		if m.metadata["message_type"] != "schema_change" || m.metadata["kafka_topic"] != "shop.cdc.schema_changes" || m.metadata["operation"] != nil ||
			m.metadata["kafka_key"] != `{"databaseName":"`+c.DatabaseName+`"}` || m.metadata["commit_scn"] != c.Source.Commit ||
			c.Source.Commit != m.event.Transaction.Key.SCN.String() || c.Source.DB != c.DatabaseName || c.SchemaName != c.Source.Schema || c.TS != m.event.Transaction.CommitMillis {
			t.Errorf("metadata %v of %s", m.metadata, m.value)
		}
	}
	var added schemaChange
	if err := json.Unmarshal(got[1].value, &added); err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(added.DDL, "ADD (note VARCHAR2(10) DEFAULT 'n''n')") || !strings.Contains(string(got[1].value), `"defaultValueExpression":"'n''n'"`) {
		t.Errorf("%s", got[1].value)
	}
}

// Without the option nobody is told, and nothing else changes; a TRUNCATE alone has its record without it.
func TestSchemaChangesAreOffByDefault(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	p := s.start(nil)
	s.exec("ALTER TABLE $t ADD (note VARCHAR2(10))")
	s.exec("TRUNCATE TABLE $t")
	s.commit("INSERT INTO $t VALUES (1, 1, 'x')")
	same(t, p.settle(), `{"ID":1} c {"ID":1,"V":1,"NOTE":"x"}`)
}

// A layout that nobody has seen, since another DDL followed before capture read the dictionary, is not guessed: the statement is told of
// without it, and the last one has the layout that rows have from there on.
func TestSchemaChangesOfSeveralDDLInOneStep(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	s.logAll()
	with := fields{"include": s.include("t", "made", fenceTable), "emit.schema_changes": true, "mining.poll_interval": "2s", "mining.idle_interval": "2s"}
	p := s.start(with)
	for _, statement := range []string{
		"ALTER TABLE $t ADD (a NUMBER(9))", "ALTER TABLE $t ADD (b NUMBER(9))", "CREATE TABLE $made (x NUMBER(9) PRIMARY KEY)",
		"ALTER TABLE $made ADD (y NUMBER(9))", "ALTER TABLE $t ADD (c NUMBER(9))",
	} {
		s.exec(statement)
	}
	s.commit("INSERT INTO $t VALUES (1, 1, 1, 1, 1)", "INSERT INTO $made VALUES (2, 2)")
	want := []string{
		"ddl T", "ddl T", `ddl MADE CREATE "MADE"(X,Y; X)`, `ddl MADE ALTER "MADE"(X,Y; X)`, `ddl T ALTER "T"(ID,V,A,B,C; ID)`,
		`{"ID":1} c {"ID":1,"V":1,"A":1,"B":1,"C":1}`, `{"X":2} c {"X":2,"Y":2}`,
	}
	if diff := cmp.Diff(want, withDefinitions(p.settle())); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
}

// The text of a DDL on a table with columns that are never read may show a value of one, as a default.
func TestSchemaChangeShowsNothingOfAnExcludedColumn(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(fields{"emit.schema_changes": true, "columns.exclude": []string{`.*\.T\.SECRET`}})
	s.exec("ALTER TABLE $t ADD (secret VARCHAR2(20) DEFAULT 'hush', note NUMBER(1))")
	got := p.settle()
	if diff := cmp.Diff([]string{`ddl T ALTER "T"(ID,NOTE; ID)`}, withDefinitions(got)); diff != "" {
		t.Fatalf("messages (-want +got):\n%s", diff)
	}
	if text := string(got[0].value); strings.Contains(text, "hush") || !strings.Contains(text, `"ddl":"<withheld: columns.exclude may match this table>"`) {
		t.Error(text)
	}
}

// Debezium has one topic and one partition for all databases. A stream that begins again repeats what was not acknowledged, in order and
// with the same content; BEGIN and END, dead letters and the schema topic are as without schema changes.
func TestSchemaChangesOfTwoPDBsOverRestarts(t *testing.T) {
	s, other := beginWithPDBs(t)
	b := newBroker(t)
	with := fields{
		"include": []string{`APP\..*`}, "emit.schema_changes": true, "emit.transactions": true, "records.profile": "debezium", "records.encoding": "json_schema", "records.key_encoding": "json",
		"topics.template": "{prefix}.{pdb}.{schema}.{table}", "on_decode_error": "dlq",
	}
	var want []string
	row := map[string]int{}
	work := func(n int) {
		for _, c := range []*session{s.session, other} {
			pdb := map[bool]string{true: standInPDB, false: otherPDB}[c == s.session]
			open := c.begin()
			open.exec("INSERT INTO $t (id, v) VALUES (:1, 0)", n)
			open.commit()
			c.exec(fmt.Sprintf("ALTER TABLE $t ADD (c%d NUMBER(9))", n))
			c.commit(fmt.Sprintf("INSERT INTO $t (id, c%d) VALUES (%d, 1)", n, 100+n))
			want = append(want, fmt.Sprintf("%s c%d", pdb, n))
			row[pdb] += 2
		}
	}
	p := s.startKafka(b, with)
	for n := range 5 {
		work(2 * n)
		p.settleKafka(b)
		if n%2 == 0 {
			p.stop()
		} else {
			p.stopHard()
		}
		work(2*n + 1)
		p = s.launchKafka(b, with, "kafka_franz: {}")
		p.settleKafka(b) // before the next DDL: rows between two that nobody saw would be CDC-6001
	}
	p.stop()
	var got []string
	bodies := map[string]string{}
	for _, r := range b.topic("shop") {
		var c struct{ Payload schemaChange }
		if err := json.Unmarshal(r.Value, &c); err != nil {
			t.Fatal(err)
		}
		var key schemaChange
		if err := json.Unmarshal(r.Key, &key); err != nil || key.DatabaseName != c.Payload.DatabaseName {
			t.Errorf("key %s: %v", r.Key, err)
		}
		name := c.Payload.DDL[strings.Index(c.Payload.DDL, "(c")+1:]
		name = c.Payload.DatabaseName + " " + name[:strings.Index(name, " ")]
		body := fmt.Sprintf("%s %s %+v", c.Payload.Source.Commit, c.Payload.DDL, len(c.Payload.TableChanges))
		if was, repeated := bodies[name]; repeated {
			if was != body {
				t.Errorf("%s was %s and is %s", name, was, body)
			}
			continue
		}
		bodies[name] = body
		got = append(got, name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schema changes (-want +got):\n%s", diff)
	}
	if _, partitions := b.settings("shop"); partitions != 1 {
		t.Errorf("%d partitions", partitions)
	}
	for pdb, n := range row {
		rows := map[string]bool{}
		for _, r := range b.topic("shop." + pdb + ".APP.T") {
			rows[string(r.Key)] = true
		}
		if len(rows) != n {
			t.Errorf("%d rows of %s, want %d", len(rows), pdb, n)
		}
	}
	for _, r := range b.topic("shop.transaction") {
		if strings.Contains(string(r.Value), `"event_count":0`) {
			t.Errorf("%s", r.Value)
		}
	}
	if n := len(b.topic("shop.cdc.dlq")); n != 0 {
		t.Errorf("%d dead letters", n)
	}
}
