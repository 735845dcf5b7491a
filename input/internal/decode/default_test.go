package decode

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Reference debezium-format 9.3, without what would be made up.
func TestDefaultIsAValueOnlyWhereItIsALiteral(t *testing.T) {
	none := schema.NoNumber
	number := schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 12, Scale: 2}
	text := schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40, CharLength: 40, Precision: none, Scale: none}
	char := schema.Type{Kind: schema.Char, Name: "CHAR", Length: 5, CharLength: 5, Precision: none, Scale: none}
	date := schema.Type{Kind: schema.Date, Name: "DATE", Precision: none, Scale: none}
	stamp := schema.Type{Kind: schema.Timestamp, Name: "TIMESTAMP(6)", Precision: none, Scale: 6}
	raw := schema.Type{Kind: schema.Raw, Name: "RAW", Length: 4, Precision: none, Scale: none}
	first := value.DateTime{Year: 2001, Month: 2, Day: 3}
	for _, c := range []struct {
		typ  schema.Type
		text string
		want value.Value
	}{
		{number, "0", value.OfDecimal("0")},
		{number, " ((1.50)) \n", value.OfDecimal("1.50")},
		{number, "-7", value.OfDecimal("-7")},
		{text, "'NEW'", value.OfText("NEW")},
		{text, "'NEW' ", value.OfText("NEW")},
		{text, "'it''s'", value.OfText("it's")},
		{char, "'ab'", value.OfText("ab   ")},
		{date, "TO_DATE('2001-02-03 00:00:00', 'YYYY-MM-DD HH24:MI:SS')", value.OfLocal(first)},
		{raw, "HEXTORAW('01FF')", value.OfBytes("\x01\xff")},
		{stamp, "TO_TIMESTAMP('2001-02-03 00:00:00.000000')", value.OfLocal(first)},
	} {
		if got, ok := Default(&schema.Column{Name: "X", Type: c.typ, Default: &c.text}); !ok || got != c.want {
			t.Errorf("%s DEFAULT %s: %+v, %t", c.typ, c.text, got, ok)
		}
	}
	for _, c := range []struct {
		typ  schema.Type
		text string
	}{
		{number, "NULL"},
		{number, "seq.nextval"},
		{number, "1+1"},
		{number, "ROUND(1.5)"},
		{number, "'x'"},
		{number, "1); delete from t where (1"},
		{text, "''"},
		{text, "USER"},
		{text, "'a'||'b'"},
		{text, "'a', 'b'"},
		{char, "'toolong'"},
		{char, "'ä'"},
		{date, "SYSDATE"},
		{stamp, "CURRENT_TIMESTAMP"},
		{date, "'2001-02-03'"},
		{schema.Type{Kind: schema.Unsupported, Name: "X"}, "1"},
	} {
		text := c.text
		if got, ok := Default(&schema.Column{Name: "X", Type: c.typ, Default: &text}); ok {
			t.Errorf("%s DEFAULT %s: %+v", c.typ, c.text, got)
		}
	}
	if _, ok := Default(&schema.Column{Name: "X", Type: number}); ok {
		t.Error("a column without a default has one")
	}
}
