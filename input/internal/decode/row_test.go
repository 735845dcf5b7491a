package decode

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

var customers = table(
	column("ID", schema.Number),
	column("NAME", schema.Varchar2),
	schema.Column{Name: "SYS_NC00003$", Type: schema.Type{Kind: schema.Raw, Name: "RAW"}, Hidden: true, Nullable: true},
	column("CITY", schema.Varchar2),
)

func TestRowAlignsImagesWithTheColumns(t *testing.T) {
	var absent value.Value
	null, text, num := value.OfNull(), value.OfText, value.OfDecimal
	for name, c := range map[string]struct {
		op   change.Op
		sql  string
		want Image
	}{
		"insert": {
			change.Create, `insert into "APP"."T"("ID","NAME","SYS_NC00003$","CITY") values ('1','x',NULL,'Bonn')`,
			Image{After: []value.Value{num("1"), text("x"), null, text("Bonn")}},
		},
		"insert that lacks columns leaves them absent and not null": {
			change.Create, `insert into "APP"."T"("ID","CITY") values ('1',NULL)`,
			Image{After: []value.Value{num("1"), absent, absent, null}},
		},
		"insert with columns in another order": {
			change.Create, `insert into "APP"."T"("CITY","ID") values ('Bonn','1')`,
			Image{After: []value.Value{num("1"), absent, absent, text("Bonn")}},
		},
		"update: after is the before image overlaid with the SET list": {
			change.Update, `update "APP"."T" set "CITY" = NULL where "ID" = '1' and "NAME" = 'x' and "SYS_NC00003$" IS NULL and "CITY" = 'Bonn'`,
			Image{
				Before: []value.Value{num("1"), text("x"), null, text("Bonn")},
				After:  []value.Value{num("1"), text("x"), null, null},
			},
		},
		"update with key logging only keeps the rest unknown": {
			change.Update, `update "APP"."T" set "CITY" = 'Bonn' where "ID" = '1' and "CITY" = 'Köln'`,
			Image{
				Before: []value.Value{num("1"), absent, absent, text("Köln")},
				After:  []value.Value{num("1"), absent, absent, text("Bonn")},
			},
		},
		"update by ROWID alone": {
			change.Update, `update "APP"."T" set "NAME" = 'x' where ROWID = 'AAASJqAANAAAAnkAAI'`,
			Image{
				RowID: "AAASJqAANAAAAnkAAI", Before: make([]value.Value, 4),
				After: []value.Value{absent, text("x"), absent, absent},
			},
		},
		"delete": {
			change.Delete, `delete from "APP"."T" where "ID" = '1' and "NAME" IS NULL and "CITY" = NULL and ROWID = 'AAASJqAANAAAAnkAAI'`,
			Image{RowID: "AAASJqAANAAAAnkAAI", Before: []value.Value{num("1"), null, absent, null}},
		},
		"delete without WHERE clause": {change.Delete, `delete from "APP"."T"`, Image{Before: make([]value.Value, 4)}},
	} {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			got, err := d.Row(customers, c.op, c.sql)
			if err != nil {
				t.Fatal(err)
			}
			c.want.TextBytes = len(c.sql)
			if d := cmp.Diff(c.want, got, cmp.Comparer(value.Value.Equal)); d != "" {
				t.Fatal(d)
			}
		})
	}
}

func TestRowRefusesWhatIsNotTheVersions(t *testing.T) {
	for name, c := range map[string]struct {
		op    change.Op
		sql   string
		fault Fault
		code  stop.Code
	}{
		"no statement":            {change.Create, "Unsupported", Damaged, stop.Undecodable},
		"another operation":       {change.Delete, `insert into "APP"."T"("ID") values ('1')`, Damaged, stop.Undecodable},
		"no row operation":        {change.Truncate, `delete from "APP"."T"`, Damaged, stop.Undecodable},
		"another table":           {change.Delete, `delete from "APP"."U"`, Mismatch, stop.Undecodable},
		"another owner":           {change.Delete, `delete from "OPS"."T"`, Mismatch, stop.Undecodable},
		"unknown column":          {change.Create, `insert into "APP"."T"("ID","ADDRE") values ('1','x')`, Mismatch, stop.Undecodable},
		"case of names matters":   {change.Create, `insert into "APP"."T"("id") values ('1')`, Mismatch, stop.Undecodable},
		"column twice in SET":     {change.Update, `update "APP"."T" set "NAME" = 'a', "NAME" = 'b'`, Damaged, stop.Undecodable},
		"column twice in WHERE":   {change.Delete, `delete from "APP"."T" where "NAME" = 'a' and "NAME" = 'b'`, Damaged, stop.Undecodable},
		"column twice in INSERT":  {change.Create, `insert into "APP"."T"("ID","ID") values (NULL,'1')`, Damaged, stop.Undecodable},
		"undoubled quote":         {change.Update, `update "APP"."T" set "NAME" = 'it's' where "ID" = '1'`, Damaged, stop.Undecodable},
		"bad value in WHERE":      {change.Update, `update "APP"."T" set "NAME" = 'x' where "ID" = 'x'`, BadValue, stop.Undecodable},
		"R41 generic columns":     {change.Create, `insert into "APP"."T"("COL 1","COL 2") values (HEXTORAW('c102'),NULL)`, Generic, stop.NoDictionary},
		"R41 generic in WHERE":    {change.Delete, `delete from "APP"."T" where "COL 1" = HEXTORAW('c102')`, Generic, stop.NoDictionary},
		"R41 generic table":       {change.Create, `insert into "UNKNOWN"."OBJ# 74858"("COL 1") values (1)`, Generic, stop.NoDictionary},
		"R41 recycle bin":         {change.Delete, `delete from "APP"."BIN$yv+1ra/roTjgUwEBAH+ByQ==$0"`, Generic, stop.NoDictionary},
		"R41 a mix is no generic": {change.Create, `insert into "APP"."T"("ID","COL 2") values ('1',NULL)`, Damaged, stop.Undecodable},
	} {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			img, err := d.Row(customers, c.op, c.sql)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%v, want an *Error", err)
			}
			if e.Fault != c.fault || Code(err) != c.code {
				t.Fatalf("fault %d and code %d (%v), want %d and %d", e.Fault, Code(err), err, c.fault, c.code)
			}
			if img.Before != nil || img.After != nil || img.RowID != "" {
				t.Fatal("an error came with a part of the row")
			}
		})
	}
}

// A table may have a column that is really called COL 1.
func TestRealColumnMayHaveAGenericLookingName(t *testing.T) {
	var d Decoder
	img, err := d.Row(table(column("COL 1", schema.Varchar2)), change.Create, `insert into "APP"."T"("COL 1") values ('x')`)
	if err != nil || img.After[0].Text() != "x" {
		t.Fatalf("%v %v", img, err)
	}
}

// One Decoder serves many rows; an image does not change when the next row is decoded.
func TestImagesDoNotShareMemoryWithTheNextRow(t *testing.T) {
	var d Decoder
	first, err := d.Row(customers, change.Create, `insert into "APP"."T"("ID","NAME") values ('1','it''s')`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Row(customers, change.Create, `insert into "APP"."T"("ID","NAME") values ('2','other')`); err != nil {
		t.Fatal(err)
	}
	if first.After[0].Text() != "1" || first.After[1].Text() != "it's" {
		t.Fatalf("first row became %q, %q", first.After[0].Text(), first.After[1].Text())
	}
}
