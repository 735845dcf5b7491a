package redo

import (
	"context"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Append writes records in the given order, without another writer's record between them, and sets their Thread, RBA,
// SSN and, where zero, SCN and Time; the caller reads the SCN back from the records. Records that follow with Shared set
// form one redo record with the one before them in the same call. Readers see all of a call or nothing.
//
// All records of a call are of one redo thread, that of their Origin, and go into one log: it is switched before a call that does not fit, and a call longer than a log
// makes a longer log, as does an SCN below one that the log already holds. When the next group is not archived yet, Append
// waits for the archiver; ctx ends the wait with nothing written.
//
// Warts may keep records from the log until later; they have their SCN and their time when Append returns.
//
// An SCN taken by NextSCN before the call must not lie below the FIRST_CHANGE# of the current log (StaleSCNError): it can
// after a SwitchLogfile in between.
func (s *Stream) Append(ctx context.Context, recs ...*Record) error {
	if len(recs) == 0 {
		return nil
	}
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.keepBudget(); err != nil {
		return err
	}
	if err := s.makeRoom(ctx, s.threadOf(recs[0]), recs); err != nil {
		return err
	}
	now := s.config.Now()
	for _, u := range units(s.adorn(recs)) {
		if u[0].LastPiece() && s.warts.R7PieceSwitch {
			if err := s.switchLog(ctx, s.threadOf(u[0]), NoNextChange); err != nil {
				return err
			}
		}
		s.stamp(u, now)
		if s.warts.K2PrivateStrand > 0 || s.warts.K1Displaced > 0 || s.warts.R1WriteLag > 0 || s.buffer.paused {
			s.enter(u, now)
		} else {
			s.place(u)
		}
	}
	s.settle(now)
	return nil
}

// makeRoom switches the thread's log if the records do not fit.
func (s *Stream) makeRoom(ctx context.Context, t *thread, recs []*Record) error {
	size, lowest := s.buffer.bytes, NoNextChange
	for _, r := range recs {
		size += r.size()
		if r.SCN != 0 {
			lowest = min(lowest, r.SCN)
		}
	}
	l := t.current.log
	if lowest < l.first {
		return &StaleSCNError{SCN: lowest, FirstChange: l.first}
	}
	if l.fits(size, s.config.LogSize) || lowest <= max(l.last, s.buffer.last) {
		return nil
	}
	return s.switchLog(ctx, t, lowest)
}

func (s *Stream) acquire(ctx context.Context) error {
	select {
	case <-s.closed:
		return ErrClosed
	default:
	}
	select {
	case s.writer <- struct{}{}:
		return nil
	case <-s.closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Stream) release() { <-s.writer }

// stamp gives the records of a unit their SCN, their time and their warts.
func (s *Stream) stamp(u unit, now time.Time) {
	for i, r := range u {
		switch {
		case r.SCN != 0:
			s.raiseSCN(r.SCN)
		case i > 0 && !s.warts.R5SplitSCN:
			r.SCN = u[i-1].SCN
		default:
			r.SCN = s.NextSCN()
		}
		if r.Time.IsZero() {
			r.Time = now
		}
		s.warts.blemish(r)
	}
}

// place writes a unit to the log.
func (s *Stream) place(u unit) {
	l := s.threadOf(u[0]).current.log
	address := l.address()
	for i, r := range u {
		r.Thread, r.RBA, r.SSN = l.thread, address, 0
		if i > 0 && u[i-1].Op != Start {
			r.SSN = u[i-1].SSN + 1
		}
		l.last = max(l.last, r.SCN)
		l.records = append(l.records, r)
		l.note(r)
		l.used += r.size()
		s.spill.held += r.Footprint()
	}
	switch u[len(u)-1].Op {
	case Commit, Rollback:
		l.align()
	default:
	}
}

// Accounted sizes, near to what redo dumps show: record header with one change vector, undo vector of a row change.
const (
	recordBytes = 68
	changeBytes = 96
	columnBytes = 3
)

// size accounts for what the record takes in the log.
func (r *Record) size() int64 {
	n := int64(recordBytes + len(r.SQL))
	if r.Table != nil && r.Op != DDL {
		n += changeBytes
	}
	for _, image := range [][]datum.Datum{r.Before, r.After} {
		for i := range image {
			n += columnBytes + valueBytes(&image[i])
		}
	}
	return (n + 3) &^ 3 // redo records are aligned to four bytes
}

func valueBytes(d *datum.Datum) int64 {
	switch d.Kind {
	case datum.Null:
		return 0
	case datum.Text, datum.RowID, datum.Clob:
		return int64(len(d.Text))
	case datum.Raw, datum.Blob:
		return int64(len(d.Raw))
	case datum.Number:
		return 2 + d.Number.NumDigits()/2
	case datum.Time, datum.IntervalDS:
		return 11
	case datum.IntervalYM:
		return 5
	case datum.Zoned:
		return 13
	case datum.Float:
		return 8
	}
	return 0
}
