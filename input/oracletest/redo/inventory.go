package redo

import (
	"fmt"
	"time"
)

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
	// BuildBegin and BuildEnd are DICTIONARY_BEGIN and DICTIONARY_END.
	BuildBegin, BuildEnd bool
}

// ThreadState is a row of V$THREAD.
type ThreadState struct {
	Thread, Groups int
	CurrentGroup   int
	Open           bool
	Enabled        Enabled
	Sequence       uint32
	LastRedo       SCN
	Checkpoint     SCN
	Opened         time.Time
}

// Enabled says how a redo thread is enabled (V$THREAD.ENABLED).
type Enabled string

// How threads are enabled.
const (
	EnabledPublic   Enabled = "PUBLIC"
	EnabledPrivate  Enabled = "PRIVATE"
	EnabledDisabled Enabled = "DISABLED"
)

// SetThread changes what V$THREAD shows of a thread (R23, R26): whether an instance has it open, and how it is enabled. Its
// redo does not depend on that.
func (s *Stream) SetThread(number int, open bool, enabled Enabled) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number < 1 || number > len(s.threads) {
		return fmt.Errorf("redo thread %d: there are %d", number, len(s.threads))
	}
	t := s.threads[number-1]
	t.closed, t.enabled = !open, enabled
	return nil
}

// ArchiveDestination returns where the archived copies are.
func (s *Stream) ArchiveDestination() string { return s.config.ArchiveDir }

// Online lists the log groups by number.
func (s *Stream) Online() []OnlineLog {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	groups := s.groups()
	logs := make([]OnlineLog, 0, len(groups))
	now := s.config.Now()
	for _, g := range groups {
		if gap := s.warts.R2SwitchGap; gap > 0 && g.log != nil && g.log.current() && g.log.sequence > s.config.FirstSequence && now.Sub(g.log.firstTime) < gap {
			continue
		}
		row := OnlineLog{
			Group: g.number, Thread: g.thread, Bytes: s.config.LogSize,
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

// Member is a row of V$LOGFILE. A switch changes none.
type Member struct {
	Group int
	Name  string
}

// Members lists the files of the log groups by number.
func (s *Stream) Members() []Member {
	s.mu.Lock()
	defer s.mu.Unlock()
	var members []Member
	for _, g := range s.groups() {
		members = append(members, Member{g.number, g.member})
	}
	return members
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
	logs := make([]ArchivedLog, 0, len(s.copies))
	for _, c := range s.copies {
		l := c.log
		logs = append(logs, ArchivedLog{
			Name: c.name, Thread: l.thread, Sequence: l.sequence,
			FirstChange: l.first, NextChange: l.next, FirstTime: l.firstTime, NextTime: l.nextTime,
			Completion: c.complete, Blocks: (l.used + blockPayload - 1) / blockPayload, Deleted: c.deleted,
			BuildBegin: len(l.buildBegins) > 0, BuildEnd: len(l.buildEnds) > 0,
		})
	}
	return logs
}

// Threads lists the redo threads.
func (s *Stream) Threads() []ThreadState {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	states := make([]ThreadState, 0, len(s.threads))
	for _, t := range s.threads {
		l := t.current.log
		states = append(states, ThreadState{
			Thread: t.number, Groups: len(t.groups), CurrentGroup: t.current.number, Open: !t.closed, Enabled: t.enabled,
			Sequence: l.sequence, LastRedo: max(l.last, l.first), Checkpoint: l.first, Opened: t.opened,
		})
	}
	return states
}
