package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	definition "github.com/oracle-cdc/redpanda-connect-oracle/schema/ddl"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Seed 000: a statement on a captured table that nobody understands stops capture, which names it without the texts in it; on other
// tables it is of no interest. R111: so does one that leaves the table between two layouts.
func TestR111StatementsThatCannotBeFollowedStop(t *testing.T) {
	for name, tt := range map[string]struct {
		text, want string
		stops      bool
	}{
		"not understood":         {"alter table B frobnicate 'secret'", "alter table B frobnicate '?'", true},
		"not whole":              {"alter table B add (w varchar2(9)", "not understood", true},
		"empty":                  {"", "not understood", true},
		"archive of old rows":    {"alter table B flashback archive f", "alter table B flashback archive f", true},
		"column in pieces":       {"alter table B drop column V checkpoint 100", "ALTER TABLE takes columns away in pieces", true},
		"unused ones in pieces":  {"alter table B drop unused columns checkpoint 100", "ALTER TABLE takes columns away in pieces", true},
		"unused ones at once":    {"alter table B drop unused columns", "", false},
		"rows brought back":      {"flashback table B to scn 5", "FLASHBACK TABLE changed rows", true},
		"rows moved":             {"alter table B move online", "", false},
		"storage":                {"alter table B nologging parallel 4", "", false},
		"words of another thing": {"alter table B add constraint \"EXCHANGE PARTITION\" check (V <> 'TRUNCATE')", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			foreign := table("FOREIGN", 900)
			s.step(
				ddl(foreign, xid(4), 1003, strings.ReplaceAll(tt.text, " B ", " FOREIGN ")), commit(xid(4), 1004),
				insert(s.b, xid(1), 1005, 1, "before"), commit(xid(1), 1006), ddl(s.b, xid(2), 1010, tt.text), commit(xid(2), 1012),
				insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014),
			)
			s.play(s.beginning())
			if !tt.stops {
				s.want("1.1.7#0 c B/1 >before", "3.1.7#0 c B/2 >behind")
				return
			}
			s.wantEvents("1.1.7#0 c B/1 >before")
			if !stop.Is(s.err, stop.DDL) || !strings.Contains(s.err.Error(), tt.want) || strings.Contains(s.err.Error(), "secret") {
				t.Fatalf("%v, want CDC-6002 with %q", s.err, tt.want)
			}
		})
	}
}

// R129: an exchange changes the rows of its partner too, whichever of the two is captured. Partitions that come or are rearranged
// change no row.
func TestR129ExchangeIsToldOfForBothTables(t *testing.T) {
	for name, tt := range map[string]struct {
		on   string
		text string
		told []string
	}{
		"partner captured":   {"FOREIGN", "alter table FOREIGN exchange partition p with table app.b", []string{"PDB1.APP.B"}},
		"both captured":      {"A", "alter table A exchange partition p with table B", []string{"PDB1.APP.A", "PDB1.APP.B"}},
		"filter":             {"A", "alter table A move including rows where V = 'x'", []string{"PDB1.APP.A"}},
		"dropped":            {"A", "alter table A drop partition p update indexes", []string{"PDB1.APP.A"}},
		"added":              {"A", "alter table A add partition p values less than (5)", nil},
		"split":              {"A", "alter table A split partition p at (5) into (partition q, partition r)", nil},
		"truncate elsewhere": {"FOREIGN", "truncate table FOREIGN", nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, stops := range []bool{false, true} {
				s := newScene(t)
				s.config.StopAtBulkDDL = stops
				s.config.Peers = func(context.Context) (Peers, error) { return Peers{Ops: true}, nil }
				on := map[string]*schema.Version{"A": s.a, "FOREIGN": table("FOREIGN", 900)}[tt.on]
				if a, b := s.a.ObjectIDs, s.b.ObjectIDs; strings.Contains(tt.text, "exchange") {
					s.dictionary(0, s.a, s.b)
					s.dictionary(1012, map[string]*schema.Version{"A": segments(s.a, b...), "FOREIGN": s.a}[tt.on],
						map[string]*schema.Version{"A": segments(s.b, a...), "FOREIGN": segments(s.b, 900)}[tt.on])
				}
				s.step(ddl(on, xid(2), 1010, tt.text), commit(xid(2), 1012), insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014))
				s.play(s.beginning())
				var told []string
				for _, b := range s.batches {
					for i := range b.Events {
						value := string(b.Events[i].Value)
						if _, rest, ok := strings.Cut(value, `"type":"bulk-ddl"`); ok {
							_, rest, _ = strings.Cut(rest, `"table":"`)
							table, _, _ := strings.Cut(rest, `"`)
							told = append(told, table)
						}
					}
				}
				if stops && tt.told != nil {
					if !stop.Is(s.err, stop.DDL) || told != nil {
						t.Errorf("%v, told of %q, want CDC-6002", s.err, told)
					}
					continue
				}
				if s.err != nil || !slices.Equal(told, tt.told) {
					t.Errorf("%v, told of %q, want %q", s.err, told, tt.told)
				}
			}
		})
	}
}

// keyed is a table whose key is another one.
func keyed(v *schema.Version, origin schema.KeyOrigin, columns ...int) *schema.Version {
	out := *v
	out.Columns, out.Key = slices.Clone(v.Columns), schema.Key{Origin: origin, Columns: columns}
	return out.Seal()
}

// Contracts 5: a unique index is the key of a table without a primary key, so that DDL on one may begin a version, also where LogMiner
// and the text name the index alone.
func TestIndexThatChangesTheKeyBeginsAVersion(t *testing.T) {
	index := table("I", 950)
	for name, row := range map[string]logminer.Row{
		"made":                     ddl(index, xid(2), 1010, "create unique index I on b (v)"),
		"dropped":                  ddl(index, xid(2), 1010, "drop index app.i"),
		"unusable":                 ddl(index, xid(2), 1010, "alter index i unusable"),
		"its row names the table":  ddl(table("B", 102), xid(2), 1010, "drop index i"),
		"its row names one of two": ddl(table("B", 950), xid(2), 1010, "create unique index I on b (v)"),
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.step(
				insert(s.b, xid(1), 1001, 1, "before"), commit(xid(1), 1005), row, commit(xid(2), 1012),
				insert(s.b, xid(3), 1013, 2, "behind"), commit(xid(3), 1014),
			)
			s.dictionary(1012, s.a, keyed(s.b, schema.KeyUnique, 1))
			s.play(s.beginning())
			got := s.rows()
			if s.err != nil || !slices.Contains(got, "B/2 from 1012") || !slices.Contains(got, "shop.PDB1.APP.B/1 c ID=1 V=before") ||
				!slices.Contains(got, "shop.PDB1.APP.B/2 c ID=2 V=behind") {
				t.Fatalf("%v: %q", s.err, got)
			}
		})
	}
}

// R93: a version begins with a statement that may have changed the table. One that cannot explains nothing: the DDL that did lies ahead.
func TestR93VersionBeginsWithWhatMayHaveChangedTheTable(t *testing.T) {
	v := table("B", 102)
	for name, tt := range map[string]struct {
		texts []string
		want  []string
	}{
		"a comment explains nothing":    {[]string{"comment on table b is 'x'", "grant select on b to u", "alter table b nologging"}, nil},
		"a column, not what follows":    {[]string{"alter table b add (w number)", "alter table b add supplemental log data (all) columns", "comment on table b is 'x'"}, []string{"alter table b add (w number)"}},
		"several":                       {[]string{"alter table b add (w number)", "alter table b parallel", "alter table b drop (w)"}, []string{"alter table b add (w number)", "alter table b drop (w)"}},
		"the index, not the grant":      {[]string{"create unique index i on b (w)", "grant select on b to u"}, []string{"create unique index i on b (w)"}},
		"another index":                 {[]string{"create index i on b (w)"}, nil},
		"what is logged":                {[]string{"alter table b drop supplemental log data (all) columns"}, []string{"alter table b drop supplemental log data (all) columns"}},
		"made, and its key behind that": {[]string{"create table b (id number)", "alter table b add primary key (id)"}, []string{"create table b (id number)", "alter table b add primary key (id)"}},
	} {
		t.Run(name, func(t *testing.T) {
			var by []committedDDL
			for i, text := range tt.texts {
				by = append(by, committedDDL{ddlRow: ddlRow{table: v.Table, object: object{pdb, 102}, text: text, what: definition.Classify(text, "APP")}, commit: position.SCN(100 + i)})
			}
			slices.Reverse(by)
			var got []string
			for _, d := range shapers(by, v, 0) {
				got = append(got, d.text)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// A version of a table begins with a rename to its name, or with one that does not say what was renamed, and with DDL on an index of its owner alone.
func TestShapersAreOfTheTable(t *testing.T) {
	v := table("B", 102)
	for text, want := range map[string]bool{
		"rename x to b": true, "alter table x rename to y": false, "flashback table \"BIN$x==$0\" to before drop": true, "drop index i": true, "drop index other.i": false, "alter table x add (b number)": false,
		"alter table x exchange partition p with table b": true, "flashback table x to before drop rename to b": true, "alter index i monitoring usage": false,
		"create unique index i on x (b)": false,
	} {
		d := committedDDL{ddlRow: ddlRow{table: schema.Table{PDB: "PDB1", Owner: "APP", Name: "X"}, object: object{pdb, 900}, text: text, what: definition.Classify(text, "APP")}, commit: 100}
		if got := len(shapers([]committedDDL{d}, v, 0)) > 0; got != want {
			t.Errorf("%q shapes the table: %v, want %v", text, got, want)
		}
		if got := len(shapers([]committedDDL{d}, v, 100)) > 0; got {
			t.Errorf("%q shapes a version from its own commit on", text)
		}
	}
}

// R111: what changes the columns that rows are stored with, or those that are shown, begins a version, seen or not. Rows around it keep
// theirs.
func TestR111EveryChangeOfTheLayoutBeginsAVersion(t *testing.T) {
	change := func(v *schema.Version, to func(v *schema.Version)) *schema.Version {
		out := *v
		out.Columns = slices.Clone(v.Columns)
		to(&out)
		return out.Seal()
	}
	unused := func(v *schema.Version) *schema.Version {
		return change(v, func(v *schema.Version) {
			v.Columns = append(v.Columns, schema.Column{Name: "SYS_C00003_26010101:00:00$", SegmentID: 3, Hidden: true, Unused: true, Nullable: true, Type: v.Columns[1].Type})
		})
	}
	hidden := func(v *schema.Version) *schema.Version {
		return change(v, func(v *schema.Version) { v.Columns[1].Hidden = true })
	}
	virtual := func(v *schema.Version) *schema.Version {
		return change(v, func(v *schema.Version) {
			v.Columns = append(v.Columns, schema.Column{Name: "SUM", Virtual: true, Nullable: true, Type: v.Columns[0].Type})
		})
	}
	archived := func(v *schema.Version) *schema.Version {
		return change(v, func(v *schema.Version) {
			v.Columns = append(v.Columns, schema.Column{Name: "ORA_ARCHIVE_STATE", SegmentID: 3, Hidden: true, Type: v.Columns[1].Type})
		})
	}
	same := func(v *schema.Version) *schema.Version { return v }
	for text, tt := range map[string]struct {
		was, now func(v *schema.Version) *schema.Version
		value    string
	}{
		"alter table A drop unused columns":  {unused, same, " V=2"},
		"alter table A modify v invisible":   {same, hidden, " V=2"},
		"alter table A modify (v visible)":   {hidden, same, " V=2"},
		"alter table A row archival":         {same, archived, " V=2 ORA_ARCHIVE_STATE="},
		"alter table A no row archival":      {archived, same, " V=2"},
		"alter table A add sum as (id + id)": {same, virtual, " V=2 SUM="},
		"alter table A drop column sum":      {virtual, same, " V=2"},
	} {
		t.Run(text, func(t *testing.T) {
			s := following(t)
			was, now := tt.was(s.a), tt.now(s.a)
			s.db.described = []*schema.Version{was, s.b}
			s.step(
				inserted(was, xid(1), 1001, `"ID","V"`, `'1','1'`), commit(xid(1), 1002), ddl(s.a, xid(2), 1010, text), commit(xid(2), 1012),
				inserted(now, xid(3), 1013, `"ID","V"`, `'2','2'`), commit(xid(3), 1014),
			)
			s.config.Logging = schema.LoggingKey // the rows of this test do not name every column
			s.dictionary(1012, now, s.b)
			s.play(s.beginning())
			got := s.rows()
			if s.err != nil || !slices.Contains(got, "A/2 from 1012") || got[len(got)-1] != "shop.PDB1.APP.A/2 c ID=2"+tt.value || !strings.Contains(got[len(got)-2], "A/1 c ID=1 V=1") {
				t.Fatalf("%v: %q", s.err, got)
			}
		})
	}
}
