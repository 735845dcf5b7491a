package scalar

import (
	"strings"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// numberModel is a number format model: of what TO_CHAR and TO_NUMBER know, 9 0 . , D G S MI $ FM X TM.
type numberModel struct {
	integer  string // 9, 0, ',' and G before the point
	fraction string // 9 and 0 behind it
	point    bool
	hex      bool
	lower    bool // x
	minimal  bool // TM
	fill     bool
	dollar   bool
	sign     byte // 0, 'S' in front, 's' behind, 'M' for MI
}

func errNumberModel() error { return wire.Errorf(1481, "invalid number format model") }

func parseNumberModel(format string) (numberModel, error) {
	m := numberModel{fill: true}
	s := strings.ToUpper(strings.TrimSpace(format))
	if strings.HasPrefix(s, "FM") {
		m.fill, s = false, s[2:]
	}
	switch {
	case s == "TM", s == "TM9":
		m.minimal = true
		return m, nil
	case strings.HasPrefix(s, "S"):
		m.sign, s = 'S', s[1:]
	case strings.HasSuffix(s, "MI"):
		m.sign, s = 'M', s[:len(s)-2]
	case strings.HasSuffix(s, "S"):
		m.sign, s = 's', s[:len(s)-1]
	}
	if strings.HasPrefix(s, "$") {
		m.dollar, s = true, s[1:]
	}
	if s != "" && strings.Trim(s, "X0") == "" && strings.Contains(s, "X") {
		m.hex, m.integer, m.lower = true, s, strings.Contains(format, "x")
		return m, nil
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' || c == 'D':
			if m.point {
				return m, errNumberModel()
			}
			m.point = true
		case c == '9' || c == '0':
			if m.point {
				m.fraction += string(c)
			} else {
				m.integer += string(c)
			}
		case (c == ',' || c == 'G') && !m.point:
			m.integer += ","
		default:
			return m, errNumberModel()
		}
	}
	if m.integer+m.fraction == "" {
		return m, errNumberModel()
	}
	return m, nil
}

// FormatNumber is TO_CHAR(number, format); what does not fit becomes number signs.
func FormatNumber(d *apd.Decimal, format string, decimal, group byte) (string, error) {
	m, err := parseNumberModel(format)
	if err != nil {
		return "", err
	}
	switch {
	case m.minimal:
		return NumberText(d, decimal), nil
	case m.hex:
		return m.hexText(d)
	}
	rounded := RoundTo(d, len(m.fraction))
	whole, rest, _ := strings.Cut(rounded.Text('f'), ".")
	negative := strings.HasPrefix(whole, "-")
	whole = strings.TrimPrefix(whole, "-")
	width := len(strings.ReplaceAll(m.integer, ",", ""))
	if whole == "0" && (m.point && len(m.fraction) > 0 || width == 0) {
		whole = ""
	}
	if len(whole) > width {
		signs := len(m.integer) + len(m.fraction) + 1
		if m.point {
			signs++
		}
		return strings.Repeat("#", signs), nil
	}
	text := m.fillInteger(whole, group)
	if m.point {
		rest += strings.Repeat("0", len(m.fraction)-len(rest))
		if !m.fill {
			if rest = trimFraction(rest, m.fraction); rest == "" && strings.TrimSpace(text) == "" {
				text = "0"
			}
		}
		text += string(decimal) + rest
	}
	return m.withSign(text, negative), nil
}

// trimFraction drops the trailing zeros that stand for a 9, as FM does.
func trimFraction(rest, model string) string {
	for len(rest) > 0 && rest[len(rest)-1] == '0' && model[len(rest)-1] == '9' {
		rest = rest[:len(rest)-1]
	}
	return rest
}

// fillInteger lays the digits under the model from the right.
func (m *numberModel) fillInteger(whole string, group byte) string {
	out := make([]byte, 0, len(m.integer))
	zeros := strings.IndexByte(m.integer, '0')
	j := len(whole)
	for i := len(m.integer) - 1; i >= 0; i-- {
		switch {
		case m.integer[i] == ',':
			if j > 0 || zeros >= 0 && zeros < i {
				out = append(out, group)
			} else {
				out = append(out, ' ')
			}
		case j > 0:
			j--
			out = append(out, whole[j])
		case zeros >= 0 && i >= zeros:
			out = append(out, '0')
		default:
			out = append(out, ' ')
		}
	}
	for a, b := 0, len(out)-1; a < b; a, b = a+1, b-1 {
		out[a], out[b] = out[b], out[a]
	}
	return string(out)
}

func (m *numberModel) withSign(text string, negative bool) string {
	blanks := len(text) - len(strings.TrimLeft(text, " "))
	digits := text[blanks:]
	if m.dollar {
		digits = "$" + digits
	}
	front, back := " ", ""
	switch {
	case m.sign == 'S' && !negative:
		front = "+"
	case m.sign == 's' || m.sign == 'M':
		front = ""
		back = map[bool]string{true: "-", false: "+"}[negative]
		if m.sign == 'M' && !negative {
			back = " "
		}
	case negative:
		front = "-"
	}
	if !m.fill {
		return strings.TrimSpace(front) + digits + strings.TrimSpace(back)
	}
	return strings.Repeat(" ", blanks) + front + digits + back
}

func (m *numberModel) hexText(d *apd.Decimal) (string, error) {
	n := RoundTo(d, 0)
	if n.Negative || n.Exponent != 0 {
		return strings.Repeat("#", len(m.integer)+1), nil
	}
	text := n.Coeff.Text(16)
	if !m.lower {
		text = strings.ToUpper(text)
	}
	if len(text) > len(m.integer) {
		return strings.Repeat("#", len(m.integer)+1), nil
	}
	fill := " "
	if strings.HasPrefix(m.integer, "0") {
		fill = "0"
	}
	if !m.fill {
		if fill == " " {
			return text, nil
		}
		return strings.Repeat("0", len(m.integer)-len(text)) + text, nil
	}
	return " " + strings.Repeat(fill, len(m.integer)-len(text)) + text, nil
}

// ReadNumber is TO_NUMBER(text, format).
func ReadNumber(text, format string, decimal, group byte) (*apd.Decimal, error) {
	m, err := parseNumberModel(format)
	if err != nil {
		return nil, err
	}
	s := strings.TrimSpace(text)
	if m.hex {
		d := new(apd.Decimal)
		if _, ok := d.Coeff.SetString(s, 16); !ok || len(s) > len(m.integer) {
			return nil, errNumber()
		}
		return d, Round(d)
	}
	if m.sign == 's' || m.sign == 'M' {
		if trimmed := strings.TrimRight(s, "+-"); trimmed != s {
			s = s[len(trimmed):] + trimmed
		}
	}
	s = strings.ReplaceAll(strings.Replace(s, "$", "", 1), string(group), "")
	whole, fraction, point := strings.Cut(strings.TrimLeft(s, "+-"), string(decimal))
	if !m.minimal && (len(whole) > strings.Count(m.integer, "9")+strings.Count(m.integer, "0") || point && !m.point || len(fraction) > len(m.fraction)) {
		return nil, errNumber()
	}
	return ParseNumber(s, decimal)
}
