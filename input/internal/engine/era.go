package engine

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// era says what the rows of a segment are decoded with from the commit of a DDL on (R94, R101).
type era struct {
	// version is the layout and the table; in an era that is unknown or gone, those of the era before.
	version *schema.Version
	// from is the commit SCN of the DDL that began the era, began the SCN of its row. The first era of a segment may begin with that
	// already; what is older is none of ours, as of a table that was renamed to one that is captured.
	from, began position.SCN
	// unknown: another DDL followed before the dictionary was read, so that nobody has seen the layout.
	unknown bool
	// turned has the columns of an unknown layout as far as the texts of DDL tell what became of their names.
	turned *schema.Version
	// turnedTo: the DDL that began it was one of those, and explains nothing else of the table.
	turnedTo bool
	// gone: the segment belongs to no captured table.
	gone bool
}

// eras are those of one segment, oldest first.
type eras []era

// at finds the era of an SCN.
func (e eras) at(scn position.SCN) int {
	i := len(e) - 1
	for i > 0 && scn < e[i].from {
		i--
	}
	return i
}

// layout is what a row is decoded with.
type layout struct {
	*era
	// next is the era that begins while the DDL of it is under way: its layout is possible for the row as well (R94).
	next *era
	// names is the version whose names rows have now, wherever they were written: that of the dictionary (R97). It is nil where that is
	// the era's own.
	names *schema.Version
}

// of finds the layout of a row: by the id of its segment, and by name where the table makes segments by itself (R103).
func (t *tables) of(container int, id uint64, owner, name string, scn position.SCN) (layout, bool) {
	segments, ok := t.byObject[object{container, id}]
	if !ok {
		if segments, ok = t.bySegment[segment{container, owner, name}]; !ok {
			return layout{}, false
		}
	}
	i := segments.at(scn)
	l := layout{era: &segments[i]}
	if l.gone || scn < l.from {
		return layout{}, false
	}
	if i+1 < len(segments) && scn >= segments[i+1].began && !segments[i+1].gone {
		l.next = &segments[i+1]
	}
	if last := &segments[len(segments)-1]; !last.gone {
		l.names = last.version
		if len(t.named) > 0 {
			l.names = t.today(last.version)
		}
		if l.names == l.version {
			l.names = nil
		}
	}
	return l, true
}

// today gives the version that the dictionary shows for the segments of a table, whatever its name is there: rows are named by segment. One
// that shares none with the table has but its name, and other columns in the places of its own.
func (t *tables) today(v *schema.Version) *schema.Version {
	own, there := t.named[v.Table]
	if there && shares(own, v) {
		return own
	}
	for _, now := range t.named {
		if shares(now, v) {
			return now
		}
	}
	if there && t.partitioned[v.Table] {
		return own // every partition may be another one by now
	}
	return v
}

// alias is a layout under the names that the dictionary has now for a table and its columns.
type alias struct {
	layout, names *schema.Version
	owner, table  string
}

// under gives a layout the names that its columns have now, by their place in the segment: a row from before columns were renamed comes
// with today's names, and two that were swapped must not be crossed (R97). There is none where a column is of another type now.
func (t *tables) under(p alias) (*schema.Version, bool) {
	if v, ok := t.renamed[p]; ok {
		return v, v != nil
	}
	v := *p.layout
	v.Table.Owner, v.Table.Name = p.owner, p.table
	v.Columns = slices.Clone(v.Columns)
	for i := range v.Columns {
		column := &v.Columns[i]
		at := slices.IndexFunc(p.names.Columns, func(c schema.Column) bool { return c.SegmentID == column.SegmentID && c.SegmentID > 0 })
		switch {
		case at < 0:
		case p.names.Columns[at].Type.Kind != column.Type.Kind:
			t.renamed[p] = nil
			return nil, false
		default:
			column.Name = p.names.Columns[at].Name
		}
	}
	t.renamed[p] = v.Seal()
	return t.renamed[p], true
}

// grow gives segments of a table that nothing is known of what is known of its others: an insert may have made them long before a DDL
// (R103).
func (t *tables) grow(v *schema.Version) {
	var known eras
	for _, id := range v.ObjectIDs {
		if known = t.byObject[object{v.Container, id}]; len(known) > 0 {
			break
		}
	}
	if len(known) == 0 {
		return
	}
	for _, id := range v.ObjectIDs {
		if key := (object{v.Container, id}); len(t.byObject[key]) == 0 {
			t.byObject[key] = known
		}
	}
}

// begin lets an era begin for segments; for one that nothing is known of with the row of the DDL already. Of two from one SCN the later
// one counts.
func (t *tables) begin(container int, ids []uint64, e era) {
	for _, id := range ids {
		key := object{container, id}
		had := t.byObject[key]
		add := e
		if len(had) == 0 {
			add.from = e.began
		}
		at := len(had)
		// Who has a segment from the SCN on at which another one lost it has it.
		for at > 0 && (had[at-1].from > add.from || add.gone && had[at-1].from == add.from && !had[at-1].unknown) {
			at--
		}
		t.byObject[key] = slices.Insert(slices.Clone(had), at, add)
	}
}
