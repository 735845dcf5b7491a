package ttc

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// appendUTF16 appends national text, which travels as UTF-16 (charset 2000).
func appendUTF16(dst []byte, s string) []byte {
	for _, r := range s {
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			dst = binary.BigEndian.AppendUint16(dst, uint16(high))
			dst = binary.BigEndian.AppendUint16(dst, uint16(low))
			continue
		}
		dst = binary.BigEndian.AppendUint16(dst, uint16(r))
	}
	return dst
}

// EncodeUTF16 is a text in UTF-16, big-endian.
func EncodeUTF16(s string) []byte { return appendUTF16(make([]byte, 0, 2*len(s)), s) }

// DecodeUTF16 is the text of bytes in UTF-16, big-endian. A half at the end is dropped.
func DecodeUTF16(b []byte) string {
	var text strings.Builder
	text.Grow(len(b) / 2)
	for len(b) > 1 {
		r := rune(binary.BigEndian.Uint16(b))
		b = b[2:]
		if utf16.IsSurrogate(r) && len(b) > 1 {
			if pair := utf16.DecodeRune(r, rune(binary.BigEndian.Uint16(b))); pair != utf8.RuneError {
				r = pair
				b = b[2:]
			}
		}
		text.WriteRune(r)
	}
	return text.String()
}

// appendNational appends national text with its length in front.
func appendNational(dst []byte, s string) []byte {
	if 4*len(s) > maxShort { // the common case needs no buffer of its own
		return appendClr(dst, appendUTF16(nil, s))
	}
	at := len(dst)
	dst = appendUTF16(append(dst, 0), s)
	dst[at] = byte(len(dst) - at - 1)
	return dst
}

// decodeText reads the text of a bind.
func decodeText(b []byte, d *Descriptor) (string, error) {
	if d.Form != FormNational && d.Charset != CharsetUTF16 {
		return strings.ToValidUTF8(string(b), string(utf8.RuneError)), nil
	}
	if len(b)&1 != 0 {
		return "", errors.New("odd number of bytes of UTF-16")
	}
	return DecodeUTF16(b), nil
}
