package redolog

import (
	"context"
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// missRetries: the same miss may discard a step twice in a row, the third one ends capture (R10).
const missRetries = 2

// Verify checks, after the last row was fetched, that every online log of the step is still the one that was added: no
// error need come when a group is overwritten while it is read (reference logminer A.4). A switch without reuse is none.
func (s Step) Verify(ctx context.Context, session *oracle.Session) error {
	online, err := readOnline(ctx, session)
	if err != nil {
		return fmt.Errorf("verify the step's logs: %w", err)
	}
	return s.verify(online)
}

func (s Step) verify(online []Log) error {
	now := map[int]Log{}
	for _, l := range online {
		now[l.Group] = l
	}
	for _, l := range s.Logs {
		is := now[l.Group]
		if l.Online() && (is.Thread != l.Thread || is.Sequence != l.Sequence || is.First != l.First || is.Name != l.Name) {
			return &oracle.Fault{Class: oracle.ReMine, Limit: missRetries, Becomes: stop.New(stop.StepFailed,
				fmt.Sprintf("%s, group %d", l, l.Group), "an online log was reused while it was read")}
		}
	}
	return nil
}
