package scalar

import (
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Target names the column that a value goes into, for the texts of ORA-12899 and ORA-01438.
type Target struct {
	Owner, Table, Column string
	Type                 datum.Type
}

// Fit converts a value and gives it the shape the column stores: scale, padding, fraction; a value that is too large is refused.
func (s *Settings) Fit(d datum.Datum, from datum.Type, to *Target) (datum.Datum, error) {
	if d.Kind == datum.Null {
		return d, nil
	}
	d, err := s.Convert(d, from, to.Type)
	if err != nil {
		return d, err
	}
	switch to.Type.Code {
	case datum.TypeNumber:
		return fitNumber(d, to)
	case datum.TypeVarchar, datum.TypeChar:
		return fitText(d, to)
	case datum.TypeRaw:
		if len(d.Raw) > to.Type.Size {
			return d, to.tooLarge(len(d.Raw))
		}
	case datum.TypeDate:
		d.Time.Nano = 0
	case datum.TypeTimestamp, datum.TypeTimestampTZ:
		d.Time = RoundFraction(d.Time, to.Type.Size)
	case datum.TypeTimestampLTZ:
		// Stored in DBTIMEZONE, which is UTC here.
		d = datum.Datum{Kind: datum.Zoned, Time: RoundFraction(UTC(d), to.Type.Size)}
	case datum.TypeIntervalYM, datum.TypeIntervalDS:
		return fitInterval(d, to)
	case datum.TypeBinaryFloat:
		d.Float = noNegativeZero(float64(float32(d.Float)))
	case datum.TypeBinaryDouble:
		d.Float = noNegativeZero(d.Float)
	}
	return d, nil
}

// noNegativeZero stores -0 as 0, as Oracle does (SQL Reference, "Floating-Point Numbers").
func noNegativeZero(f float64) float64 {
	if f == 0 {
		return 0
	}
	return f
}

func (to *Target) tooLarge(actual int) error {
	return wire.Errorf(12899, "value too large for column \"%s\".\"%s\".\"%s\" (actual: %d, maximum: %d)",
		to.Owner, to.Table, to.Column, actual, to.Type.Size)
}

func fitText(d datum.Datum, to *Target) (datum.Datum, error) {
	length := len(d.Text)
	if to.Type.CharUsed || to.Type.National {
		length = utf8.RuneCountInString(d.Text)
	}
	if length > to.Type.Size {
		return d, to.tooLarge(length)
	}
	if to.Type.Code == datum.TypeChar && length < to.Type.Size {
		d.Text += strings.Repeat(" ", to.Type.Size-length)
	}
	return d, nil
}

func fitNumber(d datum.Datum, to *Target) (datum.Datum, error) {
	t := to.Type
	n := d.Number
	if t.Float {
		return datum.Datum{Kind: datum.Number, Number: roundBinary(n, t.Precision)}, nil
	}
	if t.HasScale {
		n = RoundTo(n, t.Scale)
	}
	// INTEGER has 38 digits without saying so.
	precision := t.Precision
	if t.HasScale && !t.HasPrecision {
		precision = 38
	}
	if precision > 0 && n.Coeff.Sign() != 0 && leading(n) >= int64(precision-t.Scale) {
		return d, wire.Errorf(1438, "value larger than specified precision allowed for this column")
	}
	return datum.Datum{Kind: datum.Number, Number: n}, nil
}

// roundBinary rounds a FLOAT(bits): bits * 0.30103 decimal digits.
func roundBinary(n *apd.Decimal, bits int) *apd.Decimal {
	digits := (bits*30103 + 99999) / 100000
	if n.NumDigits() <= int64(digits) {
		return n
	}
	d := new(apd.Decimal)
	if _, err := wide().WithPrecision(uint32(digits)).Round(d, n); err != nil {
		return n
	}
	Normalize(d)
	return d
}
