package registry

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func mustAdd(t *testing.T, r *Registry, versions ...*schema.Version) {
	t.Helper()
	for _, v := range versions {
		if added, err := r.Add(v); err != nil || !added {
			t.Fatalf("version %d of %s: %t, %v", v.Number, v.Table, added, err)
		}
	}
}

func changed(v *schema.Version) *schema.Version {
	v.Columns[1].Type.Length++
	return v
}

func TestR94VersionOfARowGoesByItsSCN(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(1, 100), changed(customers(2, 200)), customers(5, 300))
	for scn, want := range map[position.SCN]int{0: 0, 99: 0, 100: 1, 199: 1, 200: 2, 299: 2, 300: 5, position.Unlimited: 5} {
		v, ok := r.At(customersTable, scn)
		if ok != (want > 0) || ok && v.Number != want {
			t.Errorf("SCN %s: %v, %t; want version %d", scn, v, ok, want)
		}
	}
	if _, ok := r.At(schema.Table{Owner: "APP", Name: "CUSTOMERS"}, 500); ok {
		t.Error("the same name without the PDB is another table")
	}
	if v, ok := r.Number(customersTable, 2); !ok || v.ValidFrom != 200 {
		t.Errorf("number 2: %v", v)
	}
	if v, ok := r.Latest(customersTable); !ok || v.Number != 5 {
		t.Errorf("latest: %v", v)
	}
}

func TestR99KnownVersionChangesNothing(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(1, 100))
	first, _ := r.At(customersTable, 100)
	if added, err := r.Add(customers(1, 100)); added || err != nil {
		t.Errorf("the same version: %t, %v", added, err)
	}
	if again, _ := r.At(customersTable, 100); again != first {
		t.Error("the version was replaced")
	}
	if _, err := r.Add(changed(customers(1, 100))); !stop.Is(err, stop.SchemaDiffers) {
		t.Errorf("another layout under the same number: %v, want CDC-6003", err)
	}
	if _, err := r.Add(customers(1, 101)); !stop.Is(err, stop.SchemaDiffers) {
		t.Errorf("another SCN under the same number: %v, want CDC-6003", err)
	}
	for what, v := range map[string]*schema.Version{"older SCN": customers(2, 99), "same SCN": customers(2, 100)} {
		if _, err := r.Add(v); !stop.Is(err, stop.Corrupt) {
			t.Errorf("%s: %v, want CDC-3002", what, err)
		}
	}
	broken := customers(3, 300)
	broken.Key.Columns = []int{9}
	if _, err := r.Add(broken); !stop.Is(err, stop.Corrupt) {
		t.Errorf("key without column: %v", err)
	}
}

// R96: what is certain of a version changes without another number.
func TestR96VersionThatBecomesCertainIsTheSameVersion(t *testing.T) {
	r := New("shop")
	pending := customers(1, 100)
	pending.Exact, pending.CertainFrom, pending.PendingFrom = false, 150, 100
	mustAdd(t, r, pending)
	settled := pending.Settled()
	if added, err := r.Add(settled); err != nil || !added {
		t.Fatalf("%t, %v", added, err)
	}
	if v, _ := r.Number(customersTable, 1); !v.Exact || v.CertainFrom != 100 || v.PendingFrom != 0 {
		t.Errorf("kept %+v", v)
	}
	if added, err := r.Add(settled); err != nil || added {
		t.Errorf("the same again: %t, %v", added, err)
	}
	pending.PendingFrom = 120
	if v := pending.Settled(); v.Exact || v.CertainFrom != 120 {
		t.Errorf("behind another DDL: %+v", v)
	}
}

func TestR100PruningKeepsWhatARowCanNeed(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(1, 100), changed(customers(2, 200)), customers(3, 300))
	kept, _ := r.Record(customersTable)
	if r.Prune(customersTable, 1) {
		t.Error("nothing lies below 1")
	}
	if !r.Prune(customersTable, 2) {
		t.Error("version 1 was not dropped")
	}
	if _, ok := r.At(customersTable, 150); ok {
		t.Error("version 1 is still found")
	}
	if v, ok := r.At(customersTable, 250); !ok || v.Number != 2 {
		t.Error("version 2 is gone")
	}
	if r.Prune(customersTable, 99); len(numbers(r)) != 1 {
		t.Errorf("the newest must stay: %v", numbers(r))
	}
	if len(kept.Versions()) != 3 {
		t.Error("a record that was handed out changed")
	}
}

func TestR100NeededIsWhatRowsFromAnSCNOnCanHave(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(2, 100), changed(customers(3, 200)), customers(5, 300))
	other := customers(1, 150)
	other.Table.Name, other.ObjectIDs = "OTHER", []uint64{9}
	mustAdd(t, r, other)
	r.End(ended(other, 250, 0))
	for floor, want := range map[position.SCN][2]int{
		0: {2, 1}, 100: {2, 1}, 199: {2, 1}, 200: {3, 1}, 249: {3, 1}, 250: {3, 0}, 300: {5, 0}, position.Unlimited: {5, 0},
	} {
		got := r.Needed(floor)
		if got[customersTable.String()] != want[0] || got[other.Table.String()] != want[1] || len(got) != len(want)-map[bool]int{true: 1}[want[1] == 0] {
			t.Errorf("from SCN %s: %v, want %v", floor, got, want)
		}
	}
}

// ended is a version of a table that is gone.
func ended(v *schema.Version, gone, unseen uint64) *schema.Version {
	out := *v
	out.GoneFrom, out.UnseenTo = gone, unseen
	return &out
}

// R100, R101: a version whose segments had a name that nobody saw is needed until they lost it.
func TestR100VersionIsNeededWhileItsSegmentsHaveANameThatNobodySaw(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(1, 100))
	r.End(ended(customers(1, 100), 150, uint64(position.Unlimited)))
	mustAdd(t, r, changed(customers(2, 200)))
	if got := r.Needed(5000)[customersTable.String()]; got != 1 {
		t.Errorf("version %d is needed, want 1", got)
	}
	r.End(ended(customers(1, 100), 150, 300))
	for floor, want := range map[position.SCN]int{299: 1, 300: 2} {
		if got := r.Needed(floor)[customersTable.String()]; got != want {
			t.Errorf("from SCN %s: version %d is needed, want %d", floor, got, want)
		}
	}
}

// R101: the record keeps whose a segment was and when, and takes other segments of a version that is there.
func TestR101SegmentsOfAVersionAreKeptWithTheirTime(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(1, 100))
	moved := customers(1, 100)
	moved.ObjectIDs, moved.Partitions = []uint64{76001, 90001}, []string{"P1", `"q"`}
	moved.Spells = []schema.Spell{{ID: 90001, From: 150}, {ID: 76002, To: 150}, {ID: 7, From: 110, To: 120}}
	mustAdd(t, r, moved)
	record, _ := r.Record(customersTable)
	back, err := Decode(record.Key(), record.Value())
	if err != nil {
		t.Fatalf("%v: %s", err, record.Value())
	}
	got := back.Versions()[0]
	if !slices.Equal(got.ObjectIDs, moved.ObjectIDs) || !slices.Equal(got.Spells, moved.Spells) || !slices.Equal(got.Partitions, moved.Partitions) {
		t.Errorf("%v %v %q: %s", got.ObjectIDs, got.Spells, got.Partitions, record.Value())
	}
	if added, err := r.Add(moved); added || err != nil {
		t.Errorf("the same segments again: %t, %v", added, err)
	}
}

func numbers(r *Registry) []int {
	var out []int
	record, _ := r.Record(customersTable)
	for _, v := range record.Versions() {
		out = append(out, v.Number)
	}
	return out
}

func TestR101SegmentBelongsToWhoeverHadItAtTheSCN(t *testing.T) {
	r := New("shop")
	stage := func(number int, from uint64, ids ...uint64) *schema.Version {
		v := customers(number, from)
		v.Table.Name, v.ObjectIDs = "STAGE", ids
		return v
	}
	exchanged := customers(2, 200)
	exchanged.ObjectIDs = []uint64{76002, 90001}
	other := customers(1, 100)
	other.Table.PDB, other.Container = "OTHER", 4
	// At 200 partition 76001 and the stage's segment 90001 change places.
	mustAdd(t, r, customers(1, 100), stage(1, 100, 90001), exchanged, stage(2, 200, 76001), other)
	for _, c := range []struct {
		container int
		id        uint64
		scn       position.SCN
		want      string
	}{
		{0, 76001, 150, "CUSTOMERS"},
		{0, 76001, 200, "STAGE"},
		{0, 90001, 199, "STAGE"},
		{0, 90001, 200, "CUSTOMERS"},
		{0, 76002, 5000, "CUSTOMERS"},
		{0, 76001, 99, ""},
		{0, 1, 150, ""},
		{4, 76001, 500, "CUSTOMERS"},
		{5, 76001, 500, ""},
	} {
		v, ok := r.Object(c.container, c.id, c.scn)
		if ok != (c.want != "") || ok && v.Table.Name != c.want {
			t.Errorf("%d in container %d at %s: %v, want %q", c.id, c.container, c.scn, v, c.want)
		}
	}
	if _, ok := r.Remove(exchanged.Table); !ok {
		t.Fatal("remove")
	}
	if _, ok := r.Object(0, 90001, 200); ok {
		t.Error("a removed table still owns its segment")
	}
	if v, ok := r.Object(4, 76001, 500); !ok || v.Table.PDB != "OTHER" {
		t.Error("removing a table took another's segment")
	}
}

func TestRemoveGivesTheTombstonesKey(t *testing.T) {
	r := New("shop")
	mustAdd(t, r, customers(1, 100))
	if key, ok := r.Remove(customersTable); !ok || string(key) != customersKey {
		t.Errorf("%s, %t", key, ok)
	}
	if _, ok := r.Remove(customersTable); ok {
		t.Error("removed twice")
	}
	if len(r.Tables()) != 0 {
		t.Errorf("%v", r.Tables())
	}
}

// memory is a topic that was never compacted.
type memory struct {
	records []Stored
	err     error
}

func (m *memory) Load(context.Context) ([]Stored, error) { return m.records, m.err }

func (m *memory) Append(_ context.Context, key, value []byte) error {
	m.records = append(m.records, Stored{Key: key, Value: value})
	return m.err
}

func containers(pdb string) (int, bool) {
	n, ok := map[string]int{"": 0, "FREEPDB1": 3}[pdb]
	return n, ok
}

func TestLoadTakesTheNewestRecordOfEachTable(t *testing.T) {
	ctx := context.Background()
	topic := &memory{}
	put := func(server string, versions ...*schema.Version) {
		key, value, err := Encode(server, versions)
		if err != nil {
			t.Fatal(err)
		}
		if err := topic.Append(ctx, key, value); err != nil {
			t.Fatal(err)
		}
	}
	dropped, foreign, elsewhere := customers(1, 10), customers(1, 20), customers(1, 30)
	dropped.Table.Name, foreign.Table.Name, elsewhere.Table.PDB = "DROPPED", "FOREIGN", "UNKNOWN"
	put("shop", customers(1, 100))
	put("shop", dropped)
	put("another", foreign)
	put("shop", elsewhere)
	put("shop", customers(1, 100), changed(customers(2, 200)))
	key, _, _ := Encode("shop", []*schema.Version{dropped})
	topic.records = append(topic.records, Stored{Key: key})

	r, err := Load(ctx, topic, "shop", containers)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Tables(); !slices.Equal(got, []schema.Table{customersTable}) {
		t.Errorf("tables %v", got)
	}
	if v, ok := r.At(customersTable, 250); !ok || v.Number != 2 || v.Container != 3 {
		t.Errorf("%+v", v)
	}
	if _, ok := r.Object(3, 76001, 150); !ok {
		t.Error("segments of a loaded table are not found in its container")
	}
}

func TestLoadIgnoresAReplacedRecordAndStopsAtABadOne(t *testing.T) {
	ctx := context.Background()
	newer := Stored{Key: []byte(customersKey), Value: []byte(`{"format":9}`)}
	good := Stored{Key: []byte(customersKey), Value: []byte(customersValue)}
	if _, err := Load(ctx, &memory{records: []Stored{newer, good}}, "shop", containers); err != nil {
		t.Errorf("a replaced record counts: %v", err)
	}
	if _, err := Load(ctx, &memory{records: []Stored{good, newer}}, "shop", containers); !stop.Is(err, stop.PositionNewer) {
		t.Errorf("newer format: %v, want CDC-3004", err)
	}
	if _, err := Load(ctx, &memory{records: []Stored{{Key: []byte("x")}}}, "shop", containers); !stop.Is(err, stop.Corrupt) {
		t.Errorf("key: %v, want CDC-3002", err)
	}
	gone := errors.New("gone")
	if _, err := Load(ctx, &memory{err: gone}, "shop", containers); !errors.Is(err, gone) {
		t.Errorf("store: %v", err)
	}
}

func TestUnknownMembersSurviveANewVersion(t *testing.T) {
	value := strings.Replace(customersValue, `"format":1`, `"format":1,"later":true`, 1)
	value = strings.Replace(value, "18446744073709551614", "100", 1)
	value = strings.Replace(value, `"name":"ID"`, `"name":"ID","collation":"BINARY"`, 1)
	r, err := Load(context.Background(), &memory{records: []Stored{{Key: []byte(customersKey), Value: []byte(value)}}}, "shop", containers)
	if err != nil {
		t.Fatal(err)
	}
	next := changed(customers(2, 200))
	next.Container = 3
	mustAdd(t, r, next)
	record, _ := r.Record(customersTable)
	if out := string(record.Value()); !strings.Contains(out, `"collation":"BINARY"`) || !strings.HasSuffix(out, `,"later":true}`) {
		t.Error(out)
	}
}

// R100, R101: the end of a table is kept with its versions; its segments are nobody's from then on.
func TestEndOfATableIsKeptWithItsVersions(t *testing.T) {
	r := New("shop")
	v := customers(1, 100)
	if _, err := r.Add(v); err != nil {
		t.Fatal(err)
	}
	if !r.End(ended(v, 500, 0)) || r.End(ended(v, 500, 0)) || r.End(ended(customers(2, 100), 600, 0)) {
		t.Error("End does not say whether the record changed")
	}
	record, _ := r.Record(v.Table)
	back, err := Decode(record.Key(), record.Value())
	if err != nil || back.Versions()[0].GoneFrom != 500 || v.GoneFrom != 0 {
		t.Fatalf("%v, %+v", err, back)
	}
	if _, ok := r.Object(v.Container, v.ObjectIDs[0], 499); !ok {
		t.Error("below its end the segment is the table's")
	}
	if _, ok := r.Object(v.Container, v.ObjectIDs[0], 500); ok {
		t.Error("from its end on the segment is nobody's")
	}
}
