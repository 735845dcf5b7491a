package debezium

import (
	"bytes"
	"math"
	"strconv"
)

// appendFloat appends a floating point number in Java's shortest form (reference debezium-format 1.4): plain from 1e-3 up
// to 1e7, with an exponent outside, at least one digit after the point; NaN and the infinities as strings. bits is 32
// or 64.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	}
	abs := math.Abs(f)
	start := len(dst)
	if abs == 0 || abs >= 1e-3 && abs < 1e7 {
		dst = strconv.AppendFloat(dst, f, 'f', -1, bits)
		if bytes.IndexByte(dst[start:], '.') < 0 {
			dst = append(dst, '.', '0')
		}
		return dst
	}
	var buf [32]byte
	digits := twoDigits(strconv.AppendFloat(buf[:0], f, 'E', -1, bits), f, bits)
	at := bytes.IndexByte(digits, 'E')
	dst = append(dst, digits[:at]...)
	if bytes.IndexByte(digits[:at], '.') < 0 {
		dst = append(dst, '.', '0')
	}
	dst = append(dst, 'E')
	exponent := digits[at+1:]
	if exponent[0] == '-' {
		dst = append(dst, '-')
	}
	exponent = exponent[1:]
	if exponent[0] == '0' {
		exponent = exponent[1:]
	}
	return append(dst, exponent...)
}

// twoDigits: Java prefers two digits to one where both read back to the value and two are nearer, as 4.9E-324 is; that
// happens only to subnormal numbers, whose neighbours are far away.
func twoDigits(shortest []byte, f float64, bits int) []byte {
	smallestNormal := 0x1p-1022
	if bits == 32 {
		smallestNormal = 0x1p-126
	}
	if math.Abs(f) >= smallestNormal || bytes.IndexByte(shortest, '.') >= 0 {
		return shortest
	}
	longer := strconv.AppendFloat(nil, f, 'E', 1, bits)
	back, err := strconv.ParseFloat(string(longer), bits)
	if err != nil || back != f {
		return shortest
	}
	return longer
}
