package debezium

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// jarFolder gives the folder with Connect's JSON converter and Debezium's classes (testdata/connect/pom.xml): that of
// ORACLE_CDC_CONNECT_JARS, or one that Maven fills where ORACLE_CDC_CONNECT=1 allows it. It skips the test where there is neither, and
// says so where everybody sees it.
func jarFolder(t *testing.T) string {
	t.Helper()
	skip := func(format string, args ...any) {
		reason := fmt.Sprintf(format, args...)
		fmt.Fprintf(os.Stderr, "%s is skipped: %s\n", t.Name(), reason)
		t.Skip(reason)
	}
	folder := os.Getenv("ORACLE_CDC_CONNECT_JARS")
	if folder == "" && os.Getenv("ORACLE_CDC_CONNECT") == "" {
		skip("set ORACLE_CDC_CONNECT=1 to let Maven bring Kafka Connect and Debezium, or ORACLE_CDC_CONNECT_JARS to a folder that has them")
	}
	if _, err := exec.LookPath("java"); err != nil {
		skip("there is no java")
	}
	if folder != "" {
		return folder
	}
	folder = t.TempDir()
	maven := exec.CommandContext(t.Context(), "mvn", "-q", "-f", "testdata/connect/pom.xml", "dependency:copy-dependencies", "-DoutputDirectory="+folder)
	if out, err := maven.CombinedOutput(); err != nil {
		skip("Maven cannot bring the classes: %v\n%s", err, out)
	}
	return folder
}

// java runs a program of testdata/connect over lines, and gives its lines, as many.
func java(t *testing.T, program string, lines []string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "java", "-Dfile.encoding=UTF-8", "-cp", filepath.Join(jarFolder(t), "*"), "testdata/connect/"+program)
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, faults.String())
	}
	got := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d lines came back of %d: %s", len(got), len(lines), faults.String())
	}
	return got
}

// yardstick is the version of Debezium in testdata/connect/pom.xml. It has no structured times yet.
const yardstick = "3.6.1.Final"

// request asks Debezium for the create event of a row.
type request struct {
	Config  map[string]string `json:"config"`
	Columns []requestColumn   `json:"columns"`
	Key     string            `json:"key,omitempty"`
}

type requestColumn struct {
	Name     string  `json:"name"`
	JDBC     int     `json:"jdbc"`
	Type     string  `json:"type"`
	Length   *int    `json:"length,omitempty"`
	Scale    *int    `json:"scale,omitempty"`
	Optional bool    `json:"optional"`
	Default  *string `json:"default,omitempty"`
	Value    *string `json:"value"`
}

// requestOf says of a column what Debezium's reading of the dictionary says (reference debezium-format 11.3), and of its value what its
// parser of SQL_REDO hands on: quoted literals without their quotes, calls whole. It is false for types that Debezium has not.
func requestOf(c *schema.Column, v value.Value) (requestColumn, bool) {
	r := requestColumn{Name: c.Name, Type: c.Type.Name, Optional: c.Nullable, Default: c.Default}
	number := func(n int) *int {
		if n == schema.NoNumber {
			return nil
		}
		return &n
	}
	length := 40
	switch c.Type.Kind {
	case schema.Number:
		r.JDBC, r.Length, r.Scale = 2, number(c.Type.Precision), number(c.Type.Scale)
		if r.Length == nil {
			most := greatestPrecision
			r.Length = &most
		} else if r.Scale == nil {
			zero := 0
			r.Scale = &zero
		}
	case schema.Float:
		r.JDBC, r.Length = 6, number(c.Type.Precision)
	case schema.BinaryFloat:
		r.JDBC = 100
	case schema.BinaryDouble:
		r.JDBC = 101
	case schema.Varchar2:
		r.JDBC, r.Length = 12, &length
	case schema.NVarchar2:
		r.JDBC, r.Length = -9, &length
	case schema.Char:
		r.JDBC, r.Length = 1, &length
	case schema.NChar:
		r.JDBC, r.Length = -15, &length
	case schema.Raw:
		r.JDBC, r.Length = -2, &length
	case schema.RowID:
		r.JDBC = -8
	case schema.Date:
		r.JDBC = 93
	case schema.Timestamp, schema.TimestampTZ, schema.TimestampLTZ:
		digits := fractionDigits(c.Type)
		r.JDBC, r.Length = map[schema.TypeKind]int{schema.Timestamp: 93, schema.TimestampTZ: -101, schema.TimestampLTZ: -102}[c.Type.Kind], &digits
	case schema.IntervalYM:
		r.JDBC = -103
	case schema.IntervalDS:
		r.JDBC = -104
	default:
		return r, false
	}
	if v.Kind() != value.Null {
		text := redo(c.Type, v)
		r.Value = &text
	}
	return r, true
}

// redo is a value in SQL_REDO (reference logminer D.2).
func redo(t schema.Type, v value.Value) string {
	stamp := func(format string, at value.DateTime) string {
		return time.Date(int(at.Year), time.Month(at.Month), int(at.Day), int(at.Hour), int(at.Minute), int(at.Second), int(at.Nano), time.UTC).Format(format)
	}
	const local, precise = "2006-01-02 15:04:05", "2006-01-02 15:04:05.000000000"
	switch v.Kind() {
	case value.Bytes:
		return "HEXTORAW('" + hex.EncodeToString([]byte(v.Text())) + "')"
	case value.Float32:
		return strconv.FormatFloat(float64(v.Float32()), 'E', -1, 32)
	case value.Float64:
		return strconv.FormatFloat(v.Float64(), 'E', -1, 64)
	case value.Local:
		if t.Kind == schema.Date {
			return "TO_DATE('" + stamp(local, v.DateTime()) + "', 'YYYY-MM-DD HH24:MI:SS')"
		}
		return "TO_TIMESTAMP('" + stamp(precise, v.DateTime()) + "')"
	case value.Zoned:
		zone := ""
		if t.Kind == schema.TimestampTZ {
			zone = " " + time.Date(2020, 1, 1, 0, 0, 0, 0, time.FixedZone("", 60*int(v.OffsetMinutes()))).Format("-07:00")
		}
		return "TO_TIMESTAMP_TZ('" + stamp(precise, v.DateTime()) + zone + "')"
	case value.Months:
		sign, n := "+", v.Months()
		if n < 0 {
			sign, n = "-", -n
		}
		return fmt.Sprintf("TO_YMINTERVAL('%s%03d-%02d')", sign, n/12, n%12)
	case value.Duration:
		seconds, nanos := v.Duration()
		sign := "+"
		if seconds < 0 || nanos < 0 {
			sign, seconds, nanos = "-", -seconds, -nanos
		}
		return fmt.Sprintf("TO_DSINTERVAL('%s%03d %02d:%02d:%02d.%09d')", sign, seconds/86400, seconds/3600%24, seconds/60%60, seconds%60, nanos)
	default:
		return v.Text()
	}
}

// Debezium's own classes make the same records as profile debezium, byte for byte: its Oracle connector reads the redo's literal of every
// type in every mode, its schema builder makes key and envelope, and Connect's converters write both, and the key as a header.
func TestDebeziumsOwnClassesMakeTheSameRecords(t *testing.T) {
	var names, lines, want []string
	ask := func(name string, s Settings, config map[string]string, v *schema.Version, row []value.Value, key string) {
		r := request{Config: config, Key: key}
		for i := range v.Columns {
			c, ok := requestOf(&v.Columns[i], row[i])
			if !ok {
				return
			}
			r.Columns = append(r.Columns, c)
		}
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		tab, ev := table(t, s, v), brief(v, change.Create, nil, row)
		k, val := rendered(t, tab, ev)
		header, err := tab.AppendOtherKey(nil, ev)
		if err != nil {
			t.Fatal(err)
		}
		oneLine := strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`)
		names, lines, want = append(names, name), append(lines, string(line)), append(want, k+"\t"+oneLine.Replace(string(header))+"\t"+val)
	}
	s := debeziumSettings()
	s.ConnectorVersion, s.Encoding, s.Default = yardstick, JSONSchema, literalDefault
	single := func(s Settings, config map[string]string, rows []modeRow, mode string) {
		for _, r := range rows {
			if _, ok := r.of(s.Profile, mode); !ok && r.want != nil {
				continue
			}
			v := versionOf(r.typ)
			v.Table = customers().Table
			ask(r.name, s, config, v, []value.Value{r.value}, "")
			ask(r.name, s, config, v, []value.Value{value.OfNull()}, "")
			keyed := versionOf(r.typ)
			keyed.Table, keyed.Key = v.Table, schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
			ask(r.name, s, config, keyed, []value.Value{r.value}, keyed.Columns[0].Name)
		}
	}
	for _, s.Decimals = range []Decimals{PreciseDecimals, TextDecimals, DoubleDecimals} {
		single(s, map[string]string{"decimal.handling.mode": string(s.Decimals)}, decimalRows(), string(s.Decimals))
	}
	s.Decimals = ""
	for s.Temporals = range s.Profile.temporals {
		if s.Temporals != StructuredTimes {
			single(s, map[string]string{"time.precision.mode": string(s.Temporals)}, temporalRows(), string(s.Temporals))
		}
	}
	s.Temporals = ""
	for _, s.Intervals = range []Intervals{NumericIntervals, TextIntervals} {
		single(s, map[string]string{"interval.handling.mode": string(s.Intervals)}, intervalRows(), string(s.Intervals))
	}
	s.Intervals = ""
	for mode, name := range map[Binary]string{PlainBytes: "bytes", Base64Text: "base64", Base64URLText: "base64-url-safe", HexText: "hex"} {
		s := s
		s.Binary = mode
		single(s, map[string]string{"binary.handling.mode": name}, binaryRows()[:1], string(mode))
	}
	single(s, nil, otherRows(), "")
	v := withStatus()
	ask("the golden row", s, nil, v, anne(), "ID")
	bare := anne()
	bare[1], bare[2], bare[3] = value.OfNull(), value.OfNull(), value.OfNull()
	ask("NULLs under a default", s, nil, v, bare, "ID")
	odd := versionOf(number(9, 0), varchar(), varchar(), varchar(), varchar(), varchar(), varchar(), varchar())
	odd.Table = customers().Table
	odd.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	for i, name := range []string{"1ST", "AMOUNT$", "COL#1", "ORDER_ID", "A B", "a.b", "GRÖSSE", "ŁODŹ"} {
		odd.Columns[i].Name = name
	}
	odd.Columns[0].Nullable = false
	row := []value.Value{value.OfDecimal("1")}
	for range odd.Columns[1:] {
		row = append(row, value.OfText("x"))
	}
	for _, names := range []naming.Adjustment{naming.Unadjusted, naming.Avro, naming.AvroUnicode} {
		s := s
		s.FieldNames, s.SchemaNames = names, names
		ask("names "+string(names), s, map[string]string{"field.name.adjustment.mode": string(names), "schema.name.adjustment.mode": string(names)},
			odd.Seal(), row, "1ST")
	}
	other := map[string]bool{}
	for i, got := range java(t, "Debezium.java", lines) {
		// The converter writes what is in the struct; Debezium leaves snapshot out of streamed events (reference 1.3).
		got = strings.ReplaceAll(got, `"snapshot":null`, `"snapshot":"false"`)
		if why := apart[names[i]]; why != "" {
			other[names[i]] = other[names[i]] || got != want[i]
			continue
		}
		same(t, names[i]+" "+lines[i], got, want[i])
	}
	for name, why := range apart {
		if !other[name] {
			t.Errorf("%s is no different any more: %s", name, why)
		}
	}
	t.Logf("%d records", len(lines))
}

// apart are the rows of the tables whose values Debezium writes in another way, or not at all, and why ours stand.
var apart = map[string]string{
	"NUMBER, zeros at the end": "a value has one form whatever zeros its source wrote (P6); redo and driver write none",
	"DATE of 4712 BC":          "Debezium's reading of the redo refuses years before 1; the text is what its converters make of the date",
	"DATE of 1 BC":             "as above",
	"a year above 9999":        "Debezium's reading of the redo refuses it",
	"1 2:3:4.123456789":        "Debezium takes digits beyond six for seconds (reference debezium-format 8)",
}
