package decode

import (
	"encoding/binary"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Sizes of the parts of dates and times.
const (
	dateSize     = 7
	fractionSize = 4
	zoneSize     = 2
)

// instant reads the seven bytes of a DATE: century and year of the century with 100 added, month, day, hour, minute and second with 1
// added. Both parts of a year before Christ are below 100.
func instant(b []byte) (value.DateTime, reason) {
	century, year := int16(b[0])-100, int16(b[1])-100
	if century*year < 0 || year < -99 || year > 99 || century < -99 || century > 99 {
		return value.DateTime{}, badDateBytes
	}
	t := value.DateTime{Year: century*100 + year, Month: b[2], Day: b[3], Hour: b[4] - 1, Minute: b[5] - 1, Second: b[6] - 1}
	if !isValid(t) { // a zero less 1 is beyond every field, too
		return t, badDateBytes
	}
	return t, ""
}

// stamp reads a TIMESTAMP: a DATE, and four bytes of nanoseconds unless there are none.
func stamp(t *schema.Type, b []byte) (value.DateTime, reason) {
	if len(b) != dateSize && len(b) != dateSize+fractionSize {
		return value.DateTime{}, badLength
	}
	at, why := instant(b)
	if why != "" || len(b) == dateSize {
		return at, why
	}
	at.Nano = binary.BigEndian.Uint32(b[dateSize:])
	if at.Nano >= 1e9 {
		return at, badDateBytes
	}
	if !hasDigits(at.Nano, t.Scale) {
		return at, badFraction
	}
	return at, ""
}

// hasDigits reports whether nanoseconds are a fraction of no more than so many digits.
func hasDigits(nano uint32, scale int) bool {
	if scale == schema.NoNumber {
		return true
	}
	for range 9 - min(max(scale, 0), 9) {
		if nano%10 != 0 {
			return false
		}
		nano /= 10
	}
	return true
}

// Offsets are stored with these added; a first byte with its highest bit set begins the number of a region.
const (
	zoneHourBias   = 20
	zoneMinuteBias = 60
	maxZoneHour    = 15
)

// zoned reads TIMESTAMP WITH TIME ZONE: the time in UTC and the offset that it was written with.
func zoned(t *schema.Type, b []byte) (value.Value, reason) {
	if len(b) < zoneSize {
		return value.Value{}, badLength
	}
	at, why := stamp(t, b[:len(b)-zoneSize])
	if why != "" {
		return value.Value{}, why
	}
	hours, minutes := int16(b[len(b)-2])-zoneHourBias, int16(b[len(b)-1])-zoneMinuteBias
	if hours < -maxZoneHour || hours > maxZoneHour || minutes < -59 || minutes > 59 || hours*minutes < 0 {
		return value.Value{}, zoneRegion
	}
	offset := hours*60 + minutes
	if why := move(&at, offset); why != "" {
		return value.Value{}, why
	}
	return value.OfZoned(at, offset), ""
}

// local reads TIMESTAMP WITH LOCAL TIME ZONE, which is stored in DBTIMEZONE and published in UTC.
func (r *bytesReader) local(t *schema.Type, b []byte) (value.Value, reason) {
	if !r.settings.ZoneFixed {
		return value.Value{}, noZone
	}
	at, why := stamp(t, b)
	if why == "" {
		why = move(&at, -r.settings.Zone)
	}
	return value.OfZoned(at, 0), why
}

// move adds minutes, less than a day of them. To another day it goes in Oracle's Gregorian calendar only.
func move(t *value.DateTime, minutes int16) reason {
	const day = 24 * 60
	at := int16(t.Hour)*60 + int16(t.Minute) + minutes
	step := int8(0)
	switch {
	case at < 0:
		at, step = at+day, -1
	case at >= day:
		at, step = at-day, 1
	}
	t.Hour, t.Minute = uint8(at/60), uint8(at%60) //nolint:gosec // minutes of a day
	if step == 0 {
		return ""
	}
	next := *t
	if step > 0 {
		next.Day++
	} else {
		next.Day--
	}
	if !isValid(next) {
		next = turned(*t, step)
	}
	if next.Year < gregorian || next.Year > 9999 {
		return zoneShift
	}
	*t = next
	return ""
}

// turned is the first day of the next month or the last of the one before.
func turned(t value.DateTime, step int8) value.DateTime {
	if step > 0 {
		t.Day = 1
		if t.Month++; t.Month > 12 {
			t.Month, t.Year = 1, t.Year+1
		}
		return t
	}
	if t.Month--; t.Month < 1 {
		t.Month, t.Year = 12, t.Year-1
	}
	for t.Day = 31; !isValid(t); t.Day-- {
	}
	return t
}

// Fields of an interval are stored with these added.
const (
	intervalBias      = 1 << 31
	intervalSmallBias = 60
)

// leadingFits compares the leading field of an interval with its declared digits.
func leadingFits(n int64, digits int) bool {
	if digits == schema.NoNumber {
		digits = maxIntervalDigits
	}
	limit := int64(1)
	for range min(max(digits, 0), maxIntervalDigits) {
		limit *= 10
	}
	return n < limit && n > -limit
}

// months reads INTERVAL YEAR TO MONTH; years and months have one sign.
func months(t *schema.Type, b []byte) (value.Value, reason) {
	if len(b) != 5 {
		return value.Value{}, badLength
	}
	years, rest := int64(binary.BigEndian.Uint32(b))-intervalBias, int64(b[4])-intervalSmallBias
	if !leadingFits(years, t.Precision) || rest < -11 || rest > 11 || years > 0 && rest < 0 || years < 0 && rest > 0 {
		return value.Value{}, badFields
	}
	return value.OfMonths(years*12 + rest), ""
}

// duration reads INTERVAL DAY TO SECOND; all fields have one sign.
func duration(t *schema.Type, b []byte) (value.Value, reason) {
	if len(b) != 11 {
		return value.Value{}, badLength
	}
	days := int64(binary.BigEndian.Uint32(b)) - intervalBias
	hours, minutes, seconds := int64(b[4])-intervalSmallBias, int64(b[5])-intervalSmallBias, int64(b[6])-intervalSmallBias
	nanos := int64(binary.BigEndian.Uint32(b[7:])) - intervalBias
	fields := [...]struct{ n, limit int64 }{{hours, 24}, {minutes, 60}, {seconds, 60}, {nanos, 1e9}}
	up, down := days > 0, days < 0
	for _, f := range fields {
		if f.n >= f.limit || f.n <= -f.limit {
			return value.Value{}, badFields
		}
		up, down = up || f.n > 0, down || f.n < 0
	}
	if up && down || !leadingFits(days, t.Precision) {
		return value.Value{}, badFields
	}
	if !hasDigits(uint32(max(nanos, -nanos)), t.Scale) { //nolint:gosec // below 1e9
		return value.Value{}, badFraction
	}
	return value.OfDuration(days*86400+hours*3600+minutes*60+seconds, int32(nanos)), "" //nolint:gosec // below 1e9
}
