package engine

import (
	"strings"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/sql"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func (c *compiler) like(e *sql.Like) (test, error) {
	parts := []sql.Expr{e.X, e.Pattern}
	if e.Escape != nil {
		parts = append(parts, e.Escape)
	}
	nodes, err := c.exprs(parts)
	if err != nil {
		return nil, err
	}
	for i := range nodes {
		nodes[i] = c.wholeText(nodes[i])
	}
	x, pattern := nodes[0], nodes[1]
	escape := constantNode(datum.Datum{}, datum.Type{})
	if e.Escape != nil {
		escape = nodes[2]
	}
	var ready *matcher
	if pattern.constant && escape.constant {
		if e.Escape != nil && escape.value.IsNull() {
			return nil, at(e.Pos(), errEscape())
		}
		if ready, err = newMatcher(pattern.value.Text, escape.value.Text); err != nil {
			return nil, at(e.Pos(), err)
		}
	}
	return func(f *frame) (truth, error) {
		d, err := x.eval(f)
		if err != nil {
			return isUnknown, err
		}
		p, err := pattern.eval(f)
		if err != nil || d.IsNull() || p.IsNull() {
			return isUnknown, err
		}
		m := ready
		if m == nil {
			esc, err := escape.eval(f)
			if err != nil {
				return isUnknown, err
			}
			if e.Escape != nil && esc.IsNull() {
				return isUnknown, errEscape()
			}
			if m, err = newMatcher(p.Text, esc.Text); err != nil {
				return isUnknown, err
			}
		}
		return truthOf(m.match(d.Text) != e.Not), nil
	}, nil
}

func errEscape() error {
	return wire.Errorf(1425, "escape character must be character string of length 1")
}

// matcher is a LIKE pattern.
type matcher struct {
	prefix string // set with simple: everything up to a single closing %
	simple bool
	exact  bool
	runes  []patternRune
}

type patternRune struct {
	r    rune
	any  bool // _
	many bool // %
}

func newMatcher(pattern, escape string) (*matcher, error) {
	var esc rune
	if escape != "" {
		r, width := utf8.DecodeRuneInString(escape)
		if width != len(escape) {
			return nil, errEscape()
		}
		esc = r
	}
	m := &matcher{}
	escaped := false
	for _, r := range pattern {
		switch {
		case escaped:
			if r != '%' && r != '_' && r != esc {
				return nil, wire.Errorf(1424, "missing or illegal character following the escape character")
			}
			m.runes = append(m.runes, patternRune{r: r})
			escaped = false
		case esc != 0 && r == esc:
			escaped = true
		case r == '%':
			m.runes = append(m.runes, patternRune{many: true})
		case r == '_':
			m.runes = append(m.runes, patternRune{any: true})
		default:
			m.runes = append(m.runes, patternRune{r: r})
		}
	}
	if escaped {
		return nil, wire.Errorf(1424, "missing or illegal character following the escape character")
	}
	m.simplify()
	return m, nil
}

// simplify finds the usual patterns, text and text%, which need no search.
func (m *matcher) simplify() {
	var b strings.Builder
	for i, p := range m.runes {
		if p.many && i == len(m.runes)-1 {
			m.simple, m.prefix = true, b.String()
			return
		}
		if p.many || p.any {
			return
		}
		b.WriteRune(p.r)
	}
	m.simple, m.exact, m.prefix = true, true, b.String()
}

func (m *matcher) match(s string) bool {
	if m.simple {
		if m.exact {
			return s == m.prefix
		}
		return strings.HasPrefix(s, m.prefix)
	}
	text := []rune(s)
	t, p, star, mark := 0, 0, -1, 0
	for t < len(text) {
		switch {
		case p < len(m.runes) && m.runes[p].many:
			star, mark = p, t
			p++
		case p < len(m.runes) && (m.runes[p].any || m.runes[p].r == text[t]):
			p++
			t++
		case star >= 0:
			mark++
			p, t = star+1, mark
		default:
			return false
		}
	}
	for p < len(m.runes) && m.runes[p].many {
		p++
	}
	return p == len(m.runes)
}
