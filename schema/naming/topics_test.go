package naming

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func topics(t *testing.T, template string, reserved ...string) *Topics {
	t.Helper()
	parsed, err := ParseTemplate(template)
	if err != nil {
		t.Fatal(err)
	}
	return NewTopics(parsed, "cdc", "FREE", reserved...)
}

func TestTopicOfATable(t *testing.T) {
	inPDB := schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "ORDERS"}
	plain := schema.Table{Owner: "APP", Name: "ORDERS"}
	for _, c := range []struct {
		template string
		table    schema.Table
		want     string
	}{
		{"", inPDB, "cdc.FREEPDB1.APP.ORDERS"}, // seed 001, Topics
		{"", plain, "cdc.APP.ORDERS"},
		{"", schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "ORDER#"}, "cdc.FREEPDB1.APP.ORDER_"},
		{"", schema.Table{Owner: "app", Name: "Straße 1/2"}, "cdc.app.Stra_e_1_2"},
		{"{schema}.{table}.{pdb}", plain, "APP.ORDERS"},
		{"{pdb}.{table}", plain, "ORDERS"},
		{"{pdb}_{table}", plain, "_ORDERS"},
		{"a.{pdb}.{pdb}.b.{table}", plain, "a.b.ORDERS"},
		{"a.{pdb}.{pdb}.b.{table}", inPDB, "a.FREEPDB1.FREEPDB1.b.ORDERS"},
		{"{database}-{table}", inPDB, "FREE-ORDERS"},
		{"all", inPDB, "all"},
	} {
		got, err := topics(t, c.template).Topic(c.table)
		if err != nil || got != c.want {
			t.Errorf("%s of %s: %q, %v; want %q", c.template, c.table, got, err, c.want)
		}
	}
}

func TestTemplateFaultsAreFoundAtLint(t *testing.T) {
	for template, want := range map[string]string{
		"{prefix}.{owner}":   "unknown placeholder {owner}",
		"{prefix":            "{ without }",
		"{a{table}":          "{ without }",
		"table}":             "} without {",
		"{}":                 "unknown placeholder {}",
		"{Table}":            "unknown placeholder {Table}",
		"${prefix}.${table}": "write {name}, not ${name}",
	} {
		if _, err := ParseTemplate(template); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", template, err, want)
		}
	}
}

func TestReplacementThatMakesTwoTablesOneStopsWithCDC6004(t *testing.T) {
	ts := topics(t, "")
	a := schema.Table{PDB: "P", Owner: "APP", Name: "ORDER#"}
	b := schema.Table{PDB: "P", Owner: "APP", Name: "ORDER$"}
	if _, err := ts.Topic(a); err != nil {
		t.Fatal(err)
	}
	_, err := ts.Topic(b)
	if !stop.Is(err, stop.NameCollision) {
		t.Fatalf("second table: %v, want CDC-6004", err)
	}
	for _, name := range []string{a.String(), b.String(), "cdc.P.APP.ORDER_"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not name %s", err, name)
		}
	}
	if topic, err := ts.Topic(a); err != nil || topic != "cdc.P.APP.ORDER_" {
		t.Errorf("the first table lost its topic: %q, %v", topic, err)
	}
}

func TestCollisionsOfOtherKinds(t *testing.T) {
	for _, c := range []struct {
		rule, template string
		a, b           schema.Table
		collides       bool
	}{
		{"a template without {table} shares on purpose", "{schema}", schema.Table{Owner: "APP", Name: "A"}, schema.Table{Owner: "APP", Name: "B"}, false},
		{"a template without {schema} shares on purpose", "{table}", schema.Table{Owner: "X", Name: "A"}, schema.Table{Owner: "Y", Name: "A"}, false},
		{"but not what the replacement adds to it", "{table}", schema.Table{Owner: "X", Name: "A#"}, schema.Table{Owner: "Y", Name: "A$"}, true},
		{"a dot inside a name", "", schema.Table{Owner: "A.B", Name: "C"}, schema.Table{Owner: "A", Name: "B.C"}, true},
		{"parts without a separator", "{schema}{table}", schema.Table{Owner: "AB", Name: "C"}, schema.Table{Owner: "A", Name: "BC"}, true},
		{"an underscore that was there", "", schema.Table{Owner: "A", Name: "B_"}, schema.Table{Owner: "A", Name: "B$"}, true},
		{"case tells apart", "", schema.Table{Owner: "A", Name: "b"}, schema.Table{Owner: "A", Name: "B"}, false},
	} {
		ts := topics(t, c.template)
		if _, err := ts.Topic(c.a); err != nil {
			t.Fatalf("%s: %v", c.rule, err)
		}
		_, err := ts.Topic(c.b)
		if got := stop.Is(err, stop.NameCollision); got != c.collides || (err != nil) != c.collides {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

func TestNoTableGetsAnInternalTopic(t *testing.T) {
	for _, template := range []string{"", "cdc.cdc.position"} {
		ts := topics(t, template, "cdc.cdc.position")
		if _, err := ts.Topic(schema.Table{Owner: "cdc", Name: "position"}); !stop.Is(err, stop.NameCollision) {
			t.Errorf("template %q: %v, want CDC-6004", template, err)
		}
	}
}

func TestTopicTooLongIsRefused(t *testing.T) {
	ts := topics(t, "{table}")
	if topic, err := ts.Topic(schema.Table{Owner: "A", Name: strings.Repeat("X", 249)}); err != nil || len(topic) != 249 {
		t.Errorf("249 characters: %v", err)
	}
	if _, err := ts.Topic(schema.Table{Owner: "A", Name: strings.Repeat("X", 250)}); !stop.Is(err, stop.Configuration) {
		t.Errorf("250 characters: %v, want CDC-5003", err)
	}
	if _, err := ts.Topic(schema.Table{Owner: "A", Name: ".."}); !stop.Is(err, stop.Configuration) {
		t.Errorf("..: %v, want CDC-5003", err)
	}
}

func TestTablesWithDifferentNamesNeverShareATopic(t *testing.T) {
	legal := regexp.MustCompile(`^[A-Za-z0-9._-]{1,249}$`)
	rapid.Check(t, func(t *rapid.T) {
		ts := NewTopics(must(ParseTemplate("")), "cdc", "FREE")
		part := rapid.StringMatching(`[AB$#.]{1,3}`)
		owners := map[string]schema.Table{}
		for range rapid.IntRange(2, 12).Draw(t, "tables") {
			table := schema.Table{Owner: part.Draw(t, "owner"), Name: part.Draw(t, "table")}
			topic, err := ts.Topic(table)
			if err != nil {
				if !stop.Is(err, stop.NameCollision) {
					t.Fatal(err)
				}
				continue
			}
			if !legal.MatchString(topic) {
				t.Fatalf("topic %q", topic)
			}
			if other, ok := owners[topic]; ok && other != table {
				t.Fatalf("%v and %v share %s", other, table, topic)
			}
			owners[topic] = table
		}
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestInternalTopics(t *testing.T) {
	n, err := Internal{Ops: "ops-{database}", Signals: "s p"}.Resolve("shop", "FREE")
	if err != nil {
		t.Fatal(err)
	}
	want := Internal{
		Heartbeat: "shop.cdc.heartbeat", Ops: "ops-FREE", DeadLetters: "shop.cdc.dlq", Transactions: "shop.cdc.transactions",
		SchemaChanges: "shop.cdc.schema_changes", Signals: "s_p", Schema: "shop.cdc.schema", Journal: "shop.cdc.txjournal",
		Position: "shop.cdc.position",
	}
	if n != want {
		t.Errorf("%+v", n)
	}
	if len(n.Topics()) != 9 {
		t.Errorf("topics %v", n.Topics())
	}
	for _, c := range []struct {
		in   Internal
		want string
	}{
		{Internal{Position: "{table}"}, "topics.position: template"},
		{Internal{Position: "{prefix}.cdc.schema"}, "topics.position: topic shop.cdc.schema is also that of topics.schema"},
		{Internal{Schema: strings.Repeat("x", 250)}, "topics.schema: topic name"},
	} {
		if _, err := c.in.Resolve("shop", "FREE"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

func TestSchemaNames(t *testing.T) {
	got := SchemasOf("my-cdc", schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "ORDER#"})
	want := Schemas{"my-cdc.FREEPDB1.APP.ORDER#.Key", "my-cdc.FREEPDB1.APP.ORDER#.Value", "my-cdc.FREEPDB1.APP.ORDER#.Envelope"}
	if got != want {
		t.Errorf("%+v", got)
	}
	if got := SchemasOf("cdc", schema.Table{Owner: "APP", Name: "T"}).Key; got != "cdc.APP.T.Key" {
		t.Errorf("without a PDB: %s", got)
	}
}

// Profile debezium leaves the PDB out of its topics: that is nobody's choice to merge the tables of two PDBs.
func TestTemplateOfAProfileMergesNothingOnPurpose(t *testing.T) {
	for _, c := range []struct {
		template Template
		collides bool
	}{
		{must(ProfileTemplate("{prefix}.{schema}.{table}")), true},
		{must(ParseTemplate("{prefix}.{schema}.{table}")), false},
	} {
		ts := NewTopics(c.template, "cdc", "FREE")
		if topic, err := ts.Topic(schema.Table{PDB: "P1", Owner: "APP", Name: "T"}); err != nil || topic != "cdc.APP.T" {
			t.Fatal(topic, err)
		}
		if _, err := ts.Topic(schema.Table{PDB: "P2", Owner: "APP", Name: "T"}); stop.Is(err, stop.NameCollision) != c.collides {
			t.Errorf("%+v: %v", c.template, err)
		}
	}
}
