package decode

import (
	"errors"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Fault is the class of an Error.
type Fault uint8

// The classes of fault.
const (
	// Damaged: the text is no statement that LogMiner writes for the row's operation.
	Damaged Fault = iota + 1
	// Generic: all names are generic, LogMiner's dictionary is not the row's (R41).
	Generic
	// Mismatch: table or column names are not those of the version.
	Mismatch
	// UnsupportedColumn: the row gives a column of a type that is not captured.
	UnsupportedColumn
	// BadValue: a literal is none of its column's type.
	BadValue
	// Untrusted: the row has generic names, and what it holds is not certain to be what the version says of it (R44, R47).
	Untrusted
)

// Error says why a row cannot be decoded. It holds names and types, never a value.
type Error struct {
	Fault Fault
	// Column and Type name the column, empty where the fault is not about one.
	Column, Type string
	Reason       string
	// Err is the cause, nil without one.
	Err error
}

// Error gives the reason with the column.
func (e *Error) Error() string {
	s := e.Reason
	if e.Column != "" {
		s = `column "` + e.Column + `"`
		if e.Type != "" {
			s += " of type " + e.Type
		}
		s += ": " + e.Reason
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Code gives the code of the stop that an error of this package ends in when its transaction commits (R22).
func Code(err error) stop.Code {
	var e *Error
	if errors.As(err, &e) && (e.Fault == Generic || e.Fault == Untrusted) {
		return stop.NoDictionary
	}
	return stop.Undecodable
}

// reason says why a literal gives no value; empty: it gives one.
type reason string

// Reasons of BadValue and UnsupportedColumn.
const (
	badForm      reason = "the literal is not of a form that this type has"
	badShown     reason = "LogMiner does not show the value of this type"
	notCaptured  reason = "values of this type are not captured"
	badNumber    reason = "not a decimal number with a point"
	badFloat     reason = "not a floating point number"
	badHex       reason = "not an even number of hexadecimal digits"
	badUTF8      reason = "text is not valid in the character set of the session"
	badUnistr    reason = "damaged escape in UNISTR"
	badSurrogate reason = "half of a surrogate pair in UNISTR"
	badDate      reason = "not a date in the format given"
	badFormat    reason = "the date format is not known"
	badZone      reason = "no time zone offset where one belongs, or one where none belongs"
	badInterval  reason = "not an interval of this type"
	badRowID     reason = "not a ROWID"
)

// Reasons of Untrusted: the bytes are none that Oracle stores for the type, or say too little.
const (
	notHex         reason = "the value of a generic name is not the bytes of one value in HEXTORAW"
	badLength      reason = "the bytes are too few or too many for the type"
	badNumberBytes reason = "the bytes are not the one form that a NUMBER is stored in"
	badDigits      reason = "the number has more digits than the type"
	badFloatBytes  reason = "the bytes are no number that the type stores"
	badDateBytes   reason = "a field of the date or time is out of range"
	badFraction    reason = "the fraction has more digits than the type"
	badFields      reason = "a field of the interval is out of range"
	badPadding     reason = "the text does not have the length of the type"
	badCharacters  reason = "the bytes are not valid in the character set of the database"
	noCharset      reason = "the character set of the database is not known here"
	zoneRegion     reason = "the time zone is a region or damaged; its offset is not in the bytes"
	zoneShift      reason = "the time zone moves a date to another day in a calendar that is not certain"
	noZone         reason = "DBTIMEZONE is not an offset"
	notNullable    reason = "NULL in a column that is NOT NULL"
)
