package scenario_test

import (
	"context"
	"sync"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// counters keeps the counters of a pipeline by their names, and forgets its other metrics.
type counters struct {
	mu     sync.Mutex
	values map[string]int64
}

func newCounters() *counters { return &counters{values: map[string]int64{}} }

// of gives a counter.
func (c *counters) of(name string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.values[name]
}

func (c *counters) register(env *service.Environment) error {
	return env.RegisterMetricsExporter("scenario", service.NewConfigSpec(),
		func(*service.ParsedConfig, *service.Logger) (service.MetricsExporter, error) { return c, nil })
}

// NewCounterCtor makes a counter; labels are added up.
func (c *counters) NewCounterCtor(name string, _ ...string) service.MetricsExporterCounterCtor {
	return func(...string) service.MetricsExporterCounter { return counter{c, name} }
}

// NewTimerCtor makes a timer that keeps nothing.
func (c *counters) NewTimerCtor(string, ...string) service.MetricsExporterTimerCtor {
	return func(...string) service.MetricsExporterTimer { return forgotten{} }
}

// NewGaugeCtor makes a gauge that keeps nothing.
func (c *counters) NewGaugeCtor(string, ...string) service.MetricsExporterGaugeCtor {
	return func(...string) service.MetricsExporterGauge { return forgotten{} }
}

// Close has nothing to do.
func (c *counters) Close(context.Context) error { return nil }

type counter struct {
	all  *counters
	name string
}

// Incr counts.
func (c counter) Incr(n int64) {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.all.values[c.name] += n
}

type forgotten struct{}

// Timing does nothing.
func (forgotten) Timing(int64) {}

// Set does nothing.
func (forgotten) Set(int64) {}
