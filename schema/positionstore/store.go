package positionstore

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Store keeps one position.
type Store interface {
	// Load returns the stored position, nil when there is none. A position of a newer format is CDC-3004, a damaged one CDC-3002.
	Load(ctx context.Context) (*position.Position, error)
	// Save makes the position durable before it returns. A position of a lower sequence number is never written over a higher one
	// of the same run (R66); a run that somebody else began after Load is CDC-9002.
	Save(ctx context.Context, p *position.Position) error
	Close() error
}
