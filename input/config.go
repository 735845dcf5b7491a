package input

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/google/uuid"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/config/kafka"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/debezium"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/positionstore"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

// config is a parsed and checked configuration.
type config struct {
	engine   engine.Config
	metadata []string

	prefix            string
	kafka             topicstore.Connection
	internal          naming.Internal
	replicationFactor int
	store, file       string
	cache, cacheKey   string
	positionInterval  time.Duration
	heartbeats, ops   string
	hold              bool
	checkpointLimit   int
	fs                *service.FS
	caches            positionstore.Caches
	log               *service.Logger
}

// holdBack is what mining.hold_back 0s means with one redo thread (R1).
const holdBack = 100 * time.Millisecond

func parseConfig(conf *service.ParsedConfig, res *service.Resources) (*config, error) {
	p := &parser{conf: conf, version: conf.EngineVersion()}
	c := &config{
		prefix:            p.text(ocFieldTopicPrefix),
		metadata:          p.list(ocFieldMetadata),
		replicationFactor: p.number(ocFieldTopics, ocFieldReplicationFactor),
		store:             p.text(ocFieldPosition, ocFieldStore),
		file:              p.text(ocFieldPosition, ocFieldFile),
		cache:             p.text(ocFieldCheckpointCache),
		cacheKey:          p.text(ocFieldCheckpointCacheKey),
		positionInterval:  p.duration(ocFieldPosition, ocFieldInterval),
		heartbeats:        p.text(ocFieldEmit, ocFieldHeartbeats),
		ops:               p.text(ocFieldEmit, ocFieldOps),
		hold:              p.text(ocFieldOnStop) == "hold",
		checkpointLimit:   p.number(ocFieldCheckpointLimit),
		fs:                res.FS(),
		caches:            res,
		log:               res.Logger(),
	}
	c.engine = p.engine()
	if p.err != nil {
		return nil, p.err
	}
	var err error
	if c.kafka, err = kafka.Connection(conf.Namespace(ocFieldKafka), res.Logger()); err != nil {
		return nil, fmt.Errorf("%s: %w", ocFieldKafka, err)
	}
	if c.internal, err = p.internal(&c.engine); err != nil {
		return nil, err
	}
	c.engine.Internal = c.internal
	if err := c.connectSignals(p.yes(ocFieldSignals, ocFieldKafka)); err != nil {
		return nil, err
	}
	c.engine.Versions = c.readVersions()
	if err := c.together(); err != nil {
		return nil, err
	}
	if err := c.chooseStore(); err != nil {
		return nil, err
	}
	return c, c.engine.Oracle.Validate()
}

// together refuses what does not fit together, as the lint does.
func (c *config) together() error {
	switch {
	case c.engine.Oracle.ReadTimeout <= c.engine.QueryTimeout:
		return errors.New("connection.read_timeout must exceed mining.query_timeout")
	case c.engine.Retry.InitialInterval > c.engine.Retry.MaxInterval:
		return errors.New("retry.initial_interval must not exceed retry.max_interval")
	}
	return together(&c.engine)
}

// together refuses records that do not fit what the redo holds.
func together(c *engine.Config) error {
	if r := c.Records; r.Profile.Name == "debezium" && r.Encoding == debezium.JSONSchema && c.Logging == schema.LoggingKey {
		return errors.New("records.profile debezium with encoding json_schema needs supplemental_logging all")
	}
	return nil
}

// chooseStore finds a place for the position; without one the input does not start, since it would begin "from now" at every
// start.
func (c *config) chooseStore() error {
	if c.store == "" {
		switch {
		case len(c.kafka) > 0:
			c.store = "kafka"
		case c.cache != "":
			c.store = "cache"
		case c.file != "":
			c.store = "file"
		}
	}
	switch {
	case c.store == "kafka" && len(c.kafka) == 0:
		return errors.New("position.store kafka needs kafka.seed_brokers")
	case c.store == "file" && c.file == "":
		return errors.New("position.store file needs position.file")
	case c.store == "cache" && c.cache == "":
		return errors.New("position.store cache needs checkpoint_cache")
	case c.store == "":
		return errors.New("no place for the position: set kafka.seed_brokers, checkpoint_cache or position.file")
	}
	if c.cacheKey == "" {
		c.cacheKey = "oracle_cdc." + c.prefix
	}
	return nil
}

func (c *config) openStore(ctx context.Context) (positionstore.Store, error) {
	switch c.store {
	case "kafka":
		return positionstore.OpenKafka(ctx, positionstore.KafkaConfig{
			Connection: c.kafka, Topic: c.internal.Position, Prefix: c.prefix,
			ReplicationFactor: int16(c.replicationFactor), //nolint:gosec // checked by lint
		})
	case "cache":
		return positionstore.OpenCache(positionstore.CacheConfig{
			Caches: c.caches, Label: c.cache, Key: c.cacheKey, Forgotten: c.forgotten,
		})
	}
	return positionstore.OpenFile(c.file)
}

// forgotten warns of a cache that does not keep the position; it is there again at once, since capture goes on.
func (c *config) forgotten() {
	c.log.Warnf("The cache resource %s forgot the position, which is stored again: it expires or evicts items, or somebody removed it. "+
		"A restart would have begun with what commits from then on; use a cache that keeps items", c.cache)
}

// shared is what processor and output take over.
func (c *config) shared() rendezvous.Settings {
	return rendezvous.Settings{
		Prefix: c.prefix, Kafka: c.kafka, SchemaTopic: c.internal.Schema, ReplicationFactor: c.replicationFactor,
		Hold: c.hold,
	}
}

// parser reads fields and keeps the first error.
type parser struct {
	conf *service.ParsedConfig
	// version is that of the program, which becomes source.version.
	version string
	err     error
}

func field[T any](p *parser, read func(path ...string) (T, error), path []string) T {
	v, err := read(path...)
	if err != nil && p.err == nil {
		p.err = err
	}
	return v
}

func (p *parser) text(path ...string) string   { return field(p, p.conf.FieldString, path) }
func (p *parser) list(path ...string) []string { return field(p, p.conf.FieldStringList, path) }
func (p *parser) number(path ...string) int    { return field(p, p.conf.FieldInt, path) }
func (p *parser) yes(path ...string) bool      { return field(p, p.conf.FieldBool, path) }

func (p *parser) duration(path ...string) time.Duration {
	d := field(p, p.conf.FieldDuration, path)
	if d < 0 && p.err == nil {
		p.err = fmt.Errorf("%s must not be negative", path[len(path)-1])
	}
	return d
}

func (p *parser) positiveDuration(path ...string) time.Duration {
	d := p.duration(path...)
	if d == 0 && p.err == nil {
		p.err = fmt.Errorf("%s must be above zero", path[len(path)-1])
	}
	return d
}

func (p *parser) count(path ...string) int {
	n := p.number(path...)
	if n < 1 && p.err == nil {
		p.err = fmt.Errorf("%s must be at least 1", path[len(path)-1])
	}
	return n
}

func (p *parser) size(path ...string) int64 {
	return field(p, func(path ...string) (int64, error) {
		text, err := p.conf.FieldString(path...)
		if err != nil {
			return 0, err
		}
		n, err := humanize.ParseBytes(text)
		if err != nil || n == 0 || n > 1<<62 {
			return 0, fmt.Errorf("%s must be a size such as 256MiB", path[len(path)-1])
		}
		return int64(n), nil
	}, path)
}

// pdbs gives the containers named; pdb_name is the short form for one.
func (p *parser) pdbs() []string {
	names, one := p.list(ocFieldPDBs), p.text(ocFieldPDBName)
	switch {
	case one == "":
		return names
	case len(names) > 0 && p.err == nil:
		p.err = errors.New("pdb_name and pdbs exclude each other")
	}
	return []string{one}
}

// published gives what decides which messages become of which rows: capture and replay share it.
func (p *parser) published() engine.Config {
	selection, err := naming.NewSelection(p.list(ocFieldInclude), p.list(ocFieldExclude), p.yes(ocFieldCaseSensitive))
	if err != nil && p.err == nil {
		p.err = err
	}
	columns := p.columns()
	records := p.records(columns)
	template, err := naming.ParseTemplate(p.text(ocFieldTopics, ocFieldTemplate))
	if p.text(ocFieldTopics, ocFieldTemplate) == "" {
		template, err = naming.ProfileTemplate(records.Profile.Template)
	}
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%s.%s: %w", ocFieldTopics, ocFieldTemplate, err)
	}
	except, err := naming.NewSelection(p.list(ocFieldRawDecode, ocFieldExcept), nil, p.yes(ocFieldCaseSensitive))
	if err != nil && p.err == nil {
		p.err = fmt.Errorf("%s.%s: %w", ocFieldRawDecode, ocFieldExcept, err)
	}
	return engine.Config{
		PDBs:           p.pdbs(),
		Selection:      selection,
		ExcludeUsers:   p.users(),
		Logging:        schema.Logging(p.text(ocFieldSupplementalLogging)),
		Columns:        columns,
		Keys:           p.keys(),
		NumberedExcept: except,
		KeyMissing:     engine.KeyMissing(p.text(ocFieldKey, ocFieldKeyMissing)),
		Memory:         p.size(ocFieldTransactions, ocFieldMemory),
		Template:       template,
		LogRowValues:   p.yes(ocFieldLogRowValues),
		SkipUnchanged:  p.yes(ocFieldRecords, ocFieldSkipUnchanged),
		Defaults:       records.NullAsDefault || slices.Contains([]string{p.text(ocFieldRecords, ocFieldEncoding), p.text(ocFieldRecords, ocFieldKeyEncoding)}, "json_schema"),
		Truncates:      p.yes(ocFieldRecords, ocFieldTruncates),
		StopAtBulkDDL:  p.text(ocFieldBulkDDL) == "stop",
		ReadAtBulkDDL:  p.text(ocFieldBulkDDL) == "snapshot",
		Records:        records,
	}
}

// engine gives the whole configuration of the engine.
func (p *parser) engine() engine.Config {
	c := p.published()
	c.Run = uuid.NewString()
	c.Records.Run = c.Run
	c.Oracle = p.oracle()
	c.Builds = p.builds()
	c.AllowNoTables = p.yes(ocFieldAllowNoTables)
	c.PollInterval = p.duration(ocFieldMining, ocFieldPollInterval)
	c.IdleInterval = p.duration(ocFieldMining, ocFieldIdleInterval)
	c.HoldBack = cmp.Or(p.duration(ocFieldMining, ocFieldHoldBack), holdBack)
	c.QueryTimeout = p.positiveDuration(ocFieldMining, ocFieldQueryTimeout)
	c.MaxLogsPerStep = p.count(ocFieldMining, ocFieldMaxLogsPerStep)
	c.BatchCount = p.number(ocFieldBatching, ocFieldCount)
	c.BatchBytes = p.number(ocFieldBatching, ocFieldByteSize)
	c.BatchPeriod = p.duration(ocFieldBatching, ocFieldPeriod)
	c.HeartbeatInterval = p.duration(ocFieldEmit, ocFieldHeartbeatInterval)
	c.Snapshot = p.snapshot()
	c.Terminal = terminal()
	if c.SchemaChanges = p.yes(ocFieldEmit, ocFieldSchemaChanges); c.SchemaChanges {
		c.Defaults = true // they are in the layouts
	}
	if c.Signals = p.signals(); c.Signals.Table.Name != "" {
		c.Selection = c.Selection.Beside(c.Signals.Table)
	}
	c.StopAtNoLogging = p.text(ocFieldNoLogging) == "stop"
	c.DeadLetters = p.text(ocFieldOnDecodeError) == "dlq"
	c.Retry = engine.Retry{
		MaxTime: p.duration(ocFieldRetry, ocFieldMaxTime), InitialInterval: p.positiveDuration(ocFieldRetry, ocFieldInitialInterval),
		MaxInterval: p.positiveDuration(ocFieldRetry, ocFieldMaxInterval), MaxSteps: p.count(ocFieldMining, ocFieldMaxStepRetries),
	}
	c.Now = time.Now
	return c
}

// internal gives the names of the connector's own topics.
func (p *parser) internal(c *engine.Config) (naming.Internal, error) {
	names := naming.DefaultInternal()
	names.Heartbeat = cmp.Or(p.text(ocFieldTopics, ocFieldHeartbeat), c.Records.Profile.Heartbeat)
	names.Transactions = cmp.Or(p.text(ocFieldTopics, ocFieldTransactions), c.Records.Profile.Transactions)
	names.SchemaChanges = cmp.Or(p.text(ocFieldTopics, ocFieldSchemaChanges), c.Records.Profile.SchemaChanges)
	names.Signals = cmp.Or(p.text(ocFieldTopics, ocFieldSignals), c.Records.Profile.Signals)
	names.Ops = p.text(ocFieldTopics, ocFieldOps)
	names.DeadLetters = p.text(ocFieldTopics, ocFieldDeadLetters)
	names.Schema = p.text(ocFieldTopics, ocFieldSchema)
	names.Position = p.text(ocFieldTopics, ocFieldPositionTopic)
	return names.Resolve(c.Records.Server, "")
}

// records gives the form of records. A mode that the profile lacks is refused here too, for a lint that was skipped.
func (p *parser) records(hidden *naming.Columns) debezium.Settings {
	profile, known := debezium.ProfileOf(p.text(ocFieldRecords, ocFieldProfile))
	if !known {
		if p.err == nil {
			p.err = fmt.Errorf("%s.%s must be one of cdc, debezium", ocFieldRecords, ocFieldProfile)
		}
		profile = debezium.CDC()
	}
	s := debezium.Settings{
		Profile: profile, ConnectorVersion: p.version, Server: p.text(ocFieldTopicPrefix),
		Tombstones:     p.yes(ocFieldRecords, ocFieldTombstones),
		Encoding:       debezium.Encoding(p.text(ocFieldRecords, ocFieldEncoding)),
		KeyEncoding:    debezium.Encoding(p.text(ocFieldRecords, ocFieldKeyEncoding)),
		NullAsDefault:  p.yes(ocFieldRecords, ocFieldNullAsDefault),
		SchemaNames:    naming.Adjustment(p.text(ocFieldRecords, ocFieldSchemaNames)),
		FieldNames:     naming.Adjustment(p.text(ocFieldRecords, ocFieldFieldNames)),
		Placeholder:    p.text(ocFieldRecords, ocFieldPlaceholder),
		ContextHeaders: p.yes(ocFieldRecords, ocFieldContextHeaders),
		Redo:           p.yes(ocFieldRecords, ocFieldRedoSQL),
		Decimals:       debezium.Decimals(p.text(ocFieldRecords, ocFieldDecimals)),
		Temporals:      debezium.Temporals(p.text(ocFieldRecords, ocFieldTemporals)),
		Intervals:      debezium.Intervals(p.text(ocFieldRecords, ocFieldIntervals)),
		Binary:         debezium.Binary(p.text(ocFieldRecords, ocFieldBinary)),
	}
	s.Flat = p.flat()
	p.treat(&s, hidden)
	s.Propagate = p.propagate()
	s.Transactions = p.yes(ocFieldEmit, ocFieldTransactions)
	if err := s.Validate(); err != nil && p.err == nil {
		p.err = fmt.Errorf("%s: %w", ocFieldRecords, err)
	}
	return s
}

// flat gives the unwrapped form, nil where records have an envelope.
func (p *parser) flat() *debezium.Flat {
	f := &debezium.Flat{
		Deletes: debezium.Deletes(p.text(ocFieldRecords, ocFieldFlat, ocFieldDeletes)),
		Fields:  p.list(ocFieldRecords, ocFieldFlat, ocFieldAddFields),
		Headers: p.list(ocFieldRecords, ocFieldFlat, ocFieldAddHeaders),
	}
	if p.yes(ocFieldRecords, ocFieldFlat, ocFieldEnabled) {
		return f
	}
	if p.err == nil && (f.Deletes != debezium.DeleteTombstone || len(f.Fields)+len(f.Headers) > 0) {
		p.err = errors.New("records.flat has settings and is not enabled: set records.flat.enabled, or leave them out")
	}
	return nil
}

func (p *parser) oracle() oracle.Config {
	c := oracle.Config{
		ConnectionString: p.text(ocFieldConnectionString),
		Username:         p.text(ocFieldUsername),
		Password:         p.text(ocFieldPassword),
		WalletPath:       p.text(ocFieldWalletPath),
		WalletPassword:   p.text(ocFieldWalletPassword),
		ConnectTimeout:   p.duration(ocFieldConnection, ocFieldConnectTimeout),
		ReadTimeout:      p.duration(ocFieldConnection, ocFieldReadTimeout),
		KeepAlive:        p.duration(ocFieldConnection, ocFieldKeepAlive),
		FetchRows:        p.number(ocFieldMining, ocFieldFetchRows),
		Logons:           oracle.NewLogons(),
	}
	tls, enabled, err := p.conf.FieldTLSToggled(ocFieldConnection, ocFieldTLS)
	if err != nil && p.err == nil {
		p.err = err
	}
	if enabled {
		c.TLS = tls
	}
	return c
}
