package decode

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func undefaulted(c schema.Column) schema.Column { c.Undefaulted = true; return c }

// R109: a row from before ADD COLUMN … DEFAULT does not store the value, and its old image shows NULL, or nothing, where Oracle answers
// the default. What the statement itself sets is a value.
func TestR109NullInAnOldImageThatMayBeADefaultIsUnavailable(t *testing.T) {
	var absent value.Value
	null, gone, text, num := value.OfNull(), value.OfUnavailable(), value.OfText, value.OfDecimal
	needed := stored(schema.LoggingAll, notNull(column("ID", schema.Number)), column("A", schema.Varchar2), notNull(column("B", schema.Varchar2)))
	guarded := stored(
		schema.LoggingAll, notNull(column("ID", schema.Number)), undefaulted(column("A", schema.Varchar2)), column("B", schema.Varchar2),
		guard(column("SYS_NC00004$", schema.Raw)),
	)
	unguarded := stored(schema.LoggingAll, notNull(column("ID", schema.Number)), column("A", schema.Varchar2), column("B", schema.Varchar2))
	keyed := stored(schema.LoggingKey, notNull(column("ID", schema.Number)), column("A", schema.Varchar2), notNull(column("B", schema.Varchar2)))
	for name, c := range map[string]struct {
		v    *schema.Version
		op   change.Op
		sql  string
		want Image
	}{
		"delete, NOT NULL": {
			needed, change.Delete, `delete from "APP"."T" where "ID" = '1' and "A" IS NULL and "B" IS NULL`,
			Image{Before: []value.Value{num("1"), null, gone}},
		},
		"update of another column, NOT NULL": {
			needed, change.Update, `update "APP"."T" set "A" = 'x' where "ID" = '1' and "A" IS NULL and "B" IS NULL`,
			Image{Before: []value.Value{num("1"), null, gone}, After: []value.Value{num("1"), text("x"), gone}},
		},
		"update of the column": {
			needed, change.Update, `update "APP"."T" set "B" = 'x' where "ID" = '1' and "A" IS NULL and "B" IS NULL`,
			Image{Before: []value.Value{num("1"), null, gone}, After: []value.Value{num("1"), null, text("x")}},
		},
		"the end of the row is missing": {
			needed, change.Delete, `delete from "APP"."T" where "ID" = '1' and "A" = 'x'`,
			Image{Before: []value.Value{num("1"), text("x"), gone}},
		},
		"what is missing before another column is no default": {
			stored(schema.LoggingAll, notNull(column("ID", schema.Number)), notNull(column("A", schema.Varchar2)), column("B", schema.Varchar2)),
			change.Delete, `delete from "APP"."T" where "ID" = '1' and "B" = 'x'`,
			Image{Before: []value.Value{num("1"), absent, text("x")}},
		},
		"nothing of it is logged": {
			keyed, change.Delete, `delete from "APP"."T" where "ID" = '1'`, Image{Before: []value.Value{num("1"), absent, absent}},
		},
		"update, nullable with a guard column": {
			guarded, change.Update, `update "APP"."T" set "A" = 'x' where "ID" = '1' and "A" IS NULL and "B" IS NULL and "SYS_NC00004$" IS NULL`,
			Image{Before: []value.Value{num("1"), null, gone, null}, After: []value.Value{num("1"), text("x"), gone, null}},
		},
		"set to NULL, with a guard column": {
			guarded, change.Update, `update "APP"."T" set "B" = NULL, "SYS_NC00004$" = HEXTORAW('01') where "ID" = '1' and "A" IS NULL and "B" IS NULL and "SYS_NC00004$" IS NULL`,
			Image{Before: []value.Value{num("1"), null, gone, null}, After: []value.Value{num("1"), null, null, value.OfBytes("\x01")}},
		},
		"nullable without a guard column": {
			unguarded, change.Delete, `delete from "APP"."T" where "ID" = '1' and "A" IS NULL and "B" IS NULL`,
			Image{Before: []value.Value{num("1"), null, null}},
		},
		"insert": {
			guarded, change.Create, `insert into "APP"."T"("ID","A","B","SYS_NC00004$") values ('1',NULL,NULL,HEXTORAW('01'))`,
			Image{After: []value.Value{num("1"), null, null, value.OfBytes("\x01")}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var d Decoder
			got, err := d.Row(c.v, c.op, c.sql)
			if err != nil {
				t.Fatal(err)
			}
			got.TextBytes = 0
			if diff := cmp.Diff(c.want, got, cmp.Comparer(func(a, b value.Value) bool { return a.Kind() == b.Kind() && a.Text() == b.Text() })); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
		})
	}
}
