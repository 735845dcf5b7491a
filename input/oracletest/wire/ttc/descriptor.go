package ttc

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"

// Type codes that only binds use.
const (
	bindBinaryInteger datum.TypeCode = 3 // its values are NUMBERs
	bindVarnum        datum.TypeCode = 6
	bindLongVarchar   datum.TypeCode = 94
	bindLongVarraw    datum.TypeCode = 95
	bindTimestamp     datum.TypeCode = 187
	bindTimestampTZ   datum.TypeCode = 188
	bindIntervalYM    datum.TypeCode = 189
	bindIntervalDS    datum.TypeCode = 190
	bindURowID        datum.TypeCode = 208
	bindTimestampLTZ  datum.TypeCode = 232
)

const (
	// flagRepeated marks a bind whose value is not sent: its name stood in the statement before. go-ora sets
	// it for named binds of queries and DML.
	flagRepeated = 0x80
	// contPrefetch asks for length and chunk size of a LOB with its locator.
	contPrefetch = 0x2000000
	// maxString is the largest string, in bytes (run-time capability 6).
	maxString = 32767
	// maxArray bounds the elements of a PL/SQL array bind.
	maxArray = 1 << 20
)

// Descriptor describes a bind or a define.
type Descriptor struct {
	Code      datum.TypeCode
	Flags     byte
	Size      int
	ArraySize int
	ContFlags uint64
	Charset   int
	Form      byte
	Chars     int
}

// Decode reads the descriptor.
func (m *Descriptor) Decode(r *Reader, d Dialect) error {
	m.Code = datum.TypeCode(r.U8())
	m.Flags = r.U8()
	r.Skip(2) // precision, scale
	m.Size = r.UB4()
	m.ArraySize = r.Count(maxArray)
	m.ContFlags = r.UB8()
	r.Dlc() // type id
	r.SkipUB(1)
	m.Charset = r.UB2()
	m.Form = r.U8()
	m.Chars = r.UB4()
	if d.FieldVersion >= 8 {
		r.SkipUB(1)
	}
	return r.Err()
}

// Repeated reports whether no value is sent for the bind, because its name occurred before.
func (m *Descriptor) Repeated() bool { return m.Flags == flagRepeated }

// Last reports whether the value comes behind all others in a row. python-oracledb (seen with 1.2.1) does so
// also with values larger than a string can be, except in a PL/SQL block, and leaves them their type.
func (m *Descriptor) Last(block bool) bool {
	switch m.Code {
	case datum.TypeLong, datum.TypeLongRaw, bindLongVarchar, bindLongVarraw:
		return true
	case datum.TypeVarchar, datum.TypeChar, datum.TypeRaw:
		return !block && m.Size > maxString
	default:
		return false
	}
}

// Lob is the form of the LOB values of a define or OUT bind.
func (m *Descriptor) Lob() LobForm {
	if m.ContFlags&contPrefetch == 0 {
		return LobForm{}
	}
	return LobForm{Sized: true, Prefetch: m.Chars}
}

// Type is the type of the bind as the database knows it.
func (m *Descriptor) Type() datum.Type {
	t := datum.Type{Code: m.Code, Size: m.Size, National: m.Form == FormNational}
	switch m.Code {
	case bindBinaryInteger, bindVarnum:
		t.Code = datum.TypeNumber
	case bindLongVarchar:
		t.Code = datum.TypeLong
	case bindLongVarraw:
		t.Code = datum.TypeLongRaw
	case bindTimestamp:
		t.Code = datum.TypeTimestamp
	case bindTimestampTZ:
		t.Code = datum.TypeTimestampTZ
	case bindTimestampLTZ:
		t.Code = datum.TypeTimestampLTZ
	case bindIntervalYM:
		t.Code = datum.TypeIntervalYM
	case bindIntervalDS:
		t.Code = datum.TypeIntervalDS
	case bindURowID:
		t.Code = datum.TypeRowID
	default: // the others are types of the database as they are
	}
	if t.National && m.Chars > 0 {
		t.Size = m.Chars
	}
	return t
}
