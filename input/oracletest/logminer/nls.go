package logminer

import (
	"strconv"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
)

// nls holds the session settings that shape literals (reference logminer A.6).
type nls struct {
	date, timestamp, timestampTZ dateFormat
	point                        byte // decimal character
	zone                         *time.Location
}

func sessionNLS(caller engine.Caller) (*nls, error) {
	setting := func(name, value string) string {
		if s := caller.NLS(name); s != "" {
			return s
		}
		return value
	}
	n := &nls{point: setting("NLS_NUMERIC_CHARACTERS", ".,")[0], zone: parseZone(caller.NLS("TIME_ZONE"))}
	for _, f := range []struct {
		to         *dateFormat
		name, text string
	}{
		{&n.date, "NLS_DATE_FORMAT", "DD-MON-RR"},
		{&n.timestamp, "NLS_TIMESTAMP_FORMAT", "DD-MON-RR HH.MI.SSXFF AM"},
		{&n.timestampTZ, "NLS_TIMESTAMP_TZ_FORMAT", "DD-MON-RR HH.MI.SSXFF AM TZR"},
	} {
		var err error
		if *f.to, err = parseDateFormat(setting(f.name, f.text)); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// fixedNLS are the formats of STRING_LITERALS_IN_STMT, which no session setting changes (reference logminer A.2); that the functions
// around the literals stay is inferred. The session's zone is no format: it stays.
func fixedNLS(zone *time.Location) (*nls, error) {
	n := &nls{point: '.', zone: zone}
	for to, text := range map[*dateFormat]string{
		&n.date: "YYYY-MM-DD HH24:MI:SS", &n.timestamp: "YYYY-MM-DD HH24:MI:SS.FF9", &n.timestampTZ: "YYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM",
	} {
		var err error
		if *to, err = parseDateFormat(text); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// parseZone reads a session TIME_ZONE: an offset such as +02:00 or a region. What it does not know is UTC.
func parseZone(name string) *time.Location {
	if sign := strings.IndexAny(name, "+-"); sign == 0 {
		hours, minutes, _ := strings.Cut(name[1:], ":")
		h, errH := strconv.Atoi(hours)
		m, errM := strconv.Atoi(minutes)
		if errH == nil && errM == nil {
			offset := (h*60 + m) * 60
			if name[0] == '-' {
				offset = -offset
			}
			return time.FixedZone(name, offset)
		}
	}
	if zone, err := time.LoadLocation(name); err == nil && name != "" {
		return zone
	}
	return time.UTC
}

// shift moves a zoned wall clock to another zone.
func shift(d *datum.Datum, zone *time.Location) datum.DateTime {
	t := d.Time
	instant := time.Date(int(t.Year), time.Month(t.Month), int(t.Day), int(t.Hour), int(t.Minute)-int(d.Offset), int(t.Second),
		int(t.Nano), time.UTC).In(zone)
	year, month, day := instant.Date()
	hour, minute, second := instant.Clock()
	return datum.DateTime{
		Year: int16(year), Month: uint8(month), Day: uint8(day),
		Hour: uint8(hour), Minute: uint8(minute), Second: uint8(second), Nano: t.Nano,
	}
}
