package prometheus

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "github.com/redpanda-data/benthos/v4/public/components/io"
	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func build(t *testing.T, yaml string) *exporter {
	t.Helper()
	conf, err := Spec().ParseYAML(yaml, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parseConfig(conf)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newExporter(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// scrape gives the sample lines of the metrics whose names begin with the prefix.
func scrape(t *testing.T, handler http.HandlerFunc, prefix string) []string {
	t.Helper()
	rec := httptest.NewRecorder()
	handler(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	body, err := io.ReadAll(rec.Body)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(body)) {
		if strings.HasPrefix(line, prefix) {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return out
}

func TestCountersAndGaugesAreServed(t *testing.T) {
	e := build(t, `{add_process_metrics: false, add_go_metrics: false}`)
	rows := e.NewCounterCtor("oracle_cdc_rows_total", "table")
	rows("A").Incr(3)
	rows("A").(interface{ IncrFloat64(float64) }).IncrFloat64(0.5)
	e.NewCounterCtor("oracle_cdc_rows_total", "table")("B").Incr(1)
	lag := e.NewGaugeCtor("oracle_cdc_lag_seconds")()
	lag.Set(9)
	lag.(interface{ SetFloat64(float64) }).SetFloat64(1.25)
	if diff := cmp.Diff([]string{
		"oracle_cdc_lag_seconds 1.25", `oracle_cdc_rows_total{table="A"} 3.5`, `oracle_cdc_rows_total{table="B"} 1`,
	}, scrape(t, e.HandlerFunc(), "oracle_cdc_")); diff != "" {
		t.Fatal(diff)
	}
}

func TestTimingsAreHistogramsInSeconds(t *testing.T) {
	e := build(t, `{histogram_buckets: [0.5, 2]}`)
	e.NewTimerCtor("step_seconds")().Timing(int64(1500 * time.Millisecond))
	if diff := cmp.Diff([]string{
		`step_seconds_bucket{le="0.5"} 0`, `step_seconds_bucket{le="2"} 1`, `step_seconds_bucket{le="+Inf"} 1`, "step_seconds_sum 1.5", "step_seconds_count 1",
	}, scrape(t, e.HandlerFunc(), "step_")); diff != "" {
		t.Fatal(diff)
	}
}

func TestTimingsAreSummariesInTheUnitOfTheirName(t *testing.T) {
	e := build(t, `{use_histogram_timing: false, summary_quantiles_objectives: [{quantile: 0.5, error: 0.1}]}`)
	e.NewTimerCtor("step_seconds")().Timing(int64(1500 * time.Millisecond))
	e.NewTimerCtor("step_latency_ns")().Timing(1500)
	if diff := cmp.Diff([]string{
		`step_latency_ns{quantile="0.5"} 1500`, "step_latency_ns_sum 1500", "step_latency_ns_count 1",
		`step_seconds{quantile="0.5"} 1.5`, "step_seconds_sum 1.5", "step_seconds_count 1",
	}, scrape(t, e.HandlerFunc(), "step_")); diff != "" {
		t.Fatal(diff)
	}
}

func TestProcessAndGoMetricsCanBeLeftOut(t *testing.T) {
	with, without := build(t, `{}`), build(t, `{add_process_metrics: false, add_go_metrics: false}`)
	if len(scrape(t, with.HandlerFunc(), "go_goroutines")) != 1 || len(scrape(t, with.HandlerFunc(), "process_")) == 0 {
		t.Error("no metrics of process and runtime by default")
	}
	if got := scrape(t, without.HandlerFunc(), ""); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
}

func TestNameWithOtherLabelsDisturbsNobody(t *testing.T) {
	e := build(t, `{}`)
	e.NewCounterCtor("x_total", "a")("1").Incr(1)
	e.NewCounterCtor("x_total", "b")("2").Incr(1)
	e.NewGaugeCtor("x_total", "a")("3").Set(1)
	if diff := cmp.Diff([]string{`x_total{a="1"} 1`}, scrape(t, e.HandlerFunc(), "x_total")); diff != "" {
		t.Fatal(diff)
	}
}

func TestBadSettingsAreRefusedByName(t *testing.T) {
	for yaml, want := range map[string]string{
		"histogram_buckets: [2, 1]": "histogram_buckets", "histogram_buckets: [1, 1]": "histogram_buckets",
		"summary_quantiles_objectives: [{quantile: 1, error: 0.1}]":   "summary_quantiles_objectives[0]",
		"summary_quantiles_objectives: [{quantile: 0.5, error: 1.5}]": "summary_quantiles_objectives[0]",
	} {
		conf, err := Spec().ParseYAML(yaml, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parseConfig(conf); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", yaml, err, want)
		}
	}
	linter := service.GlobalEnvironment().NewComponentConfigLinter()
	for yaml, complaints := range map[string]bool{
		"histogram_buckets: [2, 1]": true, "push_url: x": true, "": false, "histogram_buckets: [1, 2]": false, "use_histogram_timing: false": false,
	} {
		lints, err := linter.LintMetricsYAML([]byte("prometheus: {" + yaml + "}"))
		if err != nil || (len(lints) > 0) != complaints {
			t.Errorf("lint of %q: %v, %v", yaml, lints, err)
		}
	}
}

func TestExporterIsTheDefaultOfAStream(t *testing.T) {
	b := service.NewStreamBuilder()
	mux := http.NewServeMux()
	b.SetHTTPMux(muxOf{mux})
	if err := b.SetYAML(`
http: {enabled: true}
input: {generate: {count: 3, interval: "", mapping: 'root = "x"'}}
output: {drop: {}}
logger: {level: "OFF"}
`); err != nil {
		t.Fatal(err)
	}
	stream, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := scrape(t, mux.ServeHTTP, "output_sent")
	if !slices.ContainsFunc(got, func(line string) bool {
		return strings.HasSuffix(line, " 3") && strings.Contains(line, `path="root.output"`)
	}) {
		t.Fatalf("got %v, want output_sent of 3", got)
	}
}

// muxOf gives the runtime its routes on a mux of the test.
type muxOf struct{ *http.ServeMux }

func (m muxOf) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	m.ServeMux.HandleFunc(pattern, handler)
}
