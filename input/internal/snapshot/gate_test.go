package snapshot

import (
	"slices"
	"strconv"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// filled puts a batch at an SCN.
func filled(t *testing.T, g *Gate, scn position.SCN) Ticket {
	t.Helper()
	ticket, _ := g.Close()
	if !g.Set(ticket, scn) || !g.Filled(ticket) {
		t.Fatalf("no batch at %s", scn)
	}
	return ticket
}

// order plays what goes out of items that become known one after the other, with F behind the highest of them at the end.
func order(g *Gate, items []position.SCN, batch position.SCN, tables ...schema.Table) (out []string) {
	var known []position.SCN
	play := func(frontier position.SCN) {
		for {
			slices.Sort(known)
			var lowest position.SCN
			if len(known) > 0 {
				lowest = known[0]
			}
			switch step, ticket := g.Next(frontier, lowest, len(known) > 0); step {
			case EmitItem:
				known = known[1:]
				g.Emitted(lowest, tables)
				out = append(out, lowest.String())
			case EmitBatch:
				g.Released(ticket, nil)
				out = append(out, "batch")
			default:
				return
			}
		}
	}
	for _, scn := range items {
		known = append(known, scn)
		play(batch - 1)
	}
	play(slices.Max(items))
	return out
}

func TestR76ABatchGoesBetweenTheItemsBelowAndAtItsSCN(t *testing.T) {
	items := []position.SCN{99, 100, 101}
	for _, delivered := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		g := NewGate(0)
		filled(t, g, 100)
		var in []position.SCN
		for _, at := range delivered {
			in = append(in, items[at])
		}
		if got := order(g, in, 100); !slices.Equal(got, []string{"99", "batch", "100", "101"}) {
			t.Errorf("delivered %v: %v", in, got)
		}
	}
}

func TestR76BatchesGoInTheOrderOfTheirSCNs(t *testing.T) {
	g := NewGate(0)
	second := filled(t, g, 200)
	first := filled(t, g, 100)
	for _, want := range []Ticket{first, second} {
		step, got := g.Next(300, 250, true)
		if step != EmitBatch || got != want {
			t.Fatalf("%d %d, want batch %d", step, got, want)
		}
		g.Released(got, nil)
	}
	if step, _ := g.Next(300, 250, true); step != EmitItem {
		t.Errorf("%d behind the batches", step)
	}
}

// An item that slips out between the reading of the SCN and the setting of the gate is noticed by its SCN.
func TestR77NothingIsEmittedWhileTheSCNIsRead(t *testing.T) {
	g := NewGate(50)
	g.Emitted(100, nil)
	ticket, m := g.Close()
	if m != 100 {
		t.Errorf("m is %s", m)
	}
	if step, _ := g.Next(1000, 101, true); step != Wait || !g.Blocks(1) {
		t.Errorf("%d while the gate is closed", step)
	}
	for _, scn := range []position.SCN{99, 100} {
		if g.Set(ticket, scn) {
			t.Errorf("%s is taken, although an item at 100 is out", scn)
		}
	}
	if step, _ := g.Next(1000, 101, true); step != Wait {
		t.Error("the gate is open behind a reading that was not taken")
	}
	if !g.Set(ticket, 102) {
		t.Error("102 is not taken")
	}
	if step, _ := g.Next(1000, 101, true); step != EmitItem {
		t.Errorf("%d: the item below the batch waits", step)
	}
	if step, _ := g.Next(1000, 102, true); step != Wait {
		t.Errorf("%d: the item at the batch's SCN does not wait until it is read", step)
	}
}

// Behind a restart nothing is out yet in this run, and what the position has is not in the stream any more.
func TestR77NoBatchLiesBelowWhereTheStreamBegins(t *testing.T) {
	g := NewGate(500)
	ticket, m := g.Close()
	if m != 500 || g.Set(ticket, 500) || !g.Set(ticket, 501) {
		t.Errorf("m is %s", m)
	}
}

func TestR78ABatchThatIsGivenUpOpensTheGate(t *testing.T) {
	g := NewGate(0)
	closed, _ := g.Close()
	if !g.GiveUp(closed) || g.Pending() != 0 {
		t.Error("a closed gate stays closed")
	}
	set, _ := g.Close()
	g.Set(set, 100)
	if !g.Blocks(100) || g.Holding() != 100 {
		t.Error("an item at the batch does not wait")
	}
	if !g.GiveUp(set) || g.GiveUp(set) || g.Blocks(100) {
		t.Error("an item waits for a batch that was given up")
	}
	if g.Filled(set) {
		t.Error("rows of a batch that was given up are taken")
	}
}

func TestR83ChunksBelowWhichACommitComesLateAreReadAgain(t *testing.T) {
	a, b := schema.Table{Name: "A"}, schema.Table{Name: "B"}
	g := NewGate(0)
	for i, scn := range []position.SCN{100, 200} {
		bound := func(n int) Bound { return Bound{strconv.Itoa(n)} }
		ticket := filled(t, g, scn)
		g.Released(ticket, []Chunk{{Table: a, Range: Range{bound(i), bound(i + 1)}}, {Table: b, Range: Range{bound(i), bound(i + 1)}}})
	}
	if late := g.Emitted(250, []schema.Table{a}); late != nil {
		t.Errorf("a commit behind the chunks: %v", late)
	}
	late := g.Emitted(150, []schema.Table{a})
	if len(late) != 1 || late[0].Table != a || late[0].Range.After[0] != "1" {
		t.Errorf("a commit between the chunks: %v", late)
	}
	if late := g.Emitted(150, []schema.Table{a}); late != nil {
		t.Errorf("the same again: %v", late)
	}
	if late := g.Emitted(100, []schema.Table{b}); len(late) != 1 {
		t.Errorf("a commit exactly at a chunk comes behind it anyway: %v", late)
	}
}

func TestR83WhatIsRememberedIsBounded(t *testing.T) {
	table := schema.Table{Name: "A"}
	for _, step := range []int{1, 2} { // 1: each chunk follows the one before; 2: none does
		g := NewGate(0)
		for i := range 5000 {
			ticket := filled(t, g, position.SCN(1000+i)) //nolint:gosec // small
			g.Released(ticket, []Chunk{{Table: table, Range: Range{Bound{strconv.Itoa(step * i)}, Bound{strconv.Itoa(step*i + 1)}}}})
		}
		if n := len(g.released[table]); n > maxRemembered {
			t.Errorf("%d chunks are remembered", n)
		}
		late := g.Emitted(5998, []schema.Table{table})
		covers := slices.ContainsFunc(late, func(l Late) bool {
			return l.Range.all() || l.Range.UpTo[0] == strconv.Itoa(step*4999+1)
		})
		if !covers {
			t.Errorf("the last chunk is not read again: %v", late)
		}
	}
}

// A row that is read by itself, for the mark of a snapshot's last record, is nothing that a late commit has read again; and a frontier with
// nothing but such a row says so, whatever became of the table's key and segments.
func TestR86OneRowThatIsReadAgain(t *testing.T) {
	v := &schema.Version{Table: schema.Table{Name: "T"}, Columns: []schema.Column{{Name: "ID", Type: schema.Type{Kind: schema.Number}}}, Key: schema.Key{Origin: schema.KeyPrimary, Columns: []int{0}}}
	p, _ := NewProgress(v, "", nil, 100)
	_, whole, _ := p.take(100)
	p.replace(*whole, 100, []Chunk{{}}, nil, 0)
	c, _, _ := p.take(100)
	p.Released(c, 7)
	p.One(v.Table)
	f := p.Frontier()
	if f.Done || !f.One || len(f.Left) != 1 || f.Mode != ByKey {
		t.Errorf("%+v", f)
	}
	other := &schema.Version{Table: v.Table, Columns: []schema.Column{{Name: "K", Type: schema.Type{Kind: schema.Number}}}, Key: v.Key}
	again, resumed := NewProgress(other, "", f, 100)
	if one, _, ok := again.take(100); !resumed || !ok || one.Mode != One || !again.fits(v) {
		t.Errorf("%v %v %+v", resumed, ok, one)
	} else if b := (&Batch{Parts: []*Part{{Chunk: one}, {Chunk: c}}}); len(b.Chunks()) != 1 {
		t.Errorf("%+v", b.Chunks())
	}
	// Parts that are read again take its place.
	again.Again(v.Table, Range{}, ByKey)
	if f := again.Frontier(); f.One || len(f.Left) != 1 || again.fits(v) {
		t.Errorf("%+v", f)
	}
}
