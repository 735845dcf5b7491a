package ttc

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// FuzzRequests feeds every decoder of a request: none panics, reads more than there is, or goes on behind
// an error.
func FuzzRequests(f *testing.F) {
	f.Add([]byte{
		2, 0x80, 0x21, 0, 1, 1, 8, 1, 1, 13, 0, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, 0, 8, 's', 'e', 'l', 'e', 'c', 't', ' ', 'n', 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0,
	}, uint8(11), true, uint8(0))
	f.Add([]byte{1, 1, 1, 5}, uint8(12), true, uint8(1))
	f.Add([]byte{1, 1, 1, 1, 0, 0, 7, 2, 0xC1, 2, 1, 'x', 0}, uint8(12), true, uint8(2))
	f.Add([]byte{1, 1, 2, 1, 7, 1, 8}, uint8(12), true, uint8(3))
	f.Add([]byte{1, 1, 3, 1, 1, 1, 1, 1, 1, 3, 'A', 'P', 'P', 1, 1, 1, 'k', 1, 1, 1, 'v', 0}, uint8(12), true, uint8(4))
	f.Add([]byte{6, 0, 'O', 'r', 'a', 0}, uint8(12), true, uint8(5))
	f.Add([]byte{0xAD, 0xBE, 0xEF, 0, 13, 0x15, 0, 0, 0, 0, 0, 0}, uint8(12), true, uint8(7))
	f.Add([]byte{1, 1, 5, 5, 'S', 'A', 'L', 'E', 'S'}, uint8(12), true, uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, version uint8, prefixed bool, which uint8) {
		d := Dialect{FieldVersion: version % 14, PrefixedText: prefixed}
		r := NewReader(cut(data, 1+len(data)/3))
		err := decodeAny(r, d, which)
		if err == nil && r.total > len(data) {
			t.Fatalf("read %d of %d bytes", r.total, len(data))
		}
		if err != nil && (r.Err() == nil || r.U8() != 0) {
			t.Fatalf("goes on behind %v", err)
		}
	})
}

func decodeAny(r *Reader, d Dialect, which uint8) error {
	switch which % 13 {
	case 0:
		var m Execute
		if err := m.Decode(r, d); err != nil {
			return err
		}
		return decodeRows(r, m.Binds, min(m.Executions(), 4))
	case 1:
		return new(Fetch).Decode(r)
	case 2:
		if err := new(ReExecute).Decode(r); err != nil {
			return err
		}
		return decodeRows(r, []Descriptor{
			{Code: datum.TypeNumber},
			{Code: datum.TypeVarchar, Form: formDatabase},
			{Code: datum.TypeVarchar, Form: FormNational},
			{Code: datum.TypeDate},
			{Code: bindTimestampTZ},
			{Code: datum.TypeBinaryDouble},
			{Code: datum.TypeClob},
			{Code: datum.TypeNumber, ArraySize: 3},
			{Code: datum.TypeCursor},
			{Code: datum.TypeIntervalDS},
			{Code: bindIntervalYM},
			{Code: datum.TypeLong},
		}, 1)
	case 3:
		return new(CloseCursors).Decode(r)
	case 4:
		return new(AuthRequest).Decode(r, d)
	case 5:
		return new(ProtocolRequest).Decode(r)
	case 6:
		return new(DataTypesRequest).Decode(r)
	case 7:
		return new(NetworkServices).Decode(r)
	case 8:
		return new(CurrentSchema).Decode(r, d)
	case 9:
		return new(VersionRequest).Decode(r, d)
	case 10:
		return new(LobRequest).Decode(r)
	case 11:
		return new(EndToEnd).Decode(r, d)
	default:
		return new(Header).Decode(r)
	}
}

func decodeRows(r *Reader, binds []Descriptor, n int) error {
	skip := make([]bool, len(binds))
	for range n {
		var row BindRow
		if err := row.Decode(r, binds, skip, false); err != nil {
			return err
		}
	}
	return nil
}

// FuzzNumber holds the two directions of NUMBER against each other.
func FuzzNumber(f *testing.F) {
	f.Add([]byte{0xC1, 2})
	f.Add([]byte{0x3E, 100, 102})
	f.Add([]byte{0x80})
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := decodeNumber(b)
		if err != nil {
			return
		}
		again, err := appendNumber(nil, d)
		if err != nil {
			t.Fatalf("% x: %s: %v", b, d, err)
		}
		back, err := decodeNumber(again)
		if err != nil || back.Cmp(d) != 0 {
			t.Fatalf("% x: %s became %s, %v", b, d, back, err)
		}
	})
}

// FuzzDateTime holds the two directions of the date types against each other.
func FuzzDateTime(f *testing.F) {
	f.Add([]byte{120, 124, 2, 29, 24, 60, 59})
	f.Add([]byte{120, 124, 2, 29, 24, 60, 59, 0, 0, 0, 1, 22, 60})
	f.Fuzz(func(t *testing.T, b []byte) {
		when, offset, err := decodeZoned(b)
		if err != nil {
			return
		}
		if !valid(when) && (when.Year > -4712 && when.Year < 9999) {
			t.Fatalf("% x became %+v", b, when)
		}
		_ = appendTimestampTZ(nil, when, offset)
	})
}
