package redo

import (
	"errors"
	"fmt"
	"time"
)

// NoNextChange is NEXT_CHANGE# of the current log from 12.2 on (reference logminer H.2).
const NoNextChange SCN = 1<<64 - 1

// Smallest values that a Config may have.
const (
	minGroups  = 2
	minLogSize = 4 << 10
	minBudget  = 64 << 10
)

// Config sets up a Stream. The zero Config gives one thread of 3 groups of 8 MiB (contracts 9), archived at once, every
// archived log kept, 128 MiB of records in memory, no warts.
type Config struct {
	Threads int   // redo threads, one for each instance
	Groups  int   // log groups of a thread
	LogSize int64 // bytes of a log
	// ArchiveDelay is the time between a switch and the archived copy; without one the switch itself archives.
	ArchiveDelay time.Duration
	// ArchiveKeep is how many archived logs stay readable; 0 keeps all.
	ArchiveKeep int
	// MemoryBudget is about how many bytes of records stay in memory; the oldest ones beyond it go to files below SpillDir
	// (the system's folder for temporary files if empty), which Close removes.
	MemoryBudget int64
	SpillDir     string
	// Warts are what the stream does wrong from the start.
	Warts Warts

	FirstSCN      SCN    // clock at the start
	FirstSequence uint32 // SEQUENCE# of the first log
	ResetlogsSCN  SCN
	ResetlogsTime time.Time

	OnlineDir, ArchiveDir string
	Now                   func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Threads == 0 {
		c.Threads = 1
	}
	if c.Groups == 0 {
		c.Groups = 3
	}
	if c.LogSize == 0 {
		c.LogSize = 8 << 20
	}
	if c.MemoryBudget == 0 {
		c.MemoryBudget = 128 << 20
	}
	if c.FirstSCN == 0 {
		c.FirstSCN = 2_500_000
	}
	if c.FirstSequence == 0 {
		c.FirstSequence = 1
	}
	if c.ResetlogsSCN == 0 {
		c.ResetlogsSCN = min(c.FirstSCN, 1_594_143)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.ResetlogsTime.IsZero() {
		c.ResetlogsTime = c.Now().Truncate(time.Second)
	}
	if c.OnlineDir == "" {
		c.OnlineDir = "/opt/oracle/oradata/FREE"
	}
	if c.ArchiveDir == "" {
		c.ArchiveDir = "/opt/oracle/oradata/FREE/archive"
	}
	return c
}

func (c Config) validate() error {
	var errs []error
	if c.Threads < 0 {
		errs = append(errs, fmt.Errorf("redo threads: %d", c.Threads))
	}
	if c.Groups < minGroups {
		errs = append(errs, fmt.Errorf("log groups: %d, at least %d are needed", c.Groups, minGroups))
	}
	if c.LogSize < minLogSize {
		errs = append(errs, fmt.Errorf("log size: %d bytes, at least %d are needed", c.LogSize, minLogSize))
	}
	if c.ArchiveDelay < 0 || c.ArchiveKeep < 0 {
		errs = append(errs, errors.New("archive delay and archived logs kept must not be negative"))
	}
	if c.MemoryBudget < minBudget {
		errs = append(errs, fmt.Errorf("memory budget: %d bytes, at least %d are needed", c.MemoryBudget, minBudget))
	}
	errs = append(errs, c.Warts.validate())
	return errors.Join(errs...)
}
