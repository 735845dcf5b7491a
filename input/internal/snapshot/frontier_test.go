package snapshot_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

func keyed(t *testing.T, kinds ...schema.TypeKind) *schema.Version {
	t.Helper()
	v := &schema.Version{Table: schema.Table{PDB: "FREEPDB1", Owner: "APP", Name: "T"}, Key: schema.Key{Origin: schema.KeyPrimary}}
	for i, kind := range kinds {
		c := columnOf("K"+string(rune('A'+i)), kind, 22)
		c.Nullable = false
		v.Columns = append(v.Columns, c)
		v.Key.Columns = append(v.Key.Columns, i)
	}
	return v.Seal()
}

func TestR86AFrontierIsWrittenAndReadBack(t *testing.T) {
	v := keyed(t, schema.Number, schema.Varchar2)
	p, resumed := snapshot.NewProgress(v, "", nil, 1000)
	if resumed {
		t.Error("nothing to go on from")
	}
	p.Again(v.Table, snapshot.Range{After: snapshot.Bound{"1", "a"}, UpTo: snapshot.Bound{"2", ""}}, snapshot.ByKey)
	want := p.Frontier()
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got snapshot.Frontier
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again, resumed := snapshot.NewProgress(v, "", &got, 1000); !resumed || !reflect.DeepEqual(again.Frontier(), want) {
		t.Errorf("resumed %v as %+v", resumed, again.Frontier())
	}
}

// Where a bound is of other columns, or of a column of another type, it means nothing.
func TestR81AChangeOfTheKeyRestartsTheTable(t *testing.T) {
	p, _ := snapshot.NewProgress(keyed(t, schema.Number), "", nil, 1000)
	from := p.Frontier()
	from.Left = []snapshot.Range{{After: snapshot.Bound{"5"}}}
	for _, v := range []*schema.Version{keyed(t, schema.Number, schema.Number), keyed(t)} {
		if p, resumed := snapshot.NewProgress(v, "", from, 1000); resumed || len(p.Frontier().Left) != 1 || p.Frontier().Left[0].After != nil {
			t.Errorf("key of %d columns: resumed %v, %+v", len(v.Key.Columns), resumed, p.Frontier())
		}
	}
	if _, resumed := snapshot.NewProgress(keyed(t, schema.Number), "", from, 1000); !resumed {
		t.Error("the same key does not go on")
	}
}

// A column that may be NULL, or that nobody may read, is no place to cut.
func TestWhichTablesAreCutByKey(t *testing.T) {
	for name, change := range map[string]func(*schema.Column){
		"NULL": func(c *schema.Column) { c.Nullable = true }, "excluded": func(c *schema.Column) { c.Excluded = true },
		"virtual": func(c *schema.Column) { c.Virtual = true }, "encrypted": func(c *schema.Column) { c.Encrypted = true },
		"of another type": func(c *schema.Column) { c.Type.Kind = schema.RowID },
	} {
		v := keyed(t, schema.Number, schema.Number)
		change(&v.Columns[1])
		p, _ := snapshot.NewProgress(v, snapshot.ByKey, nil, 1000)
		if f := p.Frontier(); f.Mode != snapshot.ByRowID || f.Key != nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
	p, _ := snapshot.NewProgress(keyed(t, schema.Number), snapshot.Whole, nil, 1000)
	if f := p.Frontier(); f.Mode != snapshot.Whole {
		t.Errorf("%+v", f)
	}
}

// R83: what a late commit put older rows over is read again by bounds of the mode that it was read by. A table that is cut otherwise since,
// by ROWID at a request, is read again as a whole: its bounds are not those of blocks.
func TestR83ATableThatIsCutOtherwiseSinceIsReadAgainAsAWhole(t *testing.T) {
	v := keyed(t, schema.Number)
	gate := snapshot.NewGate(0)
	ticket, _ := gate.Close()
	part := snapshot.Range{After: snapshot.Bound{"1"}, UpTo: snapshot.Bound{"2"}}
	if !gate.Set(ticket, 1000) {
		t.Fatal("the SCN is refused")
	}
	gate.Released(ticket, []snapshot.Chunk{{Table: v.Table, Mode: snapshot.ByKey, Range: part}})
	late := gate.Emitted(900, []schema.Table{v.Table})
	if len(late) != 1 {
		t.Fatalf("%d chunks are late", len(late))
	}
	for mode, want := range map[snapshot.Mode]snapshot.Range{snapshot.ByKey: part, snapshot.ByRowID: {}, snapshot.Whole: {}} {
		p, _ := snapshot.NewProgress(v, mode, nil, 1000)
		p.Again(v.Table, late[0].Range, late[0].Mode)
		if got := p.Frontier().Left[0]; !reflect.DeepEqual(got, want) {
			t.Errorf("by %s %+v is read again, want %+v", mode, got, want)
		}
	}
}
