package input

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
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

// What the configuration says of steps and retries reaches the engine.
func TestStepsAndRetriesAreThoseOfTheConfiguration(t *testing.T) {
	type bounds struct {
		HoldBack, QueryTimeout time.Duration
		MaxLogsPerStep         int
		Retry                  engine.Retry
		KeyMissing             engine.KeyMissing
	}
	for fields, want := range map[string]bounds{
		"": {100 * time.Millisecond, 10 * time.Minute, 8, engine.Retry{
			MaxTime: 24 * time.Hour, InitialInterval: 500 * time.Millisecond, MaxInterval: 30 * time.Second, MaxSteps: 20,
		}, engine.RefuseKeyless},
		`mining: {hold_back: 2s, query_timeout: 3m, max_logs_per_step: 4, max_step_retries: 5}
retry: {max_time: 6h, initial_interval: 7s, max_interval: 8s}
key: {missing: none}`: {2 * time.Second, 3 * time.Minute, 4, engine.Retry{
			MaxTime: 6 * time.Hour, InitialInterval: 7 * time.Second, MaxInterval: 8 * time.Second, MaxSteps: 5,
		}, engine.CaptureKeyless},
	} {
		conf, err := specOnce().ParseYAML("connection_string: 'oracle://u:p@db:1521/FREE'\ntopic_prefix: shop\ninclude: [A]\nposition: {file: p}\n"+fields, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parseConfig(conf, service.MockResources())
		if err != nil {
			t.Fatal(err)
		}
		e := c.engine
		if diff := cmp.Diff(want, bounds{e.HoldBack, e.QueryTimeout, e.MaxLogsPerStep, e.Retry, e.KeyMissing}); diff != "" {
			t.Error(diff)
		}
	}
}

// What the configuration says of records reaches the renderer.
func TestFormOfRecordsIsThatOfTheConfiguration(t *testing.T) {
	for fields, want := range map[string]debezium.Settings{
		"": {Profile: debezium.CDC(), Encoding: "json", SchemaNames: "none", FieldNames: "none", Decimals: "precise", Temporals: "adaptive", Intervals: "numeric", Binary: "bytes", Tombstones: true, ContextHeaders: true},
		"records: {decimals: string, temporals: iso_string, intervals: string, binary: hex, tombstones: false, unavailable_placeholder: x}": {
			Profile: debezium.CDC(), Encoding: "json", SchemaNames: "none", FieldNames: "none", Decimals: "string", Temporals: "iso_string", Intervals: "string", Binary: "hex", ContextHeaders: true, Placeholder: "x",
		},
		"records: {tombstones: false, flat: {enabled: true, deletes: rewrite, add_fields: [op, 'source.scn:at'], add_headers: [table]}}": {
			Profile: debezium.CDC(), Encoding: "json", SchemaNames: "none", FieldNames: "none", Decimals: "precise", Temporals: "adaptive", Intervals: "numeric", Binary: "bytes", ContextHeaders: true,
			Flat: &debezium.Flat{Deletes: "rewrite", Fields: []string{"op", "source.scn:at"}, Headers: []string{"table"}},
		},
		`records: {profile: debezium, temporals: structured, context_headers: false, redo_sql: true, encoding: json_schema, key_encoding: json,
  schema_name_adjustment: avro, field_name_adjustment: avro_unicode}`: {
			Profile: debezium.Debezium(), Encoding: "json_schema", KeyEncoding: "json", SchemaNames: "avro", FieldNames: "avro_unicode",
			Decimals: "precise", Temporals: "structured", Intervals: "numeric", Binary: "bytes", Tombstones: true, Redo: true,
		},
	} {
		conf, err := specOnce().ParseYAML("connection_string: 'oracle://u:p@db:1521/FREE'\ntopic_prefix: shop\ninclude: [A]\nposition: {file: p}\n"+fields, nil)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parseConfig(conf, service.MockResources())
		if err != nil {
			t.Fatal(err)
		}
		got := c.engine.Records
		if got.Profile.Name != want.Profile.Name || got.Server != "shop" || got.Run == "" || got.Run != c.engine.Run {
			t.Errorf("%s: profile %s, server %s, run %q", fields, got.Profile.Name, got.Server, got.Run)
		}
		heartbeat := map[string]string{"cdc": "shop.cdc.heartbeat", "debezium": "__debezium-heartbeat.shop"}[want.Profile.Name]
		if c.internal.Heartbeat != heartbeat || c.engine.Template.String() != want.Profile.Template {
			t.Errorf("%s: heartbeats to %s, template %s", fields, c.internal.Heartbeat, c.engine.Template)
		}
		want.Profile, got.Profile, got.Server, got.ConnectorVersion, got.Run = nil, nil, "", "", ""
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", fields, diff)
		}
	}
}
