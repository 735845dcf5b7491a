package decode

import "strings"

// element is a part of an Oracle date format that is known here.
type element uint8

const (
	signedYear element = iota + 1
	year
	shortYear
	month
	monthName
	day
	hour24
	hour12
	minute
	second
	fraction
	radix
	meridian
	era
	zoneHour
	zoneMinute
)

// parseFormat reads a text by an Oracle date format. Sessions of the product set ISO formats; this is for recordings from
// elsewhere, so it takes formats that name the whole date and refuses what loses it (YY, weeks, day of the year).
func parseFormat(s, format string) (moment, reason) {
	r := formatReader{text: s}
	for format != "" {
		e, n := nextElement(format)
		if e == 0 {
			if !strings.ContainsRune("-/,.;: ", rune(format[0])) {
				return moment{}, badFormat
			}
			if r.text == "" || r.text[0] != format[0] {
				return moment{}, badDate
			}
			r.text, format = r.text[1:], format[1:]
			continue
		}
		if r.seen[e] {
			return moment{}, badFormat
		}
		r.seen[e] = true
		if !r.read(e) {
			return moment{}, badDate
		}
		format = format[n:]
	}
	return r.finish()
}

// nextElement finds the element at the beginning of a format, longest first, in either case.
func nextElement(format string) (element, int) {
	for _, known := range [...]struct {
		text string
		e    element
	}{
		{"SYYYY", signedYear},
		{"YYYY", year},
		{"RRRR", year},
		{"RR", shortYear},
		{"MON", monthName},
		{"MM", month},
		{"MI", minute},
		{"DD", day},
		{"HH24", hour24},
		{"HH12", hour12},
		{"HH", hour12},
		{"SS", second},
		{"FF", fraction},
		{"X", radix},
		{"AM", meridian},
		{"PM", meridian},
		{"BC", era},
		{"AD", era},
		{"TZH", zoneHour},
		{"TZM", zoneMinute},
	} {
		n := len(known.text)
		if len(format) < n || !strings.EqualFold(format[:n], known.text) {
			continue
		}
		if known.e == fraction && len(format) > n && format[n] >= '1' && format[n] <= '9' {
			n++
		}
		return known.e, n
	}
	return 0, 0
}

// formatReader is the state of parseFormat.
type formatReader struct {
	text         string
	at           moment
	hour         uint8
	afternoon    bool
	beforeChrist bool
	west         bool
	zoneH, zoneM uint8
	seen         [zoneMinute + 1]bool
}

func (r *formatReader) read(e element) bool {
	ok := true
	switch e {
	case signedYear:
		negative := strings.HasPrefix(r.text, "-")
		if negative || strings.HasPrefix(r.text, " ") || strings.HasPrefix(r.text, "+") {
			r.text = r.text[1:]
		}
		if ok = r.four(); negative {
			r.at.Year = -r.at.Year
		}
	case year:
		ok = r.four()
	case shortYear:
		var n uint8
		n, ok = r.two()
		r.at.Year = century(n)
	case month:
		r.at.Month, ok = r.two()
	case monthName:
		r.at.Month, ok = r.month()
	case day:
		r.at.Day, ok = r.two()
	case hour24:
		r.at.Hour, ok = r.two()
	case hour12:
		r.hour, ok = r.two()
		ok = ok && r.hour >= 1 && r.hour <= 12
	case minute:
		r.at.Minute, ok = r.two()
	case second:
		r.at.Second, ok = r.two()
	case fraction:
		n := digitsAt(r.text)
		r.at.Nano, ok = nanos(r.text[:n])
		r.text = r.text[n:]
	case radix:
		r.text, ok = strings.CutPrefix(r.text, ".")
	case meridian:
		r.afternoon, ok = r.either("AM", "PM")
	case era:
		r.beforeChrist, ok = r.either("AD", "BC")
	case zoneHour:
		if r.west, ok = r.either("+", "-"); ok {
			r.zoneH, ok = r.two()
		}
	case zoneMinute:
		r.zoneM, ok = r.two()
	}
	return ok
}

// century gives a two-digit year the century that RR gives it in the years 2000 to 2049.
func century(n uint8) int16 {
	if n < 50 {
		return 2000 + int16(n)
	}
	return 1900 + int16(n)
}

func (r *formatReader) two() (uint8, bool) {
	if len(r.text) < 2 || !hasShape(r.text, "00") {
		return 0, false
	}
	n := number2(r.text)
	r.text = r.text[2:]
	return n, true
}

func (r *formatReader) four() bool {
	if len(r.text) < 4 || !hasShape(r.text, "0000") {
		return false
	}
	r.at.Year = int16(number4(r.text))
	r.text = r.text[4:]
	return true
}

// month reads an English month name; the session's NLS_DATE_LANGUAGE is American.
func (r *formatReader) month() (uint8, bool) {
	if len(r.text) < 3 {
		return 0, false
	}
	const names = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
	n := strings.Index(names, strings.ToUpper(r.text[:3]))
	r.text = r.text[3:]
	return uint8(n/3 + 1), n >= 0 && n%3 == 0 //nolint:gosec // below 13
}

// either takes one of two marks and reports whether it was the second.
func (r *formatReader) either(first, other string) (bool, bool) {
	n := len(first)
	if len(r.text) < n {
		return false, false
	}
	mark := r.text[:n]
	r.text = r.text[n:]
	return strings.EqualFold(mark, other), strings.EqualFold(mark, first) || strings.EqualFold(mark, other)
}

// finish puts the parts together.
func (r *formatReader) finish() (moment, reason) {
	if !r.complete() {
		return moment{}, badFormat
	}
	if r.text != "" {
		return moment{}, badDate
	}
	if r.seen[hour12] {
		r.at.Hour = r.hour % 12
		if r.afternoon {
			r.at.Hour += 12
		}
	}
	if r.beforeChrist {
		r.at.Year = -r.at.Year
	}
	if r.seen[zoneHour] {
		r.at.zoned = true
		r.at.offset = int16(r.zoneH)*60 + int16(r.zoneM)
		if r.west {
			r.at.offset = -r.at.offset
		}
	}
	if r.zoneH > 15 || r.zoneM > 59 || !isValid(r.at.DateTime) {
		return moment{}, badDate
	}
	return r.at, ""
}

// complete reports whether the format named one year, one month, the day, and nothing by halves.
func (r *formatReader) complete() bool {
	one := func(elements ...element) bool {
		n := 0
		for _, e := range elements {
			if r.seen[e] {
				n++
			}
		}
		return n == 1
	}
	// A signed year with an era would say the sign twice.
	return one(signedYear, year, shortYear) && (!r.seen[signedYear] || !r.seen[era]) && one(month, monthName) && r.seen[day] &&
		(!r.seen[hour24] || !r.seen[hour12]) && r.seen[hour12] == r.seen[meridian] && r.seen[zoneHour] == r.seen[zoneMinute]
}
