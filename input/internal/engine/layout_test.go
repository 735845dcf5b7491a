package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// secretScene has a third column in table A, which columns.exclude takes away.
func secretScene(t *testing.T) *scene {
	s := newScene(t)
	secret := s.a.Columns[1]
	secret.Name, secret.SegmentID = "SECRET", 3
	s.a.Columns = append(s.a.Columns, secret)
	s.a.Seal()
	s.config.Columns = mustColumns(t, nil, []string{`.*\.SECRET`})
	return s
}

func mustColumns(t *testing.T, include, exclude []string) *naming.Columns {
	t.Helper()
	c, err := naming.NewColumns(include, exclude, false)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustKeys(t *testing.T, byTable map[string][]string) *naming.Keys {
	t.Helper()
	k, err := naming.NewKeys(byTable, false)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func secretInsert(s *scene, n uint16, scn uint64, id int, v, secret string) logminer.Row {
	r := insert(s.a, xid(n), position.SCN(scn), id, v)
	r.Redo = fmt.Sprintf(`insert into "APP"."A"("ID","V","SECRET") values ('%d','%s','%s');`, id, v, secret)
	return r
}

func secretUpdate(s *scene, n uint16, scn uint64, set, v, secret string) logminer.Row {
	r := update(s.a, xid(n), position.SCN(scn), image{1, v}, image{1, v})
	r.Redo = fmt.Sprintf(`update "APP"."A" set %s where "ID" = '1' and "V" = '%s' and "SECRET" = '%s' and ROWID = 'AAAID1';`, set, v, secret)
	return r
}

// R114, R115: update a, update an excluded column of the same row, rollback to the savepoint between, commit: the first update is
// published. Without its stub the undo would take the first update back.
func TestR114UndoOfAnUpdateOfAnExcludedColumnTakesNothingElseBack(t *testing.T) {
	s := secretScene(t)
	hidden := secretUpdate(s, 1, 1003, `"SECRET" = 'two'`, "b", "one")
	s.step(
		secretUpdate(s, 1, 1002, `"V" = 'b'`, "a", "one"),
		hidden, undone(hidden, 1004), commit(xid(1), 1005),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 u A/1 a>b")
}

// An update of excluded columns alone is an update without a change, as one of a LOB alone is (seed 001).
func TestUpdateOfAnExcludedColumnAloneIsAnUpdate(t *testing.T) {
	s := secretScene(t)
	s.step(secretInsert(s, 1, 1001, 1, "a", "one"), secretUpdate(s, 1, 1002, `"SECRET" = 'two'`, "a", "one"), commit(xid(1), 1005))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 u A/1 a>a")
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Kind == change.Change && strings.Contains(string(ev.Value), "SECRET") {
				t.Errorf("the record names the column: %s", ev.Value)
			}
		}
	}
}

// Seed 001: an error about a statement that cannot be read names the row without quoting it, whatever log_row_values says. A damaged
// text can have a value where a name is expected.
func TestErrorsDoNotQuoteRowsThatMayHoldAnExcludedColumn(t *testing.T) {
	for _, redo := range []string{
		`insert into "APP"."A"("ID","V","SECRET") values ('no number','v','hush');`,
		`insert into "APP"."A"("ID","V","SECRET") values ('1','v','hush);`,
		`delete from "APP"."A" where "ID" = '1' and "V" = 'v' and "hush" = 'x' and "SECRET" = 'hush';`,
		`insert into "APP"."A"("ID","V","SECRET","hush") values ('1','v','hush','x');`,
	} {
		s := secretScene(t)
		s.config.LogRowValues = true
		op := logminer.Insert
		if strings.HasPrefix(redo, "delete") {
			op = logminer.Delete
		}
		s.step(of(s.a, row(xid(1), 1001, op), "AAA", redo), commit(xid(1), 1002))
		s.play(s.beginning())
		if !stop.Is(s.err, stop.Undecodable) || strings.Contains(s.err.Error(), "hush") || !strings.Contains(s.err.Error(), "PDB1.APP.A") ||
			!strings.Contains(s.err.Error(), "<withheld: columns.exclude may match this table>") {
			t.Errorf("%s: %v", redo, s.err)
		}
	}
}

// Seed 001: a key column cannot be excluded (CDC-3001); columns.include leaves the key.
func TestKeyColumnsCannotBeExcluded(t *testing.T) {
	s := newScene(t)
	s.config.Columns = mustColumns(t, nil, []string{`APP\.A\.ID`})
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Undecodable) || !strings.Contains(s.err.Error(), "PDB1.APP.A.ID") || !strings.Contains(s.err.Error(), "columns.exclude") {
		t.Errorf("%v, want CDC-3001 that names the column", s.err)
	}
	s = newScene(t)
	s.config.Columns = mustColumns(t, nil, []string{`APP\.A\.V`})
	s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"V"}})
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Undecodable) {
		t.Errorf("%v, want CDC-3001 for a column of key.columns", s.err)
	}
	s = newScene(t)
	s.a.Key.Origin = schema.KeyUnique
	s.config.Columns = mustColumns(t, nil, []string{`APP\.A\.ID`})
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Undecodable) {
		t.Errorf("%v, want CDC-3001 for a column of the unique index that is the key", s.err)
	}
	s = newScene(t)
	s.config.Columns = mustColumns(t, []string{`APP\.B\..*`}, nil)
	s.step(insert(s.a, xid(1), 1002, 1, "v"), insert(s.b, xid(1), 1002, 2, "v"), commit(xid(1), 1003))
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	var images []string
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Kind == change.Change {
				text, _, _ := strings.Cut(strings.TrimPrefix(string(ev.Value), `{"before":null,"after":`), `,"source"`)
				images = append(images, text)
			}
		}
	}
	if got := strings.Join(images, " "); got != `{"ID":1} {"ID":2,"V":"v"}` {
		t.Errorf("records have %s", got)
	}
}

// key.columns goes before the primary key, in the listed order.
func TestKeyOfTheConfigurationGoesBeforeThePrimaryKey(t *testing.T) {
	s := newScene(t)
	s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"v", "ID"}})
	s.step(insert(s.a, xid(1), 1002, 1, "x"), update(s.a, xid(1), 1003, image{1, "x"}, image{1, "y"}), commit(xid(1), 1004))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >x", "1.1.7#1 d A/1 x>", "1.1.7#1 tombstone A/1 >", "1.1.7#1 c A/1 >y")
	var keys []string
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Transaction != nil {
				keys = append(keys, string(ev.Key))
			}
		}
	}
	if got := strings.Join(keys, " "); got != `{"V":"x","ID":1} {"V":"x","ID":1} {"V":"x","ID":1} {"V":"y","ID":1}` {
		t.Errorf("keys %s", got)
	}
}

func TestKeyOfTheConfigurationThatTheTableCannotHaveIsRefused(t *testing.T) {
	s := newScene(t)
	s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"NOPE"}})
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), "PDB1.APP.A.NOPE") {
		t.Errorf("%v, want CDC-5003 that names the column", s.err)
	}
	s = newScene(t)
	s.a.Logging, s.config.Logging = schema.LoggingKey, schema.LoggingKey
	s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"V"}})
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Configuration) || !strings.Contains(s.err.Error(), "PDB1.APP.A.V") {
		t.Errorf("%v, want CDC-5003: key logging does not log the key", s.err)
	}
}

func TestROWIDIsTheKeyOfATableWithoutOne(t *testing.T) {
	s := newScene(t)
	s.a.Key = schema.Key{Origin: schema.KeyNone}
	s.config.KeyMissing = KeyByRowID
	s.step(
		insert(s.a, xid(1), 1002, 1, "x"), update(s.a, xid(1), 1003, image{1, "x"}, image{1, "y"}), remove(s.a, xid(1), 1003, image{1, "y"}),
		commit(xid(1), 1004),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >x", "1.1.7#1 u A/1 x>y", "1.1.7#2 d A/1 y>", "1.1.7#2 tombstone A/1 >")
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if ev.Transaction != nil && string(ev.Key) != `{"ROWID":"AAAID1"}` {
				t.Errorf("key %s", ev.Key)
			}
		}
	}
}

// A key that another setting gives is no change of the table, and is called what it is.
func TestKeyThatTheConfigurationChangedIsRefusedByName(t *testing.T) {
	a := table("A", 101)
	s := newScene(t)
	s.config.Versions = storedVersions(t, a)
	s.config.Keys = mustKeys(t, map[string][]string{"APP.A": {"V"}})
	s.play(s.beginning())
	if !stop.Is(s.err, stop.SchemaDiffers) || !strings.Contains(s.err.Error(), "key.columns") {
		t.Errorf("%v, want CDC-6003 that speaks of key.columns", s.err)
	}
}

// A column that is added later and matches is excluded from its first row: every reading of the dictionary is laid over.
func TestColumnThatAppearsInALaterReadingIsExcluded(t *testing.T) {
	s := secretScene(t)
	m := newMiner(s.config, s.db)
	for range 2 {
		now, err := m.describe(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range now.tables {
			for _, c := range d.Version.Columns {
				if c.Excluded != (c.Name == "SECRET") {
					t.Errorf("%s.%s excluded: %t", d.Version.Table, c.Name, c.Excluded)
				}
			}
		}
		b := table("B", 102)
		b.Columns = append(b.Columns, schema.Column{Name: "SECRET", SegmentID: 3, Type: b.Columns[1].Type})
		s.db.described = []*schema.Version{s.a, b.Seal()}
	}
}

// R114: what is dropped keeps its place until the commit, so that its undo takes nothing else back; what is left is counted alone.
func TestUnchangedUpdatesAreLeftOutAndNotCounted(t *testing.T) {
	s := secretScene(t)
	s.config.SkipUnchanged = true
	taken := secretUpdate(s, 1, 1005, `"SECRET" = 'three'`, "b", "two")
	s.step(
		secretInsert(s, 1, 1001, 1, "a", "one"),
		secretUpdate(s, 1, 1002, `"V" = 'a'`, "a", "one"),        // sets what was there
		secretUpdate(s, 1, 1003, `"SECRET" = 'two'`, "a", "one"), // changes an excluded column alone
		secretUpdate(s, 1, 1004, `"V" = 'b'`, "a", "two"),        // changes a column of the record
		taken, undone(taken, 1006), commit(xid(1), 1007),
	)
	s.step(secretUpdate(s, 2, 1010, `"SECRET" = 'four'`, "b", "two"), commit(xid(2), 1011))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 u A/1 a>b")
	for _, b := range s.batches {
		for _, ev := range b.Events {
			if tx := ev.Transaction; tx != nil && (tx.Count != 2 || ev.TableOrder != ev.Index+1) {
				t.Errorf("event %d of %d, number %d of its table", ev.Index, tx.Count, ev.TableOrder)
			}
		}
	}
	if p := s.last(); p.Done.SCN < 1011 || p.Group != nil {
		t.Errorf("the position stays at %+v", p)
	}
}

// An update that may have changed what the redo does not show is published.
func TestUpdateOfWhatTheRedoDoesNotHoldIsNoUnchangedOne(t *testing.T) {
	v := table("A", 101)
	known, absent, unavailable := value.OfText("x"), value.Value{}, value.OfUnavailable()
	for name, c := range map[string]struct {
		before, after value.Value
		op            transaction.Op
		want          bool
	}{
		"equal":                      {known, known, transaction.Update, true},
		"not named on either side":   {absent, absent, transaction.Update, true},
		"not held on either side":    {unavailable, unavailable, transaction.Update, false},
		"set without a value before": {absent, known, transaction.Update, false},
		"another value":              {value.OfText("y"), known, transaction.Update, false},
		"NULL before":                {value.OfNull(), known, transaction.Update, false},
		"a row that nobody can read": {known, known, transaction.Unsupported, false},
	} {
		id := value.OfDecimal("1")
		got := unchanged(&transaction.Change{Op: c.op, Version: v, Before: []value.Value{id, c.before}, After: []value.Value{id, c.after}})
		if got != c.want {
			t.Errorf("%s: unchanged %t", name, got)
		}
	}
}

// R67: what is counted decides where a transaction goes on, so another setting gives another digest.
func TestR67SettingsOfTheCountAreInTheDigest(t *testing.T) {
	seen := map[string]string{}
	for name, c := range map[string]struct {
		sparing    bool
		excluded   string
		undeleting bool
	}{
		"plain": {}, "sparing": {sparing: true}, "sparing, a column less": {true, "V", false}, "without deletes": {undeleting: true},
		"sparing, without deletes": {sparing: true, undeleting: true},
	} {
		v := table("A", 101)
		v.Columns[1].Excluded = c.excluded == "V"
		tables := newTables(0)
		tables.sparing, tables.undeleting = c.sparing, c.undeleting
		tables.add(v, false)
		if other, ok := seen[tables.digest()]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		seen[tables.digest()] = name
	}
	v := table("A", 101)
	plain, excluded := newTables(0), newTables(0)
	plain.add(table("A", 101), false)
	v.Columns[1].Excluded = true
	excluded.add(v, false)
	if plain.digest() != excluded.digest() {
		t.Error("an excluded column that changes no count begins transactions anew")
	}
}
