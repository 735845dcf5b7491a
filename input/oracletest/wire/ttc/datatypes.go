package ttc

// Representations of the type SB1: they decide how a column's scale is written (reference tns-server 5.3).
const (
	typeSB1   = 27
	repNative = 10
)

const timeZoneBlock = 11

// DataTypesRequest is message 2 of the client.
type DataTypesRequest struct {
	FieldVersion uint8
	PrefixedText bool
	NativeScale  bool
	// TimeZone says that the client wants the time zone block in the answer.
	TimeZone bool
}

// Decode reads the message behind its code.
func (m *DataTypesRequest) Decode(r *Reader) error {
	r.U16LE()
	r.U16LE()
	m.PrefixedText = r.U8()&0x02 != 0
	compile := r.Bytes(int(r.U8()))
	run := r.Bytes(int(r.U8()))
	if len(compile) <= capTypeWidth || compile[capTypeWidth] == 0 {
		r.Fail("client without type codes of two bytes")
		return r.Err()
	}
	m.FieldVersion = compile[capFieldVersion]
	if len(run) > runTimeZone && run[runTimeZone]&1 != 0 {
		m.TimeZone = true
		r.Bytes(timeZoneBlock)
	}
	m.types(r)
	return r.Err()
}

// types reads the list of types. Its first entry is type 1 in every client; another first word is the
// national character set, which only go-ora sends.
func (m *DataTypesRequest) types(r *Reader) {
	code := r.U16()
	if code != 1 {
		code = r.U16()
	}
	for entries := 0; code != 0 && r.Err() == nil; entries++ {
		if entries > 2048 {
			r.Fail("data type list without an end")
			return
		}
		if converted := r.U16(); converted != 0 {
			representation := r.U16()
			if zero := r.U16(); zero != 0 {
				r.Fail("type %d ends with %d", code, zero)
				return
			}
			if code == typeSB1 {
				m.NativeScale = representation == repNative
			}
		}
		code = r.U16()
	}
}

// Dialect is the dialect of a conversation in which the server offered a field version.
func (m *DataTypesRequest) Dialect(offered uint8) Dialect {
	return Dialect{
		FieldVersion: min(m.FieldVersion, offered),
		PrefixedText: m.PrefixedText,
		NativeScale:  m.NativeScale,
	}
}

// DataTypesAnswer is message 2 of the server: an empty list of types satisfies every client.
type DataTypesAnswer struct {
	TimeZone bool
}

// Encode appends the message. The time zone is that of the database, +00:00.
func (m DataTypesAnswer) Encode(dst []byte) []byte {
	dst = append(dst, byte(CodeDataTypes))
	if m.TimeZone {
		dst = append(dst, 0x80, 0, 0, 0, 0x3C, 0x3C, 0x3C, 0x80, 0, 0, 0)
	}
	return append(dst, 0, 0)
}
