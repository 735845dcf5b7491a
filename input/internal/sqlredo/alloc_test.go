package sqlredo

import "testing"

// A row of twelve columns, each in the form that LogMiner gives its type.
const twelve = `insert into "APP"."ORDERS"("ID","CUSTOMER","STATUS","AMOUNT","CREATED","UPDATED","NOTE","CODE","FLAG","TOKEN","QTY","PRICE") values ('1234567890','Müller & Söhne','OPEN      ','-42.5',TO_DATE('2026-02-28 13:45:59', 'YYYY-MM-DD HH24:MI:SS'),TO_TIMESTAMP('2026-03-29 01:30:00.123456000'),'plain ''quoted'' text',UNISTR('\5927') || UNISTR('\6D77'),NULL,HEXTORAW('deadbeef00ff'),'17','1234567890.123456789');`

const changed = `update "APP"."T" set "NAME" = 'uno', "SEEN" = TO_TIMESTAMP('2026-03-29 01:30:00.123456000') where "ID" = '1' and "NAME" = 'one' and "SEEN" IS NULL and ROWID = 'AAASNJAAMAAAACHAAA'`

func TestParseAllocatesNothing(t *testing.T) {
	var s Statement
	for _, text := range []string{twelve, changed} {
		if n := testing.AllocsPerRun(100, func() {
			if err := s.Parse(text); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%.0f allocations, want none: %s", n, text)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var s Statement
	b.ReportAllocs()
	b.SetBytes(int64(len(twelve)))
	for b.Loop() {
		if err := s.Parse(twelve); err != nil {
			b.Fatal(err)
		}
	}
}
