package logminer

import (
	"encoding/hex"
	"math"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

func settings(t *testing.T, change func(*caller)) *nls {
	t.Helper()
	c := newCaller(1)
	if change != nil {
		change(c)
	}
	n, err := sessionNLS(c)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func clock(year int16, month, day, hour, minute, second uint8, nano uint32) datum.DateTime {
	return datum.DateTime{Year: year, Month: month, Day: day, Hour: hour, Minute: minute, Second: second, Nano: nano}
}

// The literals of reference logminer D.2 under the settings of A.6.
func TestLiterals(t *testing.T) {
	text := func(s string) datum.Datum { return datum.Datum{Kind: datum.Text, Text: s} }
	at := func(t datum.DateTime) datum.Datum { return datum.Datum{Kind: datum.Time, Time: t} }
	zoned := func(t datum.DateTime, offset int16) datum.Datum {
		return datum.Datum{Kind: datum.Zoned, Time: t, Offset: offset}
	}
	float := func(f float64) datum.Datum { return datum.Datum{Kind: datum.Float, Float: f} }
	number := datum.Type{Code: datum.TypeNumber}
	varchar := datum.Type{Code: datum.TypeVarchar, Size: 100}
	binFloat, binDouble := datum.Type{Code: datum.TypeBinaryFloat}, datum.Type{Code: datum.TypeBinaryDouble}
	for _, c := range []struct {
		name  string
		value datum.Datum
		kind  datum.Type
		want  string
	}{
		{"null", datum.Datum{}, varchar, `NULL`},
		{"char", text("abc"), datum.Type{Code: datum.TypeChar, Size: 10}, `'abc       '`},
		{"char padded in bytes", text("ab\u00e9"), datum.Type{Code: datum.TypeChar, Size: 6}, `'abé  '`},
		{"char padded in characters", text("ab\u00e9"), datum.Type{Code: datum.TypeChar, Size: 6, CharUsed: true}, `'abé   '`},
		{"nchar", text("nch\u00e1r"), datum.Type{Code: datum.TypeChar, Size: 10, National: true}, `UNISTR('nch\00E1r     ')`},
		{"varchar2", text("plain 'quoted' text"), varchar, `'plain ''quoted'' text'`},
		{"varchar2 raw inside", text("a;\nb and c||d"), varchar, "'a;\nb and c||d'"},
		{"nvarchar2", text("\u00fcn\u00efcode \u2603 text"), datum.Type{Code: datum.TypeVarchar, National: true}, `UNISTR('\00FCn\00EFcode \2603 text')`},
		{"nvarchar2 units", text("\U0001F600'\\("), datum.Type{Code: datum.TypeVarchar, National: true}, `UNISTR('\D83D\DE00''\005C(')`},
		{"number", decimal(t, "1234567890.123456789"), number, `'1234567890.123456789'`},
		{"number negative", decimal(t, "-42.50"), number, `'-42.5'`},
		{"number fraction", decimal(t, "0.15"), number, `'.15'`},
		{"number negative fraction", decimal(t, "-0.15"), number, `'-.15'`},
		{"number zero", decimal(t, "0.00"), number, `'0'`},
		{"number large", decimal(t, "1E+20"), number, `'100000000000000000000'`},
		{"binary float", float(1.5e10), binFloat, `'1.50000005E+010'`},
		{"binary double", float(2.5), binDouble, `'2.5E+000'`},
		{"binary double negative", float(-2.5e-300), binDouble, `'-2.5E-300'`},
		{"binary zero", float(0), binDouble, `'0'`},
		{"not a number", float(math.NaN()), binDouble, `'Nan'`},
		{"infinite", float(math.Inf(-1)), binDouble, `'-Inf'`},
		{"date", at(clock(2026, 2, 28, 13, 45, 59, 0)), datum.Type{Code: datum.TypeDate}, `TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS')`},
		{"timestamp(6)", at(clock(2026, 3, 29, 1, 30, 0, 123456000)), datum.Type{Code: datum.TypeTimestamp, Size: 6}, `TO_TIMESTAMP('2026-03-29 01:30:00.123456000')`},
		{"timestamp(9)", at(clock(2026, 3, 29, 1, 30, 0, 123456789)), datum.Type{Code: datum.TypeTimestamp, Size: 9}, `TO_TIMESTAMP('2026-03-29 01:30:00.123456789')`},
		{"zoned", zoned(clock(2026, 3, 29, 1, 30, 0, 500000000), 330), datum.Type{Code: datum.TypeTimestampTZ, Size: 6}, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.500000000 +05:30')`},
		{"zoned west", zoned(clock(2026, 3, 29, 1, 30, 0, 0), -210), datum.Type{Code: datum.TypeTimestampTZ, Size: 6}, `TO_TIMESTAMP_TZ('2026-03-29 01:30:00.000000000 -03:30')`},
		{"local zone", zoned(clock(2026, 10, 25, 4, 30, 0, 250000000), 120), datum.Type{Code: datum.TypeTimestampLTZ, Size: 6}, `TO_TIMESTAMP_TZ('2026-10-25 02:30:00.250000000')`},
		{"raw", datum.Datum{Kind: datum.Raw, Raw: []byte{0xde, 0xad, 0xbe, 0xef, 0, 0xff}}, datum.Type{Code: datum.TypeRaw}, `HEXTORAW('deadbeef00ff')`},
		{"years", datum.Datum{Kind: datum.IntervalYM, Number: decimal(t, "147").Number}, datum.Type{Code: datum.TypeIntervalYM, Precision: 4}, `TO_YMINTERVAL('+0012-03')`},
		{"years back", datum.Datum{Kind: datum.IntervalYM, Number: decimal(t, "-42").Number}, datum.Type{Code: datum.TypeIntervalYM}, `TO_YMINTERVAL('-03-06')`},
		{"days", datum.Datum{Kind: datum.IntervalDS, Number: decimal(t, "446582.123456").Number}, datum.Type{Code: datum.TypeIntervalDS, Precision: 5, Size: 6}, `TO_DSINTERVAL('+00005 04:03:02.123456')`},
		{"days back", datum.Datum{Kind: datum.IntervalDS, Number: decimal(t, "-93784.56").Number}, datum.Type{Code: datum.TypeIntervalDS, Precision: 3, Size: 2}, `TO_DSINTERVAL('-001 02:03:04.56')`},
		{"whole seconds", datum.Datum{Kind: datum.IntervalDS, Number: decimal(t, "1").Number}, datum.Type{Code: datum.TypeIntervalDS}, `TO_DSINTERVAL('+00 00:00:01')`},
		{"clob", datum.Datum{Kind: datum.Clob, Text: "short clob"}, datum.Type{Code: datum.TypeClob}, `'short clob'`},
		{"empty clob", datum.Datum{Kind: datum.Clob}, datum.Type{Code: datum.TypeClob}, `EMPTY_CLOB()`},
		{"blob", datum.Datum{Kind: datum.Blob, Raw: []byte{0xca, 0xfe}}, datum.Type{Code: datum.TypeBlob}, `HEXTORAW('cafe')`},
		{"empty blob", datum.Datum{Kind: datum.Blob}, datum.Type{Code: datum.TypeBlob}, `EMPTY_BLOB()`},
		{"rowid", datum.Datum{Kind: datum.RowID, Text: "AAASNJAAMAAAACHAAA"}, datum.Type{Code: datum.TypeRowID}, `'AAASNJAAMAAAACHAAA'`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(appendLiteral(nil, &c.value, &c.kind, settings(t, nil))); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Reference logminer A.6: what the settings are for.
func TestLiteralsFollowTheSession(t *testing.T) {
	morning := datum.Datum{Kind: datum.Time, Time: clock(2021, 5, 15, 0, 11, 12, 123456000)}
	timestamp := datum.Type{Code: datum.TypeTimestamp, Size: 6}
	for _, c := range []struct {
		name   string
		change func(*caller)
		value  datum.Datum
		kind   datum.Type
		want   string
	}{
		{"default date", func(c *caller) { c.nls = nil }, morning, datum.Type{Code: datum.TypeDate}, `TO_DATE('15-MAY-21', 'DD-MON-RR')`},
		{"default timestamp", func(c *caller) { c.nls = nil }, morning, timestamp, `TO_TIMESTAMP('15-MAY-21 12.11.12.123456 AM')`},
		{
			"plain FF keeps the dot", func(c *caller) { c.nls["NLS_TIMESTAMP_FORMAT"] = "YYYY-MM-DD HH24:MI:SS.FF" },
			datum.Datum{Kind: datum.Time, Time: clock(2020, 2, 1, 0, 0, 0, 0)},
			datum.Type{Code: datum.TypeTimestamp},
			`TO_TIMESTAMP('2020-02-01 00:00:00.')`,
		},
		{
			"decimal comma", func(c *caller) { c.nls["NLS_NUMERIC_CHARACTERS"] = ",." },
			decimal(t, "1.5"),
			datum.Type{Code: datum.TypeNumber},
			`'1,5'`,
		},
		{
			"time zone", func(c *caller) { c.nls["TIME_ZONE"] = "+02:00" },
			datum.Datum{Kind: datum.Zoned, Time: clock(2026, 1, 1, 0, 0, 0, 0)},
			datum.Type{Code: datum.TypeTimestampLTZ},
			`TO_TIMESTAMP_TZ('2026-01-01 02:00:00.000000000')`,
		},
		{
			"mixed case month", func(c *caller) { c.nls["NLS_DATE_FORMAT"] = `Mon-mon-MONTH "at" SYYYY P.M.` },
			morning,
			datum.Type{Code: datum.TypeDate},
			`TO_DATE('May-may-MAY at  2021 A.M.', 'Mon-mon-MONTH "at" SYYYY P.M.')`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(appendLiteral(nil, &c.value, &c.kind, settings(t, c.change))); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestUnknownDateFormatIsAnError(t *testing.T) {
	for _, format := range []string{"YYYY-QQ", `YYYY"open`} {
		c := newCaller(1)
		c.nls["NLS_DATE_FORMAT"] = format
		if _, err := sessionNLS(c); code(err) != 1821 {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// The internal bytes of reference logminer D.4.
func TestInternalBytes(t *testing.T) {
	timestampTZ := datum.Type{Code: datum.TypeTimestampTZ}
	for _, c := range []struct {
		value datum.Datum
		kind  datum.Type
		want  string
	}{
		{decimal(t, "1"), datum.Type{}, "c102"},
		{decimal(t, "8"), datum.Type{}, "c109"},
		{decimal(t, "0"), datum.Type{}, "80"},
		{decimal(t, "-0.1828"), datum.Type{}, "3f534966"},
		{decimal(t, "1.7320508"), datum.Type{}, "c1024a153351"},
		{decimal(t, "100"), datum.Type{}, "c202"},
		{decimal(t, "0.001"), datum.Type{}, "bf0b"},
		{datum.Datum{Kind: datum.Text, Text: "thanks"}, datum.Type{Code: datum.TypeVarchar}, "7468616e6b73"},
		{datum.Datum{Kind: datum.Text, Text: "\u2603"}, datum.Type{Code: datum.TypeVarchar, National: true}, "2603"},
		{datum.Datum{Kind: datum.Time, Time: clock(2026, 2, 28, 13, 45, 59, 0)}, datum.Type{Code: datum.TypeDate}, "787e021c0e2e3c"},
		{datum.Datum{Kind: datum.IntervalYM, Number: decimal(t, "147").Number}, datum.Type{Code: datum.TypeIntervalYM}, "8000000c3f"},
		{datum.Datum{Kind: datum.IntervalDS, Number: decimal(t, "446582.123456").Number}, datum.Type{Code: datum.TypeIntervalDS}, "80000005403f3e875bca00"},
		{datum.Datum{Kind: datum.IntervalDS, Number: decimal(t, "-1.5").Number}, datum.Type{Code: datum.TypeIntervalDS}, "800000003c3c3b62329b00"},
		{datum.Datum{Kind: datum.Time, Time: clock(2026, 2, 28, 13, 45, 59, 123456000)}, datum.Type{Code: datum.TypeTimestamp}, "787e021c0e2e3c075bca00"},
		{datum.Datum{Kind: datum.Zoned, Time: clock(2026, 3, 29, 1, 30, 0, 500000000), Offset: 330}, timestampTZ, "787e031c1501011dcd6500195a"},
		{datum.Datum{Kind: datum.Float, Float: math.Sqrt(3)}, datum.Type{Code: datum.TypeBinaryFloat}, "bfddb3d7"},
		{datum.Datum{Kind: datum.Float, Float: math.Sqrt(3)}, datum.Type{Code: datum.TypeBinaryDouble}, "bffbb67ae8584caa"},
		{datum.Datum{Kind: datum.Float, Float: math.Inf(1)}, datum.Type{Code: datum.TypeBinaryFloat}, "ff800000"},
		{datum.Datum{Kind: datum.Float, Float: math.Inf(-1)}, datum.Type{Code: datum.TypeBinaryFloat}, "007fffff"},
		{datum.Datum{Kind: datum.Float, Float: math.NaN()}, datum.Type{Code: datum.TypeBinaryDouble}, "fff8000000000000"},
		{datum.Datum{Kind: datum.Float, Float: math.Copysign(0, -1)}, datum.Type{Code: datum.TypeBinaryFloat}, "80000000"},
		{datum.Datum{Kind: datum.Raw, Raw: []byte{1, 2}}, datum.Type{Code: datum.TypeRaw}, "0102"},
	} {
		if got := hex.EncodeToString(appendInternal(nil, &c.value, &c.kind)); got != c.want {
			t.Errorf("%+v: %s, want %s", c.value, got, c.want)
		}
	}
}
