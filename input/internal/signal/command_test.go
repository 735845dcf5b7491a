package signal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// seen is a command as text parts that can be compared.
type seen struct {
	Action                        Action
	Tables, Conditions            []string
	Blocking                      bool
	ChunkBy, Message, Transaction string
}

func show(c *Command) *seen {
	if c == nil {
		return nil
	}
	out := &seen{Action: c.Action, Blocking: c.Blocking, ChunkBy: c.ChunkBy, Message: c.Message, Transaction: c.Transaction}
	for _, p := range c.Tables {
		out.Tables = append(out.Tables, p.String())
	}
	for _, condition := range c.Conditions {
		how := " where "
		if condition.Whole {
			how = " as "
		}
		out.Conditions = append(out.Conditions, condition.Tables.String()+how+condition.Filter)
	}
	return out
}

func TestSignals(t *testing.T) {
	// The first ones are the forms of Debezium's documentation (reference debezium-format 12.3).
	for name, test := range map[string]struct {
		text   string
		want   *seen
		status Status
		detail string
	}{
		"incremental": {
			text: `{"id":"a1","type":"execute-snapshot","data":{"type":"incremental","data-collections":["ORCLPDB1\\.INVENTORY\\.ORDERS"],"additional-conditions":[{"data-collection":"ORCLPDB1\\.INVENTORY\\.ORDERS","filter":"REGION = 'EU'"}],"surrogate-key":"ORDER_NO"}}`,
			want: &seen{Action: ExecuteSnapshot, Tables: []string{`ORCLPDB1\.INVENTORY\.ORDERS`}, Conditions: []string{`ORCLPDB1\.INVENTORY\.ORDERS where REGION = 'EU'`}, ChunkBy: "ORDER_NO"},
		},
		"blocking, in any case": {
			text: `{"id":"a1","type":"execute-snapshot","data":{"type":"BLOCKING","data-collections":["A.B"],"additional-conditions":[{"data-collection":"A.B","filter":"SELECT * FROM A.B"}]}}`,
			want: &seen{Action: ExecuteSnapshot, Tables: []string{"A.B"}, Conditions: []string{"A.B as SELECT * FROM A.B"}, Blocking: true},
		},
		"the older condition": {
			text: `{"type":"execute-snapshot","data":{"data-collections":["A.B","A.C"],"additional-condition":"color='blue'"}}`,
			want: &seen{Action: ExecuteSnapshot, Tables: []string{"A.B", "A.C"}, Conditions: []string{"A.B where color='blue'", "A.C where color='blue'"}},
		},
		"data as a text":    {text: `{"type":"stop-snapshot","data":"{\"data-collections\":[\"A.B\"]}"}`, want: &seen{Action: StopSnapshot, Tables: []string{"A.B"}}},
		"empty list":        {text: `{"type":"execute-snapshot","data":{"data-collections":[]}}`, want: &seen{Action: ExecuteSnapshot}},
		"no data":           {text: `{"type":"execute-snapshot"}`, want: &seen{Action: ExecuteSnapshot}},
		"stop all":          {text: `{"type":"stop-snapshot","data":{"type":"incremental"}}`, want: &seen{Action: StopSnapshot}},
		"pause":             {text: `{"type":"pause-snapshot","data":{"type":"incremental"}}`, want: &seen{Action: PauseSnapshot}},
		"resume, null data": {text: `{"type":"resume-snapshot","data":null}`, want: &seen{Action: ResumeSnapshot}},
		"log":               {text: `{"type":"log","data":{"message":"Signal at offset {}"}}`, want: &seen{Action: Log, Message: "Signal at offset 3:77"}},
		"drop":              {text: `{"type":"drop-transaction","data":{"transaction-id":"02000a0037030000"}}`, want: &seen{Action: DropTransaction, Transaction: "02000a0037030000"}},
		"unknown members":   {text: `{"id":"x","type":"log-state","channelOffset":4,"data":{"why":"so"}}`, want: &seen{Action: LogState}},
		"Debezium's marks":  {text: `{"id":"x-open","type":"snapshot-window-open","data":{"openWindowTimestamp":"2026-08-22T10:00:00Z"}}`},

		"schema-changes":      {text: `{"type":"schema-changes","data":{}}`, status: Unknown, detail: "known types: execute-snapshot,"},
		"no type":             {text: `{"id":"a"}`, status: Unknown},
		"other case":          {text: `{"type":"Execute-Snapshot"}`, status: Unknown},
		"not JSON":            {text: `{"id":"secret`, status: Invalid, detail: "not a JSON object"},
		"empty":               {text: ``, status: Invalid},
		"an array":            {text: `[]`, status: Invalid},
		"numbers":             {text: `{"id":1,"type":"log"}`, status: Invalid},
		"data is a list":      {text: `{"type":"log","data":[1]}`, status: Invalid, detail: "data is not"},
		"data is other text":  {text: `{"type":"log","data":"hello"}`, status: Invalid, detail: "data is not"},
		"log of nothing":      {text: `{"type":"log","data":{}}`, status: Invalid, detail: "data.message"},
		"drop of nothing":     {text: `{"type":"drop-transaction"}`, status: Invalid, detail: "data.transaction-id"},
		"a table, not a list": {text: `{"type":"execute-snapshot","data":{"data-collections":"A.B"}}`, status: Invalid},
		"another kind":        {text: `{"type":"execute-snapshot","data":{"type":"quick"}}`, status: Invalid, detail: "data.type"},
		"a bad pattern":       {text: `{"type":"execute-snapshot","data":{"data-collections":["A.("]}}`, status: Invalid, detail: "data.data-collections"},
		"an empty pattern":    {text: `{"type":"execute-snapshot","data":{"data-collections":[""]}}`, status: Invalid},
		"an empty filter":     {text: `{"type":"execute-snapshot","data":{"data-collections":["A.B"],"additional-conditions":[{"data-collection":"A.B","filter":" "}]}}`, status: Invalid, detail: "filter"},
		"a long id":           {text: `{"type":"log-state","id":"` + strings.Repeat("ä", 200) + `"}`, status: Invalid, detail: "255"},
		"too long":            {text: `{"type":"log-state","x":"` + strings.Repeat("x", MaxBytes) + `"}`, status: Invalid, detail: "longer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := decode([]byte(test.text), Kafka)
			s.Partition, s.Offset = 3, 77
			command, answer := Parse(&s)
			if diff := cmp.Diff(test.want, show(command)); diff != "" {
				t.Errorf("command (-want +got):\n%s", diff)
			}
			if answer == nil {
				if test.status != "" {
					t.Errorf("no answer, want %s", test.status)
				}
				return
			}
			if answer.Status != test.status || !strings.Contains(answer.Detail, test.detail) {
				t.Errorf("answer %q, %q; want %q with %q", answer.Status, answer.Detail, test.status, test.detail)
			}
			if strings.Contains(answer.Detail, "secret") {
				t.Error("the answer quotes what was sent")
			}
		})
	}
}

func TestRowOfTheSignalTable(t *testing.T) {
	s := FromRow("ad-hoc-1", "execute-snapshot", `{"data-collections": ["schema1.table1", "schema2.table2"],"type":"incremental"}`)
	c, answer := Parse(&s)
	if answer != nil {
		t.Fatal(answer)
	}
	want := &seen{Action: ExecuteSnapshot, Tables: []string{"schema1.table1", "schema2.table2"}}
	if diff := cmp.Diff(want, show(c)); diff != "" || c.ID != "ad-hoc-1" || c.Channel != Table {
		t.Errorf("%s %s %s", diff, c.ID, c.Channel)
	}
	if s = FromRow("x", "pause-snapshot", ""); s.fault != nil {
		t.Error("NULL in data:", s.fault)
	}
}

func TestTablesOfACommand(t *testing.T) {
	s := FromRow("", "execute-snapshot", `{"data-collections":["PDB1\\.SHOP\\.ORDERS","shop.items"],
		"additional-conditions":[{"data-collection":"SHOP\\.ITEMS","filter":"first"},{"data-collection":".*","filter":"second"}]}`)
	c, answer := Parse(&s)
	if answer != nil {
		t.Fatal(answer)
	}
	for _, test := range []struct {
		table     schema.Table
		matches   bool
		condition string
	}{
		{schema.Table{PDB: "PDB1", Owner: "SHOP", Name: "ORDERS"}, true, "second"},
		{schema.Table{PDB: "PDB2", Owner: "SHOP", Name: "ORDERS"}, false, "second"},
		{schema.Table{PDB: "PDB2", Owner: "SHOP", Name: "ITEMS"}, true, "first"},
		{schema.Table{Owner: "SHOP", Name: "ITEMS"}, true, "first"},
		{schema.Table{Owner: "SHOP", Name: "ITEMS2"}, false, "second"},
	} {
		condition, _ := c.Condition(test.table)
		if c.Matches(test.table) != test.matches || condition.Filter != test.condition {
			t.Errorf("%s: matches %t, condition %q", test.table, c.Matches(test.table), condition.Filter)
		}
	}
}

func TestActionsAreAllRead(t *testing.T) {
	for _, d := range Actions() {
		s := decode([]byte(`{"type":"`+string(d.Action)+`"`+data(d.Data)+`}`), HTTP)
		if c, answer := Parse(&s); answer != nil || c.Action != d.Action {
			t.Errorf("%s with %s: %v", d.Action, d.Data, answer)
		}
	}
}

func data(text string) string {
	if text == "" {
		return ""
	}
	return `,"data":` + text
}

func FuzzParse(f *testing.F) {
	f.Add(`{"type":"execute-snapshot","data":{"data-collections":["A.B"],"additional-conditions":[{"data-collection":"A","filter":"x"}]}}`)
	f.Add(`{"type":"log","data":"{\"message\":\"{}\"}"}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []Signal{decode([]byte(text), Kafka), FromRow("id", "execute-snapshot", text)} {
			c, answer := Parse(&s)
			if c != nil && answer != nil || c == nil && answer == nil && !internalMark(s.Type) {
				t.Fatalf("%q: command %v, answer %v", text, c, answer)
			}
			if len(s.ID) > maxName || len(s.Type) > maxName {
				t.Fatalf("%q: id or type too long", text)
			}
		}
	})
}
