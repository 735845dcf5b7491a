package oracletest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Name is the name of the database and of the service at the root.
const Name = "FREE"

// Accounts that every server has (contracts 9): SYSTEM and the capture user in all containers, APP local to each PDB.
const (
	SystemUser      = "system"
	SystemPassword  = "oracle"
	CaptureUser     = "c##cdc"
	CapturePassword = "cdc"
	AppUser         = "app"
	AppPassword     = "app"
)

// Config of a Server. The zero Config is a server of release 23 with the PDB FREEPDB1 on a free port.
type Config struct {
	// Listen is a loopback address.
	Listen string
	// PDBs are the names of the pluggable databases, which are their services too.
	PDBs []string
	// Release is 19 or 23.
	Release int

	// Instances is how many instances, each with a redo thread, the database has (0: 1). Every service leads to instance 1, and
	// with the suffix _2, _3 and so on to the others.
	Instances int
	// SharedUndo turns local undo off (R117).
	SharedUndo bool
	// LogMode and Role are what V$DATABASE shows, nothing else changes (empty: ARCHIVELOG, PRIMARY). They let a client be refused.
	LogMode, Role string
	// LogGroups and LogSize shape the redo threads; ArchiveDelay is the time from a switch to the archived copy, ArchiveKeep
	// how many archived logs stay (0: all).
	LogGroups    int
	LogSize      int64
	ArchiveDelay time.Duration
	ArchiveKeep  int
	FirstSCN     redo.SCN
	// RedoMemory is about how many bytes of redo stay in memory, the rest goes to temporary files (0: 128 MiB).
	RedoMemory int64
	// Warts are what redo and LogMiner do wrong from the start; Server.SetWarts changes them.
	Warts redo.Warts

	// UndoRetention is how long AS OF reaches back; 0 is to the start.
	UndoRetention time.Duration
	// FlashbackSpan is how coarse flashback queries know the time of an SCN: AS OF an SCN up to so long after a DDL is ORA-01466. 0 is
	// exactly; in Oracle it is about 3 s (reference logminer J).
	FlashbackSpan time.Duration
	// DataFiles is how many files the rows of a table are spread over, extent by extent (0: 1).
	DataFiles int
	// Zone is that of the server's operating system; nil is UTC.
	Zone *time.Location
	// SDU, Errors and BitVectors shape the wire; with TLS set it listens for TLS only.
	SDU        int
	Errors     wire.ErrorStyle
	BitVectors bool
	TLS        *tls.Config
	// Log gets protocol surprises; nil is silence.
	Log *slog.Logger
	// Now is the clock of the database.
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	if c.PDBs == nil {
		c.PDBs = []string{"FREEPDB1"}
	}
	if c.Instances == 0 {
		c.Instances = 1
	}
	if c.Release == 0 {
		c.Release = 23
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Zone == nil {
		c.Zone = time.UTC
	}
	return c
}

const (
	maxInstances = 8
	maxDataFiles = 100
)

var containerName = regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,29}$`)

func (c Config) validate() error {
	var errs []error
	if c.Release != 19 && c.Release != 23 {
		errs = append(errs, fmt.Errorf("release %d: 19 and 23 are known", c.Release))
	}
	seen := map[string]bool{Name: true}
	for _, name := range c.PDBs {
		if !containerName.MatchString(name) {
			errs = append(errs, fmt.Errorf("PDB name %q: upper-case letters, digits and _ are allowed", name))
		}
		if seen[name] {
			errs = append(errs, fmt.Errorf("PDB name %q is taken", name))
		}
		seen[name] = true
	}
	if c.Instances < 0 || c.Instances > maxInstances {
		errs = append(errs, fmt.Errorf("instances: %d, at most %d are possible", c.Instances, maxInstances))
	}
	if c.DataFiles < 0 || c.DataFiles > maxDataFiles {
		errs = append(errs, fmt.Errorf("data files: %d, at most %d are possible", c.DataFiles, maxDataFiles))
	}
	if c.UndoRetention < 0 || c.FlashbackSpan < 0 {
		errs = append(errs, errors.New("undo retention and flashback span must not be negative"))
	}
	return errors.Join(errs...)
}
