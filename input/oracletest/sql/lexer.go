package sql

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// scan cuts a text into tokens; comments and hints are dropped, and an INSERT looks for its hint itself.
func scan(text string) ([]token, *Error) {
	tokens := make([]token, 0, len(text)/4+2)
	for pos := 0; ; {
		start, err := skipBlank(text, pos)
		if err != nil {
			return nil, err
		}
		if start >= len(text) {
			return append(tokens, token{kind: tokEnd, pos: start, end: start}), nil
		}
		tok, err := next(text, start)
		if err != nil {
			return nil, err
		}
		tok.pos = start
		tokens = append(tokens, tok)
		pos = tok.end
	}
}

func skipBlank(text string, pos int) (int, *Error) {
	for pos < len(text) {
		switch c := text[pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == 0:
			pos++
		case strings.HasPrefix(text[pos:], "--"):
			end := strings.IndexByte(text[pos:], '\n')
			if end < 0 {
				return len(text), nil
			}
			pos += end + 1
		case strings.HasPrefix(text[pos:], "/*"):
			end := strings.Index(text[pos+2:], "*/")
			if end < 0 {
				return 0, errorAt(pos, 1742, "comment not terminated properly")
			}
			pos += end + 4
		default:
			return pos, nil
		}
	}
	return pos, nil
}

func next(text string, pos int) (token, *Error) {
	c := text[pos]
	switch {
	case c == '\'':
		return quotedText(text, pos, pos, tokText)
	case (c == 'n' || c == 'N') && pos+1 < len(text) && text[pos+1] == '\'':
		return quotedText(text, pos, pos+1, tokNText)
	case (c == 'q' || c == 'Q') && pos+2 < len(text) && text[pos+1] == '\'':
		return alternativeText(text, pos, pos, tokText)
	case (c == 'n' || c == 'N') && pos+3 < len(text) && (text[pos+1] == 'q' || text[pos+1] == 'Q') && text[pos+2] == '\'':
		return alternativeText(text, pos, pos+1, tokNText)
	case c == '"':
		return quotedName(text, pos)
	case c >= '0' && c <= '9', c == '.' && pos+1 < len(text) && isDigit(text[pos+1]):
		return number(text, pos), nil
	case c == ':':
		return bind(text, pos)
	}
	if end := wordEnd(text, pos); end > pos {
		return token{kind: tokWord, text: strings.ToUpper(text[pos:end]), end: end}, nil
	}
	return punctuation(text, pos)
}

func quotedText(text string, start, open int, k kind) (token, *Error) {
	doubled := false
	for i := open + 1; i < len(text); i++ {
		if text[i] != '\'' {
			continue
		}
		if i+1 < len(text) && text[i+1] == '\'' {
			doubled = true
			i++
			continue
		}
		value := text[open+1 : i]
		if doubled {
			value = strings.ReplaceAll(value, "''", "'")
		}
		return token{kind: k, text: value, end: i + 1}, nil
	}
	return token{}, errorAt(start, 1756, "quoted string not properly terminated")
}

// alternativeText scans q'[...]', whose q is at; start is that of the token, which may have an N before it.
func alternativeText(text string, start, at int, k kind) (token, *Error) {
	_, width := utf8.DecodeRuneInString(text[at+2:])
	opening := text[at+2 : at+2+width]
	closing := opening
	switch opening {
	case "[":
		closing = "]"
	case "{":
		closing = "}"
	case "(":
		closing = ")"
	case "<":
		closing = ">"
	}
	from := at + 2 + width
	end := strings.Index(text[from:], closing+"'")
	if end < 0 {
		return token{}, errorAt(start, 1756, "quoted string not properly terminated")
	}
	return token{kind: k, text: text[from : from+end], end: from + end + len(closing) + 1}, nil
}

func quotedName(text string, start int) (token, *Error) {
	end := strings.IndexByte(text[start+1:], '"')
	switch {
	case end < 0:
		return token{}, errorAt(start, 1740, "missing double quote in identifier")
	case end == 0:
		return token{}, errorAt(start, 1741, "illegal zero-length identifier")
	case end > 128:
		return token{}, errorAt(start, 972, "identifier is too long")
	}
	return token{kind: tokQuoted, text: text[start+1 : start+1+end], end: start + end + 2}, nil
}

func number(text string, start int) token {
	i := start
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	if i < len(text) && text[i] == '.' && !strings.HasPrefix(text[i:], "..") {
		for i++; i < len(text) && isDigit(text[i]); i++ {
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if j < len(text) && isDigit(text[j]) {
			for i = j; i < len(text) && isDigit(text[i]); i++ {
			}
		}
	}
	// The suffixes of BINARY_FLOAT and BINARY_DOUBLE literals stay in the text.
	if i < len(text) && strings.ContainsRune("fFdD", rune(text[i])) && wordEnd(text, i) == i+1 {
		i++
	}
	return token{kind: tokNumber, text: text[start:i], end: i}
}

func bind(text string, start int) (token, *Error) {
	i := start + 1
	if i < len(text) && text[i] == '"' {
		tok, err := quotedName(text, i)
		tok.kind = tokBind
		return tok, err
	}
	for i < len(text) && (isDigit(text[i]) || wordEnd(text, i) > i || text[i] == '_' || text[i] == '$' || text[i] == '#') {
		i = max(i+1, wordEnd(text, i))
	}
	if i > start+1 {
		return token{kind: tokBind, text: strings.ToUpper(text[start+1 : i]), end: i}, nil
	}
	return punctuation(text, start)
}

// wordEnd returns the end of the name that starts at pos, or pos if none does.
func wordEnd(text string, pos int) int {
	i := pos
	for i < len(text) {
		r, width := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, width = utf8.DecodeRuneInString(text[i:])
		}
		if !unicode.IsLetter(r) && (i == pos || !(r == '_' || r == '$' || r == '#' || unicode.IsDigit(r))) {
			break
		}
		i += width
	}
	return i
}

func punctuation(text string, pos int) (token, *Error) {
	for _, op := range [...]string{"||", "<=", ">=", "<>", "!=", "^=", ":=", "=>", ".."} {
		if strings.HasPrefix(text[pos:], op) {
			return token{kind: tokPunct, text: op, end: pos + len(op)}, nil
		}
	}
	if strings.IndexByte("()+-*/,.;=<>@:%", text[pos]) >= 0 {
		return token{kind: tokPunct, text: text[pos : pos+1], end: pos + 1}, nil
	}
	return token{}, errorAt(pos, 911, "invalid character")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
