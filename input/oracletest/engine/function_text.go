package engine

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine/internal/scalar"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func textFunction(name string) (function, bool) {
	switch name {
	case "UPPER":
		return mapText(strings.ToUpper), true
	case "LOWER":
		return mapText(strings.ToLower), true
	case "INITCAP":
		return mapText(initCap), true
	case "LENGTH":
		return textNumber(utf8.RuneCountInString), true
	case "LENGTHB":
		return textNumber(func(s string) int { return len(s) }), true
	case "ASCII":
		// The bytes of the first character in the database character set, as one number.
		return textNumber(func(s string) int {
			code := 0
			_, width := utf8.DecodeRuneInString(s)
			for i := range width {
				code = code<<8 | int(s[i])
			}
			return code
		}), true
	case "SUBSTR":
		return function{2, 3, buildSubstr}, true
	case "INSTR":
		return function{2, 4, buildInstr}, true
	case "LPAD":
		return padFunction(true), true
	case "RPAD":
		return padFunction(false), true
	case "LTRIM":
		return trimFunction(strings.TrimLeft), true
	case "RTRIM":
		return trimFunction(strings.TrimRight), true
	case "REPLACE":
		return function{2, 3, buildReplace}, true
	case "TRANSLATE":
		return function{3, 3, buildTranslate}, true
	case "CONCAT":
		return function{2, 2, func(c *compiler, a []*node) (*node, error) { return c.concat(a[0], a[1]), nil }}, true
	case "CHR":
		return function{1, 1, buildChr}, true
	}
	return function{}, false
}

func mapText(apply func(string) string) function {
	return function{1, 1, func(c *compiler, args []*node) (*node, error) {
		args = c.texts(args)
		return c.pure(textType(args[0].typ.Size), args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			return scalar.Text(apply(v[0].Text)), nil
		}), nil
	}}
}

func textNumber(apply func(string) int) function {
	return function{1, 1, func(c *compiler, args []*node) (*node, error) {
		return c.pure(numberType, c.texts(args), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			return scalar.Int(int64(apply(v[0].Text))), nil
		}), nil
	}}
}

func initCap(s string) string {
	letter := false
	return strings.Map(func(r rune) rune {
		first := !letter
		letter = unicode.IsDigit(r) || unicode.IsLetter(r)
		if first {
			return unicode.ToUpper(r)
		}
		return unicode.ToLower(r)
	}, s)
}

func buildSubstr(c *compiler, args []*node) (*node, error) {
	text := c.toText(args[0])
	args = append([]*node{text}, c.numbers(args[1:], 0)...)
	return c.pure(textType(text.typ.Size), args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		runes := []rune(v[0].Text)
		from, n := small(v[1]), len(runes)
		if len(v) == 3 {
			if n = small(v[2]); n < 1 {
				return datum.Datum{}, nil
			}
		}
		switch {
		case from > 0:
			from--
		case from < 0:
			if from += len(runes); from < 0 {
				return datum.Datum{}, nil
			}
		}
		if from >= len(runes) {
			return datum.Datum{}, nil
		}
		return scalar.Text(string(runes[from:min(len(runes), from+n)])), nil
	}), nil
}

func buildInstr(c *compiler, args []*node) (*node, error) {
	args = append(c.texts(args[:2]), c.numbers(args[2:], 0)...)
	return c.pure(numberType, args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		text, part := []rune(v[0].Text), []rune(v[1].Text)
		from, nth := 1, 1
		if len(v) > 2 {
			from = small(v[2])
		}
		if len(v) > 3 {
			if nth = small(v[3]); nth < 1 {
				return datum.Datum{}, wire.Errorf(1428, "argument is out of range")
			}
		}
		return scalar.Int(int64(instr(text, part, from, nth))), nil
	}), nil
}

func instr(text, part []rune, from, nth int) int {
	step, i := 1, from-1
	switch {
	case from == 0:
		return 0
	case from < 0:
		step, i = -1, len(text)+from
	}
	for ; i >= 0 && i < len(text); i += step {
		if i+len(part) <= len(text) && string(text[i:i+len(part)]) == string(part) {
			if nth--; nth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

func padFunction(left bool) function {
	return function{2, 3, func(c *compiler, args []*node) (*node, error) {
		nodes := []*node{c.toText(args[0]), c.toNumber(args[1])}
		if len(args) == 3 {
			nodes = append(nodes, c.toText(args[2]))
		}
		size := longTextSize
		if nodes[1].constant && !nodes[1].value.IsNull() {
			size = small(nodes[1].value) * 4
		}
		return c.pure(textType(size), nodes, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			fill := []rune{' '}
			if len(v) == 3 {
				fill = []rune(v[2].Text)
			}
			text, width := []rune(v[0].Text), min(small(v[1]), longTextSize)
			switch {
			case width <= 0:
				return datum.Datum{}, nil
			case width <= len(text):
				return scalar.Text(string(text[:width])), nil
			}
			pad := make([]rune, width-len(text))
			for i := range pad {
				pad[i] = fill[i%len(fill)]
			}
			if left {
				return limited(string(pad) + string(text))
			}
			return limited(string(text) + string(pad))
		}), nil
	}}
}

func trimFunction(cut func(s, set string) string) function {
	return function{1, 2, func(c *compiler, args []*node) (*node, error) {
		args = c.texts(args)
		return c.pure(textType(args[0].typ.Size), args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
			set := " "
			if len(v) == 2 {
				set = v[1].Text
			}
			return scalar.Text(cut(v[0].Text, set)), nil
		}), nil
	}}
}

func (c *compiler) trim(e *sql.Trim) (*node, error) {
	x, err := c.expr(e.X)
	if err != nil {
		return nil, err
	}
	args := []*node{c.toText(x)}
	if e.Chars != nil {
		chars, err := c.expr(e.Chars)
		if err != nil {
			return nil, err
		}
		args = append(args, c.toText(chars))
	}
	return c.pure(textType(args[0].typ.Size), args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		set, s := " ", v[0].Text
		if len(v) == 2 {
			if set = v[1].Text; utf8.RuneCountInString(set) != 1 {
				return datum.Datum{}, wire.Errorf(30001, "trim set should have only one character")
			}
		}
		if e.Side != "TRAILING" {
			s = strings.TrimLeft(s, set)
		}
		if e.Side != "LEADING" {
			s = strings.TrimRight(s, set)
		}
		return scalar.Text(s), nil
	}), nil
}

// limited is a text that has become longer, which SQL allows up to the length of a VARCHAR2.
func limited(s string) (datum.Datum, error) {
	if len(s) > longTextSize {
		return datum.Datum{}, wire.Errorf(1489, "result of string concatenation is too long")
	}
	return scalar.Text(s), nil
}

func buildReplace(c *compiler, args []*node) (*node, error) {
	args = c.texts(args)
	return fold(c.x, computed(textType(longTextSize), func(f *frame) (datum.Datum, error) {
		var v [3]datum.Datum
		for i, a := range args {
			var err error
			if v[i], err = a.eval(f); err != nil {
				return v[i], err
			}
		}
		// NULL to search for leaves the text alone, NULL as the replacement removes.
		if v[1].IsNull() {
			return v[0], nil
		}
		return limited(strings.ReplaceAll(v[0].Text, v[1].Text, v[2].Text))
	}), args...), nil
}

func buildTranslate(c *compiler, args []*node) (*node, error) {
	args = c.texts(args)
	return c.pure(textType(args[0].typ.Size*4), args, func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		from, to := []rune(v[1].Text), []rune(v[2].Text)
		return limited(strings.Map(func(r rune) rune {
			for i, x := range from {
				if x == r {
					if i < len(to) {
						return to[i]
					}
					return -1
				}
			}
			return r
		}, v[0].Text))
	}), nil
}

func buildChr(c *compiler, args []*node) (*node, error) {
	return c.pure(textType(4), c.numbers(args, 0), func(_ *frame, v []datum.Datum) (datum.Datum, error) {
		n := small(v[0])
		if n < 0 || n > 127 {
			// Above 127 the answer is a byte of the database character set, which need not be a character.
			return datum.Datum{}, wire.Errorf(3001, "unimplemented feature: CHR(%d)", n)
		}
		return scalar.Text(string(rune(n))), nil
	}), nil
}
