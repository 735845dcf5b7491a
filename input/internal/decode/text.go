package decode

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/sqlredo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// text decodes the character types. Blank padding is data and stays; the empty string is NULL to Oracle.
func text(l *sqlredo.Literal) (value.Value, reason) {
	var s string
	switch {
	case l.Form == sqlredo.Text:
		s = l.Text.String()
	case l.Form == sqlredo.Function && l.Name == sqlredo.Unistr:
		var why reason
		if s, why = unistr(l); why != "" {
			return value.Value{}, why
		}
	default:
		return value.Value{}, badForm
	}
	if s == "" {
		return value.OfNull(), ""
	}
	if !utf8.ValidString(s) {
		return value.Value{}, badUTF8 // never replaced silently (C064)
	}
	return value.OfText(s), ""
}

// unistr joins the calls of a concatenation. Only whole texts are checked for surrogates: a pair may be cut between two calls.
func unistr(l *sqlredo.Literal) (string, reason) {
	if len(l.More) == 0 && !strings.Contains(l.Text.Raw, `\`) {
		return l.Text.String(), ""
	}
	size := len(l.Text.Raw)
	for _, c := range l.More {
		if c.Name != sqlredo.Unistr {
			return "", badForm
		}
		size += len(c.Text.Raw)
	}
	var u unistrBuilder
	u.text.Grow(size) // an escape of five bytes gives three at most
	why := u.piece(l.Text.Raw)
	for i := 0; i < len(l.More) && why == ""; i++ {
		why = u.piece(l.More[i].Text.Raw)
	}
	if why == "" && u.high != 0 {
		why = badSurrogate
	}
	return u.text.String(), why
}

// unistrBuilder collects the text of UNISTR calls.
type unistrBuilder struct {
	text strings.Builder
	// high is a high surrogate whose partner is still to come.
	high rune
}

// piece adds one argument: `\XXXX` is a UTF-16 unit, `\\` a backslash, two quotes are one (reference logminer D.2).
func (u *unistrBuilder) piece(raw string) reason {
	for raw != "" {
		n := strings.IndexAny(raw, `\'`)
		if n < 0 {
			n = len(raw)
		}
		if n > 0 {
			if u.high != 0 {
				return badSurrogate
			}
			u.text.WriteString(raw[:n])
			raw = raw[n:]
			continue
		}
		var why reason
		if raw, why = u.special(raw); why != "" {
			return why
		}
	}
	return ""
}

// special adds what begins with a backslash or a quote, and gives the rest.
func (u *unistrBuilder) special(raw string) (string, reason) {
	if len(raw) >= 2 && raw[1] == raw[0] {
		if u.high != 0 {
			return "", badSurrogate
		}
		u.text.WriteByte(raw[0])
		return raw[2:], ""
	}
	if len(raw) < 5 {
		return "", badUnistr
	}
	unit := rune(0)
	for i := 1; i < 5; i++ {
		d, ok := hexDigit(raw[i])
		if !ok {
			return "", badUnistr
		}
		unit = unit<<4 | rune(d)
	}
	return raw[5:], u.unit(unit)
}

func (u *unistrBuilder) unit(unit rune) reason {
	switch {
	case u.high != 0:
		r := utf16.DecodeRune(u.high, unit)
		if r == utf8.RuneError {
			return badSurrogate
		}
		u.high = 0
		u.text.WriteRune(r)
	case unit >= 0xD800 && unit < 0xDC00:
		u.high = unit
	case unit >= 0xDC00 && unit < 0xE000:
		return badSurrogate
	default:
		u.text.WriteRune(unit)
	}
	return ""
}

// raw decodes RAW; zero bytes are NULL to Oracle.
func raw(l *sqlredo.Literal) (value.Value, reason) {
	if l.Form != sqlredo.Function || l.Name != sqlredo.HexToRaw || len(l.More) > 0 {
		return value.Value{}, badForm
	}
	hex := l.Text.Raw
	if hex == "" {
		return value.OfNull(), ""
	}
	if len(hex)%2 != 0 {
		return value.Value{}, badHex
	}
	var b strings.Builder
	b.Grow(len(hex) / 2)
	for i := 0; i < len(hex); i += 2 {
		high, ok1 := hexDigit(hex[i])
		low, ok2 := hexDigit(hex[i+1])
		if !ok1 || !ok2 {
			return value.Value{}, badHex
		}
		b.WriteByte(high<<4 | low)
	}
	return value.OfBytes(b.String()), ""
}

// hexDigit reads a digit in either case; both occur (reference logminer D.2).
func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// rowIDLength is the length of a physical ROWID in its printed form (reference logminer B.3).
const rowIDLength = 18

// rowID decodes a ROWID column.
func rowID(l *sqlredo.Literal) (value.Value, reason) {
	if l.Form != sqlredo.Text {
		return value.Value{}, badForm
	}
	return physicalRowID(l.Text.Raw)
}

func physicalRowID(s string) (value.Value, reason) {
	if len(s) != rowIDLength {
		return value.Value{}, badRowID
	}
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '+' && c != '/' {
			return value.Value{}, badRowID
		}
	}
	return value.OfText(s), ""
}
