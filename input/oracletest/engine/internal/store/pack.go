package store

import (
	"encoding/binary"
	"math"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// packAbove is how many rows a table has when the committed ones are packed: values in a slice of datums take several times their size, which
// counts in tables of millions, and reading them is faster, which counts in the others.
const packAbove = 20_000

// row are the values of a version, nil if it is deleted. They must not be modified.
func (v *version) row() []datum.Datum {
	if v.packed == "" {
		return v.cells
	}
	return unpack(v.packed)
}

// gone reports whether the row is deleted.
func (v *version) gone() bool { return v.cells == nil && v.packed == "" }

// pack makes a committed version small.
func (v *version) pack() {
	if len(v.cells) == 0 {
		return
	}
	var few [256]byte
	b := few[:0]
	for i := range v.cells {
		b = appendPacked(b, &v.cells[i])
	}
	v.packed, v.cells = string(b), nil
}

// appendPacked appends the kind of a value and what it needs.
func appendPacked(b []byte, d *datum.Datum) []byte {
	b = append(b, byte(d.Kind))
	switch d.Kind {
	case datum.Null:
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		sign := byte(0)
		if d.Number.Negative {
			sign = 1
		}
		b = append(b, sign)
		b = binary.AppendVarint(b, int64(d.Number.Exponent))
		b = appendPackedText(b, string(d.Number.Coeff.Bytes()))
	case datum.Text, datum.RowID, datum.Clob:
		b = appendPackedText(b, d.Text)
	case datum.Raw, datum.Blob:
		b = appendPackedText(b, string(d.Raw))
	case datum.Zoned:
		b = binary.AppendVarint(b, int64(d.Offset))
		b = appendPackedTime(b, &d.Time)
	case datum.Time:
		b = appendPackedTime(b, &d.Time)
	case datum.Float:
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(d.Float))
	}
	return b
}

func appendPackedText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendPackedTime(b []byte, t *datum.DateTime) []byte {
	b = binary.AppendVarint(b, int64(t.Year))
	b = append(b, t.Month, t.Day, t.Hour, t.Minute, t.Second)
	return binary.AppendUvarint(b, uint64(t.Nano))
}

// unpacking reads what appendPacked wrote.
type unpacking struct {
	s  string
	at int
}

func unpack(s string) []datum.Datum {
	u := unpacking{s: s}
	values := make([]datum.Datum, 0, 8)
	for u.at < len(s) {
		values = append(values, u.value())
	}
	return values
}

func (u *unpacking) value() datum.Datum {
	d := datum.Datum{Kind: datum.Kind(u.byte())}
	switch d.Kind {
	case datum.Null:
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		n := new(apd.Decimal)
		n.Negative = u.byte() == 1
		n.Exponent = int32(u.varint())
		digits := u.text()
		if len(digits) <= 8 {
			whole := uint64(0)
			for i := range len(digits) {
				whole = whole<<8 | uint64(digits[i])
			}
			n.Coeff.SetUint64(whole)
		} else {
			n.Coeff.SetBytes([]byte(digits))
		}
		d.Number = n
	case datum.Text, datum.RowID, datum.Clob:
		d.Text = u.text()
	case datum.Raw, datum.Blob:
		d.Raw = []byte(u.text())
	case datum.Zoned:
		d.Offset = int16(u.varint())
		d.Time = u.time()
	case datum.Time:
		d.Time = u.time()
	case datum.Float:
		for range 8 {
			d.Float = math.Float64frombits(math.Float64bits(d.Float)<<8 | uint64(u.byte()))
		}
	}
	return d
}

func (u *unpacking) byte() byte {
	u.at++
	return u.s[u.at-1]
}

func (u *unpacking) uvarint() uint64 {
	n, shift := uint64(0), 0
	for {
		b := u.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
		shift += 7
	}
}

func (u *unpacking) varint() int64 {
	n := u.uvarint()
	return int64(n>>1) ^ -int64(n&1)
}

func (u *unpacking) text() string {
	n := int(u.uvarint())
	u.at += n
	return u.s[u.at-n : u.at]
}

func (u *unpacking) time() datum.DateTime {
	return datum.DateTime{
		Year: int16(u.varint()), Month: u.byte(), Day: u.byte(), Hour: u.byte(), Minute: u.byte(), Second: u.byte(), Nano: uint32(u.uvarint()),
	}
}
