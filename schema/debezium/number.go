package debezium

import "math/bits"

// pairs are the numbers from 00 to 99.
const pairs = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// appendUint is strconv.AppendUint in base 10, written straight into dst: a record has some twenty numbers, and the copy that strconv
// makes of each is a tenth of the time a record takes.
func appendUint(dst []byte, n uint64) []byte {
	if n < 10 {
		return append(dst, '0'+byte(n))
	}
	if n < 100 {
		return append(dst, pairs[n*2], pairs[n*2+1])
	}
	const most = 20
	if cap(dst)-len(dst) < most {
		dst = append(dst, make([]byte, most)...)[:len(dst)]
	}
	digits := bits.Len64(n) * 1233 >> 12
	if digits < len(powers) && n >= uint64(powers[digits]) || digits == len(powers) && n >= 1e19 {
		digits++
	}
	out := dst[len(dst) : len(dst)+digits]
	at := len(out)
	for n >= 100 {
		pair := n % 100 * 2
		n /= 100
		at -= 2
		out[at], out[at+1] = pairs[pair], pairs[pair+1]
	}
	if n >= 10 {
		out[0], out[1] = pairs[n*2], pairs[n*2+1]
	} else {
		out[0] = '0' + byte(n)
	}
	return dst[:len(dst)+digits]
}

// appendInt is appendUint with a sign.
func appendInt(dst []byte, n int64) []byte {
	if n < 0 {
		return appendUint(append(dst, '-'), magnitude(n))
	}
	return appendUint(dst, uint64(n))
}
