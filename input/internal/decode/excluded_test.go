package decode

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// secretive is a table whose second column is never read.
func secretive() *schema.Version {
	secret := column("SECRET", schema.Number)
	secret.Excluded = true
	return table(column("ID", schema.Number), secret, column("NAME", schema.Varchar2), column("CITY", schema.Varchar2))
}

// Seed 001: the column is dropped as soon as the parser has named it, before the value is converted; what stays keeps no part of the
// statement alive.
func TestExcludedColumnIsDroppedAndItsTextWithIt(t *testing.T) {
	gone, num, text := value.OfUnavailable(), value.OfDecimal, value.OfText
	for name, c := range map[string]struct {
		op   change.Op
		sql  string
		want Image
	}{
		"insert": {
			change.Create, `insert into "APP"."T"("ID","SECRET","NAME","CITY") values ('1','no number at all','x','Bonn')`,
			Image{After: []value.Value{num("1"), gone, text("x"), text("Bonn")}, TextBytes: 6},
		},
		"update that sets it": {
			change.Update, `update "APP"."T" set "SECRET" = 'new' where "ID" = '1' and "SECRET" = 'old' and "NAME" = 'x' and "CITY" IS NULL and ROWID = 'AAASJqAANAAAAnkAAI'`,
			Image{
				Before: []value.Value{num("1"), gone, text("x"), value.OfNull()}, After: []value.Value{num("1"), gone, text("x"), value.OfNull()},
				RowID: "AAASJqAANAAAAnkAAI", TextBytes: 4,
			},
		},
		"update whose WHERE alone has it": {
			change.Update, `update "APP"."T" set "NAME" = 'y' where "ID" = '1' and "SECRET" = 'old' and "NAME" = 'x' and "CITY" = 'Bonn'`,
			Image{
				Before: []value.Value{num("1"), gone, text("x"), text("Bonn")}, After: []value.Value{num("1"), gone, text("y"), text("Bonn")},
				TextBytes: 12,
			},
		},
		"delete": {
			change.Delete, `delete from "APP"."T" where "ID" = '1' and "SECRET" IS NULL and "NAME" = 'x' and "CITY" = 'Bonn'`,
			Image{Before: []value.Value{num("1"), gone, text("x"), text("Bonn")}, TextBytes: 6},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			sql := strings.Clone(c.sql)
			got, err := d.Row(secretive(), c.op, sql)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got, cmp.Comparer(value.Value.Equal)); d != "" {
				t.Fatal(d)
			}
			from, size := uintptr(unsafe.Pointer(unsafe.StringData(sql))), uintptr(len(sql))
			for _, s := range append(texts(got.Before), append(texts(got.After), got.RowID)...) {
				if at := uintptr(unsafe.Pointer(unsafe.StringData(s))); s != "" && at >= from && at < from+size {
					t.Errorf("%q lies in the statement", s)
				}
			}
		})
	}
}

func texts(values []value.Value) []string {
	var out []string
	for _, v := range values {
		out = append(out, v.Text())
	}
	return out
}

// A quote that is not doubled can end a value too early; the excluded column that then comes twice shows it.
func TestExcludedColumnNamedTwiceIsDamage(t *testing.T) {
	var d Decoder
	_, err := d.Row(secretive(), change.Delete, `delete from "APP"."T" where "ID" = '1' and "SECRET" = '2' and "NAME" = 'x' and "SECRET" = '3' and "CITY" IS NULL`)
	var e *Error
	if !errors.As(err, &e) || e.Fault != Damaged {
		t.Fatalf("%v, want damage", err)
	}
}

// Rows of a table without excluded columns cost what they did; those of one with them one allocation more.
func TestExcludedColumnCostsOneAllocation(t *testing.T) {
	var d Decoder
	v := secretive()
	const sql = `insert into "APP"."T"("ID","SECRET","NAME","CITY") values ('1','2','x','Bonn')`
	if n := testing.AllocsPerRun(100, func() {
		if _, err := d.Row(v, change.Create, sql); err != nil {
			t.Fatal(err)
		}
	}); n > 2 {
		t.Errorf("%.0f allocations, budget 2", n)
	}
}
