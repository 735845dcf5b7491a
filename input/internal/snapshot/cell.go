package snapshot

import (
	"errors"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// cell receives one value of a row from the driver: texts and NUMBER as string, RAW as bytes, the binary floating point types as
// numbers (reference tns-server 14.5).
type cell struct {
	form   form
	text   string
	number float64
}

var errForm = errors.New("the driver gives it in a form that its type does not have")

// form is what the driver gave.
type form uint8

const (
	null form = iota
	text
	raw
	float
)

// Scan implements sql.Scanner.
func (c *cell) Scan(src any) error {
	*c = cell{}
	switch v := src.(type) {
	case nil:
	case string:
		c.form, c.text = text, v
	case []byte:
		c.form, c.text = raw, string(v)
	case float64:
		c.form, c.number = float, v
	case float32:
		c.form, c.number = float, float64(v)
	default:
		return fmt.Errorf("the driver gives a %T", src)
	}
	return nil
}

// value reads what the driver gave for a column. Another form than the column's type has means that the query ran over another
// layout, or that the driver changed its mind.
func (c *cell) value(of *schema.Column) (value.Value, error) {
	if c.form == null {
		return value.OfNull(), nil
	}
	want := text
	switch of.Type.Kind {
	case schema.Raw:
		want = raw
	case schema.BinaryFloat, schema.BinaryDouble:
		want = float
	default:
	}
	switch {
	case c.form != want:
		return value.Value{}, errForm
	case of.Type.Kind == schema.BinaryFloat:
		return value.OfFloat32(float32(c.number)), nil
	case of.Type.Kind == schema.BinaryDouble:
		return value.OfFloat64(c.number), nil
	}
	return decode.Shown(of, c.text)
}
