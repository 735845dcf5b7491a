package scenario_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/replay"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// exportQueries reads the statements of the page that tells how to export, by the comment in front of each.
func exportQueries(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "resources", "docs", "replay.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)<!-- export: ([a-z ]+) -->\n```sql\n(.*?)\n```").FindAllStringSubmatch(string(page), -1) {
		found[m[1]] = m[2]
	}
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(readme, []byte("```sql\n"+found["rows"]+"\n```")) {
		t.Error("the README shows another query for the rows")
	}
	return found
}

// export writes what a query returns as JSON: lines, or the document of SQLcl.
func (c *session) export(to *bytes.Buffer, query string, sqlcl bool) {
	c.s.t.Helper()
	rows, err := c.conn.QueryContext(c.s.t.Context(), query)
	if err != nil {
		c.s.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		c.s.t.Fatal(err)
	}
	var items []string
	for rows.Next() {
		cells, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			c.s.t.Fatal(err)
		}
		row := map[string]any{}
		for i, name := range columns {
			if sqlcl {
				name = strings.ToLower(name)
			}
			row[name] = cells[i]
		}
		text, err := json.Marshal(row)
		if err != nil {
			c.s.t.Fatal(err)
		}
		items = append(items, string(text))
	}
	if err := rows.Err(); err != nil {
		c.s.t.Fatal(err)
	}
	if sqlcl {
		fmt.Fprintf(to, "{\"results\":[{\"columns\":[{\"name\":\"items\"}],\"items\":\n[\n%s\n]}]}\n", strings.Join(items, "\n,"))
		return
	}
	for _, item := range items {
		to.WriteString(item + "\n")
	}
}

func (s *scenario) now() string {
	on := s.connect(capture)
	scn := on.rows("SELECT current_scn FROM v$database")[0][0]
	if err := errors.Join(on.conn.Close(), on.db.Close()); err != nil {
		s.t.Error(err)
	}
	return scn
}

// exportAll follows the page: the dictionary of the tables, and the rows of all logs.
func (s *scenario) exportAll(from string, sqlcl bool) (tables, rows string) {
	s.t.Helper()
	queries := exportQueries(s.t)
	on := s.connect(capture)
	var dictionary, redo bytes.Buffer
	for _, name := range []string{"columns", "keys", "unique indexes", "supplemental logging", "database"} {
		on.export(&dictionary, queries[name], sqlcl)
	}
	for statement := range strings.Lines(queries["session"]) {
		on.exec(strings.TrimSuffix(strings.TrimSpace(statement), ";"))
	}
	mine := queries["mine"]
	option := "1"
	for _, log := range on.rows("SELECT f.member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.status <> 'UNUSED' ORDER BY l.first_change#") {
		on.exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => '" + log[0] + "', Options => " + option + "); END;")
		option = "3"
	}
	first, last, ok := strings.Cut(mine, "  DBMS_LOGMNR.ADD_LOGFILE(LogFileName => '/u01/arch/1_18.arc', Options => 1);\n")
	if !ok {
		s.t.Fatal("the page adds no log")
	}
	on.exec(strings.NewReplacer("2543100", from, "2543200", s.now()).Replace(first + last))
	on.export(&redo, queries["rows"], sqlcl)
	on.exec("BEGIN DBMS_LOGMNR.END_LOGMNR; END;")
	if err := errors.Join(on.conn.Close(), on.db.Close()); err != nil {
		s.t.Error(err)
	}
	return dictionary.String(), redo.String()
}

// replayed is a message of replay.
type replayed struct {
	Type, Topic string
	Key, Value  json.RawMessage
	Headers     map[string]string
}

// Rows that were exported with the queries of the documentation become the messages that the pipeline made of the same rows, to the byte;
// only the time at which a record was made, which profile debezium has, is its own, and the id of the run.
func TestReplayOfAnExportGivesTheMessagesOfThePipeline(t *testing.T) {
	made := regexp.MustCompile(`,"ts_ms":[0-9]+,"ts_us":[0-9]+,"ts_ns":[0-9]+}$`)
	for name, c := range map[string]struct {
		change fields
		sqlcl  bool
	}{
		"profile cdc":               {fields{}, false},
		"from SQLcl":                {fields{}, true},
		"schemas, strings and keys": {fields{"records.encoding": "json_schema", "records.decimals": "string", "key.columns": map[string]any{"APP.LINES": []string{"NOTE", "N"}}}, false},
		"columns and transactions": {fields{
			"columns.exclude": []string{`FREEPDB1\.APP\.ORDERS\.SECRET`}, "columns.mask": []any{map[string]any{"match": `FREEPDB1\.APP\.LINES\.NOTE`, "with": "***"}},
			"emit.transactions": true, "records.skip_unchanged_updates": true, "topics.template": "{prefix}-{schema}-{table}", "records.tombstones": false,
		}, false},
		"one table of two":               {fields{"include": []string{`FREEPDB1\.APP\.(ORDERS|FENCE)`}}, false},
		"flat records, deletes left out": {fields{"records.flat.enabled": true, "records.flat.deletes": "drop"}, false},
		"profile debezium":               {fields{"records.profile": "debezium", "records.redo_sql": true}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.table("orders", "id NUMBER(9) PRIMARY KEY, customer VARCHAR2(40), secret VARCHAR2(20), amount NUMBER(12,2), at TIMESTAMP(6), day DATE, bytes RAW(8), odd NUMBER, fixed CHAR(4)")
			s.table("lines", "n NUMBER(5) NOT NULL, note VARCHAR2(4000) NOT NULL, more VARCHAR2(4000), CONSTRAINT lines_uq UNIQUE (n)")
			from := s.now() // behind the CREATE of the tables
			p := s.start(c.change)
			s.commit(
				"INSERT INTO $orders VALUES (1, 'O''Neil', 'hidden', -42.5, TIMESTAMP '2026-03-29 01:30:00.123456', DATE '2026-02-28', HEXTORAW('CAFE'), 1/8, 'ab')",
				"INSERT INTO $orders (id, secret) VALUES (2, NULL)",
				"INSERT INTO $lines VALUES (1, '"+strings.Repeat("long ", 790)+"', '"+strings.Repeat("x''y", 700)+"')",
			)
			s.commit("UPDATE $orders SET amount = 1, customer = NULL WHERE id = 1", "UPDATE $orders SET secret = 'other' WHERE id = 1", "UPDATE $orders SET id = 7 WHERE id = 2")
			back := s.connect(app).begin()
			back.exec("INSERT INTO $orders (id) VALUES (99)")
			back.rollback()
			s.commit("UPDATE $lines SET note = 'short' WHERE n = 1", "DELETE FROM $orders WHERE id = 7", "DELETE FROM $lines WHERE n = 1")
			messages := beforeFence(p.settle())
			if len(messages) < 6 {
				t.Fatalf("%d messages", len(messages))
			}
			tables, rows := s.exportAll(from, c.sqlcl)
			pipeline, err := json.Marshal(map[string]any{"input": map[string]any{"oracle_cdc": s.configuration(c.change)}})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			config := replay.Config{Pipeline: pipeline, Tables: strings.NewReader(tables)}
			if err := replay.Run(t.Context(), config, strings.NewReader(rows), &out); err != nil {
				t.Fatal(err)
			}
			var got, want []replayed
			for line := range strings.Lines(out.String()) {
				var r replayed
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				got = append(got, r)
			}
			for _, m := range messages {
				ev := m.event
				r := replayed{Type: string(ev.Kind), Topic: ev.Topic, Key: ev.Key, Value: ev.Value, Headers: map[string]string{}}
				var headers []change.Header
				if ev.Headers != nil {
					headers, _ = ev.Headers(nil, nil, ev)
				}
				if r.Value == nil {
					r.Value = json.RawMessage("null")
				}
				if r.Key == nil {
					r.Key = json.RawMessage("null")
				}
				for _, h := range headers {
					r.Headers[h.Key] = string(h.Value)
				}
				delete(r.Headers, "__debezium.context.runId")
				want = append(want, r)
			}
			if d := cmp.Diff(asText(want, made), asText(got, made)); d != "" {
				t.Errorf("replay (+) differs from the pipeline (-):\n%s", d)
			}
		})
	}
}

// beforeFence takes the boundaries of the fence's transaction off the end.
func beforeFence(messages []message) []message {
	n := len(messages)
	if n > 1 && messages[n-1].event.Kind == change.Boundary && bytes.Contains(messages[n-1].value, []byte(`.FENCE"`)) {
		return messages[:n-2]
	}
	return messages
}

func asText(list []replayed, made *regexp.Regexp) []string {
	out := make([]string, len(list))
	for i, r := range list {
		out[i] = fmt.Sprintf("%s %s %s %s %v", r.Type, r.Topic, r.Key, made.ReplaceAllString(string(r.Value), "}"), r.Headers)
	}
	return out
}

// A table that a start refuses is refused by replay with the same words.
func TestReplayRefusesWhatAStartRefuses(t *testing.T) {
	s := begin(t)
	s.exec("CREATE TABLE $orders (n NUMBER)")
	p := s.launch(fields{"include": []string{`FREEPDB1\.APP\.ORDERS`}})
	want := p.stopped()
	tables, rows := s.exportAll(s.now(), false)
	pipeline, err := json.Marshal(map[string]any{"input": map[string]any{"oracle_cdc": s.configuration(fields{"include": []string{`FREEPDB1\.APP\.ORDERS`}})}})
	if err != nil {
		t.Fatal(err)
	}
	err = replay.Run(t.Context(), replay.Config{Pipeline: pipeline, Tables: strings.NewReader(tables)}, strings.NewReader(rows), &bytes.Buffer{})
	got, ok := stop.As(err)
	if !ok || got.Code != want.Code || got.Error() != want.Error() {
		t.Errorf("%v, want %v", err, want)
	}
}
