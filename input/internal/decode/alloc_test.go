package decode

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

var orders = func() *schema.Version {
	v := table(
		column("ID", schema.Number), column("CUSTOMER", schema.Varchar2), column("STATUS", schema.Char),
		column("AMOUNT", schema.Number), column("CREATED", schema.Date), column("UPDATED", schema.Timestamp),
		column("NOTE", schema.Varchar2), column("CODE", schema.NVarchar2), column("FLAG", schema.Char),
		column("TOKEN", schema.Raw), column("QTY", schema.Number), column("PRICE", schema.Number),
	)
	v.Table.Name = "ORDERS"
	return v
}()

const (
	plainOrder = `insert into "APP"."ORDERS"("ID","CUSTOMER","STATUS","AMOUNT","CREATED","UPDATED","NOTE","CODE","FLAG","TOKEN","QTY","PRICE") values ('1234567890','Müller & Söhne','OPEN      ','-42.5',TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'),TO_TIMESTAMP('2026-03-29 01:30:00.123456000'),'plain text',UNISTR('code'),NULL,NULL,'17','1234567890.123456789');`
	fullOrder  = `insert into "APP"."ORDERS"("ID","CUSTOMER","STATUS","AMOUNT","CREATED","UPDATED","NOTE","CODE","FLAG","TOKEN","QTY","PRICE") values ('1234567890','Müller & Söhne','OPEN      ','-42.5',TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'),TO_TIMESTAMP('2026-03-29 01:30:00.123456000'),'plain ''quoted'' text',UNISTR('\5927') || UNISTR('\6D77'),NULL,HEXTORAW('deadbeef00ff'),'17','.15');`
	orderPaid  = `update "APP"."ORDERS" set "STATUS" = 'PAID      ', "UPDATED" = TO_TIMESTAMP('2026-03-29 01:31:00.123456000') where "ID" = '1234567890' and "CUSTOMER" = 'Müller & Söhne' and "STATUS" = 'OPEN      ' and "FLAG" IS NULL;`
)

// The budget of the row path: the images, and one allocation for each value that is not in the text as it is.
func TestRowAllocatesForImagesAndConvertedValuesOnly(t *testing.T) {
	for name, c := range map[string]struct {
		op     change.Op
		sql    string
		budget float64
	}{
		"twelve plain columns":                    {change.Create, plainOrder, 1},
		"quotes, escapes, hex and a short number": {change.Create, fullOrder, 1 + 3 + 2},
		"update": {change.Update, orderPaid, 1},
	} {
		var d Decoder
		if n := testing.AllocsPerRun(100, func() {
			if _, err := d.Row(orders, c.op, c.sql); err != nil {
				t.Fatal(err)
			}
		}); n > c.budget {
			t.Errorf("%s: %.0f allocations, budget %.0f", name, n, c.budget)
		}
	}
}

func BenchmarkRow(b *testing.B) {
	for name, sql := range map[string]string{"plain": plainOrder, "full": fullOrder} {
		b.Run(name, func(b *testing.B) {
			var d Decoder
			b.ReportAllocs()
			b.SetBytes(int64(len(sql)))
			for b.Loop() {
				if _, err := d.Row(orders, change.Create, sql); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
