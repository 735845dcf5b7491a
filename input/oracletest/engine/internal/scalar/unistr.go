package scalar

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// Unistr reads the escapes of UNISTR: \XXXX is a UTF-16 unit, \\ a backslash.
func Unistr(s string) (string, bool) {
	var units []uint16
	for len(s) > 0 {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			i = len(s)
		}
		units = append(units, utf16.Encode([]rune(s[:i]))...)
		s = s[i:]
		switch {
		case s == "":
		case strings.HasPrefix(s, `\\`):
			units = append(units, '\\')
			s = s[2:]
		case len(s) < 5:
			return "", false
		default:
			n, err := strconv.ParseUint(s[1:5], 16, 16)
			if err != nil {
				return "", false
			}
			units = append(units, uint16(n))
			s = s[5:]
		}
	}
	return string(utf16.Decode(units)), true
}
