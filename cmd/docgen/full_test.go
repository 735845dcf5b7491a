package main

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
	"gopkg.in/yaml.v3"
)

// The commented full pipeline says it has every field with its default: a field that comes later must be written there too.
func TestFullPipelineHasEveryField(t *testing.T) {
	text, err := os.ReadFile("../../config/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var full struct {
		Input    map[string]any
		Pipeline struct{ Processors []map[string]any }
		Output   map[string]any
	}
	if err := yaml.Unmarshal(text, &full); err != nil {
		t.Fatal(err)
	}
	configured := map[string]any{
		"oracle_cdc": full.Input["oracle_cdc"], "oracle_schema": full.Pipeline.Processors[0]["oracle_schema"], "kafka_franz": full.Output["kafka_franz"],
	}
	for _, c := range components() {
		config, ok := configured[c.name]
		if !ok {
			continue
		}
		c.walk(service.GlobalEnvironment(), func(name string, view *service.ConfigView) {
			if name != c.name {
				return
			}
			data, err := view.TemplateData()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range data.Fields {
				if runtimes(f.FullName) {
					continue
				}
				value, ok := find(config, strings.Split(f.FullName, "."))
				if !ok {
					t.Errorf("config/full.yaml lacks %s of %s", f.FullName, c.name)
				}
				var byDefault any
				if err := yaml.Unmarshal([]byte(f.DefaultMarshalled), &byDefault); err != nil {
					t.Fatal(err)
				}
				if !examples(f.FullName) && byDefault != nil && !reflect.DeepEqual(value, byDefault) {
					t.Errorf("config/full.yaml has %v for %s of %s, the default is %v", value, f.FullName, c.name, byDefault)
				}
			}
		})
	}
}

// runtimes are fields inside blocks that the runtime describes, and those of list elements.
func runtimes(field string) bool {
	return strings.Contains(field, "[]") || strings.Contains(field, "tls.") && !strings.HasSuffix(field, "tls.enabled") ||
		strings.HasSuffix(field, "batching.check") || strings.HasSuffix(field, "batching.processors")
}

// examples are fields that need a value of the reader's, or say in full what the empty default means.
func examples(field string) bool {
	return slices.Contains([]string{"username", "password", "include", "kafka.seed_brokers", "topics.template"}, field)
}

func find(config any, path []string) (any, bool) {
	for _, name := range path {
		object, ok := config.(map[string]any)
		if !ok {
			return nil, false
		}
		if config, ok = object[name]; !ok {
			return nil, false
		}
	}
	return config, true
}
