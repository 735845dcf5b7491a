package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

var update = flag.Bool("update", false, "write the golden files anew")

// with gives the configuration of a pipeline whose input has these fields.
func with(fields string) Config {
	return Config{ConnectorVersion: "0.0.0", Pipeline: []byte("input: {oracle_cdc: {include: ['.*'], " + fields + "}}")}
}

func run(t *testing.T, config Config, lines ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Run(t.Context(), config, strings.NewReader(strings.Join(lines, "\n")), &out)
	return out.String(), err
}

// The recording has two interleaved transactions that commit against the order of their rows, a statement rolled back, a
// changed key, a hidden column and a delete; the golden file is what a consumer would get, to the byte.
func TestRecordingBecomesTheGoldenMessages(t *testing.T) {
	recording, err := os.ReadFile(filepath.Join("testdata", "recording.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := run(t, with("topic_prefix: shop, supplemental_logging: all, key: {missing: none}"), string(recording))
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "recording.golden.jsonl")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Fatalf("run go test -update if this is meant:\n%s", d)
	}
	for line := range strings.Lines(got) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
}

const (
	tableLine  = `{"kind":"table","owner":"SHOP","name":"T","columns":[{"name":"ID","type":"NUMBER(9)"},{"name":"V","type":"VARCHAR2(9)"}],"primary_key":["ID"]}`
	insertLine = `{"kind":"row","SCN":10,"XID":"0300070010000000","OPERATION_CODE":1,"ROW_ID":"AAAR3sAAEAAAACXAAA","SEG_OWNER":"SHOP","TABLE_NAME":"T","SQL_REDO":"insert into \"SHOP\".\"T\"(\"ID\",\"V\") values ('1','secret')"}`
	commitLine = `{"kind":"row","SCN":11,"XID":"0300070010000000","OPERATION_CODE":7}`
)

// broken makes a row of another statement, operation and address from the insert.
func broken(changes ...string) string { return strings.NewReplacer(changes...).Replace(insertLine) }

func TestFaultsOfARecordingAreTypedStops(t *testing.T) {
	for name, c := range map[string]struct {
		config Config
		lines  []string
		code   stop.Code
	}{
		"R22 a row that cannot be decoded, once it commits": {
			lines: []string{tableLine, broken(`'1'`, `'x'`), commitLine}, code: stop.Undecodable,
		},
		"R41 generic names": {
			lines: []string{tableLine, broken(`\"ID\"`, `\"COL 1\"`, `\"V\"`, `\"COL 2\"`), commitLine}, code: stop.NoDictionary,
		},
		"no SQL_REDO":                  {lines: []string{tableLine, broken(`"SQL_REDO"`, `"OTHER"`), commitLine}, code: stop.Undecodable},
		"a row LogMiner does not show": {lines: []string{tableLine, broken(`"OPERATION_CODE":1`, `"OPERATION_CODE":255`), commitLine}, code: stop.Undecodable},
		"a column is missing although all are logged": {
			config: with("topic_prefix: replay, supplemental_logging: all, key: {missing: none}"),
			lines:  []string{tableLine, broken(`,\"V\"`, ``, `,'secret'`, ``), commitLine}, code: stop.Undecodable,
		},
		"no supplemental logging": {lines: []string{tableLine, broken(`"SCN"`, `"STATUS":3,"SCN"`), commitLine}, code: stop.Configuration},
		"R138 unknown operation":  {lines: []string{tableLine, broken(`"OPERATION_CODE":1`, `"OPERATION_CODE":77`)}, code: stop.Corrupt},
		"a gap in the redo":       {lines: []string{tableLine, broken(`"OPERATION_CODE":1`, `"OPERATION_CODE":34`)}, code: stop.Corrupt},
		"a corrupt block":         {lines: []string{tableLine, broken(`"SCN"`, `"STATUS":1343,"SCN"`)}, code: stop.Corrupt},
		"R5 a damaged address":    {lines: []string{tableLine, broken(`"SCN"`, `"RS_ID":"0x12","SCN"`)}, code: stop.Corrupt},
		"no address":              {lines: []string{tableLine, broken(`"SCN"`, `"RS_ID":" 0x000000.00000000.0000 ","SCN"`)}, code: stop.Corrupt},
		"no SCN":                  {lines: []string{tableLine, broken(`"SCN":10,`, ``), commitLine}, code: stop.Corrupt},
		"a damaged XID":           {lines: []string{tableLine, broken(`0300070010000000`, `03000700100000001`)}, code: stop.Corrupt},
		"a DDL on a captured table": {
			lines: []string{tableLine, broken(`"OPERATION_CODE":1`, `"OPERATION_CODE":5`)}, code: stop.DDL,
		},
		"R9 chunks of a statement are interrupted": {
			lines: []string{tableLine, broken(`"SCN"`, `"CSF":1,"SCN"`), broken(`"SCN"`, `"SSN":1,"SCN"`)}, code: stop.Corrupt,
		},
		"R9 the recording ends inside a statement": {lines: []string{tableLine, broken(`"SCN"`, `"CSF":1,"SCN"`)}, code: stop.Corrupt},
		"R113 an undo without its change": {
			lines: []string{tableLine, broken(`"SCN"`, `"ROLLBACK":1,"SCN"`), commitLine}, code: stop.UndoUnmatched,
		},
		"the budget is too small":      {config: with("topic_prefix: replay, transactions: {memory: 1B}"), lines: []string{tableLine, insertLine}, code: stop.BufferFull},
		"a type that is not captured":  {lines: []string{strings.Replace(tableLine, "VARCHAR2(9)", "CLOB", 1)}, code: stop.Configuration},
		"a key that is not in the row": {lines: []string{tableLine, broken(`\"ID\",`, ``, `'1',`, ``), commitLine}, code: stop.Undecodable},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := run(t, c.config, c.lines...)
			if !stop.Is(err, c.code) {
				t.Fatalf("%v, want CDC-%d", err, c.code)
			}
			if out != "" || strings.Contains(err.Error(), "secret") {
				t.Fatalf("the stop %v came with messages or row values: %s", err, out)
			}
		})
	}
}

// What R22 demands: nothing stops while the transaction of a bad row is open, or when it is rolled back.
func TestR22BadRowOfARolledBackTransactionStopsNothing(t *testing.T) {
	for name, end := range map[string]string{"rolled back": strings.Replace(commitLine, `:7`, `:36`, 1), "open": ""} {
		if out, err := run(t, Config{}, tableLine, broken(`'1'`, `'x'`), end); err != nil || out != "" {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}

func TestMessagesBeforeAStopAreWritten(t *testing.T) {
	out, err := run(t, Config{}, tableLine, insertLine, commitLine, `{"kind":"step"}`,
		broken(`"OPERATION_CODE":1`, `"OPERATION_CODE":34`))
	if !stop.Is(err, stop.Corrupt) || strings.Count(out, "\n") != 1 || !strings.Contains(out, `"topic":"replay.SHOP.T"`) {
		t.Fatalf("%v: %s", err, out)
	}
}

// A refused case has its line and does not keep the others from being replayed.
func TestCasesAreReplayedAlone(t *testing.T) {
	statement := `{"kind":"sql_redo","id":"one","operation":"INSERT","table":` + tableLine + `,"sql_redo":"insert into \"SHOP\".\"T\"(\"ID\") values ('1')"}`
	bad := strings.NewReplacer(`('1')`, `('x')`, `"one"`, `"two"`).Replace(statement)
	rows := `{"kind":"rows","id":"three","tables":[` + tableLine + `],"rows":[` + insertLine + `,` + commitLine + `]}`
	ddl := `{"kind":"ddl","id":"four","sql_redo":"alter table t add (x number)"}`
	out, err := run(t, Config{}, statement, bad, rows, ddl)
	var refused *RefusedError
	if !errors.As(err, &refused) || refused.Refused != 2 || refused.Cases != 4 {
		t.Fatalf("%v, want 2 of 4 refused", err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4: %s", len(lines), out)
	}
	for i, want := range []string{`{"case":"one","type":"change"`, `{"case":"two","refused":"[CDC-3001]`, `{"case":"three","type":"change"`, `{"case":"four","refused":"[CDC-6002]`} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d: %s, want %s...", i+1, lines[i], want)
		}
	}
}

func TestInputThatIsNoRecordingIsRefused(t *testing.T) {
	for name, line := range map[string]string{
		"no JSON":              `{"kind":`,
		"no object":            `7`,
		"unknown kind":         `{"kind":"rowz"}`,
		"no number":            `{"kind":"row","SCN":"x"}`,
		"negative number":      `{"kind":"row","SCN":-1}`,
		"unknown type syntax":  `{"kind":"table","owner":"A","name":"T","columns":[{"name":"A","type":"NUMBER(1"}]}`,
		"too many numbers":     `{"kind":"table","owner":"A","name":"T","columns":[{"name":"A","type":"NUMBER(1,2,3)"}]}`,
		"no digits":            `{"kind":"table","owner":"A","name":"T","columns":[{"name":"A","type":"NUMBER(x)"}]}`,
		"key without column":   `{"kind":"table","owner":"A","name":"T","columns":[{"name":"A","type":"DATE"}],"primary_key":["B"]}`,
		"case without table":   `{"kind":"sql_redo","id":"x","operation":"INSERT"}`,
		"timestamp of no form": strings.Replace(tableLine+"\n"+insertLine, `"SCN"`, `"TIMESTAMP":"29.11.2026","SCN"`, 1),
	} {
		if _, err := run(t, Config{}, line); err == nil {
			t.Errorf("%s: accepted", name)
		} else if _, typed := stop.As(err); typed {
			t.Errorf("%s: %v is a stop, want a plain error", name, err)
		}
	}
	if err := Run(t.Context(), with("topic_prefix: replay, topics: {template: '{nothing}'}"), strings.NewReader(""), &bytes.Buffer{}); err == nil {
		t.Error("a template with an unknown placeholder was accepted")
	}
}

func TestReplayEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Run(ctx, Config{}, strings.NewReader(tableLine), &bytes.Buffer{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want %v", err, context.Canceled)
	}
}

// The sample is recorded (reference logminer B.3).
func TestXIDIsReadFromTheRawAndFromItsFields(t *testing.T) {
	want := position.XID{USN: 49, Slot: 17, Sequence: 2105240}
	for _, text := range []string{`{"XID":"31001100981F2000"}`, `{"XIDUSN":49,"XIDSLT":"17","XIDSQN":2105240}`} {
		var r row
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		if got, err := r.transaction(); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", text, got, err, want)
		}
	}
}

func TestTypesAreReadAsTheDictionaryHasThem(t *testing.T) {
	none := schema.NoNumber
	for text, want := range map[string]schema.Type{
		"NUMBER":                            {Kind: schema.Number, Name: "NUMBER", Precision: none, Scale: none},
		"NUMBER(9)":                         {Kind: schema.Number, Name: "NUMBER", Precision: 9},
		"NUMBER(36,-2)":                     {Kind: schema.Number, Name: "NUMBER", Precision: 36, Scale: -2},
		"NUMBER(*,0)":                       {Kind: schema.Number, Name: "NUMBER", Precision: none},
		"FLOAT(63)":                         {Kind: schema.Float, Name: "FLOAT", Precision: 63, Scale: none},
		"VARCHAR2(40)":                      {Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40, CharLength: 40, Precision: none, Scale: none},
		"NCHAR(4)":                          {Kind: schema.NChar, Name: "NCHAR", Length: 8, CharLength: 4, Precision: none, Scale: none},
		"RAW(16)":                           {Kind: schema.Raw, Name: "RAW", Length: 16, Precision: none, Scale: none},
		"TIMESTAMP":                         {Kind: schema.Timestamp, Name: "TIMESTAMP", Precision: none, Scale: 6},
		"TIMESTAMP(9)":                      {Kind: schema.Timestamp, Name: "TIMESTAMP(9)", Precision: none, Scale: 9},
		"TIMESTAMP(3) WITH TIME ZONE":       {Kind: schema.TimestampTZ, Name: "TIMESTAMP(3) WITH TIME ZONE", Precision: none, Scale: 3},
		"TIMESTAMP(0) WITH LOCAL TIME ZONE": {Kind: schema.TimestampLTZ, Name: "TIMESTAMP(0) WITH LOCAL TIME ZONE", Precision: none},
		"INTERVAL YEAR(3) TO MONTH":         {Kind: schema.IntervalYM, Name: "INTERVAL YEAR(3) TO MONTH", Precision: 3, Scale: none},
		"INTERVAL DAY(3) TO SECOND(9)":      {Kind: schema.IntervalDS, Name: "INTERVAL DAY(3) TO SECOND(9)", Precision: 3, Scale: 9},
		"XMLTYPE":                           {Kind: schema.XMLType, Name: "XMLTYPE", Precision: none, Scale: none},
		"ANYDATA":                           {Kind: schema.Unsupported, Name: "ANYDATA", Precision: none, Scale: none},
	} {
		for suffix, nullable := range map[string]bool{"": true, " NOT NULL": false} {
			got, null, err := parseType(text + suffix)
			if err != nil || got != want || null != nullable {
				t.Errorf("%s: %+v nullable %t (%v), want %+v", text+suffix, got, null, err, want)
			}
		}
	}
}
