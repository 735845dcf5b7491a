package ttc

import "math/bits"

// maxChunk is the largest chunk of a long value (capability 37 bit 0x20, reference tns-server 2 and 3).
const maxChunk = 0x7FFF

// maxShort is the longest value with a length of one byte.
const maxShort = 252

// appendUB appends a compressed unsigned integer.
func appendUB(dst []byte, v uint64) []byte {
	n := (bits.Len64(v) + 7) / 8
	dst = append(dst, byte(n))
	for shift := 8 * (n - 1); shift >= 0; shift -= 8 {
		dst = append(dst, byte(v>>shift))
	}
	return dst
}

// appendSB appends a compressed signed integer.
func appendSB(dst []byte, v int64) []byte {
	if v >= 0 {
		return appendUB(dst, uint64(v))
	}
	at := len(dst)
	dst = appendUB(dst, uint64(-v))
	dst[at] |= 0x80
	return dst
}

// appendClr appends bytes with a length in front; none are NULL.
func appendClr[T ~[]byte | ~string](dst []byte, b T) []byte {
	if len(b) <= maxShort {
		dst = append(dst, byte(len(b)))
		return append(dst, b...)
	}
	dst = append(dst, clrLong)
	for len(b) > 0 {
		n := min(len(b), maxChunk)
		dst = appendUB(dst, uint64(n))
		dst = append(dst, b[:n]...)
		b = b[n:]
	}
	return append(dst, 0)
}

// appendDlc appends bytes with a total length in front.
func appendDlc(dst []byte, b string) []byte {
	dst = appendUB(dst, uint64(len(b)))
	if b == "" {
		return dst
	}
	return appendClr(dst, b)
}

func appendPair(dst []byte, p Pair) []byte {
	dst = appendDlc(dst, p.Key)
	dst = appendDlc(dst, p.Value)
	return appendUB(dst, uint64(p.Flag))
}

// appendZeros appends n fields of value zero: one byte each, compressed or not.
func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, 0)
	}
	return dst
}
