package naming

import (
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// Reference debezium-format 4.2, made by Debezium's own classes.
func TestDebeziumAdjustsADottedNameAsOne(t *testing.T) {
	for _, c := range []struct{ in, avro, unicode string }{
		{"my-cdc.APP.ORDER_.Value", "my_cdc.APP.ORDER_.Value", "my_u002dcdc.APP.ORDER_u005f.Value"},
		{"1st.APP.T.Key", "_1st.APP.T.Key", "_u0031st.APP.T.Key"},
		{"cdc.APP.1ST.Value", "cdc.APP.1ST.Value", "cdc.APP.1ST.Value"},
		{"_x.A.B", "_x.A.B", "_u005fx.A.B"},
		{"über", "_ber", "_u00fcber"},
		{".a", "_a", "_u002ea"},
	} {
		if got := (Adjuster{Avro, true}).Schema(c.in); got != c.avro {
			t.Errorf("avro %s: %s, want %s", c.in, got, c.avro)
		}
		if got := (Adjuster{AvroUnicode, true}).Schema(c.in); got != c.unicode {
			t.Errorf("avro_unicode %s: %s, want %s", c.in, got, c.unicode)
		}
	}
	for _, c := range []struct{ in, avro, unicode string }{
		{"ORDER_ID", "ORDER_ID", "ORDER_u005fID"},
		{"AMOUNT$", "AMOUNT_", "AMOUNT_u0024"},
		{"COL#1", "COL_1", "COL_u00231"},
		{"1ST", "_1ST", "_u0031ST"},
		{"A B", "A_B", "A_u0020B"},
		{"a.b", "a_b", "a_u002eb"},
		{"GRÖSSE", "GR_SSE", "GR_u00d6SSE"},
		{"ŁODŹ", "_OD_", "_u141OD_u179"},
	} {
		if got := (Adjuster{Avro, true}).Field(c.in); got != c.avro {
			t.Errorf("avro %s: %s, want %s", c.in, got, c.avro)
		}
		if got := (Adjuster{AvroUnicode, true}).Field(c.in); got != c.unicode {
			t.Errorf("avro_unicode %s: %s, want %s", c.in, got, c.unicode)
		}
	}
}

// Seed 001 "Avro and other strict naming rules": each part of a dotted name by itself, always four digits.
func TestSeedAdjustsEachPartOfAName(t *testing.T) {
	for _, c := range []struct{ in, avro, unicode string }{
		{"my-cdc", "my_cdc", "my_u002dcdc"},
		{"ORDER#", "ORDER_", "ORDER_u0023"},
		{"1ST", "_1ST", "_u0031ST"},
		{"ORDER_LINES", "ORDER_LINES", "ORDER_u005fLINES"},
		{"my-cdc.FREEPDB1.APP.ORDER#.Value", "my_cdc.FREEPDB1.APP.ORDER_.Value", "my_u002dcdc.FREEPDB1.APP.ORDER_u0023.Value"},
		{"cdc.APP.1ST.Value", "cdc.APP._1ST.Value", "cdc.APP._u0031ST.Value"},
		{"ŁODŹ", "_OD_", "_u0141OD_u0179"},
		{"A😀", "A__", "A_ud83d_ude00"},
	} {
		if got := (Adjuster{Adjustment: Avro}).Schema(c.in); got != c.avro {
			t.Errorf("avro %s: %s, want %s", c.in, got, c.avro)
		}
		if got := (Adjuster{Adjustment: AvroUnicode}).Schema(c.in); got != c.unicode {
			t.Errorf("avro_unicode %s: %s, want %s", c.in, got, c.unicode)
		}
	}
	if got := (Adjuster{Adjustment: Avro}).Field("AMOUNT$.x"); got != "AMOUNT__x" {
		t.Errorf("the dot of a column name: %s", got)
	}
	for _, none := range []Adjustment{"", Unadjusted} {
		if a := (Adjuster{Adjustment: none}); a.Schema("1.ä#_") != "1.ä#_" || a.Field("ä #.") != "ä #." {
			t.Error("names change without an adjustment")
		}
	}
}

func TestAdjustedNamesAreAvrosAndUnicodeKeepsThemApart(t *testing.T) {
	legal := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	names := rapid.StringMatching(`[A-Z0-9_$#u]{1,6}|[a-zÄŁ😀_]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := names.Draw(t, "a"), names.Draw(t, "b")
		for _, adjuster := range []Adjuster{{Avro, false}, {AvroUnicode, false}, {Avro, true}, {AvroUnicode, true}} {
			if got := adjuster.Field(a); !legal.MatchString(got) {
				t.Fatalf("%+v makes %q of %q", adjuster, got, a)
			}
		}
		// Seed 001: avro_unicode never maps two names to one.
		if u := (Adjuster{Adjustment: AvroUnicode}); a != b && u.Field(a) == u.Field(b) {
			t.Fatalf("%q and %q become %q", a, b, u.Field(a))
		}
	})
}
