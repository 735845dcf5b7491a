package oracle

import (
	"strings"
	"testing"
)

// R132: what a release does not have is not asked for.
func TestR132KindsAreAskedForWhereTheReleaseHasThem(t *testing.T) {
	for text, want := range map[string]struct{ chains, reserves bool }{
		"19.3.0.0.0": {}, "19.10.0.0.0": {}, "19.11.0.0.0": {true, false}, "19.25.0.0.0": {true, false}, "21.3.0.0.0": {true, false},
		"23.26.0.0.0": {true, true}, "26.1": {true, true}, "": {}, "?": {},
	} {
		r := releaseOf(text)
		st, views := kindsOfTables(r)
		if strings.Contains(st.Text, "cdb_immutable_tables") != want.chains || strings.Count(st.Text, "con_id = :") != views {
			t.Errorf("%q: %s with %d views", text, st.Text, views)
		}
		if strings.Contains(tableList(r).Text, "has_reservable_column") != want.reserves {
			t.Errorf("%q: %s", text, tableList(r).Text)
		}
	}
}
