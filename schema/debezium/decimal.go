package debezium

import (
	"encoding/binary"
	"errors"
	"math/big"
	"math/bits"
	"strings"
)

var (
	errNotDecimal = errors.New("number is not plain decimal digits")
	errScale      = errors.New("number has more digits after the point than its column")
	errPrecision  = errors.New("number has more digits than its column")
)

// digitBuffer has room for every NUMBER of 38 digits at a positive scale that a column can have.
const digitBuffer = 168

// unscaled writes the digits of text times 10^scale into buf, without leading zeros ("0" for zero). Digits that the scale
// has no place for must be zeros.
func unscaled(buf []byte, text string, scale int) (digits []byte, negative bool, err error) {
	negative = strings.HasPrefix(text, "-")
	if negative {
		text = text[1:]
	}
	whole, fraction := text, ""
	if point := strings.IndexByte(text, '.'); point >= 0 {
		whole, fraction = text[:point], text[point+1:]
	}
	if whole == "" {
		return nil, false, errNotDecimal
	}
	kept, dropped := fraction, ""
	if scale >= 0 && len(fraction) > scale {
		kept, dropped = fraction[:scale], fraction[scale:]
	}
	rounded := ""
	if scale < 0 {
		kept, dropped = "", fraction
		at := max(0, len(whole)+scale)
		whole, rounded = whole[:at], whole[at:]
	}
	digits = buf[:0]
	for _, part := range [2]string{whole, kept} {
		for i := range len(part) {
			c := part[i]
			if c < '0' || c > '9' {
				return nil, false, errNotDecimal
			}
			if c != '0' || len(digits) > 0 {
				digits = append(digits, c)
			}
		}
	}
	if err := zeros(rounded); err != nil {
		return nil, false, err
	}
	if err := zeros(dropped); err != nil {
		return nil, false, err
	}
	if len(digits) == 0 {
		return append(digits, '0'), false, nil
	}
	for range scale - len(kept) {
		digits = append(digits, '0')
	}
	return digits, negative, nil
}

func zeros(s string) error {
	for i := range len(s) {
		switch c := s[i]; {
		case c < '0' || c > '9':
			return errNotDecimal
		case c != '0':
			return errScale
		}
	}
	return nil
}

// isWhole reports digits that a JSON number takes as they are, with a minus or without.
func isWhole(text string) (digits int, ok bool) {
	digits = len(text)
	for i := range len(text) {
		c := text[i]
		if c == '-' && i == 0 {
			digits--
			continue
		}
		// A leading zero is for the long way, which knows what is left of it.
		if c < '0' || c > '9' || c == '0' && digits+i == len(text) {
			return 0, false
		}
	}
	return digits, digits > 0
}

// appendInteger appends a NUMBER without fraction as a JSON number.
func appendInteger(dst []byte, text string, s shape) ([]byte, error) {
	if digits, ok := isWhole(text); ok && s.scale == 0 && digits <= s.precision {
		return append(dst, text...), nil
	}
	var buf [digitBuffer]byte
	digits, negative, err := unscaled(buf[:], text, s.scale)
	if err != nil {
		return dst, err
	}
	if len(digits) > s.precision {
		return dst, errPrecision
	}
	if negative {
		dst = append(dst, '-')
	}
	dst = append(dst, digits...)
	if digits[0] != '0' {
		for range -s.scale {
			dst = append(dst, '0')
		}
	}
	return dst, nil
}

// powers are the powers of ten that int64 holds.
var powers = [...]int64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

// small is text times 10^scale where that plainly fits 18 digits: the short way of most numbers. What it does not take, wrong text
// included, is judged by unscaled.
func small(text string, scale int) (n int64, ok bool) {
	const most = 18
	if len(text) > most || scale < 0 {
		return 0, false
	}
	digits := text
	negative := text != "" && text[0] == '-'
	if negative {
		digits = text[1:]
	}
	point := len(digits)
	for i := range len(digits) {
		switch c := digits[i]; {
		case c >= '0' && c <= '9':
			n = n*10 + int64(c-'0')
		case c == '.' && point == len(digits):
			point = i
		default:
			return 0, false
		}
	}
	left := scale - max(0, len(digits)-point-1)
	if point == 0 || left < 0 || len(digits)+left > most {
		return 0, false
	}
	n *= powers[left]
	if negative {
		n = -n
	}
	return n, true
}

// appendSmall is appendUnscaled of an integer of 64 bits.
func appendSmall(dst []byte, n int64) []byte {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	// The bits that are not the sign's, and one for the sign.
	width := bits.Len64(uint64(n^n>>63))/8 + 1
	return appendBase64(dst, b[len(b)-width:])
}

// appendScaled appends a NUMBER as the base64 of its unscaled value at the column's scale.
func appendScaled(dst []byte, text string, s shape) ([]byte, error) {
	if n, ok := small(text, s.scale); ok && (s.precision == 0 || s.precision >= len(powers) || n < powers[s.precision] && n > -powers[s.precision]) {
		return appendSmall(dst, n), nil
	}
	var buf [digitBuffer]byte
	digits, negative, err := unscaled(buf[:], text, s.scale)
	if err != nil {
		return dst, err
	}
	if s.precision > 0 && len(digits) > s.precision {
		return dst, errPrecision
	}
	return appendUnscaled(dst, digits, negative), nil
}

// appendVariable appends a NUMBER with the scale that it needs, 0 for whole numbers: a value has one form, whatever zeros
// its source wrote (P6).
func appendVariable(dst []byte, text string) ([]byte, error) {
	scale := 0
	if point := strings.IndexByte(text, '.'); point >= 0 {
		scale = len(strings.TrimRight(text[point+1:], "0"))
	}
	start := len(dst)
	dst = append(dst, `{"scale":`...)
	dst = appendInt(dst, int64(scale))
	dst = append(dst, `,"value":`...)
	if n, ok := small(text, scale); ok {
		return append(appendSmall(dst, n), '}'), nil
	}
	var buf [digitBuffer]byte
	digits, negative, err := unscaled(buf[:], text, scale)
	if err != nil {
		return dst[:start], err
	}
	return append(appendUnscaled(dst, digits, negative), '}'), nil
}

// appendUnscaled appends the base64 of an integer as minimal big-endian two's complement.
func appendUnscaled(dst, digits []byte, negative bool) []byte {
	// 38 digits are below 2^127.
	const most = 38
	if len(digits) > most {
		return appendBase64(dst, wideComplement(digits, negative))
	}
	var hi, lo uint64
	for len(digits) > 0 {
		n := min(len(digits), 19)
		chunk, power := uint64(0), uint64(1)
		for _, c := range digits[:n] {
			chunk, power = chunk*10+uint64(c-'0'), power*10
		}
		carryHi, low := bits.Mul64(lo, power)
		low, carry := bits.Add64(low, chunk, 0)
		hi, lo = hi*power+carryHi+carry, low
		digits = digits[n:]
	}
	if negative {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], hi)
	binary.BigEndian.PutUint64(b[8:], lo)
	return appendBase64(dst, minimal(b[:]))
}

// minimal cuts the bytes that only repeat the sign.
func minimal(b []byte) []byte {
	for len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		b = b[1:]
	}
	return b
}

// wideComplement is two's complement for integers beyond 128 bits, which only NUMBER without precision holds.
func wideComplement(digits []byte, negative bool) []byte {
	x, _ := new(big.Int).SetString(string(digits), 10)
	width := x.BitLen()/8 + 1
	if negative {
		x.Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*width)), x)
	}
	return minimal(x.FillBytes(make([]byte, width)))
}
