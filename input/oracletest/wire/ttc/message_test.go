package ttc

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// field12 is the dialect of the examples of the reference: field version 12, universal SB1.
var field12 = Dialect{FieldVersion: 12, PrefixedText: true}

// bytesOf reads hex digits; what stands between quotes is text.
func bytesOf(t testing.TB, s string) []byte {
	t.Helper()
	var out []byte
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			out = append(out, strings.ReplaceAll(part, `\n`, "\n")...)
			continue
		}
		b, err := hex.DecodeString(strings.Join(strings.Fields(part), ""))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, b...)
	}
	return out
}

func wantBytes(t *testing.T, got []byte, want string) {
	t.Helper()
	if w := bytesOf(t, want); !bytes.Equal(got, w) {
		t.Errorf("got  % x\nwant % x", got, w)
	}
}

// The answer to a two-column query with two rows of reference tns-server 6.
func TestQueryAnswerBytes(t *testing.T) {
	columns := []Column{
		{Name: "N", Type: datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: 10}, Nullable: true},
		{Name: "S", Type: datum.Type{Code: datum.TypeVarchar, Size: 40}, Nullable: true},
	}
	b := Describe{Columns: columns}.Encode(nil, field12)
	wantBytes(t, b, `10 10 00000000000000000000000000000000 01 3e 01 02 02
		02 00 0a 00 01 16 00 00 00 00 00 00 00 00 01 01 01 01 01 4e 00 00 01 01 00
		01 00 00 00 01 28 00 00 00 00 02 03 69 01 01 28 00 01 01 01 01 01 53 00 00 01 02 00
		00 00 00 00 00 00`)
	wantBytes(t, RowHeader{Columns: 2, Iterations: 100}.Encode(nil), "06 00 01 02 00 01 64 00 00 00")
	for i, want := range []string{`07 02 c1 02 05 "row 1"`, `07 02 c1 03 05 "row 2"`} {
		row, err := AppendRow(nil, columns, []datum.Datum{
			{Kind: datum.Number, Number: decimal(t, string(rune('1'+i)))},
			{Kind: datum.Text, Text: "row " + string(rune('1'+i))},
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantBytes(t, row, want)
	}
	wantBytes(t, ReturnParameters{}.Encode(nil), "08 01 03 00 00 00 00 00 00")
	wantBytes(t, Summary{
		Rows: 2, Code: 1403, Cursor: 2, StatementType: StatementQuery, Message: "ORA-01403: no data found\n",
	}.Encode(nil, field12), `04 00 00 01 02 02 05 7b 00 00 01 02 00 03
		00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 05 7b 01 02 19 "ORA-01403: no data found\n"`)
}

// "Minimal successful summary: 04 and 30 zero bytes; with cursor id 2: 04 00 00 00 00 00 00 01 02 00 ...".
func TestMinimalSummaryBytes(t *testing.T) {
	for _, version := range []uint8{7, 12, 13} {
		d := Dialect{FieldVersion: version}
		wantBytes(t, Summary{}.Encode(nil, d), "04"+strings.Repeat("00", 30))
		wantBytes(t, Summary{Cursor: 2}.Encode(nil, d), "04 00 00 00 00 00 00 01 02"+strings.Repeat("00", 23))
	}
}

// "Recorded server bytes show 81 7F as the scale of an unconstrained NUMBER" (reference tns-server 5.3).
func TestScaleBytes(t *testing.T) {
	for _, tc := range []struct {
		name              string
		typ               datum.Type
		universal, native string
	}{
		{"NUMBER", datum.Type{Code: datum.TypeNumber}, "02 00 00 81 7f 01 16", "02 00 00 81 01 16"},
		{
			"NUMBER(5,-2)",
			datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: 5, HasScale: true, Scale: -2},
			"02 00 05 81 02 01 16", "02 00 05 fe 01 16",
		},
		{
			"NUMBER(10,2)",
			datum.Type{Code: datum.TypeNumber, HasPrecision: true, Precision: 10, HasScale: true, Scale: 2},
			"02 00 0a 01 02 01 16", "02 00 0a 02 01 16",
		},
		{"INTEGER", datum.Type{Code: datum.TypeNumber, HasScale: true}, "02 00 26 00 01 16", "02 00 26 00 01 16"},
		{
			"FLOAT",
			datum.Type{Code: datum.TypeNumber, Float: true, HasPrecision: true, Precision: 126},
			"02 00 7e 81 7f 01 16", "02 00 7e 81 01 16",
		},
		{"TIMESTAMP(6)", datum.Type{Code: datum.TypeTimestamp, Size: 6}, "b4 00 00 01 06 01 0b", "b4 00 00 06 01 0b"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := Column{Name: "C", Type: tc.typ}
			universal, native := bytesOf(t, tc.universal), bytesOf(t, tc.native)
			if got := c.encode(nil, Dialect{FieldVersion: 12}, 1); !bytes.HasPrefix(got, universal) {
				t.Errorf("universal: % x", got)
			}
			if got := c.encode(nil, Dialect{FieldVersion: 12, NativeScale: true}, 1); !bytes.HasPrefix(got, native) {
				t.Errorf("native: % x", got)
			}
		})
	}
}

// A column of size 0 has no value on the wire (reference tns-server 6): none is described.
func TestNoColumnHasSizeZero(t *testing.T) {
	for code := range 256 {
		typ := datum.Type{Code: datum.TypeCode(code)}
		if !Sendable(typ) {
			continue
		}
		for _, national := range []bool{false, true} {
			typ.National = national
			n, chars := size(typ)
			if n <= 0 || (typ.Code == datum.TypeVarchar || typ.Code == datum.TypeChar) && chars <= 0 {
				t.Errorf("type %d: size %d, %d characters", code, n, chars)
			}
		}
	}
}

func TestFieldVersionsOfDescribe(t *testing.T) {
	c := Column{Name: "C", Type: datum.Type{Code: datum.TypeDate}}
	if old, now := len(c.encode(nil, Dialect{FieldVersion: 7}, 1)), len(c.encode(nil, field12, 1)); now != old+1 {
		t.Errorf("%d bytes up to version 7, %d from version 8 on", old, now)
	}
}

func TestSmallMessageBytes(t *testing.T) {
	wantBytes(t, Status{}.Encode(nil), "09 00 00")
	wantBytes(t, Status{CallStatus: StatusInTransaction}.Encode(nil), "09 01 02 00")
	wantBytes(t, BindDirections{Directions: []byte{DirectionIn, DirectionOut, DirectionInOut}}.Encode(nil),
		"0b 00 01 03 00 01 01 00 00 00 20 10 30")
	wantBytes(t, NetworkServices{Version: 0x15000000}.Encode(nil), "de ad be ef 00 0d 15 00 00 00 00 00 00")
	wantBytes(t, DataTypesAnswer{TimeZone: true}.Encode(nil), "02 80 00 00 00 3C 3C 3C 80 00 00 00 00 00")
	wantBytes(t, DataTypesAnswer{}.Encode(nil), "02 00 00")
	wantBytes(t, ReturnParameters{CountsWanted: true, Counts: []int64{1, 0, 300}}.Encode(nil),
		"08 01 03 00 00 00 00 00 00 01 03 01 01 00 02 01 2c")
	wantBytes(t, SessionSettings{Settings: []SessionSetting{{NLSLanguage, "AMERICAN"}}}.Encode(nil),
		`17 05 01 01 00 01 01 00 00 01 08 08 "AMERICAN" 01 10 00`)
	wantBytes(t, AuthAnswer{Pairs: []Pair{{Key: "AUTH_VFR_DATA", Value: "AB", Flag: 0x4815}}}.Encode(nil),
		`08 01 01 01 0d 0d "AUTH_VFR_DATA" 01 02 02 "AB" 02 48 15`)
	wantBytes(t, VersionAnswer{Banner: "x", Number: 318963712}.Encode(nil, field12), `08 01 01 01 "x" 04 13 03 00 00`)
	wantBytes(t, VersionAnswer{Banner: "x", Number: 318963712}.Encode(nil, Dialect{}), `08 01 01 "x" 04 13 03 00 00`)
}

// go-ora reads 50 bytes at once behind the third one; node takes banners of at most 47 characters.
func TestProtocolAnswer(t *testing.T) {
	b := ProtocolAnswer{Banner: strings.Repeat("b", 100), CompileTime: CompileTime(12), RunTimeFlags: RunTime()}.Encode(nil)
	if end := bytes.IndexByte(b[3:], 0); end != 47 {
		t.Errorf("banner of %d characters", end)
	}
	short := ProtocolAnswer{Banner: "x", CompileTime: CompileTime(12), RunTimeFlags: RunTime()}.Encode(nil)
	if len(short) < 53 {
		t.Errorf("only %d bytes", len(short))
	}
	rest := short[5:]
	if binary.LittleEndian.Uint16(rest) != CharsetUTF8 {
		t.Errorf("character set % x", rest[:2])
	}
	block := rest[7 : 7+11]
	at := 6 + int(block[5]) + int(block[6]) + 3
	if binary.BigEndian.Uint16(block[at:]) != CharsetUTF16 {
		t.Errorf("block % x", block)
	}
	caps := rest[18:]
	if caps[0] != 53 || caps[1+7] != 12 || caps[1+37] != 0x20 || caps[54] != 11 || len(caps) != 66 {
		t.Errorf("capabilities % x", caps)
	}
}

func TestOutValueBytes(t *testing.T) {
	b, err := AppendOutValues(nil, field12, []OutValue{
		{Type: datum.Type{Code: datum.TypeNumber}, Value: datum.Datum{Kind: datum.Number, Number: decimal(t, "1")}},
		{Type: datum.Type{Code: datum.TypeVarchar}},
	})
	if err != nil {
		t.Fatal(err)
	}
	wantBytes(t, b, "07 02 c1 02 00 00 00")
}

// A value that cannot be sent leaves nothing of its row behind.
func TestRowsAreWhole(t *testing.T) {
	columns := []Column{{Type: datum.Type{Code: datum.TypeNumber}}, {Type: datum.Type{Code: datum.TypeDate}}}
	got, err := AppendRow([]byte("before"), columns, []datum.Datum{
		{Kind: datum.Number, Number: decimal(t, "1")}, {Kind: datum.Text, Text: "no date"},
	}, nil)
	if err == nil || string(got) != "before" {
		t.Errorf("%q, error %v", got, err)
	}
}
