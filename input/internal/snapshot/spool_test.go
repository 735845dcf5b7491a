package snapshot

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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
