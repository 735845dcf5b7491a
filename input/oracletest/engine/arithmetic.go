package engine

import (
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func (c *compiler) binary(e *sql.Binary) (*node, error) {
	l, err := c.expr(e.L)
	if err != nil {
		return nil, err
	}
	r, err := c.expr(e.R)
	if err != nil {
		return nil, err
	}
	if e.Op == "||" {
		return c.concat(l, r), nil
	}
	n, err := c.arithmetic(e.Op[0], l, r)
	if err != nil {
		return nil, at(e.Pos(), err)
	}
	return fold(c.x, n, l, r), nil
}

func (c *compiler) concat(l, r *node) *node {
	if isLOB(l.typ) || isLOB(r.typ) {
		return c.concatLOB(l, r)
	}
	l, r = c.toText(l), c.toText(r)
	t := textType(l.typ.Size + r.typ.Size)
	if l.typ.Code == 0 {
		t = textType(r.typ.Size)
	}
	procedural := c.procedural != nil
	return fold(c.x, computed(t, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil {
			return a, err
		}
		b, err := r.eval(f)
		switch size := len(a.Text) + len(b.Text); {
		case procedural && size > longVariableSize:
			return a, wire.Errorf(6502, "PL/SQL: numeric or value error%s", valueError(12899))
		case !procedural && size > longTextSize:
			return a, wire.Errorf(1489, "result of string concatenation is too long")
		}
		return scalar.Text(a.Text + b.Text), err
	}), l, r)
}

func (c *compiler) arithmetic(op byte, l, r *node) (*node, error) {
	switch {
	case isDatetime(l.typ) || isDatetime(r.typ) || isInterval(l.typ) || isInterval(r.typ):
		return c.datetimeArithmetic(op, l, r)
	case isLOB(l.typ) || isLOB(r.typ):
		return nil, mismatch(numberType, lobOf(l, r))
	case l.typ.Code == datum.TypeRaw || r.typ.Code == datum.TypeRaw:
		return nil, wire.Errorf(932, "inconsistent datatypes: expected NUMBER got BINARY")
	case scalar.Kind(l.typ) == datum.Float || scalar.Kind(r.typ) == datum.Float:
		t := floatType
		if l.typ.Code != datum.TypeBinaryDouble && r.typ.Code != datum.TypeBinaryDouble {
			t.Code = datum.TypeBinaryFloat
		}
		return c.floatArithmetic(op, c.to(l, t), c.to(r, t), t), nil
	}
	l, r = c.toNumber(l), c.toNumber(r)
	return computed(numberType, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil || a.IsNull() {
			return datum.Datum{}, err
		}
		b, err := r.eval(f)
		if err != nil || b.IsNull() {
			return datum.Datum{}, err
		}
		n, err := scalar.Arithmetic(op, a.Number, b.Number)
		return datum.Datum{Kind: datum.Number, Number: n}, err
	}), nil
}

func (c *compiler) floatArithmetic(op byte, l, r *node, t datum.Type) *node {
	return computed(t, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil || a.IsNull() {
			return datum.Datum{}, err
		}
		b, err := r.eval(f)
		if err != nil || b.IsNull() {
			return datum.Datum{}, err
		}
		switch op {
		case '+':
			a.Float += b.Float
		case '-':
			a.Float -= b.Float
		case '*':
			a.Float *= b.Float
		default:
			a.Float /= b.Float
		}
		if t.Code == datum.TypeBinaryFloat {
			a.Float = float64(float32(a.Float))
		}
		return a, nil
	})
}

// datetimeArithmetic knows date ± days, datetime ± interval, date - date and timestamp - timestamp.
func (c *compiler) datetimeArithmetic(op byte, l, r *node) (*node, error) {
	if op == '+' && (isDatetime(r.typ) || isInterval(r.typ) && !isDatetime(l.typ)) && !isDatetime(l.typ) {
		l, r = r, l
	}
	switch {
	case op == '-' && isDatetime(l.typ) && isDatetime(r.typ):
		return c.difference(l, r), nil
	case (op == '+' || op == '-') && isDatetime(l.typ) && isInterval(r.typ):
		return shift(op, l, r, l.typ), nil
	case (op == '+' || op == '-') && isDatetime(l.typ) && !isDatetime(r.typ):
		return shift(op, c.toDate(l), c.toNumber(r), dateType), nil
	case isInterval(l.typ) && isInterval(r.typ) && l.typ.Code == r.typ.Code && (op == '+' || op == '-'),
		isInterval(l.typ) && !isDatetime(r.typ) && !isInterval(r.typ) && (op == '*' || op == '/'):
		if !isInterval(r.typ) {
			r = c.toNumber(r)
		}
		return intervalArithmetic(op, l, r), nil
	}
	if op == '+' && isDatetime(l.typ) && isDatetime(r.typ) {
		return nil, wire.Errorf(975, "date + date not allowed")
	}
	if op == '*' || op == '/' {
		return nil, wire.Errorf(932, "inconsistent datatypes: expected NUMBER got %s", typeName(l.typ))
	}
	return nil, wire.Errorf(30081, "invalid data type for datetime/interval arithmetic")
}

func intervalArithmetic(op byte, l, r *node) *node {
	t := secondsType
	if l.typ.Code == datum.TypeIntervalYM {
		t = monthsType
	}
	return computed(t, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil || a.IsNull() {
			return a, err
		}
		b, err := r.eval(f)
		if err != nil || b.IsNull() {
			return b, err
		}
		n, err := scalar.Arithmetic(op, a.Number, b.Number)
		if err == nil && a.Kind == datum.IntervalYM {
			n = scalar.RoundTo(n, 0)
		}
		return scalar.Interval(a.Kind, n), err
	})
}

func (c *compiler) difference(l, r *node) *node {
	t := numberType
	if l.typ.Code != datum.TypeDate || r.typ.Code != datum.TypeDate {
		t = secondsType
		t.Size = max(fractionDigits(l.typ), fractionDigits(r.typ))
		wide := widerDatetime(l.typ, r.typ)
		l, r = c.to(l, wide), c.to(r, wide)
	}
	return computed(t, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil || a.IsNull() {
			return a, err
		}
		b, err := r.eval(f)
		if err != nil || b.IsNull() {
			return b, err
		}
		// Not by time.Duration, which ends after 292 years.
		from, to := scalar.Instant(b), scalar.Instant(a)
		if (from.Unix() < gregorian) != (to.Unix() < gregorian) {
			return datum.Datum{}, errGregorian()
		}
		n, err := scalar.Arithmetic('+', apd.New(to.Unix()-from.Unix(), 0), apd.New(int64(to.Nanosecond()-from.Nanosecond()), -9))
		if t != numberType {
			return scalar.Interval(datum.IntervalDS, n), err
		}
		if err == nil {
			n, err = scalar.Arithmetic('/', n, apd.New(86400, 0))
		}
		return datum.Datum{Kind: datum.Number, Number: n}, err
	})
}

// shift adds to a datetime: days, or an interval.
func shift(op byte, l, r *node, t datum.Type) *node {
	return computed(t, func(f *frame) (datum.Datum, error) {
		a, err := l.eval(f)
		if err != nil || a.IsNull() {
			return a, err
		}
		b, err := r.eval(f)
		if err != nil || b.IsNull() {
			return b, err
		}
		n := b.Number
		if op == '-' {
			n = new(apd.Decimal).Neg(n)
		}
		switch r.typ.Code {
		case datum.TypeIntervalYM:
			return addMonths(a, n, false)
		case datum.TypeIntervalDS:
			return addSeconds(a, n, t)
		}
		if n, err = scalar.Arithmetic('*', n, apd.New(86400, 0)); err != nil {
			return a, err
		}
		return addSeconds(a, n, t)
	})
}

func addSeconds(a datum.Datum, seconds *apd.Decimal, t datum.Type) (datum.Datum, error) {
	whole := scalar.TruncTo(seconds, 0)
	rest, err := scalar.Arithmetic('-', seconds, whole)
	if err != nil {
		return a, err
	}
	count, err := whole.Int64()
	if err != nil {
		return a, wire.Errorf(1841, "(full) year must be between -4713 and +9999, and not be 0")
	}
	if rest, err = scalar.Arithmetic('*', rest, apd.New(1_000_000_000, 0)); err != nil {
		return a, err
	}
	nanos, err := scalar.RoundTo(rest, 0).Int64()
	if err != nil {
		return a, err
	}
	moment := time.Unix(scalar.ToTime(a.Time).Unix()+count, int64(a.Time.Nano)).UTC().Add(time.Duration(nanos))
	if t.Code == datum.TypeDate {
		moment = moment.Round(time.Second)
	}
	if (scalar.ToTime(a.Time).Unix() < gregorian) != (moment.Unix() < gregorian) {
		return a, errGregorian()
	}
	a.Time = scalar.FromTime(moment)
	return a, scalar.CheckDate(a.Time)
}

// gregorian is the second at which 15 October 1582 began. Oracle leaves ten days out before it and counts by the Julian calendar; here
// days are counted on one side of it, and not across.
const gregorian = -12219292800

func errGregorian() error {
	return wire.Errorf(3001, "unimplemented feature: counting days across October 1582")
}

// addMonths is ADD_MONTHS: with lastDay the last day of a month leads to the last day of the other.
func addMonths(a datum.Datum, months *apd.Decimal, lastDay bool) (datum.Datum, error) {
	n, err := scalar.TruncTo(months, 0).Int64()
	if err != nil {
		return a, wire.Errorf(1841, "(full) year must be between -4713 and +9999, and not be 0")
	}
	t := scalar.ToTime(a.Time)
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	day := t.Day()
	switch wasLast := t.AddDate(0, 0, 1).Day() == 1; {
	case lastDay && (wasLast || day > last):
		day = last
	case day > last:
		return a, wire.Errorf(1839, "date not valid for month specified")
	}
	a.Time = scalar.FromTime(first.AddDate(0, 0, day-1))
	return a, scalar.CheckDate(a.Time)
}

// unitSeconds are the units of intervals of days and less.
var unitSeconds = map[string]int64{"DAY": 86400, "HOUR": 3600, "MINUTE": 60, "SECOND": 1}

func (c *compiler) interval(e *sql.Interval) (*node, error) {
	d, err := scalar.ParseInterval(e.Text, e.From, e.To, e.Precision)
	if err != nil {
		return nil, at(e.Pos(), err)
	}
	t := datum.Type{Code: datum.TypeIntervalDS, HasPrecision: true, Precision: e.Precision, Size: e.Fraction}
	if d.Kind == datum.IntervalYM {
		t.Code, t.Size = datum.TypeIntervalYM, 0
	} else {
		d.Number = scalar.RoundTo(d.Number, e.Fraction)
	}
	// HOUR(3) may be days, for which two digits are always there.
	t.Precision = max(t.Precision, 2)
	return constantNode(d, t), nil
}
