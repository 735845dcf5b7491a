package input

import (
	"sync/atomic"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// metrics holds the input's metrics (contracts 7). Counters move once a step or batch, gauges are only set: with an exporter
// from a plugin, adding to a gauge does not add up (reference benthos 9).
type metrics struct {
	steps, retries, reconnects                    *service.MetricCounter
	rows, used, undone, heartbeats                *service.MetricCounter
	lateRows, lateCommits, transactions           *service.MetricCounter
	mined, position, scnLag, lag                  *service.MetricGauge
	open, buffer, windowLogs, unacked, ageSeconds *service.MetricGauge
	stepSeconds                                   *service.MetricTimer

	bound atomic.Uint64
}

func newMetrics(m *service.Metrics) *metrics {
	return &metrics{
		steps:        m.NewCounter("oracle_cdc_steps_total"),
		retries:      m.NewCounter("oracle_cdc_step_retries_total"),
		reconnects:   m.NewCounter("oracle_cdc_reconnects_total"),
		rows:         m.NewCounter("oracle_cdc_rows_total"),
		used:         m.NewCounter("oracle_cdc_rows_used_total"),
		undone:       m.NewCounter("oracle_cdc_undone_total"),
		lateRows:     m.NewCounter("oracle_cdc_late_rows_total"),
		lateCommits:  m.NewCounter("oracle_cdc_late_commits_total"),
		heartbeats:   m.NewCounter("oracle_cdc_heartbeats_total"),
		transactions: m.NewCounter("oracle_cdc_transactions_total", "end"),
		mined:        m.NewGauge("oracle_cdc_mined_scn"),
		position:     m.NewGauge("oracle_cdc_position_scn"),
		scnLag:       m.NewGauge("oracle_cdc_scn_lag"),
		lag:          m.NewGauge("oracle_cdc_lag_seconds"),
		open:         m.NewGauge("oracle_cdc_open_transactions"),
		buffer:       m.NewGauge("oracle_cdc_buffer_bytes"),
		windowLogs:   m.NewGauge("oracle_cdc_window_logs"),
		unacked:      m.NewGauge("oracle_cdc_unacknowledged_messages"),
		ageSeconds:   m.NewGauge("oracle_cdc_position_age_seconds", "reason"),
		stepSeconds:  m.NewTimer("oracle_cdc_step_seconds"),
	}
}

// Step counts a verified step.
func (m *metrics) Step(s engine.StepInfo) {
	m.bound.Store(uint64(s.Bound))
	m.steps.Incr(1)
	m.rows.Incr(s.Rows)
	m.used.Incr(s.Used)
	m.undone.Incr(s.Undone)
	m.lateRows.Incr(s.LateRows)
	m.lateCommits.Incr(int64(s.LateCommits))
	m.transactions.Incr(int64(s.Committed), "commit")
	m.transactions.Incr(int64(s.RolledBack), "rollback")
	m.mined.SetFloat64(float64(s.Bound))
	m.open.Set(int64(s.Open))
	m.buffer.Set(s.BufferBytes)
	m.windowLogs.Set(int64(s.Logs))
	m.stepSeconds.Timing(s.Duration.Nanoseconds())
	if s.LagMillis >= 0 {
		m.lag.SetFloat64(float64(s.LagMillis) / 1000)
	}
}

// Retried counts a step that is mined again.
func (m *metrics) Retried(reconnect bool) {
	if reconnect {
		m.reconnects.Incr(1)
		return
	}
	m.retries.Incr(1)
}

// Emitted counts a batch.
func (m *metrics) Emitted(heartbeat bool) {
	if heartbeat {
		m.heartbeats.Incr(1)
	}
}

// unacknowledged sets what depends on acknowledgements.
func (m *metrics) unacknowledged(w *window) {
	n, since := w.Unacknowledged()
	m.unacked.Set(int64(n))
	age := 0.0
	if !since.IsZero() {
		age = time.Since(since).Seconds()
	}
	m.ageSeconds.SetFloat64(age, "unacknowledged")
	if p := w.Safe(); p != nil {
		m.positionSCN(p)
	}
}

// positionSCN shows where the position is. SCNs are not subtracted for anything but this display (R135).
func (m *metrics) positionSCN(p *position.Position) {
	m.position.SetFloat64(float64(p.Resume.SCN))
	if bound := position.SCN(m.bound.Load()); bound >= p.Resume.SCN {
		m.scnLag.SetFloat64(float64(bound - p.Resume.SCN))
	}
}
