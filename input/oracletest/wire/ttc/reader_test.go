package ttc

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// packets delivers payloads and then the end of the stream.
type packets struct{ data [][]byte }

func (p *packets) Payload() ([]byte, error) {
	if len(p.data) == 0 {
		return nil, io.EOF
	}
	next := p.data[0]
	p.data = p.data[1:]
	return next, nil
}

// cut delivers b in packets of n bytes.
func cut(b []byte, n int) *packets {
	p := &packets{}
	for len(b) > 0 {
		part := min(n, len(b))
		p.data = append(p.data, b[:part])
		b = b[part:]
	}
	return p
}

// What is appended is read again, wherever the packets are cut.
func TestPrimitivesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Uint64().Draw(t, "number")
		short := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "short")
		long := bytes.Repeat([]byte{1, 2, 3}, rapid.IntRange(0, 30000).Draw(t, "long"))
		pair := Pair{
			Key: rapid.StringN(1, 20, -1).Draw(t, "key"), Value: rapid.StringN(0, 300, -1).Draw(t, "value"),
			Flag: rapid.Uint32().Draw(t, "flag"),
		}
		b := appendUB(nil, number)
		b = appendClr(b, short)
		b = appendClr(b, long)
		b = appendPair(b, pair)
		r := NewReader(cut(b, rapid.IntRange(1, len(b)).Draw(t, "packet")))
		if got := r.UB8(); got != number {
			t.Fatalf("number %d became %d", number, got)
		}
		if got := r.Clr(); !bytes.Equal(got, short) {
			t.Fatalf("% x became % x", short, got)
		}
		if got := r.Clr(); !bytes.Equal(got, long) {
			t.Fatalf("%d bytes became %d", len(long), len(got))
		}
		if got := r.Pair(); got != pair {
			t.Fatalf("%+v became %+v", pair, got)
		}
		if r.Err() != nil || r.Buffered() != 0 {
			t.Fatalf("%d bytes left, error %v", r.Buffered(), r.Err())
		}
	})
}

func TestPrimitiveBytes(t *testing.T) {
	wantBytes(t, appendUB(nil, 0), "00")
	wantBytes(t, appendUB(nil, 1403), "02 05 7b")
	wantBytes(t, appendSB(nil, -127), "81 7F")
	wantBytes(t, appendClr(nil, ""), "00")
	wantBytes(t, appendDlc(nil, ""), "00")
	wantBytes(t, appendDlc(nil, "N"), "01 01 01 4e")
	long := appendClr(nil, bytes.Repeat([]byte{'x'}, 0x7FFF+1))
	if !bytes.HasPrefix(long, bytesOf(t, "fe 02 7f ff")) || !bytes.HasSuffix(long, bytesOf(t, `01 01 "x" 00`)) {
		t.Errorf("chunks % x ... % x", long[:4], long[len(long)-4:])
	}
}

func TestReaderIsStrict(t *testing.T) {
	for _, tc := range []struct {
		name string
		read func(r *Reader)
		data string
	}{
		{"integer too long", func(r *Reader) { r.UB4() }, "05 01 02 03 04 05"},
		{"count too large", func(r *Reader) { r.Count(10) }, "01 0b"},
		{"dlc shorter than announced", func(r *Reader) { r.Dlc() }, "01 03 02 41 42"},
		{"text longer than announced", func(r *Reader) { r.Text(1, field12) }, "02 41 42"},
		{"chunks without end", func(r *Reader) { r.Clr() }, "fe 05 01"},
		{"text without end", func(r *Reader) { r.CString(3) }, "41 41 41 41 00"},
		{"skipped integer", func(r *Reader) { r.SkipUB(1) }, "09"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := NewReader(cut(bytesOf(t, tc.data), 100))
			tc.read(r)
			var malformed *MalformedError
			if !errors.As(r.Err(), &malformed) {
				t.Fatalf("error %v", r.Err())
			}
			if r.U8() != 0 || r.Bytes(1) != nil {
				t.Error("reads go on behind the error")
			}
		})
	}
}

func TestTextWithoutLength(t *testing.T) {
	r := NewReader(cut([]byte("select 1"), 3))
	if got := r.Text(8, Dialect{}); got != "select 1" || r.Err() != nil {
		t.Errorf("%q, error %v", got, r.Err())
	}
}

func TestDataTypesRequest(t *testing.T) {
	head := "6903 6903 02 1c 000000000000000b 0000000000000000 0000000000000000 00000001 02 0201"
	zone := "80000000 3c3c3c80 000000"
	for _, tc := range []struct {
		name, tail string
		want       DataTypesRequest
	}{
		{
			"go-ora: national character set in front, universal", zone + "d007 0001 0001 0001 0000 001b 001b 0001 0000 0017 0000 0000",
			DataTypesRequest{FieldVersion: 11, PrefixedText: true, TimeZone: true},
		},
		{
			"node: native", zone + "0001 0001 0001 0000 001b 001b 000a 0000 0000",
			DataTypesRequest{FieldVersion: 11, PrefixedText: true, TimeZone: true, NativeScale: true},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := NewReader(cut(bytesOf(t, head+tc.tail), 7))
			var got DataTypesRequest
			if err := got.Decode(r); err != nil || got != tc.want || r.Buffered() != 0 {
				t.Errorf("got %+v, error %v, %d bytes left", got, err, r.Buffered())
			}
		})
	}
	if d := (&DataTypesRequest{FieldVersion: 24}).Dialect(12); d.FieldVersion != 12 {
		t.Errorf("field version %d", d.FieldVersion)
	}
}

// LONG values stand behind all others, repeated names and OUT binds of a re-execution are left out.
func TestBindRowOrder(t *testing.T) {
	binds := []Descriptor{
		{Code: bindLongVarchar, Form: formDatabase}, {Code: datum.TypeNumber}, {Code: datum.TypeVarchar, Form: formDatabase}, {Code: datum.TypeRaw},
	}
	r := NewReader(cut(bytesOf(t, `07 02 c1 02 01 ff 04 "long"`), 100))
	var row BindRow
	if err := row.Decode(r, binds, []bool{false, false, true, false}, false); err != nil {
		t.Fatal(err)
	}
	if row.Values[0].Text != "long" || row.Values[1].Number.String() != "1" || !row.Values[2].IsNull() || row.Values[3].Raw[0] != 0xFF {
		t.Errorf("values %+v", row.Values)
	}
	binds = []Descriptor{{Code: datum.TypeVarchar, Size: 40000}, {Code: datum.TypeVarchar, Size: 10}, {Code: datum.TypeVarchar}, {Code: datum.TypeRaw}}
	for block, want := range map[bool]string{false: "b", true: "a"} {
		r = NewReader(cut(bytesOf(t, map[bool]string{false: `07 01 "a" 00 00 01 "b"`, true: `07 01 "a" 01 "b" 00 00`}[block]), 100))
		if err := row.Decode(r, binds, make([]bool, 4), block); err != nil || row.Values[0].Text != want {
			t.Errorf("block %t: values %+v, error %v", block, row.Values, err)
		}
	}
	r = NewReader(cut(nil, 100))
	if err := row.Decode(r, binds, []bool{true, true, true, true}, false); err != nil || len(row.Values) != 4 {
		t.Errorf("a row of binds that are not sent: %v", err)
	}
}
