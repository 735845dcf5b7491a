package logminer

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// span is a range of START_LOGMNR, both ends inclusive. A time counts on the side that has no SCN.
type span struct {
	start, end redo.SCN // 0 without StartScn, NoNextChange without EndScn
	// from and to are whole seconds, as TIMESTAMP is; zero without a time.
	from, to time.Time
}

// logSpan is the range of a log, whose ends are those of the control file: next is zero and NoNextChange in the current log.
type logSpan struct {
	first, next         redo.SCN
	firstTime, nextTime time.Time
}

func (s span) fromStart() bool { return s.start == 0 && s.from.IsZero() }

func (s span) toEnd() bool { return s.end == redo.NoNextChange && s.to.IsZero() }

func (s span) holds(r *redo.Record) bool {
	if r.SCN < s.start || r.SCN > s.end {
		return false
	}
	if s.from.IsZero() && s.to.IsZero() {
		return true
	}
	at := r.Time.Truncate(time.Second)
	return !at.Before(s.from) && (s.to.IsZero() || !at.After(s.to))
}

func (s span) startsIn(l logSpan) bool {
	if s.from.IsZero() {
		return l.first <= s.start && s.start < l.next
	}
	return l.holds(s.from)
}

func (s span) endsIn(l logSpan) bool {
	if s.to.IsZero() {
		return l.first <= s.end && s.end < l.next
	}
	return l.holds(s.to)
}

func (s span) meets(l logSpan) bool {
	return l.next > s.start && l.first <= s.end && (s.from.IsZero() || l.nextTime.IsZero() || !l.nextTime.Before(s.from)) &&
		(s.to.IsZero() || !l.firstTime.Truncate(time.Second).After(s.to))
}

// holds reports whether a moment lies in the log. A log that ends in the second in which the next one begins has it as well.
func (l logSpan) holds(at time.Time) bool {
	return !at.Before(l.firstTime.Truncate(time.Second)) && (l.nextTime.IsZero() || !at.After(l.nextTime))
}

// limitTime sets the times of a range. They are ignored next to an SCN, and their defaults are no limits (reference logminer A.3).
func (m *Miner) limitTime(caller engine.Caller, s *span, start, end datum.Datum) error {
	from, err := m.moment(caller, start)
	if err != nil {
		return err
	}
	to, err := m.moment(caller, end)
	if err != nil {
		return err
	}
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		return stacked(wire.Errorf(1282, "date range specified is invalid"))
	}
	if s.start == 0 && from.After(time.Date(1988, time.January, 1, 0, 0, 0, 0, m.config.Zone)) {
		s.from = from
	}
	if s.end == 0 && to.Before(time.Date(2110, time.December, 31, 0, 0, 0, 0, m.config.Zone)) {
		s.to = to
	}
	return nil
}

// moment reads a DATE argument, also from its text in the session's format. It is a wall clock of the server's operating system.
func (m *Miner) moment(caller engine.Caller, d datum.Datum) (time.Time, error) {
	switch d.Kind {
	case datum.Null:
		return time.Time{}, nil
	case datum.Time, datum.Zoned:
		// A DATE has neither fraction nor zone.
	case datum.Text:
		settings, err := sessionNLS(caller)
		if err != nil {
			return time.Time{}, err
		}
		if d.Time, err = settings.date.read(d.Text); err != nil {
			return time.Time{}, err
		}
	default:
		return time.Time{}, wire.Errorf(6550, "line 1, column 7:\nPLS-00306: wrong number or types of arguments in call to 'START_LOGMNR'")
	}
	t := d.Time
	return time.Date(int(t.Year), time.Month(t.Month), int(t.Day), int(t.Hour), int(t.Minute), int(t.Second), 0, m.config.Zone), nil
}
