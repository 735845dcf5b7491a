package logminer

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/charset"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/decode"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	ch "github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// randomColumn is a type of the stand-in with what the product's dictionary says of it, and a generator of its values.
type randomColumn struct {
	kind   datum.Type
	typ    schema.Type
	values *rapid.Generator[datum.Datum]
}

func texts(limit int, bytes bool) *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab 'ß謝\\\n%")), 1, limit, -1).Draw(t, "text")
		for bytes && len(text) > limit {
			text = strings.ToValidUTF8(text[:limit], "")
		}
		return datum.Datum{Kind: datum.Text, Text: text}
	})
}

func decimals(precision, scale int) *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		digits := rapid.StringOfN(rapid.RuneFrom([]rune("0123456789")), 1, precision, -1).Draw(t, "digits")
		return decimalOf(t, digits, -scale, rapid.Bool().Draw(t, "negative"))
	})
}

func decimalOf(t *rapid.T, digits string, exponent int, negative bool) datum.Datum {
	d, _, err := apd.NewFromString(fmt.Sprintf("%sE%d", digits, exponent))
	if err != nil {
		t.Fatal(err)
	}
	d.Negative = negative && !d.IsZero()
	return datum.Datum{Kind: datum.Number, Number: d}
}

func instants(kind datum.Kind, scale int, zoned bool) *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		unit := uint32(math.Pow10(9 - scale))
		d := datum.Datum{Kind: kind, Time: datum.DateTime{
			Year: rapid.Int16Range(1600, 9998).Draw(t, "year"), Month: rapid.Uint8Range(1, 12).Draw(t, "month"), Day: 1,
			Hour: rapid.Uint8Range(0, 23).Draw(t, "hour"), Minute: rapid.Uint8Range(0, 59).Draw(t, "minute"),
			Second: rapid.Uint8Range(0, 59).Draw(t, "second"),
			Nano:   rapid.Uint32Range(0, 999_999_999).Draw(t, "nano") / unit * unit,
		}}
		last := time.Date(int(d.Time.Year), time.Month(d.Time.Month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
		d.Time.Day = uint8(rapid.IntRange(1, last).Draw(t, "day"))
		if !zoned && rapid.IntRange(0, 9).Draw(t, "old") == 0 {
			d.Time.Year = rapid.Int16Range(-4712, 1500).Filter(func(y int16) bool { return y != 0 }).Draw(t, "old year")
			d.Time.Day = min(d.Time.Day, 28)
		}
		if zoned {
			d.Offset = rapid.Int16Range(-14*60, 14*60).Draw(t, "offset")
		}
		return d
	})
}

func floats(bits int) *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		f := rapid.Float64().Draw(t, "float")
		if bits == 32 {
			f = float64(rapid.Float32().Draw(t, "float"))
		}
		switch rapid.IntRange(0, 19).Draw(t, "special") {
		case 0:
			f = math.Inf(1)
		case 1:
			f = math.Inf(-1)
		case 2:
			f = 0
		}
		return datum.Datum{Kind: datum.Float, Float: f}
	})
}

func fixed(kind datum.Kind, from, to int64, exponent int) *rapid.Generator[datum.Datum] {
	return rapid.Custom(func(t *rapid.T) datum.Datum {
		n := rapid.Int64Range(from, to).Draw(t, "interval")
		return datum.Datum{Kind: kind, Number: apd.New(n, int32(exponent))}
	})
}

func randomColumns() []randomColumn {
	no := schema.NoNumber
	bytes := rapid.Map(rapid.SliceOfN(rapid.Byte(), 1, 16), func(b []byte) datum.Datum { return datum.Datum{Kind: datum.Raw, Raw: b} })
	rowIDs := rapid.Map(rapid.StringMatching(`[A-D][A-Za-z0-9+/]{5}A[A-P][A-Za-z0-9+/]AA[A-P][A-Za-z0-9+/]{3}[A-P][A-Za-z0-9+/]{2}`), func(s string) datum.Datum {
		return datum.Datum{Kind: datum.RowID, Text: s}
	})
	character := func(kind schema.TypeKind, bytes, characters int) schema.Type {
		return schema.Type{Kind: kind, Name: "TEXT", Length: bytes, CharLength: characters}
	}
	scaled := func(kind schema.TypeKind, precision, scale int) schema.Type {
		return schema.Type{Kind: kind, Name: "SCALED", Precision: precision, Scale: scale}
	}
	return []randomColumn{
		{datum.Type{Code: datum.TypeNumber}, scaled(schema.Number, no, no), decimals(38, rapid.IntRange(-60, 100).Example())},
		{datum.Type{Code: datum.TypeNumber, Precision: 10, Scale: 2, HasPrecision: true}, scaled(schema.Number, 10, 2), decimals(10, 2)},
		{datum.Type{Code: datum.TypeNumber, Precision: 38, HasPrecision: true}, scaled(schema.Number, 38, 0), decimals(38, 0)},
		{datum.Type{Code: datum.TypeNumber, Precision: 3, Scale: -2, HasPrecision: true}, scaled(schema.Number, 3, -2), decimals(3, -2)},
		{datum.Type{Code: datum.TypeNumber, Float: true, Precision: 126}, scaled(schema.Float, 126, no), decimals(38, 7)},
		{datum.Type{Code: datum.TypeBinaryFloat}, schema.Type{Kind: schema.BinaryFloat}, floats(32)},
		{datum.Type{Code: datum.TypeBinaryDouble}, schema.Type{Kind: schema.BinaryDouble}, floats(64)},
		{datum.Type{Code: datum.TypeVarchar, Size: 20}, character(schema.Varchar2, 20, 20), texts(20, true)},
		{datum.Type{Code: datum.TypeVarchar, Size: 20, CharUsed: true}, character(schema.Varchar2, 80, 20), texts(20, false)},
		{datum.Type{Code: datum.TypeChar, Size: 20}, character(schema.Char, 20, 20), texts(20, true)},
		{datum.Type{Code: datum.TypeChar, Size: 20, CharUsed: true}, character(schema.Char, 80, 20), texts(20, false)},
		{datum.Type{Code: datum.TypeVarchar, Size: 20, National: true}, character(schema.NVarchar2, 40, 20), texts(20, false)},
		{datum.Type{Code: datum.TypeChar, Size: 20, National: true}, character(schema.NChar, 40, 20), texts(20, false)},
		{datum.Type{Code: datum.TypeRaw, Size: 16}, character(schema.Raw, 16, 0), bytes},
		{datum.Type{Code: datum.TypeRowID}, schema.Type{Kind: schema.RowID}, rowIDs},
		{datum.Type{Code: datum.TypeDate}, schema.Type{Kind: schema.Date}, instants(datum.Time, 0, false)},
		{datum.Type{Code: datum.TypeTimestamp, Size: 3}, scaled(schema.Timestamp, no, 3), instants(datum.Time, 3, false)},
		{datum.Type{Code: datum.TypeTimestamp, Size: 9}, scaled(schema.Timestamp, no, 9), instants(datum.Time, 9, false)},
		{datum.Type{Code: datum.TypeTimestampTZ, Size: 6}, scaled(schema.TimestampTZ, no, 6), instants(datum.Zoned, 6, true)},
		{datum.Type{Code: datum.TypeTimestampLTZ, Size: 6}, scaled(schema.TimestampLTZ, no, 6), instants(datum.Zoned, 6, true)},
		{datum.Type{Code: datum.TypeIntervalYM, Precision: 4}, scaled(schema.IntervalYM, 4, 0), fixed(datum.IntervalYM, -119_999, 119_999, 0)},
		{datum.Type{Code: datum.TypeIntervalDS, Precision: 5, Size: 6}, scaled(schema.IntervalDS, 5, 6), fixed(datum.IntervalDS, -8_640_000_000_000_000+1, 8_640_000_000_000_000-1, -6)},
	}
}

// R42, R46, R47: a row that LogMiner shows by names and the same row behind a DDL, by numbers and bytes, are one row to the product. The
// layouts have virtual, unused and invisible columns anywhere; NULLs at the end are there or not.
func TestR47RowsByNumberAreTheRowsByName(t *testing.T) {
	kinds := randomColumns()
	database := decode.Settings{ZoneFixed: true}
	for into, name := range map[**charset.Set]string{&database.Text: "AL32UTF8", &database.National: "AL16UTF16"} {
		var ok bool
		if *into, ok = charset.Named(name); !ok {
			t.Fatal(name)
		}
	}
	session := settings(t, func(c *caller) {
		c.nls["NLS_DATE_FORMAT"], c.nls["NLS_TIMESTAMP_FORMAT"] = "SYYYY-MM-DD HH24:MI:SS", "SYYYY-MM-DD HH24:MI:SS.FF9"
	})
	var named decode.Decoder
	var generic decode.GenericDecoder
	rows := 0
	rapid.Check(t, func(t *rapid.T) {
		layout := &catalog.Table{Container: 3, Owner: "APP", Name: "T", ObjectID: 74569}
		version := &schema.Version{Table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "T"}, Logging: schema.LoggingAll}
		n, segment := rapid.IntRange(1, 8).Draw(t, "columns"), 0
		chosen := make([]randomColumn, n)
		side := func(label string) ([]datum.Datum, []bool) {
			values, set := make([]datum.Datum, n), make([]bool, n)
			for i := range values {
				set[i] = true
				c := &layout.Columns[i]
				if c.Virtual != "" || c.Nullable && rapid.IntRange(0, 2).Draw(t, label+" null") == 0 {
					continue
				}
				values[i] = chosen[i].values.Draw(t, label)
			}
			return values, set
		}
		for i := range n {
			chosen[i] = kinds[rapid.IntRange(0, len(kinds)-1).Draw(t, "type")]
			c := catalog.Column{Name: fmt.Sprintf("C%d", i), Type: chosen[i].kind, Nullable: rapid.Bool().Draw(t, "nullable")}
			p := schema.Column{Name: c.Name, Type: chosen[i].typ, Nullable: c.Nullable}
			switch rapid.IntRange(0, 9).Draw(t, "kind of column") {
			case 0:
				c.Virtual, c.Nullable, p.Virtual, p.Nullable = "1", true, true, true
			case 1:
				c.Unused, p.Unused, p.Hidden = true, true, true
			case 2:
				c.Invisible, p.Hidden = true, true
			}
			if c.Virtual == "" {
				segment++
				c.SegmentID, p.SegmentID = segment, segment
			}
			layout.Columns, version.Columns = append(layout.Columns, c), append(version.Columns, p)
		}
		version.Seal()
		record := &redo.Record{Table: layout, RowID: rowA, Op: rapid.SampledFrom([]redo.Op{redo.Insert, redo.Update, redo.Delete}).Draw(t, "op")}
		if record.Op != redo.Insert {
			record.Before, record.BeforeSet = side("before")
		}
		if record.Op != redo.Delete {
			record.After, record.AfterSet = side("after")
		}
		if record.Op == redo.Update {
			some := false
			for i := range n {
				record.AfterSet[i] = rapid.Bool().Draw(t, "set")
				some = some || record.AfterSet[i] && layout.Columns[i].Virtual == "" && !layout.Columns[i].Unused
			}
			if !some {
				t.Skip("an update of nothing")
			}
		}
		shown := false
		for i := range n {
			shown = shown || layout.Columns[i].Virtual == "" && !layout.Columns[i].Unused
		}
		if !shown {
			t.Skip("a row of nothing")
		}
		style := style{nls: session, delimiter: true, rowID: rapid.Bool().Draw(t, "rowid"), shortRows: rapid.Bool().Draw(t, "short")}
		text := func(generic bool) string {
			s := &subject{owner: "APP", name: "T", layout: layout, generic: generic}
			return string(style.appendRedo(nil, &row{record: record, op: record.Op, subject: s.render(nil, false)}))
		}
		op := map[redo.Op]ch.Op{redo.Insert: ch.Create, redo.Update: ch.Update, redo.Delete: ch.Delete}[record.Op]
		want, err := named.Row(version, op, text(false))
		if err != nil {
			t.Fatalf("%s: %v", text(false), err)
		}
		got, isGeneric, err := generic.Row(version, &database, op, text(true))
		whole := record.Before
		if record.Op == redo.Insert {
			whole = record.After
		}
		if (err != nil || !isGeneric) && style.shortRows && allNull(whole) {
			return // nothing is left of a row without a value: not trusted
		}
		if err != nil || !isGeneric {
			t.Fatalf("%s\n%s: %v", text(false), text(true), err)
		}
		want.TextBytes, got.TextBytes = 0, 0
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(value.Value{})); diff != "" {
			t.Fatalf("%s\n%s\n%s", text(false), text(true), diff)
		}
		rows++
	})
	if rows < 50 {
		t.Errorf("only %d rows were compared", rows)
	}
}

func allNull(values []datum.Datum) bool {
	for i := range values {
		if !values[i].IsNull() {
			return false
		}
	}
	return true
}
