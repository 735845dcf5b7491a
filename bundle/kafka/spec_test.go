package kafka

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"
)

func lint(t *testing.T, yaml string) []service.Lint {
	t.Helper()
	lints, err := service.GlobalEnvironment().NewComponentConfigLinter().LintOutputYAML([]byte("kafka_franz: {" + yaml + "}"))
	if err != nil {
		t.Fatalf("%s: %v", yaml, err)
	}
	return lints
}

func TestLintRefusesBadValuesByName(t *testing.T) {
	cases := map[string]string{
		"partitioner: random": "random", "acks: 1": "1", "compression: brotli": "brotli",
		"sasl: [{mechanism: NTLM}]": "NTLM", "sasl: [{mechanism: PLAIN, username: a}]": "password",
		"max_message_bytes: much": "max_message_bytes must be a size", "broker_write_max_bytes: -1": "broker_write_max_bytes must be a size",
		"max_buffered_bytes: 1XB": "max_buffered_bytes must be a size", "max_in_flight: 0": "max_in_flight must be a number of at least 1",
		"max_buffered_records: 0": "max_buffered_records must be", "record_retries: -1": "record_retries must be",
		"create_topics: {partitions: -2}": "create_topics.partitions must be", "create_topics: {replication_factor: -2}": "create_topics.replication_factor must be",
		"create_topics: {partitions: 0}": "create_topics.partitions must be", "create_topics: {replication_factor: 0}": "create_topics.replication_factor must be",
		"batching: {count: 10}": "batching.period must be set", "batching: {byte_size: 10}": "batching.period must be set",
		"batching: {count: 10, period: soon}": "batching.period must be a duration",
		"partition: '1'":                      "only be set with partitioner manual", "partitioner: manual": "partition must be set",
		"acks: leader": "idempotent_write needs acks all", "idempotent_write: true, acks: none": "idempotent_write needs acks all",
		"transactional_id: x": "transactional_id", "on_too_large: dlq": "on_too_large", "exactly_once: {}": "exactly_once",
		"create_topics: {config: {}}": "config", "max_in_flight_requests: 1": "max_in_flight_requests",
	}
	for _, field := range []string{
		"timeout", "record_delivery_timeout", "metadata_max_age", "request_timeout_overhead", "conn_idle_timeout",
	} {
		cases[field+": banana"] = field + " must be a duration"
		cases[field+`: ""`] = field + " must be a duration"
	}
	for _, field := range []string{"connect_timeout", "tcp_user_timeout"} {
		cases["tcp: {"+field+": banana}"] = "tcp." + field + " must be a duration"
	}
	for _, field := range []string{"idle", "interval"} {
		cases["tcp: {keep_alive: {"+field+": banana}}"] = "tcp.keep_alive." + field + " must be a duration"
	}
	for yaml, want := range cases {
		lints := lint(t, yaml)
		if len(lints) == 0 || !strings.Contains(lints[0].Error(), want) {
			t.Errorf("%s: %v, want a complaint with %q", yaml, lints, want)
		}
	}
	for _, yaml := range []string{
		"", "batching: {count: 10, period: 1s}", "batching: {count: 0}", "partitioner: manual, partition: '${! @p }'",
		"acks: leader, idempotent_write: false", "max_message_bytes: 10MB, max_buffered_bytes: 0", "compression: ''",
		"timeout: 1m, record_retries: 3, create_topics: {enabled: true, partitions: 3, replication_factor: -1}",
		"metadata: {include_prefixes: [a]}, topic: 'a-${! @b }', key: x, timestamp_ms: '1', headers: false, tls: {enabled: true}",
	} {
		if lints := lint(t, yaml); len(lints) != 0 {
			t.Errorf("%s: %v, want no complaint", yaml, lints)
		}
	}
}

// The names and defaults that were agreed (config.yaml of the design): a default that changes is a change of behaviour.
func TestFieldsHaveTheirAgreedDefaults(t *testing.T) {
	conf, err := Spec().ParseYAML("{}", nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{
		"seed_brokers": []any{}, "topic": "", "key": "", "partition": "", "partitioner": "murmur2_hash", "client_id": "redpanda-connect-oracle",
		"timestamp_ms": "", "headers": true, "compression": "", "acks": "all", "idempotent_write": true, "max_in_flight": 1,
		"batching.count": 0, "batching.byte_size": 0, "batching.period": "", "max_message_bytes": "1MiB", "broker_write_max_bytes": "100MiB",
		"max_buffered_records": 10000, "max_buffered_bytes": "0", "timeout": "10s", "record_retries": 0, "record_delivery_timeout": "0s",
		"metadata_max_age": "1m", "request_timeout_overhead": "10s", "conn_idle_timeout": "20s",
		"tcp.connect_timeout": "0s", "tcp.keep_alive.idle": "15s", "tcp.keep_alive.interval": "15s", "tcp.keep_alive.count": 9, "tcp.tcp_user_timeout": "0s",
		"tls.enabled": false, "sasl": []any{}, "allow_auto_topic_creation": false,
		"create_topics.enabled": true, "create_topics.partitions": -1, "create_topics.replication_factor": -1,
	} {
		got, err := conf.FieldAny(strings.Split(path, ".")...)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", path, err, diff)
		}
	}
	if filter, err := conf.FieldMetadataFilter("metadata"); err != nil || !filter.IsEmpty() {
		t.Errorf("metadata: %v", err)
	}
}

func TestConstructorRefusesWhatLintCannotSee(t *testing.T) {
	for yaml, want := range map[string]string{
		"batching: {byte_size: 5}": "batching.period", "max_message_bytes: 3GiB": "max_message_bytes must be at most",
		"idempotent_write: true\nacks: leader": "idempotent_write", "max_in_flight: 0": "max_in_flight",
		"create_topics: {partitions: 0}": "create_topics.partitions", "create_topics: {replication_factor: 0}": "create_topics.replication_factor",
		"timeout: -1s": "timeout must not be negative", "record_delivery_timeout: 1ms": "record timeout",
		"broker_write_max_bytes: 1KiB": "max broker write bytes", "seed_brokers: ['a:port']": "seed_brokers",
		"topic: '${! broken'": "topic",
	} {
		conf, err := Spec().ParseYAML(yaml, nil)
		if err != nil {
			t.Fatalf("%s: %v", yaml, err)
		}
		if _, err := New(conf, service.MockResources()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", yaml, err, want)
		}
	}
}

func TestEverySettingMakesAClient(t *testing.T) {
	for _, yaml := range []string{
		"", "partitioner: round_robin", "partitioner: least_backup", "partitioner: manual\npartition: '0'", "acks: none\nidempotent_write: false",
		"acks: leader\nidempotent_write: false", "compression: lz4", "compression: snappy", "compression: gzip", "compression: none", "compression: zstd",
		"record_retries: 3\nrecord_delivery_timeout: 10s\nallow_auto_topic_creation: true\nmetadata_max_age: 100ms",
		"max_buffered_bytes: 1GiB\nconn_idle_timeout: 1m\nrequest_timeout_overhead: 5s\ntimeout: 20s",
	} {
		c, conn := broker(t)
		o := connected(t, build(t, service.MockResources(), "seed_brokers: ['"+c.ListenAddrs()[0]+"']\ntopic: x\n"+yaml))
		if err := o.WriteBatch(t.Context(), service.MessageBatch{service.NewMessage([]byte("v"))}); err != nil {
			t.Errorf("%s: %v", yaml, err)
		}
		got := flat(read(t, conn, "x"))
		for deadline := time.Now().Add(10 * time.Second); len(got) == 0 && time.Now().Before(deadline); {
			got = flat(read(t, conn, "x")) // without acknowledgements it may still be under way
		}
		if len(got) != 1 {
			t.Errorf("%s: %d records", yaml, len(got))
		}
	}
}
