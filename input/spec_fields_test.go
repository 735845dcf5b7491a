package input

import (
	"slices"
	"strings"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

const runnable = "connection_string: 'oracle://a:b@h:1/s', topic_prefix: shop, include: [A], kafka: {seed_brokers: ['h:1']}"

// nested writes a value at a path: a.b becomes "a: {b: value}".
func nested(path, value string) string {
	parts := strings.Split(path, ".")
	slices.Reverse(parts)
	for i, p := range parts {
		if i == 0 {
			value = p + ": " + value
		} else {
			value = p + ": {" + value + "}"
		}
	}
	return value
}

// config.yaml, rules of the house: durations, sizes and enums are refused at lint time, by the name of their field.
func TestLintNamesTheFieldOfEveryBadValue(t *testing.T) {
	durations := []string{
		"connection.connect_timeout", "connection.read_timeout", "connection.keep_alive", "mining.poll_interval", "mining.idle_interval",
		"emit.heartbeat_interval", "position.interval", "batching.period", "mining.hold_back", "mining.query_timeout", "retry.max_time",
		"retry.initial_interval", "retry.max_interval", "snapshot.max_hold", "snapshot.max_lag", "dictionary.build_interval",
	}
	enums := map[string]string{
		"supplemental_logging": "min", "snapshot.mode": "custom", "records.profile": "confluent", "records.encoding": "avro",
		"records.key_encoding": "xml", "records.schema_name_adjustment": "ascii", "records.field_name_adjustment": "ascii",
		"records.decimals": "exact", "records.temporals": "epoch", "records.intervals": "iso", "records.binary": "base32", "records.flat.deletes": "ignore",
		"records.flat.add_fields": "[op, 'a b']", "records.flat.add_headers": "[before.ID]",
		"emit.heartbeats": "sometimes", "emit.ops": "sometimes", "on_decode_error": "skip", "position.store": "redis", "key.missing": "drop", "nologging": "ignore", "on_stop": "retry", "metadata": "[kafka_topic, nonsense]",
	}
	bad := map[string][]string{
		"transactions.memory": {"''", "much", "-1MiB", "0", "0MiB", "1.5.2MiB"},
		"mining.fetch_rows":   {"25", "65536"}, "batching.count": {"0", "-1"}, "batching.byte_size": {"0"}, "checkpoint_limit": {"0"},
		"dictionary.build_time":              {"''", "'2:00'", "'24:00'", "'02:60'", "noon", "'02:00:00'"},
		"topics.internal_replication_factor": {"0", "-2", "32768"}, "snapshot.chunk_rows": {"999", "0"}, "snapshot.threads": {"0", "65"}, "snapshot.tables": {"0"}, "snapshot.max_pending_chunks": {"0"},
		"snapshot.chunk_retries": {"-1"}, "snapshot.fetch_rows": {"25", "65536"}, "snapshot.order": {"['(']"}, "snapshot.conditions": {"{T: 'ID > 5'}", "{A.T: ''}"}, "snapshot.overrides": {"{A.T: ' '}"},
		"topic_prefix": {"''", "'a b'", "'a/b'"},
	}
	for _, path := range []string{"mining.query_timeout", "retry.initial_interval", "retry.max_interval", "snapshot.max_hold", "snapshot.max_lag"} {
		bad[path+" "] = []string{"0s"}
	}
	for _, path := range []string{"mining.max_logs_per_step", "mining.max_step_retries"} {
		bad[path] = []string{"0", "-1", "1001"}
	}
	for _, path := range durations {
		bad[path] = []string{"banana", "''", "-1s", "10"}
	}
	bad["dictionary.build_interval"] = append(bad["dictionary.build_interval"], "1s", "59m59s")
	for path, value := range enums {
		bad[path] = []string{value}
	}
	for path, values := range bad {
		path = strings.TrimSpace(path)
		for _, value := range values {
			fields := runnable + ", " + nested(path, value)
			if strings.HasPrefix(path, "topic_prefix") {
				fields = strings.Replace(runnable, "topic_prefix: shop", nested(path, value), 1)
			}
			lints := lint(t, fields)
			if !slices.ContainsFunc(lints, func(l service.Lint) bool { return strings.Contains(l.Error(), path) }) {
				t.Errorf("%s: %s gives %v, want a complaint that names the field", path, value, lints)
			}
		}
	}
}

// design 11: what a later capability brings is refused by name until then.
func TestLintRefusesFieldsOfLaterCapabilities(t *testing.T) {
	for _, path := range []string{
		"connection.sdu", "connection.dba_privilege", "connection.encryption",
		"key.rowid", "capture.mode", "capture.start_scn", "mining.target_latency", "mining.session_max_age", "mining.catchup_sessions",
		"transactions.spill_dir", "transactions.journal_logs", "transactions.max_age",
		"lobs.mode", "schema_registry.url", "topics.journal",
		"leader_election.enabled", "snapshot.watermark", "signals.file",
		"retry.extra_codes", "auto_replay_nacks", "batching.processors",
	} {
		lints := lint(t, runnable+", "+nested(path, "1"))
		name := path[strings.LastIndexByte(path, '.')+1:]
		first, _, _ := strings.Cut(path, ".")
		if !slices.ContainsFunc(lints, func(l service.Lint) bool {
			return strings.Contains(l.Error(), name) || strings.Contains(l.Error(), first+" not recognised")
		}) {
			t.Errorf("%s gives %v, want it refused by name", path, lints)
		}
	}
}

func TestRunnableAndExampleConfigurationsHaveNoComplaints(t *testing.T) {
	for _, fields := range []string{runnable, runnable + ", " + nested("dictionary.build_interval", "0s"), runnable + ", " + nested("dictionary.build_interval", "1h")} {
		if lints := lint(t, fields); len(lints) > 0 {
			t.Errorf("%s: %v", fields, lints)
		}
	}
	_, fields, found := strings.Cut(smallestExample, "oracle_cdc:\n")
	fields, _, closed := strings.Cut(fields, "pipeline:")
	if !found || !closed {
		t.Fatal("the example does not look as it did")
	}
	var parts []string
	for _, line := range strings.Split(strings.TrimSpace(fields), "\n") {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		if !strings.HasPrefix(value, "[") && !strings.HasPrefix(value, "{") {
			value = "'" + value + "'"
		}
		parts = append(parts, key+": "+value)
	}
	if lints := lint(t, strings.ReplaceAll(strings.Join(parts, ", "), "${CDC_PASSWORD}", "x")); len(lints) > 0 {
		t.Errorf("%v", lints)
	}
}

// The constructor refuses what a lint that was skipped would have.
func TestConstructorRefusesWhatLintDoes(t *testing.T) {
	for _, fields := range []string{
		nested("mining.poll_interval", "banana"), nested("mining.poll_interval", "-1s"), nested("transactions.memory", "much"),
		nested("include", "['(']"), nested("exclude", "['(']"), nested("topics.template", "'{nonsense}'"), nested("position.store", "file"),
		nested("mining.query_timeout", "0s"), nested("mining.query_timeout", "15m"), nested("connection.read_timeout", "10m"), nested("mining.max_step_retries", "0"),
		nested("mining.max_logs_per_step", "0"), nested("retry.initial_interval", "31s"), nested("retry.max_interval", "0s"), nested("retry.max_time", "-1s"),
		nested("records.decimals", "exact"), nested("records.temporals", "epoch"), nested("records.intervals", "iso"), nested("records.binary", "base32"),
		nested("records.flat", "{deletes: drop}"), nested("records.flat", "{enabled: true, deletes: ignore}"), nested("records.flat", "{enabled: true, add_fields: [nonsense]}"),
		nested("records", "{tombstones: false, flat: {enabled: true}}"), nested("records", "{profile: debezium, flat: {enabled: true, add_headers: [id]}}"),
		nested("records.encoding", "avro"), nested("records.key_encoding", "avro"), nested("records.field_name_adjustment", "ascii"),
		nested("records.profile", "confluent"), nested("records.temporals", "connect"), nested("records", "{profile: debezium, temporals: iso_string}"), nested("records.redo_sql", "true"),
		nested("dictionary.build_time", "'24:00'"), nested("dictionary.build_time", "'2:00'"), nested("dictionary.build_interval", "-1s"), nested("dictionary.build_interval", "59m"),
		nested("connection_string", "'http://x'"), nested("kafka", "{seed_brokers: []}"),
	} {
		conf, err := specOnce().ParseYAML(override(fields), nil)
		if err != nil {
			continue
		}
		if _, err := parseConfig(conf, service.MockResources()); err == nil {
			t.Errorf("%s was accepted", fields)
		}
	}
}

// override writes a whole configuration in which the given field stands for the usual one.
func override(field string) string {
	name, _, _ := strings.Cut(field, ":")
	out := []string{field}
	for _, usual := range []string{
		"topic_prefix: shop", "connection_string: 'oracle://u:p@db:1521/FREE'", "include: [A]", "kafka: {seed_brokers: ['h:1']}",
	} {
		if !strings.HasPrefix(usual, name+":") {
			out = append(out, usual)
		}
	}
	return strings.Join(out, "\n")
}
