package ddl

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the kind of a Token.
type Kind uint8

// Kinds of tokens.
const (
	Space Kind = iota
	Comment
	Hint
	Word
	Quoted
	Literal
	Number
	Symbol
)

// Token is a piece of a statement. Text is as written, quotes and comment signs included, so that all tokens of a statement are its text.
type Token struct {
	Kind Kind
	Text string
	// Open: the statement ends inside the token.
	Open bool
}

// Tokens cuts a statement. It takes any text: what is no token of Oracle's comes as symbols of one byte.
func Tokens(text string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		for s := (scanner{text}); ; {
			t, ok := s.next()
			if !ok || !yield(t) {
				return
			}
		}
	}
}

type scanner struct{ rest string }

// next cuts the next token off.
func (s *scanner) next() (t Token, ok bool) {
	if s.rest == "" {
		return Token{}, false
	}
	kind, n := kindOf(s.rest)
	open := n > len(s.rest)
	n = min(n, len(s.rest))
	t = Token{Kind: kind, Text: s.rest[:n], Open: open}
	s.rest = s.rest[n:]
	return t, true
}

// kindOf gives the kind and the length of the token that a text begins with; the length is beyond the text where its end is missing.
func kindOf(text string) (kind Kind, length int) {
	switch c := text[0]; {
	case strings.HasPrefix(text, "/*"):
		return comment(text), through(text, 2, "*/")
	case strings.HasPrefix(text, "--"):
		return comment(text), min(through(text, 2, "\n"), len(text)) // the end of the text ends it too
	case c == '\'':
		return Literal, quotedText(text)
	case c == '"':
		return Quoted, through(text, 1, `"`)
	case c >= '0' && c <= '9':
		return Number, number(text)
	}
	if n := run(text, blank); n > 0 {
		return Space, n
	}
	n := run(text, partOfWord)
	if n == 0 {
		return Symbol, 1
	}
	if l, ok := prefixed(text, n); ok {
		return Literal, l
	}
	return Word, n
}

func comment(text string) Kind {
	if len(text) > 2 && text[2] == '+' {
		return Hint
	}
	return Comment
}

// through is the length up to and with an end mark.
func through(text string, from int, end string) int {
	if at := strings.Index(text[from:], end); at >= 0 {
		return from + at + len(end)
	}
	return len(text) + 1
}

// quotedText is the length of a literal, in which a doubled quote is one of the text.
func quotedText(text string) int {
	for at := 1; ; at += 2 {
		end := strings.IndexByte(text[min(at, len(text)):], '\'')
		if end < 0 {
			return len(text) + 1
		}
		at += end
		if at+1 >= len(text) || text[at+1] != '\'' {
			return at + 1
		}
	}
}

// prefixed gives the length of a literal that begins with letters, of which there are n: N'…', U'…', Q'[…]' and NQ'[…]'.
func prefixed(text string, n int) (length int, ok bool) {
	if n >= len(text) || text[n] != '\'' {
		return 0, false
	}
	switch upper(text[:n]) {
	case "N", "U":
		return n + quotedText(text[n:]), true
	case "Q", "NQ":
	default:
		return 0, false
	}
	mark, size := utf8.DecodeRuneInString(text[n+1:])
	if size == 0 || blank(mark) {
		return 0, false
	}
	end := text[n+1 : n+1+size]
	switch end {
	case "[":
		end = "]"
	case "{":
		end = "}"
	case "(":
		end = ")"
	case "<":
		end = ">"
	}
	return through(text, n+1+size, end+"'"), true
}

// number is the length of a number. A word may follow on it at once, as in DEFAULT 0NOT NULL.
func number(text string) int {
	digit := func(r rune) bool { return r >= '0' && r <= '9' }
	n := run(text, func(r rune) bool { return digit(r) || r == '.' })
	if n < len(text) && (text[n] == 'e' || text[n] == 'E') {
		at := n + 1
		if at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if more := run(text[at:], digit); more > 0 {
			n = at + more
		}
	}
	// The letter of a float, or of a size as in 64K.
	if n < len(text) && strings.IndexByte("fFdDkKmMgGtTpPeE", text[n]) >= 0 && run(text[n:], partOfWord) == 1 {
		n++
	}
	return n
}

// run is the length of the characters that a text begins with and that belong.
func run(text string, belongs func(rune) bool) int {
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !belongs(r) {
			return at
		}
		at += size
	}
	return len(text)
}

// blank takes a NUL too: LogMiner may end a text with one (C151).
func blank(r rune) bool { return r == 0 || unicode.IsSpace(r) }

// partOfWord takes all that is not ASCII: which letters a database has in names is a matter of its character set.
func partOfWord(r rune) bool {
	switch {
	case r >= utf8.RuneSelf:
		return !unicode.IsSpace(r)
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return true
	}
	return r == '_' || r == '$' || r == '#'
}

// upper is a word as Oracle takes it without quotes. Bytes that are no UTF-8 stay what they are.
func upper(word string) string {
	if utf8.ValidString(word) {
		return strings.ToUpper(word)
	}
	var b strings.Builder
	for len(word) > 0 {
		r, size := utf8.DecodeRuneInString(word)
		if r == utf8.RuneError {
			b.WriteString(word[:size])
		} else {
			b.WriteRune(unicode.ToUpper(r))
		}
		word = word[size:]
	}
	return b.String()
}

// maxShown bounds what Shown gives, in bytes.
const maxShown = 300

// Shown is a statement for logs and errors: one line without comments and without the texts in it, which may be values, cut where it
// is long.
func Shown(text string) string {
	var b strings.Builder
	for t := range Tokens(text) {
		switch t.Kind {
		case Space, Comment, Hint:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
				b.WriteByte(' ')
			}
		case Literal:
			b.WriteString("'?'")
		case Quoted:
			b.WriteString(strings.Map(func(r rune) rune {
				if unicode.IsControl(r) {
					return ' '
				}
				return r
			}, t.Text))
		default:
			b.WriteString(t.Text)
		}
		if b.Len() > maxShown {
			cut := b.String()[:maxShown]
			for cut != "" && !utf8.RuneStart(b.String()[len(cut)]) {
				cut = cut[:len(cut)-1]
			}
			return strings.ToValidUTF8(cut, "?") + "…"
		}
	}
	return strings.ToValidUTF8(strings.TrimRight(b.String(), " ;"), "?")
}
