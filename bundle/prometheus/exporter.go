package prometheus

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/redpanda-data/benthos/v4/public/service"
)

// exporter keeps the metrics of one process in a registry of its own.
type exporter struct {
	config   *config
	log      *service.Logger
	registry *prometheus.Registry
}

var _ service.MetricsExporter = (*exporter)(nil)

func newExporter(c *config, log *service.Logger) (*exporter, error) {
	e := &exporter{config: c, log: log, registry: prometheus.NewRegistry()}
	if c.process {
		if err := e.registry.Register(collectors.NewProcessCollector(collectors.ProcessCollectorOpts{})); err != nil {
			return nil, err
		}
	}
	if c.goRuntime {
		if err := e.registry.Register(collectors.NewGoCollector()); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// HandlerFunc serves the metrics.
func (e *exporter) HandlerFunc() http.HandlerFunc {
	return promhttp.HandlerFor(e.registry, promhttp.HandlerOpts{}).ServeHTTP
}

// Close has nothing to do.
func (e *exporter) Close(context.Context) error { return nil }

// register gives the collector of that name, the one that is there already where a component was built before. A name that is
// used with other labels cannot be exported twice; the second user's values are counted for nobody, and the log says so.
func register[C prometheus.Collector](e *exporter, name string, c C) C {
	err := e.registry.Register(c)
	var there prometheus.AlreadyRegisteredError
	if errors.As(err, &there) {
		if existing, ok := there.ExistingCollector.(C); ok {
			return existing
		}
	}
	if err != nil {
		e.log.Errorf("Metric %s is not exported: %s", name, err)
	}
	return c
}

const help = "Metric of the pipeline."

func (e *exporter) NewCounterCtor(name string, labelKeys ...string) service.MetricsExporterCounterCtor {
	vec := register(e, name, prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labelKeys))
	return func(values ...string) service.MetricsExporterCounter { return counter{vec.WithLabelValues(values...)} }
}

func (e *exporter) NewGaugeCtor(name string, labelKeys ...string) service.MetricsExporterGaugeCtor {
	vec := register(e, name, prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labelKeys))
	return func(values ...string) service.MetricsExporterGauge { return gauge{vec.WithLabelValues(values...)} }
}

func (e *exporter) NewTimerCtor(name string, labelKeys ...string) service.MetricsExporterTimerCtor {
	if e.config.histograms {
		vec := register(e, name, prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: e.config.buckets}, labelKeys))
		return func(values ...string) service.MetricsExporterTimer {
			return timer{vec.WithLabelValues(values...), time.Second}
		}
	}
	unit := time.Nanosecond
	if strings.HasSuffix(name, "_seconds") {
		unit = time.Second
	}
	vec := register(e, name, prometheus.NewSummaryVec(prometheus.SummaryOpts{Name: name, Help: help, Objectives: e.config.objectives}, labelKeys))
	return func(values ...string) service.MetricsExporterTimer {
		return timer{vec.WithLabelValues(values...), unit}
	}
}

type counter struct{ c prometheus.Counter }

func (c counter) Incr(n int64) { c.c.Add(float64(n)) }

func (c counter) IncrFloat64(n float64) { c.c.Add(n) }

type gauge struct{ g prometheus.Gauge }

func (g gauge) Set(v int64) { g.g.Set(float64(v)) }

func (g gauge) SetFloat64(v float64) { g.g.Set(v) }

type timer struct {
	o    prometheus.Observer
	unit time.Duration
}

// Timing takes nanoseconds.
func (t timer) Timing(delta int64) { t.o.Observe(float64(delta) / float64(t.unit)) }
