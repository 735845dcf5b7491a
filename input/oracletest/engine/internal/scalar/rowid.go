package scalar

import (
	"encoding/binary"
	"strings"
)

const rowIDAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// RowID writes the 18 characters of a ROWID: 6 object, 3 file, 6 block, 3 row (reference logminer B.3).
func RowID(object, file, block, row uint32) string {
	var b [18]byte
	put := func(from, width int, v uint32) {
		for i := from + width - 1; i >= from; i-- {
			b[i] = rowIDAlphabet[v&63]
			v >>= 6
		}
	}
	put(0, 6, object)
	put(6, 3, file)
	put(9, 6, block)
	put(15, 3, row)
	return string(b[:])
}

// ParseRowID is the inverse of RowID; ok is false for another text.
func ParseRowID(s string) (object, file, block, row uint32, ok bool) {
	if len(s) != 18 {
		return 0, 0, 0, 0, false
	}
	get := func(part string) (v uint32) {
		for i := range len(part) {
			n := rowIDDigit(part[i])
			if n < 0 {
				ok = false
			}
			v = v<<6 | uint32(n&63)
		}
		return v
	}
	ok = true
	object, file, block, row = get(s[:6]), get(s[6:9]), get(s[9:15]), get(s[15:])
	return object, file, block, row, ok
}

func rowIDDigit(c byte) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return int(c - 'A')
	case c >= 'a' && c <= 'z':
		return int(c-'a') + 26
	case c >= '0' && c <= '9':
		return int(c-'0') + 52
	case c == '+':
		return 62
	case c == '/':
		return 63
	}
	return -1
}

// compareRowIDs orders by object, file, block and row, which is not the order of the characters.
func compareRowIDs(a, b string) int {
	var x, y [rowIDKey]byte
	return strings.Compare(string(appendRowIDKey(x[:0], a)), string(appendRowIDKey(y[:0], b)))
}

// rowIDKey is how many bytes the key of a physical ROWID has.
const rowIDKey = 16

// appendRowIDKey appends bytes that order as ROWIDs do.
func appendRowIDKey(dst []byte, text string) []byte {
	object, file, block, row, ok := ParseRowID(text)
	if !ok {
		return appendBytesKey(append(dst, 0xfe), text) // of another kind: behind those of heaps
	}
	dst = binary.BigEndian.AppendUint32(dst, object)
	dst = binary.BigEndian.AppendUint32(dst, file)
	dst = binary.BigEndian.AppendUint32(dst, block)
	return binary.BigEndian.AppendUint32(dst, row)
}

// ReadRowIDKey reads what AppendKey has made of a ROWID, or a bound in front of or behind it: what is missing is 0, and a part behind all
// others is higher than any ROWID has.
func ReadRowIDKey(key []byte) (object, file, block, row uint32) {
	if len(key) == 0 {
		return 0, 0, 0, 0
	}
	if key[0] != keyValue {
		return 1<<32 - 1, 0, 0, 0
	}
	key = key[1:]
	part := func() uint32 {
		var b [4]byte
		n := copy(b[:], key)
		key = key[n:]
		return binary.BigEndian.Uint32(b[:])
	}
	object, file, block, row = part(), part(), part(), part()
	if len(key) > 0 {
		row++
	}
	return object, file, block, row
}
