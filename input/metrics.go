package input

import (
	"sync/atomic"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Metric describes a metric of the input, for the reference pages.
type Metric struct {
	Name string
	// Kind is counter, gauge or timer; Label names the label that it has, if any.
	Kind, Label string
	Meaning     string
}

// Metrics lists what the input measures (contracts 7).
func Metrics() []Metric {
	return []Metric{
		{stepsTotal, "counter", "", "mining steps that succeeded; it grows at least every few seconds, also on a quiet database"},
		{stepSeconds, "timer", "", "duration of steps that succeeded"},
		{stepRetriesTotal, "counter", "", "steps that failed and are mined again"},
		{stepTimeoutsTotal, "counter", "", "those among them in which no row arrived for `mining.query_timeout`"},
		{reconnectsTotal, "counter", "", "attempts to reach a database that was lost"},
		{lagSeconds, "gauge", "", "age of the newest commit of the last step that had one, when the step was verified; 0 when nothing waits"},
		{minedSCN, "gauge", "", "SCN up to which the redo was mined"},
		{safeEndSCN, "gauge", "", "SCN up to which the redo could be mined when the last step was planned: the distance is what is still to be caught up"},
		{positionSCN, "gauge", "", "SCN at which a restart would begin; archived logs that end more than 10,000 SCNs below it are not needed any more"},
		{scnLag, "gauge", "", "mined SCN less position SCN"},
		{positionAgeSeconds, "gauge", "reason", "how long the position has been held: `unacknowledged`, by messages that the output does not acknowledge, also when it refuses them again and again; `open_transaction`, by the oldest open transaction with captured rows; 0 when by none"},
		{windowLogs, "gauge", "", "redo logs of the last step; many while catching up"},
		{rowsTotal, "counter", "", "rows that LogMiner returned"},
		{rowsUsedTotal, "counter", "", "rows of captured tables among them"},
		{excludedTransactionsTotal, "counter", "", "transactions of users in `exclude_users` of which rows of captured tables were left out"},
		{excludedRowsTotal, "counter", "", "rows of captured tables that were left out with them"},
		{noLoggingTotal, "counter", "", "changes without redo, such as loads in NOLOGGING mode, in tablespaces of captured tables: rows may be missing, see the ops events `nologging`"},
		{undoneTotal, "counter", "", "changes undone by a savepoint or a failed statement"},
		{transactionsTotal, "counter", "end", "transactions: `commit` with captured rows, `rollback` of any"},
		{openTransactions, "gauge", "", "open transactions with captured rows"},
		{oldestOpenSeconds, "gauge", "", "age of the first captured row of the oldest of them; 0 when there is none"},
		{bufferBytes, "gauge", "", "memory of staged rows and open transactions; the limit is `transactions.memory`"},
		{unacknowledgedMessages, "gauge", "", "messages handed out and not acknowledged; the limit is `checkpoint_limit`"},
		{heartbeatsTotal, "counter", "", "heartbeats handed out"},
		{rawDecodedTotal, "counter", "", "rows from before a DDL on their table, which LogMiner shows without names, that were decoded with the layout of their moment"},
		{lagReplaysTotal, "counter", "", "steps with rows from before a DDL that were mined again with a copy of the dictionary from the redo; many in a row mean that builds are too far apart"},
		{deadLettersTotal, "counter", "", "changes that could not be decoded or published and went to `topics.dead_letters`; each needs somebody"},
		{snapshotRowsTotal, "counter", "table", "rows of a table that a snapshot delivered"},
		{snapshotRemainingSeconds, "gauge", "table", "how long the rest of a table's snapshot may take; 0 when it is done or nobody knows"},
		{lateRowsTotal, "counter", "", "rows that LogMiner returned one step late and that still found their transaction open; worth a report when it grows"},
		{lateCommitsTotal, "counter", "", "commits that reached the redo after the step that covered their SCN, and were delivered; worth a report when it grows"},
	}
}

const (
	metricPrefix = "oracle_cdc_"

	stepsTotal         = metricPrefix + "steps_total"
	stepSeconds        = metricPrefix + "step_seconds"
	stepRetriesTotal   = metricPrefix + "step_retries_total"
	stepTimeoutsTotal  = metricPrefix + "step_timeouts_total"
	reconnectsTotal    = metricPrefix + "reconnects_total"
	lagSeconds         = metricPrefix + "lag_seconds"
	minedSCN           = metricPrefix + "mined_scn"
	safeEndSCN         = metricPrefix + "safe_end_scn"
	positionSCN        = metricPrefix + "position_scn"
	scnLag             = metricPrefix + "scn_lag"
	positionAgeSeconds = metricPrefix + "position_age_seconds"
	windowLogs         = metricPrefix + "window_logs"
	rowsTotal          = metricPrefix + "rows_total"
	rowsUsedTotal      = metricPrefix + "rows_used_total"
	undoneTotal        = metricPrefix + "undone_total"

	excludedTransactionsTotal = metricPrefix + "excluded_transactions_total"
	noLoggingTotal            = metricPrefix + "nologging_total"
	excludedRowsTotal         = metricPrefix + "excluded_rows_total"

	transactionsTotal        = metricPrefix + "transactions_total"
	openTransactions         = metricPrefix + "open_transactions"
	oldestOpenSeconds        = metricPrefix + "oldest_open_seconds"
	bufferBytes              = metricPrefix + "buffer_bytes"
	unacknowledgedMessages   = metricPrefix + "unacknowledged_messages"
	rawDecodedTotal          = metricPrefix + "raw_decoded_total"
	lagReplaysTotal          = metricPrefix + "lag_replays_total"
	deadLettersTotal         = metricPrefix + "dead_letters_total"
	heartbeatsTotal          = metricPrefix + "heartbeats_total"
	snapshotRowsTotal        = metricPrefix + "snapshot_rows_total"
	snapshotRemainingSeconds = metricPrefix + "snapshot_remaining_seconds"
	lateRowsTotal            = metricPrefix + "late_rows_total"
	lateCommitsTotal         = metricPrefix + "late_commits_total"
)

// metrics holds the input's metrics. Counters move once a step or batch, gauges are only set: with an exporter from a plugin, adding
// to a gauge does not add up (reference benthos 9).
type metrics struct {
	counters map[string]*service.MetricCounter
	gauges   map[string]*service.MetricGauge
	timers   map[string]*service.MetricTimer

	window *window
	bound  atomic.Uint64
}

func newMetrics(m *service.Metrics, w *window) *metrics {
	out := &metrics{
		window:   w,
		counters: map[string]*service.MetricCounter{}, gauges: map[string]*service.MetricGauge{}, timers: map[string]*service.MetricTimer{},
	}
	for _, metric := range Metrics() {
		var labels []string
		if metric.Label != "" {
			labels = []string{metric.Label}
		}
		switch metric.Kind {
		case "counter":
			out.counters[metric.Name] = m.NewCounter(metric.Name, labels...)
		case "gauge":
			out.gauges[metric.Name] = m.NewGauge(metric.Name, labels...)
		case "timer":
			out.timers[metric.Name] = m.NewTimer(metric.Name, labels...)
		}
	}
	return out
}

func (m *metrics) count(name string, n int64, labels ...string) { m.counters[name].Incr(n, labels...) }

func (m *metrics) set(name string, value float64, labels ...string) {
	m.gauges[name].SetFloat64(value, labels...)
}

// Buried counts a dead letter.
func (m *metrics) Buried() { m.count(deadLettersTotal, 1) }

// Read counts rows of a snapshot.
func (m *metrics) Read(table string, rows int64) { m.count(snapshotRowsTotal, rows, table) }

// Remaining shows how long the rest of a table may take.
func (m *metrics) Remaining(table string, d time.Duration) {
	m.set(snapshotRemainingSeconds, max(0, d.Seconds()), table)
}

// Step counts a verified step.
func (m *metrics) Step(s engine.StepInfo) {
	m.bound.Store(uint64(s.Bound))
	m.count(stepsTotal, 1)
	m.count(rowsTotal, s.Rows)
	m.count(rowsUsedTotal, s.Used)
	m.count(undoneTotal, s.Undone)
	m.count(rawDecodedTotal, s.Numbered)
	m.count(excludedTransactionsTotal, int64(s.Excluded))
	m.count(excludedRowsTotal, s.ExcludedRows)
	m.count(noLoggingTotal, int64(s.Loads))
	if s.Replayed {
		m.count(lagReplaysTotal, 1)
	}
	m.count(lateRowsTotal, s.LateRows)
	m.count(lateCommitsTotal, int64(s.LateCommits))
	m.count(transactionsTotal, int64(s.Committed), "commit")
	m.count(transactionsTotal, int64(s.RolledBack), "rollback")
	m.set(minedSCN, float64(s.Bound))
	m.set(safeEndSCN, float64(s.SafeEnd))
	m.set(openTransactions, float64(s.Open))
	m.set(oldestOpenSeconds, float64(s.OldestOpenMillis)/1000)
	m.set(positionAgeSeconds, float64(s.OldestOpenMillis)/1000, "open_transaction")
	m.set(bufferBytes, float64(s.BufferBytes))
	m.set(windowLogs, float64(s.Logs))
	m.timers[stepSeconds].Timing(s.Duration.Nanoseconds())
	if s.LagMillis >= 0 {
		m.set(lagSeconds, float64(s.LagMillis)/1000)
	}
	m.unacknowledged() // also while the output hangs and nothing is resolved
}

// Failed counts a step that is mined again, or a database that is connected again.
func (m *metrics) Failed(f engine.Failure) {
	switch f {
	case engine.ConnectionLost:
		m.count(reconnectsTotal, 1)
	case engine.StepTimedOut:
		m.count(stepTimeoutsTotal, 1)
		m.count(stepRetriesTotal, 1)
	case engine.StepFailed:
		m.count(stepRetriesTotal, 1)
	}
}

// Emitted counts a batch.
func (m *metrics) Emitted(heartbeat bool) {
	if heartbeat {
		m.count(heartbeatsTotal, 1)
	}
}

// unacknowledged sets what depends on acknowledgements.
func (m *metrics) unacknowledged() {
	n, since := m.window.Unacknowledged()
	m.set(unacknowledgedMessages, float64(n))
	age := 0.0
	if !since.IsZero() {
		age = time.Since(since).Seconds()
	}
	m.set(positionAgeSeconds, age, "unacknowledged")
	if p := m.window.Safe(); p != nil {
		m.positioned(p)
	}
}

// positioned shows where the position is. SCNs are not subtracted for anything but this display (R135).
func (m *metrics) positioned(p *position.Position) {
	m.set(positionSCN, float64(p.Resume.SCN))
	if bound := position.SCN(m.bound.Load()); bound >= p.Resume.SCN {
		m.set(scnLag, float64(bound-p.Resume.SCN))
	}
}
