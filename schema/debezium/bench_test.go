package debezium

import (
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// orders is the 12-column insert that budgets are counted in, in the default form.
func orders(tb testing.TB) (*Table, *change.Event) { return ordersIn(tb, settings()) }

// forms are the encodings of both profiles.
func forms() map[string]Settings {
	out := map[string]Settings{}
	for _, p := range profiles() {
		for _, e := range []Encoding{JSON, JSONSchema} {
			s := settings()
			s.Profile, s.Encoding, s.Topic = p, e, "server1.APP.T"
			out[p.Name+" "+string(e)] = s
			s.Flat = &Flat{Deletes: DeleteRewritten, Fields: []string{"op", "table", "source.ts_ms", "source.scn"}, Headers: []string{"op", "scn"}}
			out[p.Name+" "+string(e)+" flat"] = s
		}
	}
	return out
}

func ordersIn(tb testing.TB, s Settings) (*Table, *change.Event) {
	v := versionOf(number(12, 0), number(9, 0), varchar(), varchar(), number(12, 2), number(19, 4), typed(schema.Date, "DATE", schema.NoNumber),
		typed(schema.Timestamp, "TIMESTAMP(6)", 6), typed(schema.Char, "CHAR", schema.NoNumber), typed(schema.Raw, "RAW", schema.NoNumber),
		number(schema.NoNumber, schema.NoNumber), varchar())
	v.Table.PDB = "FREEPDB1"
	v.Key = schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}
	row := []value.Value{
		value.OfDecimal("123456789012"), value.OfDecimal("4711"), value.OfText("Anne Gruber"), value.OfText("anne.gruber@example.com"),
		value.OfDecimal("1234567.89"), value.OfDecimal("-123456789012345.6789"), value.OfLocal(dateTime(2024, 2, 29, 12, 0, 0, 0)),
		value.OfLocal(dateTime(2024, 2, 29, 12, 0, 0, 123_456_000)), value.OfText("N "), value.OfBytes("\x00\x01\x02\x03\x04\x05\x06\x07"),
		value.OfDecimal("77.323"), value.OfNull(),
	}
	return table(tb, s, v), streamed(v, change.Create, nil, row)
}

func TestRecordOfARowIsRenderedWithoutAllocation(t *testing.T) {
	for name, s := range forms() {
		tab, ev := ordersIn(t, s)
		appendHeaders := Headers(s)
		buf, headers, headerBuf := make([]byte, 0, 16384), make([]change.Header, 0, 16), make([]byte, 0, 256)
		allocations := testing.AllocsPerRun(100, func() {
			out, err := tab.AppendKey(buf, ev)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = tab.AppendValue(out, ev); err != nil {
				t.Fatal(err)
			}
			appendHeaders(headers, headerBuf, ev)
		})
		if allocations > 0 {
			t.Errorf("%s: %g allocations", name, allocations)
		}
	}
}

// BenchmarkAppendUpdate has both images, of which the flat form shows one.
func BenchmarkAppendUpdate(b *testing.B) {
	for name, s := range forms() {
		b.Run(name, func(b *testing.B) {
			tab, ev := ordersIn(b, s)
			ev.Op, ev.Before = change.Update, slices.Clone(ev.After)
			ev.Before[2] = value.OfText("Anne Huber")
			buf := make([]byte, 0, 16384)
			b.ReportAllocs()
			for b.Loop() {
				out, err := tab.AppendKey(buf, ev)
				if err != nil {
					b.Fatal(err)
				}
				if out, err = tab.AppendValue(out, ev); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(out)))
			}
		})
	}
}

func BenchmarkAppendValue(b *testing.B) {
	for name, s := range forms() {
		b.Run(name, func(b *testing.B) {
			tab, ev := ordersIn(b, s)
			buf := make([]byte, 0, 16384)
			b.ReportAllocs()
			for b.Loop() {
				out, err := tab.AppendKey(buf, ev)
				if err != nil {
					b.Fatal(err)
				}
				if out, err = tab.AppendValue(out, ev); err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(out)))
			}
		})
	}
}
