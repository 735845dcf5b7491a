package input

import (
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// Contracts 5: Kafka with brokers, else the cache, else the file.
func TestStoreOfThePositionIsChosenInTheAgreedOrder(t *testing.T) {
	const kafka, cache, file = "kafka: {seed_brokers: ['h:1']}", "checkpoint_cache: c", "position: {file: p}"
	base := "connection_string: 'oracle://u:p@db:1521/FREE'\ntopic_prefix: shop\ninclude: [A]\n"
	for fields, want := range map[string]string{
		kafka + "\n" + cache + "\n" + file: "kafka oracle_cdc.shop",
		cache + "\n" + file:                "cache oracle_cdc.shop",
		file:                               "file oracle_cdc.shop",
		kafka + "\n" + cache + "\nposition: {store: cache}": "cache oracle_cdc.shop",
		cache + "\ncheckpoint_cache_key: mine":              "cache mine",
		cache + "\nposition: {store: file, file: p}":        "file oracle_cdc.shop",
		cache + "\nposition: {store: kafka}":                "error",
		"position: {store: cache, file: p}":                 "error",
		"position: {interval: 2s}":                          "error",
	} {
		conf, err := specOnce().ParseYAML(base+fields, nil)
		if err != nil {
			t.Fatalf("%s: %v", fields, err)
		}
		got := "error"
		if c, err := parseConfig(conf, service.MockResources()); err == nil {
			got = c.store + " " + c.cacheKey
		}
		if got != want {
			t.Errorf("%s: %s, want %s", fields, got, want)
		}
	}
}
