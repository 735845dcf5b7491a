package decode

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// table makes a version of APP.T.
func table(columns ...schema.Column) *schema.Version {
	v := &schema.Version{Table: schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "T"}, Columns: columns}
	return v.Seal()
}

func column(name string, kind schema.TypeKind) schema.Column {
	return schema.Column{Name: name, Type: schema.Type{Kind: kind, Name: "KIND"}, Nullable: true}
}

// one decodes a literal as the only column of an INSERT.
func one(t *testing.T, kind schema.TypeKind, literal string) (value.Value, error) {
	t.Helper()
	var d Decoder
	img, err := d.Row(table(column("C", kind)), change.Create, `insert into "APP"."T"("C") values (`+literal+`);`)
	if err != nil {
		return value.Value{}, err
	}
	return img.After[0], nil
}

func local(year int16, month, day, hour, minute, second uint8, nano uint32) value.DateTime {
	return value.DateTime{Year: year, Month: month, Day: day, Hour: hour, Minute: minute, Second: second, Nano: nano}
}

func TestLiteralsBecomeTheValuesOfTheirTypes(t *testing.T) {
	iso := func(s string) string { return "TO_DATE('" + s + "', 'YYYY-MM-DD HH24:MI:SS')" }
	for _, c := range []struct {
		kind    schema.TypeKind
		literal string
		want    value.Value
	}{
		{schema.Number, `NULL`, value.OfNull()},
		{schema.Number, `'0'`, value.OfDecimal("0")},
		{schema.Number, `'-42.5'`, value.OfDecimal("-42.5")},
		{schema.Number, `'.15'`, value.OfDecimal("0.15")},
		{schema.Number, `'-.5'`, value.OfDecimal("-0.5")},
		{schema.Number, `'-.000001'`, value.OfDecimal("-0.000001")},
		{schema.Number, `'5.'`, value.OfDecimal("5")},
		{schema.Number, `'+5'`, value.OfDecimal("5")},
		{schema.Number, `'007.50'`, value.OfDecimal("7.50")},
		{schema.Number, `'1.50'`, value.OfDecimal("1.50")},
		{schema.Number, `'-0'`, value.OfDecimal("0")},
		{schema.Number, `'-0.00'`, value.OfDecimal("0.00")},
		{schema.Number, `'1.50000000E+010'`, value.OfDecimal("15000000000")},
		{schema.Number, `'-1E-5'`, value.OfDecimal("-0.00001")},
		{schema.Number, `'.12e1'`, value.OfDecimal("1.2")},
		{schema.Number, `'0E5'`, value.OfDecimal("0")},
		{schema.Number, `1234567890.123456789`, value.OfDecimal("1234567890.123456789")},
		{schema.Number, `'99999999999999999999999999999999999999'`, value.OfDecimal("99999999999999999999999999999999999999")},
		{schema.Float, `'3.14159'`, value.OfDecimal("3.14159")},
		{schema.BinaryFloat, `'1.50000005E+010'`, value.OfFloat32(1.5e10)},
		{schema.BinaryFloat, `'-Inf'`, value.OfFloat32(float32(math.Inf(-1)))},
		{schema.BinaryDouble, `'2.5E+000'`, value.OfFloat64(2.5)},
		{schema.BinaryDouble, `-2.5`, value.OfFloat64(-2.5)},
		{schema.BinaryDouble, `'Inf'`, value.OfFloat64(math.Inf(1))},
		{schema.BinaryDouble, `'+Infinity'`, value.OfFloat64(math.Inf(1))},
		{schema.BinaryDouble, `'Nan'`, value.OfFloat64(math.NaN())},
		{schema.Varchar2, `'plain ''quoted'' text'`, value.OfText("plain 'quoted' text")},
		{schema.Varchar2, `'00123'`, value.OfText("00123")},
		{schema.Varchar2, `'C:\temp\'`, value.OfText(`C:\temp\`)},
		{schema.Varchar2, `' '`, value.OfText(" ")},
		{schema.Varchar2, `''`, value.OfNull()},
		{schema.Char, `'abc       '`, value.OfText("abc       ")},
		{schema.NChar, `UNISTR('nch\00E1r     ')`, value.OfText("nchár     ")},
		{schema.NVarchar2, `UNISTR('')`, value.OfNull()},
		{schema.NVarchar2, `UNISTR('') || UNISTR('')`, value.OfNull()},
		{schema.NVarchar2, `UNISTR('it''s')`, value.OfText("it's")},
		{schema.NVarchar2, `UNISTR('\0041''\005C\\')`, value.OfText(`A'\\`)},
		{schema.NVarchar2, `UNISTR('\D83D\DE00')`, value.OfText("😀")},
		{schema.NVarchar2, `UNISTR('a\D83D')||UNISTR('\DE00b')`, value.OfText("a😀b")},
		{schema.NVarchar2, `UNISTR('\4E2D\56FD||\6b66') || UNISTR('||C1')`, value.OfText("中国||武||C1")},
		{schema.NVarchar2, `'plain'`, value.OfText("plain")},
		{schema.Raw, `HEXTORAW('0001aB')`, value.OfBytes("\x00\x01\xab")},
		{schema.Raw, `HEXTORAW('')`, value.OfNull()},
		{schema.RowID, `'AAASJqAANAAAAnkAAI'`, value.OfText("AAASJqAANAAAAnkAAI")},
		{schema.Date, iso("2026-02-28 13:45:59"), value.OfLocal(local(2026, 2, 28, 13, 45, 59, 0))},
		{schema.Date, iso("1582-10-10 12:34:56"), value.OfLocal(local(1582, 10, 10, 12, 34, 56, 0))},
		{schema.Date, iso("0000-01-02 00:00:00"), value.OfLocal(local(0, 1, 2, 0, 0, 0, 0))},
		{schema.Date, iso("1500-02-29 00:00:00"), value.OfLocal(local(1500, 2, 29, 0, 0, 0, 0))},
		{schema.Date, `TO_DATE('-4712-01-01 00:00:00', 'SYYYY-MM-DD HH24:MI:SS')`, value.OfLocal(local(-4712, 1, 1, 0, 0, 0, 0))},
		{schema.Date, `TO_DATE(' 2024-02-29 10:00:00', 'SYYYY-MM-DD HH24:MI:SS')`, value.OfLocal(local(2024, 2, 29, 10, 0, 0, 0))},
		{schema.Date, `TO_DATE('15-MAY-21', 'DD-MON-RR')`, value.OfLocal(local(2021, 5, 15, 0, 0, 0, 0))},
		{schema.Date, `TO_DATE('01-JAN-50','DD-MON-RR')`, value.OfLocal(local(1950, 1, 1, 0, 0, 0, 0))},
		{schema.Date, `TO_DATE('03/04/2021 12:05:06 AM', 'MM/DD/YYYY HH12:MI:SS AM')`, value.OfLocal(local(2021, 3, 4, 0, 5, 6, 0))},
		{schema.Date, `TO_DATE('2018-03-27 BC', 'yyyy-mm-dd bc')`, value.OfLocal(local(-2018, 3, 27, 0, 0, 0, 0))},
		{schema.Timestamp, `TO_TIMESTAMP('2026-03-29 01:30:00.123456789')`, value.OfLocal(local(2026, 3, 29, 1, 30, 0, 123456789))},
		{schema.Timestamp, `TO_TIMESTAMP('2020-02-01 00:00:00.')`, value.OfLocal(local(2020, 2, 1, 0, 0, 0, 0))},
		{schema.Timestamp, `TO_TIMESTAMP('2020-02-01 00:00:00')`, value.OfLocal(local(2020, 2, 1, 0, 0, 0, 0))},
		{schema.Timestamp, `TO_TIMESTAMP('2020-02-01 00:00:00.5')`, value.OfLocal(local(2020, 2, 1, 0, 0, 0, 500000000))},
		{schema.Timestamp, `TO_TIMESTAMP('-0044-03-15 12:00:00.')`, value.OfLocal(local(-44, 3, 15, 12, 0, 0, 0))},
		{schema.Timestamp, `TO_TIMESTAMP('9999-12-31 23:59:59.999999999')`, value.OfLocal(local(9999, 12, 31, 23, 59, 59, 999999999))},
		{schema.Timestamp, `TO_TIMESTAMP('29-MAR-26 01.30.00.123456 PM')`, value.OfLocal(local(2026, 3, 29, 13, 30, 0, 123456000))},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('2010-12-01 23:12:56.788000 -12:44')`, value.OfZoned(local(2010, 12, 1, 23, 12, 56, 788000000), -(12*60 + 44))},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.5 +05:30')`, value.OfZoned(local(2026, 3, 29, 1, 30, 0, 500000000), 330)},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('29-MAR-26 12.30.00.5 PM -00:30')`, value.OfZoned(local(2026, 3, 29, 12, 30, 0, 500000000), -30)},
		{schema.TimestampLTZ, `TO_TIMESTAMP_TZ('2026-10-25 02:30:00.250000000')`, value.OfZoned(local(2026, 10, 25, 2, 30, 0, 250000000), 0)},
		{schema.IntervalYM, `TO_YMINTERVAL('+0012-03')`, value.OfMonths(147)},
		{schema.IntervalYM, `TO_YMINTERVAL('-001-02')`, value.OfMonths(-14)},
		{schema.IntervalDS, `TO_DSINTERVAL('+00005 04:03:02.123456')`, value.OfDuration(446582, 123456000)},
		{schema.IntervalDS, `TO_DSINTERVAL('-007 05:12:10.012300000')`, value.OfDuration(-623530, -12300000)},
		{schema.IntervalDS, `TO_DSINTERVAL('+00 00:00:00')`, value.OfDuration(0, 0)},
		{schema.Unsupported, `Unsupported Type`, value.OfUnavailable()},
		{schema.XMLType, `Unsupported Type`, value.OfUnavailable()},
		{schema.Unsupported, `NULL`, value.OfNull()},
	} {
		got, err := one(t, c.kind, c.literal)
		if err != nil {
			t.Errorf("%s: %v", c.literal, err)
		} else if !got.Equal(c.want) {
			t.Errorf("%s: %v %q, want %v %q", c.literal, got.Kind(), got.Text(), c.want.Kind(), c.want.Text())
		}
	}
}

func TestLiteralsThatAreNoValueOfTheTypeAreRefused(t *testing.T) {
	for _, c := range []struct {
		kind    schema.TypeKind
		literal string
		want    reason
	}{
		{schema.Number, `'1234,5'`, badNumber},
		{schema.Number, `''`, badNumber},
		{schema.Number, `'.'`, badNumber},
		{schema.Number, `'1 2'`, badNumber},
		{schema.Number, `'--1'`, badNumber},
		{schema.Number, `'1E131'`, badNumber},
		{schema.Number, `'1E'`, badNumber},
		{schema.Number, `'~'`, badNumber},
		{schema.Number, `HEXTORAW('c102')`, badForm},
		{schema.Number, `Unsupported Type`, badShown},
		{schema.BinaryDouble, `'0x10'`, badFloat},
		{schema.BinaryDouble, `'1_0'`, badFloat},
		{schema.BinaryDouble, `'--Inf'`, badFloat},
		{schema.BinaryDouble, `'1e999'`, badFloat},
		{schema.BinaryFloat, `'1e39'`, badFloat},
		{schema.BinaryFloat, `'1e-60'`, badFloat},
		{schema.BinaryDouble, `'-1E-400'`, badFloat},
		{schema.BinaryDouble, `''`, badFloat},
		{schema.Varchar2, `12`, badForm},
		{schema.Varchar2, `HEXTORAW('416e6e61')`, badForm},
		{schema.Varchar2, `EMPTY_CLOB()`, badForm},
		{schema.Varchar2, "'\xff'", badUTF8},
		{schema.NVarchar2, `UNISTR('\04')`, badUnistr},
		{schema.NVarchar2, `UNISTR('\00zz')`, badUnistr},
		{schema.NVarchar2, `UNISTR('a\')`, badUnistr},
		{schema.NVarchar2, `UNISTR('\D83D')`, badSurrogate},
		{schema.NVarchar2, `UNISTR('\D83Dx')`, badSurrogate},
		{schema.NVarchar2, `UNISTR('\D83D\0041')`, badSurrogate},
		{schema.NVarchar2, `UNISTR('\D83D''')`, badSurrogate},
		{schema.NVarchar2, `UNISTR('\DE00')`, badSurrogate},
		{schema.NVarchar2, `UNISTR('a') || HEXTORAW('00')`, badForm},
		{schema.Raw, `HEXTORAW('0E1')`, badHex},
		{schema.Raw, `HEXTORAW('0g')`, badHex},
		{schema.Raw, `HEXTORAW('00') || HEXTORAW('01')`, badForm},
		{schema.Raw, `'00'`, badForm},
		{schema.RowID, `'short'`, badRowID},
		{schema.RowID, `'AAASJqAANAAAAnkAA*'`, badRowID},
		{schema.Date, `'2026-02-28'`, badForm},
		{schema.Date, `TO_TIMESTAMP('2026-02-28 13:45:59')`, badForm},
		{schema.Date, `TO_DATE('2026-02-30 13:45:59', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('2023-02-29 00:00:00', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('1900-02-29 00:00:00', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('2026-13-01 00:00:00', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('2026-02-28 24:00:00', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('2026-02-28 13:45:59.', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('-2018-03-27 00:00:00', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('2026-02-28 13:45', 'YYYY-MM-DD HH24:MI:SS')`, badDate},
		{schema.Date, `TO_DATE('15-MAI-21', 'DD-MON-RR')`, badDate},
		{schema.Date, `TO_DATE('15-ANF-21', 'DD-MON-RR')`, badDate},
		{schema.Date, `TO_DATE('15-MAY-21 x', 'DD-MON-RR')`, badDate},
		{schema.Date, `TO_DATE('15-05-21', 'DD-MM-YY')`, badFormat},
		{schema.Date, `TO_DATE('2026-02', 'YYYY-MM')`, badFormat},
		{schema.Date, `TO_DATE('-0044-03-15 BC', 'SYYYY-MM-DD BC')`, badFormat},
		{schema.Date, `TO_DATE('2026-02-28 01', 'YYYY-MM-DD HH')`, badFormat},
		{schema.Date, `TO_DATE('28-02-2026 2026', 'DD-MM-YYYY YYYY')`, badFormat},
		{schema.Date, `TO_DATE('28-02-2026')`, badFormat},
		{schema.Timestamp, `TO_TIMESTAMP('2026-03-29 01:30:00.1234567891')`, badDate},
		{schema.Timestamp, `TO_TIMESTAMP('2026-03-29 01:30:00.5 +05:30')`, badZone},
		{schema.Timestamp, `TO_TIMESTAMP('2026-03-29T01:30:00')`, badDate},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.5')`, badZone},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.5 Europe/Berlin')`, badDate},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.5 +16:00')`, badDate},
		{schema.TimestampTZ, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.5 +05:60')`, badDate},
		{schema.TimestampLTZ, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.5 +05:30')`, badZone},
		{schema.IntervalYM, `TO_YMINTERVAL('1-12')`, badInterval},
		{schema.IntervalYM, `TO_YMINTERVAL('-1')`, badInterval},
		{schema.IntervalDS, `TO_DSINTERVAL('1 24:00:00')`, badInterval},
		{schema.IntervalDS, `TO_DSINTERVAL('1 00:00:00.1234567890')`, badInterval},
		{schema.IntervalDS, `TO_DSINTERVAL('1234567890 00:00:00')`, badInterval},
		{schema.IntervalDS, `TO_YMINTERVAL('1-1')`, badForm},
		{schema.CLOB, `EMPTY_CLOB()`, notCaptured},
		{schema.CLOB, `'short clob'`, notCaptured},
		{schema.BLOB, `HEXTORAW('cafebabe')`, notCaptured},
		{schema.Long, `'test.txt'`, notCaptured},
		{schema.URowID, `'AAASJqAANAAAAnkAAI'`, notCaptured},
		{schema.Unsupported, `/* JSON */ EMPTY_BLOB()`, notCaptured},
		{schema.Raw, `/* JSON */ HEXTORAW('00')`, badForm},
	} {
		_, err := one(t, c.kind, c.literal)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want an *Error", c.literal, err)
			continue
		}
		if e.Reason != string(c.want) || e.Column != "C" {
			t.Errorf("%s: %v, want %q about column C", c.literal, err, c.want)
		}
		if fault := map[bool]Fault{true: UnsupportedColumn, false: BadValue}[c.want == notCaptured]; e.Fault != fault {
			t.Errorf("%s: fault %d, want %d", c.literal, e.Fault, fault)
		}
		if Code(err) != stop.Undecodable {
			t.Errorf("%s: code %d", c.literal, Code(err))
		}
	}
}

func TestErrorNeverShowsAValue(t *testing.T) {
	const secret = "4111x111"
	for kind := schema.Unsupported; kind <= schema.XMLType; kind++ {
		for _, f := range []string{"'%'", "HEXTORAW('%')", "UNISTR('\\%')", "TO_DATE('%', '%')", "TO_TIMESTAMP('%')", "TO_TIMESTAMP_TZ('%')", "TO_YMINTERVAL('%')", "TO_DSINTERVAL('%')"} {
			_, err := one(t, kind, strings.ReplaceAll(f, "%", secret))
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%v", err)
			}
		}
	}
}
