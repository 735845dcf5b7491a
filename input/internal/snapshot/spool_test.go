package snapshot

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

func TestASpoolGivesBackWhatWasPutIn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s spool
	var want [][]cell
	var took int64
	for range 3000 {
		row := []cell{
			{form: text, text: strings.Repeat("é", r.IntN(200))},
			{},
			{form: raw, text: string([]byte{0, 255, byte(r.IntN(256))})},
			{form: float, number: []float64{0, math.Inf(-1), math.MaxFloat64, -0.1}[r.IntN(4)]},
			{form: text, text: strings.Repeat("x", []int{0, 1, 127, 128, 4000, 70_000}[r.IntN(6)])},
		}
		if r.IntN(50) > 0 {
			row[4].text = row[4].text[:min(len(row[4].text), 128)]
		}
		took += s.append(row)
		want = append(want, row)
	}
	if took != s.bytes || s.rows != 3000 {
		t.Errorf("%d rows took %d, %d are counted", s.rows, took, s.bytes)
	}
	cells := make([]cell, 5)
	n := 0
	s.each(cells, func() bool {
		if !slices.Equal(cells, want[n]) {
			t.Fatalf("row %d differs", n)
		}
		n++
		return true
	})
	if n != len(want) {
		t.Errorf("%d rows of %d", n, len(want))
	}
}

// A row that is read costs what its values cost; images share allocations and nothing else.
func TestImagesShareAllocationsOnly(t *testing.T) {
	v := &schema.Version{Table: schema.Table{PDB: "P", Owner: "APP", Name: "T"}, Columns: []schema.Column{
		{Name: "A", Type: schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 10}},
		{Name: "B", Type: schema.Type{Kind: schema.Varchar2, Name: "VARCHAR2", Length: 10}},
	}}
	row, err := NewRow(v)
	if err != nil {
		t.Fatal(err)
	}
	var all []Selected
	for i := range 3 * slabRows {
		row.cells[0], row.cells[1] = cell{form: text, text: string(rune('a' + i))}, cell{}
		s, err := row.selected()
		if err != nil || len(s.Image) != 2 || cap(s.Image) != 2 {
			t.Fatalf("an image of %d values with room for %d: %v", len(s.Image), cap(s.Image), err)
		}
		all = append(all, s)
	}
	for i, s := range all {
		if want := value.OfText(string(rune('a' + i))); !s.Image[0].Equal(want) || !s.Image[1].Equal(value.OfNull()) {
			t.Errorf("row %d is %q", i, s.Image[0].Text())
		}
	}
	if n := testing.AllocsPerRun(1000, func() { _, _ = row.selected() }); n > 0.5 {
		t.Errorf("%g allocations for a row", n)
	}
}
