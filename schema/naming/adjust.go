package naming

import (
	"strconv"
	"strings"
	"unicode/utf16"
)

// Adjustment is records.schema_name_adjustment and records.field_name_adjustment: what becomes of characters that Avro does not
// allow in names.
type Adjustment string

// Adjustments.
const (
	Unadjusted  Adjustment = "none"
	Avro        Adjustment = "avro"
	AvroUnicode Adjustment = "avro_unicode"
)

// Adjuster changes names by one adjustment, in the way of seed 001 or, with Whole, in Debezium's: that takes a dotted name as one,
// so that only its first character is a beginning, and writes three hexadecimal digits where a character has three (reference
// debezium-format 4.2).
type Adjuster struct {
	Adjustment Adjustment
	Whole      bool
}

// Schema adjusts the name of a schema; its dots stay.
func (a Adjuster) Schema(name string) string {
	if a.Whole || a.Adjustment != Avro && a.Adjustment != AvroUnicode {
		return a.adjust(name, true)
	}
	parts := strings.Split(name, ".")
	for i := range parts {
		parts[i] = a.adjust(parts[i], false)
	}
	return strings.Join(parts, ".")
}

// Field adjusts the name of a field.
func (a Adjuster) Field(name string) string { return a.adjust(name, false) }

func (a Adjuster) adjust(name string, dots bool) string {
	if a.Adjustment != Avro && a.Adjustment != AvroUnicode {
		return name
	}
	var b strings.Builder
	for i, unit := range utf16.Encode([]rune(name)) {
		digit := unit >= '0' && unit <= '9'
		switch {
		case unit >= 'a' && unit <= 'z', unit >= 'A' && unit <= 'Z', digit && i > 0, unit == '.' && dots && i > 0,
			unit == '_' && a.Adjustment == Avro:
			b.WriteByte(byte(unit))
		case a.Adjustment == AvroUnicode:
			b.WriteString(a.escape(unit))
		case digit:
			b.WriteString("_" + string(rune(unit)))
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

func (a Adjuster) escape(unit uint16) string {
	hex := strconv.FormatUint(uint64(unit), 16)
	switch {
	case !a.Whole:
		hex = strings.Repeat("0", 4-len(hex)) + hex
	case len(hex) <= 2:
		hex = "00" + hex
	}
	return "_u" + hex
}
