package decode

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// The formats that product sessions set, and Oracle's own defaults, which a recording made elsewhere may hold (reference
// logminer A.6, D.2).
const (
	isoDate        = "YYYY-MM-DD HH24:MI:SS"
	isoSignedDate  = "SYYYY-MM-DD HH24:MI:SS"
	defaultStamp   = "DD-MON-RR HH.MI.SSXFF AM"
	defaultStampTZ = "DD-MON-RR HH.MI.SSXFF AM TZH:TZM"
)

// moment is a date and time of day as read, with its offset.
type moment struct {
	value.DateTime
	// offset is in minutes east of UTC, valid if zoned.
	offset int16
	zoned  bool
}

// date decodes DATE, whose literal carries its format.
func date(s, format string) (value.Value, reason) {
	if format == isoDate || format == isoSignedDate {
		m, ok := parseISO(s, format == isoSignedDate)
		if !ok || m.Nano != 0 || m.zoned || strings.Contains(s, ".") {
			return value.Value{}, badDate
		}
		return value.OfLocal(m.DateTime), ""
	}
	m, why := parseFormat(s, format)
	if why == "" && m.zoned {
		why = badDate
	}
	return value.OfLocal(m.DateTime), why
}

// timestamp decodes TIMESTAMP, whose literal has no format: it is the session's.
func timestamp(s, format string) (value.Value, reason) {
	m, why := parseStamp(s, format, defaultStamp)
	if why == "" && m.zoned {
		why = badZone
	}
	return value.OfLocal(m.DateTime), why
}

// timestampTZ decodes TIMESTAMP WITH TIME ZONE. The offset is kept as stored (C053); the session's format reduces a region to
// its offset, so a region name in the text is refused.
func timestampTZ(s, format string) (value.Value, reason) {
	m, why := parseStamp(s, format, defaultStampTZ)
	if why == "" && !m.zoned {
		why = badZone
	}
	return value.OfZoned(m.DateTime, m.offset), why
}

// timestampLTZ decodes TIMESTAMP WITH LOCAL TIME ZONE: printed in the session's zone, which is UTC, without an offset (C055).
func timestampLTZ(s, format string) (value.Value, reason) {
	m, why := parseStamp(s, format, defaultStamp)
	if why == "" && m.zoned && m.offset != 0 {
		why = badZone
	}
	return value.OfZoned(m.DateTime, 0), why
}

func parseStamp(s, format, fallback string) (moment, reason) {
	switch {
	case format != "":
		return parseFormat(s, format)
	case len(s) > 3 && s[2] == '-':
		return parseFormat(s, fallback)
	}
	m, ok := parseISO(s, true)
	if !ok {
		return m, badDate
	}
	return m, ""
}

// parseISO reads [sign]YYYY-MM-DD HH:MI:SS[.fraction][ +HH:MM]. A sign may be a blank (C050); a point without digits is a
// fraction of zero (C047).
func parseISO(s string, signed bool) (moment, bool) {
	var m moment
	negative := false
	if signed && s != "" && (s[0] == '-' || s[0] == '+' || s[0] == ' ') {
		negative, s = s[0] == '-', s[1:]
	}
	const shape = "0000-00-00 00:00:00"
	if len(s) < len(shape) || !hasShape(s, shape) {
		return m, false
	}
	m.Year = int16(number4(s))
	if negative {
		m.Year = -m.Year
	}
	m.Month, m.Day = number2(s[5:]), number2(s[8:])
	m.Hour, m.Minute, m.Second = number2(s[11:]), number2(s[14:]), number2(s[17:])
	s = s[len(shape):]
	if strings.HasPrefix(s, ".") {
		n := digitsAt(s[1:])
		nano, ok := nanos(s[1 : 1+n])
		if !ok {
			return m, false
		}
		m.Nano, s = nano, s[1+n:]
	}
	if strings.HasPrefix(s, " ") {
		offset, ok := parseOffset(s[1:])
		if !ok {
			return m, false
		}
		m.offset, m.zoned, s = offset, true, ""
	}
	return m, s == "" && isValid(m.DateTime)
}

// hasShape compares a text with a pattern whose zeros stand for digits.
func hasShape(s, shape string) bool {
	for i := range len(shape) {
		if digit := s[i] >= '0' && s[i] <= '9'; shape[i] == '0' && !digit || shape[i] != '0' && s[i] != shape[i] {
			return false
		}
	}
	return true
}

// number2 and number4 read digits that were checked.
func number2(s string) uint8 { return (s[0]-'0')*10 + s[1] - '0' }

func number4(s string) int { return int(number2(s))*100 + int(number2(s[2:])) }

func digitsAt(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// nanos reads up to nine digits of a fraction.
func nanos(digits string) (uint32, bool) {
	if len(digits) > 9 {
		return 0, false
	}
	n := uint32(0)
	for i := range 9 {
		n *= 10
		if i < len(digits) {
			n += uint32(digits[i] - '0')
		}
	}
	return n, true
}

// parseOffset reads ±HH:MM; the sign belongs to hours and minutes.
func parseOffset(s string) (int16, bool) {
	if len(s) != 6 || !hasShape(s[1:], "00:00") || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	hours, minutes := int16(number2(s[1:])), int16(number2(s[4:]))
	if hours > 15 || minutes > 59 {
		return 0, false
	}
	offset := hours*60 + minutes
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// gregorian is the first whole year of Oracle's Gregorian calendar; before it every fourth year is a leap year.
const gregorian = 1583

// isValid checks every field. Year 0 passes: no calendar has it, but tools wrote such dates (C049). So do the ten days that the
// change of calendars left out, 1582-10-05 to 14: TO_DATE moves them to the 15th, but up to release 12.1 a literal stored
// them as they are (seanstuber.com, "Looking through holes in time", 2018), and what is stored is published.
func isValid(t value.DateTime) bool {
	if t.Year < -4712 || t.Month < 1 || t.Month > 12 || t.Day < 1 || t.Hour > 23 || t.Minute > 59 || t.Second > 59 {
		return false
	}
	days := [...]uint8{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[t.Month-1]
	if t.Month == 2 && t.Year >= gregorian && (t.Year%4 != 0 || t.Year%100 == 0 && t.Year%400 != 0) {
		days = 28
	}
	return t.Day <= days
}
