package redo

import "time"

// logBuffer holds records that have their SCN and are not in the log yet. Without warts it stays empty. It is guarded
// by the stream's lock.
type logBuffer struct {
	// private are the strands of open transactions, in the order of their first record; public is what the next log write takes.
	private []*strand
	public  []unit
	bytes   int64 // of both
	last    SCN   // greatest SCN that was in it
	due     time.Time
	paused  bool
	random  uint32
}

// unit is one redo record: its rows share an address.
type unit []*Record

type strand struct {
	container int
	xid       XID
	units     []unit
	bytes     int64
}

func (u unit) size() int64 {
	n := int64(0)
	for _, r := range u {
		n += r.size()
	}
	return n
}

// units splits the records of a call.
func units(recs []*Record) []unit {
	var list []unit
	for len(recs) > 0 {
		n := 1
		for n < len(recs) && recs[n].Shared {
			n++
		}
		list = append(list, recs[:n])
		recs = recs[n:]
	}
	return list
}

// enter takes a unit into the buffer, and writes what must be written.
func (s *Stream) enter(u unit, now time.Time) {
	w, last := &s.warts, u[len(u)-1]
	for _, r := range u {
		s.buffer.last = max(s.buffer.last, r.SCN)
	}
	if w.K2PrivateStrand > 0 && last.Op != DDL && last.Op != Commit && last.Op != Rollback {
		st := s.buffer.strand(last.Container, last.XID)
		if w.R14StrandStays && st.bytes >= w.K2PrivateStrand {
			s.buffer.public = append(s.buffer.public, u)
			s.buffer.bytes += u.size()
			return
		}
		st.units, st.bytes = append(st.units, u), st.bytes+u.size()
		s.buffer.bytes += u.size()
		if st.bytes >= w.K2PrivateStrand && !w.R14StrandStays {
			s.flushStrand(st)
		}
		return
	}
	for _, st := range s.buffer.private {
		if st.container == last.Container && st.xid == last.XID {
			s.flushStrand(st)
			break
		}
	}
	s.buffer.public = append(s.buffer.public, u)
	s.buffer.bytes += u.size()
	if ends := last.Op == Commit || last.Op == Rollback; ends && s.buffer.due.IsZero() {
		s.buffer.due = now.Add(w.R1WriteLag)
	}
}

func (b *logBuffer) strand(container int, xid XID) *strand {
	for _, st := range b.private {
		if st.container == container && st.xid == xid {
			return st
		}
	}
	st := &strand{container: container, xid: xid}
	b.private = append(b.private, st)
	return st
}

// flushStrand moves a private strand to what the next log write takes.
func (s *Stream) flushStrand(st *strand) {
	b := &s.buffer
	b.public = append(b.public, st.units...)
	for i := range b.private {
		if b.private[i] == st {
			b.private = append(b.private[:i], b.private[i+1:]...)
			return
		}
	}
}

func (s *Stream) flushStrands() {
	for len(s.buffer.private) > 0 {
		s.flushStrand(s.buffer.private[0])
	}
}

// publicBytes is what the log buffer holds before it is written without a commit.
const publicBytes = 1 << 20

// settle writes the buffer if it is time. Readers call it first, so that a write needs no goroutine.
func (s *Stream) settle(now time.Time) {
	b := &s.buffer
	if len(b.public) == 0 || b.paused {
		return
	}
	holding := s.warts.K1Displaced > 0 || s.warts.R1WriteLag > 0
	committed := !b.due.IsZero() && !b.due.After(now)
	if !holding || committed || b.due.IsZero() && b.bytes > publicBytes {
		s.writeBuffer()
	}
}

// writeBuffer is a log write: it places what is due in the current log, strand by strand.
func (s *Stream) writeBuffer() {
	b := &s.buffer
	strands := [][]unit{b.public}
	if n := s.warts.K1Displaced; n > 1 {
		strands = make([][]unit, n)
		for _, u := range b.public {
			i := s.strandOf(u[len(u)-1])
			strands[i] = append(strands[i], u)
		}
	}
	b.public, b.due = nil, time.Time{}
	first := 0
	if len(strands) > 1 {
		first = int(b.draw() % uint32(len(strands)))
	}
	for i := range strands {
		for _, u := range strands[(first+i)%len(strands)] {
			b.bytes -= u.size()
			s.place(u)
		}
	}
}

// strandOf chooses the public strand of a record.
func (s *Stream) strandOf(r *Record) int {
	if s.warts.R14Displaced {
		return int(s.buffer.draw() % uint32(s.warts.K1Displaced))
	}
	return int((uint32(r.XID.USN)*7 + uint32(r.XID.Slot)*3 + r.XID.Sqn + uint32(r.Container)) % uint32(s.warts.K1Displaced))
}

// draw gives the next number of a sequence that is the same in every run.
func (b *logBuffer) draw() uint32 {
	b.random = b.random*1664525 + 1013904223
	return b.random >> 8
}

// PauseWriter stops the log writer: records get their SCNs, their commits return, but nothing reaches the log until resume
// is called, the log is switched or the stream is closed (R20, R30).
func (s *Stream) PauseWriter() (resume func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buffer.paused = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.buffer.paused = false
		s.writeBuffer()
	}
}
