package engine

import (
	"strconv"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
)

// objectVersion is a segment with DATA_OBJV#.
type objectVersion struct {
	object
	version int64
}

// lastSeen spares a look-up: rows of one segment mostly follow on each other.
type lastSeen struct {
	of     objectVersion
	layout *schema.Version
}

// seenAs is what rows with names had under one DATA_OBJV#. DDL that only names columns otherwise, or hides them, may leave it as it was: it
// tells those layouts apart that have other columns in their places, and of the rest the SCN tells which one a row has (R44, R94).
type seenAs struct {
	// layout is the one that all of them had, places what it has in its places; each is empty where there were several, or nobody knows.
	layout, places string
	// from is the SCN of the first one.
	from position.SCN
}

// saw takes note of a row with names: what the redo calls the version of its object, and the layout that it was decoded with.
func (o *older) saw(r *logminer.Row, v *schema.Version) {
	of := objectVersion{object{r.Container, r.ObjectID}, r.ObjectVersion}
	if r.ObjectVersion == 0 || o.last == (lastSeen{of, v}) {
		return
	}
	o.last = lastSeen{of, v}
	as := seenAs{o.layout(v), o.numbers(v), r.SCN}
	had, ok := o.seen[of]
	if _, noted := o.before[of]; !noted {
		if o.before[of] = nil; ok {
			o.before[of] = &had
		}
	}
	if ok {
		as.from = had.from
		if had.layout != as.layout {
			as.layout = ""
		}
		if had.places != as.places {
			as.places = ""
		}
	} else if of.version < o.forgotten[of.object] {
		as.layout, as.places = "", ""
	}
	o.seen[of] = as
}

// unsee forgets what the rows of the running step had, which is mined again with other layouts: one that fits the layout from before a DDL was
// taken for that.
func (o *older) unsee() {
	for of, had := range o.before {
		if had == nil {
			delete(o.seen, of)
			continue
		}
		o.seen[of] = *had
	}
	clear(o.before)
	o.last = lastSeen{}
}

func (o *older) layout(v *schema.Version) string {
	digest, ok := o.digests[v]
	if !ok {
		digest = registry.LayoutDigest(v)
		o.digests[v] = digest
	}
	return digest
}

// numbers says what the columns of a version are by number, whatever their names: a row without names reads alike with two versions that
// have the same. How long a value may be is no part of it: a row that does not fit is refused (R47).
func (o *older) numbers(v *schema.Version) string {
	places, ok := o.places[v]
	if ok {
		return places
	}
	text := []byte{'.'} // so that no columns are not several layouts
	for i := range v.Columns {
		c := &v.Columns[i]
		if c.SegmentID == 0 {
			continue
		}
		text = append(strconv.AppendInt(text, int64(c.SegmentID), 10), '=')
		text = strconv.AppendInt(text, int64(c.Type.Kind), 10)
		if c.Encrypted {
			text = append(text, 'e')
		}
		if c.Guard {
			text = append(text, 'g')
		}
		text = append(text, ' ')
	}
	o.places[v] = string(text)
	return o.places[v]
}
