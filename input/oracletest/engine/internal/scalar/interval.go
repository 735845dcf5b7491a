package scalar

import (
	"fmt"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Interval makes an interval of months or of seconds.
func Interval(kind datum.Kind, n *apd.Decimal) datum.Datum { return datum.Datum{Kind: kind, Number: n} }

// intervalPart is a field of an interval, the largest first.
type intervalPart struct {
	name  string
	units int64 // months or seconds
	limit int64 // of the field behind another one
}

var (
	yearMonth = []intervalPart{{"YEAR", 12, 0}, {"MONTH", 1, 12}}
	daySecond = []intervalPart{{"DAY", 86400, 0}, {"HOUR", 3600, 24}, {"MINUTE", 60, 60}, {"SECOND", 1, 60}}
)

func errInterval() error { return wire.Errorf(1867, "the interval is invalid") }

func errLeading() error {
	return wire.Errorf(1873, "the leading precision of the interval is too small")
}

// intervalParts lists the fields from one to another; to may be empty. kind says which intervals have them.
func intervalParts(from, to string) (list []intervalPart, kind datum.Kind, ok bool) {
	if to == "" {
		to = from
	}
	for kind, all := range map[datum.Kind][]intervalPart{datum.IntervalYM: yearMonth, datum.IntervalDS: daySecond} {
		first, last := -1, -1
		for i, f := range all {
			if f.name == from {
				first = i
			}
			if f.name == to {
				last = i
			}
		}
		if first >= 0 && last >= first {
			return all[first : last+1], kind, true
		}
	}
	return nil, datum.Null, false
}

// ParseInterval reads the text of an interval literal with the fields from to to, and at most precision digits in the first.
func ParseInterval(text, from, to string, precision int) (datum.Datum, error) {
	list, kind, ok := intervalParts(from, to)
	if !ok {
		return datum.Datum{}, wire.Errorf(30089, "missing or invalid <datetime field>")
	}
	text = strings.TrimSpace(text)
	negative := strings.HasPrefix(text, "-")
	text = strings.TrimLeft(text, "+-")
	total := new(apd.Decimal)
	for i, f := range list {
		part := text
		if i < len(list)-1 {
			var found bool
			if part, text, found = strings.Cut(text, separator(f.name)); !found {
				return datum.Datum{}, errInterval()
			}
		}
		n, err := f.parse(part, i > 0)
		if err != nil {
			return datum.Datum{}, err
		}
		if i == 0 && leading(n) >= int64(precision) && n.Coeff.Sign() != 0 {
			return datum.Datum{}, errLeading()
		}
		if n, err = Arithmetic('*', n, apd.New(f.units, 0)); err == nil {
			total, err = Arithmetic('+', total, n)
		}
		if err != nil {
			return datum.Datum{}, errInterval()
		}
	}
	if negative && total.Coeff.Sign() != 0 {
		total = new(apd.Decimal).Neg(total)
	}
	return Interval(kind, total), nil
}

func separator(name string) string {
	switch name {
	case "YEAR":
		return "-"
	case "DAY":
		return " "
	}
	return ":"
}

// parse reads one field: digits, and a fraction in SECOND.
func (f intervalPart) parse(text string, behind bool) (*apd.Decimal, error) {
	whole, fraction, cut := strings.Cut(text, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" || cut && (f.name != "SECOND" || len(fraction) > 9) {
		return nil, errInterval()
	}
	n, err := ParseNumber(text, '.')
	if err != nil {
		return nil, errInterval()
	}
	if behind && CompareNumbers(n, apd.New(f.limit, 0)) >= 0 {
		return nil, errInterval()
	}
	return n, nil
}

// ReadInterval is TO_YMINTERVAL and TO_DSINTERVAL: 'years-months', 'days hours:minutes:seconds'.
func ReadInterval(kind datum.Kind, text string) (datum.Datum, error) {
	if kind == datum.IntervalYM {
		return ParseInterval(text, "YEAR", "MONTH", 9)
	}
	return ParseInterval(text, "DAY", "SECOND", 9)
}

// parts splits the size of an interval into its fields, and the fraction of the seconds in nanoseconds.
func parts(d datum.Datum) (list []int64, nanos int64) {
	whole := TruncTo(d.Number, 0)
	rest := new(apd.Decimal)
	// Both numbers are within the digits of a NUMBER.
	_, _ = apd.BaseContext.WithPrecision(60).Sub(rest, d.Number, whole)
	rest.Exponent += 9
	nanos, _ = TruncTo(rest, 0).Int64()
	n, _ := whole.Int64()
	if n < 0 {
		n = -n
	}
	if nanos < 0 {
		nanos = -nanos
	}
	all := daySecond
	if d.Kind == datum.IntervalYM {
		all = yearMonth
	}
	for _, f := range all {
		list = append(list, n/f.units)
		n %= f.units
	}
	return list, nanos
}

// IntervalField is EXTRACT from an interval; the fields of a negative one are negative.
func IntervalField(d datum.Datum, name string) (datum.Datum, bool) {
	all := daySecond
	if d.Kind == datum.IntervalYM {
		all = yearMonth
	}
	list, nanos := parts(d)
	for i, f := range all {
		if f.name != name {
			continue
		}
		n := apd.New(list[i], 0)
		if name == "SECOND" {
			n = apd.New(list[i]*1_000_000_000+nanos, -9)
		}
		n.Negative = d.Number.Negative && n.Coeff.Sign() != 0
		Normalize(n)
		return datum.Datum{Kind: datum.Number, Number: n}, true
	}
	return datum.Datum{}, false
}

// IntervalText is TO_CHAR of an interval of type t.
func IntervalText(d datum.Datum, t datum.Type) string {
	sign := "+"
	if d.Number.Negative {
		sign = "-"
	}
	list, nanos := parts(d)
	if d.Kind == datum.IntervalYM {
		return fmt.Sprintf("%s%0*d-%02d", sign, t.Precision, list[0], list[1])
	}
	text := fmt.Sprintf("%s%0*d %02d:%02d:%02d", sign, t.Precision, list[0], list[1], list[2], list[3])
	if t.Size > 0 {
		text += "." + fmt.Sprintf("%09d", nanos)[:t.Size]
	}
	return text
}

// fitInterval rounds the fraction of the seconds and checks the digits of the leading field.
func fitInterval(d datum.Datum, to *Target) (datum.Datum, error) {
	if d.Kind == datum.IntervalDS {
		d.Number = RoundTo(d.Number, to.Type.Size)
	} else {
		d.Number = RoundTo(d.Number, 0)
	}
	list, _ := parts(d)
	limit := int64(1)
	for range to.Type.Precision {
		limit *= 10
	}
	if list[0] >= limit {
		return d, errLeading()
	}
	return d, nil
}
