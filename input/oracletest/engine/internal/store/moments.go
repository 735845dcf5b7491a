package store

import (
	"cmp"
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// moments maps times to SCNs: the newest commit of every short span, as SMON's mapping does more coarsely.
type moments struct{ list []moment }

type moment struct {
	at  time.Time
	scn redo.SCN
}

// Spans of the mapping, and how many are kept.
const (
	momentSpan  = 10 * time.Millisecond
	mostMoments = 1 << 20
)

func (m *moments) note(now time.Time, scn redo.SCN) {
	if n := len(m.list); n > 1 && now.Truncate(momentSpan).Equal(m.list[n-1].at.Truncate(momentSpan)) {
		m.list[n-1] = moment{now, scn}
		return
	}
	if len(m.list) >= mostMoments {
		m.list = slices.Clone(m.list[mostMoments/2:])
	}
	m.list = append(m.list, moment{now, scn})
}

// first is the oldest SCN that the mapping knows.
func (m *moments) first() redo.SCN {
	if len(m.list) == 0 {
		return 0
	}
	return m.list[0].scn
}

// NoteSCN maps the newest SCN to now, as somebody has asked for it.
func (s *Store) NoteSCN() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.moments.note(s.now(), s.log.CurrentSCN())
}

// SCNAt is an SCN at which the database was as at a time; a time to come is now (reference logminer I).
func (s *Store) SCNAt(t time.Time) (redo.SCN, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := s.moments.list
	i, found := slices.BinarySearchFunc(list, t, func(m moment, t time.Time) int { return m.at.Compare(t) })
	if found {
		// The clock may stand still: the last one counts.
		for i+1 < len(list) && list[i+1].at.Equal(t) {
			i++
		}
		return list[i].scn, nil
	}
	if i == 0 {
		return 0, wire.Errorf(8180, "no snapshot found based on specified time")
	}
	return list[i-1].scn, nil
}

// TimeOf is about when an SCN was current.
func (s *Store) TimeOf(scn redo.SCN) (time.Time, error) {
	if scn > s.log.CurrentSCN() {
		return time.Time{}, errNoSCN()
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.timeOf(scn)
}

// precedes reports whether the mapping, as coarse as flashback queries know it, puts an SCN before a moment: so ORA-01466 can follow a DDL
// for some seconds (reference logminer J).
func (s *Store) precedes(scn redo.SCN, at time.Time) bool {
	if s.span == 0 {
		return false
	}
	list := s.moments.list
	i, _ := slices.BinarySearchFunc(list, scn, func(m moment, scn redo.SCN) int { return cmp.Compare(m.scn, scn) })
	mapped := s.now()
	if i < len(list) {
		mapped = list[i].at
	}
	return mapped.Truncate(s.span).Before(at)
}

func (s *Store) timeOf(scn redo.SCN) (time.Time, error) {
	list := s.moments.list
	i, found := slices.BinarySearchFunc(list, scn, func(m moment, scn redo.SCN) int { return cmp.Compare(m.scn, scn) })
	if !found {
		i--
	}
	if i < 0 {
		return time.Time{}, errNoSCN()
	}
	return list[i].at, nil
}
