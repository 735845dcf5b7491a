package decode

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// stored numbers columns as a segment does: virtual ones have no number.
func stored(logging schema.Logging, columns ...schema.Column) *schema.Version {
	segment := 0
	for i := range columns {
		if !columns[i].Virtual {
			segment++
			columns[i].SegmentID = segment
		}
		if columns[i].Type.Kind == schema.Number {
			columns[i].Type = plainNumber
		}
		if columns[i].Type.Kind == schema.Varchar2 && columns[i].Type.Length == 0 {
			columns[i].Type = sized(schema.Varchar2, 20, 20)
		}
		if columns[i].Type.Kind == schema.Raw && columns[i].Type.Length == 0 {
			columns[i].Type = sized(schema.Raw, 126, 0)
		}
	}
	v := table(columns...)
	v.Logging = logging
	return v
}

func hidden(c schema.Column) schema.Column    { c.Hidden = true; return c }
func virtual(c schema.Column) schema.Column   { c.Virtual = true; return c }
func unused(c schema.Column) schema.Column    { c.Unused, c.Hidden = true, true; return c }
func guard(c schema.Column) schema.Column     { c.Guard, c.Hidden = true, true; return c }
func excluded(c schema.Column) schema.Column  { c.Excluded = true; return c }
func encrypted(c schema.Column) schema.Column { c.Encrypted = true; return c }
func notNull(c schema.Column) schema.Column   { c.Nullable = false; return c }

// every kind of column that counts or does not: the numbers are 1, -, 2, 3, 4, 5.
func mixedLayout(logging schema.Logging) *schema.Version {
	return stored(
		logging, notNull(column("ID", schema.Number)), virtual(column("SUM", schema.Number)), column("NAME", schema.Varchar2),
		unused(column("SYS_C00003_26$", schema.Varchar2)), hidden(column("INVISIBLE", schema.Varchar2)), column("CITY", schema.Varchar2),
	)
}

func TestR42ColumnsAreFoundByTheirPlaceInTheSegment(t *testing.T) {
	null, text, num := value.OfNull(), value.OfText, value.OfDecimal
	var absent value.Value
	v := mixedLayout(schema.LoggingAll)
	for name, c := range map[string]struct {
		op   change.Op
		sql  string
		want Image
	}{
		"insert": {
			change.Create, `insert into "APP"."T"("COL 1","COL 2","COL 3","COL 4","COL 5") values (HEXTORAW('c102'),HEXTORAW('78'),HEXTORAW('79'),NULL,HEXTORAW('426f6e6e'))`,
			Image{After: []value.Value{num("1"), absent, text("x"), absent, null, text("Bonn")}},
		},
		"insert whose end is missing": {
			change.Create, `insert into "APP"."T"("COL 1","COL 2") values (HEXTORAW('c102'),HEXTORAW('78'))`,
			Image{After: []value.Value{num("1"), absent, text("x"), absent, null, null}},
		},
		"the order of the text counts for nothing": {
			change.Create, `insert into "APP"."T"("COL 5","COL 4","COL 3","COL 2","COL 1") values (HEXTORAW('426f6e6e'),NULL,NULL,HEXTORAW('78'),HEXTORAW('c102'))`,
			Image{After: []value.Value{num("1"), absent, text("x"), absent, null, text("Bonn")}},
		},
		"update": {
			change.Update, `update "APP"."T" set "COL 5" = HEXTORAW('426f6e6e'), "COL 2" = NULL where "COL 1" = HEXTORAW('c102') and "COL 2" = HEXTORAW('78') and "COL 3" IS NULL and "COL 4" = HEXTORAW('7a') and "COL 5" = HEXTORAW('4bc3b66c6e') and ROWID = 'AAASJqAANAAAAnkAAI'`,
			Image{
				Before: []value.Value{num("1"), absent, text("x"), absent, text("z"), text("Köln")},
				After:  []value.Value{num("1"), absent, null, absent, text("z"), text("Bonn")}, RowID: "AAASJqAANAAAAnkAAI",
			},
		},
		"update that sets what the old row ended before": {
			change.Update, `update "APP"."T" set "COL 5" = HEXTORAW('426f6e6e') where "COL 1" = HEXTORAW('c102')`,
			Image{
				Before: []value.Value{num("1"), absent, null, absent, null, null},
				After:  []value.Value{num("1"), absent, null, absent, null, text("Bonn")},
			},
		},
		"delete": {
			change.Delete, `delete from "UNKNOWN"."OBJ# 74858" where "COL 1" = HEXTORAW('c102') and "COL 2" IS NULL and "COL 3" IS NULL and "COL 4" IS NULL and "COL 5" = HEXTORAW('426f6e6e');`,
			Image{Before: []value.Value{num("1"), absent, null, absent, null, text("Bonn")}},
		},
	} {
		var d GenericDecoder
		for range 2 { // a decoder is used again and again
			got, generic, err := d.Row(v, unicode(t), c.op, c.sql)
			c.want.TextBytes = textBytes(c.want.Before) + textBytes(c.want.After)
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(value.Value{})); err != nil || !generic || diff != "" {
				t.Errorf("%s: %t, %v\n%s", name, generic, err, diff)
			}
		}
	}
}

// What is logged of the key alone leaves the rest unknown, as rows with names do.
func TestR46WithoutFullLoggingMissingColumnsAreUnknown(t *testing.T) {
	var absent value.Value
	v := mixedLayout(schema.LoggingKey)
	var d GenericDecoder
	got, _, err := d.Row(v, unicode(t), change.Update, `update "APP"."T" set "COL 5" = HEXTORAW('426f6e6e') where "COL 1" = HEXTORAW('c102') and "COL 4" IS NULL`)
	want := Image{
		Before: []value.Value{value.OfDecimal("1"), absent, absent, absent, value.OfNull(), absent},
		After:  []value.Value{value.OfDecimal("1"), absent, absent, absent, value.OfNull(), value.OfText("Bonn")},
	}
	want.TextBytes = textBytes(want.Before) + textBytes(want.After)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(value.Value{})); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// An excluded column is there and is not read: bytes that could be no value of its type pass.
func TestR44ExcludedColumnsAreNotRead(t *testing.T) {
	v := stored(schema.LoggingAll, column("ID", schema.Number), excluded(column("SECRET", schema.Varchar2)), column("CITY", schema.Varchar2))
	var d GenericDecoder
	for _, secret := range []string{"HEXTORAW('ff')", "NULL"} {
		got, _, err := d.Row(v, unicode(t), change.Create, `insert into "APP"."T"("COL 1","COL 2","COL 3") values (HEXTORAW('c102'),`+secret+`,HEXTORAW('78'))`)
		if want := []value.Value{value.OfDecimal("1"), value.OfUnavailable(), value.OfText("x")}; err != nil || !cmp.Equal(want, got.After, cmp.AllowUnexported(value.Value{})) {
			t.Errorf("%s: %+v, %v", secret, got, err)
		}
	}
}

// R109: a row from before ADD with a default does not store the value that Oracle answers for it.
func TestR109NullInAnOldRowMayStandForADefault(t *testing.T) {
	null, unavailable, num, text := value.OfNull(), value.OfUnavailable(), value.OfDecimal, value.OfText
	strict := stored(schema.LoggingAll, notNull(column("ID", schema.Number)), column("NAME", schema.Varchar2), notNull(column("ADDED", schema.Number)))
	guarded := stored(
		schema.LoggingAll, notNull(column("ID", schema.Number)), column("NAME", schema.Varchar2), guard(column("SYS_NC00003$", schema.Raw)),
		column("ADDED", schema.Number),
	)
	guarded.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	for name, c := range map[string]struct {
		version *schema.Version
		op      change.Op
		sql     string
		want    Image
	}{
		"NOT NULL, shown as NULL": {
			strict, change.Update, `update "APP"."T" set "COL 2" = HEXTORAW('79') where "COL 1" = HEXTORAW('c102') and "COL 2" IS NULL and "COL 3" IS NULL`,
			Image{Before: []value.Value{num("1"), null, unavailable}, After: []value.Value{num("1"), text("y"), unavailable}},
		},
		"NOT NULL, missing": {
			strict, change.Update, `update "APP"."T" set "COL 2" = HEXTORAW('79') where "COL 1" = HEXTORAW('c102') and "COL 2" = HEXTORAW('78')`,
			Image{Before: []value.Value{num("1"), text("x"), unavailable}, After: []value.Value{num("1"), text("y"), unavailable}},
		},
		"set by the statement": {
			strict, change.Update, `update "APP"."T" set "COL 3" = HEXTORAW('c106') where "COL 1" = HEXTORAW('c102')`,
			Image{Before: []value.Value{num("1"), null, unavailable}, After: []value.Value{num("1"), null, num("5")}},
		},
		"nullable beside a guard": {
			guarded, change.Delete, `delete from "APP"."T" where "COL 1" = HEXTORAW('c102') and "COL 2" = HEXTORAW('78')`,
			Image{Before: []value.Value{num("1"), text("x"), null, unavailable}},
		},
		"nullable beside a guard, set to NULL": {
			guarded, change.Update, `update "APP"."T" set "COL 4" = NULL where "COL 1" = HEXTORAW('c102') and "COL 2" = HEXTORAW('78') and "COL 3" = HEXTORAW('01') and "COL 4" = HEXTORAW('c106')`,
			Image{Before: []value.Value{num("1"), text("x"), value.OfBytes("\x01"), num("5")}, After: []value.Value{num("1"), text("x"), value.OfBytes("\x01"), null}},
		},
		"an insert stores what it has": {
			guarded, change.Create, `insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`,
			Image{After: []value.Value{num("1"), null, null, null}},
		},
	} {
		var d GenericDecoder
		got, _, err := d.Row(c.version, unicode(t), c.op, c.sql)
		got.TextBytes = 0
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(value.Value{})); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestR44RowsThatDoNotFitTheVersionAreRefused(t *testing.T) {
	all := mixedLayout(schema.LoggingAll)
	keyed := stored(schema.LoggingAll, notNull(column("ID", schema.Number)), column("NAME", schema.Varchar2))
	keyed.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	wide := make([]schema.Column, 256)
	for i := range wide {
		wide[i] = column(fmt.Sprintf("C%d", i), schema.Number)
	}
	for name, c := range map[string]struct {
		version *schema.Version
		op      change.Op
		sql     string
		fault   Fault
		code    stop.Code
	}{
		"f: a number that the version lacks": {all, change.Create, `insert into "APP"."T"("COL 1","COL 6") values (HEXTORAW('c102'),NULL)`, Untrusted, stop.NoDictionary},
		"f: number 0":                        {all, change.Create, `insert into "APP"."T"("COL 1","COL 0") values (HEXTORAW('c102'),NULL)`, Untrusted, stop.NoDictionary},
		"f: leading zero":                    {all, change.Create, `insert into "APP"."T"("COL 01") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary},
		"f: a long number":                   {all, change.Create, `insert into "APP"."T"("COL 99999999999999999999") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary},
		"g: a column in the middle is missing": {
			all, change.Delete, `delete from "APP"."T" where "COL 1" = HEXTORAW('c102') and "COL 3" IS NULL`, Untrusted, stop.NoDictionary,
		},
		"g: an unused column in the middle is missing": {
			all, change.Delete, `delete from "APP"."T" where "COL 1" = HEXTORAW('c102') and "COL 2" IS NULL and "COL 4" IS NULL`, Untrusted, stop.NoDictionary,
		},
		"R46: an insert lacks a column in the middle": {all, change.Create, `insert into "APP"."T"("COL 2") values (HEXTORAW('78'))`, Untrusted, stop.NoDictionary},
		"g: no old row":                        {all, change.Update, `update "APP"."T" set "COL 2" = HEXTORAW('78')`, Untrusted, stop.NoDictionary},
		"g: no old row but a ROWID":            {all, change.Update, `update "APP"."T" set "COL 2" = HEXTORAW('78') where ROWID = 'AAASJqAANAAAAnkAAI'`, Untrusted, stop.NoDictionary},
		"h: a value":                           {all, change.Create, `insert into "APP"."T"("COL 1") values (HEXTORAW('ff'))`, Untrusted, stop.NoDictionary},
		"h: a value in an unused column":       {all, change.Create, `insert into "APP"."T"("COL 1","COL 2","COL 3") values (HEXTORAW('c102'),NULL,HEXTORAW('ff'))`, Untrusted, stop.NoDictionary},
		"h: a value of the old row":            {all, change.Update, `update "APP"."T" set "COL 2" = NULL where "COL 1" = HEXTORAW('ff')`, Untrusted, stop.NoDictionary},
		"h: a value set":                       {all, change.Update, `update "APP"."T" set "COL 2" = HEXTORAW('ff') where "COL 1" = HEXTORAW('c102')`, Untrusted, stop.NoDictionary},
		"h: a quoted text":                     {all, change.Create, `insert into "APP"."T"("COL 1") values ('1')`, Untrusted, stop.NoDictionary},
		"h: a bare number":                     {all, change.Create, `insert into "UNKNOWN"."OBJ# 74858"("COL 1") values (1)`, Untrusted, stop.NoDictionary},
		"h: bytes in two pieces":               {all, change.Create, `insert into "APP"."T"("COL 1") values (HEXTORAW('c102') || HEXTORAW('02'))`, Untrusted, stop.NoDictionary},
		"h: another function":                  {all, change.Create, `insert into "APP"."T"("COL 1") values (UNISTR('c102'))`, Untrusted, stop.NoDictionary},
		"h: an empty LOB":                      {all, change.Create, `insert into "APP"."T"("COL 1") values (EMPTY_CLOB())`, Untrusted, stop.NoDictionary},
		"h: the mark of JSON":                  {all, change.Create, `insert into "APP"."T"("COL 1") values (/* JSON */ HEXTORAW('c102'))`, Untrusted, stop.NoDictionary},
		"R47: NULL inserted into NOT NULL":     {all, change.Create, `insert into "APP"."T"("COL 1","COL 2") values (NULL,HEXTORAW('78'))`, Untrusted, stop.NoDictionary},
		"R47: NOT NULL missing in an insert":   {stored(schema.LoggingAll, column("A", schema.Number), notNull(column("B", schema.Number))), change.Create, `insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary},
		"R47: NOT NULL set to NULL":            {all, change.Update, `update "APP"."T" set "COL 1" = NULL where "COL 1" = HEXTORAW('c102')`, Untrusted, stop.NoDictionary},
		"R109: the key of the old row is NULL": {keyed, change.Delete, `delete from "APP"."T" where "COL 1" IS NULL and "COL 2" = HEXTORAW('78')`, Untrusted, stop.NoDictionary},
		"e: an unused LOB": {
			stored(schema.LoggingAll, column("ID", schema.Number), unused(column("SYS_C00002_26$", schema.CLOB))), change.Create,
			`insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary,
		},
		"e: an excluded LONG": {
			stored(schema.LoggingAll, column("ID", schema.Number), excluded(column("L", schema.Long))), change.Create,
			`insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary,
		},
		"e: an encrypted column": {
			stored(schema.LoggingAll, column("ID", schema.Number), encrypted(column("E", schema.Varchar2))), change.Create,
			`insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary,
		},
		"i: 256 columns": {stored(schema.LoggingAll, wide...), change.Create, `insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`, Untrusted, stop.NoDictionary},
		"a column is called so": {
			stored(schema.LoggingAll, column("ID", schema.Number), column("COL 1", schema.Raw)), change.Create,
			`insert into "APP"."T"("COL 1","COL 2") values (HEXTORAW('c102'),NULL)`, Untrusted, stop.NoDictionary,
		},
		"R41: a mix":          {all, change.Create, `insert into "APP"."T"("COL 1","NAME") values (HEXTORAW('c102'),NULL)`, Damaged, stop.Undecodable},
		"R41: a mix in WHERE": {all, change.Update, `update "APP"."T" set "COL 2" = NULL where "ID" = '1'`, Damaged, stop.Undecodable},
		"named twice":         {all, change.Create, `insert into "APP"."T"("COL 1","COL 1") values (HEXTORAW('c102'),HEXTORAW('c102'))`, Damaged, stop.Undecodable},
		"unused named twice":  {all, change.Create, `insert into "APP"."T"("COL 1","COL 3","COL 3") values (HEXTORAW('c102'),NULL,NULL)`, Damaged, stop.Undecodable},
		"another operation":   {all, change.Delete, `insert into "APP"."T"("COL 1") values (HEXTORAW('c102'))`, Damaged, stop.Undecodable},
		"no statement":        {all, change.Create, `Unsupported`, Damaged, stop.Undecodable},
	} {
		var d GenericDecoder
		got, generic, err := d.Row(c.version, unicode(t), c.op, c.sql)
		var e *Error
		if !errors.As(err, &e) || !generic || e.Fault != c.fault || Code(err) != c.code || got.Before != nil || got.After != nil {
			t.Errorf("%s: %+v, %t, %v", name, got, generic, err)
		}
		if err != nil && strings.Contains(err.Error(), "c102") {
			t.Errorf("%s: the error holds a value: %v", name, err)
		}
	}
}

// R41: STATUS 2 with real names is nothing to do with DDL (LONG columns have it).
func TestR41RealNamesAreNotGeneric(t *testing.T) {
	var d GenericDecoder
	for _, sql := range []string{
		`update "APP"."T" set "CITY" = 'Bonn' where "ID" = '1'`, `insert into "APP"."T"("ID") values ('1')`,
		`delete from "APP"."BIN$yv+1ra/roTjgUwEBAH+ByQ==$0" where ROWID = 'AAASJqAANAAAAnkAAI'`,
	} {
		if got, generic, err := d.Row(mixedLayout(schema.LoggingAll), unicode(t), change.Update, sql); generic || err != nil || got.After != nil {
			t.Errorf("%s: %+v, %t, %v", sql, got, generic, err)
		}
	}
}
