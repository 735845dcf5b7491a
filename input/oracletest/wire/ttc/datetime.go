package ttc

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Lengths of the date types on the wire (reference tns-server 8).
const (
	lengthDate        = 7
	lengthTimestamp   = 11
	lengthTimestampTZ = 13
)

// Zone bytes: hours and minutes with a bias. Hours with the high bit set name a region.
const (
	zoneHourBias   = 20
	zoneMinuteBias = 60
	zoneRegion     = 0x80
)

var errDateTime = errors.New("not a date")

// appendDate appends the seven bytes of a DATE. The year counts like Oracle's, which has no year 0.
func appendDate(dst []byte, t datum.DateTime) []byte {
	return append(dst, byte(int(t.Year)/100+100), byte(int(t.Year)%100+100),
		t.Month, t.Day, t.Hour+1, t.Minute+1, t.Second+1)
}

// appendTimestamp appends a TIMESTAMP, which is as short as a DATE if it has no fraction.
func appendTimestamp(dst []byte, t datum.DateTime) []byte {
	dst = appendDate(dst, t)
	if t.Nano == 0 {
		return dst
	}
	return binary.BigEndian.AppendUint32(dst, t.Nano)
}

// appendTimestampTZ appends a TIMESTAMP WITH TIME ZONE: the time in UTC, always with its fraction, and the
// offset.
func appendTimestampTZ(dst []byte, t datum.DateTime, offset int16) []byte {
	t = shift(t, -offset)
	dst = appendDate(dst, t)
	dst = binary.BigEndian.AppendUint32(dst, t.Nano)
	return append(dst, byte(offset/60+zoneHourBias), byte(offset%60+zoneMinuteBias))
}

// shift moves a calendar time by minutes.
func shift(t datum.DateTime, minutes int16) datum.DateTime {
	if minutes == 0 {
		return t
	}
	year := int(t.Year)
	if year < 0 {
		year++ // the calendar of package time has a year 0
	}
	moved := time.Date(year, time.Month(t.Month), int(t.Day), int(t.Hour), int(t.Minute)+int(minutes),
		int(t.Second), 0, time.UTC)
	year = moved.Year()
	if year <= 0 {
		year--
	}
	return datum.DateTime{
		Year: int16(year), Month: uint8(moved.Month()), Day: uint8(moved.Day()),
		Hour: uint8(moved.Hour()), Minute: uint8(moved.Minute()), Second: uint8(moved.Second()), Nano: t.Nano,
	}
}

// decodeDateTime reads a DATE or TIMESTAMP.
func decodeDateTime(b []byte) (datum.DateTime, error) {
	if len(b) != lengthDate && len(b) != lengthTimestamp {
		return datum.DateTime{}, errDateTime
	}
	t := datum.DateTime{
		Year:  int16((int(b[0])-100)*100 + int(b[1]) - 100),
		Month: b[2], Day: b[3], Hour: b[4] - 1, Minute: b[5] - 1, Second: b[6] - 1,
	}
	if len(b) == lengthTimestamp {
		t.Nano = binary.BigEndian.Uint32(b[lengthDate:])
	}
	if !valid(t) {
		return datum.DateTime{}, errDateTime
	}
	return t, nil
}

func valid(t datum.DateTime) bool {
	return t.Year >= -4712 && t.Year <= 9999 && t.Year != 0 &&
		t.Month >= 1 && t.Month <= 12 && t.Day >= 1 && t.Day <= 31 &&
		t.Hour < 24 && t.Minute < 60 && t.Second < 60 && t.Nano < 1e9
}

// errRegion says that a bind names a time zone region this server has no rules for.
var errRegion = errors.New("time zone region in a bind")

// zeroRegion reports whether a region is one of those without an offset. Names of one region share the lower
// nine bits of their number (seen with go-ora: 1 is Etc/GMT, 28 Etc/UTC, 541 UCT, 5121 UTC).
func zeroRegion(id int) bool {
	switch id & 0x1FF {
	case 1, 28, 29:
		return true
	default:
		return false
	}
}

// decodeZoned reads a TIMESTAMP WITH TIME ZONE; one without the zone bytes is in UTC.
func decodeZoned(b []byte) (datum.DateTime, int16, error) {
	if len(b) != lengthTimestampTZ {
		t, err := decodeDateTime(b)
		return t, 0, err
	}
	t, err := decodeDateTime(b[:lengthTimestamp])
	if err != nil {
		return t, 0, err
	}
	if b[11]&zoneRegion != 0 {
		if !zeroRegion(int(b[11]&^zoneRegion)<<6 | int(b[12])>>2) {
			return t, 0, errRegion
		}
		return t, 0, nil
	}
	offset := (int16(b[11])-zoneHourBias)*60 + int16(b[12]) - zoneMinuteBias
	if offset < -15*60 || offset > 15*60 {
		return t, 0, errDateTime
	}
	return shift(t, offset), offset, nil
}
