package debezium

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// Kafka Connect's own JSON converter reads every record of json_schema and writes the same bytes again: each type in each mode of both
// profiles, and keys. It runs with `make conformance`, see jarFolder.
func TestConnectsJSONConverterReadsAndWritesTheSame(t *testing.T) {
	var names, records []string
	add := func(name, record string) {
		if record != "" {
			names, records = append(names, name), append(records, record)
		}
	}
	for _, p := range profiles() {
		s := settings()
		s.Profile, s.Encoding, s.Topic, s.Default = p, JSONSchema, "server1.APP.T", literalDefault
		for _, decimals := range []Decimals{PreciseDecimals, TextDecimals, DoubleDecimals} {
			s := s
			s.Decimals = decimals
			addRows(t, add, s, decimalRows(), string(decimals))
		}
		for temporals := range p.temporals {
			s := s
			s.Temporals = temporals
			addRows(t, add, s, temporalRows(), string(temporals))
			addRows(t, add, s, intervalRows(), "numeric")
		}
		for _, binary := range []Binary{PlainBytes, Base64Text, Base64URLText, HexText} {
			s := s
			s.Binary = binary
			addRows(t, add, s, binaryRows(), string(binary))
		}
		addRows(t, add, s, otherRows(), "")
		v := withStatus()
		row := anne()
		row[2] = value.OfNull()
		for _, ev := range []*change.Event{
			streamed(v, change.Create, nil, row), streamed(v, change.Update, anne(), row), streamed(v, change.Delete, row, nil),
			streamed(v, change.Truncate, nil, nil), brief(v, change.Create, nil, anne()),
			{Kind: change.Snapshot, Op: change.Read, Version: v, After: anne(), Mark: change.First},
		} {
			key, val := rendered(t, table(t, s, v), ev)
			add(p.Name+" key", key)
			add(p.Name+" "+string(ev.Op), val)
		}
	}
	got := java(t, "RoundTrip.java", records)
	for i, name := range names {
		// Java before 19 writes a digit too many of this one (JDK-4511638).
		same(t, name, strings.ReplaceAll(got[i], "9.9999999999999987E17", "9.999999999999999E17"), records[i])
	}
	t.Logf("%d records", len(names))
}

// otherRows are the types that no mode changes.
func otherRows() []modeRow {
	none := schema.NoNumber
	var rows []modeRow
	for _, c := range append(typeCases(), lobCases()...) {
		rows = append(rows, modeRow{name: c.name, typ: c.typ, value: c.value})
	}
	// NaN and the infinities are left out: the converter writes them as texts, and reads those texts as 0.0.
	for _, f := range []float64{0, 1, -1.5, 1e7, 9999999, 0.001, 1e-4, 1.0 / 3, 1e38} {
		rows = append(rows,
			modeRow{name: "BINARY_DOUBLE", typ: typed(schema.BinaryDouble, "BINARY_DOUBLE", none), value: value.OfFloat64(f)},
			modeRow{name: "BINARY_FLOAT", typ: typed(schema.BinaryFloat, "BINARY_FLOAT", none), value: value.OfFloat32(float32(f))})
	}
	return append(rows, modeRow{name: "every kind of character", typ: varchar(), value: value.OfText("\"\\/<>&\b\t\n\f\r\x01\x7fäŁ€\u2028😀")})
}

func addRows(t *testing.T, add func(name, record string), s Settings, rows []modeRow, mode string) {
	t.Helper()
	s.LOBs = LOBsInline
	for _, r := range rows {
		if _, ok := r.of(s.Profile, mode); !ok && r.want != nil {
			continue // the mode cannot hold it
		}
		v := versionOf(r.typ)
		tab := table(t, s, v)
		for _, val := range []value.Value{r.value, value.OfNull(), value.OfUnavailable()} {
			_, record := rendered(t, tab, streamed(v, change.Create, nil, []value.Value{val}))
			add(s.Profile.Name+" "+r.name, record)
		}
	}
}
