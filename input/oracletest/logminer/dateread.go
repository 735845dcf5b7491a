package logminer

import (
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// dateText is what of a text is not read yet.
type dateText string

// digits takes up to n digits off the text; ok is false if there is none.
func (t *dateText) digits(n int) (value int, ok bool) {
	s := string(*t)
	i := 0
	for i < len(s) && i < n && s[i] >= '0' && s[i] <= '9' {
		value = value*10 + int(s[i]-'0')
		i++
	}
	*t = dateText(s[i:])
	return value, i > 0
}

func (t *dateText) word(w string) bool {
	s := string(*t)
	if len(s) < len(w) || !strings.EqualFold(s[:len(w)], w) {
		return false
	}
	*t = dateText(s[len(w):])
	return true
}

func errNoMatch() error { return wire.Errorf(1861, "literal does not match format string") }

// read takes a DATE from a text, as the conversion of an argument does. What the text leaves out at its end is the first of it.
func (f *dateFormat) read(text string) (datum.DateTime, error) {
	d := datum.DateTime{Year: 1, Month: 1, Day: 1}
	rest := dateText(strings.TrimSpace(text))
	half := ""
	for _, e := range f.elements {
		if rest == "" {
			break
		}
		if err := readElement(&d, &rest, &half, e); err != nil {
			return d, err
		}
	}
	if rest != "" {
		return d, wire.Errorf(1830, "date format picture ends before converting entire input string")
	}
	switch {
	case half == "PM" && d.Hour < 12:
		d.Hour += 12
	case half == "AM" && d.Hour == 12:
		d.Hour = 0
	}
	at := time.Date(int(d.Year), time.Month(d.Month), int(d.Day), 0, 0, 0, 0, time.UTC)
	switch {
	case d.Month < 1 || d.Month > 12:
		return d, wire.Errorf(1843, "not a valid month")
	case at.Day() != int(d.Day):
		return d, wire.Errorf(1847, "day of month must be between 1 and last day of month")
	case d.Hour > 23:
		return d, wire.Errorf(1850, "hour must be between 0 and 23")
	case d.Minute > 59:
		return d, wire.Errorf(1851, "minutes must be between 0 and 59")
	case d.Second > 59:
		return d, wire.Errorf(1852, "seconds must be between 0 and 59")
	}
	return d, nil
}

// readElement reads one element.
func readElement(d *datum.DateTime, rest *dateText, half *string, e element) error {
	small := map[string]*uint8{"MM": &d.Month, "DD": &d.Day, "HH24": &d.Hour, "HH12": &d.Hour, "HH": &d.Hour, "MI": &d.Minute, "SS": &d.Second}
	switch e.name {
	case "":
		if !rest.word(e.literal) {
			return errNoMatch()
		}
	case "SYYYY", "YYYY", "RRRR", "RR", "YY":
		year, ok := rest.digits(4)
		switch {
		case !ok:
			return errNoMatch()
		case year < 50 && strings.HasPrefix(e.name, "RR"), year < 100 && e.name == "YY":
			year += 2000
		case year < 100 && strings.HasPrefix(e.name, "RR"):
			year += 1900
		}
		d.Year = int16(year)
	case "MON", "MONTH":
		for i, name := range months {
			if rest.word(name) || rest.word(name[:3]) {
				d.Month = uint8(i + 1)
				return nil
			}
		}
		return wire.Errorf(1843, "not a valid month")
	case "AM", "PM", "A.M.", "P.M.":
		for _, name := range []string{"AM", "PM", "A.M.", "P.M."} {
			if rest.word(name) {
				*half = strings.ReplaceAll(name, ".", "")
				return nil
			}
		}
		return wire.Errorf(1855, "AM/A.M. or PM/P.M. required")
	default:
		to, known := small[e.name]
		if !known {
			return wire.Errorf(1821, "date format not recognized")
		}
		value, ok := rest.digits(2)
		if !ok {
			return errNoMatch()
		}
		*to = uint8(value)
	}
	return nil
}
