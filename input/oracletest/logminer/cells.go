package logminer

import (
	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// numbers makes NUMBER cells of one column. Rows that follow each other mostly repeat them, and what is new comes from a
// block: a decimal of its own for every cell would be the largest part of a row's cost.
type numbers struct {
	last  uint64
	cell  *apd.Decimal
	block []apd.Decimal
}

// Most decimals that a block holds. The first ones are small: most queries are.
const decimalBlock = 256

func (n *numbers) set(d *datum.Datum, value uint64) {
	d.Kind = datum.Number
	if n.cell == nil || n.last != value {
		if len(n.block) == 0 {
			n.block = make([]apd.Decimal, min(decimalBlock, 2*cap(n.block)+4))
		}
		n.last, n.cell = value, &n.block[0]
		n.cell.Coeff.SetUint64(value)
		n.block = n.block[1:]
	}
	d.Number = n.cell
}

// setText makes a VARCHAR2 cell; empty text is NULL.
func setText(d *datum.Datum, text string) {
	d.Text = text
	if text == "" {
		d.Kind = datum.Null
		return
	}
	d.Kind = datum.Text
}

func setNull(d *datum.Datum) { d.Kind = datum.Null }
