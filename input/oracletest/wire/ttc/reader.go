package ttc

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Source delivers the payloads of DATA packets. A payload is not changed after it was delivered.
type Source interface {
	Payload() ([]byte, error)
}

// MalformedError says where a request is not what the reference says it is.
type MalformedError struct {
	Offset    int // bytes of the request read so far
	Remaining int // bytes of the packet left
	Reason    string
}

func (e *MalformedError) Error() string {
	return fmt.Sprintf("request malformed at offset %d with %d bytes left: %s", e.Offset, e.Remaining, e.Reason)
}

// maxValue bounds a single value a client may send.
const maxValue = 1 << 30

// Reader reads a request from a byte stream that pulls the next packet when it runs dry: a request has no
// length, it ends where its last field ends. The first error sticks, later reads return zero values, so
// that decoders check once, with Err.
type Reader struct {
	src   Source
	buf   []byte
	total int
	err   error
}

// NewReader reads from src.
func NewReader(src Source) *Reader { return &Reader{src: src} }

// Err is the first error: the source's or a *MalformedError.
func (r *Reader) Err() error { return r.err }

// Buffered counts the bytes of the current packet that are not read yet.
func (r *Reader) Buffered() int { return len(r.buf) }

// Begin starts a request: offsets count from here.
func (r *Reader) Begin() { r.total = 0 }

// Reset drops what is buffered and the error, after a cancel.
func (r *Reader) Reset() { r.buf, r.total, r.err = nil, 0, nil }

// Fail makes the request malformed.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = &MalformedError{Offset: r.total, Remaining: len(r.buf), Reason: fmt.Sprintf(format, args...)}
	}
}

func (r *Reader) fill() bool {
	for r.err == nil && len(r.buf) == 0 {
		r.buf, r.err = r.src.Payload()
	}
	return r.err == nil
}

// U8 reads one byte.
func (r *Reader) U8() byte {
	if !r.fill() {
		return 0
	}
	b := r.buf[0]
	r.buf = r.buf[1:]
	r.total++
	return b
}

// Bytes reads n bytes. The result may share memory with the packet, which nobody changes.
func (r *Reader) Bytes(n int) []byte {
	if r.err != nil || n == 0 {
		return nil
	}
	if n < 0 || n > maxValue {
		r.Fail("%d bytes wanted", n)
		return nil
	}
	if !r.fill() {
		return nil
	}
	if n <= len(r.buf) {
		b := r.buf[:n:n]
		r.buf = r.buf[n:]
		r.total += n
		return b
	}
	var b []byte
	for len(b) < n && r.fill() {
		part := min(n-len(b), len(r.buf))
		b = append(b, r.buf[:part]...)
		r.buf = r.buf[part:]
		r.total += part
	}
	if r.err != nil {
		return nil
	}
	return b
}

// Skip reads n single bytes whose value does not matter.
func (r *Reader) Skip(n int) {
	for range n {
		r.U8()
	}
}

// U16 reads two bytes, big-endian.
func (r *Reader) U16() uint16 { return binary.BigEndian.Uint16(r.fixed(2)) }

// U16LE reads two bytes, little-endian.
func (r *Reader) U16LE() uint16 { return binary.LittleEndian.Uint16(r.fixed(2)) }

// U32 reads four bytes, big-endian.
func (r *Reader) U32() uint32 { return binary.BigEndian.Uint32(r.fixed(4)) }

func (r *Reader) fixed(n int) []byte {
	if b := r.Bytes(n); b != nil {
		return b
	}
	return make([]byte, n)
}

// UB reads a compressed unsigned integer of at most the given number of bytes.
func (r *Reader) UB(size int) uint64 {
	n := r.U8()
	if r.err != nil {
		return 0
	}
	if int(n) > size {
		r.Fail("integer of %d bytes where %d are possible", n, size)
		return 0
	}
	var v uint64
	for range n {
		v = v<<8 | uint64(r.U8())
	}
	return v
}

// UB2 reads a compressed integer of 16 bits.
func (r *Reader) UB2() int { return int(r.UB(2)) }

// UB4 reads a compressed integer of 32 bits.
func (r *Reader) UB4() int { return int(r.UB(4)) }

// UB8 reads a compressed integer of 64 bits.
func (r *Reader) UB8() uint64 { return r.UB(8) }

// SkipUB reads n compressed integers whose value does not matter, signed ones too.
func (r *Reader) SkipUB(n int) {
	for range n {
		length := r.U8() &^ 0x80
		if length > 8 {
			r.Fail("integer of %d bytes", length)
			return
		}
		r.Skip(int(length))
	}
}

// Count reads a compressed integer that counts things which follow, each of at least one byte.
func (r *Reader) Count(limit int) int {
	n := r.UB4()
	if n > limit {
		r.Fail("%d things where at most %d are possible", n, limit)
		return 0
	}
	return n
}

const (
	clrLong  = 0xFE // chunks follow
	clrNull1 = 0xFF
	clrNull2 = 0xFD
)

// Clr reads length-prefixed bytes; nil is NULL.
func (r *Reader) Clr() []byte {
	n := r.U8()
	switch n {
	case 0, clrNull1, clrNull2:
		return nil
	case clrLong:
		return r.chunks()
	}
	return r.Bytes(int(n))
}

func (r *Reader) chunks() []byte {
	var b []byte
	for r.err == nil {
		n := r.UB4()
		if n == 0 {
			break
		}
		if len(b)+n > maxValue {
			r.Fail("value of more than %d bytes", maxValue)
			return nil
		}
		b = append(b, r.Bytes(n)...)
	}
	return b
}

// Dlc reads bytes with a total length in front.
func (r *Reader) Dlc() []byte {
	n := r.UB4()
	if n == 0 || r.err != nil {
		return nil
	}
	b := r.Clr()
	if r.err == nil && len(b) != n {
		r.Fail("%d bytes where %d were announced", len(b), n)
	}
	return b
}

// Text reads n bytes of character data, in the form the client chose.
func (r *Reader) Text(n int, d Dialect) string {
	if n == 0 {
		return ""
	}
	if !d.PrefixedText {
		return string(r.Bytes(n))
	}
	b := r.Clr()
	if r.err == nil && len(b) != n {
		r.Fail("text of %d bytes where %d were announced", len(b), n)
	}
	return string(b)
}

// Pair is a key with a value and a flag.
type Pair struct {
	Key, Value string
	Flag       uint32
}

// Pair reads one pair.
func (r *Reader) Pair() Pair {
	return Pair{Key: string(r.Dlc()), Value: string(r.Dlc()), Flag: uint32(r.UB(4) & math.MaxUint32)}
}

// CString reads bytes up to a zero.
func (r *Reader) CString(limit int) string {
	var b []byte
	for {
		c := r.U8()
		if c == 0 || r.err != nil {
			return string(b)
		}
		if len(b) == limit {
			r.Fail("text longer than %d bytes", limit)
			return ""
		}
		b = append(b, c)
	}
}
