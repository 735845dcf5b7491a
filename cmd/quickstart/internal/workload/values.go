package workload

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// texts are what applications store and parsers stumble over.
var texts = []string{
	"Ada Lovelace", "O'Brien", "''", "naïve café", "漢字", "\\u0041 stays text", "a;b--c/*d*/", " leading and trailing ",
	`"quoted"`, "and \"ID\" = '1'", "x = NULL", "😀",
}

var states = []string{"NEW", "PAID", "SHIPPED", "CLOSED", "LOST"}

// newRow makes a row of a table: its key, the tag, and values of all kinds in the rest.
func newRow(random *rand.Rand, table *ledger.Table, key ledger.Row, tag string) ledger.Row {
	row := make(ledger.Row, len(table.Columns))
	copy(row, key)
	for i, c := range table.Columns {
		switch {
		case c.Key:
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
		random.IntN(24), random.IntN(60), random.IntN(60), random.IntN(1e6)*1000, time.UTC)
	switch c.Kind {
	case ledger.Integer:
		return ledger.Int(int64(random.IntN(200) - 100))
	case ledger.Decimal:
		return ledger.Scaled(big.NewInt(random.Int64N(2e11)-1e11), c.Scale)
	case ledger.Variable:
		return ledger.Scaled(big.NewInt(random.Int64N(2e9)-1e9), random.IntN(12))
	case ledger.Date:
		return ledger.Seconds(when)
	case ledger.Timestamp:
		return ledger.Micros(when)
	case ledger.Raw:
		b := make([]byte, 1+random.IntN(16))
		for i := range b {
			b[i] = byte(random.IntN(256))
		}
		return ledger.Bytes(b)
	case ledger.Text:
	}
	if c.Name == "STATUS" {
		// CHAR is padded with blanks.
		return ledger.Of(fmt.Sprintf("%-8s", states[random.IntN(len(states))]))
	}
	return ledger.Of(texts[random.IntN(len(texts))])
}

// binds collects the values of a statement.
type binds []any

// place adds a value and returns what stands for it in the text: a placeholder, or a literal for numbers with a fraction, which
// the driver would pass as floats.
func (b *binds) place(c ledger.Column, v ledger.Value) (string, error) {
	if !v.Null && (c.Kind == ledger.Decimal || c.Kind == ledger.Variable) {
		return v.Text, nil
	}
	value, err := bind(c, v)
	*b = append(*b, value)
	return fmt.Sprintf(":%d", len(*b)), err
}

func bind(c ledger.Column, v ledger.Value) (any, error) {
	if v.Null {
		return nil, nil
	}
	switch c.Kind {
	case ledger.Date:
		t, err := time.Parse(time.DateTime, v.Text)
		return go_ora.TimeStamp(t), err
	case ledger.Timestamp:
		t, err := time.Parse("2006-01-02 15:04:05.000000", v.Text)
		return go_ora.TimeStamp(t), err
	case ledger.Raw:
		return hex.DecodeString(v.Text)
	case ledger.Integer:
		return strconv.ParseInt(v.Text, 10, 64)
	default:
		return v.Text, nil
	}
}
