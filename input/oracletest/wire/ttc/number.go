package ttc

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/apd/v3"
)

// NUMBER on the wire: an exponent byte and base-100 digits (reference tns-server 8).
const (
	numberZero      = 0x80
	numberBias      = 193
	numberEnd       = 102 // behind the digits of a negative number with fewer than maxMantissa
	maxMantissa     = 20
	minNumberPower  = -65
	maxNumberPower  = 62
	maxUint64Digits = 10 // base-100 digits of the largest uint64
)

var errNumber = errors.New("not a NUMBER")

// appendNumber appends the bytes of a NUMBER without their length. The value must fit 20 base-100 digits
// and the range of a NUMBER: rounding is the database's task.
func appendNumber(dst []byte, d *apd.Decimal) ([]byte, error) {
	if d == nil || d.Form != apd.Finite {
		return dst, errNumber
	}
	var digits [maxMantissa]byte
	n, power, err := mantissa(&digits, d)
	if err != nil {
		return dst, err
	}
	if n == 0 {
		return append(dst, numberZero), nil
	}
	if power < minNumberPower || power > maxNumberPower {
		return dst, fmt.Errorf("NUMBER out of range: %d base-100 digits in front of the point", power+1)
	}
	if !d.Negative {
		dst = append(dst, byte(numberBias+power))
		for _, c := range digits[:n] {
			dst = append(dst, c+1)
		}
		return dst, nil
	}
	dst = append(dst, ^byte(numberBias+power))
	for _, c := range digits[:n] {
		dst = append(dst, 101-c)
	}
	if n < maxMantissa {
		dst = append(dst, numberEnd)
	}
	return dst, nil
}

// mantissa fills digits with the base-100 digits of the value, without zeros at either end, and returns
// their number and the power of 100 of the first one. No digits are zero.
func mantissa(digits *[maxMantissa]byte, d *apd.Decimal) (n, power int, err error) {
	exponent := int(d.Exponent)
	if c := d.Coeff.Uint64(); d.Coeff.IsUint64() && (exponent&1 == 0 || c <= (1<<64-1)/10) {
		if exponent&1 != 0 {
			c *= 10
			exponent--
		}
		n, power = mantissa64(digits, c, exponent)
		return n, power, nil
	}
	return mantissaText(digits, d.Coeff.Append(nil, 10), exponent)
}

func mantissa64(digits *[maxMantissa]byte, c uint64, exponent int) (n, power int) {
	if c == 0 {
		return 0, 0
	}
	for c%100 == 0 {
		c /= 100
		exponent += 2
	}
	var reversed [maxUint64Digits]byte
	for c > 0 {
		reversed[n] = byte(c % 100)
		c /= 100
		n++
	}
	for i := range n {
		digits[i] = reversed[n-1-i]
	}
	return n, exponent/2 + n - 1
}

func mantissaText(digits *[maxMantissa]byte, text []byte, exponent int) (n, power int, err error) {
	if exponent&1 != 0 {
		text = append(text, '0')
		exponent--
	}
	if len(text)&1 != 0 {
		text = append([]byte{'0'}, text...)
	}
	power = exponent/2 + len(text)/2 - 1
	for len(text) > 0 && text[len(text)-1] == '0' && text[len(text)-2] == '0' {
		text = text[:len(text)-2]
	}
	if len(text) > 2*maxMantissa {
		return 0, 0, fmt.Errorf("NUMBER with more than %d digits", 2*maxMantissa)
	}
	for ; len(text) > 0; text = text[2:] {
		digits[n] = 10*(text[0]-'0') + text[1] - '0'
		n++
	}
	return n, power, nil
}

// decodeNumber reads the bytes of a NUMBER.
func decodeNumber(b []byte) (*apd.Decimal, error) {
	if len(b) == 0 || len(b) > maxMantissa+2 {
		return nil, errNumber
	}
	if b[0] == numberZero && len(b) == 1 {
		return new(apd.Decimal), nil
	}
	negative := b[0]&0x80 == 0
	power := int(b[0]) - numberBias
	digits := b[1:]
	if negative {
		power = int(^b[0]) - numberBias
		if n := len(digits); n > 0 && digits[n-1] == numberEnd {
			digits = digits[:n-1]
		}
	}
	if len(digits) == 0 || len(digits) > maxMantissa {
		return nil, errNumber
	}
	d := &apd.Decimal{Negative: negative, Exponent: int32(2 * (power - len(digits) + 1))}
	text := make([]byte, 0, 2*maxMantissa)
	for _, c := range digits {
		v := int(c) - 1
		if negative {
			v = 101 - int(c)
		}
		if v < 0 || v > 99 {
			return nil, errNumber
		}
		text = append(text, byte('0'+v/10), byte('0'+v%10))
	}
	if text[0] == '0' && text[1] == '0' { // a zero in front has no place; one behind does no harm
		return nil, errNumber
	}
	if _, ok := d.Coeff.SetString(string(text), 10); !ok {
		return nil, errNumber
	}
	d.Reduce(d)
	// Whole numbers keep no positive exponent: 100 is 100, not 1E+2.
	if d.Exponent > 0 {
		d.Coeff.Mul(&d.Coeff, pow10(d.Exponent))
		d.Exponent = 0
	}
	return d, nil
}

func pow10(n int32) *apd.BigInt {
	return new(apd.BigInt).Exp(apd.NewBigInt(10), apd.NewBigInt(int64(n)), nil)
}
