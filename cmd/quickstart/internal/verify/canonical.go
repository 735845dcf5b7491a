package verify

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
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
	case ledger.Text:
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
		n, err := whole(field)
		return ledger.Micros(time.UnixMicro(n).UTC()), err
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
