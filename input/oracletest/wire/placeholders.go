package wire

import "strings"

// placeholders lists the names of the bind placeholders of a statement in their order, repetitions included,
// in upper case. It is needed only for clients that leave out the value of a repeated name, and for those
// behind a RETURNING clause.
func placeholders(sql string) []string {
	var names []string
	scan(sql, func(token string) {
		if token[0] == ':' {
			names = append(names, strings.ToUpper(token[1:]))
		}
	})
	return names
}

// scan hands over the words and bind placeholders of a statement in their order; literals, quoted names and
// comments are passed over.
func scan(sql string, token func(string)) {
	for i := 0; i < len(sql); {
		switch rest := sql[i:]; {
		case rest[0] == '\'' && quotedByQ(sql, i):
			i += alternativeQuote(rest)
		case rest[0] == '\'' || rest[0] == '"':
			i += span(rest, 1, rest[:1])
		case strings.HasPrefix(rest, "--"):
			i += span(rest, 2, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += span(rest, 2, "*/")
		case rest[0] == ':' || nameByte(rest[0]):
			n := 1
			for n < len(rest) && nameByte(rest[n]) {
				n++
			}
			if n > 1 || rest[0] != ':' {
				token(rest[:n])
			}
			i += n
		default:
			i++
		}
	}
}

// span is the length of what begins rest and ends with the given text, searched from offset on.
func span(rest string, offset int, end string) int {
	at := strings.Index(rest[offset:], end)
	if at < 0 {
		return len(rest)
	}
	return offset + at + len(end)
}

// quotedByQ reports whether the quote at i opens an alternative quote, q'[...]'.
func quotedByQ(sql string, i int) bool {
	if i == 0 || sql[i-1]|0x20 != 'q' || i+1 >= len(sql) {
		return false
	}
	before := i - 2
	if before >= 0 && sql[before]|0x20 == 'n' {
		before--
	}
	return before < 0 || !nameByte(sql[before])
}

// alternativeQuote is the length of an alternative quote from its first quote on.
func alternativeQuote(rest string) int {
	closing := rest[1:2]
	if at := strings.Index("([{<", closing); at >= 0 {
		closing = ")]}>"[at : at+1]
	}
	return span(rest, 2, closing+"'")
}

func nameByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
