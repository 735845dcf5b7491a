package redo

import "time"

// Incarnation is what OPEN RESETLOGS began.
type Incarnation struct {
	SCN  SCN
	Time time.Time
}

// Status of an online log group (V$LOG.STATUS).
type Status string

// States of a group: an ended log stays ACTIVE until it is archived.
const (
	StatusUnused   Status = "UNUSED"
	StatusCurrent  Status = "CURRENT"
	StatusActive   Status = "ACTIVE"
	StatusInactive Status = "INACTIVE"
)

// OnlineLog is a row of V$LOG with its only member.
type OnlineLog struct {
	Group, Thread           int
	Sequence                uint32
	Bytes                   int64
	Member                  string
	Archived                bool
	Status                  Status
	FirstChange, NextChange SCN
	FirstTime, NextTime     time.Time // NextTime is zero in the current log
}

// ArchivedLog is a row of V$ARCHIVED_LOG.
type ArchivedLog struct {
	Name                    string // stays after a purge
	Thread                  int
	Sequence                uint32
	FirstChange, NextChange SCN
	FirstTime, NextTime     time.Time
	Completion              time.Time
	Blocks                  int64
	Deleted                 bool // the control file knows that the file is gone
}

// ThreadState is a row of V$THREAD.
type ThreadState struct {
	Thread, Groups int
	CurrentGroup   int
	Sequence       uint32
	LastRedo       SCN
	Checkpoint     SCN
	Opened         time.Time
}

// ArchiveDestination returns where the archived copies are.
func (s *Stream) ArchiveDestination() string { return s.config.ArchiveDir }

// Online lists the log groups by number.
func (s *Stream) Online() []OnlineLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	logs := make([]OnlineLog, 0, len(s.thread.groups))
	for _, g := range s.thread.groups {
		row := OnlineLog{
			Group: g.number, Thread: s.thread.number, Bytes: s.config.LogSize,
			Member: g.member, Archived: true, Status: StatusUnused,
		}
		if l := g.log; l != nil {
			row.Sequence, row.Archived, row.Status = l.sequence, l.copied, l.status()
			row.FirstChange, row.NextChange, row.FirstTime, row.NextTime = l.first, l.next, l.firstTime, l.nextTime
		}
		logs = append(logs, row)
	}
	return logs
}

func (l *log) status() Status {
	switch {
	case l.current():
		return StatusCurrent
	case l.copied:
		return StatusInactive
	default:
		return StatusActive
	}
}

// Archived lists the archived logs, oldest first, purged ones too.
func (s *Stream) Archived() []ArchivedLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	logs := make([]ArchivedLog, 0, len(s.thread.copies))
	for _, c := range s.thread.copies {
		l := c.log
		logs = append(logs, ArchivedLog{
			Name: c.name, Thread: l.thread, Sequence: l.sequence,
			FirstChange: l.first, NextChange: l.next, FirstTime: l.firstTime, NextTime: l.nextTime,
			Completion: c.complete, Blocks: (l.used + blockPayload - 1) / blockPayload, Deleted: c.deleted,
		})
	}
	return logs
}

// Threads lists the redo threads.
func (s *Stream) Threads() []ThreadState {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	l := s.thread.current.log
	return []ThreadState{{
		Thread: s.thread.number, Groups: len(s.thread.groups), CurrentGroup: s.thread.current.number,
		Sequence: l.sequence, LastRedo: max(l.last, l.first), Checkpoint: l.first, Opened: s.thread.opened,
	}}
}
