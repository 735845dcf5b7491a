package decode

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// anyType are types of every family with a bound that a damaged value can break.
func anyType() []schema.Type {
	return []schema.Type{
		plainNumber, number(10, 2), number(38, 0), number(3, -2), fractional(schema.Float, 63, schema.NoNumber),
		{Kind: schema.BinaryFloat},
		{Kind: schema.BinaryDouble},
		sized(schema.Varchar2, 40, 40), sized(schema.Varchar2, 40, 10), sized(schema.NVarchar2, 40, 20),
		sized(schema.Char, 4, 4), sized(schema.Char, 16, 4), sized(schema.NChar, 8, 4), sized(schema.Raw, 16, 0),
		{Kind: schema.RowID},
		{Kind: schema.Date},
		fractional(schema.Timestamp, 0, 0), fractional(schema.Timestamp, 0, 6), stampNine,
		fractional(schema.TimestampTZ, 0, 6), fractional(schema.TimestampLTZ, 0, 9),
		fractional(schema.IntervalYM, 4, 0), fractional(schema.IntervalDS, 5, 6),
	}
}

// checkValue holds a decoded value against what its kind promises.
func checkValue(t *testing.T, typ *schema.Type, v value.Value) {
	t.Helper()
	switch v.Kind() {
	case value.Decimal:
		if !isPlain(v.Text()) {
			t.Fatalf("%q is no plain number", v.Text())
		}
	case value.Text:
		if v.Text() == "" || !utf8.ValidString(v.Text()) {
			t.Fatalf("%q is no text", v.Text())
		}
		if typ.Kind == schema.RowID {
			if _, why := physicalRowID(v.Text()); why != "" {
				t.Fatalf("%q: %s", v.Text(), why)
			}
		}
	case value.Bytes:
		if v.Text() == "" || len(v.Text()) > typ.Length {
			t.Fatalf("%d bytes", len(v.Text()))
		}
	case value.Local, value.Zoned:
		if d := v.DateTime(); !isValid(d) || d.Nano >= 1e9 || v.OffsetMinutes() < -15*60-59 || v.OffsetMinutes() > 15*60+59 {
			t.Fatalf("%+v %d", d, v.OffsetMinutes())
		}
	case value.Duration:
		if seconds, nanos := v.Duration(); seconds > 0 && nanos < 0 || seconds < 0 && nanos > 0 || nanos >= 1e9 || nanos <= -1e9 {
			t.Fatalf("%d.%d", seconds, nanos)
		}
	case value.Months, value.Float32, value.Float64:
	default:
		t.Fatalf("a value of kind %d", v.Kind())
	}
}

// Whatever bytes come for whatever type, they are a value that keeps its promises, or an error of the class that says so.
func FuzzR47AnyBytes(f *testing.F) {
	for i, stored := range []string{"c20d2339", "3f534966", "787e021c0e2e3c", "787e031c1501011dcd6500195a", "80000005403f3e875bca00", "61622020", "000132e7014000fd0001"} {
		b, err := hex.DecodeString(stored)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), int16(-420), b)
	}
	types := anyType()
	f.Fuzz(func(t *testing.T, kind uint8, zone int16, stored []byte) {
		s := unicode(t)
		s.Zone = zone % (16 * 60)
		typ := types[int(kind)%len(types)]
		got, err := genericOne(t, s, typ, hex.EncodeToString(stored))
		if err == nil {
			checkValue(t, &typ, got)
		} else if e := (*Error)(nil); !errorAs(err, &e) || e.Fault != Untrusted {
			t.Fatalf("%v", err)
		}
	})
}

func errorAs(err error, e **Error) bool {
	var ok bool
	*e, ok = err.(*Error) //nolint:errorlint // it is not wrapped here
	return ok
}

// Whatever statement comes, it is two images as long as the version, or an error.
func FuzzR44AnyGenericStatement(f *testing.F) {
	for _, sql := range []string{
		`insert into "APP"."T"("COL 1","COL 2","COL 5") values (HEXTORAW('c102'),NULL,HEXTORAW('c20d2339'))`,
		`update "APP"."T" set "COL 2" = NULL where "COL 1" = HEXTORAW('c102') and "COL 2" IS NULL and ROWID = 'AAASJqAANAAAAnkAAI'`,
		`delete from "UNKNOWN"."OBJ# 1" where "COL 1" = HEXTORAW('c102') and "COL 2" = 1 and "COL 3" = HEXTORAW('c1') || HEXTORAW('02')`,
		`delete from "A"."BIN$x==$0" a where a."COL 0" = '1' and "NAME" = NULL`,
	} {
		f.Add(sql)
	}
	var columns []schema.Column
	for i, typ := range anyType() {
		c := schema.Column{Name: fmt.Sprintf("C%d", i), Type: typ, Nullable: i%3 != 0}
		c.Unused, c.Virtual, c.Excluded, c.Guard = i == 7, i == 9, i == 11, i == 13
		columns = append(columns, c)
	}
	all, key := stored(schema.LoggingAll, columns...), stored(schema.LoggingKey, columns[:5]...)
	var d GenericDecoder
	f.Fuzz(func(t *testing.T, sql string) {
		for _, v := range []*schema.Version{all, key} {
			for _, op := range []change.Op{change.Create, change.Update, change.Delete} {
				img, generic, err := d.Row(v, unicode(t), op, sql)
				if err != nil || !generic {
					if img.Before != nil || img.After != nil {
						t.Fatal("an image beside an error")
					}
					continue
				}
				if (img.Before != nil) != (op != change.Create) || (img.After != nil) != (op != change.Delete) {
					t.Fatalf("images of %c: %+v", op, img)
				}
				for _, image := range [][]value.Value{img.Before, img.After} {
					for i := range image {
						if image[i].Known() && image[i].Kind() != value.Null {
							checkValue(t, &v.Columns[i].Type, image[i])
						}
					}
				}
			}
		}
	})
}

// R47: bytes of one layout against 10,000 random others are refused or give an equal value, as far as bytes can tell: RAW, text, binary
// floating point and ROWID take whatever has their length, and a date is a timestamp. These are why a version must be certain before a
// row is decoded with it (R44 a to c); a NUMBER, a date, a time or an interval is never made of anything else.
func TestR47BytesOfAnotherLayoutAreRefusedOrEqual(t *testing.T) {
	types, rng := anyType(), rand.New(rand.NewPCG(47, 1))
	values := storedSamples(t, types)
	open := func(k schema.TypeKind) bool {
		switch k {
		case schema.Varchar2, schema.Char, schema.NVarchar2, schema.NChar, schema.Raw, schema.BinaryFloat, schema.BinaryDouble, schema.RowID:
			return true
		default:
			return false
		}
	}
	refused, equal, alike := 0, 0, 0
	for range 10_000 {
		n := 1 + rng.IntN(6)
		var was, other []schema.Column
		var cells []string
		var names []string
		for i := range n {
			from, to := rng.IntN(len(types)), rng.IntN(len(types))
			was = append(was, schema.Column{Name: fmt.Sprintf("A%d", i), Type: types[from], Nullable: true})
			other = append(other, schema.Column{Name: fmt.Sprintf("B%d", i), Type: types[to], Nullable: true})
			cells = append(cells, "HEXTORAW('"+values[from][rng.IntN(len(values[from]))]+"')")
			names = append(names, fmt.Sprintf(`"COL %d"`, i+1))
		}
		sql := `insert into "APP"."T"(` + strings.Join(names, ",") + `) values (` + strings.Join(cells, ",") + `)`
		var d GenericDecoder
		right, _, err := d.Row(stored(schema.LoggingAll, was...), unicode(t), change.Create, sql)
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		wrong, _, err := d.Row(stored(schema.LoggingAll, other...), unicode(t), change.Create, sql)
		if err != nil {
			refused++
			continue
		}
		same := true
		for i := range n {
			a, b := was[i].Type.Kind, other[i].Type.Kind
			if right.After[i] == wrong.After[i] {
				continue
			}
			same = false
			if !open(b) && !(isTime(a) && isTime(b)) {
				t.Fatalf("%s: a value of %s passes as %s: %+v, was %+v", cells[i], was[i].Type, other[i].Type, wrong.After[i], right.After[i])
			}
		}
		if same {
			equal++
		} else {
			alike++
		}
	}
	t.Logf("10,000 layouts: %d refused, %d equal, %d that the bytes cannot tell apart", refused, equal, alike)
	if refused < 8_000 {
		t.Errorf("only %d of 10,000 layouts are refused", refused)
	}
}

// isTime: a DATE, a TIMESTAMP and one with the local zone have the same bytes for the same clock.
func isTime(k schema.TypeKind) bool {
	return k == schema.Date || k == schema.Timestamp || k == schema.TimestampLTZ
}

// storedSamples gives values of every type.
func storedSamples(t *testing.T, types []schema.Type) [][]string {
	t.Helper()
	texts := []string{"61", "62756e", "61622020", "6162c3a42020", "c3a4202020", "4b45534b554b53", "0061006200200020", "00fc006e"}
	bytes := []string{"deadbeef", "00010203040506070809", "c0ffee"}
	floats := []string{"c3067333", "bfddb3d7", "3cf98ccc", "bffbb67ae8584caa", "c0934a3d70a3d70a"}
	others := []string{
		"80", "c102", "c20d2339", "3e644c66", "c30a02", "c40a020202",
		"000132e7014000fd0001", "000132e7014000fd0002",
		"786906190d0201", "787e021c0e2e3c", "78790711182f090b7ef670", "787e021c0e2e3c075bca00", "7879071201061030c4aa38143c", "787e031c1501011dcd6500195a",
		"8000000c3f", "7ffff81b32", "8000000248535e9b2e0200", "80000005403f3e875bca00",
	}
	out := make([][]string, len(types))
	for i, typ := range types {
		pool := others
		switch typ.Kind {
		case schema.Varchar2, schema.NVarchar2, schema.Char, schema.NChar:
			pool = texts
		case schema.Raw:
			pool = bytes
		case schema.BinaryFloat, schema.BinaryDouble:
			pool = floats
		default:
		}
		for _, stored := range pool {
			if _, err := genericOne(t, unicode(t), typ, stored); err == nil {
				out[i] = append(out[i], stored)
			}
		}
		if len(out[i]) == 0 {
			t.Fatalf("no sample of type %d", typ.Kind)
		}
	}
	return out
}

var genericOrders = func() *schema.Version {
	v := stored(
		schema.LoggingAll, column("ID", schema.Number), column("CUSTOMER", schema.Varchar2), schema.Column{Name: "STATUS", Type: sized(schema.Char, 10, 10)},
		column("AMOUNT", schema.Number), column("CREATED", schema.Date), schema.Column{Name: "UPDATED", Type: fractional(schema.Timestamp, 0, 6)},
		column("NOTE", schema.Varchar2), schema.Column{Name: "CODE", Type: sized(schema.NVarchar2, 40, 20)},
		schema.Column{Name: "FLAG", Type: sized(schema.Char, 1, 1), Nullable: true}, column("TOKEN", schema.Raw), column("QTY", schema.Number), column("PRICE", schema.Number),
	)
	v.Table.Name = "ORDERS"
	return v
}()

// The rows of BenchmarkRow as they look after a DDL.
const (
	genericOrder = `insert into "APP"."ORDERS"("COL 1","COL 2","COL 3","COL 4","COL 5","COL 6","COL 7","COL 8","COL 9","COL 10","COL 11","COL 12") values (HEXTORAW('c50d23394f5b'),HEXTORAW('4dc3bc6c6c6572202620536fcc'),HEXTORAW('4f50454e202020202020'),HEXTORAW('3e3b3366'),HEXTORAW('787e021c0e2e3c'),HEXTORAW('787e031d021f01075bca00'),HEXTORAW('706c61696e2074657874'),HEXTORAW('0063006f00640065'),NULL,NULL,HEXTORAW('c112'),HEXTORAW('c50d23394f5b0d23394f5b'));`
	genericPaid  = `update "APP"."ORDERS" set "COL 3" = HEXTORAW('50414944202020202020'), "COL 6" = HEXTORAW('787e031d022001075bca00') where "COL 1" = HEXTORAW('c50d23394f5b') and "COL 2" = HEXTORAW('4dc3bc6c6c6572') and "COL 3" = HEXTORAW('4f50454e202020202020') and "COL 4" IS NULL and "COL 5" = HEXTORAW('787e021c0e2e3c');`
	genericTimes = `insert into "APP"."ORDERS"("COL 1","COL 2","COL 3","COL 4","COL 5","COL 6") values (NULL,NULL,NULL,NULL,HEXTORAW('787e021c0e2e3c'),HEXTORAW('787e031d021f01075bca00'))`
)

var genericOrderRow = strings.Replace(genericOrder, "4dc3bc6c6c6572202620536fcc", "4dc3bc6c6c6572202620536f", 1)

// The budget: the images, and one text for all values of the row that have one; the text of SQL_REDO is not kept.
func TestGenericRowAllocatesForImagesAndOneTextOnly(t *testing.T) {
	s := unicode(t)
	nullable := stored(schema.LoggingAll, append([]schema.Column(nil), genericOrders.Columns...)...)
	for i := range nullable.Columns {
		nullable.Columns[i].Nullable = true
	}
	for name, c := range map[string]struct {
		op     change.Op
		sql    string
		budget float64
	}{
		"twelve columns":       {change.Create, genericOrderRow, 2},
		"update":               {change.Update, genericPaid, 2},
		"no value with a text": {change.Create, genericTimes, 1},
	} {
		var d GenericDecoder
		if n := testing.AllocsPerRun(100, func() {
			if _, _, err := d.Row(nullable, s, c.op, c.sql); err != nil {
				t.Fatal(err)
			}
		}); n > c.budget {
			t.Errorf("%s: %.0f allocations, budget %.0f", name, n, c.budget)
		}
	}
}

func BenchmarkGenericRow(b *testing.B) {
	s := unicode(b)
	b.Run("plain", func(b *testing.B) {
		var d GenericDecoder
		b.ReportAllocs()
		b.SetBytes(int64(len(genericOrderRow)))
		for b.Loop() {
			if _, _, err := d.Row(genericOrders, s, change.Create, genericOrderRow); err != nil {
				b.Fatal(err)
			}
		}
	})
}
