package scalar

import (
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// field is one element of a datetime format model.
type field uint8

const (
	fLiteral field = iota // text in the model
	fYear4                // YYYY, SYYYY
	fYear3
	fYear2
	fYear1
	fRR
	fRRRR
	fMonth
	fMon
	fMonthName
	fDay // DD
	fDayOfYear
	fDayOfWeek
	fDy
	fDayName
	fHour24
	fHour12
	fMinute
	fSecond
	fSecondsOfDay
	fFraction
	fMeridian
	fZoneHour
	fZoneMinute
	fZoneRegion
	fQuarter
	fWeek
	fISOWeek
	fRadix
	fCentury
	fYearComma // Y,YYY
	fISOYear   // IYYY, IYY, IY, I
	fMonthWeek // W
)

type element struct {
	field  field
	text   string // as written: gives the case of names, and the literal
	digits int    // of FF
	fill   bool   // pad with zeros and blanks; FM switches
}

// Model is a datetime format model.
type Model struct {
	Text     string
	elements []element
	zoned    bool
	exact    bool // FX
	fraction bool // has FF
}

// Dates reports whether DATE has all elements of the model: it has neither fraction nor zone.
func (m *Model) Dates() bool { return !m.fraction && !m.zoned }

// Longer elements come before their prefixes.
var modelElements = []struct {
	text  string
	field field
}{
	{"Y,YYY", fYearComma},
	{"SYYYY", fYear4},
	{"YYYY", fYear4},
	{"YYY", fYear3},
	{"YY", fYear2},
	{"Y", fYear1},
	{"RRRR", fRRRR},
	{"RR", fRR},
	{"MONTH", fMonthName},
	{"MON", fMon},
	{"MM", fMonth},
	{"DDD", fDayOfYear},
	{"DD", fDay},
	{"DAY", fDayName},
	{"DY", fDy},
	{"D", fDayOfWeek},
	{"HH24", fHour24},
	{"HH12", fHour12},
	{"HH", fHour12},
	{"MI", fMinute},
	{"SSSSS", fSecondsOfDay},
	{"SS", fSecond},
	{"FF", fFraction},
	{"A.M.", fMeridian},
	{"P.M.", fMeridian},
	{"AM", fMeridian},
	{"PM", fMeridian},
	{"TZH", fZoneHour},
	{"TZM", fZoneMinute},
	{"TZR", fZoneRegion},
	{"Q", fQuarter},
	{"WW", fWeek},
	{"W", fMonthWeek},
	{"IW", fISOWeek},
	{"IYYY", fISOYear},
	{"IYY", fISOYear},
	{"IY", fISOYear},
	{"I", fISOYear},
	{"X", fRadix},
	{"CC", fCentury},
}

// ParseModel reads a format model; an unknown element is ORA-01821.
func ParseModel(text string) (*Model, error) {
	m := &Model{Text: text}
	fill := true
	upper := strings.ToUpper(text)
	for i := 0; i < len(text); {
		switch {
		case strings.HasPrefix(upper[i:], "FM"):
			fill = !fill
			i += 2
			continue
		case strings.HasPrefix(upper[i:], "FX"):
			m.exact = !m.exact
			i += 2
			continue
		case text[i] == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return nil, wire.Errorf(1821, "date format not recognized")
			}
			m.elements = append(m.elements, element{field: fLiteral, text: text[i+1 : i+1+end]})
			i += end + 2
			continue
		case strings.IndexByte("-/,.;: '", text[i]) >= 0:
			m.elements = append(m.elements, element{field: fLiteral, text: text[i : i+1]})
			i++
			continue
		}
		if known := otherElement(upper[i:]); known != "" {
			return nil, wire.Errorf(3001, "unimplemented feature: datetime format element %s", known)
		}
		e, width := elementAt(upper[i:])
		if width == 0 {
			return nil, wire.Errorf(1821, "date format not recognized")
		}
		e.text, e.fill = text[i:i+width], fill
		m.fraction = m.fraction || e.field == fFraction
		m.zoned = m.zoned || e.field == fZoneMinute || e.field == fZoneHour || e.field == fZoneRegion
		m.elements = append(m.elements, e)
		i += width
	}
	return m, nil
}

// otherElement finds an element that Oracle knows and the stand-in does not.
func otherElement(upper string) string {
	for _, known := range [...]string{"B.C.", "A.D.", "BC", "AD", "DL", "DS", "TS", "TZD", "TH", "SP", "RM", "EE", "E", "J", "SYEAR", "YEAR"} {
		if strings.HasPrefix(upper, known) {
			return known
		}
	}
	return ""
}

func elementAt(upper string) (element, int) {
	for _, known := range modelElements {
		if !strings.HasPrefix(upper, known.text) {
			continue
		}
		e, width := element{field: known.field}, len(known.text)
		if known.field == fFraction && len(upper) > 2 && upper[2] >= '1' && upper[2] <= '9' {
			e.digits = int(upper[2] - '0')
			width++
		}
		return e, width
	}
	return element{}, 0
}

var monthNames = [...]string{
	"JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER", "NOVEMBER", "DECEMBER",
}

var dayNames = [...]string{"SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"}

// likeCase writes a name in the case of the element: MON, Mon, mon.
func likeCase(name, pattern string) string {
	switch {
	case pattern == strings.ToUpper(pattern):
		return name
	case pattern[0] >= 'A' && pattern[0] <= 'Z':
		return name[:1] + strings.ToLower(name[1:])
	}
	return strings.ToLower(name)
}

// Weekday reads the name of a day, or its first three letters with anything behind them.
func Weekday(text string) (time.Weekday, bool) {
	upper := strings.ToUpper(strings.TrimSpace(text))
	for i, name := range dayNames {
		if strings.HasPrefix(upper, name[:3]) {
			return time.Weekday(i), true
		}
	}
	return 0, false
}
