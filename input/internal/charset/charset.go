package charset

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/sijms/go-ora/v2/converters"
)

// Set is a character set of a database.
type Set struct {
	name string
	form form
	// table gives the character of every byte of a single-byte set, unassigned for one that has none.
	table *[256]rune
}

// form is how characters are written.
type form uint8

const (
	single form = iota
	utf8Form
	cesu8
	utf16BE
)

const unassigned = -1

// Named finds a character set by Oracle's name.
func Named(name string) (*Set, bool) {
	switch name {
	case "AL32UTF8":
		return &Set{name: name, form: utf8Form}, true
	case "UTF8":
		return &Set{name: name, form: cesu8}, true
	case "AL16UTF16":
		return &Set{name: name, form: utf16BE}, true
	}
	id, ok := identifier(name)
	if !ok {
		return nil, false
	}
	return ofTable(name, id)
}

// identifier is what NLS_CHARSET_ID gives for a single-byte set; the driver knows sets by it.
func identifier(name string) (int, bool) {
	for _, known := range [...]struct {
		name string
		id   int
	}{
		{"US7ASCII", 1},
		{"WE8ISO8859P1", 31},
		{"EE8ISO8859P2", 32},
		{"SE8ISO8859P3", 33},
		{"NEE8ISO8859P4", 34},
		{"CL8ISO8859P5", 35},
		{"AR8ISO8859P6", 36},
		{"EL8ISO8859P7", 37},
		{"IW8ISO8859P8", 38},
		{"WE8ISO8859P9", 39},
		{"NE8ISO8859P10", 40},
		{"WE8ISO8859P15", 46},
		{"EE8MSWIN1250", 170},
		{"CL8MSWIN1251", 171},
		{"EL8MSWIN1253", 174},
		{"IW8MSWIN1255", 175},
		{"TR8MSWIN1254", 177},
		{"WE8MSWIN1252", 178},
		{"BLT8MSWIN1257", 179},
	} {
		if known.name == name {
			return known.id, true
		}
	}
	return 0, false
}

// ofTable reads the driver's table. What the driver cannot turn back into the same byte it has put a replacement for.
func ofTable(name string, id int) (*Set, bool) {
	converter := converters.NewStringConverter(id)
	if converter == nil {
		return nil, false
	}
	s := &Set{name: name, table: new([256]rune)}
	for b := range s.table {
		text := converter.Decode([]byte{byte(b)})
		back := converter.Encode(text)
		r, size := utf8.DecodeRuneInString(text)
		s.table[b] = unassigned
		if size == len(text) && (r != utf8.RuneError || size > 1) && len(back) == 1 && int(back[0]) == b {
			s.table[b] = r
		}
	}
	return s, true
}

// Name is Oracle's name of the set.
func (s *Set) Name() string { return s.name }

// Append adds a text in UTF-8 and counts its characters as Oracle does: half of a surrogate pair is one where the set has pairs. It
// is false for bytes that the set does not have; what was added then is of no use.
func (s *Set) Append(dst, raw []byte) (out []byte, characters int, ok bool) {
	switch s.form {
	case utf8Form:
		return append(dst, raw...), utf8.RuneCount(raw), utf8.Valid(raw)
	case cesu8:
		return appendCESU8(dst, raw)
	case utf16BE:
		return appendUTF16(dst, raw)
	default:
		for _, b := range raw {
			r := s.table[b]
			if r == unassigned {
				return dst, 0, false
			}
			dst = utf8.AppendRune(dst, r)
		}
		return dst, len(raw), true
	}
}

func appendUTF16(dst, raw []byte) (out []byte, characters int, ok bool) {
	if len(raw)%2 != 0 {
		return dst, 0, false
	}
	var p pairing
	for i := 0; i < len(raw); i += 2 {
		if dst, ok = p.append(dst, rune(raw[i])<<8|rune(raw[i+1])); !ok {
			return dst, 0, false
		}
	}
	return dst, len(raw) / 2, p.high == 0
}

// appendCESU8 reads UTF-8 whose supplementary characters are pairs of surrogates, each in three bytes.
func appendCESU8(dst, raw []byte) (out []byte, characters int, ok bool) {
	var p pairing
	for ; len(raw) > 0; characters++ {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size <= 1 {
			if r, size = surrogate(raw); size == 0 {
				return dst, 0, false
			}
		}
		if size == utf8.UTFMax {
			return dst, 0, false
		}
		if dst, ok = p.append(dst, r); !ok {
			return dst, 0, false
		}
		raw = raw[size:]
	}
	return dst, characters, p.high == 0
}

// surrogate reads half of a pair: ED A0..BF 80..BF.
func surrogate(raw []byte) (rune, int) {
	if len(raw) < 3 || raw[0] != 0xED || raw[1] < 0xA0 || raw[1] > 0xBF || raw[2] < 0x80 || raw[2] > 0xBF {
		return 0, 0
	}
	return 0xD000 | rune(raw[1]&0x3F)<<6 | rune(raw[2]&0x3F), 3
}

// pairing joins the halves of surrogate pairs.
type pairing struct{ high rune }

func (p *pairing) append(dst []byte, unit rune) ([]byte, bool) {
	switch {
	case p.high != 0:
		r := utf16.DecodeRune(p.high, unit)
		p.high = 0
		if r == utf8.RuneError {
			return dst, false
		}
		return utf8.AppendRune(dst, r), true
	case unit >= 0xD800 && unit < 0xDC00:
		p.high = unit
		return dst, true
	case unit >= 0xDC00 && unit < 0xE000:
		return dst, false
	}
	return utf8.AppendRune(dst, unit), true
}
