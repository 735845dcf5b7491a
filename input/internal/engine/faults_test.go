package engine

import (
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R10, R11: only the same miss in a row is a stop after its own number of retries; different ones, and all together, are bounded by
// mining.max_step_retries.
func TestR10OnlyTheSameMissInARowStops(t *testing.T) {
	const most = 12
	miss := func(what string) error {
		return &oracle.Fault{Class: oracle.ReMine, Limit: 3, Becomes: stop.New(stop.StepFailed, "a row of its own", "%s", what)}
	}
	stopsAfter := func(misses func(n int) error) int {
		c := testConfig(t)
		c.Retry.MaxSteps = most
		f := faults{config: c}
		for n := 1; ; n++ {
			if _, _, err := f.next(misses(n)); err != nil {
				return n
			}
		}
	}
	if n := stopsAfter(func(int) error { return miss("a gap") }); n != 4 {
		t.Errorf("the same miss stops at the %dth, want the 4th", n)
	}
	if n := stopsAfter(func(n int) error {
		if n <= 6 && n%2 == 0 {
			return miss("a reused group")
		}
		return miss("a gap")
	}); n != 10 {
		t.Errorf("stops at the %dth, want the fourth gap in a row", n)
	}
	if n := stopsAfter(func(n int) error { return miss([]string{"a gap", "a reused group"}[n%2]) }); n != most+1 {
		t.Errorf("misses in turn stop at the %dth, want mining.max_step_retries and one", n)
	}
}
