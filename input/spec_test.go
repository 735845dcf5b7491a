package input

import (
	"strings"
	"sync"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// linter knows the input; its rules take a while to parse.
var linter = sync.OnceValues(func() (*service.ComponentConfigLinter, error) {
	env := service.NewEnvironment()
	err := env.RegisterBatchInput("oracle_cdc_spec", Spec(), func(*service.ParsedConfig, *service.Resources) (service.BatchInput, error) {
		return nil, nil
	})
	return env.NewComponentConfigLinter(), err
})

func lint(t *testing.T, fields string) []service.Lint {
	t.Helper()
	linter, err := linter()
	if err != nil {
		t.Fatal(err)
	}
	lints, err := linter.LintInputYAML([]byte("oracle_cdc_spec: {" + fields + "}"))
	if err != nil {
		t.Fatalf("%s: %v", fields, err)
	}
	return lints
}

// contracts 5: without a place for the position a lint error, never a silent "from now".
func TestLintRefusesWhatCannotRun(t *testing.T) {
	const base = "connection_string: 'oracle://a:b@h:1/s', topic_prefix: shop"
	const tables, file, kafka = ", include: [A]", ", position: {file: p}", `, kafka: {seed_brokers: ["h:1"]}`
	for fields, want := range map[string]string{
		base + tables: "no place for the position",
		base + tables + file + ", records: {encoding: avro}":                                                         "encoding avro comes with a later version",
		base + tables + file + ", records: {key_encoding: avro}":                                                     "key_encoding avro comes with a later version",
		base + tables + file + ", supplemental_logging: key, records: {profile: debezium, encoding: json_schema}":    "needs supplemental_logging all",
		base + tables + file + ", records: {temporals: connect}":                                                     "temporals of profile cdc must be one of adaptive, iso_string",
		base + tables + file + ", records: {profile: debezium, temporals: iso_string}":                               "isostring in the place of iso_string",
		base + tables + file + ", records: {redo_sql: true}":                                                         "redo_sql needs profile debezium",
		base + tables + file + ", records: {tombstones: false, flat: {enabled: true}}":                               "set records.flat.deletes to rewrite or drop, or leave records.tombstones true",
		base + tables + file + ", records: {flat: {add_fields: [op]}}":                                               "set records.flat.enabled, or leave them out",
		base + tables + file + ", records: {flat: {deletes: rewrite}}":                                               "set records.flat.enabled, or leave them out",
		base + tables + file + ", records: {flat: {enabled: true, add_headers: ['redo_sql:sql']}}":                   "which records.redo_sql brings",
		base + tables + file + ", records: {profile: debezium, flat: {enabled: true, add_fields: [transaction.id]}}": "with emit.transactions only",
		base + tables + file + ", records: {flat: {enabled: true, add_fields: [op, after.ID]}}":                      "add_fields does not know after.ID",
		base + tables + ", position: {interval: 2s}":                                                                 "no place for the position",
		base + tables + ", kafka: {seed_brokers: []}":                                                                "no place for the position",
		base + tables + ", position: {store: file}":                                                                  "position.store file needs position.file",
		base + tables + ", position: {store: cache}":                                                                 "position.store cache needs checkpoint_cache",
		base + tables + ", position: {store: cache, file: p}":                                                        "position.store cache needs checkpoint_cache",
		base + tables + file + ", mining: {poll_interval: 0s}":                                                       "poll_interval must be a duration above zero",
		base + tables + file + ", mining: {poll_interval: 2s, idle_interval: 1s}":                                    "idle_interval must not be below",
		base + tables + file + ", mining: {poll_interval: 5s}":                                                       "idle_interval must not be below",
		base + tables + file + ", topics: {template: '{prefix}.{tabel}'}":                                            "template knows {prefix}",
		"connection_string: '', topic_prefix: a" + tables + file:                                                     "connection_string must begin with oracle://",
		base + tables + file + ", connection: {read_timeout: 10m}":                                                   "read_timeout must exceed mining.query_timeout",
		base + tables + file + ", mining: {query_timeout: 20m}":                                                      "read_timeout must exceed mining.query_timeout",
		base + tables + file + ", retry: {max_interval: 100ms}":                                                      "initial_interval must not exceed",
		base + tables + file + ", retry: {max_interval: none}":                                                       "max_interval must be a duration above zero",
		base + tables + file + ", retry: {extra_codes: [1555]}":                                                      "extra_codes not recognised",
		base + tables + file + ", mining: {session_max_age: 1h}":                                                     "session_max_age not recognised",
		base + tables + file + ", includes: [B]":                                                                     "includes not recognised",
		base + ", include: ['(', B]" + file:                                                                          "include: ( is no RE2 expression",
		base + tables + ", exclude: ['a[']" + file:                                                                   "exclude: a[ is no RE2 expression",
		"connection_string: 'oracle://h:1521', topic_prefix: a" + tables + file:                                      "connection_string must name host and service",
		"connection_string: 'oracle://c##cdc:p@h:1521/s', topic_prefix: a" + tables + file:                           "write %23",
		"connection_string: 'jdbc:oracle:thin:@h', topic_prefix: a" + tables + file:                                  "connection_string must begin with oracle://",
		base + tables + file + ", wallet_path: w, connection: {tls: {enabled: true}}":                                "exclude each other",
		base + tables + file + ", key: {missing: drop}":                                                              "missing must be one of fail, rowid, none",
		base + tables + ", position: {store: kafka}":                                                                 "position.store kafka needs kafka.seed_brokers",
		base + tables + ", position: {store: kafka, file: p}":                                                        "position.store kafka needs kafka.seed_brokers",
		base + ", include: []" + file:                                                                                "include names no table",
		base + file:                                                                                                  "include names no table",
		base + tables + file + ", metadata: [scn, nope]":                                                             "metadata does not know nope",
		base + tables + file + ", emit: {heartbeat_interval: -1s}":                                                   "heartbeat_interval must be a duration",
		base + tables + file + ", mining: {fetch_rows: 25}":                                                          "fetch_rows must be",
		base + tables + file + ", transactions: {memory: 0}":                                                         "memory must be a size",
		"topic_prefix: shop" + tables + file:                                                                         "connection_string is required",
		base + tables + file + ", lobs: {mode: inline}":                                                              "lobs not recognised",
		base + tables + file + ", records: {profile: confluent}":                                                     "profile must be one of cdc",
		base + tables + kafka + ", topics: {internal_replication_factor: 0}":                                         "internal_replication_factor must be",
		"connection_string: 'oracle://a:b@h/s', topic_prefix: 'a b'" + tables + file:                                 "topic_prefix may hold",
		base + tables + kafka + ", batching: {count: 0}, checkpoint_limit: 100":                                      "count must be at least 1",
	} {
		lints := lint(t, fields)
		if len(lints) != 1 || !strings.Contains(lints[0].Error(), want) {
			t.Errorf("%s: %v, want one complaint with %q", fields, lints, want)
		}
	}
	for _, fields := range []string{
		base + tables + file + ", connection: {read_timeout: 2h}, mining: {query_timeout: 1h, hold_back: 1s, max_logs_per_step: 1, max_step_retries: 1}",
		base + tables + file + ", retry: {max_time: 0s, initial_interval: 1s, max_interval: 1s}",
		base + tables + ", checkpoint_cache: c", base + tables + kafka + ", checkpoint_cache: c, checkpoint_cache_key: k, position: {store: cache}",
		base + tables + file + ", records: {tombstones: false, flat: {enabled: true, deletes: rewrite, add_fields: [op, 'source.scn:at', id], add_headers: [table]}}",
		base + tables + file + ", records: {profile: debezium, redo_sql: true, flat: {enabled: true, add_headers: [transaction.id, redo_sql]}}, emit: {transactions: true}",
		base + tables + file, base + tables + kafka, base + tables + kafka + ", position: {store: kafka, file: p}",
		base + tables + file + ", metadata: []", base + tables + file + ", emit: {heartbeat_interval: 0s}, transactions: {memory: 1GiB}",
	} {
		if lints := lint(t, fields); len(lints) != 0 {
			t.Errorf("%s: %v, want no complaint", fields, lints)
		}
	}
}

func TestLintNamesEverythingAtOnce(t *testing.T) {
	lints := lint(t, "connection_string: 'oracle://a:b@h/s', topic_prefix: shop")
	if len(lints) != 2 {
		t.Errorf("%v, want two complaints: no place for the position, no table", lints)
	}
}
