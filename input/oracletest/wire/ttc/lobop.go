package ttc

// LobOperation is what function 0x60 does.
type LobOperation uint32

// Operations of reference tns-server 9, and those that thin clients know besides.
const (
	LobGetLength       LobOperation = 0x0001
	LobRead            LobOperation = 0x0002
	LobTrim            LobOperation = 0x0020
	LobWrite           LobOperation = 0x0040
	LobCreateTemporary LobOperation = 0x0110
	LobFreeTemporary   LobOperation = 0x0111
	LobGetChunkSize    LobOperation = 0x4000
	LobOpen            LobOperation = 0x8000
	LobClose           LobOperation = 0x10000
	LobIsOpen          LobOperation = 0x11000
	// lobArray marks an operation on several locators, which come one behind the other.
	lobArray LobOperation = 0x80000
)

// maxLocators bounds the bytes of locators in one request.
const maxLocators = 16 << 20

// LobRequest is function 0x60. The piggyback that frees temporary LOBs has the same shape.
type LobRequest struct {
	Operation LobOperation
	// Locators are the bytes of the locator, or of all of them.
	Locators, Destination []byte
	// Offset counts from 1. Creating a temporary LOB it is the charset form, and DestinationOffset the type.
	Offset, DestinationOffset uint64
	HasCharset, HasAmount     bool
	// NullFlag says that the answer ends with a flag.
	NullFlag bool
	Charset  int
	Amount   uint64
	Data     []byte
}

// Decode reads the message behind its header.
func (m *LobRequest) Decode(r *Reader) error {
	*m = LobRequest{}
	r.U8() // pointer
	length := r.Count(maxLocators)
	destination := r.U8() != 0
	destinationLength := r.Count(maxLocators) // without a destination it is the duration of a temporary LOB
	r.SkipUB(2)
	m.HasCharset = r.U8() != 0
	r.U8()
	m.NullFlag = r.U8() != 0
	m.Operation = LobOperation(r.UB(4))
	r.U8()
	snapshot := r.Count(16)
	m.Offset = r.UB8()
	m.DestinationOffset = r.UB8()
	m.HasAmount = r.U8() != 0
	r.Skip(6)
	m.Locators = r.Bytes(length)
	if destination {
		m.Destination = r.Bytes(destinationLength)
	}
	m.tail(r, snapshot)
	return r.Err()
}

// tail reads what stands behind the locators. The amount comes before the data: go-ora's BLOB write sends
// both (reference tns-server 9).
func (m *LobRequest) tail(r *Reader, snapshot int) {
	if m.HasCharset {
		m.Charset = r.UB2()
	}
	r.SkipUB(snapshot)
	if m.HasAmount {
		m.Amount = r.UB8()
	}
	if m.Operation != LobWrite || r.Err() != nil {
		return
	}
	if code := r.U8(); Code(code) != CodeLobData {
		r.Fail("message %d instead of the data of a LOB", code)
		return
	}
	m.Data = r.Clr()
}

// Array reports whether the request is about several locators, and what is done to each.
func (m *LobRequest) Array() (LobOperation, bool) {
	return m.Operation &^ lobArray, m.Operation&lobArray != 0
}

// LobAnswer is message 8 in answer to function 0x60.
type LobAnswer struct {
	Request *LobRequest
	// Locator replaces the one the client sent; nil sends that back.
	Locator *Locator
	Amount  uint64
	// Flag is the answer of a question.
	Flag bool
}

// Encode appends the message. Its shape follows the request.
func (m LobAnswer) Encode(dst []byte, d Dialect) []byte {
	dst = append(dst, byte(CodeReturnParameters))
	if m.Locator != nil {
		dst = append(dst, m.Locator.Widened(len(m.Request.Locators))...)
	} else {
		dst = append(dst, m.Request.Locators...)
	}
	dst = append(dst, m.Request.Destination...)
	if m.Request.HasCharset {
		dst = appendUB(dst, uint64(m.Request.Charset))
	}
	if m.Request.HasAmount {
		dst = appendUB(dst, m.Amount)
	}
	switch {
	case !m.Request.NullFlag:
	case d.NativeScale: // the flag has the same representation: seen with node-oracledb 26 and python-oracledb 26
		dst = append(dst, flag(m.Flag))
	default: // and with python-oracledb 1.2.1 and Oracle's JDBC driver
		dst = appendUB(dst, uint64(flag(m.Flag)))
	}
	return dst
}

// LobData is message 14: content of a LOB. It is appended piece by piece, so that a large one need not be
// held twice.
type LobData struct {
	rest []byte
	long bool
}

// NewLobData begins the message.
func NewLobData(dst, content []byte) ([]byte, LobData) {
	dst = append(dst, byte(CodeLobData))
	if len(content) <= maxShort {
		return appendClr(dst, content), LobData{}
	}
	return append(dst, clrLong), LobData{rest: content, long: true}
}

// Append appends the next piece and reports whether there are more.
func (m *LobData) Append(dst []byte) ([]byte, bool) {
	if !m.long {
		return dst, false
	}
	if len(m.rest) == 0 {
		m.long = false
		return append(dst, 0), false
	}
	n := min(len(m.rest), maxChunk)
	dst = appendUB(dst, uint64(n))
	dst = append(dst, m.rest[:n]...)
	m.rest = m.rest[n:]
	return dst, true
}
