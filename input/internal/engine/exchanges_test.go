package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// exchanges is redo of a table with the partitions P1 and P2 and of two that are not captured, X and Y: DDL on the partitions, and a row in every
// segment before, between and behind them.
type exchanges struct {
	a    *schema.Version
	segs map[string]uint64
	scn  position.SCN
	id   int
	// parts has a part for each DDL and for each round of rows, names what the segments are called behind it.
	parts []scripted
	names []map[uint64]string
	// quiet leaves out the rows of X and Y, beside adds DDL on another table to every round.
	quiet, beside bool
	// want are the rows of the captured table, in order.
	want []string
}

func (s *scene) exchanges(quiet, beside bool, ddls ...string) *exchanges {
	e := &exchanges{a: s.a, quiet: quiet, beside: beside, scn: 1000, segs: map[string]uint64{"P1": 301, "P2": 302, "X": 401, "Y": 501}}
	e.round()
	for n, text := range ddls {
		words := strings.Fields(text)
		if words[0] == "insert" { // makes a partition, without DDL
			e.segs["P3"] = 701
			e.round()
			continue
		}
		if words[0] == "comment" { // nothing but rows
			e.round()
			continue
		}
		switch p := strings.ToUpper(words[2]); words[0] {
		case "exchange":
			with := words[len(words)-1]
			e.segs[p], e.segs[with] = e.segs[with], e.segs[p]
		case "drop":
			delete(e.segs, p)
		case "split":
			e.segs[p], e.segs["P9"] = 601, 602
		}
		e.scn += 100
		x := xid(uint16(50 + n)) //nolint:gosec // small
		e.part(ddl(e.a, x, e.scn, "alter table A "+text), commit(x, e.scn+10))
		e.round()
	}
	return e
}

// now is the captured table with the segments of this moment.
func (e *exchanges) now() *schema.Version {
	ids := []uint64{101}
	var names []string
	for name, id := range e.segs {
		if strings.HasPrefix(name, "P") {
			ids, names = append(ids, id), append(names, name)
		}
	}
	slices.Sort(ids[1:])
	slices.Sort(names)
	v := segments(e.a, ids...)
	v.Partitions = names
	return v
}

func (e *exchanges) part(rows ...logminer.Row) {
	called := map[uint64]string{}
	for name, id := range e.segs {
		if called[id] = name; strings.HasPrefix(name, "P") {
			called[id] = "A"
		}
	}
	e.parts, e.names = append(e.parts, scripted{rows: rows, shows: []*schema.Version{e.now(), table("B", 102)}}), append(e.names, called)
}

// round writes a row in every segment.
func (e *exchanges) round() {
	e.scn += 100
	x := xid(uint16(e.scn / 10)) //nolint:gosec // small
	var rows []logminer.Row
	for i, name := range []string{"P1", "X", "P2", "Y", "P9", "P3"} {
		if id, there := e.segs[name]; there && (strings.HasPrefix(name, "P") || !e.quiet) {
			e.id++
			rows = append(rows, insert(segments(e.a, id), x, e.scn+position.SCN(i), e.id, name)) //nolint:gosec // small
			if strings.HasPrefix(name, "P") {
				e.want = append(e.want, fmt.Sprintf("PDB1.APP.A/1 c ID=%d V=%s", e.id, name))
			}
		}
	}
	if rows = append(rows, commit(x, e.scn+10)); e.beside {
		y := xid(x.USN + 1)
		rows = append(rows, ddl(table("B", 102), y, e.scn+11, "comment on table B is 'x'"), commit(y, e.scn+12))
	}
	e.part(rows...)
}

// call gives the rows in the file the names that their segments have behind a part.
func (e *exchanges) call(file []logminer.Row, part int) {
	for i := range file {
		r := &file[i]
		if r.Operation != logminer.Insert || r.ObjectID < 300 {
			continue
		}
		owner, name := "APP", e.names[part][r.ObjectID]
		if name == "" {
			owner, name = "UNKNOWN", fmt.Sprintf("OBJ# %d", r.ObjectID)
		}
		r.Redo = strings.Replace(r.Redo, `"`+r.Owner+`"."`+r.Table+`"`, `"`+owner+`"."`+name+`"`, 1)
		r.Owner, r.Table = owner, name
	}
}

// play captures the parts: with at they come at those looks at the database, else they were all there, and steps end behind each of them or at
// the tail.
func (e *exchanges) play(s *scene, at []int, steps bool) {
	s.foreign("X", "Y")
	s.db.foreign = true
	s.db.partition[s.a.Table] = true
	first := segments(e.a, 101, 301, 302)
	first.Partitions = []string{"P1", "P2"}
	s.db.described = []*schema.Version{first, s.b}
	s.play(s.beginning())
	held := s.through(s.last())
	if at == nil {
		var all []logminer.Row
		var bounds []position.SCN
		for _, p := range e.parts {
			all, bounds = append(all, p.rows...), append(bounds, p.rows[len(p.rows)-1].SCN)
		}
		if !steps {
			bounds = bounds[len(bounds)-1:]
		}
		s.behind(bounds, all...)
		s.db.now = e.scn + 100
		s.db.described = e.parts[len(e.parts)-1].shows
		e.call(s.db.file, len(e.parts)-1)
		s.play(held)
		return
	}
	s.ticking(at, e.parts)
	tick, next, looks := s.db.tick, 0, 0
	s.db.tick = func() {
		tick()
		for next < len(e.parts) && at[next] <= looks {
			next++
		}
		looks++
		if next > 0 {
			e.call(s.db.file, next-1)
		}
	}
	s.play(held)
}

// check reports what is wrong: rows are lost, another table's, or capture stopped without a type that fits. It says whether it stopped.
func (e *exchanges) check(s *scene) (stopped bool, wrong string) {
	var got []string
	for _, r := range s.rows() {
		if strings.Contains(r, " c ") {
			got = append(got, strings.TrimPrefix(r, "shop."))
		}
	}
	stopped = stop.Is(s.err, stop.DDL) || stop.Is(s.err, stop.NoDictionary)
	want := e.want
	if stopped && len(got) < len(want) {
		want = want[:len(got)]
	}
	if s.err != nil && !stopped || !slices.Equal(got, want) {
		return stopped, fmt.Sprintf("%v\n%s\nwant\n%s", s.err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return stopped, ""
}

// R101, R129: several DDL give partitions other segments before the dictionary is read. What rows between them are whose is said where it is known,
// else capture stops at the first of them: none is another table's, and none is lost.
func TestR101SeveralExchangesBetweenTwoReadings(t *testing.T) {
	for name, ddls := range map[string][]string{
		"one":                             {"exchange partition p1 with table X"},
		"with one table and another":      {"exchange partition p1 with table X", "exchange partition p1 with table Y"},
		"of two partitions":               {"exchange partition p1 with table X", "exchange partition p2 with table Y"},
		"of two partitions by one table":  {"exchange partition p1 with table X", "exchange partition p2 with table X"},
		"back":                            {"exchange partition p1 with table X", "exchange partition p1 with table X"},
		"back, and with another":          {"exchange partition p1 with table X", "exchange partition p1 with table X", "exchange partition p1 with table Y"},
		"and the partition is dropped":    {"exchange partition p1 with table X", "drop partition p1"},
		"and the partition is split":      {"exchange partition p1 with table X", "split partition p1 at (5) into (partition p1, partition p9)"},
		"and another one is dropped":      {"exchange partition p1 with table X", "drop partition p2"},
		"none, split and dropped":         {"split partition p1 at (5) into (partition p1, partition p9)", "drop partition p2"},
		"none, and two are dropped":       {"split partition p1 at (5) into (partition p1, partition p9)", "drop partition p1", "drop partition p2"},
		"and another one is split before": {"split partition p2 at (5) into (partition p2, partition p9)", "exchange partition p1 with table X"},
	} {
		for _, quiet := range []bool{false, true} {
			for _, steps := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, rows of others: %t, in steps: %t", name, !quiet, steps), func(t *testing.T) {
					s := following(t)
					e := s.exchanges(quiet, false, ddls...)
					e.play(s, nil, steps)
					stopped, wrong := e.check(s)
					if wrong != "" {
						t.Error(wrong)
					}
					if name == "one" && stopped && (quiet || !steps) {
						t.Error(s.err)
					}
				})
			}
			for _, beside := range []bool{false, true} {
				if beside && quiet {
					continue
				}
				t.Run(fmt.Sprintf("%s, rows of others: %t, other DDL: %t, whenever the dictionary is read", name, !quiet, beside), func(t *testing.T) {
					everyOrderOfExchanges(t, true, quiet, beside, ddls...)
				})
			}
		}
	}
}

// R103, R101: the same for a partition that an insert made, whose rows are found by name.
func TestR103ExchangeOfAPartitionThatAnInsertMade(t *testing.T) {
	const made = "insert into a new partition"
	for name, ddls := range map[string][]string{
		"one":                        {made, "exchange partition p3 with table X"},
		"another partition":          {made, "exchange partition p1 with table X"},
		"made behind an exchange":    {"exchange partition p1 with table X", made},
		"with one table and another": {made, "exchange partition p3 with table X", "exchange partition p3 with table Y"},
		"and back":                   {made, "exchange partition p3 with table X", "exchange partition p3 with table X"},
		"and it is dropped":          {made, "exchange partition p3 with table X", "drop partition p3"},
	} {
		for _, quiet := range []bool{false, true} {
			for _, steps := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, rows of others: %t, in steps: %t", name, !quiet, steps), func(t *testing.T) {
					s := following(t)
					e := s.exchanges(quiet, false, ddls...)
					e.play(s, nil, steps)
					if _, wrong := e.check(s); wrong != "" {
						t.Error(wrong)
					}
				})
			}
			t.Run(fmt.Sprintf("%s, rows of others: %t, whenever the dictionary is read", name, !quiet), func(t *testing.T) {
				everyOrderOfExchanges(t, name == "made behind an exchange", quiet, false, ddls...)
			})
		}
	}
}

// R101: a partition that goes in a later step than the DDL which let the dictionary be read keeps its rows up to then, behind a restart too.
func TestR101PartitionThatGoesLaterKeepsItsRowsBehindARestart(t *testing.T) {
	s := following(t)
	e := s.exchanges(true, false, "split partition p1 at (5) into (partition p1, partition p9)", "comment", "drop partition p2")
	e.play(s, nil, true)
	if stopped, wrong := e.check(s); stopped || wrong != "" {
		t.Fatal(s.err, wrong)
	}
	from := s.after("130.1.7#0 c A/3 >P1")
	if from.Resume.SCN < 1210 {
		t.Fatalf("the position is not behind the SPLIT: %s", from.Resume.SCN)
	}
	s.play(from)
	e.want = e.want[5:]
	if stopped, wrong := e.check(s); stopped || wrong != "" {
		t.Fatal(s.err, wrong)
	}
}

func everyOrderOfExchanges(t *testing.T, goesOn, quiet, beside bool, ddls ...string) {
	t.Helper()
	var failed []string
	n, through := 0, 0
	play := func(at []int) {
		s := following(t)
		e := s.exchanges(quiet, beside, ddls...)
		e.play(s, at, false)
		stopped, wrong := e.check(s)
		if n++; !stopped {
			through++
		}
		if wrong != "" {
			failed = append(failed, fmt.Sprintf("%v: %s", at, wrong))
		}
	}
	parts := len(following(t).exchanges(quiet, beside, ddls...).parts)
	everyOrder(parts, min(5, 11-parts), play)
	slowly := make([]int, parts)
	for i := range slowly {
		slowly[i] = 8 * i
	}
	if through = 0; len(failed) == 0 {
		play(slowly)
		if through == 0 && goesOn {
			t.Error("capture stops although it reads the dictionary behind each of them")
		}
	}
	if len(failed) > 0 {
		t.Errorf("%d of %d ways fail, the first\n%s", len(failed), n, strings.Join(failed[:min(2, len(failed))], "\n"))
	}
}
