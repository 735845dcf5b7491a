package scenario_test

import (
	"context"
	"encoding/json"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// component is the input by itself, as the runtime builds it.
func (s *scenario) component(change fields) service.BatchInput {
	s.t.Helper()
	text, err := json.Marshal(s.configuration(change))
	if err != nil {
		s.t.Fatal(err)
	}
	conf, err := input.Spec().ParseYAML(string(text), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	in, err := input.New(conf, service.MockResources())
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		if err := in.Close(context.Background()); err != nil {
			s.t.Error(err)
		}
	})
	return in
}

// tested asks an input for a connection test and gives what is wrong.
func tested(t *testing.T, in service.BatchInput) []*stop.Error {
	t.Helper()
	testable, ok := in.(service.ConnectionTestable)
	if !ok {
		t.Fatal("the input cannot be tested")
	}
	results := testable.ConnectionTest(t.Context())
	if len(results) == 0 {
		t.Fatal("a connection test without a result")
	}
	var faults []*stop.Error
	for _, r := range results {
		if r.Err == nil {
			continue
		}
		typed, ok := stop.As(r.Err)
		if !ok {
			t.Fatalf("%v has no code", r.Err)
		}
		faults = append(faults, typed)
	}
	return faults
}

// faults are what a connection test must find: code and a part of the message each, in this order.
type wanted struct {
	code  stop.Code
	names string
}

func (s *scenario) finds(in service.BatchInput, want ...wanted) {
	s.t.Helper()
	faults := tested(s.t, in)
	if len(faults) != len(want) {
		s.t.Errorf("%d faults, want %d: %v", len(faults), len(want), faults)
		return
	}
	for i, f := range faults {
		refusal(s.t, f, want[i].code, want[i].names)
	}
	if s.stored() != nil {
		s.t.Error("a position was stored")
	}
}

func TestConnectionTestOfAGoodDatabaseSucceedsAndDoesNothing(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	started := s.server.AddFault(wire.Fault{Call: wire.CallExecute, SQL: "START_LOGMNR"})
	in := s.component(nil)
	s.finds(in)
	if started.Hits() != 0 {
		t.Error("LogMiner was started")
	}
	(&pipeline{s: s}).untouched()
}

// Each check of the start is one result; several faults show at once.
func TestConnectionTestNamesEveryFault(t *testing.T) {
	sideBySide(t)
	noLogging := func(s *scenario) { s.exec("CREATE TABLE $u (id NUMBER(9) PRIMARY KEY)") }
	for name, c := range map[string]struct {
		serve  func(*oracletest.Config)
		change func(s *scenario) fields
		want   func(s *scenario) []wanted
	}{
		"no ARCHIVELOG": {
			serve: func(c *oracletest.Config) { c.LogMode = "NOARCHIVELOG" },
			want:  func(*scenario) []wanted { return []wanted{{5001, "NOARCHIVELOG"}} },
		},
		"a standby": {
			serve: func(c *oracletest.Config) { c.Role = "PHYSICAL STANDBY" },
			want:  func(*scenario) []wanted { return []wanted{{5001, "PHYSICAL STANDBY"}} },
		},
		"shared undo": {
			serve: func(c *oracletest.Config) { c.SharedUndo = true },
			want:  func(*scenario) []wanted { return []wanted{{5001, "shared undo"}} },
		},
		"a second enabled thread": {
			serve: func(c *oracletest.Config) { c.Instances = 2 },
			want:  func(*scenario) []wanted { return []wanted{{5001, "several redo threads"}} },
		},
		"no supplemental logging, and a table without": {
			change: func(s *scenario) fields {
				noLogging(s)
				s.connect(admin).exec("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
				return fields{"include": s.include("t", "u")}
			},
			want: func(s *scenario) []wanted {
				return []wanted{{5003, "minimal supplemental logging"}, {5003, s.full("u")}}
			},
		},
		"no matching table": {
			change: func(s *scenario) fields { return fields{"include": s.include("nothing")} },
			want:   func(*scenario) []wanted { return []wanted{{5003, "NOTHING"}} },
		},
		"tables of three kinds": {
			serve: func(c *oracletest.Config) { c.LogMode = "NOARCHIVELOG" },
			change: func(s *scenario) fields {
				noLogging(s)
				s.table("keyless", "id NUMBER(9)")
				return fields{"include": s.include("t", "u", "keyless")}
			},
			want: func(s *scenario) []wanted {
				return []wanted{{5001, "NOARCHIVELOG"}, {5003, s.full("keyless")}, {5003, s.full("u")}}
			},
		},
		"one topic for two tables": {
			change: func(s *scenario) fields {
				for _, name := range []string{"c#", "c$"} {
					s.exec(`CREATE TABLE "` + name + `" (id NUMBER(9) PRIMARY KEY)`)
					s.exec(`ALTER TABLE "` + name + `" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS`)
				}
				return fields{"include": []string{s.db.PDB() + `\.` + s.db.Owner() + `\.c.`}, "case_sensitive": true}
			},
			want: func(s *scenario) []wanted { return []wanted{{6004, s.db.Owner() + ".c"}} },
		},
		"a PDB's service": {
			change: func(s *scenario) fields {
				return fields{"connection_string": s.with(func(u *url.URL) { u.Path = "/" + standInPDB })}
			},
			want: func(s *scenario) []wanted { return []wanted{{5001, s.db.PDB()}} },
		},
		"an unknown service": {
			change: func(s *scenario) fields {
				return fields{"connection_string": s.with(func(u *url.URL) { u.Path = "/NOWHERE" })}
			},
			want: func(*scenario) []wanted { return []wanted{{1001, "ORA-12514"}} },
		},
		"a damaged position": {
			change: func(s *scenario) fields {
				s.file += ".damaged"
				if err := os.WriteFile(s.file, []byte("garbage"), 0o600); err != nil {
					s.t.Fatal(err)
				}
				damaged := s.file
				s.file += ".none"
				return fields{"position.file": damaged}
			},
			want: func(*scenario) []wanted { return []wanted{{3002, "position.json.damaged"}} },
		},
		"a cache that is not there": {
			change: func(*scenario) fields { return fields{"position.file": nil, "checkpoint_cache": "nowhere"} },
			want:   func(*scenario) []wanted { return []wanted{{5003, "nowhere"}} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			options := []option{needing(ownSettings)}
			if c.serve != nil {
				options = append(options, serving(c.serve))
			}
			s := begin(t, options...)
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			var change fields
			if c.change != nil {
				change = c.change(s)
			}
			s.finds(s.component(change), c.want(s)...)
		})
	}
}

// Connecting and testing at the same time, and again: the database hears a wrong password once.
func TestConnectionTestAsksAWrongPasswordOnce(t *testing.T) {
	s := begin(t, needing(wireFaults))
	logons := s.server.AddFault(wire.Fault{Call: wire.CallLogon, User: oracletest.CaptureUser})
	in := s.component(fields{"connection_string": s.with(func(u *url.URL) { u.User = url.UserPassword(oracletest.CaptureUser, wrongPassword) })})
	connected := make(chan error)
	go func() { connected <- in.Connect(context.Background()) }()
	s.finds(in, wanted{5002, "ORA-01017"})
	if err := <-connected; err == nil || !strings.Contains(err.Error(), "[CDC-5002]") {
		t.Errorf("Connect: %v", err)
	}
	s.finds(in, wanted{5002, "ORA-01017"})
	if n := logons.Hits(); n != 1 {
		t.Errorf("%d log-ons", n)
	}
}

func TestConnectionTestEndsWithinTheConnectTimeout(t *testing.T) {
	s := begin(t, needing(wireFaults))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	for name, f := range map[string]wire.Fault{
		"no answer to the log-on": {Call: wire.CallLogon, User: oracletest.CaptureUser, Then: wire.Hang},
		"a view that takes long":  {Call: wire.CallExecute, User: oracletest.CaptureUser, SQL: "CDB_TABLES", Delay: time.Hour},
	} {
		h := s.server.AddFault(f)
		began := time.Now()
		s.finds(s.component(fields{"connection.connect_timeout": "500ms"}), wanted{1001, ""})
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s: it took %s", name, took)
		}
		h.Remove()
	}
	// Nobody listens.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	s.finds(s.component(fields{"connection_string": s.with(func(u *url.URL) { u.Host = address })}), wanted{1001, address})
}

// Beside a running input nothing is disturbed: no position, no message, no session that stays.
func TestConnectionTestBesideARunningInputDisturbsNothing(t *testing.T) {
	s := begin(t, needing(ownSettings))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	in := s.component(nil)
	if err := in.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 20 {
			if faults := tested(t, in); len(faults) > 0 {
				t.Errorf("faults: %v", faults)
			}
		}
	}()
	var got []string
	for i := range 10 {
		oneByOne(s, i, i+1, 1)
		for len(got) <= i {
			batch, ack, err := in.ReadBatch(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range batch {
				read, err := read(m)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, read.line())
			}
			if err := ack(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	<-ended
	if diff := cmp.Diff(inserts(0, 10), got); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	// What the running input goes on from is compared with the database.
	s.exec("ALTER TABLE $t DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	if faults := tested(t, in); len(faults) != 1 || faults[0].Code != stop.Configuration || !strings.Contains(faults[0].Error(), s.full("t")) {
		t.Errorf("faults: %v, want the table that lost its logging", faults)
	}
}

// A stored position is compared, and left as it is.
func TestConnectionTestComparesThePositionWithTheDatabase(t *testing.T) {
	s := begin(t, needing(otherDatabase))
	p := s.start(nil)
	p.stop()
	before, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	other := begin(t, second(), needing(otherDatabase), serving(func(c *oracletest.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Hour) }
	}))
	other.file = s.file
	faults := tested(t, other.component(nil))
	if len(faults) != 1 {
		t.Fatalf("faults: %v", faults)
	}
	refusal(t, faults[0], 5001, "RESETLOGS")
	if after, err := os.ReadFile(s.file); err != nil || string(after) != string(before) {
		t.Errorf("the position was touched: %s, %v", after, err)
	}
}

// Issue 4, bad input: a second enabled thread, a standby, no ARCHIVELOG stop the whole input before anything is captured.
func TestDatabaseThatCannotBeCapturedIsRefused(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		serve func(*oracletest.Config)
		names string
		says  string
	}{
		"a second enabled thread": {func(c *oracletest.Config) { c.Instances = 2 }, "several redo threads", "DISABLE THREAD"},
		"a standby":               {func(c *oracletest.Config) { c.Role = "PHYSICAL STANDBY" }, "PHYSICAL STANDBY", "primary"},
		"no ARCHIVELOG":           {func(c *oracletest.Config) { c.LogMode = "NOARCHIVELOG" }, "NOARCHIVELOG", "ALTER DATABASE ARCHIVELOG"},
		"shared undo":             {func(c *oracletest.Config) { c.SharedUndo = true }, "shared undo", "LOCAL UNDO"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, needing(ownSettings), serving(c.serve))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			if stopped := s.refused(nil, 5001, c.names); !strings.Contains(stopped.Action(), c.says) {
				t.Errorf("%q does not say %s", stopped, c.says)
			}
		})
	}
}

// A thread that is left over, closed and disabled, is no second one.
func TestDisabledThreadIsNoReasonToRefuse(t *testing.T) {
	s := begin(t, needing(ownSettings), serving(func(c *oracletest.Config) { c.Instances = 2 }))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	if err := s.server.SetThread(2, false, redo.EnabledDisabled); err != nil {
		t.Fatal(err)
	}
	s.finds(s.component(nil))
}
