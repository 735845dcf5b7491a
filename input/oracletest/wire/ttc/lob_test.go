package ttc

import (
	"bytes"
	"strings"
	"testing"

	"github.com/cockroachdb/apd/v3"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

var (
	clobType = datum.Type{Code: datum.TypeClob}
	blobType = datum.Type{Code: datum.TypeBlob}
)

// Clients look at four bits of a locator; the key stands in bytes 20 to 23 (reference tns-server 9).
func TestLocatorBytes(t *testing.T) {
	for _, tc := range []struct {
		typ       datum.Type
		temporary bool
		flags     string // bytes 4 to 7
	}{
		{clobType, false, "02 08 80 00"},
		{clobType, true, "02 08 80 01"},
		{datum.Type{Code: datum.TypeClob, National: true}, false, "04 08 80 00"},
		{blobType, false, "01 08 00 00"},
		{blobType, true, "01 08 00 01"},
	} {
		l := NewLocator(0x01020304, tc.typ, tc.temporary)
		wantBytes(t, l[:8], "00 26 00 01"+tc.flags)
		wantBytes(t, l[20:24], "01 02 03 04")
		changed := append([]byte(nil), l[:]...)
		changed[7] |= 0x18 // go-ora notes there that it opened the LOB
		if got := LocatorKey(changed); got != 0x01020304 {
			t.Errorf("key %x", got)
		}
	}
	if LocatorKey(nil) != 0 || LocatorKey(make([]byte, 23)) != 0 {
		t.Error("a key in no locator")
	}
}

// Oracle's JDBC driver makes room for 106 bytes; several locators are told apart by their own lengths.
func TestLocatorsOfOtherLengths(t *testing.T) {
	a, b := NewLocator(1, clobType, true), NewLocator(2, blobType, true)
	all := append(a.Widened(106), b.Widened(0)...)
	all = append(all, b[:]...)
	var keys []uint32
	for len(all) > 0 {
		var one []byte
		one, all = NextLocator(all)
		keys = append(keys, LocatorKey(one))
	}
	if len(keys) != 3 || keys[0] != 1 || keys[1] != 2 || keys[2] != 2 {
		t.Errorf("keys %v", keys)
	}
	if _, rest := NextLocator([]byte{7}); rest != nil {
		t.Error("no end")
	}
}

// The forms of a LOB value (reference tns-server 9).
func TestLobForms(t *testing.T) {
	clob, blob := datum.Datum{Kind: datum.Clob, Text: "aü🌍"}, datum.Datum{Kind: datum.Blob, Raw: []byte{1, 2, 3}}
	for _, tc := range []struct {
		name string
		typ  datum.Type
		v    datum.Datum
		form LobForm
		want string // L is the locator
	}{
		{"locator only", clobType, clob, LobForm{}, "01 28 28 L"},
		{"sized", clobType, clob, LobForm{Sized: true}, "01 28 01 04 02 1f c4 28 L"},
		{"sized bytes", blobType, blob, LobForm{Sized: true}, "01 28 01 03 02 1f c4 28 L"},
		{"prefetch", clobType, clob, LobForm{Sized: true, Prefetch: 100}, "01 28 01 04 02 1f c4 01 02 07 d0 01 08 0061 00fc d83c df0d 28 L"},
		{"prefetch cut in a pair", clobType, clob, LobForm{Sized: true, Prefetch: 3}, "01 28 01 04 02 1f c4 01 02 07 d0 01 04 0061 00fc 28 L"},
		{"prefetch of bytes", blobType, blob, LobForm{Sized: true, Prefetch: 2}, "01 28 01 03 02 1f c4 02 0102 28 L"},
		{"null", clobType, datum.Datum{}, LobForm{Sized: true}, "00"},
		{"empty", clobType, datum.Datum{Kind: datum.Clob}, LobForm{Sized: true, Prefetch: 9}, "01 28 00 02 1f c4 01 02 07 d0 01 00 28 L"},
	} {
		locator := NewLocator(7, tc.typ, false)
		got, err := AppendLob(nil, &tc.typ, &tc.v, tc.form, &locator)
		if err != nil {
			t.Fatal(err)
		}
		head, hasLocator := strings.CutSuffix(tc.want, "L")
		want := bytesOf(t, head)
		if hasLocator {
			want = append(want, locator[:]...)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got % x, want % x", tc.name, got, want)
		}
	}
	if _, err := AppendLob(nil, &clobType, &blob, LobForm{}, new(Locator)); err == nil {
		t.Error("bytes in a CLOB")
	}
	long := datum.Type{Code: datum.TypeLong}
	got, err := AppendValue(nil, &long, &clob)
	if err != nil {
		t.Fatal(err)
	}
	wantBytes(t, got, "07 61 c3bc f09f8c8d 00 00")
}

// The requests as the clients send them; JDBC's create has a locator of 106 bytes.
func TestLobRequests(t *testing.T) {
	locator := strings.Repeat("11", 40)
	for _, tc := range []struct {
		name, request string
		want          LobRequest
	}{
		{
			"go-ora's BLOB write: amount and data", "01 01 28 00 00 00 00 00 00 00 01 40 00 00 01 01 00 01 000000000000" + locator + "01 03 0e 03 010203",
			LobRequest{Operation: LobWrite, Offset: 1, HasAmount: true, Amount: 3, Data: []byte{1, 2, 3}},
		},
		{
			"node's write: data only", "01 01 28 00 00 00 00 00 00 00 01 40 00 00 01 05 00 00 000000000000" + locator + "0e 02 0102",
			LobRequest{Operation: LobWrite, Offset: 5, Data: []byte{1, 2}},
		},
		{
			"go-ora's create, with a snapshot", "01 01 28 00 01 0a 00 00 01 00 01 02 01 10 01 01 01 01 01 01 70 01 000000000000" + locator + "02 0369 00 01 0a",
			LobRequest{
				Operation: LobCreateTemporary, Offset: 1, DestinationOffset: 112, HasCharset: true, HasAmount: true, NullFlag: true,
				Charset: 873, Amount: 10,
			},
		},
		{
			"read", "01 01 28 00 00 00 00 00 00 00 01 02 00 00 01 01 00 01 000000000000" + locator + "02 1fc4",
			LobRequest{Operation: LobRead, Offset: 1, HasAmount: true, Amount: 8132},
		},
	} {
		r := NewReader(cut(bytesOf(t, tc.request), 13))
		var got LobRequest
		if err := got.Decode(r); err != nil || r.Buffered() != 0 {
			t.Fatalf("%s: %v, %d bytes left", tc.name, err, r.Buffered())
		}
		if !bytes.Equal(got.Locators, bytesOf(t, locator)) || !bytes.Equal(got.Data, tc.want.Data) {
			t.Errorf("%s: %+v", tc.name, got)
		}
		got.Locators, got.Data, tc.want.Data = nil, nil, nil
		if got.Operation != tc.want.Operation || got.Offset != tc.want.Offset || got.DestinationOffset != tc.want.DestinationOffset ||
			got.HasCharset != tc.want.HasCharset || got.HasAmount != tc.want.HasAmount || got.NullFlag != tc.want.NullFlag ||
			got.Charset != tc.want.Charset || got.Amount != tc.want.Amount {
			t.Errorf("%s: got %+v, want %+v", tc.name, got, tc.want)
		}
	}
}

// The shape of an answer follows the request; a flag has the representation of SB1.
func TestLobAnswers(t *testing.T) {
	request := &LobRequest{Locators: []byte{9, 9}, HasCharset: true, Charset: 873, HasAmount: true, NullFlag: true}
	answer := LobAnswer{Request: request, Amount: 5, Flag: true}
	wantBytes(t, answer.Encode(nil, Dialect{}), "08 0909 02 0369 01 05 01 01")
	wantBytes(t, answer.Encode(nil, Dialect{NativeScale: true}), "08 0909 02 0369 01 05 01")
	answer.Flag = false
	wantBytes(t, answer.Encode(nil, Dialect{}), "08 0909 02 0369 01 05 00")
	wantBytes(t, LobAnswer{Request: &LobRequest{Locators: []byte{9, 9}}}.Encode(nil, Dialect{}), "08 0909")
}

// Content comes back in pieces that a client puts together.
func TestLobDataPieces(t *testing.T) {
	for _, n := range []int{0, 1, 252, 253, maxChunk, maxChunk + 1, 5*maxChunk + 7} {
		content := bytes.Repeat([]byte("x"), n)
		b, rest := NewLobData(nil, content)
		for more := true; more; {
			b, more = rest.Append(b)
		}
		r := NewReader(cut(b, 1000))
		if code := r.U8(); Code(code) != CodeLobData {
			t.Fatalf("message %d", code)
		}
		if got := r.Clr(); r.Err() != nil || !bytes.Equal(got, content) || r.Buffered() != 0 {
			t.Errorf("%d bytes became %d, %v", n, len(got), r.Err())
		}
	}
}

func TestUTF16RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.ToValidUTF8(rapid.String().Draw(t, "text"), "")
		b := EncodeUTF16(s)
		if got := DecodeUTF16(b); got != s {
			t.Fatalf("%q became %q", s, got)
		}
		v := datum.Datum{Kind: datum.Clob, Text: s}
		if n := LobLength(&v); 2*n != len(b) {
			t.Fatalf("length %d of %d bytes", n, len(b))
		}
		limit := rapid.IntRange(0, 10).Draw(t, "limit")
		if p := textPrefix(s, limit); !strings.HasPrefix(s, p) || len(EncodeUTF16(p)) > 2*limit {
			t.Fatalf("prefix %q of %q at %d", p, s, limit)
		}
	})
}

// The biases of reference tns-server 8.
func TestIntervalBytes(t *testing.T) {
	for _, tc := range []struct {
		typ  datum.TypeCode
		kind datum.Kind
		n    string
		want string
	}{
		{datum.TypeIntervalYM, datum.IntervalYM, "14", "05 80000001 3e"},
		{datum.TypeIntervalYM, datum.IntervalYM, "-14", "05 7fffffff 3a"},
		{datum.TypeIntervalDS, datum.IntervalDS, "93784.5", "0b 80000001 3e 3f 40 9dcd6500"},
		{datum.TypeIntervalDS, datum.IntervalDS, "-93784.5", "0b 7fffffff 3a 39 38 62329b00"},
	} {
		got, err := AppendValue(nil, &datum.Type{Code: tc.typ}, &datum.Datum{Kind: tc.kind, Number: decimal(t, tc.n)})
		if err != nil {
			t.Fatal(err)
		}
		wantBytes(t, got, tc.want)
	}
	for _, n := range []string{"1e20", "0.0000000001"} {
		typ := datum.Type{Code: datum.TypeIntervalDS}
		if _, err := AppendValue(nil, &typ, &datum.Datum{Kind: datum.IntervalDS, Number: decimal(t, n)}); err == nil {
			t.Errorf("%s seconds were sent", n)
		}
	}
}

func TestIntervalRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		months := apd.New(rapid.Int64Range(-11999999988, 11999999988).Draw(t, "months"), 0)
		b, err := appendIntervalYM(nil, months)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decodeIntervalYM(b); err != nil || got.Cmp(months) != 0 {
			t.Fatalf("%s months became %s, %v", months, got, err)
		}
		seconds := apd.New(rapid.Int64().Draw(t, "nanoseconds"), -9)
		if b, err = appendIntervalDS(nil, seconds); err != nil {
			t.Fatal(err)
		}
		if got, err := decodeIntervalDS(b); err != nil || got.Cmp(seconds) != 0 {
			t.Fatalf("%s seconds became %s, %v", seconds, got, err)
		}
	})
}
