package workload

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Operate does what a database administrator and time do to the redo: it switches logs until the context ends. It returns the
// SCNs of some moments, one in so many switches, at which the source can be asked later what it held.
func Operate(ctx context.Context, system string, interval time.Duration, moments int) ([]uint64, error) {
	db := Open(system)
	defer db.Close()
	var scns []uint64
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for turn := 0; ; turn++ {
		select {
		case <-ctx.Done():
			return scns, nil
		case <-tick.C:
		}
		// What has begun is brought to its end: a statement broken off says nothing about the run.
		if _, err := db.ExecContext(context.WithoutCancel(ctx), "ALTER SYSTEM SWITCH LOGFILE"); err != nil {
			return nil, fmt.Errorf("switch the log: %w", err)
		}
		if turn%moments != 0 {
			continue
		}
		scn, err := currentSCN(context.WithoutCancel(ctx), db)
		if err != nil {
			return nil, err
		}
		scns = append(scns, scn)
	}
}

// CurrentSCN reads the SCN of now.
func CurrentSCN(ctx context.Context, system string) (uint64, error) {
	db := Open(system)
	defer db.Close()
	return currentSCN(ctx, db)
}

func currentSCN(ctx context.Context, db *sql.DB) (scn uint64, err error) {
	if err := db.QueryRowContext(ctx, "SELECT CURRENT_SCN FROM V$DATABASE").Scan(&scn); err != nil {
		return 0, fmt.Errorf("read the current SCN: %w", err)
	}
	return scn, nil
}
