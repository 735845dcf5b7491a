package debezium

import (
	"crypto/md5"  //nolint:gosec // Debezium's masks may use it; nobody trusts its strength here
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Mask hides the values of text columns in rows; record keys are not masked. One of With, Characters and Hash is set.
type Mask struct {
	Match naming.Pattern
	// With is written for every value, NULL too.
	With string
	// Characters is the number of asterisks written for every value, NULL too.
	Characters int
	// Hash is the digest written for every value but NULL, in hexadecimal and cut to the length of the column.
	Hash Digest
	Salt string
	// Version of the digest's input: 2 is salt and value in UTF-8, 1 salt and value as Java serialises a string.
	Version int
}

// Truncation cuts text and bytes of rows; record keys are not cut.
type Truncation struct {
	Match naming.Pattern
	// Length is the greatest length, in UTF-16 units of text, of which none is halved, or in bytes.
	Length int
}

// propagates reports whether the type of a column goes into its schema.
func (s *Settings) propagates(t schema.Table, column string) bool {
	for _, p := range s.Propagate {
		if p.MatchColumn(t, column) {
			return true
		}
	}
	return false
}

// masks reports whether the values of a column are hidden.
func (s *Settings) masks(t schema.Table, column string) bool {
	for i := range s.Masks {
		if s.Masks[i].Match.MatchColumn(t, column) {
			return true
		}
	}
	return false
}

// sourceParameters gives type, length and scale of a column as schema parameters, in upper case and where they are known (reference
// debezium-format 13). The length of a number is its precision.
func sourceParameters(t schema.Type) []string {
	const prefix = "__debezium.source.column."
	out := []string{prefix + "type", strings.ToUpper(t.Name)}
	length := widest(t)
	if t.Precision != schema.NoNumber && (t.Kind == schema.Number || t.Kind == schema.Float) {
		length = t.Precision
	}
	if length > 0 {
		out = append(out, prefix+"length", strconv.Itoa(length))
	}
	if t.Scale != schema.NoNumber {
		out = append(out, prefix+"scale", strconv.Itoa(t.Scale))
	}
	return out
}

// Digest names a hash function as Java does.
type Digest string

// Digests lists what Mask.Hash may be.
func Digests() []string { return []string{"SHA-256", "SHA-384", "SHA-512", "SHA-1", "MD5"} }

func (d Digest) hash() (func() hash.Hash, bool) {
	switch d {
	case "SHA-256":
		return sha256.New, true
	case "SHA-384":
		return sha512.New384, true
	case "SHA-512":
		return sha512.New, true
	case "SHA-1":
		return sha1.New, true
	case "MD5":
		return md5.New, true
	default:
		return nil, false
	}
}

// Validate says what is wrong with a mask.
func (m *Mask) Validate() error {
	set := 0
	for _, is := range [...]bool{m.With != "", m.Characters != 0, m.Hash != ""} {
		if is {
			set++
		}
	}
	_, known := m.Hash.hash()
	switch {
	case set != 1:
		return errors.New("a mask has one of with, characters and hash")
	case m.Characters < 0:
		return errors.New("characters must be at least 1")
	case m.Hash != "" && !known:
		return fmt.Errorf("hash %q is none of %s", m.Hash, strings.Join(Digests(), ", "))
	case m.Hash != "" && m.Version != 1 && m.Version != 2:
		return fmt.Errorf("version of a hash is 1 or 2, not %d", m.Version)
	}
	return nil
}

// treatment is what is done to the values of a field before they are written.
type treatment struct {
	// form is that of the column without the treatment.
	form form
	// length is that of a truncated value, or of the digest in hexadecimal; 0: no limit.
	length int
	// hash, salt and version are those of a digest.
	hash    func() hash.Hash
	salt    string
	version int
}

var errMaskedType = errors.New("columns.mask matches a column that holds no text, which cannot be masked: name text columns alone there, " +
	"and take others away with columns.exclude")

// treat gives a field of the row the first treatment that matches its column, masks before truncations.
func (f *field) treat(s *Settings, t schema.Table, c *schema.Column) error {
	for i := range s.Masks {
		if m := &s.Masks[i]; m.Match.MatchColumn(t, c.Name) {
			return f.mask(m, c)
		}
	}
	for i := range s.Truncations {
		cut := &s.Truncations[i]
		if !cut.Match.MatchColumn(t, c.Name) {
			continue
		}
		if longest := widest(c.Type); (f.kind == value.Text || f.kind == value.Bytes) && (longest == 0 || longest > cut.Length) {
			f.treatment = &treatment{form: f.form, length: cut.Length}
			f.form = truncated
		}
		return nil
	}
	return nil
}

func (f *field) mask(m *Mask, c *schema.Column) error {
	if err := m.Validate(); err != nil {
		return err
	}
	if f.kind != value.Text {
		return errMaskedType
	}
	f.treatment = &treatment{form: f.form}
	f.def, f.null = "", "null" // a default may be a value that the mask hides
	if m.Hash != "" {
		f.treatment.hash, _ = m.Hash.hash()
		f.treatment.salt, f.treatment.version, f.treatment.length = m.Salt, m.Version, widest(c.Type)
		f.form = hashed
		return nil
	}
	text := m.With
	if text == "" {
		text = strings.Repeat("*", m.Characters)
	}
	literal, err := appendText(nil, text)
	f.form, f.unavailable = masked, string(literal)
	if isLOB(c.Type.Kind) {
		f.absent = f.unavailable
	}
	return err
}

// widest is the length that a column allows, in characters of text or bytes; 0: none that counts.
func widest(t schema.Type) int {
	switch t.Kind {
	case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar:
		if t.CharLength > 0 {
			return t.CharLength
		}
		return t.Length
	case schema.Raw:
		return t.Length
	default:
		return 0
	}
}

// appendTreated renders a value of the column's kind.
func (f *field) appendTreated(dst []byte, v value.Value) ([]byte, error) {
	t := f.treatment
	switch f.form {
	case masked:
		return append(dst, f.unavailable...), nil
	case hashed:
		return t.appendDigest(dst, v.Text()), nil
	default:
		plain := *f
		plain.form, plain.literal = t.form, ""
		cut := value.OfText(cutText(v.Text(), t.length))
		if f.kind == value.Bytes {
			cut = value.OfBytes(v.Text()[:min(len(v.Text()), t.length)])
		}
		return plain.append(dst, &cut)
	}
}

// cutText cuts text to a number of UTF-16 units, as Java counts characters, without halving one.
func cutText(s string, length int) string {
	units := 0
	for at, r := range s {
		units++
		if r > 0xffff {
			units++
		}
		if units > length {
			return s[:at]
		}
	}
	return s
}

func (t *treatment) appendDigest(dst []byte, text string) []byte {
	h := t.hash()
	h.Write([]byte(t.salt))
	if t.version == 1 {
		h.Write(javaString(text))
	} else {
		h.Write([]byte(text))
	}
	digits := hex.AppendEncode(append(dst, '"'), h.Sum(nil))
	if end := len(dst) + 1 + t.length; t.length > 0 && len(digits) > end {
		digits = digits[:end]
	}
	return append(digits, '"')
}

// javaString is a string as Java's ObjectOutputStream writes it: header, type, length, and UTF-8 in which NUL has two bytes and a
// character outside the BMP two surrogates of three.
func javaString(s string) []byte {
	text := make([]byte, 0, len(s))
	for _, r := range s {
		switch {
		case r == 0:
			text = append(text, 0xc0, 0x80)
		case r > 0xffff:
			r -= 0x10000
			for _, half := range [...]rune{0xd800 + r>>10, 0xdc00 + r&0x3ff} {
				text = append(text, 0xe0|byte(half>>12), 0x80|byte(half>>6)&0x3f, 0x80|byte(half)&0x3f)
			}
		default:
			text = utf8.AppendRune(text, r)
		}
	}
	const shortString, longString = 0x74, 0x7c
	out := []byte{0xac, 0xed, 0x00, 0x05}
	if len(text) <= 0xffff {
		out = binary.BigEndian.AppendUint16(append(out, shortString), uint16(len(text))) //nolint:gosec // checked above
	} else {
		out = binary.BigEndian.AppendUint64(append(out, longString), uint64(len(text)))
	}
	return append(out, text...)
}
