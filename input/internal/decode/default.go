package decode

import (
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Default gives the value of a column's default, where its expression is a literal that a row could hold: digits, quoted text, TO_DATE
// and its kin. It is false for everything else, such as SYSDATE, a sequence or NULL: what an expression gives is known only to the
// statement that ran it. The literal is read as that of an insert, so that a default and a value have one form.
func Default(c *schema.Column) (value.Value, bool) {
	if c.Default == nil {
		return value.Value{}, false
	}
	text := strings.TrimSpace(*c.Default)
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	const owner, table, name = "O", "T", "C"
	v := (&schema.Version{
		Table: schema.Table{Owner: owner, Name: table}, Columns: []schema.Column{{Name: name, Type: c.Type, SegmentID: 1}},
	}).Seal()
	var d Decoder
	image, err := d.Row(v, change.Create, `insert into "`+owner+`"."`+table+`"("`+name+`") values (`+text+`);`)
	if err != nil || len(image.After) != 1 {
		return value.Value{}, false
	}
	val := image.After[0]
	if !val.Known() || val.Kind() == value.Null {
		return value.Value{}, false
	}
	if c.Type.Kind == schema.Char || c.Type.Kind == schema.NChar {
		return padded(val, c.Type)
	}
	return val, true
}

// padded is the default of a CHAR column as a row holds it. With length semantics of bytes it is known for ASCII only.
func padded(val value.Value, t schema.Type) (value.Value, bool) {
	text := val.Text()
	for i := range len(text) {
		if text[i] >= 0x80 {
			return value.Value{}, false
		}
	}
	if len(text) > t.CharLength {
		return value.Value{}, false
	}
	return value.OfText(text + strings.Repeat(" ", t.CharLength-len(text))), true
}
