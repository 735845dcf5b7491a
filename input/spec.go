package input

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/config/kafka"
)

// Names of the fields, as config.yaml of the project's papers agrees them.
const (
	ocFieldConnectionString    = "connection_string"
	ocFieldUsername            = "username"
	ocFieldPassword            = "password"
	ocFieldWalletPath          = "wallet_path"
	ocFieldWalletPassword      = "wallet_password"
	ocFieldPDBName             = "pdb_name"
	ocFieldPDBs                = "pdbs"
	ocFieldConnection          = "connection"
	ocFieldConnectTimeout      = "connect_timeout"
	ocFieldReadTimeout         = "read_timeout"
	ocFieldKeepAlive           = "keep_alive"
	ocFieldTLS                 = "tls"
	ocFieldTopicPrefix         = "topic_prefix"
	ocFieldInclude             = "include"
	ocFieldExclude             = "exclude"
	ocFieldCaseSensitive       = "case_sensitive"
	ocFieldAllowNoTables       = "allow_no_tables"
	ocFieldSupplementalLogging = "supplemental_logging"
	ocFieldColumns             = "columns"
	ocFieldMask                = "mask"
	ocFieldMatch               = "match"
	ocFieldWith                = "with"
	ocFieldCharacters          = "characters"
	ocFieldHash                = "hash"
	ocFieldSalt                = "salt"
	ocFieldVersion             = "version"
	ocFieldTruncate            = "truncate"
	ocFieldPropagateType       = "propagate_type"
	ocFieldLength              = "length"
	ocFieldKey                 = "key"
	ocFieldKeyMissing          = "missing"
	ocFieldMining              = "mining"
	ocFieldPollInterval        = "poll_interval"
	ocFieldIdleInterval        = "idle_interval"
	ocFieldMaxLogsPerStep      = "max_logs_per_step"
	ocFieldHoldBack            = "hold_back"
	ocFieldQueryTimeout        = "query_timeout"
	ocFieldMaxStepRetries      = "max_step_retries"
	ocFieldRetry               = "retry"
	ocFieldMaxTime             = "max_time"
	ocFieldInitialInterval     = "initial_interval"
	ocFieldMaxInterval         = "max_interval"
	ocFieldFetchRows           = "fetch_rows"
	ocFieldRawDecode           = "raw_decode"
	ocFieldExcept              = "except"
	ocFieldDictionary          = "dictionary"
	ocFieldBuildInterval       = "build_interval"
	ocFieldBuildTime           = "build_time"
	ocFieldTransactions        = "transactions"
	ocFieldSchemaChanges       = "schema_changes"
	ocFieldMemory              = "memory"
	ocFieldRecords             = "records"
	ocFieldProfile             = "profile"
	ocFieldEncoding            = "encoding"
	ocFieldKeyEncoding         = "key_encoding"
	ocFieldDecimals            = "decimals"
	ocFieldTemporals           = "temporals"
	ocFieldIntervals           = "intervals"
	ocFieldBinary              = "binary"
	ocFieldTombstones          = "tombstones"
	ocFieldSkipUnchanged       = "skip_unchanged_updates"
	ocFieldTruncates           = "truncates"
	ocFieldBulkDDL             = "bulk_ddl"
	ocFieldNoLogging           = "nologging"
	ocFieldNullAsDefault       = "null_as_default"
	ocFieldSchemaNames         = "schema_name_adjustment"
	ocFieldFieldNames          = "field_name_adjustment"
	ocFieldContextHeaders      = "context_headers"
	ocFieldRedoSQL             = "redo_sql"
	ocFieldPlaceholder         = "unavailable_placeholder"
	ocFieldFlat                = "flat"
	ocFieldEnabled             = "enabled"
	ocFieldDeletes             = "deletes"
	ocFieldAddFields           = "add_fields"
	ocFieldAddHeaders          = "add_headers"
	ocFieldTopics              = "topics"
	ocFieldTemplate            = "template"
	ocFieldHeartbeat           = "heartbeat"
	ocFieldSchema              = "schema"
	ocFieldPositionTopic       = "position"
	ocFieldReplicationFactor   = "internal_replication_factor"
	ocFieldEmit                = "emit"
	ocFieldHeartbeatInterval   = "heartbeat_interval"
	ocFieldHeartbeats          = "heartbeats"
	ocFieldOps                 = "ops"
	ocFieldDeadLetters         = "dead_letters"
	ocFieldOnDecodeError       = "on_decode_error"
	ocFieldMetadata            = "metadata"
	ocFieldKafka               = "kafka"
	ocFieldPosition            = "position"
	ocFieldStore               = "store"
	ocFieldFile                = "file"
	ocFieldInterval            = "interval"
	ocFieldCheckpointCache     = "checkpoint_cache"
	ocFieldCheckpointCacheKey  = "checkpoint_cache_key"
	ocFieldSnapshot            = "snapshot"
	ocFieldMode                = "mode"
	ocFieldChunkRows           = "chunk_rows"
	ocFieldThreads             = "threads"
	ocFieldTables              = "tables"
	ocFieldMaxPendingChunks    = "max_pending_chunks"
	ocFieldMaxHold             = "max_hold"
	ocFieldMaxLag              = "max_lag"
	ocFieldChunkRetries        = "chunk_retries"
	ocFieldOrder               = "order"
	ocFieldConditions          = "conditions"
	ocFieldOverrides           = "overrides"
	ocFieldNewTables           = "new_tables"
	ocFieldOnStop              = "on_stop"
	ocFieldLogRowValues        = "log_row_values"
	ocFieldBatching            = "batching"
	ocFieldCount               = "count"
	ocFieldByteSize            = "byte_size"
	ocFieldPeriod              = "period"
	ocFieldCheckpointLimit     = "checkpoint_limit"
)

// metadataKeys are the keys that the field metadata may name (contracts 3).
var metadataKeys = []string{
	"kafka_topic", "kafka_key", "message_type", "operation", "pdb_name", "database_schema", "table_name", "scn",
	"commit_scn", "transaction_id", "event_index", "event_count", "schema_version", "snapshot", "source_ts_ms",
	"commit_ts_ms", "tombstone",
}

// Spec describes the oracle_cdc input.
func Spec() *service.ConfigSpec {
	spec := service.NewConfigSpec().
		Categories("Services").
		Version("0.1.0").
		Summary("Captures committed changes of Oracle tables from redo through LogMiner, as Debezium-shaped events.").
		Description(description)
	for _, fields := range [][]*service.ConfigField{
		databaseFields(), captureFields(), recordFields(), positionFields(), flowFields(),
	} {
		spec = spec.Fields(fields...)
	}
	return spec.LintRule(wholeRule).
		Example("Smallest pipeline", "Every table of one schema into Kafka, one topic a table.", smallestExample)
}

// wholeRule judges fields together. There is one, since the runtime keeps only the last rule of a component.
const wholeRule = `root = [
  if this.position.store.or("") == "" && this.position.file.or("") == "" && this.checkpoint_cache.or("") == "" && this.kafka.seed_brokers.or([]).length() == 0 { "no place for the position: set kafka.seed_brokers, checkpoint_cache or position.file" },
  if this.position.store.or("") == "cache" && this.checkpoint_cache.or("") == "" { "position.store cache needs checkpoint_cache" },
  if this.position.store.or("") == "file" && this.position.file.or("") == "" { "position.store file needs position.file" },
  if this.position.store.or("") == "kafka" && this.kafka.seed_brokers.or([]).length() == 0 { "position.store kafka needs kafka.seed_brokers" },
  if this.mining.idle_interval.or("3s").string().parse_duration().catch(9000000000000000000) < this.mining.poll_interval.or("500ms").string().parse_duration().catch(0) { "mining.idle_interval must not be below mining.poll_interval" },
  if this.connection.read_timeout.or("15m").string().parse_duration().catch(9000000000000000000) <= this.mining.query_timeout.or("10m").string().parse_duration().catch(0) { "connection.read_timeout must exceed mining.query_timeout" },
  if this.retry.initial_interval.or("500ms").string().parse_duration().catch(0) > this.retry.max_interval.or("30s").string().parse_duration().catch(9000000000000000000) { "retry.initial_interval must not exceed retry.max_interval" },
  if this.records.profile.or("cdc") == "cdc" && !["adaptive", "iso_string"].contains(this.records.temporals.or("adaptive")) { "records.temporals of profile cdc must be one of adaptive, iso_string" },
  if this.records.profile.or("cdc") == "debezium" && this.records.temporals.or("adaptive") == "iso_string" { "records.temporals of profile debezium has isostring in the place of iso_string" },
  if this.columns.propagate_type.or([]).length() > 0 && this.records.encoding.or("json") == "json" { "columns.propagate_type needs records.encoding json_schema" },
  if this.columns.mask.or([]).length() > 0 && this.records.redo_sql.or(false) { "records.redo_sql shows the values that columns.mask hides: leave one of the two" },
  if this.records.profile.or("cdc") == "debezium" && this.records.encoding.or("json") == "json_schema" && this.supplemental_logging.or("all") == "key" { "records.profile debezium with encoding json_schema needs supplemental_logging all: fields of NOT NULL columns are required, and partial images lack them" },
  if this.records.profile.or("cdc") == "cdc" && this.records.redo_sql.or(false) { "records.redo_sql needs profile debezium" },
  if !this.records.flat.enabled.or(false) && (this.records.flat.deletes.or("tombstone") != "tombstone" || this.records.flat.add_fields.or([]).length() > 0 || this.records.flat.add_headers.or([]).length() > 0) { "records.flat has settings and is not enabled: set records.flat.enabled, or leave them out" },
  if this.records.flat.enabled.or(false) && this.records.flat.deletes.or("tombstone") == "tombstone" && !this.records.tombstones.or(true) { "records.flat.deletes tombstone makes a tombstone of every delete, which records.tombstones false forbids: set records.flat.deletes to rewrite or drop, or leave records.tombstones true" },
  if this.records.flat.enabled.or(false) && this.records.profile.or("cdc") == "debezium" && !this.emit.transactions.or(false) && this.records.flat.add_fields.or([]).concat(this.records.flat.add_headers.or([])).any(f -> f.string().re_match("^(transaction\\.|(id|total_order|data_collection_order)(:|$))")) { "records.flat adds a member of the transaction block, which profile debezium has with emit.transactions only: set it, or leave the member out" },
  if this.records.flat.enabled.or(false) && !this.records.redo_sql.or(false) && this.records.flat.add_fields.or([]).concat(this.records.flat.add_headers.or([])).any(f -> f.string().re_match("^(source\\.)?redo_sql(:|$)")) { "records.flat adds redo_sql, which records.redo_sql brings: set it, or leave the member out" },
  if this.records.flat.enabled.or(false) && this.records.truncates.or(false) { "records.flat has no form for TRUNCATE: leave records.truncates false" },
  if this.pdb_name.or("") != "" && this.pdbs.or([]).length() > 0 { "pdb_name and pdbs exclude each other" },
  if this.wallet_path.or("") != "" && this.connection.tls.enabled.or(false) { "wallet_path and connection.tls exclude each other" },
  if this.on_decode_error.or("fail") == "dlq" && this.emit.ops.or("auto") == "never" { "on_decode_error dlq needs emit.ops auto or always" },
  if this.include.or([]).length() == 0 { "include names no table" },
  if this.signals.kafka.or(false) && this.kafka.seed_brokers.or([]).length() == 0 { "signals.kafka needs kafka.seed_brokers" },
  if this.snapshot.conditions.or({}).keys().any(k -> this.snapshot.overrides.or({}).keys().contains(k)) { "snapshot.conditions and snapshot.overrides of one table exclude each other" },
  if this.columns.include.or([]).length() > 0 && this.columns.exclude.or([]).length() > 0 { "columns.include and columns.exclude exclude each other" },
].filter(v -> v != null)`

func databaseFields() []*service.ConfigField {
	return []*service.ConfigField{
		service.NewStringField(ocFieldConnectionString).
			Description("How to reach the database: `oracle://user:password@host:1521/service`, the service of the CDB root. Special characters of user and password are written `%XX`.").
			Example("oracle://c%23%23cdc:${CDC_PASSWORD}@db:1521/FREE").Secret().
			LintRule(`root = if !this.trim().has_prefix("oracle://") { ["connection_string must begin with oracle://"] } else if this.contains("#") { ["connection_string has a #, which ends a URL: write %23, or use username and password"] } else if !this.trim().re_match("^oracle://([^/]*@)?[^/@]+/[^/]+") { ["connection_string must name host and service: oracle://host:1521/service"] }`),
		service.NewStringField(ocFieldUsername).Description("Overrides the user in `connection_string`.").Default("").Advanced(),
		service.NewStringField(ocFieldPassword).Description("Overrides the password in `connection_string`; any character is allowed.").Default("").Secret().Advanced(),
		service.NewStringField(ocFieldWalletPath).Description("Folder with `cwallet.sso` or `ewallet.p12`; switches TLS on.").Default(""),
		service.NewStringField(ocFieldWalletPassword).Description("Password of `ewallet.p12`.").Default("").Secret(),
		service.NewStringField(ocFieldPDBName).Description("The one PDB to capture from the CDB root. Empty: see `pdbs`.").Default(""),
		service.NewStringListField(ocFieldPDBs).
			Description("The PDBs to capture from one LogMiner session at the CDB root; not together with `pdb_name`. Empty: every PDB that is open at the start and has a matching table.").
			Default([]any{}).Advanced(),
		service.NewObjectField(ocFieldConnection,
			durationField(ocFieldConnection+"."+ocFieldConnectTimeout, "30s", "Time for dialling and log-on."),
			durationField(ocFieldConnection+"."+ocFieldReadTimeout, "15m", "Longest silence on the wire before the connection is given up. Must exceed `mining.query_timeout`."),
			durationField(ocFieldConnection+"."+ocFieldKeepAlive, "30s", "TCP keep-alive period, below the idle limit of load balancers on the way."),
			service.NewTLSToggledField(ocFieldTLS).Description("TLS for TCPS without a wallet."),
		).Description("The connection to the database.").Advanced(),
	}
}

func captureFields() []*service.ConfigField {
	return []*service.ConfigField{
		service.NewStringField(ocFieldTopicPrefix).
			Description("Logical name of the server: first part of topics, `source.name`, key of position and schema records.").
			LintRule(`root = if !this.re_match("^[A-Za-z0-9._-]+$") { ["topic_prefix may hold letters, digits, dot, underscore and hyphen only"] }`),
		service.NewStringListField(ocFieldInclude).
			Description("Tables to capture: RE2 patterns that match the whole name `PDB.OWNER.TABLE`; one that matches `OWNER.TABLE` counts too.").
			Example([]any{`FREEPDB1\.APP\..*`}).LintRule(patternList(ocFieldInclude)),
		service.NewStringListField(ocFieldExclude).Description("Patterns taken away from `include`. Oracle's own schemas are always out.").Default([]any{}).
			LintRule(patternList(ocFieldExclude)),
		service.NewBoolField(ocFieldCaseSensitive).Description("Patterns see quoted lower-case names exactly.").Default(false).Advanced(),
		service.NewBoolField(ocFieldAllowNoTables).Description("Start although `include` matches no table yet.").Default(false).Advanced(),
		usersField(),
		enumField(ocFieldSupplementalLogging, "all", "all", "key").
			Description("The least supplemental logging that a captured table must have. `all`: full row images, and a column missing from the redo stops capture. `key`: partial images are accepted; columns that were not logged are null, so a sink must merge and not replace. A row whose key changes while a snapshot reads its table is read again as of its commit, so that its create record is whole; where that is not possible its columns are unavailable, and an ops event `row-incomplete` says so.").Advanced(),
		columnsField(),
		keyField(),
		service.NewObjectField(ocFieldMining,
			positiveDurationField(ocFieldMining+"."+ocFieldPollInterval, "500ms", "Time between two mining steps when caught up. Each step writes to the alert log."),
			durationField(ocFieldMining+"."+ocFieldIdleInterval, "3s", "Longest wait between two steps on a quiet database."),
			service.NewIntField(ocFieldMaxLogsPerStep).
				Description("Upper bound of redo logs in a step while catching up. A step begins with one, and their number doubles while steps succeed.").Default(8).
				LintRule(`root = if this < 1 || this > 1000 { ["mining.max_logs_per_step must be 1 to 1000"] }`).Advanced(),
			durationField(ocFieldMining+"."+ocFieldHoldBack, "0s", "Age that the end of a step must have before it is used, for redo that is written late. `0s`: 100 ms."),
			positiveDurationField(ocFieldMining+"."+ocFieldQueryTimeout, "10m", "Longest time in which a step gets no row of any kind. Then it is dropped and tried again with half as many logs; three times in a row on one log: CDC-4003. Must be below `connection.read_timeout`."),
			service.NewIntField(ocFieldMaxStepRetries).
				Description("Failures of one step in a row that mining again may cure; beyond it capture stops with CDC-1002, or the code of the failure.").Default(20).
				LintRule(`root = if this < 1 || this > 1000 { ["mining.max_step_retries must be 1 to 1000"] }`).Advanced(),
			service.NewIntField(ocFieldFetchRows).Description("Rows per round trip.").Default(2000).
				LintRule(`root = if this < 26 || this > 65535 { ["mining.fetch_rows must be 26 to 65535"] }`),
		).Description("How often and how the redo is mined.").Advanced(),
		enumField(ocFieldBulkDDL, "event", "event", "snapshot", "stop").Advanced().
			Description("A DDL that changes rows of a captured table without row events: TRUNCATE, DROP or EXCHANGE of partitions, and with `key.missing: rowid` what gives rows other ROWIDs, such as MOVE; and one that gives the name of a captured table to another one, by RENAME or by making it again. `event`: an ops event `bulk-ddl` and a warning in the log; consumers hold rows that the table has no more, unless `records.truncates` tells them of a TRUNCATE. `snapshot`: also, the table is read anew, so that consumers get the rows that it has; those that it has no more stay with them. `stop`: capture stops with CDC-6002."),
		enumField(ocFieldNoLogging, "event", "event", "stop").Advanced().
			Description("A change of blocks that left no redo, such as a direct-path load in NOLOGGING mode, in a tablespace where captured tables live: its rows are in no record, and the database says no more of it than the tablespace, the time and the SCN (`V$DATAFILE.UNRECOVERABLE_CHANGE#`, looked at every minute and at the start). `event`: an ops event `nologging` and a warning in the log, which name the tables that live there. `stop`: capture stops with CDC-2001 behind what committed before it, or, where it had passed that SCN within the minute, at once; a restart with `event` goes on."),
		service.NewObjectField(ocFieldRawDecode,
			service.NewStringListField(ocFieldExcept).
				Description("Patterns of tables whose rows are not decoded so: their steps are mined again with a copy of the dictionary from the redo (`dictionary`), or capture stops with CDC-6001.").
				Default([]any{}).LintRule(patternList(ocFieldRawDecode+"."+ocFieldExcept)),
		).Description("Rows that were written before a DDL on their table and are mined after it: LogMiner shows the numbers of their columns and Oracle's stored bytes. They are decoded with the layout that the table had then, where that is certain; otherwise the step is mined again with a copy of the dictionary from the redo, where there is one (`dictionary`), else capture stops with CDC-6001.").Advanced(),
		dictionaryField(),
		service.NewObjectField(ocFieldTransactions,
			sizeField(ocFieldTransactions+"."+ocFieldMemory, "256MiB", "Memory for staged rows and open transactions together. Beyond it capture stops with CDC-4001."),
		).Description("Transactions that are open."),
		snapshotField(),
		signalsField(),
	}
}

func recordFields() []*service.ConfigField {
	return []*service.ConfigField{
		service.NewObjectField(ocFieldRecords,
			enumField(ocFieldRecords+"."+ocFieldProfile, "cdc", "cdc", "debezium").
				Description("Record format. `debezium` equals the records of Debezium's Oracle connector byte for byte, names of topics and schemas included, except that no value is invented and none is lost quietly: NULL is never replaced by the column's default, a value that is missing by no fallback, and one that cannot be converted stops capture."),
			encodingField(ocFieldRecords+"."+ocFieldEncoding, "json", "json", "json_schema").
				Description("Encoding of values. `json`: the record alone. `json_schema`: the object of `schema` and `payload` that Kafka Connect's JSON converter writes with `schemas.enable`."),
			encodingField(ocFieldRecords+"."+ocFieldKeyEncoding, "", "", "json", "json_schema").Description("Encoding of keys. Empty: as `encoding`.").Advanced(),
			enumField(ocFieldRecords+"."+ocFieldDecimals, "precise", "precise", "string", "double").
				Description("NUMBER and FLOAT. `precise`: whole numbers of up to 18 digits as numbers, others as Base64 of the unscaled value. `string`: plain decimal digits as text. `double`: the nearest 64-bit number, which loses digits beyond about 15."),
			enumField(ocFieldRecords+"."+ocFieldTemporals, "adaptive", "adaptive", "iso_string", "connect", "microseconds", "nanoseconds", "isostring", "structured").
				Description("DATE and TIMESTAMP. `adaptive`: milliseconds, microseconds or nanoseconds since 1970, by the column's precision. `iso_string` (profile `cdc`): ISO 8601 text without a zone; intervals are ISO 8601 durations then. Profile `debezium`: `connect`: milliseconds, finer digits cut off; `microseconds`; `nanoseconds`; `isostring`: ISO 8601 text with `Z`; `structured`: the calendar fields, also of intervals."),
			enumField(ocFieldRecords+"."+ocFieldIntervals, "numeric", "numeric", "string").
				Description("INTERVAL columns. `numeric`: microseconds, a month counted as 365.25 / 12 days. `string`: ISO 8601 durations such as `P1Y2M0DT0H0M0S`."),
			enumField(ocFieldRecords+"."+ocFieldBinary, "bytes", "bytes", "base64", "base64_url_safe", "hex").
				Description("RAW and BLOB. `bytes` and `base64` look the same in JSON.").Advanced(),
			service.NewBoolField(ocFieldTombstones).Description("A record with a null value after each delete that has a key.").Default(true),
			service.NewBoolField(ocFieldTruncates).
				Description("A record with operation `t`, without key and images, for TRUNCATE of a captured table.").Default(false).Advanced(),
			service.NewBoolField(ocFieldSkipUnchanged).
				Description("Leave out updates that give no column of the record another value: those of excluded columns alone, and those that set what was there. They do not count in `event_index`, `event_count` and the transaction block. What the redo does not hold may have changed, so that such an update stays.").Default(false).Advanced(),
			service.NewBoolField(ocFieldNullAsDefault).
				Description("Write a NULL of a column with a literal default as that default, as Kafka Connect's JSON converter does unless it is told otherwise. A NULL is not to be told from that default then, hence not by default.").Default(false).Advanced(),
			enumField(ocFieldRecords+"."+ocFieldSchemaNames, "none", "none", "avro", "avro_unicode").
				Description("What becomes of characters in the names of a table's schemas that Avro does not allow. `avro`: an underscore. `avro_unicode`: `_u` and the hexadecimal code. Topics keep their names."),
			enumField(ocFieldRecords+"."+ocFieldFieldNames, "none", "none", "avro", "avro_unicode").
				Description("The same for the fields of keys and rows. Two columns that become one field stop capture with CDC-6004; `avro_unicode` of profile `cdc` never does that."),
			service.NewStringField(ocFieldPlaceholder).Description("Stands for a text or binary value that the redo does not hold. Empty: `__cdc_unavailable_value`, with profile `debezium` `__debezium_unavailable_value`.").Default("").Advanced(),
			service.NewBoolField(ocFieldContextHeaders).Description("Headers `__debezium.context.*`; profile `debezium` only.").Default(true).Advanced(),
			service.NewBoolField(ocFieldRedoSQL).Description("The text of the change in the redo as `source.redo_sql`; profile `debezium` only. It carries row values.").Default(false).Advanced(),
			flatField(),
		).Description("The form of records."),
		service.NewObjectField(ocFieldTopics,
			service.NewStringField(ocFieldTemplate).Description("Topic of a table, made of `{prefix}`, `{pdb}`, `{database}`, `{schema}` and `{table}`. Empty: `{prefix}.{pdb}.{schema}.{table}`, without the PDB when there is none; with profile `debezium` `{prefix}.{schema}.{table}`.").Default("").
				LintRule(`root = if this.re_replace_all("\\{(prefix|pdb|database|schema|table)\\}", "").re_match("[{}]") { ["topics.template knows {prefix}, {pdb}, {database}, {schema} and {table} only"] }`),
			service.NewStringField(ocFieldHeartbeat).Description("Topic of heartbeats. Empty: `{prefix}.cdc.heartbeat`, with profile `debezium` `__debezium-heartbeat.{prefix}`.").Default(""),
			service.NewStringField(ocFieldOps).Description("Topic of events about the connector itself: starts, stops, DDL seen, lost connections, dead letters.").Default("{prefix}.cdc.ops"),
			service.NewStringField(ocFieldDeadLetters).Description("Topic of dead letters, with `on_decode_error: dlq`.").Default("{prefix}.cdc.dlq"),
			service.NewStringField(ocFieldSignals).Description("Topic that signals are read from, with `signals.kafka`. Empty: `{prefix}.cdc.signals`, with profile `debezium` `{prefix}-signal`.").Default("").Advanced(),
			service.NewStringField(ocFieldTransactions).Description("Topic of BEGIN and END records, with `emit.transactions`. Empty: `{prefix}.cdc.transactions`, with profile `debezium` `{prefix}.transaction`.").Default(""),
			service.NewStringField(ocFieldSchemaChanges).Description("Topic of schema changes, with `emit.schema_changes`. Empty: `{prefix}.cdc.schema_changes`, with profile `debezium` `{prefix}`. `kafka_franz` creates it with one partition, so that schema changes keep their order.").Default(""),
			service.NewStringField(ocFieldSchema).Description("Compacted topic of schema versions.").Default("{prefix}.cdc.schema"),
			service.NewStringField(ocFieldPositionTopic).Description("Compacted topic of the position, one partition.").Default("{prefix}.cdc.position"),
			service.NewIntField(ocFieldReplicationFactor).Description("Replication factor of the internal topics; -1 is the broker's default.").Default(-1).
				LintRule(`root = if this != -1 && (this < 1 || this > 32767) { ["topics.internal_replication_factor must be -1 or at least 1"] }`),
		).Description("Names of topics.").Advanced(),
		service.NewObjectField(ocFieldEmit,
			durationField(ocFieldEmit+"."+ocFieldHeartbeatInterval, "10s", "How often a heartbeat carries the position through a quiet stream. `0s`: only the one at start."),
			enumField(ocFieldEmit+"."+ocFieldHeartbeats, "auto", "auto", "always", "never").Description("Heartbeats as messages. `auto`: only in front of the `kafka_franz` output of this distribution.").Advanced(),
			enumField(ocFieldEmit+"."+ocFieldOps, "auto", "auto", "always", "never").Description("Ops events as messages. `auto`: only in front of the `kafka_franz` output of this distribution. Where they are no messages they are logged. `always` is what `on_decode_error: dlq` needs in front of another output, which then has to send messages where their metadata `kafka_topic` says.").Advanced(),
			service.NewBoolField(ocFieldTransactions).Description("A BEGIN record before the first change of a transaction and an END record, with the number of changes by table, behind its last, as Debezium's transaction metadata. With profile `debezium` records then have the transaction block.").Default(false).Advanced(),
			service.NewBoolField(ocFieldSchemaChanges).Description("A record for each DDL on a captured table (CREATE, ALTER, DROP, RENAME, TRUNCATE), in order with the changes: behind what committed before it, in front of the first row of the new layout. It has the form of Debezium's schema changes: the statement, and the layout of the table behind it.").Default(false).Advanced(),
		).Description("Messages beside the changes."),
		service.NewStringListField(ocFieldMetadata).
			Description("Metadata set on every message; each beyond five costs.").
			Default([]any{"kafka_topic", "kafka_key", "operation", "database_schema", "table_name"}).
			LintRule(oneOfList("metadata", metadataKeys)).Advanced(),
	}
}

// flatField is the unwrapped form. Names of members are checked by the constructor, which knows what the profile has.
func flatField() *service.ConfigField {
	const names = "`op`, `ts_ms` and the other members of the envelope; `table`, `scn` and the other members of `source`, also as `source.scn`; `id`, `total_order` and `data_collection_order` of `transaction`, also as `transaction.id`. The name is that with `__` before it and `_` for the dot, or what follows a colon: `op:ACTION` is `__ACTION`."
	return service.NewObjectField(ocFieldFlat,
		service.NewBoolField(ocFieldEnabled).Description("Write rows without the envelope. Keys, topics and the headers of the profile stay as they are.").Default(false),
		enumField(ocFieldRecords+"."+ocFieldFlat+"."+ocFieldDeletes, "tombstone", "tombstone", "drop", "rewrite").
			Description("What a delete is. `tombstone`: one record with the key and a null value; a table without a key is refused (CDC-5003). `drop`: no record, and it does not count in `event_index` and `event_count`; a change of the key leaves the row of the old key behind. `rewrite`: the old row with the field `__deleted` of text `true`; every other record has `false` in it, and no tombstone follows."),
		service.NewStringListField(ocFieldAddFields).
			Description("Members of the envelope that each record has as fields behind its row: "+names+" A column of that name stops capture with CDC-6004.").
			Example([]any{"op", "table", "source.scn"}).Default([]any{}).LintRule(addedList(ocFieldRecords+"."+ocFieldFlat+"."+ocFieldAddFields)),
		service.NewStringListField(ocFieldAddHeaders).
			Description("The same as Kafka headers, of tombstones too: text as it is, numbers as digits, null as a header without a value.").
			Default([]any{}).LintRule(addedList(ocFieldRecords+"."+ocFieldFlat+"."+ocFieldAddHeaders)),
	).Description("Records without the envelope: the row after the change, as Debezium's transformation ExtractNewRecordState writes it.").Advanced()
}

// addedList refuses what is no name of a member. The runtime asks it for the list and for each element.
func addedList(name string) string {
	return fmt.Sprintf(`root = if this.type() == "string" && !this.re_match("^(source\\.|transaction\\.)?[a-z][A-Za-z_]*(:[A-Za-z_][A-Za-z0-9_]*)?$") { ["%s does not know " + this + "; it takes op, table, source.scn, transaction.id and the like, each with :NAME for another name"] }`, name)
}

func positionFields() []*service.ConfigField {
	return []*service.ConfigField{
		kafka.Block("Brokers for position and schema topics. The processor and the Kafka output take them over when they name none."),
		service.NewObjectField(ocFieldPosition,
			enumField(ocFieldPosition+"."+ocFieldStore, "", "", "kafka", "cache", "file").Description("Where the position is kept. Empty: Kafka with brokers, else the cache with `checkpoint_cache`, else the file."),
			service.NewStringField(ocFieldFile).Description("Path of the position file; written to a new file, synced, renamed.").Default(""),
			durationField(ocFieldPosition+"."+ocFieldInterval, "1s", "The position is written at most once in this time."),
		).Description("Where the position is kept.").Advanced(),
		service.NewStringField(ocFieldCheckpointCache).
			Description("Label of the cache resource that keeps the position. It must keep items for ever and over a restart: a cache that forgets (`memory`, `lru`, a time to live, an eviction) makes the next start begin with what commits from then on, and what committed in between is lost.").Default(""),
		service.NewStringField(ocFieldCheckpointCacheKey).
			Description("Key of the item in the cache. Empty: `oracle_cdc.{prefix}` with `topic_prefix` in the place of `{prefix}`.").Default("").Advanced(),
	}
}

func flowFields() []*service.ConfigField {
	return []*service.ConfigField{
		enumField(ocFieldOnDecodeError, "fail", "fail", "dlq").
			Description("What becomes of a committed change that cannot be decoded or published (CDC-3001). `fail`: capture stops at it. `dlq`: its row goes to `topics.dead_letters` in its place, with an ops event, and capture goes on; whoever reads the records lacks that change. Corruption, missing SCNs, missing logging and a missing dictionary stop capture either way."),
		enumField(ocFieldOnStop, "exit", "exit", "hold").
			Description("What a typed stop does. `exit`: the process ends with code 3. `hold`: it stays up and not ready, and the database is not touched again."),
		service.NewObjectField(ocFieldRetry,
			durationField(ocFieldRetry+"."+ocFieldMaxTime, "24h", "How long an unreachable database, broker or cache is tried again; then capture stops, with CDC-1001 for the database."),
			positiveDurationField(ocFieldRetry+"."+ocFieldInitialInterval, "500ms", "First wait between two attempts; it doubles."),
			positiveDurationField(ocFieldRetry+"."+ocFieldMaxInterval, "30s", "Longest wait between two attempts."),
		).Description("Errors that may pass.").Advanced(),
		service.NewBoolField(ocFieldLogRowValues).Description("Allow SQL text with row values in errors.").Default(false).Advanced(),
		service.NewObjectField(ocFieldBatching,
			service.NewIntField(ocFieldCount).Description("Messages of a batch.").Default(2000).LintRule(`root = if this < 1 { ["batching.count must be at least 1"] }`),
			service.NewIntField(ocFieldByteSize).Description("Bytes of a batch.").Default(1048576).LintRule(`root = if this < 1 { ["batching.byte_size must be at least 1"] }`),
			durationField(ocFieldBatching+"."+ocFieldPeriod, "50ms", "Age at which a batch is handed on; it ends earlier when the redo has no more."),
		).Description("Batches to the pipeline."),
		service.NewIntField(ocFieldCheckpointLimit).Description("Messages handed out and not acknowledged; at the limit reading waits.").
			Default(20000).LintRule(`root = if this < 1 { ["checkpoint_limit must be at least 1"] }`).Advanced(),
	}
}

// The helpers below take the whole path of a field, which their rules name: the runtime tells the line only.

// named gives the name of a field inside its block.
func named(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// durationField refuses what is no duration, or a negative one, at lint time and not only in the constructor (reference benthos 3).
func durationField(path, value, text string) *service.ConfigField {
	return service.NewDurationField(named(path)).Default(value).Description(text).Advanced().
		LintRule(fmt.Sprintf(`root = if this.string().parse_duration().catch(-1) < 0 { ["%s must be a duration such as %s"] }`, path, value))
}

// positiveDurationField is a durationField that refuses zero as well.
func positiveDurationField(path, value, text string) *service.ConfigField {
	return service.NewDurationField(named(path)).Default(value).Description(text).Advanced().
		LintRule(fmt.Sprintf(`root = if this.string().parse_duration().catch(0) <= 0 { ["%s must be a duration above zero such as %s"] }`, path, value))
}

func sizeField(path, value, text string) *service.ConfigField {
	return service.NewStringField(named(path)).Description(text).Default(value).
		LintRule(fmt.Sprintf(`root = if !this.re_match("^[0-9]+ ?([KMGT]i?)?B?$") || this.re_match("^0+[^0-9]*$") { ["%s must be a size such as %s"] }`, path, value))
}

// enumField refuses an unknown value at lint time and names the values.
func enumField(path, value string, values ...string) *service.ConfigField {
	return service.NewStringEnumField(named(path), values...).Default(value).
		LintRule(fmt.Sprintf(`root = if !%s.contains(this) { ["%s must be one of %s"] }`, quoted(values), path, listed(values)))
}

// encodingField refuses avro as something that is still to come.
func encodingField(path, value string, values ...string) *service.ConfigField {
	return service.NewStringEnumField(named(path), values...).Default(value).
		LintRule(fmt.Sprintf(`root = if this == "avro" { ["%s avro comes with a later version; use json or json_schema"] } else if !%s.contains(this) { ["%s must be one of %s"] }`,
			path, quoted(values), path, listed(values)))
}

// oneOfList is the rule of a list field; the runtime asks it for the list and for each element.
func oneOfList(name string, values []string) string {
	return fmt.Sprintf(`root = if this.type() == "string" && !%s.contains(this) { ["%s does not know " + this + "; it knows %s"] }`,
		quoted(values), name, listed(values))
}

// patternList refuses what is no expression. The runtime asks it for the list and for each element.
func patternList(name string) string {
	return fmt.Sprintf(`root = if this.type() == "string" && "".re_match(this).catch("no") == "no" { ["%s: " + this + " is no RE2 expression"] }`, name)
}

func quoted(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strconv.Quote(v)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func listed(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		if v == "" {
			v = "empty"
		}
		out[i] = v
	}
	return strings.Join(out, ", ")
}

const smallestExample = `
input:
  oracle_cdc:
    connection_string: oracle://c%23%23cdc:${CDC_PASSWORD}@db:1521/FREE
    topic_prefix: shop
    include: ['FREEPDB1\.APP\..*']
    kafka: {seed_brokers: ["kafka:9092"]}
pipeline: {processors: [{oracle_schema: {}}]}
output: {kafka_franz: {}}
`

const description = `
Reads redo through DBMS_LOGMNR from the CDB root and emits every committed change of the captured tables, whole transactions in
order of their commit SCN. Nothing is written to the database, but for copies of its dictionary in the redo where that is allowed (` + "`dictionary`" + `).

### Delivery guarantees

The stored position only ever covers what the output acknowledged. After a kill, a restart or a nack, capture goes on from there: each
change is delivered at least once. ` + "`cdc.xid` and `cdc.event_index`" + ` in the record's headers identify a change, so that repeats can be dropped.

Order is kept with one batch in flight at the output and processors under ` + "`input.processors`" + ` or with ` + "`pipeline.threads: 1`" + `
(the default of this distribution; in streams mode every stream must say so, since the runtime's own default holds there). More threads are
refused with CDC-5003, and so is a ` + "`buffer`" + `: it acknowledges what the output has not written yet, and loses it at a kill. In streams mode
neither is seen before it does harm.

### A stop

What the input does not understand stops it with a code, CDC-nnnn, that says what to do; nothing is skipped.
`
