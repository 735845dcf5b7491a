package redo

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// SwitchLogfile ends the current log of thread 1 and begins the next one, as ALTER SYSTEM SWITCH LOGFILE does.
func (s *Stream) SwitchLogfile(ctx context.Context) error { return s.SwitchThread(ctx, 1) }

// SwitchThread does the same for any thread.
func (s *Stream) SwitchThread(ctx context.Context, number int) error {
	if number < 1 || number > len(s.threads) {
		return fmt.Errorf("redo thread %d: there are %d", number, len(s.threads))
	}
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.switchLog(ctx, s.threads[number-1], NoNextChange)
}

// switchLog runs with writer and mu held; it gives mu away while it waits for the archiver. lowest is the lowest SCN
// that the writer has already given to what it will write next, NoNextChange if none. What is buffered goes to the log
// that ends: a switch makes every strand visible (reference logminer F.5).
func (s *Stream) switchLog(ctx context.Context, t *thread, lowest SCN) error {
	next := t.following()
	for next.log != nil && !next.log.copied {
		if err := s.waitArchived(ctx); err != nil {
			return err
		}
	}
	s.flushStrands()
	s.writeBuffer()
	old := t.current.log
	now := s.config.Now()
	old.next, old.nextTime = s.switchSCN(old, lowest), now
	reused := next.log
	next.log = &log{thread: old.thread, sequence: old.sequence + 1, first: old.next, next: NoNextChange, firstTime: now}
	t.current = next
	s.discard(reused)
	if s.config.ArchiveDelay == 0 {
		s.copyLog(old, now)
		return nil
	}
	old.due = now.Add(s.config.ArchiveDelay)
	select {
	case s.pending <- struct{}{}:
	default:
	}
	return nil
}

// switchSCN chooses NEXT_CHANGE# of the log that ends: above everything written to it, not above what the writer has in
// hand (correctness K3).
func (s *Stream) switchSCN(old *log, lowest SCN) SCN {
	scn := max(old.last, old.first) + 1
	if lowest == NoNextChange {
		scn = max(scn, s.NextSCN())
	}
	s.raiseSCN(scn)
	return scn
}

func (s *Stream) waitArchived(ctx context.Context) error {
	archived := s.archived
	s.mu.Unlock()
	defer s.mu.Lock()
	select {
	case <-archived:
		return nil
	case <-s.closed:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// copyLog makes the archived copy of a log.
func (s *Stream) copyLog(l *log, now time.Time) {
	l.copied = true
	s.copies = append(s.copies, &copyFile{
		name: fmt.Sprintf("%s/%d_%d_%d.dbf", s.config.ArchiveDir, l.thread, l.sequence, s.config.ResetlogsTime.Unix()),
		log:  l, complete: now,
	})
	if keep := s.config.ArchiveKeep; keep > 0 {
		for _, c := range s.copies[:max(0, len(s.copies)-keep)] {
			s.purge(c, true)
		}
	}
	close(s.archived)
	s.archived = make(chan struct{})
}

// Archive is ARCn: it copies switched logs when they are due, until ctx ends. It is needed with an ArchiveDelay only.
func (s *Stream) Archive(ctx context.Context) error {
	for {
		wait, due := s.archiveDue()
		if !due {
			select {
			case <-s.pending:
				continue
			case <-ctx.Done():
				return nil
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil
		}
	}
}

// archiveDue copies every log that is due and returns how long the next one has to wait, if there is one.
func (s *Stream) archiveDue() (wait time.Duration, waiting bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.config.Now()
	for {
		oldest := s.oldestUncopied()
		if oldest == nil {
			return 0, false
		}
		if rest := oldest.due.Sub(now); rest > 0 {
			return rest, true
		}
		s.copyLog(oldest, now)
	}
}

func (s *Stream) oldestUncopied() *log {
	var oldest *log
	for _, g := range s.groups() {
		l := g.log
		if l == nil || l.current() || l.copied {
			continue
		}
		if oldest == nil || cmp.Or(l.due.Compare(oldest.due), cmp.Compare(l.sequence, oldest.sequence)) < 0 {
			oldest = l
		}
	}
	return oldest
}

// Purge makes the archived copies of logs with NEXT_CHANGE# <= before unreadable and returns how many. With
// told set the control file knows (RMAN DELETE), otherwise the files are just gone (rm).
func (s *Stream) Purge(before SCN, told bool) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, c := range s.copies {
		if c.log.next <= before && s.purge(c, told) {
			n++
		}
	}
	return n
}

// purge reports whether the file was there.
func (s *Stream) purge(c *copyFile, told bool) bool {
	if c.deleted || c.removed {
		return false
	}
	c.deleted, c.removed = told, !told
	s.discard(c.log)
	return true
}

// discard frees the records of a log that is neither online nor in an archived copy any more.
func (s *Stream) discard(l *log) {
	if l == nil {
		return
	}
	for _, g := range s.groups() {
		if g.log == l {
			return
		}
	}
	for _, c := range s.copies {
		if c.log == l && !c.deleted && !c.removed {
			return
		}
	}
	s.spill.forget(l)
}
