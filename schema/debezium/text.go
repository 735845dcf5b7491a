package debezium

import (
	"errors"
	"unicode/utf8"
)

var errNotUTF8 = errors.New("text is not valid UTF-8")

// appendText appends a JSON string as Connect's JSON converter writes it (reference debezium-format 1.5): quotes,
// backslashes, control characters and characters outside the basic plane are escaped, everything else is raw UTF-8.
func appendText(dst []byte, s string) ([]byte, error) {
	dst = append(dst, '"')
	start := 0
	for i := 0; ; {
		// Most text needs nothing done and is copied as a whole.
		for i+8 <= len(s) && marked(eight(s[i:])) == 0 {
			i += 8
		}
		if i >= len(s) {
			break
		}
		c := s[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				dst = append(dst, s[start:i]...)
				dst = appendEscaped(dst, c)
				start = i + 1
			}
			i++
			continue
		}
		if c >= 0xC2 && c < 0xE0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80 {
			i += 2 // a valid character of two bytes
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return dst, errNotUTF8
		}
		if size == utf8.UTFMax {
			dst = append(dst, s[start:i]...)
			dst = appendSurrogates(dst, r)
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"'), nil
}

// eight gives the first eight bytes of a text as a number.
func eight(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// marked looks at eight bytes at once. It is zero if none of them is a quote, a backslash, a control character or beyond ASCII:
// subtracting from a byte that is too small borrows into its high bit. A borrow also reaches the byte above, which can only mark one
// that is plain.
func marked(w uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	return (w | (w - ' '*ones) | ((w ^ '"'*ones) - ones) | ((w ^ '\\'*ones) - ones)) & high
}

const upperHex = "0123456789ABCDEF"

func appendEscaped(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\t':
		return append(dst, '\\', 't')
	case '\n':
		return append(dst, '\\', 'n')
	case '\f':
		return append(dst, '\\', 'f')
	case '\r':
		return append(dst, '\\', 'r')
	}
	return appendUnit(dst, rune(c))
}

func appendSurrogates(dst []byte, r rune) []byte {
	r -= 0x10000
	dst = appendUnit(dst, 0xD800+r>>10)
	return appendUnit(dst, 0xDC00+r&0x3FF)
}

func appendUnit(dst []byte, u rune) []byte {
	return append(dst, '\\', 'u', upperHex[u>>12&15], upperHex[u>>8&15], upperHex[u>>4&15], upperHex[u&15])
}

// appendBase64 appends a JSON string of padded standard base64.
func appendBase64[T string | []byte](dst []byte, src T) []byte {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	dst = append(dst, '"')
	i := 0
	for ; i+3 <= len(src); i += 3 {
		n := uint(src[i])<<16 | uint(src[i+1])<<8 | uint(src[i+2])
		dst = append(dst, digits[n>>18], digits[n>>12&63], digits[n>>6&63], digits[n&63])
	}
	switch len(src) - i {
	case 1:
		n := uint(src[i]) << 16
		dst = append(dst, digits[n>>18], digits[n>>12&63], '=', '=')
	case 2:
		n := uint(src[i])<<16 | uint(src[i+1])<<8
		dst = append(dst, digits[n>>18], digits[n>>12&63], digits[n>>6&63], '=')
	}
	return append(dst, '"')
}
