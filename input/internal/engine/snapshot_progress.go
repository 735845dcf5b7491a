package engine

import (
	"log/slog"
	"strconv"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
)

// progressInterval is how often the progress of one table is told of.
const progressInterval = 10 * time.Second

// progress tells how far a table is: at most every progressInterval, and when it is done.
func (e *emitter) progress(r *reading, f *snapshot.Frontier) {
	now := e.config.Now()
	left := r.remaining(f, now)
	e.config.Observe.Remaining(r.table.String(), left)
	e.bar.show(now, r.table.String(), f.Rows, f.Percent(), left, f.Done)
	if !f.Done && now.Sub(r.told) < progressInterval {
		return
	}
	r.told = now
	details := []detail{{"snapshot", e.running.Snapshot.ID}, {"table", r.table.String()}, {"rows", strconv.FormatInt(f.Rows, 10)}}
	if f.Done || f.Estimate > 0 {
		details = append(details, detail{"percent", strconv.FormatFloat(f.Percent(), 'f', 1, 64)})
	}
	if left >= 0 {
		details = append(details, detail{"remaining_seconds", strconv.Itoa(int(left.Seconds()))})
	}
	e.note(slog.LevelInfo, "Snapshot of a table", snapshotProgressEvent, details...)
}

// remaining is how long the rest of a table may take at the pace of this run; below 0 where nobody knows.
func (r *reading) remaining(f *snapshot.Frontier, now time.Time) time.Duration {
	rows, took := f.Remaining(), now.Sub(r.since)
	switch {
	case rows == 0:
		return 0
	case rows < 0 || r.rows == 0 || took <= 0:
		return -1
	}
	return time.Duration(float64(took) * float64(rows) / float64(r.rows))
}
