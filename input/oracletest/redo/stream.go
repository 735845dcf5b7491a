package redo

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Stream is the redo of one database. All methods may be called from any goroutine.
type Stream struct {
	config Config
	clock  atomic.Uint64

	// writer is held by the one call that appends or switches; mu guards what readers see. A writer that waits for the
	// archiver keeps writer and gives mu away.
	writer chan struct{}
	closed chan struct{}
	close  sync.Once

	mu      sync.Mutex
	threads []*thread
	copies  []*copyFile
	buffer  logBuffer
	spill   spill
	warts   Warts
	emptied uint32 // empty transactions of R29ThreadZeroEmpty
	// archived is signalled (closed and replaced) whenever a log gets its archived copy; pending when one is due.
	archived chan struct{}
	pending  chan struct{}
}

// Open starts a stream with an empty current log.
func Open(config Config) (*Stream, error) {
	config = config.withDefaults()
	if err := config.validate(); err != nil {
		return nil, fmt.Errorf("redo: %w", err)
	}
	s := &Stream{
		config:   config,
		writer:   make(chan struct{}, 1),
		closed:   make(chan struct{}),
		archived: make(chan struct{}),
		pending:  make(chan struct{}, 1),
	}
	s.clock.Store(uint64(config.FirstSCN))
	for number := 1; number <= config.Threads; number++ {
		s.threads = append(s.threads, newThread(&config, number))
	}
	s.spill.dir, s.warts = config.SpillDir, config.Warts
	return s, nil
}

// Close ends every waiting writer and removes the files. What is in memory stays readable.
func (s *Stream) Close() {
	s.close.Do(func() {
		close(s.closed)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.spill.close()
	})
}

// NextSCN advances the clock and returns the new SCN.
func (s *Stream) NextSCN() SCN { return SCN(s.clock.Add(1)) }

// Jump moves the clock on, as other work of a busy database does or a database link to one (R135).
func (s *Stream) Jump(by SCN) { s.clock.Add(uint64(by)) }

// CurrentSCN returns the newest SCN given out.
func (s *Stream) CurrentSCN() SCN { return SCN(s.clock.Load()) }

// raiseSCN moves the clock to scn if it is behind.
func (s *Stream) raiseSCN(scn SCN) {
	for {
		now := s.clock.Load()
		if now >= uint64(scn) || s.clock.CompareAndSwap(now, uint64(scn)) {
			return
		}
	}
}

// Resetlogs returns the incarnation: RESETLOGS_CHANGE# and when it began.
func (s *Stream) Resetlogs() Incarnation {
	return Incarnation{SCN: s.config.ResetlogsSCN, Time: s.config.ResetlogsTime}
}
