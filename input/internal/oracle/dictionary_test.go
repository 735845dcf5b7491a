package oracle_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Rows of the dictionary views, by the columns of the statements.
func tableOf(owner, name string) []string {
	return []string{owner, name, "N", "NO", "", "", "NO", "NO", "NO", "NO", "NO"}
}

func columnOf(table, name string, id int, dataType string) []string {
	n := fmt.Sprint(id)
	return []string{table, name, n, n, dataType, "", "22", "0", "", "", "Y", "NO", "NO", "YES"}
}

func notNull(row []string) []string {
	row[10] = "N"
	return row
}

type dictionary struct {
	tables, columns, primary, keys, unique, indexed, groups, objects [][]string
	kinds                                                            [][]string
	rule                                                             oracle.KeyRule
	release                                                          string
}

// table adds a plain table with its segment.
func (d *dictionary) table(owner, name string, id int, columns ...[]string) {
	d.tables = append(d.tables, tableOf(owner, name))
	d.columns = append(d.columns, columns...)
	d.objects = append(d.objects, []string{name, "", "TABLE", fmt.Sprint(id), "2026-01-02 03:04:05"})
}

func (d *dictionary) describe(t *testing.T, match func(schema.Table) bool) []oracle.Description {
	t.Helper()
	for i, c := range d.columns {
		if len(c) == 14 {
			d.columns[i] = append(c, "NO") // no identity column
		}
		if len(d.columns[i]) == 15 {
			d.columns[i] = append(d.columns[i], "") // no default
		}
	}
	s := &script{}
	for part, rows := range map[string][][]string{
		"CDB_TABLES": d.tables, "CDB_TAB_COLS": d.columns, "CDB_CONSTRAINTS": d.primary, "CDB_CONS_COLUMNS": d.keys,
		"CDB_INDEXES": d.unique, "CDB_IND_COLUMNS": d.indexed, "CDB_LOG_GROUPS": d.groups, "CDB_OBJECTS": d.objects,
		"CDB_OBJECT_TABLES": d.kinds,
		"CDB_USERS":         {{"SYSTEM"}, {"NEWINTERNAL"}}, "CDB_ENCRYPTED_COLUMNS": {{"ORDERS", "AT"}, {"OTHER", "ID"}},
	} {
		s.rows(part, rows...)
	}
	session := connect(t, config(server(t, s)))
	got, err := oracle.Describe(t.Context(), session, oracle.Database{Release: cmp.Or(d.release, "19.25.0.0.0")}, oracle.Container{ID: 3, Name: "P"}, match, d.rule)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func all(schema.Table) bool { return true }

func TestDescribeATable(t *testing.T) {
	var d dictionary
	d.table("APP", "ORDERS", 100,
		notNull([]string{"ORDERS", "ID", "1", "1", "NUMBER", "", "22", "0", "10", "0", "N", "NO", "NO", "YES"}),
		[]string{"ORDERS", "TOTAL", "2", "", "NUMBER", "", "22", "0", "", "", "Y", "NO", "YES", "YES"}, // virtual: no segment number
		[]string{"ORDERS", "SYS_C00003_26061012:00:00$", "3", "2", "VARCHAR2", "", "20", "20", "", "", "Y", "YES", "NO", "NO"},
		[]string{"ORDERS", "SECRET", "4", "3", "RAW", "", "16", "0", "", "", "Y", "YES", "NO", "YES", "NO", "7"},
		[]string{"ORDERS", "AT", "5", "4", "TIMESTAMP(6) WITH TIME ZONE", "", "13", "0", "", "6", "Y", "NO", "NO", "YES"},
		[]string{"ORDERS", "SYS_NC00006$", "6", "5", "RAW", "", "126", "0", "", "", "Y", "YES", "NO", "NO"},
		[]string{"ORDERS", "Name", "7", "6", "NVARCHAR2", "", "80", "40", "", "", "Y", "NO", "NO", "YES"})
	d.primary = [][]string{{"ORDERS", "ORDERS_PK"}}
	d.keys = [][]string{{"ORDERS", "ORDERS_PK", "ID", "1"}, {"ORDERS", "ORDERS_NN", "AT", ""}}
	d.groups = [][]string{{"ORDERS", "ALL COLUMN LOGGING"}}
	d.objects = append(d.objects, []string{"ORDERS", "P1", "TABLE PARTITION", "99", ""}, []string{"OTHER", "", "TABLE", "7", ""})
	d.tables[0][6] = "YES"

	got := d.describe(t, all)
	if len(got) != 1 || !slices.Equal(got[0].Partitions, []string{"P1"}) {
		t.Fatalf("%d tables", len(got))
	}
	v := got[0].Version
	text := func(name string) schema.Column { i, _ := v.Column(name); return v.Columns[i] }
	var names []string
	for _, c := range v.Columns {
		names = append(names, fmt.Sprintf("%s:%d", c.Name, c.SegmentID))
	}
	want := "ID:1 SYS_C00003_26061012:00:00$:2 SECRET:3 AT:4 SYS_NC00006$:5 Name:6 TOTAL:0"
	if diff := gocmp.Diff(want, strings.Join(names, " ")); diff != "" {
		t.Errorf("R42, R43: %s", diff)
	}
	for name, flags := range map[string]string{
		"ID": "", "AT": "encrypted", "TOTAL": "virtual", "SYS_C00003_26061012:00:00$": "hidden unused", "SECRET": "hidden", "SYS_NC00006$": "hidden guard",
	} {
		c := text(name)
		var is []string
		for _, f := range []struct {
			name string
			set  bool
		}{{"hidden", c.Hidden}, {"virtual", c.Virtual}, {"unused", c.Unused}, {"guard", c.Guard}, {"encrypted", c.Encrypted}} {
			if f.set {
				is = append(is, f.name)
			}
		}
		if strings.Join(is, " ") != flags {
			t.Errorf("column %s is %v, want %s", name, is, flags)
		}
	}
	if diff := gocmp.Diff(schema.Type{Kind: schema.Number, Name: "NUMBER", Length: 22, Precision: 10}, text("ID").Type); diff != "" {
		t.Error(diff)
	}
	if text("SECRET").Undefaulted || !text("AT").Undefaulted {
		t.Error("R109: SECRET has a default, AT has none")
	}
	if c := text("AT"); c.Type.Kind != schema.TimestampTZ || c.Type.Scale != 6 || c.Type.Precision != schema.NoNumber {
		t.Errorf("AT is %+v", c.Type)
	}
	if diff := gocmp.Diff([]uint64{99, 100}, v.ObjectIDs); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff(schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}, v.Key); diff != "" {
		t.Error(diff)
	}
	if v.Logging != schema.LoggingAll || v.Container != 3 || v.Table != (schema.Table{PDB: "P", Owner: "APP", Name: "ORDERS"}) ||
		!got[0].Partitioned || got[0].LastDDL != "2026-01-02 03:04:05" || len(got[0].Refused) > 0 {
		t.Errorf("%+v %+v", v, got[0])
	}
}

func TestCandidatesLeaveOutWhatIsNeverCaptured(t *testing.T) {
	var d dictionary
	for i, owner := range []string{"APP", "SYSTEM", "NEWINTERNAL", "XDB", "APP2"} {
		d.table(owner, "T", i+1, columnOf("T", "ID", 1, "NUMBER"))
	}
	for i, name := range []string{"BIN$vVWfliIh6WfgU0EEEKzOvg==$0", "MLOG$_ORDERS", "SYS_IOT_OVER_123", "CMP3$77"} {
		d.table("APP", name, 20+i, columnOf(name, "ID", 1, "NUMBER"))
	}
	for name, place := range map[string]int{"TEMP": 2, "NESTED": 3, "DROPPED": 7} {
		d.table("APP", name, 50+place, columnOf(name, "ID", 1, "NUMBER"))
		d.tables[len(d.tables)-1][place] = "YES"
	}
	var offered []string
	got := d.describe(t, func(table schema.Table) bool {
		offered = append(offered, table.String())
		return table.Owner != "APP2"
	})
	if fmt.Sprint(offered) != "[P.APP.T P.APP2.T]" || len(got) != 1 {
		t.Errorf("offered %v, described %d", offered, len(got))
	}
}

func TestRefusedTablesSayWhy(t *testing.T) {
	long := strings.Repeat("X", 31)
	for name, tc := range map[string]struct {
		change func(*dictionary)
		want   string
	}{
		"a plain table": {func(*dictionary) {}, ""},
		"LOB":           {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "DOC", 2, "CLOB")) }, "column DOC has type CLOB"},
		"JSON":          {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "DOC", 2, "JSON")) }, "column DOC has type JSON, and LogMiner shows no row of its table: use CLOB with IS JSON"},
		"BOOLEAN":       {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "B", 2, "BOOLEAN")) }, "column B has type BOOLEAN, and LogMiner shows no row of its table: use NUMBER(1)"},
		"VECTOR":        {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "V", 2, "VECTOR")) }, "column V has type VECTOR, and LogMiner shows no row of its table"},
		"BFILE":         {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "F", 2, "BFILE")) }, "column F has type BFILE, whose table LogMiner ignores"},
		"unknown":       {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "N", 2, "NOVELTY")) }, "column N has type NOVELTY, which LogMiner is not known to show"},
		"identity of 19c": {func(d *dictionary) {
			d.columns[0] = append(d.columns[0], "YES")
		}, `column ID is an identity column, and LogMiner of release 19.25.0.0.0 ignores tables that have one`},
		"identity of 21c": {func(d *dictionary) {
			d.release, d.columns[0] = "21.3.0.0.0", append(d.columns[0], "YES")
		}, `(ALTER TABLE ... MODIFY "ID" DROP IDENTITY)`},
		"identity of a release that nobody named": {func(d *dictionary) {
			d.release, d.columns[0] = "?", append(d.columns[0], "YES")
		}, "identity column"},
		"identity of 23ai": {func(d *dictionary) {
			d.release, d.columns[0] = "23.26.0.0.0", append(d.columns[0], "YES")
		}, ""},
		"LONG":   {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "L", 2, "LONG")) }, "column L has type LONG"},
		"UROWID": {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", "U", 2, "UROWID")) }, "column U has type UROWID"},
		"object": {func(d *dictionary) {
			c := columnOf("T", "O", 2, "POINT")
			c[5] = "APP"
			d.columns = append(d.columns, c)
		}, "column O has type POINT, an object or collection type, whose table LogMiner ignores"},
		"nested table": {func(d *dictionary) {
			c := columnOf("T", "N", 2, "LINES")
			c[5] = "APP"
			d.columns = append(d.columns, c)
		}, "column N has type LINES, an object or collection type"},
		"extended text": {func(d *dictionary) {
			c := columnOf("T", "V", 2, "VARCHAR2")
			c[6] = "32767"
			d.columns = append(d.columns, c)
		}, "column V has type VARCHAR2(32767)"},
		"extended RAW": {func(d *dictionary) {
			c := columnOf("T", "R", 2, "RAW")
			c[6] = "2001"
			d.columns = append(d.columns, c)
		}, "column R has type RAW(2001)"},
		"IOT":                     {func(d *dictionary) { d.tables[0][4] = "IOT" }, "index-organized"},
		"cluster":                 {func(d *dictionary) { d.tables[0][5] = "C1" }, "in cluster C1"},
		"R132 external":           {func(d *dictionary) { d.tables[0][8] = "YES" }, "external table, whose rows lie in files"},
		"R132 hybrid partitioned": {func(d *dictionary) { d.tables[0][9] = "YES" }, "hybrid partitioned table"},
		"R132 reservation":        {func(d *dictionary) { d.tables[0][10] = "YES" }, "lock-free reservations"},
		"R132 object table": {func(d *dictionary) {
			d.kinds = [][]string{{"APP", "T", "object table"}}
			d.tables = nil // it is in no other view of tables
		}, "object table"},
		"R132 archive":    {func(d *dictionary) { d.kinds = [][]string{{"APP", "T", "table of a Flashback Data Archive"}} }, "Flashback Data Archive"},
		"R132 blockchain": {func(d *dictionary) { d.kinds = [][]string{{"APP", "T", "blockchain table"}} }, "blockchain table"},
		"R132 immutable":  {func(d *dictionary) { d.kinds = [][]string{{"APP", "T", "immutable table"}} }, "immutable table"},
		"kind of another": {func(d *dictionary) {
			d.kinds = [][]string{{"APP", "U", "immutable table"}, {"SYSTEM", "O", "object table"}}
		}, ""},
		"long column": {func(d *dictionary) { d.columns = append(d.columns, columnOf("T", long, 2, "NUMBER")) }, "more than 30 bytes"},
		"no segment":  {func(d *dictionary) { d.objects = nil }, "no segment"},
		"unused LOB": {func(d *dictionary) {
			c := columnOf("T", "SYS_C00002_26010101:00:00$", 2, "CLOB")
			c[11] = "YES"
			d.columns = append(d.columns, c)
		}, ""},
		"virtual column": {func(d *dictionary) {
			c := columnOf("T", "V", 2, "XMLTYPE")
			c[3], c[12] = "", "YES"
			d.columns = append(d.columns, c)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var d dictionary
			d.table("APP", "T", 1, columnOf("T", "ID", 1, "NUMBER"))
			tc.change(&d)
			got := strings.Join(d.describe(t, all)[0].Refused, "; ")
			if (tc.want == "") != (got == "") || !strings.Contains(got, tc.want) {
				t.Errorf("refused %q, want %q", got, tc.want)
			}
		})
	}
	var d dictionary
	d.table("APP", long, 1, columnOf(long, "ID", 1, "NUMBER"))
	if got := d.describe(t, all)[0].Refused; len(got) != 1 || !strings.Contains(got[0], "30 bytes") {
		t.Errorf("a long table name: %v", got)
	}
}

func TestKeysOfTables(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*dictionary)
		origin schema.KeyOrigin
		want   string
	}{
		"none": {func(*dictionary) {}, schema.KeyNone, "[]"},
		"primary key in its own order": {func(d *dictionary) {
			d.primary = [][]string{{"T", "PK"}}
			d.keys = [][]string{{"T", "PK", "A", "2"}, {"T", "PK", "C", "1"}}
		}, schema.KeyPrimary, "[2 0]"},
		"a key that is not enabled is not listed": {func(d *dictionary) {
			d.keys = [][]string{{"T", "PK", "A", "1"}}
		}, schema.KeyNone, "[]"},
		"unique index": {func(d *dictionary) {
			d.unique = [][]string{{"T", "APP", "UX"}}
			d.indexed = [][]string{{"T", "APP", "UX", "C", "2"}, {"T", "APP", "UX", "A", "1"}}
		}, schema.KeyUnique, "[0 2]"},
		"unique index with a nullable column": {func(d *dictionary) {
			d.unique = [][]string{{"T", "APP", "UX"}}
			d.indexed = [][]string{{"T", "APP", "UX", "B", "1"}}
		}, schema.KeyNone, "[]"},
		"unique index over an expression": {func(d *dictionary) {
			d.unique = [][]string{{"T", "APP", "UX"}}
			d.indexed = [][]string{{"T", "APP", "UX", "SYS_NC00009$", "1"}}
		}, schema.KeyNone, "[]"},
		"the smallest unique index": {func(d *dictionary) {
			d.unique = [][]string{{"T", "APP", "U2"}, {"T", "APP", "U1"}}
			d.indexed = [][]string{{"T", "APP", "U1", "A", "1"}, {"T", "APP", "U1", "C", "2"}, {"T", "APP", "U2", "C", "1"}}
		}, schema.KeyUnique, "[2]"},
		"of two of one size the first by name, whoever owns it": {func(d *dictionary) {
			d.unique = [][]string{{"T", "APP", "U2"}, {"T", "ZED", "U1"}}
			d.indexed = [][]string{{"T", "APP", "U2", "A", "1"}, {"T", "ZED", "U1", "C", "1"}}
		}, schema.KeyUnique, "[2]"},
		"Debezium's rule: the first by name, not the smallest": {func(d *dictionary) {
			d.rule = oracle.FirstUniqueIndex
			d.unique = [][]string{{"T", "APP", "U2"}, {"T", "APP", "U1"}}
			d.indexed = [][]string{{"T", "APP", "U1", "A", "1"}, {"T", "APP", "U1", "C", "2"}, {"T", "APP", "U2", "C", "1"}}
		}, schema.KeyUnique, "[0 2]"},
		"Debezium's rule: a nullable column is no obstacle": {func(d *dictionary) {
			d.rule = oracle.FirstUniqueIndex
			d.unique = [][]string{{"T", "APP", "U2"}, {"T", "APP", "U1"}}
			d.indexed = [][]string{{"T", "APP", "U1", "B", "1"}, {"T", "APP", "U2", "C", "1"}}
		}, schema.KeyUnique, "[1]"},
		"Debezium's rule: an index over an expression is passed over": {func(d *dictionary) {
			d.rule = oracle.FirstUniqueIndex
			d.unique = [][]string{{"T", "APP", "U1"}, {"T", "APP", "U2"}}
			d.indexed = [][]string{{"T", "APP", "U1", "SYS_NC00009$", "1"}, {"T", "APP", "U2", "B", "1"}}
		}, schema.KeyUnique, "[1]"},
		"Debezium's rule: the primary key goes first": {func(d *dictionary) {
			d.rule = oracle.FirstUniqueIndex
			d.primary, d.keys = [][]string{{"T", "PK"}}, [][]string{{"T", "PK", "C", "1"}}
			d.unique = [][]string{{"T", "APP", "U1"}}
			d.indexed = [][]string{{"T", "APP", "U1", "B", "1"}}
		}, schema.KeyPrimary, "[2]"},
	} {
		t.Run(name, func(t *testing.T) {
			var d dictionary
			d.table("APP", "T", 1, notNull(columnOf("T", "A", 1, "NUMBER")), columnOf("T", "B", 2, "NUMBER"), notNull(columnOf("T", "C", 3, "NUMBER")))
			tc.change(&d)
			key := d.describe(t, all)[0].Version.Key
			if key.Origin != tc.origin || fmt.Sprint(key.Columns) != tc.want {
				t.Errorf("%s %v", key.Origin, key.Columns)
			}
		})
	}
}

func TestR108LoggingOfTables(t *testing.T) {
	for name, tc := range map[string]struct {
		groups [][]string
		want   schema.Logging
	}{
		"minimal":         {nil, schema.LoggingMinimal},
		"key":             {[][]string{{"T", "UNIQUE KEY LOGGING"}, {"T", "PRIMARY KEY LOGGING"}}, schema.LoggingKey},
		"all":             {[][]string{{"T", "ALL COLUMN LOGGING"}, {"T", "PRIMARY KEY LOGGING"}}, schema.LoggingAll},
		"of other tables": {[][]string{{"U", "ALL COLUMN LOGGING"}}, schema.LoggingMinimal},
	} {
		var d dictionary
		d.table("APP", "T", 1, columnOf("T", "ID", 1, "NUMBER"))
		d.groups = tc.groups
		if got := d.describe(t, all)[0]; got.Version.Logging != tc.want || !strings.Contains(got.Statement(), `"APP"."T" ADD SUPPLEMENTAL LOG DATA (ALL)`) {
			t.Errorf("%s: %s, want %s (%s)", name, got.Version.Logging, tc.want, got.Statement())
		}
	}
}
