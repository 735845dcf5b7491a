package scalar

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Settings are the session parameters that conversions depend on.
type Settings struct {
	Date, Timestamp, TimestampTZ *Model
	Decimal, Group               byte
	Offset                       int16     // session time zone, minutes east
	Now                          time.Time // of the statement
}

// Default settings are those of AMERICA.
const (
	DefaultDateFormat        = "DD-MON-RR"
	DefaultTimestampFormat   = "DD-MON-RR HH.MI.SSXFF AM"
	DefaultTimestampTZFormat = "DD-MON-RR HH.MI.SSXFF AM TZR"
	DefaultNumericCharacters = ".,"
)

func kindName(k datum.Kind) string {
	switch k {
	case datum.Number:
		return "NUMBER"
	case datum.Text:
		return "CHAR"
	case datum.Time:
		return "DATE"
	case datum.Zoned:
		return "TIMESTAMP WITH TIME ZONE"
	case datum.Raw:
		return "BINARY"
	case datum.Float:
		return "BINARY_DOUBLE"
	case datum.RowID:
		return "ROWID"
	case datum.Clob:
		return "CLOB"
	case datum.Blob:
		return "BLOB"
	case datum.IntervalYM:
		return "INTERVAL YEAR TO MONTH"
	case datum.IntervalDS:
		return "INTERVAL DAY TO SECOND"
	case datum.Null:
	}
	return "-"
}

func inconsistent(want string, d datum.Datum) error {
	return wire.Errorf(932, "inconsistent datatypes: expected %s got %s", want, kindName(d.Kind))
}

// Kind is the kind of value that a column of type t holds.
func Kind(t datum.Type) datum.Kind {
	switch t.Code {
	case datum.TypeNumber:
		return datum.Number
	case datum.TypeDate, datum.TypeTimestamp:
		return datum.Time
	case datum.TypeTimestampTZ, datum.TypeTimestampLTZ:
		return datum.Zoned
	case datum.TypeRaw, datum.TypeLongRaw:
		return datum.Raw
	case datum.TypeClob:
		return datum.Clob
	case datum.TypeBlob:
		return datum.Blob
	case datum.TypeIntervalYM:
		return datum.IntervalYM
	case datum.TypeIntervalDS:
		return datum.IntervalDS
	case datum.TypeBinaryFloat, datum.TypeBinaryDouble:
		return datum.Float
	case datum.TypeRowID:
		return datum.RowID
	}
	return datum.Text
}

// Convert makes a value of the kind of type t, as an implicit conversion does; from is the type of d, which tells DATE from
// TIMESTAMP.
func (s *Settings) Convert(d datum.Datum, from, t datum.Type) (datum.Datum, error) {
	want := Kind(t)
	if d.Kind == datum.Null || d.Kind == want {
		return d, nil
	}
	switch want {
	case datum.Number:
		return s.toNumber(d)
	case datum.Text:
		return s.ToText(d, from)
	case datum.Time:
		return s.toTime(d, t)
	case datum.Zoned:
		return s.toZoned(d)
	case datum.Raw:
		return toRaw(d)
	case datum.Float:
		return s.toFloat(d)
	case datum.RowID:
		if d.Kind == datum.Text {
			return datum.Datum{Kind: datum.RowID, Text: d.Text}, nil
		}
		return d, inconsistent("ROWID", d)
	case datum.Clob:
		if d.Kind == datum.Text {
			return datum.Datum{Kind: datum.Clob, Text: d.Text}, nil
		}
		return d, inconsistent("CLOB", d)
	case datum.Blob:
		if d.Kind != datum.Raw && d.Kind != datum.Text {
			return d, inconsistent("BLOB", d)
		}
		raw, err := toRaw(d)
		if raw.Kind == datum.Raw {
			raw.Kind = datum.Blob
		}
		return raw, err
	case datum.IntervalYM, datum.IntervalDS:
		if d.Kind == datum.Text {
			return ReadInterval(want, d.Text)
		}
		return d, inconsistent(kindName(want), d)
	case datum.Null:
	}
	return d, nil
}

// What a LOB may hold at most that becomes text or RAW without a function that cuts it.
const (
	maxText = 4000
	maxRaw  = 2000
)

func toRaw(d datum.Datum) (datum.Datum, error) {
	switch d.Kind {
	case datum.Raw:
		return d, nil
	case datum.Text:
		return HexToRaw(d.Text)
	case datum.Blob:
		if len(d.Raw) > maxRaw {
			return d, tooSmall(len(d.Raw), maxRaw)
		}
		if len(d.Raw) == 0 {
			return datum.Datum{}, nil
		}
		return datum.Datum{Kind: datum.Raw, Raw: d.Raw}, nil
	}
	return d, inconsistent("BINARY", d)
}

func tooSmall(actual, maximum int) error {
	return wire.Errorf(22835, "Buffer too small for CLOB to CHAR or BLOB to RAW conversion (actual: %d, maximum: %d)", actual, maximum)
}

func (s *Settings) toNumber(d datum.Datum) (datum.Datum, error) {
	switch d.Kind {
	case datum.Text:
		n, err := ParseNumber(d.Text, s.Decimal)
		return datum.Datum{Kind: datum.Number, Number: n}, err
	case datum.Float:
		n := new(apd.Decimal)
		if math.IsNaN(d.Float) || math.IsInf(d.Float, 0) {
			return d, wire.Errorf(1426, "numeric overflow")
		}
		if _, err := n.SetFloat64(d.Float); err != nil {
			return d, wire.Errorf(1426, "numeric overflow")
		}
		return datum.Datum{Kind: datum.Number, Number: n}, Round(n)
	}
	return d, inconsistent("NUMBER", d)
}

func (s *Settings) toFloat(d datum.Datum) (datum.Datum, error) {
	if d.Kind == datum.Text {
		f, err := strconv.ParseFloat(strings.TrimSpace(d.Text), 64)
		if err != nil {
			return d, errNumber()
		}
		return datum.Datum{Kind: datum.Float, Float: f}, nil
	}
	if d.Kind != datum.Number {
		return d, inconsistent("BINARY_DOUBLE", d)
	}
	f, err := d.Number.Float64()
	if err != nil && !math.IsInf(f, 0) && f != 0 {
		return d, errNumber()
	}
	return datum.Datum{Kind: datum.Float, Float: f}, nil
}

// ToText is TO_CHAR without a format.
func (s *Settings) ToText(d datum.Datum, from datum.Type) (datum.Datum, error) {
	switch d.Kind {
	case datum.Number:
		return Text(NumberText(d.Number, s.Decimal)), nil
	case datum.Time:
		if from.Code == datum.TypeTimestamp {
			return Text(s.Timestamp.Format(d, from.Size)), nil
		}
		return Text(s.Date.Format(d, 0)), nil
	case datum.Zoned:
		if from.Code == datum.TypeTimestampLTZ {
			return Text(s.Timestamp.Format(Zone(Instant(d), s.Offset), from.Size)), nil
		}
		return Text(s.TimestampTZ.Format(d, from.Size)), nil
	case datum.Raw:
		return Text(strings.ToUpper(hex.EncodeToString(d.Raw))), nil
	case datum.Float:
		return Text(FloatText(d.Float, from.Code == datum.TypeBinaryFloat)), nil
	case datum.RowID:
		return Text(d.Text), nil
	case datum.Clob:
		if len(d.Text) > maxText {
			return d, tooSmall(len(d.Text), maxText)
		}
		return Text(d.Text), nil
	case datum.Blob:
		return d, inconsistent("CHAR", d)
	case datum.IntervalYM, datum.IntervalDS:
		return Text(IntervalText(d, from)), nil
	case datum.Text, datum.Null:
	}
	return d, nil
}

// FloatText is TO_CHAR of a BINARY_FLOAT or BINARY_DOUBLE.
func FloatText(f float64, single bool) string {
	switch {
	case math.IsNaN(f):
		return "Nan"
	case math.IsInf(f, 1):
		return "Inf"
	case math.IsInf(f, -1):
		return "-Inf"
	case f == 0:
		return "0"
	}
	precision := 16
	if single {
		precision = 8
	}
	text := strconv.FormatFloat(f, 'E', precision, 64)
	mantissa, exp, _ := strings.Cut(text, "E")
	sign, digits := exp[:1], exp[1:]
	return mantissa + "E" + sign + strings.Repeat("0", 3-len(digits)) + digits
}

func (s *Settings) toTime(d datum.Datum, t datum.Type) (datum.Datum, error) {
	switch d.Kind {
	case datum.Text:
		m := s.Date
		if t.Code == datum.TypeTimestamp {
			m = s.Timestamp
		}
		v, err := m.Parse(d.Text, s.Now, s.Offset)
		v.Kind = datum.Time
		v.Offset = 0
		return v, err
	case datum.Zoned:
		return Date(d.Time), nil
	}
	return d, inconsistent("DATE", d)
}

func (s *Settings) toZoned(d datum.Datum) (datum.Datum, error) {
	switch d.Kind {
	case datum.Text:
		v, err := s.TimestampTZ.Parse(d.Text, s.Now, s.Offset)
		if err == nil && v.Kind == datum.Time {
			v.Kind, v.Offset = datum.Zoned, s.Offset
		}
		return v, err
	case datum.Time:
		return datum.Datum{Kind: datum.Zoned, Time: d.Time, Offset: s.Offset}, nil
	}
	return d, inconsistent("TIMESTAMP WITH TIME ZONE", d)
}

// HexToRaw is HEXTORAW.
func HexToRaw(text string) (datum.Datum, error) {
	if len(text)%2 == 1 {
		text = "0" + text
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return datum.Datum{}, wire.Errorf(1465, "invalid hex number")
	}
	if len(raw) == 0 {
		return datum.Datum{}, nil
	}
	return datum.Datum{Kind: datum.Raw, Raw: raw}, nil
}
