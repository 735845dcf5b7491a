package redo

import (
	"fmt"
	"time"
)

// Layout of a log file: two header blocks, then blocks of 512 bytes of which 16 are the block header, so that no
// address has a byte below 0x10 (as in all samples of reference logminer B.3 and F.2).
const (
	blockSize    = 512
	blockHeader  = 16
	blockPayload = blockSize - blockHeader
	headerBlocks = 2
)

// log is the content of one sequence of a thread. The online member and the archived copy share it.
type log struct {
	thread              int
	sequence            uint32
	first, next         SCN
	firstTime, nextTime time.Time
	// records are those in memory, behind the ones in file. The array is append-only; slices of it may be handed out.
	records []*Record
	file    *spillFile
	last    SCN   // greatest SCN written, 0 in an empty log
	used    int64 // payload bytes
	copied  bool  // has an archived copy
	// buildBegins and buildEnds are the copies of the dictionary whose first and whose last record are in it.
	buildBegins, buildEnds []*Build
	due                    time.Time
}

func (l *log) current() bool { return l.next == NoNextChange }

// address returns where the next record begins.
func (l *log) address() RBA {
	return RBA{
		Sequence: l.sequence,
		Block:    uint32(l.used/blockPayload) + headerBlocks,
		Byte:     uint16(l.used%blockPayload) + blockHeader,
	}
}

// fits reports whether n payload bytes fit into a log of size bytes. An empty log takes anything.
func (l *log) fits(n, size int64) bool {
	return l.used == 0 || l.used+n <= (size/blockSize-headerBlocks)*blockPayload
}

// align moves to the next block, as a log write that follows a commit does (redo wastage).
func (l *log) align() {
	if rest := l.used % blockPayload; rest != 0 {
		l.used += blockPayload - rest
	}
}

// group is an online log group with its member file.
type group struct {
	number int
	thread int
	member string
	log    *log // nil while unused
}

// copyFile is an archived copy.
type copyFile struct {
	name     string
	log      *log
	complete time.Time
	// deleted is set by RMAN, which also tells the control file; removed by rm, which does not (reference
	// logminer H.2).
	deleted, removed bool
}

type thread struct {
	number  int
	groups  []*group
	current *group
	opened  time.Time
	closed  bool
	enabled Enabled
}

func newThread(config *Config, number int) *thread {
	t := &thread{number: number, opened: config.Now(), enabled: EnabledPublic}
	for i := 1; i <= config.Groups; i++ {
		n := (number-1)*config.Groups + i
		t.groups = append(t.groups, &group{number: n, thread: number, member: fmt.Sprintf("%s/redo%02d.log", config.OnlineDir, n)})
	}
	t.current = t.groups[0]
	t.current.log = &log{
		thread: t.number, sequence: config.FirstSequence,
		first: config.FirstSCN, next: NoNextChange, firstTime: t.opened,
	}
	return t
}

// threadOf is the thread of the instance that made a record.
func (s *Stream) threadOf(r *Record) *thread {
	if i := r.Origin.Instance; i > 1 && i <= len(s.threads) {
		return s.threads[i-1]
	}
	return s.threads[0]
}

// groups lists those of all threads by number.
func (s *Stream) groups() []*group {
	if len(s.threads) == 1 {
		return s.threads[0].groups
	}
	var all []*group
	for _, t := range s.threads {
		all = append(all, t.groups...)
	}
	return all
}

// following returns the group that the next switch writes to.
func (t *thread) following() *group {
	for i, g := range t.groups {
		if g == t.current {
			return t.groups[(i+1)%len(t.groups)]
		}
	}
	return t.groups[0]
}
