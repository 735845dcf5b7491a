package logminer

import (
	"fmt"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// dateFormat is a parsed date format model such as YYYY-MM-DD HH24:MI:SS.FF9.
type dateFormat struct {
	text     string
	elements []element
}

// element is a format element, in upper case, or literal text.
type element struct {
	name, typed string // typed is the element as written: its case decides that of MON
	literal     string
}

// elementNames in an order in which no name hides a longer one.
var elementNames = []string{
	"SYYYY", "YYYY", "RRRR", "RR", "YY", "MONTH", "MON", "MM", "DD", "HH24", "HH12", "HH", "MI", "SS",
	"FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "FF7", "FF8", "FF9", "FF", "X", "A.M.", "P.M.", "AM", "PM", "TZH", "TZM", "TZR",
}

func parseDateFormat(text string) (dateFormat, error) {
	f := dateFormat{text: text}
	for rest := text; rest != ""; {
		if rest[0] == '"' {
			quoted, after, ok := strings.Cut(rest[1:], `"`)
			if !ok {
				return dateFormat{}, errDateFormat()
			}
			f.elements = append(f.elements, element{literal: quoted})
			rest = after
			continue
		}
		if name := leadingElement(rest); name != "" {
			f.elements = append(f.elements, element{name: name, typed: rest[:len(name)]})
			rest = rest[len(name):]
			continue
		}
		if !strings.ContainsRune(" -/,.;:", rune(rest[0])) {
			return dateFormat{}, errDateFormat()
		}
		f.elements = append(f.elements, element{literal: rest[:1]})
		rest = rest[1:]
	}
	return f, nil
}

func errDateFormat() error { return wire.Errorf(1821, "date format not recognized") }

func leadingElement(s string) string {
	for _, name := range elementNames {
		if len(s) >= len(name) && strings.EqualFold(s[:len(name)], name) {
			return name
		}
	}
	return ""
}

var months = [...]string{
	"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
}

// appendTime formats t. digits is the declared fraction precision, which FF without a number shows; offset is in
// minutes; point is the decimal character for X.
func (f *dateFormat) appendTime(dst []byte, t datum.DateTime, digits int, offset int16, point byte) []byte {
	for _, e := range f.elements {
		switch e.name {
		case "":
			dst = append(dst, e.literal...)
		case "SYYYY", "YYYY", "RRRR", "RR", "YY":
			dst = appendYear(dst, e.name, int(t.Year))
		case "MONTH", "MON":
			dst = appendMonth(dst, e, t.Month)
		case "MM":
			dst = appendPadded(dst, int(t.Month), 2)
		case "DD":
			dst = appendPadded(dst, int(t.Day), 2)
		case "HH24":
			dst = appendPadded(dst, int(t.Hour), 2)
		case "HH12", "HH":
			dst = appendPadded(dst, (int(t.Hour)+11)%12+1, 2)
		case "MI":
			dst = appendPadded(dst, int(t.Minute), 2)
		case "SS":
			dst = appendPadded(dst, int(t.Second), 2)
		case "X":
			dst = append(dst, point)
		case "AM", "PM", "A.M.", "P.M.":
			dst = appendMeridian(dst, e.name, t.Hour)
		case "TZR":
			dst = appendZoneHour(dst, offset)
			dst = append(dst, ':')
			dst = appendPadded(dst, abs(int(offset))%60, 2)
		case "TZH":
			dst = appendZoneHour(dst, offset)
		case "TZM":
			dst = appendPadded(dst, abs(int(offset))%60, 2)
		case "FF":
			dst = appendFraction(dst, t.Nano, digits)
		default: // FF1 to FF9
			dst = appendFraction(dst, t.Nano, int(e.name[2]-'0'))
		}
	}
	return dst
}

func appendYear(dst []byte, name string, year int) []byte {
	switch name {
	case "SYYYY":
		if year < 0 {
			dst = append(dst, '-')
		} else {
			dst = append(dst, ' ')
		}
		return appendPadded(dst, abs(year), 4)
	case "RR", "YY":
		return appendPadded(dst, abs(year)%100, 2)
	}
	return appendPadded(dst, abs(year), 4)
}

func appendMonth(dst []byte, e element, month uint8) []byte {
	name := months[(month+11)%12]
	if e.name == "MON" {
		name = name[:3]
	}
	switch {
	case e.typed == strings.ToLower(e.typed):
		name = strings.ToLower(name)
	case e.typed[1:] == strings.ToLower(e.typed[1:]):
		name = name[:1] + strings.ToLower(name[1:])
	}
	return append(dst, name...)
}

func appendMeridian(dst []byte, name string, hour uint8) []byte {
	half := "AM"
	if hour >= 12 {
		half = "PM"
	}
	if strings.Contains(name, ".") {
		return append(dst, half[0], '.', half[1], '.')
	}
	return append(dst, half...)
}

func appendZoneHour(dst []byte, offset int16) []byte {
	if offset < 0 {
		dst = append(dst, '-')
	} else {
		dst = append(dst, '+')
	}
	return appendPadded(dst, abs(int(offset))/60, 2)
}

func appendFraction(dst []byte, nano uint32, digits int) []byte {
	text := fmt.Sprintf("%09d", nano)
	return append(dst, text[:min(digits, 9)]...)
}

func appendPadded(dst []byte, n, width int) []byte {
	unit := 1
	for range width - 1 {
		unit *= 10
	}
	for ; unit > 0; unit /= 10 {
		dst = append(dst, byte('0'+n/unit%10))
	}
	return dst
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
