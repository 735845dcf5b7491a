package snapshot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// Where a bound may be another value than the key that it was read from, no row may depend on it.
func TestWhichKeysAreExact(t *testing.T) {
	of := func(kinds ...schema.TypeKind) (key []*schema.Column) {
		for _, kind := range kinds {
			key = append(key, &schema.Column{Type: schema.Type{Kind: kind}})
		}
		return key
	}
	for _, kind := range []schema.TypeKind{schema.Number, schema.Float, schema.Date, schema.Timestamp, schema.Raw} {
		if !exact(of(kind)) || exact(of(kind, schema.Varchar2)) {
			t.Errorf("kind %d", kind)
		}
	}
	for _, kind := range []schema.TypeKind{schema.Varchar2, schema.NChar, schema.BinaryFloat, schema.BinaryDouble, schema.TimestampLTZ} {
		if exact(of(kind)) {
			t.Errorf("kind %d is taken for exact", kind)
		}
	}
	for _, c := range []cell{{}, {form: float, number: math.NaN()}, {form: float, number: math.Inf(1)}} {
		if bound := boundOf([]cell{{form: text, text: "1"}, c}); bound != nil {
			t.Errorf("%+v is a bound: %v", c, bound)
		}
	}
}

func TestTheSCNOfAnOverrideGoesWhereItIsMeant(t *testing.T) {
	for override, want := range map[string]string{
		"SELECT a FROM t AS OF SCN :scn":                                                "SELECT a FROM t AS OF SCN 42",
		"SELECT ':scn' \":scn\" FROM t AS OF SCN :SCN, u AS OF SCN :scn;\n":             "SELECT ':scn' \":scn\" FROM t AS OF SCN 42, u AS OF SCN 42",
		"SELECT q'[it's :scn]' || nQ'!:scn'!' FROM t AS OF SCN :scn /* :scn */ -- :scn": "SELECT q'[it's :scn]' || nQ'!:scn'!' FROM t AS OF SCN 42 /* :scn */ -- :scn",
		"SELECT faq'it' FROM t AS OF SCN :scn":                                          "SELECT faq'it' FROM t AS OF SCN 42",
		"SELECT :scnx, :scn1 FROM t":                                                    "",
		"SELECT 'it''s :scn' FROM t":                                                    "",
		"SELECT ':scn":                                                                  "",
		"":                                                                              "",
	} {
		got, err := atSCN(schema.Table{Name: "T"}, override, 42)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", override, got, err)
		}
	}
}

func TestNationalTextsTravelInASCII(t *testing.T) {
	if got := escaped("a'\\é\n日😀"); got != `a'\005C\00E9\000A\65E5\D83D\DE00` {
		t.Errorf("%s", got)
	}
}

// However extents lie and wherever a snapshot stopped, each block is in one chunk.
func TestR85EachBlockIsInOneChunk(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		segments := []oracle.Segment{{Partition: "A", Object: 50 + r.Uint64N(3)}, {Partition: "B", Object: 60}}
		var extents []oracle.Extent
		want := map[place]int{}
		next := map[int]uint64{4: 128, 12: 128}
		for range 1 + r.IntN(12) {
			s, file := segments[r.IntN(2)], []int{4, 12}[r.IntN(2)]
			e := oracle.Extent{Partition: s.Partition, File: file, Block: next[file], Blocks: 1 + r.Uint64N(20)}
			next[file] += e.Blocks + r.Uint64N(2)*8
			extents = append(extents, e)
			for b := e.Block; b < e.Block+e.Blocks; b++ {
				want[place{s.Object, file, b}] = 0
			}
		}
		r.Shuffle(len(extents), func(i, j int) { extents[i], extents[j] = extents[j], extents[i] })
		runs, err := runsOf(extents, segments)
		if err != nil {
			t.Fatal(err)
		}
		left := []Range{{}}
		for len(left) > 0 {
			at := left[0]
			left = left[1:]
			inside, err := clip(slices.Clone(runs), at)
			if err != nil {
				t.Fatal(err)
			}
			n := 1 + r.Uint64N(15)
			chunks := cutBlocks(inside, n, at)
			if last := chunks[len(chunks)-1].Range; !slices.Equal(last.UpTo, at.UpTo) || !slices.Equal(chunks[0].Range.After, at.After) {
				t.Fatalf("chunks from %v to %v of %v", chunks[0].Range.After, last.UpTo, at)
			}
			for i, c := range chunks {
				if i > 0 && !slices.Equal(chunks[i-1].Range.UpTo, c.Range.After) {
					t.Fatal("a gap between chunks")
				}
				if r.IntN(4) == 0 && n > 1 {
					left = append(left, c.Range) // given up, and cut again
					continue
				}
				blocks := uint64(0)
				for _, b := range c.blocks {
					blocks += b.count()
					for block := b.first; block <= b.last; block++ {
						want[place{b.object, b.file, block}]++
					}
				}
				if blocks > n {
					t.Fatalf("%d blocks in a chunk of %d", blocks, n)
				}
			}
		}
		for p, n := range want {
			if n != 1 {
				t.Fatalf("block %+v is in %d chunks", p, n)
			}
		}
	}
}
