package decode

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// What a query shows and what the redo says of the same value is one value (P6).
func TestShownAndRedoAreOneValue(t *testing.T) {
	for _, c := range []struct {
		kind           schema.TypeKind
		shown, literal string
	}{
		{schema.Number, "-12.5", "'-12.5'"},
		{schema.Number, "1E+5", "'1E5'"},
		{schema.Float, ".5", "'.5'"},
		{schema.Varchar2, "it's", "'it''s'"},
		{schema.NVarchar2, "é", `UNISTR('\00E9')`},
		{schema.Char, "a  ", "'a  '"},
		{schema.Raw, "\x00\xff", "HEXTORAW('00FF')"},
		{schema.RowID, "AAASNJAAMAAAACHAAB", "'AAASNJAAMAAAACHAAB'"},
		{schema.Date, "-4712-01-01 00:00:00", "TO_DATE('-4712-01-01 00:00:00', 'SYYYY-MM-DD HH24:MI:SS')"},
		{schema.Timestamp, " 2026-01-02 03:04:05.123456789", "TO_TIMESTAMP(' 2026-01-02 03:04:05.123456789')"},
		{schema.TimestampTZ, " 2026-01-02 03:04:05.5 -11:45", "TO_TIMESTAMP_TZ(' 2026-01-02 03:04:05.500000000 -11:45')"},
		{schema.TimestampLTZ, " 2026-01-02 03:04:05.5", "TO_TIMESTAMP_TZ(' 2026-01-02 03:04:05.500000000')"},
		{schema.IntervalYM, "-01-02", "TO_YMINTERVAL('-01-02')"},
		{schema.IntervalDS, "+01 02:03:04.5", "TO_DSINTERVAL('+01 02:03:04.500000')"},
		{schema.Varchar2, "", "NULL"},
	} {
		column := column("C", c.kind)
		var d Decoder
		img, err := d.Row(table(column), 'c', `insert into "APP"."T"("C") values (`+c.literal+`)`)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Shown(&column, c.shown); err != nil || got != img.After[0] {
			t.Errorf("%s %q: %+v, %v; the redo has %+v", column.Type.Name, c.shown, got, err, img.After[0])
		}
	}
	for kind, text := range map[schema.TypeKind]string{
		schema.Number: "1,5", schema.RowID: "*BAEAAQoCwQL+", schema.Varchar2: "\xff", schema.Date: "01-JAN-26", schema.Timestamp: "2026-01-02",
		schema.TimestampTZ: " 2026-01-02 03:04:05.5 Europe/Vienna", schema.TimestampLTZ: " 2026-01-02 03:04:05 +01:00",
		schema.IntervalDS: "+01-02", schema.CLOB: "x", schema.BinaryDouble: "1",
	} {
		column := column("C", kind)
		if got, err := Shown(&column, text); err == nil || got != (value.Value{}) {
			t.Errorf("%s %q is read as %+v, %v", column.Type.Name, text, got, err)
		}
	}
}
