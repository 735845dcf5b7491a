package debezium

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func pattern(t testing.TB, text string) naming.Pattern {
	t.Helper()
	p, err := naming.ParsePattern(text, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func sized(length int) schema.Type {
	t := varchar()
	t.Length, t.CharLength = 4*length, length
	return t
}

// Reference debezium-format 13.
func TestMasks(t *testing.T) {
	const v1 = "a497b2ef4a0304e372b127cc4c53f29e2a9755f92b0cdc452bb7bce873a4ca3a"
	const v2 = "d815b70abadddd9e1eb3607b08f023e930fe0c9af4ad688b46b6e727fa56c90b"
	clob := typed(schema.CLOB, "CLOB", schema.NoNumber)
	for name, c := range map[string]struct {
		typ        schema.Type
		mask       Mask
		text       string
		want, null string
	}{
		"characters":                        {varchar(), Mask{Characters: 5}, "John Doe", `"*****"`, `"*****"`},
		"text":                              {varchar(), Mask{With: `x"y`}, "John Doe", `"x\"y"`, `"x\"y"`},
		"digest, version 2":                 {varchar(), Mask{Hash: "SHA-256", Salt: "CzQMA0cB5K", Version: 2}, "John Doe", `"` + v2 + `"`, `null`},
		"digest, version 1":                 {varchar(), Mask{Hash: "SHA-256", Salt: "CzQMA0cB5K", Version: 1}, "John Doe", `"` + v1 + `"`, `null`},
		"digest cut to the column's length": {sized(20), Mask{Hash: "SHA-256", Salt: "CzQMA0cB5K", Version: 2}, "John Doe", `"` + v2[:20] + `"`, `null`},
		"digest of a CLOB is whole":         {clob, Mask{Hash: "SHA-256", Salt: "CzQMA0cB5K", Version: 2}, "John Doe", `"` + v2 + `"`, `null`},
		"MD5 (RFC 1321: abc)":               {varchar(), Mask{Hash: "MD5", Version: 2}, "abc", `"900150983cd24fb0d6963f7d28e17f72"`, `null`},
		"SHA-1 (FIPS 180-1: abc)":           {varchar(), Mask{Hash: "SHA-1", Version: 2}, "abc", `"a9993e364706816aba3e25717850c26c9cd0d89d"`, `null`},
	} {
		t.Run(name, func(t *testing.T) {
			s := settings()
			s.LOBs = LOBsInline
			c.mask.Match = pattern(t, `APP\.T\.CA`)
			s.Masks = []Mask{c.mask, {Match: pattern(t, `.*`), With: "never"}}
			v := versionOf(c.typ)
			tab := table(t, s, v)
			if got := after(t, tab, v, value.OfText(c.text)); got != `{"CA":`+c.want+`}` {
				t.Errorf("%s, want %s", got, c.want)
			}
			if got := after(t, tab, v, value.OfNull()); got != `{"CA":`+c.null+`}` {
				t.Errorf("NULL: %s, want %s", got, c.null)
			}
		})
	}
}

// Mask and truncate apply to rows, not to keys.
func TestKeysAreNeitherMaskedNorCut(t *testing.T) {
	s := settings()
	s.Masks = []Mask{{Match: pattern(t, `.*\.CA`), With: "***"}}
	s.Truncations = []Truncation{{Match: pattern(t, `.*`), Length: 2}}
	v := versionOf(sized(20), sized(20))
	v.Key = schema.Key{Origin: schema.KeyConfig, Columns: []int{0, 1}}
	tab, ev := table(t, s, v), streamed(v, change.Create, nil, []value.Value{value.OfText("secret"), value.OfText("longer")})
	key, err := tab.AppendKey(nil, ev)
	if err != nil || string(key) != `{"CA":"secret","CB":"longer"}` {
		t.Errorf("key %s, %v", key, err)
	}
	if got := after(t, tab, v, ev.After...); got != `{"CA":"***","CB":"lo"}` {
		t.Error(got)
	}
}

// A pattern over a column that cannot be masked would leave its values in the open.
func TestMaskOfAColumnThatHoldsNoTextIsRefused(t *testing.T) {
	for _, typ := range []schema.Type{number(5, 0), typed(schema.Date, "DATE", schema.NoNumber), typed(schema.Raw, "RAW", schema.NoNumber)} {
		s := settings()
		s.Masks = []Mask{{Match: pattern(t, `.*`), Characters: 3}}
		_, err := NewTable(s, versionOf(typ))
		if !stop.Is(err, stop.Configuration) || !strings.Contains(err.Error(), "APP.T.CA") || !strings.Contains(err.Error(), "columns.mask") {
			t.Errorf("%s: %v", typ, err)
		}
	}
}

func TestTruncation(t *testing.T) {
	raw := typed(schema.Raw, "RAW", schema.NoNumber)
	raw.Length = 20
	short := typed(schema.Raw, "RAW", schema.NoNumber)
	short.Length = 3
	for name, c := range map[string]struct {
		typ   schema.Type
		value value.Value
		want  string
	}{
		"text":           {sized(20), value.OfText("abcd\"e"), `"abcd\""`},
		"text that fits": {sized(20), value.OfText("äöüßé"), `"äöüßé"`},
		"text beyond it": {sized(20), value.OfText("äöüßéx"), `"äöüßé"`},
		"a character of two UTF-16 units is not halved": {sized(20), value.OfText("abcd😀"), `"abcd"`},
		"one that fits":               {sized(20), value.OfText("abc😀x"), `"abc\uD83D\uDE00"`},
		"a column that is not longer": {sized(5), value.OfText("12345"), `"12345"`},
		"bytes":                       {raw, value.OfBytes("\x00\x01\x02\x03\x04\x05\x06"), `"AAECAwQ="`},
		"short bytes":                 {short, value.OfBytes("\x00\x01\x02"), `"AAEC"`},
		"a number is not touched":     {number(9, 0), value.OfDecimal("123456789"), `123456789`},
		"a value that is not held":    {sized(20), value.OfUnavailable(), `"__cdc_unavailable_value"`},
		"NULL":                        {sized(20), value.OfNull(), `null`},
	} {
		s := settings()
		s.Truncations = []Truncation{{Match: pattern(t, `.*`), Length: 5}}
		v := versionOf(c.typ)
		if got := after(t, table(t, s, v), v, c.value); got != `{"CA":`+c.want+`}` {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	s := settings()
	s.Truncations, s.Binary = []Truncation{{Match: pattern(t, `.*`), Length: 2}}, HexText
	v := versionOf(raw)
	if got := after(t, table(t, s, v), v, value.OfBytes("\xff\xfe\xfd")); got != `{"CA":"fffe"}` {
		t.Error(got)
	}
}

// Java object serialisation: java.io.ObjectOutputStream.writeObject of a string, stream version 5.
func TestJavaSerialisedStrings(t *testing.T) {
	for text, want := range map[string]string{
		"":           "aced0005740000",
		"John Doe":   "aced0005740008" + hex.EncodeToString([]byte("John Doe")),
		"ä":          "aced0005740002c3a4",
		"\x00":       "aced0005740002c080",
		"\U0001F600": "aced0005740006eda0bdedb880",
	} {
		if got := hex.EncodeToString(javaString(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got := hex.EncodeToString(javaString(strings.Repeat("a", 70000))[:13]); got != "aced00057c0000000000011170" {
		t.Errorf("a long string begins with %s", got)
	}
}

func TestConstantMaskCostsNoAllocation(t *testing.T) {
	s := settings()
	s.Masks = []Mask{{Match: pattern(t, `.*`), Characters: 3}}
	v := versionOf(sized(20))
	tab, ev := table(t, s, v), streamed(v, change.Create, nil, []value.Value{value.OfText("secret")})
	buf := make([]byte, 0, 4096)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := tab.AppendValue(buf, ev); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%g allocations", n)
	}
}

// Reference debezium-format 13: type in upper case, length and scale where they are known, in the row and not in the key; behind
// what a mask says.
func TestTypesOfColumnsAreParametersOfTheirSchemas(t *testing.T) {
	s := settings()
	s.Encoding, s.Propagate = JSONSchema, []naming.Pattern{pattern(t, `.*\.C[ABD]`)}
	s.Masks = []Mask{{Match: pattern(t, `.*\.CB`), Characters: 3}}
	v := versionOf(number(9, 0), sized(20), number(9, 0), typed(schema.Date, "date", schema.NoNumber))
	v.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	tab, ev := table(t, s, v), streamed(v, change.Create, nil, []value.Value{value.OfDecimal("1"), value.OfText("x"), value.OfDecimal("2"), value.OfNull()})
	got, err := tab.AppendValue(nil, ev)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"parameters":{"__debezium.source.column.type":"NUMBER","__debezium.source.column.length":"9","__debezium.source.column.scale":"0"},"field":"CA"`,
		`"parameters":{"masked":"true","__debezium.source.column.type":"VARCHAR2","__debezium.source.column.length":"20"},"field":"CB"`,
		`"optional":true,"field":"CC"`,
		`"parameters":{"__debezium.source.column.type":"DATE"},"field":"CD"`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s\nhas no %s", got, want)
		}
	}
	if key, err := tab.AppendKey(nil, ev); err != nil || strings.Contains(string(key), "source.column") {
		t.Errorf("key %s, %v", key, err)
	}
}
