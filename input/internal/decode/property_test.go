package decode

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func decodeOne(t *rapid.T, kind schema.TypeKind, literal string) value.Value {
	var d Decoder
	img, err := d.Row(table(column("C", kind)), change.Create, `insert into "APP"."T"("C") values (`+literal+`)`)
	if err != nil {
		t.Fatalf("%s: %v", literal, err)
	}
	return img.After[0]
}

// Whatever notation a number comes in, its digits are plain and its value is the same.
func TestDecimalKeepsTheValueOfAnyNotation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringMatching(`[-+]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})(E[-+]?[0-9]{1,2})?`).Draw(t, "number")
		got := decodeOne(t, schema.Number, "'"+in+"'").Text()
		want, ok1 := new(big.Rat).SetString(in)
		have, ok2 := new(big.Rat).SetString(got)
		if !ok1 || !ok2 || want.Cmp(have) != 0 {
			t.Fatalf("%s became %s", in, got)
		}
		if !isPlain(got) {
			t.Fatalf("%s became %s, which is not plain", in, got)
		}
	})
}

// Any text, cut into UNISTR pieces anywhere, is read back; a cut may fall inside a surrogate pair.
func TestUnistrJoinsPiecesCutAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringN(1, 12, -1).Filter(utf8.ValidString).Draw(t, "text")
		var literal strings.Builder
		literal.WriteString("UNISTR('")
		for _, unit := range utf16.Encode([]rune(in)) {
			switch {
			case unit == '\'':
				literal.WriteString("''")
			case unit == '\\' && rapid.Bool().Draw(t, "doubled"):
				literal.WriteString(`\\`)
			case unit >= ' ' && unit < 127 && unit != '\\':
				literal.WriteByte(byte(unit))
			default:
				fmt.Fprintf(&literal, `\%04X`, unit)
			}
			if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
				literal.WriteString("') || UNISTR('")
			}
		}
		literal.WriteString("')")
		if got := decodeOne(t, schema.NVarchar2, literal.String()).Text(); got != in {
			t.Fatalf("%q became %q", in, got)
		}
	})
}

func TestDateIsReadByItsFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := value.DateTime{
			Year: rapid.Int16Range(1, 9999).Draw(t, "year"), Month: rapid.Uint8Range(1, 12).Draw(t, "month"),
			Day: rapid.Uint8Range(1, 28).Draw(t, "day"), Hour: rapid.Uint8Range(0, 23).Draw(t, "hour"),
			Minute: rapid.Uint8Range(0, 59).Draw(t, "minute"), Second: rapid.Uint8Range(0, 59).Draw(t, "second"),
		}
		half, hour := "AM", in.Hour%12
		if in.Hour >= 12 {
			half = "PM"
		}
		if hour == 0 {
			hour = 12
		}
		name := []string{"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}[in.Month-1]
		for format, text := range map[string]string{
			"YYYY-MM-DD HH24:MI:SS":    fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", in.Year, in.Month, in.Day, in.Hour, in.Minute, in.Second),
			"SYYYY-MM-DD HH24:MI:SS":   fmt.Sprintf(" %04d-%02d-%02d %02d:%02d:%02d", in.Year, in.Month, in.Day, in.Hour, in.Minute, in.Second),
			"DD-MON-YYYY HH:MI:SS AM":  fmt.Sprintf("%02d-%s-%04d %02d:%02d:%02d %s", in.Day, name, in.Year, hour, in.Minute, in.Second, half),
			"dd.mm.yyyy ad hh24.mi.ss": fmt.Sprintf("%02d.%02d.%04d AD %02d.%02d.%02d", in.Day, in.Month, in.Year, in.Hour, in.Minute, in.Second),
		} {
			if got := decodeOne(t, schema.Date, "TO_DATE('"+text+"', '"+format+"')").DateTime(); got != in {
				t.Fatalf("%s by %s became %+v", text, format, got)
			}
		}
	})
}

func FuzzRow(f *testing.F) {
	for _, s := range []string{
		`insert into "APP"."T"("A","B","C","D") values ('1','x',TO_DATE('15-MAY-21', 'DD-MON-RR'),HEXTORAW('00'))`,
		`update "APP"."T" set "E" = UNISTR('\D83D') || UNISTR('\DE00') where "F" = TO_TIMESTAMP_TZ('2010-12-01 23:12:56.788000 -12:44')`,
		`delete from "APP"."T" where "G" = TO_DSINTERVAL('-007 05:12:10.012300000') and "H" = TO_YMINTERVAL('-001-02') and "I" = 'Nan'`,
	} {
		f.Add(s)
	}
	kinds := []schema.TypeKind{
		schema.Number, schema.Varchar2, schema.Date, schema.Raw, schema.NVarchar2, schema.TimestampTZ, schema.IntervalDS,
		schema.IntervalYM, schema.BinaryFloat,
	}
	var columns []schema.Column
	for i, k := range kinds {
		columns = append(columns, column(string(rune('A'+i)), k))
	}
	version := table(columns...)
	var d Decoder
	f.Fuzz(func(t *testing.T, sql string) {
		for _, op := range []change.Op{change.Create, change.Update, change.Delete} {
			img, err := d.Row(version, op, sql)
			if err != nil {
				continue
			}
			for _, v := range append(img.Before, img.After...) {
				if v.Kind() == value.Decimal && !isPlain(v.Text()) {
					t.Fatalf("%q is no plain number", v.Text())
				}
				if v.Kind() == value.Text && (v.Text() == "" || !utf8.ValidString(v.Text())) {
					t.Fatalf("%q is no text", v.Text())
				}
			}
		}
	})
}
