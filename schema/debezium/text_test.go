package debezium

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Reference debezium-format 1.5.
func TestTextIsEscapedAsConnectDoes(t *testing.T) {
	for in, want := range map[string]string{
		"":                      `""`,
		"plain":                 `"plain"`,
		`say "hi" \ there`:      `"say \"hi\" \\ there"`,
		"\b\t\n\f\r":            `"\b\t\n\f\r"`,
		"\x00\x1f\x0b":          `"\u0000\u001F\u000B"`,
		"\x7f":                  "\"\x7f\"",
		"/<>&'":                 `"/<>&'"`,
		"\u2028\u2029":          "\"\u2028\u2029\"",
		"Grüße €":               `"Grüße €"`,
		"😀":                     `"\uD83D\uDE00"`,
		"a😀b\U0010FFFF":         `"a\uD83D\uDE00b\uDBFF\uDFFF"`,
		"\ufffd":                "\"\ufffd\"",
		"tail\n":                `"tail\n"`,
		strings.Repeat("x", 70): `"` + strings.Repeat("x", 70) + `"`,
	} {
		got, err := appendText([]byte("pre"), in)
		if err != nil || string(got) != "pre"+want {
			t.Errorf("%q: %s, %v; want %s", in, got, err, want)
		}
	}
}

func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	for _, in := range []string{"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\x80"} {
		if got, err := appendText(nil, in); err == nil {
			t.Errorf("%q became %s", in, got)
		}
	}
}

func FuzzTextReadsBackAsItself(f *testing.F) {
	for _, s := range []string{"", "a", "\x00\"\\", "😀\u2028", "\xff", "\xed\xa0\x80", "Ä\x1f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		out, err := appendText(nil, in)
		if (err == nil) != utf8.ValidString(in) {
			t.Fatalf("%q: %v", in, err)
		}
		if err != nil {
			return
		}
		var back string
		if err := json.Unmarshal(out, &back); err != nil || back != in {
			t.Fatalf("%q became %s, read back as %q, %v", in, out, back, err)
		}
	})
}

func TestBase64IsTheStandardOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes")
		want := `"` + base64.StdEncoding.EncodeToString(in) + `"`
		if got := string(appendBase64(nil, in)); got != want {
			t.Fatalf("%x: %s, want %s", in, got, want)
		}
		if got := string(appendBase64(nil, string(in))); got != want {
			t.Fatalf("%x as string: %s, want %s", in, got, want)
		}
	})
}
