package decode

import (
	"math"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/sqlredo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// maxExponent bounds the digits that E notation may stand for; a NUMBER ends at 1E126.
const maxExponent = 130

// numeral gives the text of a number: quoted as LogMiner writes it, or bare.
func numeral(l *sqlredo.Literal) (string, bool) {
	return l.Text.Raw, l.Form == sqlredo.Text || l.Form == sqlredo.Number
}

// decimal decodes NUMBER and FLOAT: every digit is kept, never through a binary number (C036).
func decimal(l *sqlredo.Literal) (value.Value, reason) {
	s, ok := numeral(l)
	if !ok {
		return value.Value{}, badForm
	}
	return digits(s)
}

// digits reads a number in whatever notation.
func digits(s string) (value.Value, reason) {
	if isPlain(s) {
		return value.OfDecimal(s), ""
	}
	n, ok := parseNumeral(s)
	if !ok {
		return value.Value{}, badNumber
	}
	return value.OfDecimal(n.plain()), ""
}

// isPlain reports whether a number is already as value.Decimal wants it.
func isPlain(s string) bool {
	s, negative := strings.CutPrefix(s, "-")
	whole := 0
	for whole < len(s) && s[whole] >= '0' && s[whole] <= '9' {
		whole++
	}
	switch {
	case whole == 0, s[0] == '0' && whole > 1:
		return false
	case whole == len(s):
		return !negative || s != "0"
	case s[whole] != '.' || whole+1 == len(s):
		return false
	}
	zero := s[0] == '0'
	for i := whole + 1; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
		zero = zero && s[i] == '0'
	}
	return !negative || !zero
}

// numeralParts is a number taken apart: digits before and after the point, exponent of ten.
type numeralParts struct {
	negative        bool
	whole, fraction string
	exponent        int
	scientific      bool
}

// parseNumeral reads [+-]digits[.digits][E[+-]digits] with a point: `.15`, `-.5` and `5.` too (C034). A comma is a session
// whose NLS settings were lost and is refused (C045).
func parseNumeral(s string) (numeralParts, bool) {
	var n numeralParts
	switch {
	case strings.HasPrefix(s, "-"):
		n.negative, s = true, s[1:]
	case strings.HasPrefix(s, "+"):
		s = s[1:]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exp, err := strconv.Atoi(s[i+1:])
		if err != nil || exp < -maxExponent || exp > maxExponent {
			return n, false
		}
		n.exponent, n.scientific, s = exp, true, s[:i]
	}
	n.whole, n.fraction, _ = strings.Cut(s, ".")
	if n.whole == "" && n.fraction == "" || !allDigits(n.whole) || !allDigits(n.fraction) {
		return n, false
	}
	return n, true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// plain writes the number without exponent. The digits after the point stay as given, but those of E notation are padding.
func (n numeralParts) plain() string {
	digits, point := n.whole+n.fraction, len(n.whole)+n.exponent
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole, fraction := strings.TrimLeft(digits[:point], "0"), digits[point:]
	if n.scientific {
		fraction = strings.TrimRight(fraction, "0")
	}
	if whole == "" {
		whole = "0"
	}
	if n.negative && strings.Trim(digits, "0") != "" {
		whole = "-" + whole
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// floating decodes BINARY_FLOAT and BINARY_DOUBLE. LogMiner prints more digits than the type has, so rounding to the type's
// width gives the stored value back; the forms of NaN and infinity were observed by nobody and are all taken (reference
// logminer D.2).
func floating(l *sqlredo.Literal, bits int) (value.Value, reason) {
	s, ok := numeral(l)
	if !ok {
		return value.Value{}, badForm
	}
	f, ok := parseFloat(s, bits)
	if !ok {
		return value.Value{}, badFloat
	}
	if bits == 32 {
		return value.OfFloat32(float32(f)), ""
	}
	return value.OfFloat64(f), ""
}

func parseFloat(s string, bits int) (float64, bool) {
	switch strings.TrimLeft(s, "+-") {
	case "Nan", "NaN", "NAN", "nan":
		return math.NaN(), len(s) <= len("+Nan")
	case "Inf", "INF", "inf", "Infinity":
		sign := 1
		if s[0] == '-' {
			sign = -1
		}
		return math.Inf(sign), strings.Count(s, "+")+strings.Count(s, "-") <= 1
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && !strings.ContainsRune("+-.eE", rune(c)) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, bits)
	if err != nil {
		return 0, false
	}
	if f == 0 { // ParseFloat does not tell of an underflow
		mantissa, _, _ := strings.Cut(strings.ToLower(s), "e")
		return f, !strings.ContainsAny(mantissa, "123456789")
	}
	return f, true
}
