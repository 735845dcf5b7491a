package scalar

import (
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Format writes a datetime; precision is what FF without digits shows.
func (m *Model) Format(d datum.Datum, precision int) string {
	buf := make([]byte, 0, len(m.Text)+16)
	for _, e := range m.elements {
		buf = e.format(buf, d, precision)
	}
	return string(buf)
}

func (e element) format(buf []byte, d datum.Datum, precision int) []byte {
	t := d.Time
	switch e.field {
	case fLiteral:
		return append(buf, e.text...)
	case fRadix:
		return append(buf, '.')
	case fMon, fMonthName, fDy, fDayName:
		return append(buf, e.name(t)...)
	case fMeridian:
		return append(buf, e.meridian(t)...)
	case fFraction:
		return e.fraction(buf, t, precision)
	case fZoneHour, fZoneMinute, fZoneRegion:
		return e.zone(buf, d.Offset)
	case fYearComma:
		year := strconv.Itoa(10_000 + abs(t.Year))
		return append(buf, year[1:2]+","+year[2:]...)
	case fYear4:
		if len(e.text) == 5 {
			sign := byte(' ')
			if t.Year < 0 {
				sign = '-'
			}
			if e.fill || sign == '-' {
				buf = append(buf, sign)
			}
		}
		return e.pad(buf, abs(t.Year), 4)
	}
	n, width := e.number(t)
	return e.pad(buf, n, width)
}

func abs(year int16) int {
	if year < 0 {
		return -int(year)
	}
	return int(year)
}

// number is the value and the filled width of a numeric element.
func (e element) number(t datum.DateTime) (value, width int) {
	year := abs(t.Year)
	switch e.field {
	case fRRRR:
		return year, 4
	case fYear3:
		return year % 1000, 3
	case fYear2, fRR:
		return year % 100, 2
	case fYear1:
		return year % 10, 1
	case fCentury:
		return (year + 99) / 100, 2
	case fMonth:
		return int(t.Month), 2
	case fDay:
		return int(t.Day), 2
	case fDayOfYear:
		return ToTime(t).YearDay(), 3
	case fDayOfWeek:
		return int(ToTime(t).Weekday()) + 1, 1
	case fHour24:
		return int(t.Hour), 2
	case fHour12:
		return (int(t.Hour)+11)%12 + 1, 2
	case fMinute:
		return int(t.Minute), 2
	case fSecond:
		return int(t.Second), 2
	case fSecondsOfDay:
		return int(t.Hour)*3600 + int(t.Minute)*60 + int(t.Second), 5
	case fQuarter:
		return (int(t.Month) + 2) / 3, 1
	case fWeek:
		return (ToTime(t).YearDay()-1)/7 + 1, 2
	case fISOWeek:
		_, week := ToTime(t).ISOWeek()
		return week, 2
	case fMonthWeek:
		return (int(t.Day)-1)/7 + 1, 1
	case fISOYear:
		isoYear, _ := ToTime(t).ISOWeek()
		return isoYear % pow10(len(e.text)), len(e.text)
	}
	return 0, 0
}

func pow10(n int) int {
	p := 1
	for range n {
		p *= 10
	}
	return p
}

func (e element) pad(buf []byte, n, width int) []byte {
	s := strconv.Itoa(n)
	if e.fill {
		for range width - len(s) {
			buf = append(buf, '0')
		}
	}
	return append(buf, s...)
}

func (e element) name(t datum.DateTime) string {
	name := dayNames[ToTime(t).Weekday()]
	if e.field == fMon || e.field == fMonthName {
		name = monthNames[t.Month-1]
	}
	if e.field == fMon || e.field == fDy {
		name = name[:3]
	} else if e.fill {
		name += strings.Repeat(" ", 9-len(name))
	}
	return likeCase(name, e.text)
}

func (e element) meridian(t datum.DateTime) string {
	half := "AM"
	if t.Hour >= 12 {
		half = "PM"
	}
	if len(e.text) == 4 {
		half = half[:1] + "." + half[1:] + "."
	}
	return likeCase(half, e.text)
}

func (e element) fraction(buf []byte, t datum.DateTime, precision int) []byte {
	digits := precision
	if e.digits > 0 {
		digits = e.digits
	}
	s := strconv.Itoa(int(t.Nano))
	s = strings.Repeat("0", 9-len(s)) + s
	return append(buf, s[:digits]...)
}

func (e element) zone(buf []byte, offset int16) []byte {
	sign, minutes := byte('+'), int(offset)
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	two := func(n int) { buf = append(buf, byte('0'+n/10), byte('0'+n%10)) }
	switch e.field {
	case fZoneHour:
		buf = append(buf, sign)
		two(minutes / 60)
	case fZoneMinute:
		two(minutes % 60)
	default:
		buf = append(buf, sign)
		two(minutes / 60)
		buf = append(buf, ':')
		two(minutes % 60)
	}
	return buf
}

// OffsetText is +hh:mm.
func OffsetText(offset int16) string {
	return string(element{field: fZoneRegion}.zone(nil, offset))
}
