package oracle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// OpenTransaction is a transaction that was open at a look.
type OpenTransaction struct {
	Container int
	XID       position.XID
	// StartSCN is 0 where the view does not know it.
	StartSCN position.SCN
	// StartDate is the begin by the server's clock, as YYYY-MM-DD HH24:MI:SS; empty where nothing says it.
	StartDate string
	// Prepared: a branch of a distributed transaction in doubt, without a session.
	Prepared bool
}

// OpenTransactions lists what is open in the whole database. The answer counts only if every open instance was in it
// before and after (R32); otherwise the error is ErrIncomplete.
func OpenTransactions(ctx context.Context, s *Session) ([]OpenTransaction, error) {
	if err := everyInstance(ctx, s); err != nil {
		return nil, err
	}
	open, err := readActive(ctx, s)
	if err != nil {
		return nil, err
	}
	pending, err := readPending(ctx, s, open)
	if err != nil {
		return nil, err
	}
	return append(open, pending...), everyInstance(ctx, s)
}

func everyInstance(ctx context.Context, s *Session) error {
	threads, err := readThreads(ctx, s)
	if err != nil {
		return err
	}
	present := map[int]bool{}
	var instance, thread Text
	err = s.Each(ctx, openInstances, nil, []any{&instance, &thread}, func() error {
		var n int
		err := Numbers(Number{"THREAD#", thread, &n})
		present[n] = true
		return err
	})
	if err != nil {
		return err
	}
	for _, t := range threads {
		if t.Open && !present[t.ID] {
			return fmt.Errorf("%w: the instance of redo thread %d is missing", ErrIncomplete, t.ID)
		}
	}
	return nil
}

func readActive(ctx context.Context, s *Session) ([]OpenTransaction, error) {
	var open []OpenTransaction
	var instance, container, usn, slot, sequence, scn, start Text
	err := s.Each(ctx, activeTransactions, nil, []any{&instance, &container, &usn, &slot, &sequence, &scn, &start}, func() (err error) {
		t := OpenTransaction{StartDate: string(start)}
		if t.XID, err = xid(usn, slot, sequence); err != nil {
			return err
		}
		if t.StartSCN, err = scn.SCN(); err != nil {
			return err
		}
		if err := Numbers(Number{"CON_ID", container, &t.Container}); err != nil {
			return err
		}
		open = append(open, t)
		return nil
	})
	return open, err
}

func xid(usn, slot, sequence Text) (position.XID, error) {
	return position.ParseXID(string(usn) + "." + string(slot) + "." + string(sequence))
}

// readPending lists prepared branches that GV$TRANSACTION does not show.
func readPending(ctx context.Context, s *Session, active []OpenTransaction) ([]OpenTransaction, error) {
	var pending []OpenTransaction
	var container, id, state Text
	err := s.Each(ctx, pendingTransactions, nil, []any{&container, &id, &state}, func() error {
		if state != "prepared" && state != "collecting" {
			return nil
		}
		x, err := position.ParseXID(string(id))
		if err != nil {
			return err
		}
		t := OpenTransaction{XID: x, Prepared: true}
		if err := Numbers(Number{"CON_ID", container, &t.Container}); err != nil {
			return err
		}
		if !slices.ContainsFunc(active, func(a OpenTransaction) bool { return a.XID == x && a.Container == t.Container }) {
			pending = append(pending, t)
		}
		return nil
	})
	return pending, err
}

// Began gives an SCN at or below the first redo of an open transaction: its START_SCN, else what its START_DATE is mapped to
// (R89). The error is CDC-2002 where neither says it.
func (t OpenTransaction) Began(ctx context.Context, s *Session) (position.SCN, error) {
	if t.StartSCN > 0 {
		return t.StartSCN, nil
	}
	unknown := func(cause error) error {
		return stop.Wrap(stop.RedoPurged, cause, t.String(), "the begin of a transaction that is open cannot be found").
			Doing("end the transaction (one in doubt: COMMIT FORCE or ROLLBACK FORCE), then restart")
	}
	if t.StartDate == "" {
		return 0, unknown(nil)
	}
	mapped, err := s.one(ctx, scnBefore, t.StartDate)
	if number, ok := Code(err); ok && number == noSuchTime {
		return 0, unknown(err)
	}
	if err != nil {
		return 0, err
	}
	return Text(mapped).SCN()
}

// noSuchTime is ORA-08180: no snapshot found based on specified time.
const noSuchTime = 8180

// String names the transaction in messages.
func (t OpenTransaction) String() string {
	return fmt.Sprintf("transaction %s in container %d", t.XID, t.Container)
}

// ServerOffset is how far the server's clock is ahead of UTC at this moment; TIMESTAMP of redo rows is that clock's wall
// time (R136).
func ServerOffset(ctx context.Context, s *Session) (time.Duration, error) {
	var now time.Time
	err := s.Each(ctx, serverTime, nil, []any{&now}, func() error { return nil })
	_, seconds := now.Zone()
	return time.Duration(seconds) * time.Second, err
}
