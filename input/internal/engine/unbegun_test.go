package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// straddled plays DDL of table A while a transaction is open that wrote a row at 1030, which commits behind a restart. By then the dictionary
// has the last layout, in which the row has no names.
// twice: capture is killed once more when it has mined that again in steps that end elsewhere, so that it goes on behind the first DDL.
func straddled(t *testing.T, a, last *schema.Version, texts map[position.SCN]string) (live, restarted, twice *scene) {
	t.Helper()
	play := func(held, again bool) *scene {
		s := following(t)
		s.stores()
		s.a = a
		s.dictionaries(shown{1010, last})
		s.apart(insert(s.b, xid(1), 1001, 1, "b"), commit(xid(1), 1002))
		open := numbered(a, xid(3), 1030, 3, "between")
		rows := []logminer.Row{open}
		for at, text := range texts {
			x := xid(uint16(at)) //nolint:gosec // small
			on := a
			if strings.HasPrefix(text, "alter table B ") {
				on = s.b
			}
			rows = append(rows, ddl(on, x, at, text), commit(x, at+1))
		}
		slices.SortStableFunc(rows, func(a, b logminer.Row) int { return int(a.SCN) - int(b.SCN) }) //nolint:gosec // small
		rows = append(rows, insert(s.b, xid(4), 1090, 4, "b"), commit(xid(4), 1091))
		if !held {
			rows = append(rows, commit(xid(3), 1095))
		}
		s.apart(rows...)
		s.play(s.beginning())
		if !held {
			return s
		}
		if s.err != nil {
			t.Fatal(s.err)
		}
		from := s.through(s.last())
		if from.Resume.SCN >= 1030 {
			t.Fatalf("the position is at %s, although a transaction is open", from.Resume.SCN)
		}
		if again {
			s.db.bound = func(from, reading position.SCN) position.SCN {
				if from < 1028 {
					return 1028
				}
				return reading
			}
			s.db.behind = func(after position.SCN) bool { return after == 1028 }
			s.play(from)
			if from = s.through(s.last()); s.err != nil || from.Resume.SCN != 1028 {
				t.Fatalf("the position is at %s, %v", from.Resume.SCN, s.err)
			}
			s.db.bound, s.db.behind = func(_, reading position.SCN) position.SCN { return reading }, func(position.SCN) bool { return false }
		}
		s.db.flush(commit(xid(3), 1300), false)
		s.db.now = 1400
		s.play(from)
		return s
	}
	return play(false, false), play(true, false), play(true, true)
}

// R96: layouts of which only the last was seen in the dictionary are not stored. Behind a restart the rows that have one of the others do not
// get the one before, as they did not without the restart.
func TestR96RowsOfALayoutThatNobodySawStopBehindARestart(t *testing.T) {
	a := with(table("A", 101), "V", "W")
	for name, tt := range map[string]struct {
		last  *schema.Version
		texts map[position.SCN]string
	}{
		"a column dropped, then one added":     {with(a, "W", "X"), map[position.SCN]string{1020: "alter table A drop column V", 1040: "alter table A add (x varchar2(40))"}},
		"two dropped, one by one":              {with(a), map[position.SCN]string{1020: "alter table A drop column V", 1040: "alter table A drop column W"}},
		"another type, then a column added":    {with(a, "V", "W", "X"), map[position.SCN]string{1020: "alter table A modify (v number)", 1040: "alter table A add (x varchar2(40))"}},
		"a name changed, then a column added":  {with(a, "Y", "W", "X"), map[position.SCN]string{1020: "alter table A rename column v to y", 1040: "alter table A add (x varchar2(40))"}},
		"names changed and back, and a column": {with(a, "V", "W", "X"), map[position.SCN]string{1020: "alter table A rename column v to y", 1040: "alter table A rename column y to v", 1050: "alter table A add (x varchar2(40))"}},
		"without a key, then with another one": {keyedBy(a, 1), map[position.SCN]string{1020: "alter table A drop primary key", 1040: "alter table A add primary key (v)"}},
	} {
		t.Run(name, func(t *testing.T) {
			live, restarted, twice := straddled(t, a, tt.last, tt.texts)
			for how, s := range map[string]*scene{"without a restart": live, "behind one": restarted, "behind two": twice} {
				if got := strings.Join(s.rows(), "\n"); !stop.Is(s.err, stop.NoDictionary) || strings.Contains(got, "ID=3") {
					t.Errorf("%s: %v, want CDC-6001; delivered %s", how, s.err, got)
				}
			}
		})
	}
}

// R96, R99: what changes no layout stands between a row and the version that it has no more behind a restart than it did before.
func TestR96DDLThatLeavesTheLayoutTakesNoVersionAwayBehindARestart(t *testing.T) {
	a := with(table("A", 101), "V", "W")
	wide := with(a, "V", "W", "X")
	const add = "alter table A add (x varchar2(40))"
	for name, texts := range map[string]map[position.SCN]string{
		"a foreign key":                  {1020: "alter table A add constraint f foreign key (v) references B (id)", 1050: add},
		"a comment":                      {1020: "comment on table A is 'drop column'", 1050: add},
		"an index":                       {1020: "create index i on A (v)", 1050: add},
		"a move":                         {1020: "alter table A move", 1050: add},
		"another table's":                {1020: "alter table B drop column V", 1050: add},
		"names changed and back, behind": {1040: "alter table A rename column v to y", 1043: "alter table A rename column y to v", 1050: add},
		"only what follows":              {1040: "alter table A modify (v varchar2(40))", 1050: add},
	} {
		t.Run(name, func(t *testing.T) {
			live, once, twice := straddled(t, a, wide, texts)
			for _, s := range []*scene{live, once, twice} {
				if got := strings.Join(s.rows(), "\n"); s.err != nil || !strings.Contains(got, "shop.PDB1.APP.A/1 c ID=3 V=between W=") {
					t.Errorf("%v; delivered %s", s.err, got)
				}
			}
		})
	}
}

// keyedBy is a version with another primary key.
func keyedBy(v *schema.Version, columns ...int) *schema.Version {
	out := *v
	out.Key.Columns = columns
	return out.Seal()
}
