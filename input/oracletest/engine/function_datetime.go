package engine

import (
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// plainFunction are the functions that are written without parentheses.
func (c *compiler) plainFunction(name string) (*node, bool) {
	s := c.x.settings
	switch name {
	case "SYSDATE":
		return constantNode(scalar.Date(wholeSecond(s.Now)), dateType), true
	case "SYSTIMESTAMP":
		return constantNode(zonedNow(s.Now), zonedType), true
	case "CURRENT_DATE":
		return constantNode(scalar.Date(wholeSecond(inOffset(s.Now, s.Offset))), dateType), true
	case "CURRENT_TIMESTAMP":
		return constantNode(scalar.Zone(s.Now.Truncate(time.Microsecond), s.Offset), zonedType), true
	case "LOCALTIMESTAMP":
		t := datum.Type{Code: datum.TypeTimestamp, Size: 6}
		return constantNode(scalar.Date(scalar.FromTime(inOffset(s.Now.Truncate(time.Microsecond), s.Offset))), t), true
	case "SESSIONTIMEZONE":
		return constantNode(scalar.Text(c.x.session.NLS("TIME_ZONE")), textType(75)), true
	case "DBTIMEZONE":
		return constantNode(scalar.Text(databaseTimeZone), textType(6)), true
	case "USER":
		return constantNode(scalar.Text(c.x.session.User()), textType(128)), true
	case "UID":
		return constantNode(scalar.Int(c.x.session.userID()), numberType), true
	}
	return nil, false
}

// databaseTimeZone is DBTIMEZONE, in which TIMESTAMP WITH LOCAL TIME ZONE is stored.
const databaseTimeZone = "+00:00"

func inOffset(t time.Time, offset int16) time.Time {
	return t.UTC().Add(time.Duration(offset) * time.Minute)
}

func wholeSecond(t time.Time) datum.DateTime {
	d := scalar.FromTime(t)
	d.Nano = 0
	return d
}

// zonedNow is SYSTIMESTAMP: in the zone of the server, in microseconds.
func zonedNow(t time.Time) datum.Datum {
	_, seconds := t.Zone()
	return scalar.Zone(t.Truncate(time.Microsecond), int16(seconds/60))
}

func datetimeFunction(name string) (function, bool) {
	switch name {
	case "ADD_MONTHS":
		return function{2, 2, func(c *compiler, args []*node) (*node, error) {
			args = []*node{c.toDate(args[0]), c.toNumber(args[1])}
			return c.pure(dateType, args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				return addMonths(v[0], v[1].Number, true)
			}), nil
		}}, true
	case "LAST_DAY":
		return function{1, 1, func(c *compiler, args []*node) (*node, error) {
			return c.pure(dateType, []*node{c.toDate(args[0])}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				t := scalar.ToTime(v[0].Time)
				v[0].Time.Day = uint8(t.AddDate(0, 1, -t.Day()).Day())
				return v[0], nil
			}), nil
		}}, true
	case "MONTHS_BETWEEN":
		return function{2, 2, func(c *compiler, args []*node) (*node, error) {
			return c.pure(numberType, []*node{c.toDate(args[0]), c.toDate(args[1])}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				return monthsBetween(scalar.ToTime(v[0].Time), scalar.ToTime(v[1].Time))
			}), nil
		}}, true
	case "NEXT_DAY":
		return function{2, 2, func(c *compiler, args []*node) (*node, error) {
			return c.pure(dateType, []*node{c.toDate(args[0]), c.toText(args[1])}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				day, ok := scalar.Weekday(v[1].Text)
				if !ok {
					return datum.Datum{}, wire.Errorf(1846, "not a valid day of the week")
				}
				t := scalar.ToTime(v[0].Time)
				t = t.AddDate(0, 0, (int(day)-int(t.Weekday())+6)%7+1)
				return scalar.Date(scalar.FromTime(t)), nil
			}), nil
		}}, true
	case "SYS_EXTRACT_UTC":
		return function{1, 1, func(c *compiler, args []*node) (*node, error) {
			t := datum.Type{Code: datum.TypeTimestamp, Size: fractionDigits(args[0].typ)}
			return c.pure(t, []*node{c.to(args[0], zonedType)}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				return scalar.Date(scalar.UTC(v[0])), nil
			}), nil
		}}, true
	case "FROM_TZ":
		return function{2, 2, func(c *compiler, args []*node) (*node, error) {
			t := datum.Type{Code: datum.TypeTimestampTZ, Size: fractionDigits(args[0].typ)}
			return c.pure(t, []*node{args[0], c.toText(args[1])}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
				offset, err := scalar.ParseOffset(v[1].Text)
				return datum.Datum{Kind: datum.Zoned, Time: v[0].Time, Offset: offset}, err
			}), nil
		}}, true
	case "TZ_OFFSET":
		return function{1, 1, func(c *compiler, args []*node) (*node, error) {
			return c.pure(textType(7), c.texts(args), func(f *frame, v []datum.Datum) (datum.Datum, error) {
				offset, err := scalar.ParseOffset(v[0].Text)
				return scalar.Text(scalar.OffsetText(offset)), err
			}), nil
		}}, true
	case "TIMESTAMP_TO_SCN":
		return function{1, 1, buildTimestampToSCN}, true
	case "SCN_TO_TIMESTAMP":
		return function{1, 1, buildSCNToTimestamp}, true
	case "TO_DSINTERVAL":
		return intervalReader(secondsType), true
	case "TO_YMINTERVAL":
		return intervalReader(monthsType), true
	case "NUMTODSINTERVAL":
		return intervalFunction(secondsType, unitSeconds), true
	case "NUMTOYMINTERVAL":
		return intervalFunction(monthsType, map[string]int64{"YEAR": 12, "MONTH": 1}), true
	}
	return function{}, false
}

// monthsBetween counts whole months between equal or last days of a month; else the rest counts as part of 31 days.
func monthsBetween(a, b time.Time) (datum.Datum, error) {
	months := apd.New(int64(12*(a.Year()-b.Year())+int(a.Month())-int(b.Month())), 0)
	last := func(t time.Time) bool { return t.AddDate(0, 0, 1).Day() == 1 }
	if a.Day() == b.Day() || last(a) && last(b) {
		return datum.Datum{Kind: datum.Number, Number: months}, nil
	}
	clock := func(t time.Time) int64 { return int64((t.Hour()*60+t.Minute())*60 + t.Second()) }
	rest := int64(a.Day()-b.Day())*86400 + clock(a) - clock(b)
	part, err := scalar.Arithmetic('/', apd.New(rest, 0), apd.New(31*86400, 0))
	if err != nil {
		return datum.Datum{}, err
	}
	n, err := scalar.Arithmetic('+', months, part)
	return datum.Datum{Kind: datum.Number, Number: n}, err
}

// scnAt is the SCN of a time; a time without zone is in that of the server.
func (s *session) scnAt(d datum.Datum) (redo.SCN, error) {
	moment := scalar.Instant(d)
	if d.Kind == datum.Time {
		t := scalar.ToTime(d.Time)
		moment = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), s.now().Location())
	}
	return s.engine.store.SCNAt(moment)
}

func buildTimestampToSCN(c *compiler, args []*node) (*node, error) {
	if !isDatetime(args[0].typ) {
		args = []*node{c.to(args[0], datum.Type{Code: datum.TypeTimestamp, Size: 9})}
	}
	return strict(numberType, args, func(f *frame, v []datum.Datum) (datum.Datum, error) {
		scn, err := f.x.session.scnAt(v[0])
		return scalar.Uint(uint64(scn)), err
	}), nil
}

func buildSCNToTimestamp(c *compiler, args []*node) (*node, error) {
	t := datum.Type{Code: datum.TypeTimestamp, Size: 9}
	return strict(t, []*node{c.toNumber(args[0])}, func(f *frame, v []datum.Datum) (datum.Datum, error) {
		scn, ok := smallNumber(&v[0])
		if !ok {
			return datum.Datum{}, wire.Errorf(8181, "specified number is not a valid system change number")
		}
		s := f.x.session
		moment, err := s.engine.store.TimeOf(redo.SCN(scn))
		return scalar.Date(scalar.FromTime(moment.In(s.now().Location()))), err
	}), nil
}

func intervalReader(t datum.Type) function {
	return function{1, 1, func(c *compiler, args []*node) (*node, error) {
		return c.pure(t, c.texts(args), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			return scalar.ReadInterval(scalar.Kind(t), v[0].Text)
		}), nil
	}}
}

func intervalFunction(t datum.Type, units map[string]int64) function {
	return function{2, 2, func(c *compiler, args []*node) (*node, error) {
		return c.pure(t, []*node{c.toNumber(args[0]), c.toText(args[1])}, func(f *frame, v []datum.Datum) (datum.Datum, error) {
			factor, ok := units[strings.ToUpper(strings.TrimSpace(v[1].Text))]
			if !ok {
				return datum.Datum{}, wire.Errorf(1760, "illegal argument for function")
			}
			n, err := scalar.Arithmetic('*', v[0].Number, apd.New(factor, 0))
			if err != nil {
				return datum.Datum{}, err
			}
			return f.x.settings.Fit(scalar.Interval(scalar.Kind(t), n), t, &scalar.Target{Type: t})
		}), nil
	}}
}

func fractionDigits(t datum.Type) int {
	switch t.Code {
	case datum.TypeTimestamp, datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		return t.Size
	}
	return 0
}

// buildDateRounding is TRUNC and ROUND of dates.
func buildDateRounding(c *compiler, args []*node, up bool) (*node, error) {
	nodes := []*node{c.toDate(args[0])}
	if len(args) == 2 {
		nodes = append(nodes, c.toText(args[1]))
	}
	return c.pure(dateType, nodes, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		unit := "DD"
		if len(v) == 2 {
			unit = strings.ToUpper(v[1].Text)
		}
		t := scalar.ToTime(v[0].Time)
		low, pivot, high, ok := dateBounds(t, unit)
		if !ok {
			return datum.Datum{}, wire.Errorf(1898, "too many precision specifiers")
		}
		if up && pivot.IsZero() {
			return datum.Datum{}, wire.Errorf(3001, "unimplemented feature: ROUND to %s", unit)
		}
		if up && !t.Before(pivot) {
			low = high
		}
		return scalar.Date(scalar.FromTime(low)), nil
	}), nil
}

// dateBounds gives begin and end of the unit that t lies in, and from where ROUND goes to the end: noon, the 16th, July; zero where
// that is not known.
func dateBounds(t time.Time, unit string) (low, pivot, high time.Time, ok bool) {
	date := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(t.Year(), month, day, hour, minute, 0, 0, time.UTC)
	}
	switch unit {
	case "DD", "DDD", "J":
		low = date(t.Month(), t.Day(), 0, 0)
		return low, low.Add(12 * time.Hour), low.AddDate(0, 0, 1), true
	case "MM", "MON", "MONTH":
		low = date(t.Month(), 1, 0, 0)
		return low, low.AddDate(0, 0, 15), low.AddDate(0, 1, 0), true
	case "Q":
		low = date((t.Month()-1)/3*3+1, 1, 0, 0)
		return low, low.AddDate(0, 1, 15), low.AddDate(0, 3, 0), true
	case "DAY", "DY", "D":
		return weekBounds(date(t.Month(), t.Day()-int(t.Weekday()), 0, 0))
	case "IW":
		return weekBounds(date(t.Month(), t.Day()-(int(t.Weekday())+6)%7, 0, 0))
	case "W":
		return weekBounds(date(t.Month(), t.Day()-(t.Day()-1)%7, 0, 0))
	case "WW":
		return weekBounds(date(t.Month(), t.Day()-(t.YearDay()-1)%7, 0, 0))
	case "IYYY", "IYY", "IY", "I":
		year, _ := t.ISOWeek()
		fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // lies in the first week
		return fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7), pivot, high, true
	case "CC", "SCC":
		low = time.Date((t.Year()-1)/100*100+1, 1, 1, 0, 0, 0, 0, time.UTC)
		return low, low.AddDate(50, 0, 0), low.AddDate(100, 0, 0), t.Year() > 0
	case "SYYYY", "YYYY", "SYEAR", "YEAR", "YYY", "YY", "Y":
		low = date(1, 1, 0, 0)
		return low, low.AddDate(0, 6, 0), low.AddDate(1, 0, 0), true
	case "HH", "HH24", "HH12":
		low = date(t.Month(), t.Day(), t.Hour(), 0)
		return low, low.Add(30 * time.Minute), low.Add(time.Hour), true
	case "MI":
		low = date(t.Month(), t.Day(), t.Hour(), t.Minute())
		return low, low.Add(30 * time.Second), low.Add(time.Minute), true
	}
	return low, low, low, false
}

func weekBounds(first time.Time) (low, pivot, high time.Time, ok bool) {
	return first, first.Add(84 * time.Hour), first.AddDate(0, 0, 7), true
}

func (c *compiler) extract(e *sql.Extract) (*node, error) {
	n, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	if isInterval(n.typ) {
		return c.extractInterval(e, n)
	}
	clock := e.Field == "HOUR" || e.Field == "MINUTE" || e.Field == "SECOND"
	zone := strings.HasPrefix(e.Field, "TIMEZONE")
	if !isDatetime(n.typ) || clock && n.typ.Code == datum.TypeDate || zone && scalar.Kind(n.typ) != datum.Zoned {
		return nil, at(e.Pos(), wire.Errorf(30076, "invalid extract field for extract source"))
	}
	field := e.Field
	return c.pure(numberType, []*node{n}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		return extractField(v[0], field), nil
	}), nil
}

func (c *compiler) extractInterval(e *sql.Extract, n *node) (*node, error) {
	field := e.Field
	if _, ok := scalar.IntervalField(scalar.Interval(scalar.Kind(n.typ), apd.New(0, 0)), field); !ok {
		return nil, at(e.Pos(), wire.Errorf(30076, "invalid extract field for extract source"))
	}
	return c.pure(numberType, []*node{n}, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		d, _ := scalar.IntervalField(v[0], field)
		return d, nil
	}), nil
}

func extractField(d datum.Datum, field string) datum.Datum {
	t := d.Time
	if d.Kind == datum.Zoned {
		t = scalar.UTC(d) // EXTRACT works on the UTC value
	}
	switch field {
	case "YEAR":
		return scalar.Int(int64(t.Year))
	case "MONTH":
		return scalar.Int(int64(t.Month))
	case "DAY":
		return scalar.Int(int64(t.Day))
	case "HOUR":
		return scalar.Int(int64(t.Hour))
	case "MINUTE":
		return scalar.Int(int64(t.Minute))
	case "TIMEZONE_HOUR":
		return scalar.Int(int64(d.Offset / 60))
	case "TIMEZONE_MINUTE":
		return scalar.Int(int64(d.Offset % 60))
	}
	n := apd.New(int64(t.Second)*1_000_000_000+int64(t.Nano), -9)
	scalar.Normalize(n)
	return datum.Datum{Kind: datum.Number, Number: n}
}

func (c *compiler) atTimeZone(e *sql.AtTimeZone) (*node, error) {
	nodes, err := c.exprs([]sql.Expr{e.X, e.Zone})
	if err != nil {
		return nil, err
	}
	if !isDatetime(nodes[0].typ) {
		return nil, at(e.Pos(), wire.Errorf(932, "inconsistent datatypes: expected TIMESTAMP got %s", typeName(nodes[0].typ)))
	}
	t := datum.Type{Code: datum.TypeTimestampTZ, Size: fractionDigits(nodes[0].typ)}
	args := []*node{c.to(nodes[0], t), c.toText(nodes[1])}
	return c.pure(t, args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		offset, err := scalar.ParseOffset(v[1].Text)
		return scalar.Zone(scalar.Instant(v[0]), offset), err
	}), nil
}
