package replay

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/charset"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// refusal says why the product does not take a case yet, and with which code it says so.
type refusal struct {
	code stop.Code
	why  string
}

// refusedCases are the cases of ../shared/cases that this version refuses by name. A case that is not refused any more must
// leave the list; the test says so.
var refusedCases = map[string]refusal{
	"C070":   {stop.Configuration, "CLOB and BLOB columns"},
	"C072.1": {stop.Configuration, "CLOB and BLOB columns"},
	"C072.2": {stop.Configuration, "CLOB and BLOB columns"},
	"C073":   {stop.Configuration, "CLOB and BLOB columns"},
	"C075.1": {stop.Configuration, "CLOB and BLOB columns"},
	"C075.2": {stop.Configuration, "CLOB and BLOB columns"},
	"C076.1": {stop.Configuration, "CLOB and BLOB columns"},
	"C076.2": {stop.Configuration, "CLOB and BLOB columns"},
	"C079.1": {stop.Configuration, "CLOB column"},
	"C079.2": {stop.Configuration, "CLOB column"},
	"C081":   {stop.Configuration, "CLOB and BLOB columns"},
	"C086.1": {stop.Configuration, "JSON column"},
	"C086.2": {stop.Configuration, "JSON column"},
	"C087":   {stop.Configuration, "XMLTYPE column"},
	"C090.1": {stop.Configuration, "LONG column"},
}

// expectedCase is a case with what it expects.
type expectedCase struct {
	oneCase
	DDL         string   `json:"ddl"`
	SegOwner    string   `json:"seg_owner"`
	Chunks      []string `json:"csf_rows"`
	Expect      outcome  `json:"expect"`
	AcceptError bool     `json:"accept_error"`
	Charset     string   `json:"charset"`
}

type outcome struct {
	Before image           `json:"before"`
	After  image           `json:"after"`
	RowID  string          `json:"rowid"`
	Error  string          `json:"error"`
	Events []expectedEvent `json:"events"`
	Open   *int            `json:"open_transactions"`
	Stop   string          `json:"accept_stop"`
	definition
}

type expectedEvent struct {
	Op        string `json:"op"`
	Table     string `json:"table"`
	Before    image  `json:"before"`
	After     image  `json:"after"`
	Key       image  `json:"key"`
	Container *int   `json:"src_con_id"`
}

// image is a row as cases write it: text, null, or a mark for what the redo does not hold.
type image map[string]any

// foreignCases reads the cases of ../shared/cases; without them the test is skipped loudly.
func foreignCases(t *testing.T) []expectedCase {
	t.Helper()
	dir := os.Getenv("ORACLE_CDC_CASES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "cases")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("SKIPPED: no cases in %s; set ORACLE_CDC_CASES to the folder with the *.jsonl files", dir)
	}
	var all []expectedCase
	for _, file := range files {
		all = append(all, readCases(t, file)...)
	}
	return all
}

func TestCases(t *testing.T) {
	seen := map[string]bool{}
	var refused []string
	for _, c := range foreignCases(t) {
		if seen[c.ID] {
			t.Errorf("case %s is there twice", c.ID)
		}
		seen[c.ID] = true
		if r, ok := refusedCases[c.ID]; ok {
			refused = append(refused, c.ID+" ("+r.why+")")
		}
		t.Run(c.ID, func(t *testing.T) { c.check(t) })
	}
	for id := range refusedCases {
		if !seen[id] {
			t.Errorf("case %s is listed as refused and does not exist", id)
		}
	}
	t.Logf("%d cases, of which the product refuses %d by name: %s", len(seen), len(refused), strings.Join(refused, ", "))
}

// TestOwnCases runs the project's own cases by the same rules; they need nothing beside the repository.
func TestOwnCases(t *testing.T) {
	for _, c := range readCases(t, filepath.Join("testdata", "cases.jsonl")) {
		t.Run(c.ID, func(t *testing.T) { c.check(t) })
	}
}

func readCases(t *testing.T, file string) []expectedCase {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	var out []expectedCase
	for in := json.NewDecoder(f); ; {
		var c expectedCase
		if err := in.Decode(&c); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		out = append(out, c)
	}
}

func (c *expectedCase) check(t *testing.T) {
	refused, listed := refusedCases[c.ID]
	if listed {
		if _, err := c.replay(t, true); !stop.Is(err, refused.code) {
			t.Fatalf("listed as refused (%s), but the product does not refuse it with CDC-%d: %v; take it off the list", refused.why, refused.code, err)
		}
		return
	}
	switch c.Kind {
	case "sql_redo":
		c.checkStatement(t)
	case "rows":
		c.checkRows(t)
	case "ddl":
		c.checkDDL(t)
	default:
		t.Fatalf("kind %q is not known", c.Kind)
	}
}

// checkStatement sends a statement through parser and decoder.
func (c *expectedCase) checkStatement(t *testing.T) {
	v, err := c.Table.version()
	if err != nil {
		t.Fatal(err)
	}
	sql := c.SQL
	if len(c.Chunks) > 0 {
		sql = joined(t, c.Chunks)
		if c.SQL != "" && sql != c.SQL {
			t.Fatal("the joined rows are not the statement")
		}
	}
	op := map[string]change.Op{"INSERT": change.Create, "UPDATE": change.Update, "DELETE": change.Delete}[c.Operation]
	var d decode.Decoder
	got, err := d.Row(v, op, sql)
	older := c.Status == 2 && c.decodedByNumber(t, v, op, sql, &got, &err)
	var named *decode.Error
	switch {
	case older && err != nil && c.Expect.Error == "":
		t.Fatalf("the layout is given, and the row is not decoded with it: %v", err)
	case errors.As(err, &named) && (c.Expect.Error == "decode_error" || c.AcceptError):
		t.Logf("answered with a named error: %v", err)
		return
	case err != nil:
		t.Fatalf("%v: %s", err, sql)
	case c.Expect.Error != "":
		t.Fatalf("decoded, want %s: %s", c.Expect.Error, sql)
	}
	compare(t, "before", v, c.Expect.Before, got.Before)
	compare(t, "after", v, c.Expect.After, got.After)
	if got.RowID != c.Expect.RowID {
		t.Errorf("ROWID %q, want %q", got.RowID, c.Expect.RowID)
	}
}

// decodedByNumber sends a statement of STATUS 2 through the decoder of rows from before a DDL; it is false for one with names. The
// layout of such a case is that of its moment, so that accept_error is not made use of.
func (c *expectedCase) decodedByNumber(t *testing.T, v *schema.Version, op change.Op, sql string, got *decode.Image, err *error) bool {
	t.Helper()
	text, ok := charset.Named(cmp.Or(c.Charset, "AL32UTF8"))
	if !ok {
		t.Fatalf("character set %s is not known", c.Charset)
	}
	var d decode.GenericDecoder
	img, generic, failed := d.Row(v, &decode.Settings{Text: text}, op, sql)
	if generic {
		*got, *err = img, failed
	}
	return generic
}

// joined feeds the rows of one statement as they come with CSF.
func joined(t *testing.T, texts []string) string {
	t.Helper()
	var j chunks
	for i, text := range texts {
		r := row{Code: "1", SQL: &text, CSF: "1"}
		if i == len(texts)-1 {
			r.CSF = "0"
		}
		whole, err := j.join(&r)
		if err != nil {
			t.Fatal(err)
		}
		if whole != nil {
			return *whole.SQL
		}
	}
	t.Fatal("the rows of the statement did not end")
	return ""
}

// replay runs the case and keeps its events.
func (c *expectedCase) replay(t *testing.T, tombstones bool) (events []change.Event, err error) {
	t.Helper()
	s, err := newSession(with(fmt.Sprintf("topic_prefix: replay, supplemental_logging: key, key: {missing: none}, records: {tombstones: %t}", tombstones)), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	p := s.newPlayerTo(func(ev *change.Event) error {
		kept := *ev
		kept.Key, kept.Value = slices.Clone(ev.Key), slices.Clone(ev.Value)
		events = append(events, kept)
		return nil
	})
	err = c.play(p)
	if open := p.offline.Open(); err == nil && c.Expect.Open != nil && open != *c.Expect.Open {
		t.Errorf("%d transactions are open, want %d", open, *c.Expect.Open)
	}
	return events, err
}

// checkRows sends rows through decode, transactions and the splitting of changes into events. Tombstones come only where the
// case speaks of them.
func (c *expectedCase) checkRows(t *testing.T) {
	tombstones := slices.ContainsFunc(c.Expect.Events, func(e expectedEvent) bool { return e.Op == "tombstone" })
	events, err := c.replay(t, tombstones)
	if e, typed := stop.As(err); typed && c.Expect.Stop != "" {
		if name := c.Tables[0].Owner + "." + c.Tables[0].Name; !strings.Contains(e.Error(), name) || !strings.Contains(e.Error(), "transaction 10.27.1234") {
			t.Errorf("the stop names not both table and transaction: %v", e)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != len(c.Expect.Events) {
		t.Fatalf("%d events, want %d", len(events), len(c.Expect.Events))
	}
	for i := range events {
		t.Run(fmt.Sprintf("event %d", i+1), func(t *testing.T) { c.Expect.Events[i].compare(t, &events[i]) })
	}
}

func (e *expectedEvent) compare(t *testing.T, got *change.Event) {
	t.Helper()
	if name := got.Version.Table.Owner + "." + got.Version.Table.Name; name != e.Table {
		t.Errorf("table %s, want %s", name, e.Table)
	}
	if e.Container != nil && got.Transaction.Container != *e.Container {
		t.Errorf("container %d, want %d", got.Transaction.Container, *e.Container)
	}
	if e.Op == "tombstone" {
		e.compareTombstone(t, got)
		return
	}
	if got.Kind != change.Change || string(got.Op) != e.Op {
		t.Errorf("%s %c, want %s", got.Kind, got.Op, e.Op)
	}
	if !json.Valid(got.Value) || len(got.Value) == 0 {
		t.Errorf("value is no JSON: %s", got.Value)
	}
	compare(t, "before", got.Version, e.Before, got.Before)
	compare(t, "after", got.Version, e.After, got.After)
}

func (e *expectedEvent) compareTombstone(t *testing.T, got *change.Event) {
	t.Helper()
	var key map[string]json.Number
	if err := json.Unmarshal(got.Key, &key); err != nil {
		t.Fatalf("key %s: %v", got.Key, err)
	}
	if got.Kind != change.Tombstone || got.Value != nil || len(key) != len(e.Key) {
		t.Errorf("%s with key %s and value %q, want a tombstone with key %v and no value", got.Kind, got.Key, got.Value, e.Key)
	}
	for name, want := range e.Key {
		if key[name].String() != want {
			t.Errorf("key %s, want %v", got.Key, e.Key)
		}
	}
}

// TestRefusalsNameWhatIsRefused: a refusal is of use only if it says which column of which table.
func TestRefusalsNameWhatIsRefused(t *testing.T) {
	for _, kind := range []string{"CLOB", "BLOB", "NCLOB", "XMLTYPE", "LONG", "LONG RAW", "JSON", "ANYDATA", "UROWID", "BFILE"} {
		table := tableRecord{Owner: "APP", Name: "DOCS", Columns: []columnRecord{{Name: "ID", Type: "NUMBER"}, {Name: "BODY", Type: kind}}}
		v, err := table.version()
		if err != nil {
			t.Fatal(err)
		}
		if err = refuse(v); !stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), "APP.DOCS.BODY") || !strings.Contains(err.Error(), kind) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
