package scenario_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// drawnColumn is a column of a random type with random values, as SQL.
type drawnColumn struct {
	ddl string
	// value draws an expression; it is never NULL.
	value func(*rapid.T) string
	// keyed: the column may be part of a primary key.
	keyed bool
}

// drawColumn draws one of the types that are captured, but ROWID, which the stand-in has no columns of. narrow keeps to values that
// every mode can hold: 64-bit nanoseconds end in 2262, and profile debezium counts intervals in 64-bit microseconds.
func drawColumn(t *rapid.T, narrow bool) drawnColumn {
	return rapid.SampledFrom([]func(*rapid.T, bool) drawnColumn{
		drawNumber, drawNumber, drawFloat, drawBinary, drawText, drawText, drawRaw, drawDate, drawStamp, drawZoned, drawZoned, drawYears, drawDays,
	}).Draw(t, "type")(t, narrow)
}

// drawDigits draws whole numbers of up to so many digits, long ones as often as short ones.
func drawDigits(t *rapid.T, most int) string {
	n := rapid.SampledFrom([]int{1, (most + 1) / 2, max(1, most-1), most}).Draw(t, "length")
	rest := fmt.Sprintf("{%d}", n-1)
	digits := rapid.StringMatching("[1-9][0-9]"+rest+"|[1-9][0-9]"+rest+"|[1-9]0"+rest+"|9"+strings.Repeat("9", n-1)+"|0").Draw(t, "digits")
	if digits != "0" && rapid.Bool().Draw(t, "negative") {
		return "-" + digits
	}
	return digits
}

func drawNumber(t *rapid.T, _ bool) drawnColumn {
	precision := rapid.IntRange(1, 38).Draw(t, "precision")
	scale := rapid.SampledFrom([]func() int{
		func() int { return 0 },
		func() int { return rapid.IntRange(1, precision).Draw(t, "scale") },
		func() int { return rapid.IntRange(-84, 127).Draw(t, "scale") },
		func() int { return rapid.IntRange(-5, -1).Draw(t, "scale") },
	}).Draw(t, "kind of scale")()
	column := drawnColumn{keyed: true, value: func(t *rapid.T) string {
		// As the unscaled value with an exponent, which is exact.
		return drawDigits(t, precision) + "E" + strconv.Itoa(-scale)
	}}
	switch rapid.IntRange(0, 5).Draw(t, "declared") {
	case 0:
		column.ddl = "NUMBER"
		column.value = func(t *rapid.T) string {
			return drawDigits(t, 38) + "E" + strconv.Itoa(rapid.IntRange(-120, 85).Draw(t, "exponent"))
		}
	case 1:
		column.ddl = fmt.Sprintf("NUMBER(*,%d)", scale)
	default:
		column.ddl = fmt.Sprintf("NUMBER(%d,%d)", precision, scale)
	}
	return column
}

func drawFloat(t *rapid.T, _ bool) drawnColumn {
	return drawnColumn{ddl: fmt.Sprintf("FLOAT(%d)", rapid.IntRange(1, 126).Draw(t, "bits")), keyed: true, value: func(t *rapid.T) string {
		return drawDigits(t, 38) + "E" + strconv.Itoa(rapid.IntRange(-120, 80).Draw(t, "exponent"))
	}}
}

func drawBinary(t *rapid.T, _ bool) drawnColumn {
	wide := rapid.Bool().Draw(t, "double")
	name := map[bool]string{false: "BINARY_FLOAT", true: "BINARY_DOUBLE"}[wide]
	return drawnColumn{ddl: name, value: func(t *rapid.T) string {
		var text string
		if wide {
			f := rapid.Float64().Draw(t, "double")
			text = strconv.FormatFloat(f, 'e', -1, 64)
			if math.IsInf(f, 0) || math.IsNaN(f) {
				text = "Infinity"
			}
		} else {
			text = strconv.FormatFloat(float64(rapid.Float32().Draw(t, "float")), 'e', -1, 32)
		}
		text = rapid.SampledFrom([]string{text, text, text, "NaN", "Infinity", "-Infinity", "0", "1e7", "1e-3"}).Draw(t, "number")
		return "TO_" + name + "('" + text + "')"
	}}
}

func drawText(t *rapid.T, _ bool) drawnColumn {
	ddl := rapid.SampledFrom([]string{
		"VARCHAR2(60)", "VARCHAR2(60)", "VARCHAR2(15 CHAR)", "NVARCHAR2(30)", "NVARCHAR2(30)", "CHAR(60)", "CHAR(15 CHAR)", "NCHAR(30)",
	}).Draw(t, "text type")
	runes := rapid.SampledFrom([]rune("ab '\"\\\n\r\t;-|()=,\x01\x7fäß€Ł☃\u2028\uFEFF😀😁𝄞𐀁"))
	return drawnColumn{ddl: ddl, keyed: true, value: func(t *rapid.T) string {
		return text(rapid.StringOfN(runes, 1, 15, -1).Draw(t, "text"))
	}}
}

func drawRaw(t *rapid.T, _ bool) drawnColumn {
	return drawnColumn{ddl: "RAW(20)", keyed: true, value: func(t *rapid.T) string {
		return "HEXTORAW('" + hex.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes")) + "')"
	}}
}

// drawMoment draws a wall clock with its fraction, as text.
func drawMoment(t *rapid.T, digits int, narrow bool) string {
	year := rapid.SampledFrom([]func() int{
		func() int { return rapid.IntRange(1970, 2040).Draw(t, "year") },
		func() int { return rapid.IntRange(1678, 2261).Draw(t, "year") },
		func() int { return rapid.IntRange(1, 9999).Draw(t, "year") },
		func() int { return rapid.IntRange(-4712, -1).Draw(t, "year") },
	}[:map[bool]int{true: 2, false: 4}[narrow]]).Draw(t, "era")()
	day := rapid.SampledFrom([]string{"01-01", "12-31", "02-28", "03-29", "10-25", "07-04"}).Draw(t, "day")
	if !narrow && rapid.IntRange(0, 9).Draw(t, "calendar") == 0 {
		// The days around the end of the Julian calendar.
		year, day = 1582, rapid.SampledFrom([]string{"10-04", "10-15"}).Draw(t, "day")
	}
	sign := map[bool]string{true: "-", false: " "}[year < 0]
	clock := rapid.SampledFrom([]string{"00:00:00", "23:59:59", "12:34:56", "01:30:00"}).Draw(t, "clock")
	s := fmt.Sprintf("%s%04d-%s %s", sign, max(year, -year), day, clock)
	if digits > 0 {
		// A type with fewer digits rounds; the last year of the calendar has no next one.
		first := map[bool]string{true: "[0-4]", false: "[0-9]"}[year == 9999]
		s += "." + rapid.StringMatching(fmt.Sprintf(`%s[0-9]{%d}|0{%d}`, first, digits-1, digits)).Draw(t, "fraction")
	}
	return s
}

const (
	dateModel  = "SYYYY-MM-DD HH24:MI:SS"
	stampModel = dateModel + ".FF9"
	zonedModel = stampModel + " TZH:TZM"
)

func drawDate(_ *rapid.T, narrow bool) drawnColumn {
	return drawnColumn{ddl: "DATE", keyed: true, value: func(t *rapid.T) string {
		return "TO_DATE('" + drawMoment(t, 0, narrow) + "', '" + dateModel + "')"
	}}
}

func drawStamp(t *rapid.T, narrow bool) drawnColumn {
	digits := rapid.IntRange(0, 9).Draw(t, "digits")
	return drawnColumn{ddl: fmt.Sprintf("TIMESTAMP(%d)", digits), keyed: true, value: func(t *rapid.T) string {
		return "TO_TIMESTAMP('" + drawMoment(t, max(1, digits), narrow || digits > 6) + "', '" + stampModel + "')"
	}}
}

func drawZoned(t *rapid.T, narrow bool) drawnColumn {
	digits := rapid.IntRange(0, 9).Draw(t, "digits")
	local := rapid.Bool().Draw(t, "local")
	ddl := fmt.Sprintf("TIMESTAMP(%d) WITH TIME ZONE", digits)
	if local {
		ddl = fmt.Sprintf("TIMESTAMP(%d) WITH LOCAL TIME ZONE", digits)
	}
	return drawnColumn{ddl: ddl, value: func(t *rapid.T) string {
		zone := rapid.SampledFrom([]string{"+00:00", "+05:30", "-11:45", "+14:00", "-00:30", "-12:59", "+02:00"}).Draw(t, "zone")
		// Years at the ends would leave the calendar in UTC.
		return "TO_TIMESTAMP_TZ('" + drawMoment(t, max(1, digits), narrow || local) + " " + zone + "', '" + zonedModel + "')"
	}}
}

func drawYears(t *rapid.T, narrow bool) drawnColumn {
	digits := rapid.IntRange(1, map[bool]int{true: 5, false: 9}[narrow]).Draw(t, "digits")
	return drawnColumn{ddl: fmt.Sprintf("INTERVAL YEAR(%d) TO MONTH", digits), value: func(t *rapid.T) string {
		sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		years := rapid.StringMatching(fmt.Sprintf(`[0-9]{1,%d}|9{%d}`, digits, digits)).Draw(t, "years")
		return fmt.Sprintf("INTERVAL '%s%s-%d' YEAR(%d) TO MONTH", sign, years, rapid.IntRange(0, 11).Draw(t, "months"), digits)
	}}
}

func drawDays(t *rapid.T, narrow bool) drawnColumn {
	digits := rapid.IntRange(1, map[bool]int{true: 7, false: 9}[narrow]).Draw(t, "digits")
	fraction := rapid.IntRange(0, 9).Draw(t, "fraction digits")
	return drawnColumn{ddl: fmt.Sprintf("INTERVAL DAY(%d) TO SECOND(%d)", digits, fraction), value: func(t *rapid.T) string {
		sign := rapid.SampledFrom([]string{"", "-"}).Draw(t, "sign")
		days := rapid.StringMatching(fmt.Sprintf(`[0-9]{1,%d}|9{%d}|0`, digits, digits)).Draw(t, "days")
		clock := rapid.SampledFrom([]string{"00:00:00", "23:59:59", "02:03:04"}).Draw(t, "clock")
		if fraction > 0 {
			clock += "." + rapid.StringMatching(fmt.Sprintf(`[0-9]{1,%d}`, fraction)).Draw(t, "fraction")
		}
		return fmt.Sprintf("INTERVAL '%s%s %s' DAY(%d) TO SECOND(%d)", sign, days, clock, digits, fraction)
	}}
}

// drawnTable is a table of random columns with rows for it.
type drawnTable struct {
	columns []drawnColumn
	keyed   bool
	rows    []drawnRow
}

// drawnRow is what a row is inserted with, and what an update makes of it; "" leaves a column as it is.
type drawnRow struct{ values, fresh []string }

func drawTable(t *rapid.T, m modes) drawnTable {
	var r drawnTable
	for range rapid.IntRange(8, 24).Draw(t, "columns") {
		r.columns = append(r.columns, drawColumn(t, m.temporals == "nanoseconds" || m.profile == "debezium"))
	}
	r.keyed = r.columns[0].keyed && rapid.Bool().Draw(t, "keyed")
	for range rapid.IntRange(1, 8).Draw(t, "rows") {
		r.rows = append(r.rows, r.drawRow(t))
	}
	return r
}

func (r drawnTable) drawRow(t *rapid.T) (row drawnRow) {
	for i, c := range r.columns {
		key := i == 0 && r.keyed
		draw := func() string {
			if !key && rapid.IntRange(0, 9).Draw(t, "NULL") == 0 {
				return "NULL"
			}
			return c.value(t)
		}
		row.values = append(row.values, draw())
		next := ""
		if !key && rapid.Bool().Draw(t, "changed") {
			next = draw()
		}
		row.fresh = append(row.fresh, next)
	}
	return row
}

func (r drawnTable) ddl() string {
	columns, key := []string{"id NUMBER(9)"}, "id"
	for i, c := range r.columns {
		columns = append(columns, fmt.Sprintf("c%d %s", i, c.ddl))
	}
	if r.keyed {
		key = "id, c0"
	}
	return strings.Join(columns, ", ") + ", last NUMBER(1), PRIMARY KEY (" + key + ")"
}

func (r drawnRow) sets() string {
	sets := []string{"last = 1"}
	for i, next := range r.fresh {
		if next != "" {
			sets = append(sets, fmt.Sprintf("c%d = %s", i, next))
		}
	}
	return strings.Join(sets, ", ")
}
