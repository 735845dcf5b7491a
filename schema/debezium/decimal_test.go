package debezium

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Reference debezium-format 7.1.
func TestScaledDecimal(t *testing.T) {
	for _, c := range []struct {
		text             string
		precision, scale int
		want             string
	}{
		{"0", 38, 0, "AA=="},
		{"-0", 38, 0, "AA=="},
		{"0.00", 5, 2, "AA=="},
		{"1", 38, 0, "AQ=="},
		{"-1", 38, 0, "/w=="},
		{"127", 38, 0, "fw=="},
		{"128", 38, 0, "AIA="},
		{"-128", 38, 0, "gA=="},
		{"-129", 38, 0, "/38="},
		{"255", 38, 0, "AP8="},
		{"256", 38, 0, "AQA="},
		{"32767", 38, 0, "f/8="},
		{"32768", 38, 0, "AIAA"},
		{"-32768", 38, 0, "gAA="},
		{"-32769", 38, 0, "/3//"},
		{"12300", 20, -2, "ew=="},
		{"123.45", 5, 2, "MDk="},
		{"-123.45", 5, 2, "z8c="},
		{"-12.50", 12, 2, "+x4="},
		{"-12.5", 12, 2, "+x4="},
		{"4.4444", 8, 6, "Q9Dw"},
		{"1234.567891", 10, 6, "SZYC0w=="},
		{strings.Repeat("9", 38), 38, 0, "SztMqFqGxHoJiiI//////w=="},
		{"-" + strings.Repeat("9", 38), 38, 0, "tMSzV6V5O4X2dd3AAAAAAQ=="},
		{"9999999999999999999", 19, 0, "AIrHIwSJ5///"},
		{"-10000000000000000000", 20, 0, "/3U43Pt2GAAA"},
		// NUMBER(36,-2), reference 5.2.
		{strings.Repeat("9", 36) + "00", 36, -2, "AMCXznvJBxWzS58P/////w=="},
		{"0.00012", 3, 5, "DA=="},
		{"100", 5, -3, ""},
		{"0", 5, -3, "AA=="},
		{"1.005", 5, 2, ""},
		{"1000", 5, 2, ""},
	} {
		got, err := appendScaled(nil, c.text, shape{scale: c.scale, precision: c.precision})
		if c.want == "" {
			if !errors.Is(err, errScale) && !errors.Is(err, errPrecision) {
				t.Errorf("%s at (%d,%d): %s, %v; want a refusal", c.text, c.precision, c.scale, got, err)
			}
			continue
		}
		if err != nil || string(got) != `"`+c.want+`"` {
			t.Errorf("%s at (%d,%d): %s, %v; want %s", c.text, c.precision, c.scale, got, err, c.want)
		}
	}
}

// Reference debezium-format 7.2; one form for a value whatever zeros its source wrote.
func TestVariableScaleDecimal(t *testing.T) {
	for text, want := range map[string]string{
		"77.323":    `{"scale":3,"value":"AS4L"}`,
		"-77.323":   `{"scale":3,"value":"/tH1"}`,
		"3.33":      `{"scale":2,"value":"AU0="}`,
		"8.888":     `{"scale":3,"value":"Irg="}`,
		"-0.5":      `{"scale":1,"value":"+w=="}`,
		"-0.500":    `{"scale":1,"value":"+w=="}`,
		"100":       `{"scale":0,"value":"ZA=="}`,
		"100.00":    `{"scale":0,"value":"ZA=="}`,
		"1000000.5": `{"scale":1,"value":"AJiWhQ=="}`,
		"0":         `{"scale":0,"value":"AA=="}`,
		"-0.0":      `{"scale":0,"value":"AA=="}`,
	} {
		got, err := appendVariable(nil, text)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", text, got, err, want)
		}
	}
}

// Worked examples of reference debezium-format 5.2.
func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		text             string
		precision, scale int
		want             string
	}{
		{"7", 1, 0, "7"},
		{"-99", 2, 0, "-99"},
		{"007", 2, 0, "7"},
		{"-0", 2, 0, "0"},
		{"999999999999999999", 18, 0, "999999999999999999"},
		{"-999999999999999999", 18, 0, "-999999999999999999"},
		{"90", 1, -1, "90"},
		{"9900", 2, -2, "9900"},
		{"999999990", 8, -1, "999999990"},
		{"999999999999999900", 16, -2, "999999999999999900"},
		{"0", 2, -2, "0"},
		{"5.00", 2, 0, "5"},
		{"5.01", 2, 0, ""},
		{"100", 2, 0, ""},
		{"9950", 2, -2, ""},
		{"10000", 2, -2, ""},
		{"50", 2, -2, ""},
	} {
		got, err := appendInteger(nil, c.text, shape{scale: c.scale, precision: c.precision})
		if c.want == "" {
			if !errors.Is(err, errScale) && !errors.Is(err, errPrecision) {
				t.Errorf("%s at (%d,%d): %s, %v; want a refusal", c.text, c.precision, c.scale, got, err)
			}
			continue
		}
		if err != nil || string(got) != c.want {
			t.Errorf("%s at (%d,%d): %s, %v; want %s", c.text, c.precision, c.scale, got, err, c.want)
		}
	}
}

func TestWhatIsNotPlainDigitsIsRefused(t *testing.T) {
	for _, text := range []string{"", "-", ".5", "-.5", "+1", "1e5", "1,5", "1.2.3", "--1", " 1", "NaN", "1.2x", "x.2"} {
		for _, scale := range []int{-2, 0, 1, 5} {
			if got, err := appendScaled(nil, text, shape{scale: scale}); err == nil {
				t.Errorf("%q at scale %d became %s", text, scale, got)
			}
		}
		if got, err := appendVariable(nil, text); err == nil {
			t.Errorf("%q became %s", text, got)
		}
	}
}

// decode is what a consumer does with the base64 of an unscaled value.
func decode(t interface{ Fatalf(string, ...any) }, quoted []byte) *big.Int {
	var b []byte
	if err := json.Unmarshal(quoted, &b); err != nil {
		t.Fatalf("%s: %v", quoted, err)
	}
	if len(b) > 1 && (b[0] == 0 && b[1] < 0x80 || b[0] == 0xff && b[1] >= 0x80) {
		t.Fatalf("%x is not minimal", b)
	}
	x := new(big.Int).SetBytes(b)
	if b[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return x
}

// plain writes unscaled × 10^-scale as Value's decimals are written.
func plain(unscaled *big.Int, scale int) string {
	digits := new(big.Int).Abs(unscaled).String()
	if scale < 0 && unscaled.Sign() != 0 {
		digits += strings.Repeat("0", -scale)
	}
	if scale > 0 {
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+1) + digits
		}
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if unscaled.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

func drawInteger(t *rapid.T, digits int) *big.Int {
	text := rapid.StringMatching(`-?[0-9]{1,`+big.NewInt(int64(digits)).String()+`}`).Draw(t, "digits")
	x, ok := new(big.Int).SetString(text, 10)
	if !ok {
		t.Fatalf("draw %s", text)
	}
	return x
}

func TestScaledDecimalReadsBackAsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawInteger(t, 42)
		scale := rapid.IntRange(-84, 127).Draw(t, "scale")
		got, err := appendScaled(nil, plain(x, scale), shape{scale: scale})
		if err != nil {
			t.Fatalf("%s: %v", plain(x, scale), err)
		}
		if back := decode(t, got); back.Cmp(x) != 0 {
			t.Fatalf("%s at scale %d became %s = %s", x, scale, got, back)
		}
	})
}

func TestVariableScaleDecimalReadsBackAsTheValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawInteger(t, 42)
		scale := rapid.IntRange(0, 130).Draw(t, "scale")
		text := plain(x, scale)
		got, err := appendVariable(nil, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		var doc struct {
			Scale int
			Value json.RawMessage
		}
		if err := json.Unmarshal(got, &doc); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
		value := new(big.Rat).SetFrac(decode(t, doc.Value), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(doc.Scale)), nil))
		want, _ := new(big.Rat).SetString(text)
		if value.Cmp(want) != 0 {
			t.Fatalf("%s became %s", text, got)
		}
		if doc.Scale > 0 && new(big.Int).Rem(decode(t, doc.Value), big.NewInt(10)).Sign() == 0 {
			t.Fatalf("%s became %s: not the shortest scale", text, got)
		}
	})
}

func TestPrecisionIsTheLimit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawInteger(t, 40)
		scale := rapid.IntRange(-10, 40).Draw(t, "scale")
		precision := rapid.IntRange(1, 38).Draw(t, "precision")
		limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(precision)), nil)
		_, err := appendScaled(nil, plain(x, scale), shape{scale: scale, precision: precision})
		if fits := new(big.Int).Abs(x).Cmp(limit) < 0; fits != (err == nil) {
			t.Fatalf("%s at (%d,%d): %v", plain(x, scale), precision, scale, err)
		}
	})
}

func TestPlaceholderBytesAreItsUTF8(t *testing.T) {
	// Reference debezium-format 9.1 gives the base64 of Debezium's placeholder.
	if got := string(appendBase64(nil, "__debezium_unavailable_value")); got != `"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="` {
		t.Error(got)
	}
	if got := string(appendBase64(nil, CDC().placeholder)); got != `"`+base64.StdEncoding.EncodeToString([]byte("__cdc_unavailable_value"))+`"` {
		t.Error(got)
	}
}
