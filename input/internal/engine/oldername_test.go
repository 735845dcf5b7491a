package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// shown is what the dictionary shows from an SCN on.
type shown struct {
	from position.SCN
	is   *schema.Version
}

// dictionaries shows table A as it was at each SCN, and B.
func (s *scene) dictionaries(layouts ...shown) {
	s.db.descriptor = func() []*schema.Version {
		is := s.a
		for _, l := range layouts {
			if s.db.now >= l.from {
				is = l.is
			}
		}
		return []*schema.Version{is, s.b}
	}
}

// version gives a row DATA_OBJV#.
func version(r logminer.Row, n int64) logminer.Row {
	r.ObjectVersion = n
	return r
}

// R44, R94: DDL that only names columns otherwise, or shows or hides them, leaves DATA_OBJV# as it is. All those layouts store the same
// columns under the same numbers, so that the number of one says nothing against another: the SCN tells which one a row has, for as many as
// there are, whether a row with names was seen of it or not.
func TestR44LayoutsOfOneNumberAreToldApartByTheSCN(t *testing.T) {
	for name, named := range map[string][]bool{
		"none was seen with names": {false, false, false}, "the first was": {true, false, false}, "all were": {true, true, true},
		"another one was": {false, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := following(t)
			s.stores()
			x, y, wide := with(s.a, "X"), with(s.a, "Y"), with(s.a, "Y", "W")
			s.dictionaries(shown{1101, x}, shown{1201, y}, shown{1302, wide})
			rows := func(n int, v *schema.Version) []logminer.Row {
				scn, x := position.SCN(1002+100*n), xid(uint16(n)+1) //nolint:gosec // small
				if !named[n] {
					return []logminer.Row{insert(s.b, x, scn, n, "b"), commit(x, scn+1)}
				}
				return []logminer.Row{version(inserted(v, x, scn, `"ID","`+v.Columns[1].Name+`"`, "'1','named'"), 7), commit(x, scn+1)}
			}
			s.apart(rows(0, s.a)...)
			s.apart(append([]logminer.Row{ddl(s.a, xid(10), 1100, "alter table A rename column V to X"), commit(xid(10), 1101)}, rows(1, x)...)...)
			s.apart(append([]logminer.Row{ddl(s.a, xid(11), 1200, "alter table A rename column X to Y"), commit(xid(11), 1201)}, rows(2, y)...)...)
			s.apart(
				version(numbered(s.a, xid(4), 1300, 4, "numbered"), 7), commit(xid(4), 1300),
				ddl(s.a, xid(12), 1301, "alter table A add (w varchar2(40))"), commit(xid(12), 1302),
				version(inserted(wide, xid(5), 1303, `"ID","Y","W"`, "'5','y','w'"), 8), commit(xid(5), 1304),
			)
			s.play(s.beginning())
			if s.err != nil {
				t.Fatal(s.err)
			}
			got := strings.Join(s.rows(), "\n")
			for _, want := range []string{"shop.PDB1.APP.A/3 c ID=4 Y=numbered", "shop.PDB1.APP.A/4 c ID=5 Y=y W=w"} {
				if !strings.Contains(got, want) {
					t.Errorf("%s is not in\n%s", want, got)
				}
			}
			if s.seen.numbered != 1 {
				t.Errorf("%d rows were counted as numbered, want 1", s.seen.numbered)
			}
		})
	}
}

// apart is a step that nothing follows before it is mined.
func (s *scene) apart(rows ...logminer.Row) {
	s.step(rows...)
	for range 4 {
		s.step()
	}
}

// R44 c: a layout that stores other columns, or in other places, has another number: one number for both, or the number of the one at an
// SCN of the other, contradicts what is known, as a row does that was written by 23ai's ADD COLUMN's old statements.
func TestR44NumberOfALayoutThatStoresOtherColumnsIsAContradiction(t *testing.T) {
	v := table("A", 101)
	text := with(v, "V", "W")
	for name, tt := range map[string]struct {
		other *schema.Version
		fits  bool
	}{
		"another name":          {with(v, "X", "W"), true},
		"names swapped":         {with(v, "W", "V"), true},
		"hidden":                {another(text, func(c *schema.Column) { c.Hidden = true }), true},
		"not null":              {another(text, func(c *schema.Column) { c.Nullable = false }), true},
		"longer":                {another(text, func(c *schema.Column) { c.Type.Length = 80 }), true},
		"unused":                {another(text, func(c *schema.Column) { c.Unused, c.Name = true, "SYS_C1" }), true},
		"a virtual one more":    {virtually(text), true},
		"one more":              {with(v, "V", "W", "X"), false},
		"one less":              {with(v, "V"), false},
		"another type":          {another(text, func(c *schema.Column) { c.Type.Kind = schema.Raw }), false},
		"another character set": {another(text, func(c *schema.Column) { c.Type.Kind = schema.NVarchar2 }), false},
		"encrypted":             {another(text, func(c *schema.Column) { c.Encrypted = true }), false},
		"a guard column":        {another(text, func(c *schema.Column) { c.Guard = true }), false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, seen := range [][]*schema.Version{{tt.other}, {text, tt.other}, {tt.other, text}} {
				o := newOlder(nil)
				text.CertainFrom = 1
				r := version(numbered(v, xid(1), 1001, 1, "x"), 7)
				for _, layout := range seen {
					o.saw(&r, layout)
				}
				if why, vouched := o.doubt(layout{era: &era{version: text}}, &r); (why == "") != tt.fits || vouched {
					t.Errorf("%d seen: %q, vouched %t", len(seen), why, vouched)
				}
				if !tt.fits {
					continue
				}
				// It tells nothing of two layouts either of which the row may have.
				if why, _ := o.doubt(layout{era: &era{version: text}, next: &era{version: tt.other}}, &r); why == "" {
					t.Errorf("%d seen: no doubt while a DDL is under way", len(seen))
				}
			}
		})
	}
}

// another is a version with another second column.
func another(v *schema.Version, change func(*schema.Column)) *schema.Version {
	out := *v
	out.Columns = append([]schema.Column(nil), v.Columns...)
	change(&out.Columns[1])
	return out.Seal()
}

// virtually is a version with a column that is not stored.
func virtually(v *schema.Version) *schema.Version {
	out := *v
	out.Columns = append(append([]schema.Column(nil), v.Columns...), schema.Column{Name: "X", Virtual: true})
	return out.Seal()
}

// R44, R94: rows of several layouts that no number tells apart, all of them without names since the table has another layout still: after a
// restart, which knows the layouts from the schema topic.
func TestR44RowsOfEveryLayoutOfOneNumberBehindARestart(t *testing.T) {
	s := following(t)
	s.stores()
	x, y, wide := with(s.a, "X"), with(s.a, "Y"), with(s.a, "Y", "W")
	s.dictionaries(shown{1101, x}, shown{1201, y}, shown{1301, wide})
	s.apart(insert(s.b, xid(9), 1002, 1, "b"), commit(xid(9), 1003))
	s.apart(version(insert(s.a, xid(1), 1050, 1, "one"), 7), commit(xid(1), 1051))
	s.apart(ddl(s.a, xid(10), 1100, "alter table A rename column V to X"), commit(xid(10), 1101),
		version(inserted(x, xid(2), 1150, `"ID","X"`, "'2','two'"), 7), commit(xid(2), 1151))
	s.apart(ddl(s.a, xid(11), 1200, "alter table A rename column X to Y"), commit(xid(11), 1201),
		version(inserted(y, xid(3), 1250, `"ID","Y"`, "'3','three'"), 7), commit(xid(3), 1251))
	s.apart(ddl(s.a, xid(12), 1300, "alter table A add (w varchar2(40))"), commit(xid(12), 1301),
		version(inserted(wide, xid(4), 1350, `"ID","Y","W"`, "'4','four','w'"), 8), commit(xid(4), 1351))
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	held := s.after("9.1.7#0 c B/1 >b")
	for i, text := range map[position.XID]string{xid(1): "one", xid(2): "two", xid(3): "three"} {
		at := slices.IndexFunc(s.db.file, func(r logminer.Row) bool { return r.XID == i && r.Operation == logminer.Insert })
		r := &s.db.file[at]
		is := numbered(s.a, i, r.SCN, int(i.USN), text)
		r.Status, r.Redo = is.Status, is.Redo
	}
	s.db.file[len(s.db.file)-2].ObjectVersion = 7 // even if that does not tell the last one apart
	s.play(held)
	s.wantRows(
		"shop.PDB1.APP.A/1 c ID=1 V=one", "shop.PDB1.APP.A/2 c ID=2 X=two", "shop.PDB1.APP.A/3 c ID=3 Y=three", "shop.PDB1.APP.A/4 c ID=4 Y=four W=w",
	)
	if s.seen.numbered != 3 {
		t.Errorf("%d rows were counted as numbered, want 3", s.seen.numbered)
	}
}

// R44 c: a row that fits the layout from before its DDL, too, is decoded with that as long as the step is not mined again with the DDL; that
// says nothing of the number of its layout.
func TestR44NumberIsThatOfTheLayoutThatTheStepEndsWith(t *testing.T) {
	s := following(t)
	s.stores()
	plain := s.a
	s.a = another(with(s.a, "SYS_C1", "V"), func(c *schema.Column) { c.Unused, c.Hidden = true, true })
	wide := with(plain, "V", "W")
	s.dictionaries(shown{1101, plain}, shown{1201, wide})
	s.apart(insert(s.b, xid(1), 1002, 1, "b"), commit(xid(1), 1003))
	s.apart(
		ddl(plain, xid(2), 1100, "alter table A drop unused columns"), commit(xid(2), 1101),
		version(insert(plain, xid(3), 1102, 3, "named"), 8), commit(xid(3), 1103),
	)
	s.apart(
		version(numbered(plain, xid(4), 1150, 4, "numbered"), 8), commit(xid(4), 1151),
		ddl(plain, xid(5), 1200, "alter table A add (w varchar2(40))"), commit(xid(5), 1201),
	)
	s.play(s.beginning())
	got := strings.Join(s.rows(), "\n")
	for _, want := range []string{"shop.PDB1.APP.A/2 c ID=3 V=named", "shop.PDB1.APP.A/2 c ID=4 V=numbered"} {
		if s.err != nil || !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s, %v", want, got, s.err)
		}
	}
}
