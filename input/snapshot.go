package input

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/naming"
)

// snapshotModes are the values of snapshot.mode; those with another mode behind them are the names that users of Debezium and Redpanda
// know.
func snapshotModes() []string {
	return []string{
		string(engine.SnapshotInitial), string(engine.SnapshotNone), string(engine.SnapshotOnly), string(engine.SnapshotOnSignal),
		string(engine.SnapshotAlways), string(engine.SnapshotWhenNeeded),
		"schema_only", "no_data", "snapshot_and_stream", "initial_only",
	}
}

// snapshotMode gives the mode of a value.
func snapshotMode(text string) engine.SnapshotMode {
	switch text {
	case "schema_only", "no_data":
		return engine.SnapshotNone
	case "snapshot_and_stream":
		return engine.SnapshotInitial
	case "initial_only":
		return engine.SnapshotOnly
	}
	return engine.SnapshotMode(text)
}

func snapshotField() *service.ConfigField {
	return service.NewObjectField(ocFieldSnapshot,
		enumField(ocFieldSnapshot+"."+ocFieldMode, string(engine.SnapshotInitial), snapshotModes()...).
			Description("When rows that are there already are read, each as a record with operation `r`. `initial`: at the first start, while changes are captured. `none`: never; capture begins with what commits after the first start. `snapshot_only`: as `initial`, and the pipeline ends when everything is acknowledged; changes that commit meanwhile are delivered, since each chunk is of an SCN of its own. `on_signal`: only what is asked for. `always`: at every start of the process. `when_needed`: as `initial`, and again where the redo from the position on is gone; rows that were deleted in between stay with consumers. Also understood: `schema_only` and `no_data` (`none`), `snapshot_and_stream` (`initial`), `initial_only` (`snapshot_only`)."),
		service.NewIntField(ocFieldChunkRows).
			Description("Most rows that a connection reads at once. Changes that commit while rows are read wait until these are delivered; tables are cut fifty times finer, down to 1,000 rows, and as much is read at once as the pace so far lets through in a part of a second. A chunk that is too old for the database's undo (ORA-01555) is read again in halves, down to 1,000 rows; then capture stops with CDC-8001.").Default(100000).
			LintRule(`root = if this < 1000 || this > 100000000 { ["snapshot.chunk_rows must be 1000 to 100000000"] }`),
		service.NewIntField(ocFieldThreads).Description("Connections that read chunks.").Default(4).
			LintRule(`root = if this < 1 || this > 64 { ["snapshot.threads must be 1 to 64"] }`),
		service.NewIntField(ocFieldTables).Description("Tables that are read at the same time.").Default(1).
			LintRule(`root = if this < 1 || this > 64 { ["snapshot.tables must be 1 to 64"] }`).Advanced(),
		service.NewIntField(ocFieldMaxPendingChunks).Description("Chunks that are read and wait until capture has reached their SCN; one that is not full, as of a small table, counts by its rows. Their rows take at most half of `transactions.memory`, and count against it while changes wait to be handed over; chunks are made smaller where they would take more.").Default(8).
			LintRule(`root = if this < 1 || this > 1000 { ["snapshot.max_pending_chunks must be 1 to 1000"] }`).Advanced(),
		positiveDurationField(ocFieldSnapshot+"."+ocFieldMaxHold, "30s", "Longest time that changes wait for a chunk. Then it is given up and read again in halves."),
		positiveDurationField(ocFieldSnapshot+"."+ocFieldMaxLag, "60s", "No chunk is read while capture is further behind the database than this: it could not be delivered before capture gets there. Less than a second and three times `mining.poll_interval` counts as that."),
		service.NewIntField(ocFieldChunkRetries).Description("Failures of a chunk that reading it again may cure; then capture stops.").Default(5).
			LintRule(`root = if this < 0 || this > 1000 { ["snapshot.chunk_retries must be 0 to 1000"] }`).Advanced(),
		service.NewIntField(ocFieldFetchRows).Description("Rows per round trip.").Default(5000).
			LintRule(`root = if this < 26 || this > 65535 { ["snapshot.fetch_rows must be 26 to 65535"] }`).Advanced(),
		service.NewStringListField(ocFieldOrder).Description("Patterns of tables that are read first, in this order; the others follow by name.").
			Default([]any{}).LintRule(patternList(ocFieldSnapshot+"."+ocFieldOrder)).Advanced(),
		service.NewStringMapField(ocFieldConditions).
			Description("SQL conditions by table, `\"[PDB.]OWNER.TABLE\": condition`: rows that do not meet theirs are not read. Their later changes are captured all the same.").
			Example(map[string]any{"APP.ORDERS": "STATUS <> 'OLD'"}).Default(map[string]any{}).LintRule(tableTexts(ocFieldSnapshot+"."+ocFieldConditions)).Advanced(),
		service.NewStringMapField(ocFieldOverrides).
			Description("Whole queries by table, in the place of reading the table. Such a query says of which tables it reads the past, by `AS OF SCN :scn` behind them, and returns every key column under its name; captured columns that it leaves out are unavailable in the records. Its rows are read in one chunk, within `max_hold`. Not together with a condition.").
			Example(map[string]any{"APP.ORDERS": "SELECT * FROM APP.ORDERS AS OF SCN :scn WHERE REGION = 'EU'"}).Default(map[string]any{}).LintRule(tableTexts(ocFieldSnapshot+"."+ocFieldOverrides)).Advanced(),
		service.NewBoolField(ocFieldNewTables).Description("Read tables that appear later and may hold rows, such as those of CREATE TABLE AS SELECT.").Default(true).Advanced(),
	).Description("What is read of tables that hold rows already.")
}

// tableTexts is the rule of a map from tables to texts.
func tableTexts(name string) string {
	return fmt.Sprintf(`root = if this.type() == "object" { this.key_values().filter(e -> e.value.type() != "string" || e.value.trim() == "" || !e.key.contains(".")).map_each(e -> "%s: " + e.key + ": needs a table as OWNER.TABLE or PDB.OWNER.TABLE, and a text") }`, name)
}

// snapshot gives what snapshots need.
func (p *parser) snapshot() engine.SnapshotConfig {
	sensitive := p.yes(ocFieldCaseSensitive)
	c := engine.SnapshotConfig{
		Mode:       snapshotMode(p.text(ocFieldSnapshot, ocFieldMode)),
		ChunkRows:  p.count(ocFieldSnapshot, ocFieldChunkRows),
		Threads:    p.count(ocFieldSnapshot, ocFieldThreads),
		Tables:     p.count(ocFieldSnapshot, ocFieldTables),
		MaxPending: p.count(ocFieldSnapshot, ocFieldMaxPendingChunks),
		MaxHold:    p.positiveDuration(ocFieldSnapshot, ocFieldMaxHold),
		MaxLag:     p.positiveDuration(ocFieldSnapshot, ocFieldMaxLag),
		Retries:    p.number(ocFieldSnapshot, ocFieldChunkRetries),
		FetchRows:  p.number(ocFieldSnapshot, ocFieldFetchRows),
		NewTables:  p.yes(ocFieldSnapshot, ocFieldNewTables),
	}
	var err error
	if c.Order, err = naming.ParsePatterns(p.list(ocFieldSnapshot, ocFieldOrder), sensitive); err != nil && p.err == nil {
		p.err = fmt.Errorf("snapshot.order: %w", err)
	}
	if !slices.Contains(snapshotModes(), p.text(ocFieldSnapshot, ocFieldMode)) && p.err == nil {
		p.err = fmt.Errorf("snapshot.mode must be one of %s", listed(snapshotModes()))
	}
	c.Conditions = p.texts(ocFieldConditions, sensitive)
	c.Overrides = p.texts(ocFieldOverrides, sensitive)
	return c
}

// texts gives a map of the snapshot block.
func (p *parser) texts(name string, sensitive bool) *naming.Texts {
	t, err := naming.NewTexts(ocFieldSnapshot+"."+name, field(p, p.conf.FieldStringMap, []string{ocFieldSnapshot, name}), sensitive)
	if err != nil && p.err == nil {
		p.err = err
	}
	return t
}

// terminal gives where the progress of snapshots is shown: standard error, if the log, which goes to one of the two, goes to a terminal.
func terminal() io.Writer {
	if t := os.Getenv("TERM"); t == "" || t == "dumb" {
		return nil
	}
	for _, f := range [...]*os.File{os.Stdout, os.Stderr} {
		if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
			return nil
		}
	}
	return os.Stderr
}
