package debezium

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// modeRow is a row of a type table in reference debezium-format 5 to 8: one value of a column, by mode.
type modeRow struct {
	name  string
	typ   schema.Type
	value value.Value
	want  map[string]string
}

// decimalRows: by records.decimals. Where profile debezium differs from cdc, its text stands under "debezium " and the mode.
func decimalRows() []modeRow {
	none := schema.NoNumber
	float := func(precision int) schema.Type {
		return schema.Type{Kind: schema.Float, Name: "FLOAT", Precision: precision, Scale: none}
	}
	row := func(name string, t schema.Type, digits, precise, text, double string) modeRow {
		return modeRow{name, t, value.OfDecimal(digits), map[string]string{"precise": precise, "string": text, "double": double}}
	}
	rounded := func(name string, t schema.Type, digits, precise, text, double string) modeRow {
		r := row(name, t, digits, precise, text, double)
		r.want["debezium string"], r.want["debezium double"] = precise, precise
		return r
	}
	nines := strings.Repeat("9", 38)
	return []modeRow{
		row("NUMBER(1)", number(1, 0), "7", `7`, `"7"`, `7.0`),
		row("NUMBER(2)", number(2, 0), "-99", `-99`, `"-99"`, `-99.0`),
		row("NUMBER(4)", number(4, 0), "0", `0`, `"0"`, `0.0`),
		row("NUMBER(9)", number(9, 0), "999999999", `999999999`, `"999999999"`, `9.99999999E8`),
		row("NUMBER(18)", number(18, 0), "123456789012345678", `123456789012345678`, `"123456789012345678"`, `1.2345678901234568E17`),
		row("NUMBER(19)", number(19, 0), "9999999999999999999", `"AIrHIwSJ5///"`, `"9999999999999999999"`, `1.0E19`),
		row("NUMBER(20)", number(20, 0), "-10000000000000000000", `"/3U43Pt2GAAA"`, `"-10000000000000000000"`, `-1.0E19`),
		row("INTEGER", number(none, 0), "77", `"TQ=="`, `"77"`, `77.0`),
		row("NUMBER(38)", number(38, 0), nines, `"SztMqFqGxHoJiiI//////w=="`, `"`+nines+`"`, `1.0E38`),
		row("NUMBER(38), least", number(38, 0), "-"+nines, `"tMSzV6V5O4X2dd3AAAAAAQ=="`, `"-`+nines+`"`, `-1.0E38`),
		row("NUMBER(5,2)", number(5, 2), "123.45", `"MDk="`, `"123.45"`, `123.45`),
		row("NUMBER(5,2), negative", number(5, 2), "-123.45", `"z8c="`, `"-123.45"`, `-123.45`),
		row("NUMBER(5,2), zero", number(5, 2), "0", `"AA=="`, `"0.00"`, `0.0`),
		row("NUMBER(12,2)", number(12, 2), "-12.5", `"+x4="`, `"-12.50"`, `-12.5`),
		row("NUMBER(8,6)", number(8, 6), "4.4444", `"Q9Dw"`, `"4.444400"`, `4.4444`),
		row("NUMBER(10,6)", number(10, 6), "1234.567891", `"SZYC0w=="`, `"1234.567891"`, `1234.567891`),
		row("NUMBER(3,5), scale above precision", number(3, 5), "0.00012", `"DA=="`, `"0.00012"`, `1.2E-4`),
		row("NUMBER(*,2)", number(none, 2), "1.5", `"AJY="`, `"1.50"`, `1.5`),
		rounded("NUMBER(1,-1)", number(1, -1), "90", `90`, `"90"`, `90.0`),
		rounded("NUMBER(2,-2)", number(2, -2), "9900", `9900`, `"9900"`, `9900.0`),
		rounded("NUMBER(8,-1)", number(8, -1), "999999990", `999999990`, `"999999990"`, `9.9999999E8`),
		rounded("NUMBER(16,-2)", number(16, -2), "999999999999999900", `999999999999999900`, `"999999999999999900"`, `9.999999999999999E17`),
		rounded("NUMBER(2,-2), zero", number(2, -2), "0", `0`, `"0"`, `0.0`),
		row("NUMBER(17,-2)", number(17, -2), "12300", `"ew=="`, `"12300"`, `12300.0`),
		row("NUMBER(36,-2)", number(36, -2), nines[:36]+"00", `"AMCXznvJBxWzS58P/////w=="`, `"`+nines[:36]+`00"`, `1.0E38`),
		row("NUMBER", number(none, none), "77.323", `{"scale":3,"value":"AS4L"}`, `"77.323"`, `77.323`),
		row("NUMBER, negative", number(none, none), "-77.323", `{"scale":3,"value":"/tH1"}`, `"-77.323"`, `-77.323`),
		row("NUMBER, fraction", number(none, none), "-0.5", `{"scale":1,"value":"+w=="}`, `"-0.5"`, `-0.5`),
		row("NUMBER, hundred", number(none, none), "100", `{"scale":0,"value":"ZA=="}`, `"100"`, `100.0`),
		row("NUMBER, zeros at the end", number(none, none), "1000000.500", `{"scale":1,"value":"AJiWhQ=="}`, `"1000000.5"`, `1000000.5`),
		row("NUMBER of 38 digits", number(none, none), "12345678901234567890123456789012345678",
			`{"scale":0,"value":"CUmw9vACMxPESZBQ3jjzTg=="}`, `"12345678901234567890123456789012345678"`, `1.2345678901234568E37`),
		row("FLOAT", float(126), "3.33", `{"scale":2,"value":"AU0="}`, `"3.33"`, `3.33`),
		row("REAL", float(63), "8.888", `{"scale":3,"value":"Irg="}`, `"8.888"`, `8.888`),
	}
}

// temporalRows: by records.temporals, with the modes of both profiles; "" is every mode that is not named.
func temporalRows() []modeRow {
	noon := dateTime(2018, 3, 27, 12, 34, 56, 125_456_789)
	stamp := func(digits int) schema.Type {
		return typed(schema.Timestamp, "TIMESTAMP", digits)
	}
	local := func(name string, t schema.Type, at value.DateTime, want map[string]string) modeRow {
		return modeRow{name, t, value.OfLocal(at), want}
	}
	zoned := func(name string, digits int, at value.DateTime, offset int16, text, structured string) modeRow {
		return modeRow{
			name, typed(schema.TimestampTZ, "TIMESTAMP WITH TIME ZONE", digits), value.OfZoned(at, offset),
			map[string]string{"": text, "structured": structured},
		}
	}
	night := dateTime(2018, 3, 27, 1, 34, 56, 7_891_000)
	structured := func(nanos, precision string) string {
		return `{"year":2018,"month":3,"day":27,"hour":12,"minute":34,"second":56,"nanos":` + nanos + `,"specialValue":null,"precision":` + precision + `}`
	}
	return []modeRow{
		local("DATE", typed(schema.Date, "DATE", schema.NoNumber), dateTime(2018, 3, 27, 0, 0, 0, 0), map[string]string{
			"adaptive": `1522108800000`, "connect": `1522108800000`, "microseconds": `1522108800000000`, "nanoseconds": `1522108800000000000`,
			"iso_string": `"2018-03-27T00:00:00"`, "isostring": `"2018-03-27T00:00:00Z"`,
			"structured": `{"year":2018,"month":3,"day":27,"hour":0,"minute":0,"second":0,"nanos":0,"specialValue":null,"precision":null}`,
		}),
		local("TIMESTAMP(2)", stamp(2), dateTime(2018, 3, 27, 12, 34, 56, 130_000_000), map[string]string{
			"adaptive": `1522154096130`, "connect": `1522154096130`, "microseconds": `1522154096130000`, "nanoseconds": `1522154096130000000`,
			"iso_string": `"2018-03-27T12:34:56.13"`, "isostring": `"2018-03-27T12:34:56.13Z"`, "structured": structured("130000000", "2"),
		}),
		local("TIMESTAMP(6)", stamp(6), dateTime(2018, 3, 27, 12, 34, 56, 7_891_000), map[string]string{
			"adaptive": `1522154096007891`, "connect": `1522154096007`, "microseconds": `1522154096007891`, "nanoseconds": `1522154096007891000`,
			"iso_string": `"2018-03-27T12:34:56.007891"`, "isostring": `"2018-03-27T12:34:56.007891Z"`, "structured": structured("7891000", "6"),
		}),
		local("TIMESTAMP(9)", stamp(9), noon, map[string]string{
			"adaptive": `1522154096125456789`, "connect": `1522154096125`, "microseconds": `1522154096125456`, "nanoseconds": `1522154096125456789`,
			"iso_string": `"2018-03-27T12:34:56.125456789"`, "isostring": `"2018-03-27T12:34:56.125456789Z"`, "structured": structured("125456789", "9"),
		}),
		local("TIMESTAMP(6) before the epoch", stamp(6), dateTime(1969, 12, 31, 23, 59, 59, 999_999_000), map[string]string{
			"adaptive": `-1`, "connect": `-1`, "microseconds": `-1`, "nanoseconds": `-1000`,
			"iso_string": `"1969-12-31T23:59:59.999999"`, "isostring": `"1969-12-31T23:59:59.999999Z"`,
			"structured": `{"year":1969,"month":12,"day":31,"hour":23,"minute":59,"second":59,"nanos":999999000,"specialValue":null,"precision":6}`,
		}),
		local("DATE of 4712 BC", typed(schema.Date, "DATE", schema.NoNumber), dateTime(-4712, 1, 1, 0, 0, 0, 0), map[string]string{
			"adaptive": `-210831897600000`, "connect": `-210831897600000`, "microseconds": `-210831897600000000`,
			"iso_string": `"-4711-01-01T00:00:00"`, "isostring": `"-4711-01-01T00:00:00Z"`,
			"structured": `{"year":-4711,"month":1,"day":1,"hour":0,"minute":0,"second":0,"nanos":0,"specialValue":null,"precision":null}`,
		}),
		local("DATE of 1 BC", typed(schema.Date, "DATE", schema.NoNumber), dateTime(-1, 12, 31, 0, 0, 0, 0), map[string]string{
			"adaptive": `-62135683200000`, "connect": `-62135683200000`, "microseconds": `-62135683200000000`,
			"iso_string": `"0000-12-31T00:00:00"`, "isostring": `"0000-12-31T00:00:00Z"`,
			"structured": `{"year":0,"month":12,"day":31,"hour":0,"minute":0,"second":0,"nanos":0,"specialValue":null,"precision":null}`,
		}),
		local("DATE at the end of time", typed(schema.Date, "DATE", schema.NoNumber), dateTime(9999, 12, 31, 23, 59, 59, 0), map[string]string{
			"adaptive": `253402300799000`, "connect": `253402300799000`, "microseconds": `253402300799000000`,
			"iso_string": `"9999-12-31T23:59:59"`, "isostring": `"9999-12-31T23:59:59Z"`,
			"structured": `{"year":9999,"month":12,"day":31,"hour":23,"minute":59,"second":59,"nanos":0,"specialValue":null,"precision":null}`,
		}),
		local("a year above 9999", stamp(6), dateTime(10000, 1, 1, 0, 0, 0, 0), map[string]string{
			"adaptive": `253402300800000000`, "connect": `253402300800000`, "microseconds": `253402300800000000`,
			"iso_string": `"+10000-01-01T00:00:00"`, "isostring": `"+10000-01-01T00:00:00Z"`,
			"structured": `{"year":10000,"month":1,"day":1,"hour":0,"minute":0,"second":0,"nanos":0,"specialValue":null,"precision":6}`,
		}),
		zoned("TIMESTAMP(6) WITH TIME ZONE", 6, night, -660, `"2018-03-27T01:34:56.007891-11:00"`,
			`{"year":2018,"month":3,"day":27,"hour":1,"minute":34,"second":56,"nanos":7891000,"offsetSeconds":-39600,"zoneId":"-11:00","specialValue":null,"precision":6}`),
		zoned("TIMESTAMP(3) WITH TIME ZONE", 3, night, -660, `"2018-03-27T01:34:56.007-11:00"`,
			`{"year":2018,"month":3,"day":27,"hour":1,"minute":34,"second":56,"nanos":7891000,"offsetSeconds":-39600,"zoneId":"-11:00","specialValue":null,"precision":3}`),
		zoned("TIMESTAMP(9) WITH TIME ZONE", 9, night, -660, `"2018-03-27T01:34:56.007891000-11:00"`,
			`{"year":2018,"month":3,"day":27,"hour":1,"minute":34,"second":56,"nanos":7891000,"offsetSeconds":-39600,"zoneId":"-11:00","specialValue":null,"precision":9}`),
		zoned("TIMESTAMP(0) WITH TIME ZONE", 0, dateTime(2018, 3, 27, 1, 34, 0, 0), 120, `"2018-03-27T01:34:00+02:00"`,
			`{"year":2018,"month":3,"day":27,"hour":1,"minute":34,"second":0,"nanos":0,"offsetSeconds":7200,"zoneId":"+02:00","specialValue":null,"precision":0}`),
		{
			"TIMESTAMP(6) WITH LOCAL TIME ZONE", typed(schema.TimestampLTZ, "TIMESTAMP(6) WITH LOCAL TIME ZONE", 6),
			value.OfZoned(dateTime(2018, 3, 26, 23, 34, 0, 0), 0),
			map[string]string{
				"":           `"2018-03-26T23:34:00.000000Z"`,
				"structured": `{"year":2018,"month":3,"day":26,"hour":23,"minute":34,"second":0,"nanos":0,"offsetSeconds":0,"zoneId":"Z","specialValue":null,"precision":6}`,
			},
		},
	}
}

// intervalRows: by records.intervals; "structured" is records.temporals, which goes before.
func intervalRows() []modeRow {
	months := func(name string, n int64, float, integer, text, structured string) modeRow {
		return modeRow{
			name, typed(schema.IntervalYM, "INTERVAL YEAR(3) TO MONTH", 0), value.OfMonths(n),
			map[string]string{"numeric": float, "debezium numeric": integer, "string": text, "debezium structured": structured},
		}
	}
	span := func(name string, seconds int64, nanos int32, digits int, float, integer, text, structured string) modeRow {
		return modeRow{
			name, typed(schema.IntervalDS, "INTERVAL DAY(3) TO SECOND", digits), value.OfDuration(seconds, nanos),
			map[string]string{"numeric": float, "debezium numeric": integer, "string": text, "debezium structured": structured},
		}
	}
	return []modeRow{
		months("1-2", 14, `3.68172E13`, `36817200000000`, `"P1Y2M0DT0H0M0S"`,
			`{"years":1,"months":2,"days":0,"hours":0,"minutes":0,"seconds":0,"nanos":0,"precision":null}`),
		months("-3-6", -42, `-1.104516E14`, `-110451600000000`, `"P-3Y-6M0DT0H0M0S"`,
			`{"years":-3,"months":-6,"days":0,"hours":0,"minutes":0,"seconds":0,"nanos":0,"precision":null}`),
		months("123-11", 123*12+11, `3.9105126E15`, `3910512600000000`, `"P123Y11M0DT0H0M0S"`,
			`{"years":123,"months":11,"days":0,"hours":0,"minutes":0,"seconds":0,"nanos":0,"precision":null}`),
		span("-1 2:3:4.56", -93784, -560_000_000, 2, `-9.378456E10`, `-93784560000`, `"P0Y0M-1DT-2H-3M-4.56S"`,
			`{"years":0,"months":0,"days":-1,"hours":-2,"minutes":-3,"seconds":-4,"nanos":-560000000,"precision":2}`),
		span("10 23:59:59.999999", 950399, 999_999_000, 6, `9.50399999999E11`, `950399999999`, `"P0Y0M10DT23H59M59.999999S"`,
			`{"years":0,"months":0,"days":10,"hours":23,"minutes":59,"seconds":59,"nanos":999999000,"precision":6}`),
		span("1 2:3:4.123456789", 93784, 123_456_789, 9, `9.3784123456789E10`, `93784123456`, `"P0Y0M1DT2H3M4.123456789S"`,
			`{"years":0,"months":0,"days":1,"hours":2,"minutes":3,"seconds":4,"nanos":123456789,"precision":9}`),
		span("-0 0:0:0.5", 0, -500_000_000, 1, `-500000.0`, `-500000`, `"P0Y0M0DT0H0M-0.5S"`,
			`{"years":0,"months":0,"days":0,"hours":0,"minutes":0,"seconds":0,"nanos":-500000000,"precision":1}`),
		span("nothing", 0, 0, 0, `0.0`, `0`, `"P0Y0M0DT0H0M0S"`,
			`{"years":0,"months":0,"days":0,"hours":0,"minutes":0,"seconds":0,"nanos":0,"precision":0}`),
	}
}

// binaryRows: by records.binary, reference debezium-format 5.4 and 9.1.
func binaryRows() []modeRow {
	raw := typed(schema.Raw, "RAW", schema.NoNumber)
	return []modeRow{
		{"RAW", raw, value.OfBytes("\x01\xff\xfe\x3f\xbf"), map[string]string{
			"bytes": `"Af/+P78="`, "base64": `"Af/+P78="`, "base64_url_safe": `"Af_-P78="`, "hex": `"01fffe3fbf"`,
		}},
		{"unavailable RAW", raw, value.OfUnavailable(), map[string]string{
			"bytes": placeholderBytes, "base64": placeholderBytes, "base64_url_safe": placeholderBytes,
			"hex":            `"5f5f6364635f756e617661696c61626c655f76616c7565"`,
			"debezium bytes": `"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="`, "debezium base64": `"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="`,
			"debezium base64_url_safe": `"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="`,
			"debezium hex":             `"5f5f646562657a69756d5f756e617661696c61626c655f76616c7565"`,
		}},
	}
}

// of gives the text of a mode for a profile, false where the profile does not have it.
func (r *modeRow) of(profile *Profile, mode string) (string, bool) {
	for _, name := range []string{profile.Name + " " + mode, mode, ""} {
		if want, ok := r.want[name]; ok {
			return want, true
		}
	}
	return "", false
}

func check(t *testing.T, s Settings, r *modeRow, mode string) {
	t.Helper()
	want, ok := r.of(s.Profile, mode)
	if !ok {
		return
	}
	v := versionOf(r.typ)
	if got := after(t, table(t, s, v), v, r.value); got != `{"CA":`+want+`}` {
		t.Errorf("%s, profile %s, mode %s: %s, want %s", r.name, s.Profile.Name, mode, got, want)
	}
}

func profiles() []*Profile { return []*Profile{CDC(), Debezium()} }

func TestEveryTypeInEveryMode(t *testing.T) {
	for _, p := range profiles() {
		s := settings()
		s.Profile = p
		for _, r := range decimalRows() {
			for _, s.Decimals = range []Decimals{PreciseDecimals, TextDecimals, DoubleDecimals} {
				check(t, s, &r, string(s.Decimals))
			}
		}
		s = settings()
		s.Profile = p
		for _, r := range temporalRows() {
			for s.Temporals = range p.temporals {
				check(t, s, &r, string(s.Temporals))
			}
		}
		s = settings()
		s.Profile = p
		for _, r := range intervalRows() {
			for s.Intervals = range p.intervals {
				check(t, s, &r, string(s.Intervals))
			}
			structured := s
			structured.Temporals, structured.Intervals = StructuredTimes, TextIntervals
			if _, ok := p.temporals[StructuredTimes]; ok {
				check(t, structured, &r, "structured")
			}
		}
		s = settings()
		s.Profile = p
		for _, r := range binaryRows() {
			for _, s.Binary = range []Binary{PlainBytes, Base64Text, Base64URLText, HexText} {
				check(t, s, &r, string(s.Binary))
			}
		}
	}
}

// Seed 001: iso_string publishes intervals as ISO 8601 durations, whatever the mode of intervals.
func TestISOTimesTakeTheIntervalsAlong(t *testing.T) {
	s := settings()
	s.Temporals = LocalISOTimes
	for _, r := range intervalRows() {
		check(t, s, &r, "string")
	}
}

func TestModesRefuseWhatTheyCannotHold(t *testing.T) {
	for what, c := range map[string]struct {
		typ    schema.Type
		value  value.Value
		change func(*Settings)
	}{
		"more digits, as text":      {number(4, 0), value.OfDecimal("12345"), func(s *Settings) { s.Decimals = TextDecimals }},
		"a finer fraction, as text": {number(5, 2), value.OfDecimal("1.005"), func(s *Settings) { s.Decimals = TextDecimals }},
		"an exponent, as text":      {number(-1<<15, -1<<15), value.OfDecimal("1e5"), func(s *Settings) { s.Decimals = TextDecimals }},
		"more digits, as double":    {number(4, 0), value.OfDecimal("12345"), func(s *Settings) { s.Decimals = DoubleDecimals }},
		"infinity, as double":       {number(-1<<15, -1<<15), value.OfDecimal("Inf"), func(s *Settings) { s.Decimals = DoubleDecimals }},
		"a zone in a local ISO":     {typed(schema.Date, "DATE", 0), value.OfZoned(dateTime(2020, 1, 1, 0, 0, 0, 0), 0), func(s *Settings) { s.Temporals = LocalISOTimes }},
	} {
		s := settings()
		c.change(&s)
		v := versionOf(c.typ)
		out, err := table(t, s, v).AppendValue(nil, streamed(v, change.Create, nil, []value.Value{c.value}))
		if !stop.Is(err, stop.Undecodable) {
			t.Errorf("%s: %s, %v", what, out, err)
		}
	}
}

func TestUnknownModesAreRefused(t *testing.T) {
	for what, set := range map[string]func(*Settings){
		"decimals":  func(s *Settings) { s.Decimals = "exact" },
		"temporals": func(s *Settings) { s.Temporals = ConnectTimes },
		"intervals": func(s *Settings) { s.Intervals = "iso" },
		"binary":    func(s *Settings) { s.Binary = "base32" },
	} {
		s := settings()
		set(&s)
		if _, err := NewTable(s, customers()); !stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
