package scenario_test

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// refusal checks a typed stop: its code, what it names, and that it says what to do.
func refusal(t *testing.T, got *stop.Error, code stop.Code, names string) {
	t.Helper()
	if got.Code != code {
		t.Errorf("CDC-%d, want CDC-%d: %v", got.Code, code, got)
	}
	if !strings.Contains(got.Error(), names) {
		t.Errorf("%q does not name %s", got, names)
	}
	if got.Action() == "" {
		t.Errorf("%q does not say what to do", got)
	}
}
