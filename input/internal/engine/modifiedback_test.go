package engine

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R96, R44: a column got another type and its own back before the dictionary was read. A row of the time between that has names is published with
// the value that it has, or stops capture where the type of the column has no such value; one without names stops it.
func TestR96RowsBetweenATypeThatWasChangedAndChangedBack(t *testing.T) {
	text := text40("V", 2).Type
	text.Length, text.CharLength = 10, 10
	number := func(precision, scale int) schema.Type {
		return schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: precision, Scale: scale}
	}
	for name, tt := range map[string]struct {
		is          schema.Type
		there, back string
		named       string
		generic     []byte
		// value is what the row has where it has names; "": it stops capture.
		value string
	}{
		"wider text, that fits":        {text, "varchar2(20)", "varchar2(10)", `'short'`, []byte("short"), "short"},
		"wider text, that does not":    {text, "varchar2(20)", "varchar2(10)", `'longer than ten'`, []byte("longer than ten"), "longer than ten"},
		"larger number, that fits":     {number(5, 0), "number(9)", "number(5)", `'123'`, []byte{0xc2, 0x02, 0x18}, "123"},
		"larger number, that does not": {number(4, 0), "number(9)", "number(4)", `'123456'`, []byte{0xc3, 0x0d, 0x23, 0x39}, ""},
		"more decimals":                {number(9, 0), "number(9,2)", "number(9)", `'1.25'`, []byte{0xc1, 0x02, 0x1a}, ""},
		"text for a number":            {number(9, 0), "varchar2(10)", "number(9)", `'abc'`, []byte("abc"), ""},
		"digits in text for a number":  {number(9, 0), "varchar2(10)", "number(9)", `'12'`, []byte("12"), "12"},
		"a number for text":            {text, "number(9)", "varchar2(10)", `'7'`, []byte{0xc1, 0x08}, "7"},
	} {
		for _, generic := range []bool{false, true} {
			for when, bounds := range map[string][]position.SCN{"in one step": {1080}, "in steps": {1015, 1040, 1080}} {
				t.Run(fmt.Sprintf("%s, without names: %t, %s", name, generic, when), func(t *testing.T) {
					s := following(t)
					s.stores()
					v := *s.a
					v.Columns = slices.Clone(v.Columns)
					v.Columns[1].Type = tt.is
					s.a = v.Seal()
					s.db.described = []*schema.Version{s.a, s.b}
					s.play(s.beginning())
					between := inserted(s.a, xid(3), 1030, `"ID","V"`, "'2',"+tt.named)
					if generic {
						between = inserted(s.a, xid(3), 1030, `"COL 1","COL 2"`, "HEXTORAW('c103'),HEXTORAW('"+hex.EncodeToString(tt.generic)+"')")
						between.Status = notValid
					}
					s.behind(bounds, []logminer.Row{
						inserted(s.a, xid(1), 1005, `"ID","V"`, `'1','1'`), commit(xid(1), 1006),
						ddl(s.a, xid(2), 1010, "alter table A modify (v "+tt.there+")"), commit(xid(2), 1011),
						between, commit(xid(3), 1031),
						ddl(s.a, xid(4), 1050, "alter table A modify (v "+tt.back+")"), commit(xid(4), 1051),
						inserted(s.a, xid(5), 1070, `"ID","V"`, `'3','3'`), commit(xid(5), 1071),
					}...)
					s.play(s.beginning())
					var images []string
					for _, r := range s.rows() {
						if _, image, is := strings.Cut(r, " c "); is {
							images = append(images, image)
						}
					}
					want := []string{"ID=1 V=1", "ID=2 V=" + tt.value, "ID=3 V=3"}
					stopped := stop.Is(s.err, stop.NoDictionary) || stop.Is(s.err, stop.Undecodable)
					if stopped {
						want = want[:1]
					}
					if s.err != nil && !stopped || (tt.value == "" && !stopped) || (stopped && tt.value != "" && !generic) || !slices.Equal(images, want) {
						t.Errorf("%q: %v", images, s.err)
					}
				})
			}
		}
	}
}
