package ttc

import (
	"encoding/binary"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// LocatorSize is the length of a LOB locator in bytes.
const LocatorSize = 40

// Flags of a locator that clients look at (reference tns-server 9), and those that say what the LOB is.
const (
	locatorKind     = 4 // offset of the kind
	locatorBlob     = 0x01
	locatorClob     = 0x02
	locatorNational = 0x04
	locatorState    = 5
	locatorInit     = 0x08
	locatorCharset  = 6
	// locatorWide: character data travels as UTF-16.
	locatorWide      = 0x80
	locatorDuration  = 7
	locatorTemporary = 0x01
	locatorKey       = 20
)

// Locator is what a client holds of a LOB. It may send back one that it changed: only the key counts.
type Locator [LocatorSize]byte

// NewLocator makes the locator of a LOB of the type.
func NewLocator(key uint32, t datum.Type, temporary bool) Locator {
	var l Locator
	binary.BigEndian.PutUint16(l[:], LocatorSize-2)
	binary.BigEndian.PutUint16(l[2:], 1) // version
	l[locatorState] = locatorInit
	switch {
	case t.Code == datum.TypeBlob:
		l[locatorKind] = locatorBlob
	case t.National:
		l[locatorKind] = locatorNational
		l[locatorCharset] = locatorWide
	default:
		l[locatorKind] = locatorClob
		l[locatorCharset] = locatorWide
	}
	if temporary {
		l[locatorDuration] = locatorTemporary
	}
	binary.BigEndian.PutUint32(l[locatorKey:], key)
	return l
}

// LocatorKey is the key in a locator that a client sent; 0 is none.
func LocatorKey(locator []byte) uint32 {
	if len(locator) < locatorKey+4 {
		return 0
	}
	return binary.BigEndian.Uint32(locator[locatorKey:])
}

// Widened is the locator in so many bytes, of which the first say how many they are: the answer to a client
// that made room for a longer one, as Oracle's JDBC driver does.
func (l *Locator) Widened(n int) []byte {
	wide := make([]byte, max(n, LocatorSize))
	copy(wide, l[:])
	binary.BigEndian.PutUint16(wide, uint16(len(wide)-2))
	return wide
}

// NextLocator splits the first of several locators off.
func NextLocator(locators []byte) (first, rest []byte) {
	if len(locators) < 2 {
		return locators, nil
	}
	n := min(max(int(binary.BigEndian.Uint16(locators))+2, LocatorSize), len(locators))
	return locators[:n], locators[n:]
}

// LobForm says how a LOB value stands in a row, which its define decides (reference tns-server 9). The third
// form, all of the value as a LONG, is a type of its own.
type LobForm struct {
	// Sized puts length and chunk size in front of the locator.
	Sized bool
	// Prefetch is how much of the value comes with it, in characters or bytes; 0 is nothing.
	Prefetch int
}

// IsLob reports whether values of the type are sent with a locator.
func IsLob(t datum.Type) bool { return t.Code == datum.TypeClob || t.Code == datum.TypeBlob }

// AppendLob appends a LOB value of a column or OUT bind.
func AppendLob(dst []byte, t *datum.Type, v *datum.Datum, form LobForm, locator *Locator) ([]byte, error) {
	switch {
	case v.Kind == datum.Null:
		return append(dst, 0), nil
	case t.Code == datum.TypeClob && v.Kind != datum.Clob && v.Kind != datum.Text,
		t.Code == datum.TypeBlob && v.Kind != datum.Blob && v.Kind != datum.Raw:
		return dst, unfit(t, v, "no such LOB")
	}
	dst = appendUB(dst, LocatorSize)
	if form.Sized {
		dst = appendUB(dst, uint64(LobLength(v)))
		dst = appendUB(dst, LobChunkSize)
		if form.Prefetch > 0 {
			dst = appendPrefetch(dst, t, v, form.Prefetch)
		}
	}
	return appendClr(dst, locator[:]), nil
}

// LobChunkSize is the chunk size of every LOB: what a block of 8 KB holds.
const LobChunkSize = 8132

func appendPrefetch(dst []byte, t *datum.Type, v *datum.Datum, limit int) []byte {
	if t.Code == datum.TypeBlob {
		return appendClr(dst, v.Raw[:min(limit, len(v.Raw))])
	}
	_, form := charset(*t)
	dst = append(dst, 1) // the charset follows
	dst = appendUB(dst, CharsetUTF16)
	dst = append(dst, byte(form))
	return appendClr(dst, EncodeUTF16(textPrefix(v.Text, limit)))
}

// LobLength is the length of a LOB value as clients count it: bytes, or characters of two bytes.
func LobLength(v *datum.Datum) int {
	if v.Kind == datum.Blob || v.Kind == datum.Raw {
		return len(v.Raw)
	}
	n := 0
	for _, r := range v.Text {
		n += unitsOf(r)
	}
	return n
}

// textPrefix is the start of a text with at most so many characters of two bytes.
func textPrefix(s string, limit int) string {
	n := 0
	for i, r := range s {
		if n += unitsOf(r); n > limit {
			return s[:i]
		}
	}
	return s
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
