package snapshot

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"
)

// R78: a batch begins small, grows to what is read in half a second and goes out in a quarter, and is never larger than its chunks.
func TestR78BatchesAreAsLargeAsTheirPaceAllows(t *testing.T) {
	const threads, chunk, piece = 4, 100_000, 10_000
	for name, tc := range map[string]struct {
		read, out int // rows a second, on one connection and of all; 0: not known
		want      [2]int
	}{
		"at first":                         {0, 0, [2]int{4, 10_000}},
		"reading alone is known":           {1_000_000, 0, [2]int{4, 10_000}},
		"going out alone is known":         {0, 1_000_000, [2]int{4, 10_000}},
		"slow reading":                     {2000, 1_000_000, [2]int{4, 10_000}},
		"quick reading":                    {70_000, 10_000_000, [2]int{4, 30_000}},
		"both are quick":                   {1_000_000, 10_000_000, [2]int{4, 100_000}},
		"rows go out in the middle":        {1_000_000, 400_000, [2]int{4, 20_000}},
		"rows go out slowly":               {1_000_000, 100_000, [2]int{2, 10_000}},
		"rows go out more slowly":          {1_000_000, 100, [2]int{1, 10_000}},
		"reading is slower than going out": {40_000, 2_000_000, [2]int{4, 20_000}},
	} {
		var p pace
		if tc.read > 0 {
			p.wasRead(int64(tc.read*threads), threads, time.Second)
		}
		if tc.out > 0 {
			p.wentOut(int64(tc.out)*60, time.Minute)
		}
		connections, rows := p.size(threads, piece, chunk)
		if got := [2]int{connections, rows}; got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

// R78: what was read and is not out holds the stream for half a second, or half of what F is behind by, however much memory there is; a
// first batch always begins, and a second one before anybody knows how long that takes.
func TestR78WhatIsReadGoesOutInTime(t *testing.T) {
	const threads, piece = 4, 1000
	var p pace
	full := func(rows int64, lag time.Duration, want bool) {
		t.Helper()
		if p.full(rows, threads, piece, lag) != want {
			t.Errorf("full is %t with %d rows, %s behind", !want, rows, lag)
		}
	}
	full(threads*piece, 0, false)
	full(threads*piece+1, 0, true)
	p.wentOut(20_000, time.Second)
	full(0, 0, false)
	full(10_000, 0, false)
	full(10_001, 0, true)
	full(10_001, time.Second, true)
	full(30_000, 3*time.Second, false)
	full(30_001, 3*time.Second, true)
	full(80_000, time.Hour, false)
	full(80_001, time.Hour, true)
	p.wentOut(1000, time.Hour)
	full(threads*piece, 0, false)
	p = pace{}
	p.wasRead(10, threads, time.Second) // a small table
	p.wentOut(10, time.Second)
	if p.read != 0 || p.out != 0 {
		t.Error("ten rows tell how long a row takes")
	}
}

// However pieces are put together, given back, halved and cut again: what is taken covers the table once.
func TestPiecesAreReadTogetherAndEachOnce(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 7))
		const keys, step = 200, 5
		chunk := step * (1 + r.IntN(30))
		p, _ := NewProgress(newWorld(seed, mutant{}).version, ByKey, nil, chunk)
		read := make([]int, keys)
		of := func(b Bound, open int) int {
			if b == nil {
				return open
			}
			n, err := strconv.Atoi(b[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		var out []Chunk
		for !p.Finished() {
			want := step * (1 + r.IntN(40))
			c, uncut, ok := p.take(want)
			switch {
			case uncut != nil:
				rows := max(1, min(step, uncut.Rows))
				var cuts []Chunk
				after, low := uncut.Range.After, of(uncut.Range.After, 0)
				for at := low + rows; at < of(uncut.Range.UpTo, keys); at += rows {
					bound := Bound{strconv.Itoa(at)}
					cuts = append(cuts, Chunk{Range: Range{after, bound}})
					after = bound
				}
				p.replace(*uncut, rows, append(cuts, Chunk{Range: Range{after, uncut.Range.UpTo}}), nil, 0)
				continue
			case ok:
				if c.Rows > max(step, want) && c.tries == 0 || c.Rows > max(step, chunk) {
					t.Fatalf("seed %d: %d rows, where %d were asked for and a chunk has %d", seed, c.Rows, want, chunk)
				}
				out = append(out, c)
			}
			if len(out) == 0 || ok && r.IntN(3) > 0 {
				continue
			}
			i := r.IntN(len(out))
			c = out[i]
			out = slices.Delete(out, i, i+1)
			switch r.IntN(6) {
			case 0:
				p.giveBack(c, false)
			case 1:
				p.giveBack(c, true)
			case 2:
				p.recut(c, max(1, c.Rows/2))
			default:
				for key := of(c.Range.After, 0); key < of(c.Range.UpTo, keys); key++ {
					read[key]++
				}
				p.Released(c, int64(c.Rows))
			}
		}
		for key, n := range read {
			if n != 1 {
				t.Fatalf("seed %d: key %d is read %d times", seed, key, n)
			}
		}
	}
}

func TestHowFineTablesAreCut(t *testing.T) {
	for chunk, want := range map[int]int{100_000: 2000, 1_000_000: 20_000, 50_000: 1000, 10_000: 1000, 1000: 1000, 999: 999, 1: 1} {
		if got := pieceOf(chunk, min(1000, chunk)); got != want {
			t.Errorf("a chunk of %d rows has pieces of %d, want %d", chunk, got, want)
		}
	}
}
