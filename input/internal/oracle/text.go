package oracle

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Text receives any column that this product reads, NULL as the empty text, which Oracle does not tell apart either. A
// NUMBER arrives with all its digits, a DATE as wall clock YYYY-MM-DD HH:MM:SS, a RAW as hexadecimal digits
// (reference tns-server 14.5).
type Text string

// Scan implements sql.Scanner.
func (t *Text) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*t = ""
	case string:
		*t = Text(v)
	case []byte:
		*t = Text(strings.ToUpper(hex.EncodeToString(v)))
	case time.Time:
		*t = Text(v.Format(time.DateTime))
	case int64:
		*t = Text(strconv.FormatInt(v, 10))
	case float64:
		*t = Text(strconv.FormatFloat(v, 'f', -1, 64))
	default:
		return fmt.Errorf("a column of type %T", src)
	}
	return nil
}

// Int reads a whole number; NULL is 0.
func (t Text) Int() (int, error) {
	if t == "" {
		return 0, nil
	}
	return strconv.Atoi(string(t))
}

// Uint64 reads an unsigned number; NULL is 0.
func (t Text) Uint64() (uint64, error) {
	if t == "" {
		return 0, nil
	}
	return strconv.ParseUint(string(t), 10, 64)
}

// SCN reads an SCN; NULL is 0.
func (t Text) SCN() (position.SCN, error) {
	n, err := t.Uint64()
	return position.SCN(n), err
}

// Yes reports Oracle's YES.
func (t Text) Yes() bool { return t == "YES" || t == "Y" }

// Numbers reads several columns at once and reports the first that is not a number by its name.
func Numbers(columns ...Number) error {
	for _, c := range columns {
		n, err := c.From.Int()
		if err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
		*c.Into = n
	}
	return nil
}

// Number is a column read by Numbers.
type Number struct {
	Name string
	From Text
	Into *int
}
