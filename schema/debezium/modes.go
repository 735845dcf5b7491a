package debezium

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// Decimals is records.decimals: how NUMBER and FLOAT are written.
type Decimals string

// Modes of decimals.
const (
	PreciseDecimals Decimals = "precise"
	TextDecimals    Decimals = "string"
	DoubleDecimals  Decimals = "double"
)

// Temporals is records.temporals: how DATE and the TIMESTAMP types are written. A profile has some of the modes.
type Temporals string

// Modes of temporals.
const (
	AdaptiveTimes    Temporals = "adaptive"
	LocalISOTimes    Temporals = "iso_string"
	ConnectTimes     Temporals = "connect"
	MicrosecondTimes Temporals = "microseconds"
	NanosecondTimes  Temporals = "nanoseconds"
	ISOTimes         Temporals = "isostring"
	StructuredTimes  Temporals = "structured"
)

// Intervals is records.intervals.
type Intervals string

// Modes of intervals.
const (
	NumericIntervals Intervals = "numeric"
	TextIntervals    Intervals = "string"
)

// Binary is records.binary: how RAW and BLOB are written.
type Binary string

// Modes of binary values.
const (
	PlainBytes    Binary = "bytes"
	Base64Text    Binary = "base64"
	Base64URLText Binary = "base64_url_safe"
	HexText       Binary = "hex"
)

// style is a form with the name of its Connect schema, empty without one.
type style struct {
	form     form
	semantic string
}

// clock is a mode of temporals.
type clock struct {
	// coarse is for DATE and TIMESTAMP(0) to (3), middle for (4) to (6), fine for (7) to (9).
	coarse, middle, fine style
	zoned, utc           style
	// interval goes before records.intervals where it is set.
	interval style
}

// binaryStyles are the modes of binary, which all profiles share.
func binaryStyle(mode Binary) (style, bool) {
	switch mode {
	case PlainBytes:
		return style{form: rawBytes}, true
	case Base64Text:
		return style{form: base64Text}, true
	case Base64URLText:
		return style{form: base64URLText}, true
	case HexText:
		return style{form: hexText}, true
	}
	return style{}, false
}

// withDefaults fills in what is not set.
func (s Settings) withDefaults() Settings {
	if s.Placeholder == "" {
		s.Placeholder = s.Profile.placeholder
	}
	if s.Encoding == "" {
		s.Encoding = JSON
	}
	if s.Decimals == "" {
		s.Decimals = PreciseDecimals
	}
	if s.Temporals == "" {
		s.Temporals = AdaptiveTimes
	}
	if s.Intervals == "" {
		s.Intervals = NumericIntervals
	}
	if s.Binary == "" {
		s.Binary = PlainBytes
	}
	return s
}

// Validate names a mode that the profile does not have.
func (s Settings) Validate() error {
	s = s.withDefaults()
	encodings := []Encoding{JSON, JSONSchema}
	if !slices.Contains(encodings, s.Encoding) || !slices.Contains(encodings, s.keyEncoding()) {
		return fmt.Errorf("encoding and key_encoding must be one of json, json_schema; they are %q and %q", s.Encoding, s.KeyEncoding)
	}
	for _, a := range []naming.Adjustment{s.SchemaNames, s.FieldNames} {
		if !slices.Contains([]naming.Adjustment{"", naming.Unadjusted, naming.Avro, naming.AvroUnicode}, a) {
			return fmt.Errorf("schema_name_adjustment and field_name_adjustment must be one of none, avro, avro_unicode; one is %q", a)
		}
	}
	if !slices.Contains([]Decimals{PreciseDecimals, TextDecimals, DoubleDecimals}, s.Decimals) {
		return fmt.Errorf("decimals must be one of precise, string, double; it is %q", s.Decimals)
	}
	if _, ok := s.Profile.temporals[s.Temporals]; !ok {
		return fmt.Errorf("temporals of profile %s must be one of %s; it is %q", s.Profile.Name, listed(s.Profile.temporals), s.Temporals)
	}
	if _, ok := s.Profile.intervals[s.Intervals]; !ok {
		return fmt.Errorf("intervals must be one of %s; it is %q", listed(s.Profile.intervals), s.Intervals)
	}
	if _, ok := binaryStyle(s.Binary); !ok {
		return fmt.Errorf("binary must be one of bytes, base64, base64_url_safe, hex; it is %q", s.Binary)
	}
	if s.Redo && len(s.Masks) > 0 {
		return errors.New("redo_sql shows the values that columns.mask hides; leave one of the two")
	}
	if s.Redo && !s.Profile.has(redoText) {
		return fmt.Errorf("redo_sql needs a profile that has it; %s has not", s.Profile.Name)
	}
	return s.validateFlat()
}

func listed[K ~string, V any](modes map[K]V) string {
	names := make([]string, 0, len(modes))
	for _, k := range slices.Sorted(maps.Keys(modes)) {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
