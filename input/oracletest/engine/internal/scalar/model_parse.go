package scalar

import (
	"strconv"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// reading collects what a text says about a datetime.
type reading struct {
	text     string
	time     datum.DateTime
	pm       bool
	meridian bool
	yearDay  int
	seconds  int // of the day, -1 if not given
	offset   int
	negative bool // zone
	zoned    bool
	exact    bool // FX: no blanks, no digit and no other punctuation too few
	now      time.Time
}

// Parse reads a text; now gives year and month where the model has none, offset the zone where the text has none. The
// result is Zoned if the model has a zone.
func (m *Model) Parse(text string, now time.Time, offset int16) (datum.Datum, error) {
	r := &reading{text: strings.TrimSpace(text), now: now, seconds: -1, offset: int(offset)}
	r.time = datum.DateTime{Year: int16(now.Year()), Month: uint8(now.Month()), Day: 1}
	for i, e := range m.elements {
		if r.text == "" {
			if !optional(m.elements[i:]) {
				return datum.Datum{}, wire.Errorf(1840, "input value not long enough for date format")
			}
			break
		}
		r.exact = m.exact
		if m.exact && !e.fill && e.field != fLiteral {
			r.exact = false // FXFM lets leading zeros be left out
		}
		if err := r.element(e, m.elements[i+1:]); err != nil {
			return datum.Datum{}, err
		}
	}
	if strings.TrimSpace(r.text) != "" {
		return datum.Datum{}, wire.Errorf(1830, "date format picture ends before converting entire input string")
	}
	return r.result(m.zoned)
}

// optional reports whether a text may end before these elements: only time of day and zone are left.
func optional(rest []element) bool {
	for _, e := range rest {
		switch e.field {
		case fLiteral, fHour24, fHour12, fMinute, fSecond, fFraction, fMeridian, fZoneHour, fZoneMinute, fZoneRegion, fRadix, fSecondsOfDay:
		default:
			return false
		}
	}
	return true
}

func (r *reading) result(zoned bool) (datum.Datum, error) {
	if r.yearDay > 0 {
		d := FromTime(time.Date(int(r.time.Year), 1, r.yearDay, 0, 0, 0, 0, time.UTC))
		if d.Year != r.time.Year {
			return datum.Datum{}, wire.Errorf(1848, "day of year must be between 1 and 365 (366 for leap year)")
		}
		r.time.Month, r.time.Day = d.Month, d.Day
	}
	if r.seconds >= 0 {
		r.time.Hour, r.time.Minute, r.time.Second = uint8(r.seconds/3600), uint8(r.seconds/60%60), uint8(r.seconds%60)
	}
	if r.meridian {
		r.time.Hour %= 12
		if r.pm {
			r.time.Hour += 12
		}
	}
	if err := CheckDate(r.time); err != nil {
		return datum.Datum{}, err
	}
	d := Date(r.time)
	if zoned {
		d.Kind, d.Offset = datum.Zoned, int16(r.offset)
	}
	return d, nil
}

func (r *reading) element(e element, rest []element) error {
	switch e.field {
	case fLiteral, fRadix:
		return r.literal(e)
	case fMon, fMonthName:
		r.skipBlanks()
		i, ok := r.name(monthNames[:])
		if !ok {
			return wire.Errorf(1843, "not a valid month")
		}
		r.time.Month = uint8(i + 1)
		return nil
	case fDy, fDayName:
		if _, ok := r.name(dayNames[:]); !ok {
			return wire.Errorf(1846, "not a valid day of the week")
		}
		return nil
	case fMeridian:
		return r.readMeridian()
	case fFraction:
		return r.fraction(e)
	case fZoneHour, fZoneMinute, fZoneRegion:
		return r.zone(e)
	case fYear4, fRRRR:
		negative := len(e.text) == 5 && strings.HasPrefix(r.text, "-")
		if negative {
			r.text = r.text[1:]
		}
		n, digits, err := r.digits(4)
		if err != nil {
			return err
		}
		if e.field == fRRRR && digits <= 2 {
			n = r.century(n)
		}
		r.time.Year = int16(n)
		if negative {
			r.time.Year = -r.time.Year
		}
		return nil
	case fMonth:
		if i, ok := r.name(monthNames[:]); ok && !r.exact {
			r.time.Month = uint8(i + 1)
			return nil
		}
	}
	return r.numeric(e, rest)
}

// long reports whether a year of four digits stands where the model has two: Oracle then reads it as YYYY or RRRR. A number that
// another one follows at once has just its two digits.
func (r *reading) long(rest []element) bool {
	s := strings.TrimLeft(r.text, " ")
	if r.exact || len(rest) > 0 && rest[0].field != fLiteral {
		return false
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n == 4
}

func (r *reading) numeric(e element, rest []element) error {
	width := 2
	switch e.field {
	case fYear3, fDayOfYear:
		width = 3
	case fYear1, fDayOfWeek, fQuarter:
		width = 1
	case fSecondsOfDay:
		width = 5
	case fYear2, fRR:
		if r.long(rest) {
			n, _, err := r.digits(4)
			r.time.Year = int16(n)
			return err
		}
	}
	n, _, err := r.digits(width)
	if err != nil {
		return err
	}
	base := r.now.Year()
	switch e.field {
	case fYear3:
		r.time.Year = int16(base/1000*1000 + n)
	case fYear2:
		r.time.Year = int16(base/100*100 + n)
	case fYear1:
		r.time.Year = int16(base/10*10 + n)
	case fRR:
		r.time.Year = int16(r.century(n))
	case fMonth:
		r.time.Month = uint8(n)
	case fDay:
		r.time.Day = uint8(n)
	case fDayOfYear:
		if n < 1 || n > 366 {
			return wire.Errorf(1848, "day of year must be between 1 and 365 (366 for leap year)")
		}
		r.yearDay = n
	case fHour24:
		r.time.Hour = uint8(n)
	case fHour12:
		if n < 1 || n > 12 {
			return wire.Errorf(1849, "hour must be between 1 and 12")
		}
		r.time.Hour = uint8(n)
	case fMinute:
		r.time.Minute = uint8(n)
	case fSecond:
		r.time.Second = uint8(n)
	case fSecondsOfDay:
		if n > 86399 {
			return wire.Errorf(1853, "seconds in day must be between 0 and 86399")
		}
		r.seconds = n
	default:
		return wire.Errorf(1820, "format code cannot appear in date input format")
	}
	return nil
}

// century is the rule of RR: years within fifty of now.
func (r *reading) century(n int) int {
	base, half := r.now.Year()/100*100, r.now.Year()%100 >= 50
	switch {
	case n < 50 && half:
		return base + 100 + n
	case n >= 50 && !half:
		return base - 100 + n
	}
	return base + n
}

func (r *reading) skipBlanks() { r.text = strings.TrimLeft(r.text, " ") }

func (r *reading) digits(width int) (value, count int, err error) {
	if !r.exact {
		r.skipBlanks()
	}
	n := 0
	for n < width && n < len(r.text) && r.text[n] >= '0' && r.text[n] <= '9' {
		n++
	}
	if n == 0 {
		return 0, 0, wire.Errorf(1858, "a non-numeric character was found where a numeric was expected")
	}
	if r.exact && n < width {
		return 0, 0, wire.Errorf(1862, "the numeric value does not match the length of the format item")
	}
	value, err = strconv.Atoi(r.text[:n])
	r.text = r.text[n:]
	return value, n, err
}

// literal lets punctuation of the model stand for other punctuation, or for none.
func (r *reading) literal(e element) error {
	want := e.text
	if e.field == fRadix {
		want = "."
	}
	if strings.HasPrefix(strings.ToUpper(r.text), strings.ToUpper(want)) {
		r.text = r.text[len(want):]
		return nil
	}
	if len(want) == 1 && !r.exact {
		c := r.text[0]
		switch {
		case strings.IndexByte("-/,.;: ", c) >= 0:
			r.text = r.text[1:]
			return nil
		case want == " " || want == "." && c >= '0' && c <= '9':
			return nil
		}
	}
	return wire.Errorf(1861, "literal does not match format string")
}

func (r *reading) name(names []string) (int, bool) {
	upper := strings.ToUpper(r.text)
	for _, whole := range [...]bool{true, false} {
		for i, name := range names {
			if !whole {
				name = name[:3]
			}
			if strings.HasPrefix(upper, name) {
				r.text = r.text[len(name):]
				return i, true
			}
		}
	}
	return 0, false
}

func (r *reading) readMeridian() error {
	r.skipBlanks()
	upper := strings.ToUpper(r.text)
	for _, half := range [...]string{"A.M.", "P.M.", "AM", "PM"} {
		if strings.HasPrefix(upper, half) {
			r.text, r.meridian, r.pm = r.text[len(half):], true, half[0] == 'P'
			return nil
		}
	}
	return wire.Errorf(1855, "AM/A.M. or PM/P.M. required")
}

func (r *reading) fraction(e element) error {
	width := 9
	if e.digits > 0 {
		width = e.digits
	}
	n, count, err := r.digits(width)
	if err != nil {
		return err
	}
	for range 9 - count {
		n *= 10
	}
	r.time.Nano = uint32(n)
	return nil
}

func (r *reading) zone(e element) error {
	if e.field == fZoneMinute {
		n, _, err := r.digits(2)
		if r.negative {
			n = -n
		}
		r.offset += n
		return err
	}
	r.skipBlanks()
	if e.field == fZoneRegion {
		offset, err := ParseOffset(r.text)
		r.offset, r.text, r.zoned = int(offset), "", true
		return err
	}
	switch {
	case strings.HasPrefix(r.text, "-"):
		r.negative, r.text = true, r.text[1:]
	case strings.HasPrefix(r.text, "+"):
		r.text = r.text[1:]
	}
	n, _, err := r.digits(2)
	r.offset, r.zoned = n*60, true
	if r.negative {
		r.offset = -r.offset
	}
	return err
}

// ParseOffset reads +hh:mm, or UTC and GMT; other regions are ORA-01882.
func ParseOffset(text string) (int16, error) {
	s := strings.TrimSpace(text)
	switch strings.ToUpper(s) {
	case "UTC", "GMT", "Z", "ETC/UTC":
		return 0, nil
	}
	sign := 1
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	hour, minute, _ := strings.Cut(s, ":")
	h, err := strconv.Atoi(hour)
	if err != nil {
		return 0, wire.Errorf(1882, "timezone region not found")
	}
	mi := 0
	if minute != "" {
		if mi, err = strconv.Atoi(minute); err != nil {
			return 0, wire.Errorf(1882, "timezone region not found")
		}
	}
	if h > 15 || mi > 59 {
		return 0, wire.Errorf(1874, "time zone hour must be between -15 and 15")
	}
	return int16(sign * (h*60 + mi)), nil
}
