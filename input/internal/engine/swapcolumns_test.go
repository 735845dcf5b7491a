package engine

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// columnSwap is table A while two of its columns swap their names and swap them back, one DDL after the other. The values of a row say in
// which places they are stored.
type columnSwap struct {
	s *scene
	// layouts are those of A, the first one that before all DDL.
	layouts []*schema.Version
	// now is the one that the dictionary shows.
	now int
	// numbered: rows of another layout lose their names; otherwise they have today's.
	numbered bool
}

func swapColumns(t *testing.T, numbered bool) *columnSwap {
	c := &columnSwap{s: following(t), numbered: numbered}
	c.s.stores()
	for _, names := range [][2]string{{"V", "W"}, {"X", "W"}, {"X", "V"}, {"W", "V"}, {"W", "X"}, {"V", "X"}, {"V", "W"}} {
		c.layouts = append(c.layouts, with(c.s.a, names[0], names[1]))
	}
	c.s.a = c.layouts[0]
	c.s.db.described = []*schema.Version{c.s.a, c.s.b}
	c.s.db.descriptor = func() []*schema.Version { return []*schema.Version{c.layouts[c.now], c.s.b} }
	return c
}

// write writes the DDL that begins a layout, and a row of it.
func (c *columnSwap) write(layout int) {
	var rows []logminer.Row
	scn := position.SCN(1100 + 100*layout)
	if was := layout - 1; layout > 0 {
		for i := 1; i <= 2; i++ {
			if from, to := c.layouts[was].Columns[i].Name, c.layouts[layout].Columns[i].Name; from != to {
				x := xid(uint16(20 + layout)) //nolint:gosec // small
				rows = append(rows, ddl(c.s.a, x, scn, "alter table A rename column "+from+" to "+to), commit(x, scn+10))
			}
		}
	}
	x := xid(uint16(1 + layout)) //nolint:gosec // small
	rows = append(rows, version(of(c.s.a, row(x, scn+20, logminer.Insert), fmt.Sprintf("AAAID%d", layout), ""), 7), commit(x, scn+21))
	for _, r := range rows {
		c.s.db.flush(r, false)
		c.s.db.now = max(c.s.db.now, r.SCN)
	}
	c.now = layout
}

// show gives the rows the texts that they have with the dictionary of now.
func (c *columnSwap) show() {
	names := c.layouts[c.now].Columns
	for i := range c.s.db.file {
		r := &c.s.db.file[i]
		if r.Operation != logminer.Insert || r.ObjectID != c.s.a.ObjectIDs[0] {
			continue
		}
		var id int
		_, _ = fmt.Sscanf(r.RowID, "AAAID%d", &id)
		own := c.layouts[id].Columns
		r.Status, r.Redo = 0, fmt.Sprintf(`insert into "APP"."A"("ID","%s","%s") values ('%d','second','third');`, names[1].Name, names[2].Name, id)
		if c.numbered && (own[1].Name != names[1].Name || own[2].Name != names[2].Name) {
			r.Status = notValid
			r.Redo = fmt.Sprintf(`insert into "APP"."A"("COL 1","COL 2","COL 3") values (HEXTORAW('%s'),HEXTORAW('%s'),HEXTORAW('%s'))`,
				map[bool]string{true: "80", false: fmt.Sprintf("c1%02x", id+1)}[id == 0], hex.EncodeToString([]byte("second")), hex.EncodeToString([]byte("third")))
		}
	}
}

// want is the row of a layout as it is delivered.
func (c *columnSwap) want(layout int) string {
	of := c.layouts[layout].Columns
	return fmt.Sprintf("shop.PDB1.APP.A/%d c ID=%d %s=second %s=third", layout+1, layout, of[1].Name, of[2].Name)
}

// delivered checks the rows that came, in their order: none is crossed, none is missing before a stop, which must be CDC-6001.
func (c *columnSwap) delivered(got []string) error {
	got = slices.DeleteFunc(slices.Clone(got), func(row string) bool { return !strings.Contains(row, " c ") || strings.Contains(row, "APP.B/") })
	for i, row := range got {
		_, is, _ := strings.Cut(row, " ")
		_, want, _ := strings.Cut(c.want(i), " ") // numbers of layouts that nobody saw are not given
		if is != want {
			return fmt.Errorf("row %d is %s, want %s", i, row, c.want(i))
		}
	}
	switch {
	case c.s.err == nil && len(got) < len(c.layouts):
		return fmt.Errorf("%d rows, and no stop", len(got))
	case c.s.err != nil && !stop.Is(c.s.err, stop.NoDictionary):
		return c.s.err
	}
	return nil
}

// R44, R94, R97: columns swap their names and swap them back, while capture reads whenever it likes, mines in steps that end anywhere, and
// is started again: no row has the values of another column. Where it saw the dictionary between all DDL, no row stops it.
func TestR97ColumnsThatSwapTheirNamesAndSwapThemBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const runs = 600
	stopped, slow := 0, 0
	for run := range runs {
		c := swapColumns(t, r.IntN(2) == 0)
		s := c.s
		s.play(s.beginning()) // the first version is stored, and certain
		if s.err != nil {
			t.Fatal(s.err)
		}
		at, slowly, got := s.through(s.last()), r.IntN(2) == 0, []string(nil)
		next, tick, wait := 0, 0, 0
		play := func(from *position.Position) {
			synctest.Test(t, func(*testing.T) { s.runFor(from, time.Minute) })
		}
		script := fmt.Sprintf("run %d, numbered %t, slowly %t:", run, c.numbered, slowly)
		if r.IntN(2) == 0 { // an open transaction holds the position back
			s.db.flush(insert(s.b, xid(50), 1050, 1, "open"), false)
			s.db.now = max(s.db.now, 1050)
		}
		for next < len(c.layouts) && s.err == nil {
			until := len(c.layouts)
			if r.IntN(2) == 0 {
				until = next + 1 + r.IntN(until-next)
			}
			s.db.tick = func() {
				for next < until && tick >= wait {
					c.write(next)
					script += fmt.Sprintf(" %d at %d", next, tick)
					if wait = tick + r.IntN(4); slowly {
						wait = tick + 12
					}
					next++
				}
				tick++
				c.show()
			}
			play(at)
			got = append(got, s.rows()...)
			if len(s.batches) > 0 {
				at = s.through(s.last())
			}
			script += " |"
			if s.err == nil && !slowly && next < len(c.layouts) && r.IntN(2) == 0 { // written while nobody captures
				for range 1 + r.IntN(len(c.layouts)-next) {
					c.write(next)
					script += fmt.Sprintf(" %d", next)
					next++
				}
				c.show()
				if next == len(c.layouts) {
					play(at)
					got = append(got, s.rows()...)
				}
			}
		}
		if err := c.delivered(got); err != nil {
			t.Fatalf("%v\n%s\n%s", err, script, strings.Join(got, "\n"))
		}
		if slowly {
			slow++
			if s.err != nil {
				t.Fatalf("%v\n%s\n%s", s.err, script, strings.Join(got, "\n"))
			}
		}
		if s.err != nil {
			stopped++
		}
	}
	t.Logf("%d of %d stopped, %d slow", stopped, runs, slow)
	if stopped == 0 || slow < runs/4 {
		t.Error("nothing was drawn")
	}
}
