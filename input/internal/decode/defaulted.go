package decode

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/value"
)

// undefault marks as unavailable what of an old image may be a default that the row does not store (R109): the row was written before
// its column was added, and Oracle answers the default where the redo has NULL, or nothing behind the last column that the row stores.
func undefault(image []value.Value, v *schema.Version) {
	guarded, last := hasGuard(v), 0
	for i := range image {
		if image[i].Kind() != value.Absent {
			last = max(last, v.Columns[i].SegmentID)
		}
	}
	for i := range image {
		c := &v.Columns[i]
		missing := image[i].Kind() == value.Absent && v.Logging == schema.LoggingAll && c.SegmentID > last && c.Type.Kind.Captured()
		if (missing || image[i].Kind() == value.Null) && mayHoldDefault(c, guarded) {
			image[i] = value.OfUnavailable()
		}
	}
}

func hasGuard(v *schema.Version) bool {
	for i := range v.Columns {
		if v.Columns[i].Guard {
			return true
		}
	}
	return false
}

// mayHoldDefault reports whether NULL in an old row can stand for a default that Oracle answers instead (R109): in a column that is NOT
// NULL nothing else explains it, and while the layout has a guard column, any other column that has a default may have come with it.
// Oracle never takes a default away again, DEFAULT NULL is one too: so a column without one was not added with one.
func mayHoldDefault(c *schema.Column, guarded bool) bool {
	if c.Guard || c.Unused {
		return false
	}
	return !c.Nullable || guarded && !c.Undefaulted
}
