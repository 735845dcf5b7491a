package prometheus

import (
	"errors"
	"fmt"

	"github.com/redpanda-data/benthos/v4/public/service"
)

const (
	pmFieldHistogramTiming = "use_histogram_timing"
	pmFieldBuckets         = "histogram_buckets"
	pmFieldObjectives      = "summary_quantiles_objectives"
	pmFieldQuantile        = "quantile"
	pmFieldError           = "error"
	pmFieldProcess         = "add_process_metrics"
	pmFieldGo              = "add_go_metrics"
)

// Spec describes the plugin.
func Spec() *service.ConfigSpec {
	return service.NewConfigSpec().
		Version("0.1.0").
		Summary("Serves metrics in the text format of Prometheus on the paths `/metrics` and `/stats`.").
		Description(`
Timings are histograms in seconds, or summaries where `+"`use_histogram_timing`"+` is off. A summary has the unit that its name
says: nanoseconds for names that end in `+"`_ns`"+`, seconds for those that end in `+"`_seconds`"+`.`).
		Fields(
			service.NewBoolField(pmFieldHistogramTiming).
				Description("Export timings as histograms, which can be added up over instances, instead of summaries.").
				Default(true),
			service.NewFloatListField(pmFieldBuckets).
				Description("Upper bounds of histogram buckets in seconds, in rising order. Empty: 5 ms to 10 s, as the Prometheus client has them.").
				Default([]any{}).
				LintRule(`root = if this.type() == "array" && this.index(0).catch(null) != null && this.sort() != this { [ "histogram_buckets must be in rising order" ] }`).
				Advanced(),
			service.NewObjectListField(pmFieldObjectives,
				service.NewFloatField(pmFieldQuantile).Description("The quantile, above 0 and below 1."),
				service.NewFloatField(pmFieldError).Description("How far the exported quantile may be off."),
			).Description("Quantiles of summaries.").
				Default([]any{
					map[string]any{pmFieldQuantile: 0.5, pmFieldError: 0.05},
					map[string]any{pmFieldQuantile: 0.9, pmFieldError: 0.01},
					map[string]any{pmFieldQuantile: 0.99, pmFieldError: 0.001},
				}).
				Advanced(),
			service.NewBoolField(pmFieldProcess).
				Description("Add metrics of the process: CPU, memory, open files.").
				Default(true).
				Advanced(),
			service.NewBoolField(pmFieldGo).
				Description("Add metrics of the Go runtime: garbage collection, goroutines, heap.").
				Default(true).
				Advanced(),
		)
}

type config struct {
	histograms, process, goRuntime bool
	buckets                        []float64
	objectives                     map[float64]float64
}

func parseConfig(conf *service.ParsedConfig) (*config, error) {
	c := &config{objectives: map[float64]float64{}}
	var err error
	if c.histograms, err = conf.FieldBool(pmFieldHistogramTiming); err != nil {
		return nil, err
	}
	if c.process, err = conf.FieldBool(pmFieldProcess); err != nil {
		return nil, err
	}
	if c.goRuntime, err = conf.FieldBool(pmFieldGo); err != nil {
		return nil, err
	}
	if c.buckets, err = conf.FieldFloatList(pmFieldBuckets); err != nil {
		return nil, err
	}
	for i := 1; i < len(c.buckets); i++ {
		if c.buckets[i] <= c.buckets[i-1] {
			return nil, errors.New(pmFieldBuckets + " must be in rising order")
		}
	}
	objectives, err := conf.FieldObjectList(pmFieldObjectives)
	if err != nil {
		return nil, err
	}
	for i, o := range objectives {
		quantile, err := o.FieldFloat(pmFieldQuantile)
		if err != nil {
			return nil, err
		}
		slack, err := o.FieldFloat(pmFieldError)
		if err != nil {
			return nil, err
		}
		if quantile <= 0 || quantile >= 1 || slack < 0 || slack >= 1 {
			return nil, fmt.Errorf("%s[%d]: quantile must lie between 0 and 1, error from 0 to below 1", pmFieldObjectives, i)
		}
		c.objectives[quantile] = slack
	}
	return c, nil
}

func init() {
	service.MustRegisterMetricsExporter("prometheus", Spec(), func(conf *service.ParsedConfig, log *service.Logger) (service.MetricsExporter, error) {
		c, err := parseConfig(conf)
		if err != nil {
			return nil, err
		}
		return newExporter(c, log)
	})
}
