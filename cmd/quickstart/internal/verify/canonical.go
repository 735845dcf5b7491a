package verify

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/Jeffail/gabs/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// readRow reads a struct of the record format: it has exactly the columns' fields.
func readRow(row *gabs.Container, columns []ledger.Column) (ledger.Row, error) {
	fields, ok := row.Data().(map[string]any)
	if !ok {
		return nil, fmt.Errorf("not an object but %T", row.Data())
	}
	if len(fields) != len(columns) {
		return nil, fmt.Errorf("%d fields, want %d", len(fields), len(columns))
	}
	values := make(ledger.Row, len(columns))
	for i, c := range columns {
		field, ok := fields[c.Name]
		if !ok {
			return nil, fmt.Errorf("field %s is missing", c.Name)
		}
		v, err := readValue(field, c)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", c.Name, err)
		}
		values[i] = v
	}
	return values, nil
}

// readValue turns a field into canonical text, by the table "Column types" of the record format.
func readValue(field any, c ledger.Column) (ledger.Value, error) {
	if field == nil {
		return ledger.Null(), nil
	}
	switch c.Kind {
	case ledger.Integer:
		n, err := whole(field)
		return ledger.Int(n), err
	case ledger.Decimal:
		unscaled, err := unscaled(field)
		return ledger.Scaled(unscaled, c.Scale), err
	case ledger.Variable:
		return variable(field)
	case ledger.Binary32, ledger.Binary64:
		return float(field, floatBits(c.Kind))
	case ledger.Text, ledger.Fixed:
		text, ok := field.(string)
		if !ok || text == "" {
			return ledger.Value{}, fmt.Errorf("not a text with content but %T", field)
		}
		return ledger.Of(text), nil
	case ledger.Date:
		n, err := whole(field)
		if n%1000 != 0 {
			return ledger.Value{}, fmt.Errorf("a DATE has no fraction of a second")
		}
		return ledger.Seconds(time.UnixMilli(n).UTC()), err
	case ledger.Timestamp:
		return instant(field, c.Scale)
	case ledger.Zoned, ledger.Local:
		return withOffset(field, c)
	case ledger.Months:
		// A month is a twelfth of 365.25 days.
		return multiple(field, 2_629_800_000_000)
	case ledger.Micros:
		return multiple(field, 1)
	case ledger.Raw:
		b, err := binary(field)
		return ledger.Bytes(b), err
	}
	return ledger.Value{}, fmt.Errorf("unknown kind %d", c.Kind)
}

func whole(field any) (int64, error) {
	n, ok := field.(json.Number)
	if !ok {
		return 0, fmt.Errorf("not a number but %T", field)
	}
	return strconv.ParseInt(n.String(), 10, 64)
}

func binary(field any) ([]byte, error) {
	text, ok := field.(string)
	if !ok {
		return nil, fmt.Errorf("not base64 but %T", field)
	}
	return base64.StdEncoding.DecodeString(text)
}

// unscaled reads the two's complement bytes of a Connect Decimal.
func unscaled(field any) (*big.Int, error) {
	b, err := binary(field)
	if err != nil {
		return new(big.Int), err
	}
	if len(b) == 0 {
		return new(big.Int), fmt.Errorf("a decimal without bytes")
	}
	n := new(big.Int).SetBytes(b)
	if b[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n, nil
}

func variable(field any) (ledger.Value, error) {
	object, ok := field.(map[string]any)
	if !ok || len(object) != 2 {
		return ledger.Value{}, fmt.Errorf("not a variable scale decimal but %T", field)
	}
	scale, err := whole(object["scale"])
	if err != nil {
		return ledger.Value{}, err
	}
	n, err := unscaled(object["value"])
	return ledger.Scaled(n, int(scale)), err
}

// float reads a number as Java prints it; what JSON has no number for comes as text.
func float(field any, bits int) (ledger.Value, error) {
	var text string
	switch v := field.(type) {
	case json.Number:
		text = v.String()
	case string:
		if v != "NaN" && v != "Infinity" && v != "-Infinity" {
			return ledger.Value{}, fmt.Errorf("a floating point number as text of %d characters", len(v))
		}
		text = v
	default:
		return ledger.Value{}, fmt.Errorf("not a number but %T", field)
	}
	f, err := strconv.ParseFloat(text, bits)
	return ledger.Float(f, bits), err
}

// instant reads a count since 1970: milliseconds up to 3 digits of a second, microseconds up to 6, else nanoseconds.
func instant(field any, digits int) (ledger.Value, error) {
	n, err := whole(field)
	if err != nil {
		return ledger.Value{}, err
	}
	t, shown := time.UnixMilli(n), 3
	switch {
	case digits > 6:
		t, shown = time.Unix(0, n), 9
	case digits > 3:
		t, shown = time.UnixMicro(n), 6
	}
	for range shown - digits {
		if n%10 != 0 {
			return ledger.Value{}, fmt.Errorf("finer than %d digits of a second", digits)
		}
		n /= 10
	}
	return ledger.Instant(t.UTC(), digits), nil
}

// withOffset reads ISO 8601 with exactly the column's digits of a second, in UTC where the column has no zone of its own.
func withOffset(field any, c ledger.Column) (ledger.Value, error) {
	text, ok := field.(string)
	if !ok {
		return ledger.Value{}, fmt.Errorf("not a text but %T", field)
	}
	layout := "2006-01-02T15:04:05"
	if c.Scale > 0 {
		layout += "." + strings.Repeat("0", c.Scale)
	}
	layout += "Z07:00"
	t, err := time.Parse(layout, text)
	if err != nil {
		return ledger.Value{}, err
	}
	if t.Format(layout) != text || c.Kind == ledger.Local && !strings.HasSuffix(text, "Z") {
		return ledger.Value{}, fmt.Errorf("not of the form %s", layout)
	}
	return ledger.WithOffset(t, c.Scale), nil
}

// multiple reads the floating point number that is nearest to so many units.
func multiple(field any, unit float64) (ledger.Value, error) {
	n, ok := field.(json.Number)
	if !ok {
		return ledger.Value{}, fmt.Errorf("not a number but %T", field)
	}
	f, err := n.Float64()
	units := math.Round(f / unit)
	if err != nil || units*unit != f || math.Abs(units) > 1<<53 {
		return ledger.Value{}, errors.Join(fmt.Errorf("not a whole number of %.0f microseconds", unit), err)
	}
	return ledger.Int(int64(units)), nil
}
