package debezium

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// typeCase is a row of seed 001 "Column types"; where the seed is silent, of reference debezium-format 5.
type typeCase struct {
	name  string
	typ   schema.Type
	value value.Value
	// want is the value's JSON, missing what stands for an unavailable value.
	want, missing string
}

const placeholderBytes = `"X19jZGNfdW5hdmFpbGFibGVfdmFsdWU="`

func typeCases() []typeCase {
	none := schema.NoNumber
	noon := dateTime(2018, 3, 27, 12, 34, 56, 125_456_789)
	placeholder := `"__cdc_unavailable_value"`
	return []typeCase{
		{"VARCHAR2", varchar(), value.OfText("Ä\""), `"Ä\""`, placeholder},
		{"NVARCHAR2", typed(schema.NVarchar2, "NVARCHAR2", none), value.OfText("😀"), `"\uD83D\uDE00"`, placeholder},
		{"CHAR keeps its blanks", typed(schema.Char, "CHAR", none), value.OfText("ab   "), `"ab   "`, placeholder},
		{"NCHAR", typed(schema.NChar, "NCHAR", none), value.OfText("ab "), `"ab "`, placeholder},
		{"LONG", typed(schema.Long, "LONG", none), value.OfText("long"), `"long"`, placeholder},
		{"ROWID", typed(schema.RowID, "ROWID", none), value.OfText("AAASNsAAEAAAAFfAAA"), `"AAASNsAAEAAAAFfAAA"`, placeholder},
		{"UROWID", typed(schema.URowID, "UROWID", none), value.OfText("*BAEA"), `"*BAEA"`, placeholder},
		{"RAW", typed(schema.Raw, "RAW", none), value.OfBytes("\x01\xff\xfe\x3f\xbf"), `"Af/+P78="`, placeholderBytes},
		{"empty RAW", typed(schema.Raw, "RAW", none), value.OfBytes(""), `""`, placeholderBytes},
		{"LONG RAW", typed(schema.LongRaw, "LONG RAW", none), value.OfBytes("\x00"), `"AA=="`, placeholderBytes},
		{"BINARY_FLOAT", typed(schema.BinaryFloat, "BINARY_FLOAT", none), value.OfFloat32(1.1), `1.1`, "null"},
		{"BINARY_DOUBLE", typed(schema.BinaryDouble, "BINARY_DOUBLE", none), value.OfFloat64(1e7), `1.0E7`, "null"},
		{"NUMBER(1) is int8", number(1, 0), value.OfDecimal("-9"), `-9`, "null"},
		{"NUMBER(2) is int8", number(2, 0), value.OfDecimal("99"), `99`, "null"},
		{"NUMBER(4) is int16", number(4, 0), value.OfDecimal("9999"), `9999`, "null"},
		{"NUMBER(9) is int32", number(9, 0), value.OfDecimal("999999999"), `999999999`, "null"},
		{"NUMBER(18) is int64", number(18, 0), value.OfDecimal("999999999999999999"), `999999999999999999`, "null"},
		{"NUMBER(10) without a scale", number(10, none), value.OfDecimal("1234567890"), `1234567890`, "null"},
		{"NUMBER(19) is Decimal", number(19, 0), value.OfDecimal("9999999999999999999"), `"AIrHIwSJ5///"`, "null"},
		{"INTEGER is Decimal", number(none, 0), value.OfDecimal("1"), `"AQ=="`, "null"},
		{"NUMBER(*,2) is Decimal", number(none, 2), value.OfDecimal("1.5"), `"AJY="`, "null"},
		{"NUMBER(12,2) is Decimal", number(12, 2), value.OfDecimal("-12.5"), `"+x4="`, "null"},
		{"NUMBER(3,5) is Decimal", number(3, 5), value.OfDecimal("0.00012"), `"DA=="`, "null"},
		{"NUMBER(1,-1) is int8", number(1, -1), value.OfDecimal("90"), `90`, "null"},
		{"NUMBER(16,-2) is int64", number(16, -2), value.OfDecimal("999999999999999900"), `999999999999999900`, "null"},
		{"NUMBER(17,-2) is Decimal", number(17, -2), value.OfDecimal("12300"), `"ew=="`, "null"},
		{"NUMBER(36,-2) is Decimal", number(36, -2), value.OfDecimal(strings.Repeat("9", 36) + "00"), `"AMCXznvJBxWzS58P/////w=="`, "null"},
		{"NUMBER", number(none, none), value.OfDecimal("77.323"), `{"scale":3,"value":"AS4L"}`, "null"},
		{"FLOAT", schema.Type{Kind: schema.Float, Name: "FLOAT", Precision: 126, Scale: none}, value.OfDecimal("8.888"), `{"scale":3,"value":"Irg="}`, "null"},
		{"DATE", typed(schema.Date, "DATE", none), value.OfLocal(dateTime(2018, 3, 27, 0, 0, 0, 0)), `1522108800000`, "null"},
		{"TIMESTAMP(0)", typed(schema.Timestamp, "TIMESTAMP(0)", 0), value.OfLocal(noon), `1522154096125`, "null"},
		{"TIMESTAMP(3)", typed(schema.Timestamp, "TIMESTAMP(3)", 3), value.OfLocal(noon), `1522154096125`, "null"},
		{"TIMESTAMP(4)", typed(schema.Timestamp, "TIMESTAMP(4)", 4), value.OfLocal(noon), `1522154096125456`, "null"},
		{"TIMESTAMP(6)", typed(schema.Timestamp, "TIMESTAMP(6)", 6), value.OfLocal(noon), `1522154096125456`, "null"},
		{"TIMESTAMP", typed(schema.Timestamp, "TIMESTAMP", none), value.OfLocal(noon), `1522154096125456`, "null"},
		{"TIMESTAMP(7)", typed(schema.Timestamp, "TIMESTAMP(7)", 7), value.OfLocal(noon), `1522154096125456789`, "null"},
		{"TIMESTAMP(9)", typed(schema.Timestamp, "TIMESTAMP(9)", 9), value.OfLocal(noon), `1522154096125456789`, "null"},
		{"TIMESTAMP(6) WITH TIME ZONE", typed(schema.TimestampTZ, "TIMESTAMP(6) WITH TIME ZONE", 6), value.OfZoned(noon, -660), `"2018-03-27T12:34:56.125456-11:00"`, "null"},
		{"TIMESTAMP(9) WITH LOCAL TIME ZONE", typed(schema.TimestampLTZ, "TIMESTAMP(9) WITH LOCAL TIME ZONE", 9), value.OfZoned(noon, 0), `"2018-03-27T12:34:56.125456789Z"`, "null"},
		{"INTERVAL YEAR TO MONTH", typed(schema.IntervalYM, "INTERVAL YEAR(2) TO MONTH", 0), value.OfMonths(14), `3.68172E13`, "null"},
		{"INTERVAL DAY TO SECOND", typed(schema.IntervalDS, "INTERVAL DAY(2) TO SECOND(6)", 6), value.OfDuration(-93784, -560_000_000), `-9.378456E10`, "null"},
	}
}

func lobCases() []typeCase {
	none := schema.NoNumber
	return []typeCase{
		{"CLOB", typed(schema.CLOB, "CLOB", none), value.OfText("<a>"), `"<a>"`, `"__cdc_unavailable_value"`},
		{"NCLOB", typed(schema.NCLOB, "NCLOB", none), value.OfText(""), `""`, `"__cdc_unavailable_value"`},
		{"XMLTYPE", typed(schema.XMLType, "XMLTYPE", none), value.OfText("<a/>"), `"<a/>"`, `"__cdc_unavailable_value"`},
		{"BLOB", typed(schema.BLOB, "BLOB", none), value.OfBytes("\x00"), `"AA=="`, placeholderBytes},
	}
}

func versionOf(types ...schema.Type) *schema.Version {
	v := &schema.Version{Table: schema.Table{Owner: "APP", Name: "T"}, Number: 1, Key: schema.Key{Origin: schema.KeyNone}}
	for i, t := range types {
		v.Columns = append(v.Columns, schema.Column{Name: "C" + string(rune('A'+i)), Type: t, SegmentID: i + 1, Nullable: true})
	}
	return v.Seal()
}

// after renders a row and gives the text of its after image.
func after(t testing.TB, tab *Table, v *schema.Version, row ...value.Value) string {
	t.Helper()
	out, err := tab.AppendValue(nil, streamed(v, change.Create, nil, row))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(strings.TrimPrefix(string(out), `{"before":null,"after":`), `,"source":`)
	return text
}

func TestColumnTypes(t *testing.T) {
	inline := settings()
	inline.LOBs = LOBsInline
	for _, c := range append(typeCases(), lobCases()...) {
		v := versionOf(c.typ)
		tab := table(t, inline, v)
		if got, want := after(t, tab, v, c.value), `{"CA":`+c.want+`}`; got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
		if got := after(t, tab, v, value.OfNull()); got != `{"CA":null}` {
			t.Errorf("%s: NULL gives %s", c.name, got)
		}
		if got, want := after(t, tab, v, value.OfUnavailable()), `{"CA":`+c.missing+`}`; got != want {
			t.Errorf("%s: unavailable gives %s, want %s", c.name, got, want)
		}
		absent := "null"
		if isLOB(c.typ.Kind) {
			absent = c.missing
		}
		if got, want := after(t, tab, v, value.Value{}), `{"CA":`+absent+`}`; got != want {
			t.Errorf("%s: absent gives %s, want %s", c.name, got, want)
		}
	}
}

func TestHeaderUnavailableNamesWhatIsNullWithoutBeingNULL(t *testing.T) {
	for _, c := range append(typeCases(), lobCases()...) {
		v := versionOf(c.typ)
		for _, missing := range []value.Value{{}, value.OfUnavailable(), value.OfNull(), c.value} {
			ev := streamed(v, change.Create, nil, []value.Value{missing})
			inline := settings()
			inline.LOBs = LOBsInline
			named := !missing.Known() && after(t, table(t, inline, v), v, missing) == `{"CA":null}`
			headers, _ := Headers(settings())(nil, nil, ev)
			last := headers[len(headers)-1]
			if got := last.Key == "cdc.unavailable" && string(last.Value) == `["CA"]`; got != named {
				t.Errorf("%s, kind %d: header %s %s", c.name, missing.Kind(), last.Key, last.Value)
			}
		}
	}
}

func TestOwnPlaceholder(t *testing.T) {
	s := settings()
	s.Placeholder = "n/a\n"
	v := versionOf(varchar(), typed(schema.Raw, "RAW", schema.NoNumber))
	if got := after(t, table(t, s, v), v, value.OfUnavailable(), value.OfUnavailable()); got != `{"CA":"n/a\n","CB":"bi9hCg=="}` {
		t.Error(got)
	}
}

func TestColumnsWithoutAFieldStayOut(t *testing.T) {
	v := versionOf(varchar(), varchar(), varchar(), varchar(), typed(schema.CLOB, "CLOB", schema.NoNumber), varchar())
	v.Columns[0].Hidden, v.Columns[1].Virtual, v.Columns[2].Unused, v.Columns[3].Guard = true, true, true, true
	row := make([]value.Value, 6)
	for i := range row {
		row[i] = value.OfText("x")
	}
	if got := after(t, table(t, settings(), v), v, row...); got != `{"CF":"x"}` {
		t.Error(got)
	}
}

func TestOddNamesAreKeptAndEscaped(t *testing.T) {
	v := versionOf(varchar(), number(1, 0))
	v.Columns[0].Name, v.Columns[1].Name = `a "b" \`, "ORDER#"
	v.Table.Owner, v.Table.Name = "app\t", `T"1`
	v.Seal()
	ev := streamed(v, change.Create, nil, []value.Value{value.OfText("x"), {}})
	out, err := table(t, settings(), v).AppendValue(nil, ev)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`{"a \"b\" \\":"x","ORDER#":null}`, `"schema":"app\t","table":"T\"1"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%s has no %s", out, want)
		}
	}
}

func TestTablesThatCannotBePublishedAreRefusedByName(t *testing.T) {
	clob := typed(schema.CLOB, "CLOB", schema.NoNumber)
	key := func(v *schema.Version, columns ...int) *schema.Version {
		v.Key = schema.Key{Origin: schema.KeyConfig, Columns: columns}
		return v
	}
	virtual := key(versionOf(varchar(), varchar()), 1)
	virtual.Columns[1].Virtual = true
	for what, c := range map[string]struct {
		version *schema.Version
		object  string
	}{
		"unknown type":          {versionOf(varchar(), typed(schema.Unsupported, "SDO_GEOMETRY", schema.NoNumber)), "APP.T.CB"},
		"no column left":        {versionOf(clob), "APP.T"},
		"LOB in the key":        {key(versionOf(varchar(), clob), 1), "APP.T.CB"},
		"virtual column in key": {virtual, "APP.T.CB"},
		"key without column":    {key(versionOf(varchar()), 7), "APP.T"},
	} {
		_, err := NewTable(settings(), c.version)
		if !stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), c.object) {
			t.Errorf("%s: %v", what, err)
		}
	}
	hidden := versionOf(varchar(), typed(schema.Unsupported, "X", schema.NoNumber))
	hidden.Columns[1].Hidden = true
	if _, err := NewTable(settings(), hidden); err != nil {
		t.Errorf("a hidden column of an unknown type has no field: %v", err)
	}
}

func TestValuesThatDoNotFitTheirColumnAreRefused(t *testing.T) {
	none := schema.NoNumber
	for what, c := range map[string]struct {
		typ   schema.Type
		value value.Value
	}{
		"more digits":               {number(4, 0), value.OfDecimal("12345")},
		"more digits than Decimal":  {number(5, 2), value.OfDecimal("1234.5")},
		"a fraction in an integer":  {number(4, 0), value.OfDecimal("1.5")},
		"a finer fraction":          {number(5, 2), value.OfDecimal("1.005")},
		"finer than a tens column":  {number(4, -1), value.OfDecimal("15")},
		"text in a number":          {number(4, 0), value.OfText("1")},
		"a number in text":          {varchar(), value.OfDecimal("1")},
		"bytes in text":             {varchar(), value.OfBytes("1")},
		"a local time with a zone":  {typed(schema.Date, "DATE", none), value.OfZoned(dateTime(2020, 1, 1, 0, 0, 0, 0), 0)},
		"nanoseconds of year 2300":  {typed(schema.Timestamp, "TIMESTAMP(9)", 9), value.OfLocal(dateTime(2300, 1, 1, 0, 0, 0, 0))},
		"local time zone not UTC":   {typed(schema.TimestampLTZ, "TIMESTAMP(6) WITH LOCAL TIME ZONE", 6), value.OfZoned(dateTime(2020, 1, 1, 0, 0, 0, 0), 60)},
		"text that is not UTF-8":    {varchar(), value.OfText("\xff")},
		"months in a day interval":  {typed(schema.IntervalDS, "INTERVAL DAY(2) TO SECOND(6)", 6), value.OfMonths(1)},
		"float in a double":         {typed(schema.BinaryDouble, "BINARY_DOUBLE", none), value.OfFloat32(1)},
		"an exponent in the number": {number(none, none), value.OfDecimal("1e5")},
	} {
		v := versionOf(c.typ)
		out, err := table(t, settings(), v).AppendValue(nil, streamed(v, change.Create, nil, []value.Value{c.value}))
		if !stop.Is(err, stop.Undecodable) || !strings.Contains(err.Error(), "APP.T.CA") {
			t.Errorf("%s: %s, %v", what, out, err)
		}
	}
}
