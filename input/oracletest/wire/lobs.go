package wire

import (
	"bytes"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// lob is a LOB a client has the locator of.
type lob struct {
	key       uint32
	typ       datum.Type // code and national
	temporary bool
	open      bool
	// value is the content while nobody wrote to it.
	value datum.Datum
	// content is that of a temporary LOB that was written to: bytes, or text in UTF-16.
	content []byte
	written bool
}

// lobs are the LOBs of a session by the key in their locators. The locators of values that came out of
// rows are forgotten, oldest first, when there are too many or all of them are too large; temporary LOBs stay
// until they are freed, as long as all of them are not too large.
type lobs struct {
	limit     int   // locators of values
	space     int64 // bytes of temporary LOBs, and of values
	used      int64 // by temporary LOBs
	held      int64 // by values
	last      uint32
	byKey     map[uint32]*lob
	values    []uint32 // keys of values, oldest first from first on
	first     int
	converted struct { // the text read last, as it is read piece by piece
		key  uint32
		text []byte
	}
}

func (s *lobs) add(l *lob) *lob {
	if s.byKey == nil {
		s.byKey = map[uint32]*lob{}
	}
	s.last++
	l.key = s.last
	s.byKey[l.key] = l
	if l.temporary {
		return l
	}
	s.values = append(s.values, l.key)
	s.held += int64(l.size())
	for n := len(s.values) - s.first; n > 1 && (n > s.limit || s.held > s.space); n-- {
		oldest := s.values[s.first]
		s.held -= int64(s.byKey[oldest].size())
		delete(s.byKey, oldest)
		s.first++
	}
	if s.first > s.limit {
		s.values = append(s.values[:0], s.values[s.first:]...)
		s.first = 0
	}
	return l
}

// value gives a value of a row a locator.
func (s *lobs) value(t datum.Type, v datum.Datum) ttc.Locator {
	return s.add(&lob{typ: t, value: v}).locator()
}

// temporary makes a temporary LOB.
func (s *lobs) temporary(t datum.Type, v datum.Datum) (*lob, error) {
	l := &lob{typ: t, temporary: true, value: v}
	if err := s.reserve(l.size() + lobOverhead); err != nil {
		return nil, err
	}
	return s.add(l), nil
}

// reserve takes space for temporary LOBs, or gives it back.
func (s *lobs) reserve(n int) error {
	if n > 0 && s.used+int64(n) > s.space {
		return Errorf(oraNoSpace, "unable to extend temp segment by %d in tablespace TEMP", ttc.LobChunkSize)
	}
	s.used += int64(n)
	return nil
}

func (s *lobs) find(locator []byte) (*lob, error) {
	if l := s.byKey[ttc.LocatorKey(locator)]; l != nil {
		return l, nil
	}
	return nil, Errorf(oraInvalidLocator, "invalid LOB locator specified")
}

// free ends a temporary LOB. The locator of a value needs no end.
func (s *lobs) free(locator []byte) {
	if l := s.byKey[ttc.LocatorKey(locator)]; l != nil && l.temporary {
		s.used -= int64(l.size() + lobOverhead)
		delete(s.byKey, l.key)
	}
}

func (l *lob) locator() ttc.Locator { return ttc.NewLocator(l.key, l.typ, l.temporary) }

func (l *lob) binary() bool { return l.typ.Code == datum.TypeBlob }

// unit is the number of bytes an offset or amount counts.
func (l *lob) unit() int {
	if l.binary() {
		return 1
	}
	return 2
}

// length is the length in bytes or characters.
func (l *lob) length() int {
	if l.written {
		return len(l.content) / l.unit()
	}
	if l.value.Kind == datum.Null {
		return 0
	}
	return ttc.LobLength(&l.value)
}

// size is the number of bytes a temporary LOB takes.
func (l *lob) size() int {
	if l.written {
		return len(l.content)
	}
	return len(l.value.Text) + len(l.value.Raw)
}

// bytes is the content as it travels. Nobody may change it.
func (s *lobs) bytes(l *lob) []byte {
	switch {
	case l.written:
		return l.content
	case l.binary():
		return l.value.Raw
	}
	if s.converted.key != l.key {
		s.converted.key, s.converted.text = l.key, ttc.EncodeUTF16(l.value.Text)
	}
	return s.converted.text
}

// read is a part of the content; offset counts from 0. amount 0 is all of it.
func (s *lobs) read(l *lob, offset, amount uint64) []byte {
	content := s.bytes(l)
	unit := uint64(l.unit())
	length := uint64(len(content)) / unit
	if offset >= length {
		return nil
	}
	if amount == 0 || amount > length-offset {
		amount = length - offset
	}
	return content[offset*unit : (offset+amount)*unit]
}

// write puts data at an offset, which counts from 0. What lies between the end and the offset is filled:
// with zeros, or blanks in text.
func (s *lobs) write(l *lob, offset uint64, data []byte) error {
	if !l.temporary {
		return Errorf(oraLobNotLocked, "row containing the LOB value is not locked")
	}
	unit := uint64(l.unit())
	if offset > maxLob/unit || uint64(len(data)) > maxLob {
		return Errorf(oraNoSpace, "unable to extend temp segment by %d in tablespace TEMP", ttc.LobChunkSize)
	}
	content := s.bytes(l)
	start := int(offset * unit)
	end := max(len(content), start+len(data))
	if err := s.reserve(end - l.size()); err != nil {
		return err
	}
	if !l.written {
		content = bytes.Clone(content) // it is the database's
	}
	if fill := start - len(content); fill > 0 {
		pad := []byte{0}
		if !l.binary() {
			pad = []byte{0, ' '}
		}
		content = append(content, bytes.Repeat(pad, fill/int(unit))...)
	}
	content = append(content, make([]byte, end-len(content))...)
	copy(content[start:], data)
	l.set(content)
	return nil
}

// trim cuts the content to a length.
func (s *lobs) trim(l *lob, length uint64) error {
	if !l.temporary {
		return Errorf(oraLobNotLocked, "row containing the LOB value is not locked")
	}
	content := s.bytes(l)
	if length > uint64(len(content)/l.unit()) {
		return Errorf(oraInvalidArgument, "invalid argument value for LOB length")
	}
	content = content[:int(length)*l.unit()]
	if !l.written {
		content = bytes.Clone(content)
	}
	if err := s.reserve(len(content) - l.size()); err != nil {
		return err
	}
	l.set(content)
	return nil
}

const (
	// maxLob bounds the bytes of one LOB.
	maxLob = 1 << 36
	// lobOverhead is what a LOB takes besides its content.
	lobOverhead = 256
)

func (l *lob) set(content []byte) {
	l.content, l.written, l.value = content, true, datum.Datum{}
}

// datum is the content as a value of the database.
func (l *lob) datum() datum.Datum {
	switch {
	case !l.written && l.value.Kind != datum.Null:
		return l.value
	case l.binary():
		return datum.Datum{Kind: datum.Blob, Raw: bytes.Clone(l.content)}
	}
	return datum.Datum{Kind: datum.Clob, Text: ttc.DecodeUTF16(l.content)}
}
