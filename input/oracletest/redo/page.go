package redo

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/cockroachdb/apd/v3"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// errPage says that a spilled page does not hold what was written: only another process can have changed the file.
var errPage = errors.New("spilled redo page is damaged")

// names are the values that records share; a page holds their numbers. It only grows, and its lists may be read by
// whoever took them under the stream's lock.
type names struct {
	tables      []*catalog.Table
	origins     []Origin
	effects     []*Effect // few: those of DDL
	tableNumber map[*catalog.Table]uint64
	originNames map[Origin]uint64
}

func (n *names) table(t *catalog.Table) uint64 {
	if t == nil {
		return 0
	}
	number, ok := n.tableNumber[t]
	if !ok {
		if n.tableNumber == nil {
			n.tableNumber = map[*catalog.Table]uint64{}
		}
		n.tables = append(n.tables, t)
		number = uint64(len(n.tables))
		n.tableNumber[t] = number
	}
	return number
}

func (n *names) effect(e *Effect) uint64 {
	if e == nil {
		return 0
	}
	n.effects = append(n.effects, e)
	return uint64(len(n.effects))
}

func (n *names) origin(o Origin) uint64 {
	number, ok := n.originNames[o]
	if !ok {
		if n.originNames == nil {
			n.originNames = map[Origin]uint64{}
		}
		number = uint64(len(n.origins))
		n.origins = append(n.origins, o)
		n.originNames[o] = number
	}
	return number
}

// Bits of a record's first byte in a page.
const (
	pageUndo = 1 << iota
	pageShared
	pageBefore // has a before image
	pageAfter
	pageUnlogged
	pageRecursive
)

// appendPage encodes records. The head counts what the decoder needs to allocate.
func appendPage(dst []byte, n *names, records []*Record) []byte {
	values, decimals := 0, 0
	for _, r := range records {
		for _, image := range [][]datum.Datum{r.Before, r.After} {
			values += len(image)
			for i := range image {
				if image[i].Number != nil {
					decimals++
				}
			}
		}
	}
	for _, count := range []int{len(records), values, decimals} {
		dst = binary.AppendUvarint(dst, uint64(count))
	}
	for _, r := range records {
		dst = appendRecord(dst, n, r)
	}
	return dst
}

func appendRecord(dst []byte, n *names, r *Record) []byte {
	bits := byte(0)
	for i, set := range []bool{r.Undo, r.Shared, r.BeforeSet != nil, r.AfterSet != nil, r.Unlogged, r.Recursive} {
		if set {
			bits |= 1 << i
		}
	}
	dst = append(dst, bits, byte(r.Op))
	for _, v := range []uint64{
		uint64(r.quirks), uint64(r.Thread), uint64(r.RBA.Sequence), uint64(r.RBA.Block), uint64(r.RBA.Byte), uint64(r.SSN), uint64(r.SCN),
		uint64(r.XID.USN), uint64(r.XID.Slot), uint64(r.XID.Sqn), uint64(r.Container), n.table(r.Table), n.origin(r.Origin),
		uint64(r.Segment), n.effect(r.Effect),
	} {
		dst = binary.AppendUvarint(dst, v)
	}
	dst = binary.AppendVarint(dst, r.Time.Unix())
	dst = binary.AppendUvarint(dst, uint64(r.Time.Nanosecond()))
	dst = appendText(dst, r.RowID)
	dst = appendText(dst, r.SQL)
	if r.BeforeSet != nil {
		dst = appendImage(dst, r.Before, r.BeforeSet)
	}
	if r.AfterSet != nil {
		dst = appendImage(dst, r.After, r.AfterSet)
	}
	return dst
}

func appendText(dst []byte, text string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	return append(dst, text...)
}

// appendImage writes every value with a first byte that says its kind and whether it is logged.
func appendImage(dst []byte, values []datum.Datum, set []bool) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	for i := range values {
		kind := byte(values[i].Kind) << 1
		if set[i] {
			kind |= 1
		}
		dst = appendValue(append(dst, kind), &values[i])
	}
	return dst
}

func appendValue(dst []byte, d *datum.Datum) []byte {
	switch d.Kind {
	case datum.Null:
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		dst = append(dst, byte(d.Number.Form))
		if d.Number.Negative {
			dst[len(dst)-1] |= negative
		}
		dst = binary.AppendVarint(dst, int64(d.Number.Exponent))
		if d.Number.Coeff.IsUint64() {
			return binary.AppendUvarint(append(dst, 0), d.Number.Coeff.Uint64())
		}
		coefficient := d.Number.Coeff.Bytes()
		dst = append(dst, byte(len(coefficient))) // 40 digits are 17 bytes
		dst = append(dst, coefficient...)
	case datum.Text, datum.RowID, datum.Clob:
		dst = appendText(dst, d.Text)
	case datum.Raw, datum.Blob:
		dst = binary.AppendUvarint(dst, uint64(len(d.Raw)))
		dst = append(dst, d.Raw...)
	case datum.Time:
		dst = appendClock(dst, &d.Time)
	case datum.Zoned:
		dst = binary.AppendVarint(appendClock(dst, &d.Time), int64(d.Offset))
	case datum.Float:
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(d.Float))
	}
	return dst
}

// negative marks the sign in the byte of a decimal's form.
const negative = 0x80

func appendClock(dst []byte, t *datum.DateTime) []byte {
	dst = binary.AppendVarint(dst, int64(t.Year))
	dst = append(dst, t.Month, t.Day, t.Hour, t.Minute, t.Second)
	return binary.AppendUvarint(dst, uint64(t.Nano))
}

// decoder reads pages into memory that it uses again. Text is cut out of the page's bytes.
type decoder struct {
	tables  []*catalog.Table
	origins []Origin
	effects []*Effect

	page    string // what is left of it
	damaged bool
	// What the page in hand has not taken yet of the memory below.
	values   []datum.Datum
	set      []bool
	decimals []apd.Decimal

	allRecords  []Record
	pointers    []*Record
	allValues   []datum.Datum
	allSet      []bool
	allDecimals []apd.Decimal
}

// decode reads what appendPage wrote. The records are valid until the next call.
func (d *decoder) decode(page string) ([]*Record, error) {
	d.page, d.damaged = page, false
	count, values, decimals := d.length(), d.length(), d.length()
	if d.damaged {
		return nil, errPage
	}
	if len(d.allRecords) < count {
		d.allRecords, d.pointers = make([]Record, count), make([]*Record, count)
		for i := range d.allRecords {
			d.pointers[i] = &d.allRecords[i]
		}
	}
	if len(d.allValues) < values {
		d.allValues, d.allSet = make([]datum.Datum, values), make([]bool, values)
	} else {
		clear(d.allValues[:values])
	}
	if len(d.allDecimals) < decimals {
		d.allDecimals = make([]apd.Decimal, decimals)
	}
	d.values, d.set, d.decimals = d.allValues[:values], d.allSet[:values], d.allDecimals[:decimals]
	for i := range count {
		d.record(&d.allRecords[i])
	}
	if d.damaged || d.page != "" {
		return nil, errPage
	}
	return d.pointers[:count], nil
}

// length reads a count, which no page exceeds with its own length.
func (d *decoder) length() int {
	n := d.number()
	if n > uint64(len(d.page)) {
		d.damaged = true
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if d.page == "" {
		d.damaged = true
		return 0
	}
	b := d.page[0]
	d.page = d.page[1:]
	return b
}

func (d *decoder) number() uint64 {
	n := uint64(0)
	for shift := 0; shift < 70; shift += 7 {
		b := d.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	d.damaged = true
	return 0
}

func (d *decoder) signed() int64 {
	n := d.number()
	return int64(n>>1) ^ -int64(n&1)
}

func (d *decoder) cut(n int) string {
	if n > len(d.page) {
		d.damaged = true
		return ""
	}
	text := d.page[:n]
	d.page = d.page[n:]
	return text
}

func (d *decoder) record(r *Record) {
	*r = Record{}
	bits := d.byte()
	r.Op = Op(d.byte())
	r.Undo, r.Shared, r.Unlogged = bits&pageUndo != 0, bits&pageShared != 0, bits&pageUnlogged != 0
	r.Recursive = bits&pageRecursive != 0
	r.quirks, r.Thread = quirks(d.number()), int(d.number())
	r.RBA = RBA{Sequence: uint32(d.number()), Block: uint32(d.number()), Byte: uint16(d.number())}
	r.SSN, r.SCN = int64(d.number()), SCN(d.number())
	r.XID = XID{USN: uint16(d.number()), Slot: uint16(d.number()), Sqn: uint32(d.number())}
	r.Container = int(d.number())
	table, origin := d.number(), d.number()
	r.Segment = uint32(d.number())
	effect := d.number()
	if table > uint64(len(d.tables)) || origin >= uint64(len(d.origins)) || effect > uint64(len(d.effects)) {
		d.damaged = true
		return
	}
	if table > 0 {
		r.Table = d.tables[table-1]
	}
	if effect > 0 {
		r.Effect = d.effects[effect-1]
	}
	r.Origin = d.origins[origin]
	seconds := d.signed()
	r.Time = time.Unix(seconds, int64(d.number())).UTC()
	r.RowID, r.SQL = d.cut(d.length()), d.cut(d.length())
	if bits&pageBefore != 0 {
		r.Before, r.BeforeSet = d.image()
	}
	if bits&pageAfter != 0 {
		r.After, r.AfterSet = d.image()
	}
}

func (d *decoder) image() (values []datum.Datum, set []bool) {
	n := d.length()
	if n > len(d.values) {
		d.damaged = true
		return nil, nil
	}
	values, set = d.values[:n:n], d.set[:n:n]
	d.values, d.set = d.values[n:], d.set[n:]
	for i := range values {
		kind := d.byte()
		set[i] = kind&1 != 0
		values[i].Kind = datum.Kind(kind >> 1)
		d.value(&values[i])
	}
	return values, set
}

func (d *decoder) value(v *datum.Datum) {
	switch v.Kind {
	case datum.Null:
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		d.decimal(v)
	case datum.Text, datum.RowID, datum.Clob:
		v.Text = d.cut(d.length())
	case datum.Raw, datum.Blob:
		v.Raw = []byte(d.cut(d.length()))
	case datum.Time:
		d.clock(&v.Time)
	case datum.Zoned:
		d.clock(&v.Time)
		v.Offset = int16(d.signed())
	case datum.Float:
		bits := d.cut(8)
		if len(bits) == 8 {
			v.Float = math.Float64frombits(binary.LittleEndian.Uint64([]byte(bits)))
		}
	default:
		d.damaged = true
	}
}

func (d *decoder) decimal(v *datum.Datum) {
	if len(d.decimals) == 0 {
		d.damaged = true
		return
	}
	v.Number = &d.decimals[0]
	d.decimals = d.decimals[1:]
	form := d.byte()
	v.Number.Form, v.Number.Negative = apd.Form(form&^negative), form&negative != 0
	v.Number.Exponent = int32(d.signed())
	if n := int(d.byte()); n > 0 {
		v.Number.Coeff.SetBytes([]byte(d.cut(n)))
		return
	}
	v.Number.Coeff.SetUint64(d.number())
}

func (d *decoder) clock(t *datum.DateTime) {
	t.Year = int16(d.signed())
	t.Month, t.Day, t.Hour, t.Minute, t.Second = d.byte(), d.byte(), d.byte(), d.byte(), d.byte()
	t.Nano = uint32(d.number())
}
