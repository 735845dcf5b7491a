package resources_test

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/resources"
)

// TestSetupGrantsOnlyReading: the source is only read, so the capture user gets nothing that writes or creates.
func TestSetupGrantsOnlyReading(t *testing.T) {
	granted := false
	for line := range strings.Lines(resources.SetupCDB) {
		if !strings.HasPrefix(line, "GRANT ") {
			continue
		}
		granted = true
		for _, word := range []string{"CREATE TABLE", "INSERT", "UPDATE", "DELETE", "ALTER", "DROP", "DBA", "UNLIMITED"} {
			if strings.Contains(line, word) {
				t.Errorf("%q grants %s", line, word)
			}
		}
	}
	if !granted {
		t.Error("the script grants nothing: the test looks at the wrong text")
	}
}
