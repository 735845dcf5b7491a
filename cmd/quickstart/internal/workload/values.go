package workload

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// texts are what applications store and parsers stumble over, none longer than 40 bytes.
var texts = []string{
	"Ada Lovelace", "O'Brien", "''", "naïve café", "漢字", "\\u0041 stays text", "a;b--c/*d*/", " leading and trailing ",
	`"quoted"`, "and \"ID\" = '1'", "x = NULL", "😀", "two\nlines\tand a tab", "NULL", "' || 'x",
}

// short texts fit where there is room for 8 bytes.
var states = []string{"NEW", "PAID", "SHIPPED", "CLOSED", "LOST"}

// padded ones are of characters that take one UTF-16 unit each.
var padded = []string{"x", "ünï", "漢字", "it's", "twelve chars"}

// newRow makes a row of a table: its key, the tag, and values of all kinds in the rest.
func newRow(random *rand.Rand, table *ledger.Table, key ledger.Row, tag string) ledger.Row {
	columns := table.Now()
	row := make(ledger.Row, len(columns))
	for i, c := range columns {
		switch {
		case c.Key:
			row[i], key = key[0], key[1:]
		case c.Name == ledger.TagColumn:
			row[i] = ledger.Of(tag)
		case random.IntN(6) == 0:
			row[i] = ledger.Null()
		default:
			row[i] = newValue(random, c)
		}
	}
	return row
}

func newValue(random *rand.Rand, c ledger.Column) ledger.Value {
	when := time.Date(1970+random.IntN(100), time.Month(1+random.IntN(12)), 1+random.IntN(28),
		random.IntN(24), random.IntN(60), random.IntN(60), random.IntN(1e9), time.UTC)
	switch c.Kind {
	case ledger.Integer, ledger.Decimal:
		return ledger.Scaled(digits(random, c.Size), c.Scale)
	case ledger.Variable:
		return ledger.Scaled(digits(random, c.Size), random.IntN(12))
	case ledger.Binary32:
		return ledger.Float(float64(float32(float(random))), 32)
	case ledger.Binary64:
		return ledger.Float(float(random), 64)
	case ledger.Date:
		return ledger.Seconds(when)
	case ledger.Timestamp:
		return ledger.Instant(when, c.Scale)
	case ledger.Zoned:
		return ledger.WithOffset(when.In(time.FixedZone("", (random.IntN(97)-48)*15*60)), c.Scale)
	case ledger.Local:
		return ledger.WithOffset(when, c.Scale)
	case ledger.Months:
		return ledger.Int(int64(random.IntN(20_000) - 10_000))
	case ledger.Micros:
		return ledger.Int(random.Int64N(2*maxMicros) - maxMicros)
	case ledger.Raw:
		b := make([]byte, 1+random.IntN(c.Size))
		for i := range b {
			b[i] = byte(random.IntN(256))
		}
		return ledger.Bytes(b)
	case ledger.Fixed:
		return fixed(random, c.Size)
	case ledger.Text:
	}
	return text(random, c.Size)
}

// maxMicros is somewhat less than 9999 days.
const maxMicros = 860_000_000_000_000

// digits makes a number of at most so many digits, short and long ones alike.
func digits(random *rand.Rand, most int) *big.Int {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(1+random.IntN(most))), nil)
	n := new(big.Int).SetUint64(random.Uint64())
	n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(random.Uint64())).Mod(n, limit)
	if random.IntN(2) == 0 {
		n.Neg(n)
	}
	return n
}

// float makes numbers that text must not round, and those that are none.
func float(random *rand.Rand) float64 {
	switch random.IntN(12) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1 - 2*random.IntN(2))
	case 2:
		return float64(random.IntN(1000))
	default:
		return random.NormFloat64() * math.Pow10(random.IntN(40)-20)
	}
}

func fixed(random *rand.Rand, size int) ledger.Value {
	from := padded
	if size == 8 {
		from = states
	}
	v := from[random.IntN(len(from))]
	return ledger.Of(v + strings.Repeat(" ", size-utf8.RuneCountInString(v)))
}

// text makes a text of at most so many bytes; where there is room for a long one, now and then one that no single row of
// V$LOGMNR_CONTENTS holds.
func text(random *rand.Rand, size int) ledger.Value {
	v := texts[random.IntN(len(texts))]
	if size >= 1000 && random.IntN(10) == 0 {
		v = strings.Repeat(v, size/len(v))
	}
	return ledger.Of(v)
}

// binds collects the values of a statement.
type binds []any

// place adds a value and returns what stands for it in the text: a placeholder, or a literal for what the driver would pass as
// something else (numbers with a fraction as floats, for one).
func (b *binds) place(c ledger.Column, v ledger.Value) (string, error) {
	if literal := literal(c, v); literal != "" && !v.Null {
		return literal, nil
	}
	value, err := bind(c, v)
	*b = append(*b, value)
	return fmt.Sprintf(":%d", len(*b)), err
}

func literal(c ledger.Column, v ledger.Value) string {
	switch c.Kind {
	case ledger.Decimal, ledger.Variable:
		return v.Text
	case ledger.Binary32:
		return "TO_BINARY_FLOAT('" + v.Text + "')"
	case ledger.Binary64:
		return "TO_BINARY_DOUBLE('" + v.Text + "')"
	case ledger.Zoned, ledger.Local:
		return "TIMESTAMP '" + v.Text + "'"
	case ledger.Months:
		n, sign := magnitude(v)
		return fmt.Sprintf("INTERVAL '%s%d-%d' YEAR(4) TO MONTH", sign, n/12, n%12)
	case ledger.Micros:
		n, sign := magnitude(v)
		s := n / 1_000_000
		return fmt.Sprintf("INTERVAL '%s%d %02d:%02d:%02d.%06d' DAY(4) TO SECOND(6)",
			sign, s/86_400, s/3600%24, s/60%60, s%60, n%1_000_000)
	case ledger.Timestamp:
		if c.Scale != 6 {
			return "TIMESTAMP '" + v.Text + "'"
		}
	default:
	}
	return ""
}

// magnitude takes a whole number apart; a value that is none has no digits to show.
func magnitude(v ledger.Value) (n uint64, sign string) {
	digits, negative := strings.CutPrefix(v.Text, "-")
	if negative {
		sign = "-"
	}
	n, _ = strconv.ParseUint(digits, 10, 64)
	return n, sign
}

func bind(c ledger.Column, v ledger.Value) (any, error) {
	if v.Null {
		return nil, nil
	}
	switch c.Kind {
	case ledger.Date, ledger.Timestamp:
		t, err := v.Time()
		return go_ora.TimeStamp(t), err
	case ledger.Raw:
		return hex.DecodeString(v.Text)
	case ledger.Integer:
		return strconv.ParseInt(v.Text, 10, 64)
	default:
		return v.Text, nil
	}
}
