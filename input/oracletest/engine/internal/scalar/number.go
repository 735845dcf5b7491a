package scalar

import (
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// wide computes with more digits than a NUMBER holds; round cuts to what Oracle keeps.
func wide() *apd.Context {
	return &apd.Context{Precision: 80, MaxExponent: 1000, MinExponent: -1000, Rounding: apd.RoundHalfUp}
}

// Largest and smallest exponents of the leading digit of a NUMBER.
const (
	maxExponent = 125
	minExponent = -130
)

// Int makes a NUMBER of an integer.
func Int(n int64) datum.Datum { return datum.Datum{Kind: datum.Number, Number: apd.New(n, 0)} }

// Uint makes a NUMBER of an unsigned integer.
func Uint(n uint64) datum.Datum {
	d := new(apd.Decimal)
	d.Coeff.SetUint64(n)
	return datum.Datum{Kind: datum.Number, Number: d}
}

// Text makes a text value; the empty string is NULL.
func Text(s string) datum.Datum {
	if s == "" {
		return datum.Datum{}
	}
	return datum.Datum{Kind: datum.Text, Text: s}
}

// leading is the decimal exponent of the first digit.
func leading(d *apd.Decimal) int64 { return d.NumDigits() + int64(d.Exponent) - 1 }

// Round brings d to what a NUMBER keeps: 20 base-100 digits, so 40 decimal digits or 39 when the first base-100 digit
// is below 10. It works in place and normalises.
func Round(d *apd.Decimal) error {
	if d.Form != apd.Finite {
		return wire.Errorf(1426, "numeric overflow")
	}
	if d.Coeff.Sign() != 0 {
		limit := int64(39)
		if leading(d)%2 != 0 {
			limit = 40
		}
		if d.NumDigits() > limit {
			if _, err := wide().WithPrecision(uint32(limit)).Round(d, d); err != nil {
				return wire.Errorf(1426, "numeric overflow")
			}
		}
		switch exp := leading(d); {
		case exp > maxExponent:
			return wire.Errorf(1426, "numeric overflow")
		case exp < minExponent:
			d.SetInt64(0)
		}
	}
	Normalize(d)
	return nil
}

// Normalize gives equal numbers equal fields, in place: no exponent above zero, no trailing zeros behind the point.
func Normalize(d *apd.Decimal) {
	switch {
	case d.Coeff.Sign() == 0:
		d.SetInt64(0)
	case d.Exponent > 0:
		var ten, factor, exp apd.BigInt
		factor.Exp(ten.SetInt64(10), exp.SetInt64(int64(d.Exponent)), nil)
		d.Coeff.Mul(&d.Coeff, &factor)
		d.Exponent = 0
	case d.Exponent < 0 && d.Coeff.IsUint64():
		c := d.Coeff.Uint64()
		for d.Exponent < 0 && c%10 == 0 {
			c /= 10
			d.Exponent++
		}
		d.Coeff.SetUint64(c)
	case d.Exponent < 0:
		var q, r, ten apd.BigInt
		ten.SetInt64(10)
		for d.Exponent < 0 {
			if q.QuoRem(&d.Coeff, &ten, &r); r.Sign() != 0 {
				break
			}
			d.Coeff.Set(&q)
			d.Exponent++
		}
	}
}

// Arithmetic computes a op b for two NUMBERs; op is one of + - * /.
func Arithmetic(op byte, a, b *apd.Decimal) (*apd.Decimal, error) {
	d := new(apd.Decimal)
	var err error
	switch op {
	case '+':
		_, err = wide().Add(d, a, b)
	case '-':
		_, err = wide().Sub(d, a, b)
	case '*':
		_, err = wide().Mul(d, a, b)
	default:
		if b.IsZero() {
			return nil, wire.Errorf(1476, "divisor is equal to zero")
		}
		_, err = wide().Quo(d, a, b)
	}
	if err != nil {
		return nil, wire.Errorf(1426, "numeric overflow")
	}
	return d, Round(d)
}

// Mod is Oracle's MOD: the sign follows a, and MOD(a, 0) is a.
func Mod(a, b *apd.Decimal) (*apd.Decimal, error) {
	if b.IsZero() {
		return a, nil
	}
	d := new(apd.Decimal)
	if _, err := wide().WithPrecision(300).Rem(d, a, b); err != nil {
		return nil, wire.Errorf(1426, "numeric overflow")
	}
	return d, Round(d)
}

// RoundTo rounds to digits behind the point, half away from zero; digits may be negative.
func RoundTo(a *apd.Decimal, digits int) *apd.Decimal { return quantize(a, digits, apd.RoundHalfUp) }

// TruncTo cuts behind digits.
func TruncTo(a *apd.Decimal, digits int) *apd.Decimal { return quantize(a, digits, apd.RoundDown) }

// Floor and Ceil.
func Floor(a *apd.Decimal) *apd.Decimal { return beyond(a, -1) }

// Ceil is the smallest integer not below a.
func Ceil(a *apd.Decimal) *apd.Decimal { return beyond(a, 1) }

// beyond is a without its fraction, one further in direction if the fraction pointed there. apd's own rounding to floor and ceiling takes a
// number whose first digit is behind the second place (0.002) for zero.
func beyond(a *apd.Decimal, direction int64) *apd.Decimal {
	whole := TruncTo(a, 0)
	if a.Cmp(whole) != int(direction) {
		return whole
	}
	next := new(apd.Decimal)
	if _, err := wide().WithPrecision(400).Add(next, whole, apd.New(direction, 0)); err != nil {
		return whole
	}
	return next
}

func quantize(a *apd.Decimal, digits int, rounding apd.Rounder) *apd.Decimal {
	if int(a.Exponent) >= -digits {
		return a
	}
	c := wide()
	c.Precision = 400
	c.Rounding = rounding
	d := new(apd.Decimal)
	if _, err := c.Quantize(d, a, int32(-digits)); err != nil {
		return a
	}
	Normalize(d)
	return d
}

// ParseNumber reads a number as Oracle's implicit conversion does; failure is ORA-01722.
func ParseNumber(text string, decimal byte) (*apd.Decimal, error) {
	s := strings.TrimSpace(text)
	if decimal != '.' && decimal != 0 {
		if strings.IndexByte(s, '.') >= 0 {
			return nil, errNumber()
		}
		s = strings.Replace(s, string(decimal), ".", 1)
	}
	if !isNumber(s) {
		return nil, errNumber()
	}
	d, _, err := wide().NewFromString(s)
	if err != nil {
		return nil, errNumber()
	}
	return d, Round(d)
}

func errNumber() error { return wire.Errorf(1722, "invalid number") }

// isNumber keeps out what apd reads beyond Oracle: NaN, Infinity, underscores.
func isNumber(s string) bool {
	digits := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c == '.', c == '+', c == '-':
		case (c == 'e' || c == 'E') && digits > 0:
		default:
			return false
		}
	}
	return digits > 0
}

// NumberText is TO_CHAR of a number without a format: no zero in front of the point, scientific form beyond 40 characters.
func NumberText(d *apd.Decimal, decimal byte) string {
	if exp := leading(d); exp < 40 && exp > -41 {
		s := d.Text('f')
		switch {
		case strings.HasPrefix(s, "0."):
			s = s[1:]
		case strings.HasPrefix(s, "-0."):
			s = "-" + s[2:]
		}
		if decimal != '.' && decimal != 0 {
			s = strings.Replace(s, ".", string(decimal), 1)
		}
		if digits := strings.Trim(s, "-"); len(digits) <= 40 || len(digits) == 41 && d.Exponent < 0 {
			return s
		}
	}
	return scientific(d, decimal)
}

func scientific(d *apd.Decimal, decimal byte) string {
	r := new(apd.Decimal)
	if _, err := wide().WithPrecision(34).Round(r, d); err != nil {
		return d.Text('E')
	}
	Normalize(r)
	digits := strings.TrimRight(r.Coeff.String(), "0")
	if len(digits) == 1 {
		digits += "0"
	}
	if decimal == 0 {
		decimal = '.'
	}
	exp, sign := leading(r), "+"
	if exp < 0 {
		exp, sign = -exp, "-"
	}
	text := digits[:1] + string(decimal) + digits[1:] + "E" + sign
	if exp < 10 {
		text += "0"
	}
	text += apd.New(exp, 0).Text('f')
	if r.Negative {
		text = "-" + text
	}
	return text
}

// CompareNumbers orders two NUMBERs.
func CompareNumbers(a, b *apd.Decimal) int {
	if a.Exponent == b.Exponent && !a.Negative && !b.Negative && a.Coeff.IsUint64() && b.Coeff.IsUint64() {
		x, y := a.Coeff.Uint64(), b.Coeff.Uint64()
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	}
	return a.Cmp(b)
}

// Clone copies a number, so that the copy can be changed.
func Clone(d *apd.Decimal) *apd.Decimal { return new(apd.Decimal).Set(d) }
