package registry

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

var customersTable = schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "CUSTOMERS"}

func customers(number int, from uint64) *schema.Version {
	fallback := "'<NEW>'"
	return (&schema.Version{
		Table: customersTable, Number: number, ValidFrom: from, Exact: true, Logging: schema.LoggingAll, ObjectIDs: []uint64{76001, 76002},
		Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}},
		Columns: []schema.Column{
			{Name: "ID", SegmentID: 1, Type: schema.Type{Kind: schema.Number, Name: "NUMBER", Length: 22, Precision: 9, Scale: 0}},
			{Name: "STATUS", SegmentID: 2, Nullable: true, Default: &fallback, Type: schema.Type{
				Kind: schema.Varchar2, Name: "VARCHAR2", Length: 40, CharLength: 10, Precision: schema.NoNumber, Scale: schema.NoNumber,
			}},
			{Name: "SYS_NC00003$", SegmentID: 3, Nullable: true, Hidden: true, Guard: true, Type: schema.Type{
				Kind: schema.Raw, Name: "RAW", Length: 126, Precision: schema.NoNumber, Scale: schema.NoNumber,
			}},
		},
	}).Seal()
}

const (
	customersKey = `{"server":"shop","pdb":"FREEPDB1","owner":"APP","table":"CUSTOMERS"}`
	columnsText  = `[{"name":"ID","type":"NUMBER","length":22,"char_length":0,"precision":9,"scale":0,"nullable":false,"default":null,"hidden":false,"virtual":false,"unused":false,"guard":false,"segment_id":1},` +
		`{"name":"STATUS","type":"VARCHAR2","length":40,"char_length":10,"precision":null,"scale":null,"nullable":true,"default":"'<NEW>'","hidden":false,"virtual":false,"unused":false,"guard":false,"segment_id":2},` +
		`{"name":"SYS_NC00003$","type":"RAW","length":126,"char_length":0,"precision":null,"scale":null,"nullable":true,"default":null,"hidden":true,"virtual":false,"unused":false,"guard":true,"segment_id":3}]`
	customersValue = `{"format":1,"versions":[{"version":1,"valid_from":"18446744073709551614","exact":true,"key":{"origin":"primary_key","columns":["ID"]},"logging":"all","object_ids":[76001,76002],"columns":` + columnsText + `}]}`
)

// Contracts 5, member for member.
func TestRecordIsWrittenAsTheContractSays(t *testing.T) {
	key, val, err := Encode("shop", []*schema.Version{customers(1, 1<<64-2)})
	if err != nil || string(key) != customersKey || string(val) != customersValue {
		t.Errorf("%v\n%s\n%s", err, key, val)
	}
	// R43, R96, R109: members that the contract does not list, behind its own and only where they say something.
	certain := customers(1, 1<<64-2)
	certain.CertainFrom, certain.PendingFrom = 1<<64-1, 1<<64-2
	certain.Columns[1].Encrypted, certain.Columns[1].Undefaulted = true, true
	want := strings.Replace(customersValue, `"segment_id":2}`, `"segment_id":2,"encrypted":true,"undefaulted":true}`, 1)
	want = strings.Replace(want, `}]}]}`, `}],"certain_from":"18446744073709551615","pending_from":"18446744073709551614"}]}`, 1)
	if _, val, err := Encode("shop", []*schema.Version{certain}); err != nil || string(val) != want {
		t.Errorf("%v\n%s\n%s", err, val, want)
	}
	plain := customers(1, 5)
	plain.Table.PDB = ""
	if key, _, err := Encode("shop", []*schema.Version{plain}); err != nil || string(key) != `{"server":"shop","pdb":"","owner":"APP","table":"CUSTOMERS"}` {
		t.Errorf("without a PDB: %s, %v", key, err)
	}
}

// R109: which columns were never added with a default is known behind a restart too, or NULL in a row from before it would be unavailable.
// It makes no other layout, and is stored only where there is a guard column to ask for.
func TestR109ColumnsWithoutADefaultAreRemembered(t *testing.T) {
	v := customers(1, 5)
	v.Columns[1].Undefaulted = true
	key, val, err := Encode("shop", []*schema.Version{v})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Decode(key, val)
	if err != nil || !r.Versions()[0].Columns[1].Undefaulted || r.Versions()[0].Columns[0].Undefaulted {
		t.Errorf("%s, %v", val, err)
	}
	if LayoutDigest(v) != LayoutDigest(customers(1, 5)) || VersionDigest(v) != VersionDigest(customers(1, 5)) {
		t.Error("a default that is not there makes another layout")
	}
	v.Columns[2].Guard = false
	if _, val, err := Encode("shop", []*schema.Version{v}); err != nil || strings.Contains(string(val), "undefaulted") {
		t.Errorf("%s, %v", val, err)
	}
}

func TestRecordReadsBackAsItsVersions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawVersions(t)
		key, val, err := Encode("shop", want)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(val) {
			t.Fatalf("%s", val)
		}
		r, err := Decode(key, val)
		if err != nil {
			t.Fatal(err)
		}
		if r.Server != "shop" || r.Table != want[0].Table || !reflect.DeepEqual(r.Versions(), want) {
			t.Fatalf("%s read back differently", val)
		}
		if string(r.Value()) != string(val) || string(r.Key()) != string(key) {
			t.Fatalf("written again: %s", r.Value())
		}
	})
}

func drawVersions(t *rapid.T) []*schema.Version {
	name := rapid.StringMatching(`[A-Z$# "\\äß😀]{1,6}`)
	table := schema.Table{PDB: rapid.SampledFrom([]string{"", "P"}).Draw(t, "pdb"), Owner: name.Draw(t, "owner"), Name: name.Draw(t, "table")}
	number, from := 0, uint64(0)
	var out []*schema.Version
	for range rapid.IntRange(1, 3).Draw(t, "versions") {
		number += rapid.IntRange(1, 3).Draw(t, "number")
		from += rapid.Uint64Range(1, 1<<62).Draw(t, "from")
		v := &schema.Version{
			Table: table, Number: number, ValidFrom: from, Exact: rapid.Bool().Draw(t, "exact"),
			CertainFrom: rapid.Uint64().Draw(t, "certain"), PendingFrom: rapid.Uint64().Draw(t, "pending"),

			Logging:   rapid.SampledFrom([]schema.Logging{schema.LoggingAll, schema.LoggingKey, schema.LoggingMinimal}).Draw(t, "logging"),
			ObjectIDs: rapid.SliceOfN(rapid.Uint64Range(0, 1<<40), 1, 3).Draw(t, "ids"),
			Key:       schema.Key{Origin: rapid.SampledFrom([]schema.KeyOrigin{schema.KeyPrimary, schema.KeyUnique, schema.KeyConfig, schema.KeyRowID, schema.KeyNone}).Draw(t, "origin")},
		}
		for range rapid.IntRange(0, 2).Draw(t, "unseen") {
			v.Unseen = append(v.Unseen, schema.Span{From: rapid.Uint64().Draw(t, "unseen from"), To: rapid.Uint64().Draw(t, "unseen to")})
		}
		for i, n := range rapid.SliceOfNDistinct(name, 1, 4, rapid.ID[string]).Draw(t, "names") {
			v.Columns = append(v.Columns, drawColumn(t, n, i))
		}
		v.Key.Columns = rapid.SliceOfN(rapid.IntRange(0, len(v.Columns)-1), 0, 2).Draw(t, "key")
		if len(v.Key.Columns) == 0 {
			v.Key.Columns = nil
		}
		out = append(out, v.Seal())
	}
	return out
}

func drawColumn(t *rapid.T, name string, i int) schema.Column {
	// The last one is a user's own type with a misleading name.
	types := []schema.Type{
		{Kind: schema.Number, Name: "NUMBER"},
		{Kind: schema.TimestampTZ, Name: "TIMESTAMP(6) WITH TIME ZONE"},
		{Kind: schema.XMLType, Name: "XMLTYPE"},
		{Kind: schema.Unsupported, Name: "SDO_GEOMETRY"},
		{Kind: schema.Unsupported, Name: "TIMESTAMP_OF_MINE"},
	}
	c := schema.Column{
		Name: name, Type: rapid.SampledFrom(types).Draw(t, "type"), SegmentID: i, Nullable: rapid.Bool().Draw(t, "nullable"),
		Hidden: rapid.Bool().Draw(t, "hidden"), Virtual: rapid.Bool().Draw(t, "virtual"), Unused: rapid.Bool().Draw(t, "unused"), Guard: rapid.Bool().Draw(t, "guard"),
	}
	numbers := rapid.SampledFrom([]int{schema.NoNumber, -84, 0, 38})
	c.Type.Length, c.Type.CharLength = rapid.IntRange(0, 32767).Draw(t, "length"), rapid.IntRange(0, 32767).Draw(t, "chars")
	c.Type.Precision, c.Type.Scale = numbers.Draw(t, "precision"), numbers.Draw(t, "scale")
	if rapid.Bool().Draw(t, "with default") {
		text := rapid.String().Draw(t, "default")
		c.Default = &text
	}
	return c
}

func TestUnknownMembersAreKeptAtEveryDepth(t *testing.T) {
	value := strings.NewReplacer(
		`{"format":1,`, `{"format":1,"x1":{"a":[1,2.50]},`,
		`"exact":true,`, `"x2":"<&>","exact":true,`,
		`{"origin":`, `{"x3":null,"origin":`,
		`{"name":"ID",`, `{"name":"ID","x4":1e3,"Name":"other",`,
	).Replace(customersValue)
	key := strings.Replace(customersKey, `{`, `{"x5":1,`, 1)
	record, err := Decode([]byte(key), []byte(value))
	if err != nil {
		t.Fatal(err)
	}
	if string(record.Key()) != key {
		t.Errorf("key %s: its record would not be replaced", record.Key())
	}
	out := string(record.Value())
	for _, want := range []string{`,"x1":{"a":[1,2.50]}}`, `,"x2":"<&>"}`, `,"x3":null}`, `,"x4":1e3,"Name":"other"}`} {
		if strings.Count(out, want) != 1 {
			t.Errorf("%s has no %s", out, want)
		}
	}
	if again, err := Decode([]byte(key), []byte(out)); err != nil || string(again.Value()) != out {
		t.Errorf("not stable: %v", err)
	}
}

func TestNewerFormatIsRefused(t *testing.T) {
	for _, value := range []string{strings.Replace(customersValue, `"format":1`, `"format":2`, 1), `{"format":7,"versions":"elsewhere"}`} {
		_, err := Decode([]byte(customersKey), []byte(value))
		if !stop.Is(err, stop.PositionNewer) || !strings.Contains(err.Error(), "FREEPDB1.APP.CUSTOMERS") {
			t.Errorf("%v, want CDC-3004 with the table", err)
		}
	}
}

func TestDamagedRecordsAreRefused(t *testing.T) {
	edit := func(old, with string) string {
		if !strings.Contains(customersValue, old) {
			t.Fatalf("no %s in the value", old)
		}
		return strings.Replace(customersValue, old, with, 1)
	}
	second := func(number, from string) string {
		v := strings.TrimSuffix(strings.TrimPrefix(customersValue, `{"format":1,"versions":[`), `]}`)
		v = strings.Replace(v, "18446744073709551614", "100", 1)
		w := strings.Replace(strings.Replace(v, `"version":1`, `"version":`+number, 1), `"100"`, `"`+from+`"`, 1)
		return `{"format":1,"versions":[` + v + `,` + w + `]}`
	}
	if _, err := Decode([]byte(customersKey), []byte(second("2", "200"))); err != nil {
		t.Fatalf("two versions in order: %v", err)
	}
	for what, value := range map[string]string{
		"empty": "", "null": "null", "an array": "[]", "no format": `{"versions":[]}`, "format 0": edit(`"format":1`, `"format":0`),
		"cut": customersValue[:200], "more": customersValue + "{}", "null version": `{"format":1,"versions":[null]}`, "no versions": `{"format":1,"versions":[]}`, "null versions": `{"format":1,"versions":null}`,
		"SCN as number":          edit(`"18446744073709551614"`, `5`),
		"SCN not a number":       edit(`"18446744073709551614"`, `"x"`),
		"unknown key column":     edit(`["ID"]`, `["NOPE"]`),
		"unknown origin":         edit(`primary_key`, `moon`),
		"unknown logging":        edit(`"all"`, `"some"`),
		"missing member":         edit(`"hidden":false,`, ``),
		"null member":            edit(`"nullable":false`, `"nullable":null`),
		"member twice":           edit(`"exact":true`, `"exact":true,"exact":false`),
		"column twice":           edit(`"name":"STATUS"`, `"name":"ID"`),
		"version number 0":       edit(`"version":1`, `"version":0`),
		"number does not grow":   second("1", "200"),
		"position does not grow": second("2", "100"),
	} {
		if _, err := Decode([]byte(customersKey), []byte(value)); !stop.Is(err, stop.Corrupt) {
			t.Errorf("%s: %v, want CDC-3002", what, err)
		}
	}
	for _, key := range []string{"", "{}", `{"server":"s","pdb":"p","owner":"o"}`, `{"server":"s","pdb":null,"owner":"o","table":"t"}`} {
		if _, err := Decode([]byte(key), []byte(customersValue)); !stop.Is(err, stop.Corrupt) {
			t.Errorf("key %s: %v, want CDC-3002", key, err)
		}
	}
}

func FuzzDecodeNeverWritesWhatItCannotRead(f *testing.F) {
	f.Add([]byte(customersValue))
	f.Add([]byte(`{"format":1,"versions":[{}]}`))
	f.Fuzz(func(t *testing.T, value []byte) {
		r, err := Decode([]byte(customersKey), value)
		if err != nil {
			if _, typed := stop.As(err); !typed {
				t.Fatalf("%v is not typed", err)
			}
			return
		}
		again, err := Decode(r.Key(), r.Value())
		if err != nil || string(again.Value()) != string(r.Value()) {
			t.Fatalf("%s became %s: %v", value, r.Value(), err)
		}
	})
}

// R43: everything stored is part of the layout; R81, R108: what each digest covers.
func TestR43DigestCoversEverythingStored(t *testing.T) {
	text := "5"
	change := map[string]func(v *schema.Version){
		"name":        func(v *schema.Version) { v.Columns[1].Name = "STATE" },
		"type":        func(v *schema.Version) { v.Columns[1].Type.Name = "NVARCHAR2" },
		"length":      func(v *schema.Version) { v.Columns[1].Type.Length++ },
		"char length": func(v *schema.Version) { v.Columns[1].Type.CharLength++ },
		"precision":   func(v *schema.Version) { v.Columns[0].Type.Precision = schema.NoNumber },
		"scale":       func(v *schema.Version) { v.Columns[0].Type.Scale = 2 },
		"nullable":    func(v *schema.Version) { v.Columns[1].Nullable = false },
		"default":     func(v *schema.Version) { v.Columns[1].Default = &text },
		"no default":  func(v *schema.Version) { v.Columns[1].Default = nil },
		"hidden":      func(v *schema.Version) { v.Columns[2].Hidden = false },
		"virtual":     func(v *schema.Version) { v.Columns[2].Virtual = true },
		"unused":      func(v *schema.Version) { v.Columns[2].Unused = true },
		"guard":       func(v *schema.Version) { v.Columns[2].Guard = false },
		"segment":     func(v *schema.Version) { v.Columns[2].SegmentID = 4 },
		"order":       func(v *schema.Version) { v.Columns[1], v.Columns[2] = v.Columns[2], v.Columns[1] },
		"one less":    func(v *schema.Version) { v.Columns = v.Columns[:2] },
	}
	base := customers(1, 5)
	for what, edit := range change {
		v := customers(1, 5)
		edit(v)
		if LayoutDigest(v) == LayoutDigest(base) || VersionDigest(v) == VersionDigest(base) {
			t.Errorf("%s is not in the digest", what)
		}
	}
	key, logging, same := customers(1, 5), customers(1, 5), customers(9, 99)
	key.Key.Origin = schema.KeyUnique
	logging.Logging = schema.LoggingKey
	same.ObjectIDs, same.Exact, same.Container = []uint64{1}, false, 7
	for what, v := range map[string]*schema.Version{"key": key, "logging": logging} {
		if LayoutDigest(v) != LayoutDigest(base) || VersionDigest(v) == VersionDigest(base) {
			t.Errorf("%s belongs to the version and not to the layout", what)
		}
	}
	if LayoutDigest(same) != LayoutDigest(base) || VersionDigest(same) != VersionDigest(base) {
		t.Error("number, position and object ids are not part of a digest")
	}
}
