package decode

import (
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/charset"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func set(t testing.TB, name string) *charset.Set {
	t.Helper()
	s, ok := charset.Named(name)
	if !ok {
		t.Fatalf("character set %s is not known", name)
	}
	return s
}

func unicode(t testing.TB) *Settings {
	t.Helper()
	return &Settings{Text: set(t, "AL32UTF8"), National: set(t, "AL16UTF16"), ZoneFixed: true}
}

// one generic column of a type, inserted as bytes.
func genericOne(t testing.TB, s *Settings, typ schema.Type, stored string) (value.Value, error) {
	t.Helper()
	v := table(schema.Column{Name: "C", Type: typ, SegmentID: 1, Nullable: true})
	var d GenericDecoder
	img, generic, err := d.Row(v, s, change.Create, `insert into "UNKNOWN"."OBJ# 74858"("COL 1") values (HEXTORAW('`+stored+`'))`)
	if !generic {
		t.Fatalf("%s was not taken for a generic row", stored)
	}
	if err != nil {
		return value.Value{}, err
	}
	return img.After[0], nil
}

var (
	plainNumber = schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: schema.NoNumber, Scale: schema.NoNumber}
	stampNine   = schema.Type{Kind: schema.Timestamp, Name: "TIMESTAMP(9)", Scale: 9}
)

func number(precision, scale int) schema.Type {
	return schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: precision, Scale: scale}
}

func sized(kind schema.TypeKind, bytes, characters int) schema.Type {
	return schema.Type{Kind: kind, Name: "SIZED", Length: bytes, CharLength: characters}
}

func fractional(kind schema.TypeKind, precision, scale int) schema.Type {
	return schema.Type{Kind: kind, Name: "FRACTIONAL", Precision: precision, Scale: scale}
}

func at(year int16, month, day, hour, minute, second uint8, nano uint32) value.DateTime {
	return value.DateTime{Year: year, Month: month, Day: day, Hour: hour, Minute: minute, Second: second, Nano: nano}
}

// What Oracle's DUMP showed of stored values, with where it was seen:
//
//	odc     averemee-si/oracdc, OraDumpDecoderTest
//	goora   sijms/go-ora, converters/other_types_test.go
//	tgulacs tgulacsi/goracle, oracle/cursor_test.go
//	doc     Oracle Database SQL Language Reference, TO_BINARY_DOUBLE
//	kyte    Kyte and Kuhn, Expert Oracle Database Architecture, chapter 12
//	rowid   cppentry.com 76704, dump of ROWID beside DBMS_ROWID
//	d4      reference logminer D.4, composed there
//	cases   shared cases C028, C063
func TestR47GoldenBytes(t *testing.T) {
	latin := unicode(t)
	latin.Text = set(t, "WE8ISO8859P1")
	mountain := unicode(t)
	mountain.Zone = -7 * 60
	dec, text := value.OfDecimal, value.OfText
	for _, c := range []struct {
		source   string
		settings *Settings
		typ      schema.Type
		stored   string
		want     value.Value
	}{
		{"tgulacs", nil, plainNumber, "c102", dec("1")},
		{"tgulacs", nil, plainNumber, "c033", dec("0.5")},
		{"tgulacs", nil, plainNumber, "3e644c66", dec("-1.25")},
		{"odc", nil, plainNumber, "c109", dec("8")},
		{"odc", nil, plainNumber, "80", dec("0")},
		{"odc", nil, plainNumber, "3f534966", dec("-0.1828")},
		{"odc", nil, number(11, 7), "c1024a153351", dec("1.7320508")},
		{"doc", nil, number(10, 2), "c20d2339", dec("1234.56")},
		{"cases", nil, plainNumber, "c202182e", dec("123.45")},
		{"cases", nil, plainNumber, "3e6466", dec("-1")},
		{"odc", nil, schema.Type{Kind: schema.BinaryFloat}, "bfddb3d7", value.OfFloat32(float32(math.Sqrt(3)))},
		{"odc", nil, schema.Type{Kind: schema.BinaryDouble}, "bffbb67ae8584caa", value.OfFloat64(math.Sqrt(3))},
		{"goora", nil, schema.Type{Kind: schema.BinaryFloat}, "c3067333", value.OfFloat32(134.45)},
		{"goora", nil, schema.Type{Kind: schema.BinaryFloat}, "3cf98ccc", value.OfFloat32(-134.45)},
		{"doc", nil, schema.Type{Kind: schema.BinaryDouble}, "c0934a3d70a3d70a", value.OfFloat64(1234.56)},
		{"d4", nil, schema.Type{Kind: schema.BinaryFloat}, "ff800000", value.OfFloat32(float32(math.Inf(1)))},
		{"d4", nil, schema.Type{Kind: schema.BinaryDouble}, "000fffffffffffff", value.OfFloat64(math.Inf(-1))},
		{"d4", nil, schema.Type{Kind: schema.BinaryFloat}, "80000000", value.OfFloat32(0)},
		{"d4", nil, schema.Type{Kind: schema.BinaryFloat}, "007fffff", value.OfFloat32(float32(math.Inf(-1)))},
		{"d4", nil, schema.Type{Kind: schema.BinaryDouble}, "fff0000000000000", value.OfFloat64(math.Inf(1))},
		{"d4", nil, schema.Type{Kind: schema.BinaryDouble}, "8000000000000000", value.OfFloat64(0)},
		{"odc", nil, fractional(schema.Float, 126, schema.NoNumber), "c1024a153351", dec("1.7320508")},
		{"odc", nil, sized(schema.Varchar2, 20, 20), "e8ac9d", text("謝")},
		{"odc", nil, sized(schema.Varchar2, 20, 20), "7468616e6b73", text("thanks")},
		{"odc", nil, sized(schema.Char, 14, 14), "d0a1d0bfd0b0d181d0b8d0b1d0be", text("Спасибо")},
		{"tgulacs", nil, sized(schema.Varchar2, 40, 40), "c3a17276c3ad7a", text("árvíz")},
		{"cases", latin, sized(schema.Varchar2, 40, 40), "4b45534b554b53454e204c4953c454415256494b45", text("KESKUKSEN LISÄTARVIKE")},
		{"cases", latin, sized(schema.Varchar2, 40, 40), "c5c4d6e5e4f6", text("ÅÄÖåäö")},
		{"d4", nil, sized(schema.NVarchar2, 40, 20), "00fc006e2603", text("ün☃")},
		{"d4", nil, sized(schema.NChar, 6, 3), "00e100200020", text("á  ")},
		{"kyte", nil, schema.Type{Kind: schema.Date}, "786906190d0201", value.OfLocal(at(2005, 6, 25, 12, 1, 0, 0))},
		{"kyte", nil, schema.Type{Kind: schema.Date}, "35580101010101", value.OfLocal(at(-4712, 1, 1, 0, 0, 0, 0))},
		{"kyte", nil, schema.Type{Kind: schema.Date}, "355a0101010101", value.OfLocal(at(-4710, 1, 1, 0, 0, 0, 0))},
		{"d4", nil, schema.Type{Kind: schema.Date}, "787e021c0e2e3c", value.OfLocal(at(2026, 2, 28, 13, 45, 59, 0))},
		{"kyte", nil, fractional(schema.Timestamp, 0, 0), "78790711161f10", value.OfLocal(at(2021, 7, 17, 21, 30, 15, 0))},
		{"kyte", nil, stampNine, "78790711182f090b7ef670", value.OfLocal(at(2021, 7, 17, 23, 46, 8, 192870000))},
		{"odc", nil, stampNine, "787802040e3c18", value.OfLocal(at(2020, 2, 4, 13, 59, 23, 0))},
		{"d4", nil, fractional(schema.Timestamp, 0, 6), "787e021c0e2e3c075bca00", value.OfLocal(at(2026, 2, 28, 13, 45, 59, 123456000))},
		{"kyte", nil, fractional(schema.TimestampTZ, 0, 6), "7879071201061030c4aa38143c", value.OfZoned(at(2021, 7, 18, 0, 5, 15, 818195000), 0)},
		{"d4", nil, fractional(schema.TimestampTZ, 0, 6), "787e031c1501011dcd6500195a", value.OfZoned(at(2026, 3, 29, 1, 30, 0, 500000000), 330)},
		{"d4", nil, fractional(schema.TimestampTZ, 0, 0), "787e031c150101195a", value.OfZoned(at(2026, 3, 29, 1, 30, 0, 0), 330)},
		{"kyte", mountain, fractional(schema.TimestampLTZ, 0, 6), "7872021b1203210ca2dd00", value.OfZoned(at(2014, 2, 28, 0, 2, 32, 212000000), 0)},
		{"goora", nil, fractional(schema.IntervalYM, 4, 0), "800007e546", value.OfMonths(2021*12 + 10)},
		{"goora", nil, fractional(schema.IntervalYM, 4, 0), "7ffff81b32", value.OfMonths(-2021*12 - 10)},
		{"d4", nil, fractional(schema.IntervalYM, 4, 0), "8000000c3f", value.OfMonths(12*12 + 3)},
		{"goora", nil, fractional(schema.IntervalDS, 2, 6), "8000000248535e9b2e0200", value.OfDuration(2*86400+12*3600+23*60+34, 456000000)},
		{"goora", nil, fractional(schema.IntervalDS, 2, 6), "7ffffffe30251a64c5f3f8", value.OfDuration(-2*86400-12*3600-23*60-34, -456789000)},
		{"d4", nil, fractional(schema.IntervalDS, 5, 6), "80000005403f3e875bca00", value.OfDuration(5*86400+4*3600+3*60+2, 123456000)},
		{"d4", nil, sized(schema.Raw, 10, 0), "deadbeef00ff", value.OfBytes("\xde\xad\xbe\xef\x00\xff")},
		{"rowid", nil, schema.Type{Kind: schema.RowID}, "000132e7014000fd0001", text("AAATLnAAFAAAAD9AAB")},
	} {
		s := c.settings
		if s == nil {
			s = unicode(t)
		}
		for _, stored := range []string{c.stored, strings.ToUpper(c.stored)} {
			if got, err := genericOne(t, s, c.typ, stored); err != nil || got != c.want {
				t.Errorf("%s, type %d: %s gives %+v, %v, want %+v", c.source, c.typ.Kind, stored, got, err, c.want)
			}
		}
	}
	for kind, stored := range map[schema.TypeKind]string{schema.BinaryFloat: "ffc00000", schema.BinaryDouble: "fff8000000000000"} { // d4
		if got, err := genericOne(t, unicode(t), schema.Type{Kind: kind}, stored); err != nil || kind == schema.BinaryFloat && got.Float32() == got.Float32() ||
			kind == schema.BinaryDouble && got.Float64() == got.Float64() {
			t.Errorf("%s: %+v, %v, want NaN", stored, got, err)
		}
	}
}

// Every bound of a type on its last value.
func TestR47BoundsOfTypes(t *testing.T) {
	third := "c0" + strings.Repeat("22", 20) // kyte: DUMP(1/3)
	for _, c := range []struct {
		typ    schema.Type
		stored string
		want   string
	}{
		{plainNumber, third, "0." + strings.Repeat("33", 20)},
		{plainNumber, "ff02", "1" + strings.Repeat("0", 124)},
		{plainNumber, "ff0b", "1" + strings.Repeat("0", 125)},
		{plainNumber, "005b66", "-1" + strings.Repeat("0", 125)},
		{plainNumber, "8002", "0." + strings.Repeat("0", 129) + "1"},
		{plainNumber, "7f6466", "-0." + strings.Repeat("0", 129) + "1"},
		{plainNumber, "3e" + strings.Repeat("02", 20), "-99." + strings.Repeat("99", 19)},
		{number(3, 0), "c20a64", "999"},
		{number(3, -2), "c30a64", "99900"},
		{number(2, 3), "c00a5b", "0.099"},
		{number(schema.NoNumber, 0), "d3" + strings.Repeat("64", 19), strings.Repeat("9", 38)},
		{fractional(schema.Float, 126, schema.NoNumber), "c1" + strings.Repeat("64", 19), "99." + strings.Repeat("99", 18)},
	} {
		if got, err := genericOne(t, unicode(t), c.typ, c.stored); err != nil || got.Text() != c.want {
			t.Errorf("%s of %s: %q, %v, want %s", c.stored, c.typ, got.Text(), err, c.want)
		} else if !isPlain(got.Text()) {
			t.Errorf("%s is not plain", got.Text())
		}
	}
	for _, c := range []struct {
		typ    schema.Type
		stored string
		want   value.Value
	}{
		{sized(schema.Char, 40, 10), hex.EncodeToString([]byte("nchär 😀   ")), value.OfText("nchär 😀   ")},
		{sized(schema.Char, 2000, 600), hex.EncodeToString([]byte(strings.Repeat("😀", 500))), value.OfText(strings.Repeat("😀", 500))},
		{sized(schema.Varchar2, 8, 2), hex.EncodeToString([]byte("😀😀")), value.OfText("😀😀")},
		{fractional(schema.Timestamp, 0, 3), "787e021c0e2e3c3ad46cc0", value.OfLocal(at(2026, 2, 28, 13, 45, 59, 987000000))},
		{fractional(schema.TimestampTZ, 0, 0), "787e0c1f180101113c", value.OfZoned(at(2026, 12, 31, 20, 0, 0, 0), -180)},
		{fractional(schema.TimestampTZ, 0, 0), "787e0c1f180101173c", value.OfZoned(at(2027, 1, 1, 2, 0, 0, 0), 180)},
		{fractional(schema.TimestampTZ, 0, 0), "787e0101010101131e", value.OfZoned(at(2025, 12, 31, 22, 30, 0, 0), -90)},
		{fractional(schema.TimestampTZ, 0, 0), "78700301010101133c", value.OfZoned(at(2012, 2, 29, 23, 0, 0, 0), -60)},
		{fractional(schema.TimestampTZ, 0, 0), "77640301010101133c", value.OfZoned(at(1900, 2, 28, 23, 0, 0, 0), -60)},
	} {
		if got, err := genericOne(t, unicode(t), c.typ, c.stored); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.stored, got, err, c.want)
		}
	}
}

// Not trusted means refused with a type of error of its own, never a guess and never a panic.
func TestR47BytesThatOracleDoesNotStoreAreRefused(t *testing.T) {
	region := unicode(t)
	region.ZoneFixed = false
	unknown := &Settings{ZoneFixed: true}
	date, ym, ds := schema.Type{Kind: schema.Date}, fractional(schema.IntervalYM, 2, 0), fractional(schema.IntervalDS, 2, 6)
	tz := fractional(schema.TimestampTZ, 0, 6)
	for name, c := range map[string]struct {
		settings *Settings
		typ      schema.Type
		stored   string
		why      reason
	}{
		"empty":                              {nil, plainNumber, "", notHex},
		"half a byte":                        {nil, plainNumber, "c10", notHex},
		"no hex":                             {nil, plainNumber, "c1g2", notHex},
		"number: exponent alone":             {nil, plainNumber, "c1", badNumberBytes},
		"number: plus infinity":              {nil, plainNumber, "ff65", badNumberBytes},
		"number: minus infinity":             {nil, plainNumber, "00", badNumberBytes},
		"number: digit of zero":              {nil, plainNumber, "c100", badNumberBytes},
		"number: digit above 100":            {nil, plainNumber, "c166", badNumberBytes},
		"number: leading zero":               {nil, plainNumber, "c20102", badNumberBytes},
		"number: trailing zero":              {nil, plainNumber, "c10201", badNumberBytes},
		"number: negative without its end":   {nil, plainNumber, "3e64", badNumberBytes},
		"number: negative end alone":         {nil, plainNumber, "3e66", badNumberBytes},
		"number: negative leading zero":      {nil, plainNumber, "3e656466", badNumberBytes},
		"number: zero with a digit":          {nil, plainNumber, "8001", badNumberBytes},
		"number: 21 pairs":                   {nil, plainNumber, "c1" + strings.Repeat("02", 21), badNumberBytes},
		"number: negative with 20 and end":   {nil, plainNumber, "3e" + strings.Repeat("02", 20) + "66", badNumberBytes},
		"number(3): four digits":             {nil, number(3, 0), "c20b02", badDigits},
		"number(3): a fraction":              {nil, number(3, 0), "c10233", badDigits},
		"number(3,-2): a single":             {nil, number(3, -2), "c102", badDigits},
		"number(2,3): a tenth":               {nil, number(2, 3), "c00b", badDigits},
		"integer: 39 digits":                 {nil, number(schema.NoNumber, 0), "d40b" + strings.Repeat("64", 19), badDigits},
		"float(5): three digits":             {nil, fractional(schema.Float, 5, schema.NoNumber), "c20218", badDigits},
		"float: three bytes":                 {nil, schema.Type{Kind: schema.BinaryFloat}, "c30673", badLength},
		"float: minus zero":                  {nil, schema.Type{Kind: schema.BinaryFloat}, "7fffffff", badFloatBytes},
		"float: another NaN":                 {nil, schema.Type{Kind: schema.BinaryFloat}, "ffc00001", badFloatBytes},
		"double: four bytes":                 {nil, schema.Type{Kind: schema.BinaryDouble}, "bfddb3d7", badLength},
		"double: minus zero":                 {nil, schema.Type{Kind: schema.BinaryDouble}, "7fffffffffffffff", badFloatBytes},
		"double: negative NaN":               {nil, schema.Type{Kind: schema.BinaryDouble}, "0007ffffffffffff", badFloatBytes},
		"varchar2: longer than declared":     {nil, sized(schema.Varchar2, 2, 2), "616263", badLength},
		"varchar2: characters":               {nil, sized(schema.Varchar2, 8, 2), "616263", badLength},
		"varchar2: not UTF-8":                {nil, sized(schema.Varchar2, 20, 20), "c102", badCharacters},
		"varchar2: set not known":            {unknown, sized(schema.Varchar2, 20, 20), "61", noCharset},
		"nvarchar2: set not known":           {unknown, sized(schema.NVarchar2, 20, 10), "0061", noCharset},
		"nvarchar2: half a unit":             {nil, sized(schema.NVarchar2, 20, 10), "006100", badCharacters},
		"char: not padded":                   {nil, sized(schema.Char, 4, 4), "616263", badPadding},
		"char: longer":                       {nil, sized(schema.Char, 2, 2), "616263", badLength},
		"char: not padded in characters":     {nil, sized(schema.Char, 16, 4), "616263", badPadding},
		"char: too many characters":          {nil, sized(schema.Char, 16, 4), "6162636465", badPadding},
		"char: all bytes, few characters":    {nil, sized(schema.Char, 8, 7), "c3a4c3a4c3a4c3a4", badPadding},
		"nchar: not padded":                  {nil, sized(schema.NChar, 8, 4), "006100620063", badPadding},
		"raw: longer":                        {nil, sized(schema.Raw, 2, 0), "616263", badLength},
		"rowid: restricted":                  {nil, schema.Type{Kind: schema.RowID}, "00000dd50000", badLength},
		"rowid: text":                        {nil, schema.Type{Kind: schema.RowID}, hex.EncodeToString([]byte("AAATLnAAFAAAAD9AAB")), badLength},
		"date: six bytes":                    {nil, date, "787e021c0e2e", badLength},
		"date: fraction":                     {nil, date, "787e021c0e2e3c075bca00", badLength},
		"date: signs differ":                 {nil, date, "78580101010101", badDateBytes},
		"date: month 13":                     {nil, date, "787e0d01010101", badDateBytes},
		"date: month 0":                      {nil, date, "787e0001010101", badDateBytes},
		"date: 29 February 2026":             {nil, date, "787e021d010101", badDateBytes},
		"date: hour 24":                      {nil, date, "787e0201190101", badDateBytes},
		"date: hour -1":                      {nil, date, "787e0201000101", badDateBytes},
		"date: minute 60":                    {nil, date, "787e0201013d01", badDateBytes},
		"date: minute -1":                    {nil, date, "787e0201010001", badDateBytes},
		"date: second 60":                    {nil, date, "787e020101013d", badDateBytes},
		"date: second -1":                    {nil, date, "787e0201010100", badDateBytes},
		"date: century of three digits":      {nil, date, "c8640101010101", badDateBytes},
		"date: year of three digits":         {nil, date, "78c80101010101", badDateBytes},
		"date: before 4712":                  {nil, date, "35570101010101", badDateBytes},
		"timestamp: nine bytes":              {nil, stampNine, "787e021c0e2e3c075b", badLength},
		"timestamp: a second of nanos":       {nil, stampNine, "787e021c0e2e3c3b9aca00", badDateBytes},
		"timestamp(3): microseconds":         {nil, fractional(schema.Timestamp, 0, 3), "787e021c0e2e3c075bca00", badFraction},
		"timestamp(0): fraction":             {nil, fractional(schema.Timestamp, 0, 0), "787e021c0e2e3c1dcd6500", badFraction},
		"zoned: region (kyte)":               {nil, tz, "7872021c0103210ca2dd00899c", zoneRegion},
		"zoned: hour 16":                     {nil, tz, "787e031c150101243c", zoneRegion},
		"zoned: minute 60":                   {nil, tz, "787e031c1501011578", zoneRegion},
		"zoned: signs differ":                {nil, tz, "787e031c150101151e", zoneRegion},
		"zoned: without zone":                {nil, tz, "787e031c150101", badLength},
		"zoned: one byte":                    {nil, tz, "78", badLength},
		"zoned: another day before 1583":     {nil, tz, "73640201180101173c", zoneShift},
		"zoned: past the calendar":           {nil, tz, "c7c70c1f180101173c", zoneShift},
		"zoned: into 1582":                   {nil, tz, "73b70101010101133c", zoneShift},
		"local: DBTIMEZONE is a region":      {region, fractional(schema.TimestampLTZ, 0, 6), "787e031c150101", noZone},
		"local: with a zone":                 {nil, fractional(schema.TimestampLTZ, 0, 6), "787e031c150101143c", badLength},
		"years: four bytes":                  {nil, ym, "8000000c", badLength},
		"years: month 12":                    {nil, ym, "8000000c48", badFields},
		"years: signs differ":                {nil, ym, "8000000c3b", badFields},
		"years: signs differ back":           {nil, ym, "7fffffff3d", badFields},
		"years: digits":                      {nil, ym, "800000643c", badFields},
		"days: ten bytes":                    {nil, ds, "80000005403f3e875bca", badLength},
		"days: hour 24":                      {nil, ds, "80000005543f3e80000000", badFields},
		"days: minute 60":                    {nil, ds, "8000000540783e80000000", badFields},
		"days: second 60":                    {nil, ds, "80000005403f7880000000", badFields},
		"days: a second of nanos":            {nil, ds, "80000005403f3ebb9aca00", badFields},
		"days: signs differ":                 {nil, ds, "80000005403f3a80000000", badFields},
		"days: signs of the fraction":        {nil, ds, "800000053c3c3c7fffffff", badFields},
		"days: digits":                       {nil, ds, "800000643c3c3c80000000", badFields},
		"days: fraction":                     {nil, fractional(schema.IntervalDS, 2, 3), "80000005403f3e875bca00", badFraction},
		"no type that is captured: in (e)":   {nil, schema.Type{Kind: schema.CLOB, Name: "CLOB"}, "61", "rows of tables with columns of this type cannot be decoded by position"},
		"long text: in (e)":                  {nil, sized(schema.Varchar2, 32767, 32767), "61", "rows of tables with columns of this type cannot be decoded by position"},
		"a physical UROWID: in (e)":          {nil, schema.Type{Kind: schema.URowID, Name: "UROWID"}, "01000132e7014000fd00010000", "rows of tables with columns of this type cannot be decoded by position"},
		"zoned: hours of the other sign":     {nil, tz, "787e031c150101135a", zoneRegion},
		"number: negative trailing zero":     {nil, plainNumber, "3e646566", badNumberBytes},
		"number: negative digit of 100":      {nil, plainNumber, "3e0166", badNumberBytes},
		"number: text":                       {nil, plainNumber, "31", badNumberBytes},
		"date: text of seven bytes":          {nil, date, hex.EncodeToString([]byte("KESKUKS")), badDateBytes},
		"varchar2 in US7ASCII: high byte":    {&Settings{Text: set(t, "US7ASCII")}, sized(schema.Varchar2, 9, 9), "c4", badCharacters},
		"varchar2 in UTF8: four-byte form":   {&Settings{Text: set(t, "UTF8")}, sized(schema.Varchar2, 9, 9), "f09f9880", badCharacters},
		"nchar in UTF8: a pair counts twice": {&Settings{National: set(t, "UTF8")}, sized(schema.NChar, 9, 3), "eda0bdedb880", badPadding},
	} {
		s := c.settings
		if s == nil {
			s = unicode(t)
		}
		got, err := genericOne(t, s, c.typ, c.stored)
		var e *Error
		if !errors.As(err, &e) || e.Fault != Untrusted || e.Reason != string(c.why) {
			t.Errorf("%s: %+v, %v, want refused because %s", name, got, err, c.why)
		}
	}
}
