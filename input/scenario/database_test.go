package scenario_test

import (
	"context"
	"os"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// Database is what a scenario asks of the database that it has for itself.
type Database interface {
	// Supports reports whether the database can be asked for something.
	Supports(f feature) bool
	// DSN says how to connect as an account.
	DSN(a account) string
	// PDB and Owner are where the application's tables are.
	PDB() string
	Owner() string
	// Table gives the name in the database of a table of the scenario.
	Table(name string) string
	// SwitchLog begins a new redo log.
	SwitchLog(ctx context.Context) error
	// KillCapture ends the sessions of the capture user without asking them, and says how many there were.
	KillCapture(ctx context.Context) (int, error)
}

// account is one of the three that a scenario uses.
type account uint8

const (
	admin   account = iota // at the root; may alter the system
	capture                // at the root; what the product logs on as
	app                    // in the PDB; owns the tables
)

// feature is something that not every database can be asked for; its text is the reason.
type feature string

const (
	wireFaults    feature = "a fault at a chosen call or row of the connection"
	ownLogs       feature = "redo logs of a chosen size"
	purging       feature = "archived logs that go at a chosen moment"
	ownSettings   feature = "settings of the whole database are changed"
	otherDatabase feature = "a second database of another identity"
	unreachable   feature = "a database that goes away and comes back"
)

// option says what a scenario needs of its database.
type option func(*setup)

type setup struct {
	// second is for the second database of a scenario.
	second bool
	needs  []feature
	config oracletest.Config
}

// needing says what the scenario asks for.
func needing(f ...feature) option { return func(s *setup) { s.needs = append(s.needs, f...) } }

// logs gives the database small redo logs.
func logs(groups int, size int64) option {
	return func(s *setup) {
		s.needs = append(s.needs, ownLogs)
		s.config.LogGroups, s.config.LogSize = groups, size
	}
}

// second says that the scenario has a database already.
func second() option { return func(s *setup) { s.second = true } }

// serving changes the stand-in's configuration.
func serving(change func(*oracletest.Config)) option {
	return func(s *setup) { change(&s.config) }
}

// wantsReal reports whether make test-oracle asks.
func wantsReal() bool { return os.Getenv("ORACLE_CDC_TEST") == "real" }

// sideBySide lets the scenarios of a table run beside those of other tests, where each has a database of its own.
func sideBySide(t *testing.T) {
	if !wantsReal() {
		t.Parallel()
	}
}

// open gives the scenario its database.
func open(t *testing.T, o setup) (Database, *oracletest.Server) {
	t.Helper()
	if wantsReal() {
		d := real{}
		for _, f := range o.needs {
			if !d.Supports(f) {
				skipped.add(t.Name(), string(f))
				t.Skipf("only the stand-in can run this: %s", f)
			}
		}
		return openReal(t), nil
	}
	if !o.second {
		sideBySide(t)
	}
	d := openStandIn(t, o.config)
	for _, f := range o.needs {
		if !d.Supports(f) {
			t.Skipf("only a real database can run this: %s", f)
		}
	}
	return d, d.server
}
