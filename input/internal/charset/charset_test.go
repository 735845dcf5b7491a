package charset_test

import (
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/charset"
)

func named(t testing.TB, name string) *charset.Set {
	t.Helper()
	s, ok := charset.Named(name)
	if !ok {
		t.Fatalf("%s is not known", name)
	}
	return s
}

// The characters are those of the Unicode Consortium's mapping tables (MAPPINGS/ISO8859, MAPPINGS/VENDORS/MICSFT), not of the driver's.
func TestR47BytesOfEverySetAreTheCharactersThatUnicodeMapsThemTo(t *testing.T) {
	for _, c := range []struct{ set, raw, want string }{
		{"US7ASCII", "Anna ~", "Anna ~"},
		{"WE8ISO8859P1", "LIS\xc4TARVIKE \xff", "LISÄTARVIKE ÿ"},
		{"WE8ISO8859P15", "\xa4\xa6\xbe", "€ŠŸ"},
		{"EE8ISO8859P2", "\xb9\xe8\xbe", "ščž"},
		{"SE8ISO8859P3", "\xb1\xe6", "ħĉ"},
		{"NEE8ISO8859P4", "\xe0\xba", "āē"},
		{"CL8ISO8859P5", "\xbf\xe0", "Пр"},
		{"AR8ISO8859P6", "\xc7\xe4", "ال"},
		{"EL8ISO8859P7", "\xc1\xf9", "Αω"},
		{"IW8ISO8859P8", "\xe0\xf9", "אש"},
		{"WE8ISO8859P9", "\xdd\xfe", "İş"},
		{"NE8ISO8859P10", "\xe0\xbf", "āŋ"},
		{"EE8MSWIN1250", "\x8a\x9e\xb3", "Šžł"},
		{"CL8MSWIN1251", "\xcf\xf0\xb9", "Пр№"},
		{"WE8MSWIN1252", "\x80\x99\xe9", "€™é"},
		{"EL8MSWIN1253", "\xa2\xd9", "ΆΩ"},
		{"TR8MSWIN1254", "\xdd\xf0", "İğ"},
		{"IW8MSWIN1255", "\xe0\xa4", "א₪"},
		{"BLT8MSWIN1257", "\xe0\xf0", "ąš"},
		{"AL32UTF8", "\xe8\xac\x9d \xf0\x9f\x98\x80", "謝 😀"},
		{"UTF8", "\xe8\xac\x9d \xed\xa0\xbd\xed\xb8\x80", "謝 😀"},
		{"AL16UTF16", "\x8b\x1d\x00 \xd8\x3d\xde\x00", "謝 😀"},
	} {
		got, _, ok := named(t, c.set).Append([]byte(">"), []byte(c.raw))
		if !ok || string(got) != ">"+c.want {
			t.Errorf("%s: %q, %t, want %q", c.set, got, ok, c.want)
		}
	}
}

func TestR47BytesThatTheSetDoesNotHaveAreRefused(t *testing.T) {
	for _, c := range []struct{ set, raw string }{
		{"US7ASCII", "\x80"},
		{"US7ASCII", "\xc4"},
		{"AR8ISO8859P6", "\xa1"},
		{"IW8ISO8859P8", "\xbf"},
		{"AL32UTF8", "a\xc4"},
		{"AL32UTF8", "\xc1\x82"},
		{"AL32UTF8", "\xed\xa0\xbd\xed\xb8\x80"},
		{"UTF8", "\xf0\x9f\x98\x80"},
		{"UTF8", "\xed\xa0\xbd"},
		{"UTF8", "\xed\xa0\xbda"},
		{"UTF8", "\xed\xb8\x80"},
		{"UTF8", "\xed\xa0"},
		{"UTF8", "\xff"},
		{"AL16UTF16", "\x00a\x00"},
		{"AL16UTF16", "\xd8\x3d"},
		{"AL16UTF16", "\xd8\x3d\x00a"},
		{"AL16UTF16", "\xde\x00\xd8\x3d"},
	} {
		if got, _, ok := named(t, c.set).Append(nil, []byte(c.raw)); ok {
			t.Errorf("%s: % x gives %q", c.set, c.raw, got)
		}
	}
	for _, name := range []string{"", "ZHS16GBK", "JA16SJIS", "al32utf8", "AL32UTF8 "} {
		if _, ok := charset.Named(name); ok {
			t.Errorf("%q is known", name)
		}
	}
}

// Oracle counts halves of pairs where a set has them, which decides how long a padded value is.
func TestR47Characters(t *testing.T) {
	for _, c := range []struct {
		set, raw string
		want     int
	}{
		{"WE8ISO8859P1", "\xc4\xc4", 2},
		{"AL32UTF8", "ä😀", 2},
		{"UTF8", "ä\xed\xa0\xbd\xed\xb8\x80", 3},
		{"AL16UTF16", "\x00a\xd8\x3d\xde\x00", 3},
	} {
		if _, got, ok := named(t, c.set).Append(nil, []byte(c.raw)); !ok || got != c.want {
			t.Errorf("%s: %d characters, %t, want %d", c.set, got, ok, c.want)
		}
	}
}

func FuzzR47TextIsExactOrRefused(f *testing.F) {
	f.Add("a", []byte("\xed\xa0\xbd\xed\xb8\x80"))
	f.Add("謝 😀\ufffd", []byte("\xd8\x3d\xde\x00"))
	f.Fuzz(func(t *testing.T, text string, raw []byte) {
		for _, name := range []string{"US7ASCII", "WE8MSWIN1252", "AL32UTF8", "UTF8", "AL16UTF16"} {
			if got, _, ok := named(t, name).Append(nil, raw); ok && !utf8.Valid(got) {
				t.Fatalf("%s: % x gives %q", name, raw, got)
			}
		}
		if !utf8.ValidString(text) {
			return
		}
		var wide, cesu []byte
		for _, u := range utf16.Encode([]rune(text)) {
			wide = append(wide, byte(u>>8), byte(u))
			switch {
			case u < 0x80:
				cesu = append(cesu, byte(u))
			case u < 0x800:
				cesu = append(cesu, 0xC0|byte(u>>6), 0x80|byte(u)&0x3F)
			default:
				cesu = append(cesu, 0xE0|byte(u>>12), 0x80|byte(u>>6)&0x3F, 0x80|byte(u)&0x3F)
			}
		}
		for name, raw := range map[string][]byte{"AL16UTF16": wide, "UTF8": cesu, "AL32UTF8": []byte(text)} {
			if got, _, ok := named(t, name).Append(nil, raw); !ok || string(got) != text {
				t.Fatalf("%s: %q comes back as %q, %t", name, text, got, ok)
			}
		}
	})
}
