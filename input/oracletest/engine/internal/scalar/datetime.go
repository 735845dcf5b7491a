package scalar

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// FromTime takes the wall clock of t.
func FromTime(t time.Time) datum.DateTime {
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	if year <= 0 {
		year-- // there is no year 0
	}
	return datum.DateTime{
		Year: int16(year), Month: uint8(month), Day: uint8(day),
		Hour: uint8(hour), Minute: uint8(minute), Second: uint8(second), Nano: uint32(t.Nanosecond()),
	}
}

// ToTime reads a wall clock as UTC.
func ToTime(d datum.DateTime) time.Time {
	year := int(d.Year)
	if year < 0 {
		year++
	}
	return time.Date(year, time.Month(d.Month), int(d.Day), int(d.Hour), int(d.Minute), int(d.Second), int(d.Nano), time.UTC)
}

// Zone makes a TIMESTAMP WITH TIME ZONE of an instant, at an offset in minutes.
func Zone(t time.Time, offset int16) datum.Datum {
	return datum.Datum{Kind: datum.Zoned, Time: FromTime(t.UTC().Add(time.Duration(offset) * time.Minute)), Offset: offset}
}

// Instant is the moment of a zoned value.
func Instant(d datum.Datum) time.Time {
	return ToTime(d.Time).Add(-time.Duration(d.Offset) * time.Minute)
}

// UTC is the wall clock of a zoned value in UTC.
func UTC(d datum.Datum) datum.DateTime {
	if d.Offset == 0 {
		return d.Time
	}
	return FromTime(Instant(d))
}

// Date makes a DATE or TIMESTAMP.
func Date(t datum.DateTime) datum.Datum { return datum.Datum{Kind: datum.Time, Time: t} }

// CheckDate verifies that a wall clock exists and lies in Oracle's range.
func CheckDate(t datum.DateTime) error {
	switch {
	case t.Year == 0 || t.Year < -4712 || t.Year > 9999:
		return wire.Errorf(1841, "(full) year must be between -4713 and +9999, and not be 0")
	case t.Month < 1 || t.Month > 12:
		return wire.Errorf(1843, "not a valid month")
	case t.Day < 1 || t.Day > 31:
		return wire.Errorf(1847, "day of month must be between 1 and last day of month")
	case FromTime(ToTime(datum.DateTime{Year: t.Year, Month: t.Month, Day: t.Day})).Day != t.Day:
		return wire.Errorf(1839, "date not valid for month specified")
	case t.Hour > 23:
		return wire.Errorf(1850, "hour must be between 0 and 23")
	case t.Minute > 59:
		return wire.Errorf(1851, "minutes must be between 0 and 59")
	case t.Second > 59:
		return wire.Errorf(1852, "seconds must be between 0 and 59")
	}
	return nil
}

// RoundFraction rounds to digits of a second.
func RoundFraction(t datum.DateTime, digits int) datum.DateTime {
	unit := uint32(1)
	for range 9 - digits {
		unit *= 10
	}
	if t.Nano%unit == 0 {
		return t
	}
	return FromTime(ToTime(t).Round(time.Duration(unit)))
}
