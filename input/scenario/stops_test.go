package scenario_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// refusal checks a typed stop: its code, what it names, and that it says what to do.
func refusal(t *testing.T, got *stop.Error, code stop.Code, names string) {
	t.Helper()
	if got.Code != code {
		t.Errorf("CDC-%d, want CDC-%d: %v", got.Code, code, got)
	}
	if !strings.Contains(got.Error(), names) {
		t.Errorf("%q does not name %s", got, names)
	}
	if got.Action() == "" {
		t.Errorf("%q does not say what to do", got)
	}
	if strings.Contains(got.Error(), oracletest.CapturePassword+"@") || strings.Contains(got.Error(), wrongPassword) {
		t.Errorf("%q has a password", got)
	}
}

const wrongPassword = "not_the_password"

// refused starts a pipeline that must stop before anything is captured.
func (s *scenario) refused(change fields, code stop.Code, names string) *stop.Error {
	s.t.Helper()
	before, _ := os.ReadFile(s.file)
	p := s.launch(change)
	stopped := p.stopped()
	refusal(s.t, stopped, code, names)
	if got, _ := p.delivered(); len(got) > 0 {
		s.t.Errorf("delivered: %q", lines(got))
	}
	if after, err := os.ReadFile(s.file); string(after) != string(before) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Errorf("a position was stored: %s (%v)", after, err)
	}
	p.untouched()
	p.stop()
	return stopped
}

// untouched checks that a stopped input keeps no session.
func (p *pipeline) untouched() {
	p.s.t.Helper()
	if p.s.server == nil {
		return
	}
	deadline := time.Now().Add(patience)
	for captureSessions(p.s.server) > 0 {
		if time.Now().After(deadline) {
			p.s.t.Fatal("sessions of the capture user stay")
		}
		p.s.exec("UPDATE $" + fenceTable + " SET id = id WHERE id = -1") // as good as a pause
	}
}

func captureSessions(server *oracletest.Server) int {
	n := 0
	for _, session := range server.Wire().Sessions() {
		if strings.EqualFold(session.User, oracletest.CaptureUser) {
			n++
		}
	}
	return n
}

// with changes the capture user's connection string.
func (s *scenario) with(change func(*url.URL)) string {
	s.t.Helper()
	u, err := url.Parse(s.db.DSN(capture))
	if err != nil {
		s.t.Fatal(err)
	}
	change(u)
	return u.String()
}

// A second attempt with a wrong password could lock the account: there is one.
func TestWrongPasswordIsATypedStopAfterOneLogon(t *testing.T) {
	sideBySide(t)
	for _, onStop := range []string{"exit", "hold"} {
		t.Run(onStop, func(t *testing.T) {
			s := begin(t, needing(wireFaults))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			logons := s.server.AddFault(wire.Fault{Call: wire.CallLogon, User: oracletest.CaptureUser})
			dsn := s.with(func(u *url.URL) { u.User = url.UserPassword(oracletest.CaptureUser, wrongPassword) })
			p := s.launch(fields{"connection_string": dsn, "on_stop": onStop})
			if onStop == "exit" {
				refusal(t, p.stopped(), 5002, "ORA-01017")
			}
			p.until("the stop is not logged", func() bool { return strings.Contains(p.log.text(), "[CDC-5002]") })
			// The runtime asks an input that is not connected again after half a second at first.
			p.quiet(1500 * time.Millisecond)
			if n := logons.Hits(); n != 1 {
				t.Errorf("%d log-ons", n)
			}
			select {
			case err := <-p.typed:
				t.Errorf("stopped (again): %v", err)
			default:
			}
		})
	}
}

// quiet gives something that must not happen the time to happen.
func (p *pipeline) quiet(d time.Duration) { <-time.After(d) }

func TestPasswordFieldsReplaceThoseOfTheConnectionString(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	u, err := url.Parse(s.db.DSN(capture))
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	bare := s.with(func(u *url.URL) { u.User = nil })
	p := s.start(fields{"connection_string": bare, "username": u.User.Username(), "password": password})
	s.exec("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), `{"ID":1} c {"ID":1}`)
}

// A service that the listener does not know may be one that is starting: it is asked for again, and the log says which.
func TestUnknownServiceIsTriedAgainAndNamed(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.launch(fields{"connection_string": s.with(func(u *url.URL) { u.Path = "/NOWHERE" })})
	p.until("nobody tries again", func() bool { return strings.Count(p.log.text(), "ORA-12514") >= 2 })
	if s.stored() != nil {
		t.Error("a position is stored")
	}
}

func TestServiceOfAPDBIsRefused(t *testing.T) {
	s := begin(t, needing(ownSettings)) // a common user may log on there on the stand-in; a real one needs a grant
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.refused(fields{"connection_string": s.with(func(u *url.URL) { u.Path = "/" + standInPDB })}, 5001, s.db.PDB())
}

func TestPatternWithoutATableIsRefused(t *testing.T) {
	s := begin(t)
	s.refused(fields{"include": s.include("nothing")}, 5003, "include")
}

func TestUnknownPDBIsRefused(t *testing.T) {
	s := begin(t)
	s.refused(fields{"pdb_name": "NOWHERE"}, 5003, "NOWHERE")
}

func TestTableThatCannotBeCapturedIsRefusedByName(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		create []string
		names  string
	}{
		"no key": {[]string{"CREATE TABLE $u (id NUMBER(9))", "ALTER TABLE $u ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS"}, "key"},
		"unique index over nullable columns": {[]string{
			"CREATE TABLE $u (id NUMBER(9))", "CREATE UNIQUE INDEX $u_i ON $u (id)", "ALTER TABLE $u ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
		}, "key"},
		"no supplemental logging": {[]string{"CREATE TABLE $u (id NUMBER(9) PRIMARY KEY)"}, "SUPPLEMENTAL LOG DATA"},
		"key logging only":        {[]string{"CREATE TABLE $u (id NUMBER(9) PRIMARY KEY)", "ALTER TABLE $u ADD SUPPLEMENTAL LOG DATA (PRIMARY KEY) COLUMNS"}, "SUPPLEMENTAL LOG DATA"},
		"CLOB column":             {[]string{"CREATE TABLE $u (id NUMBER(9) PRIMARY KEY, c CLOB)", "ALTER TABLE $u ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS"}, "CLOB"},
		"BLOB column":             {[]string{"CREATE TABLE $u (id NUMBER(9) PRIMARY KEY, c BLOB)", "ALTER TABLE $u ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS"}, "BLOB"},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			for _, statement := range c.create {
				s.exec(statement)
			}
			stopped := s.refused(fields{"include": s.include("t", "u", fenceTable)}, 5003, s.full("u"))
			if !strings.Contains(stopped.Error(), c.names) {
				t.Errorf("%q does not speak of %s", stopped, c.names)
			}
			// Without the table everything else is captured.
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (1)")
			same(t, p.settle(), `{"ID":1} c {"ID":1}`)
		})
	}
}

// Contracts 5, seed 001: equal topics would mix two tables' keys.
func TestTablesWithOneTopicAreRefused(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	for _, name := range []string{"t#", "t$"} {
		s.exec(fmt.Sprintf(`CREATE TABLE "%s%s" (id NUMBER(9) PRIMARY KEY)`, s.db.Table("u"), name))
		s.exec(fmt.Sprintf(`ALTER TABLE "%s%s" ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS`, s.db.Table("u"), name))
	}
	pattern := s.include("u")[0] + "t."
	s.refused(fields{"include": []string{pattern}, "case_sensitive": true}, 6004, s.full("u")+"t")
}

func TestDatabaseThatLogsTooLittleIsRefused(t *testing.T) {
	s := begin(t, needing(ownSettings))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.connect(admin).exec("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
	s.refused(nil, 5003, "supplemental logging")
}

func TestPositionOfAnotherDatabaseIsRefused(t *testing.T) {
	s := begin(t, needing(otherDatabase))
	p := s.start(nil)
	p.stop()
	other := begin(t, second(), needing(otherDatabase), serving(func(c *oracletest.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Hour) } // another RESETLOGS time
	}))
	other.file = s.file
	other.refused(nil, 5001, "RESETLOGS")
}

func TestPositionFileThatCannotBeUsedIsRefused(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		content string
		code    stop.Code
	}{
		"no JSON":            {"garbage", 3002},
		"empty":              {"", 3002},
		"cut off":            {`{"v":1,"run":"a","seq":`, 3002},
		"something else":     {`{"a":"b"}`, 3002},
		"of a newer version": {`{"v":2,"run":"a","seq":1}`, 3004},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t)
			if err := os.WriteFile(s.file, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			s.refused(nil, c.code, s.file)
		})
	}
	t.Run("in no folder", func(t *testing.T) {
		s := begin(t)
		s.file = filepath.Join(t.TempDir(), "not there", "position.json")
		s.refused(nil, 5003, s.file)
	})
}

// Another process took over: what it stored is not overwritten.
func TestPositionOfAForeignRunIsATypedStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	mine, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	foreign := strings.Replace(string(mine), s.stored().Run, "11111111-2222-3333-4444-555555555555", 1)
	if err := os.WriteFile(s.file, []byte(foreign), 0o600); err != nil {
		t.Fatal(err)
	}
	s.exec("INSERT INTO $t VALUES (1)")
	refusal(t, p.stopped(), 9002, s.file)
	if now, _ := os.ReadFile(s.file); string(now) != foreign {
		t.Errorf("the foreign position was overwritten: %s", now)
	}
}

// P5: beyond the budget is a typed stop that names what fills it; what committed before is delivered.
func TestTransactionBeyondTheBudgetIsATypedStop(t *testing.T) {
	s := begin(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, filler VARCHAR2(400)")
	p := s.start(fields{"transactions.memory": "256KiB"})
	s.exec("INSERT INTO $t VALUES (-1, NULL)")
	same(t, p.settle(), `{"ID":-1} c {"ID":-1,"FILLER":null}`)
	ids := make([]int, 2000)
	for i := range ids {
		ids[i] = i
	}
	x := s.begin()
	x.exec("INSERT INTO $t SELECT :1, RPAD('x', 400, 'x') FROM dual", ids)
	x.commit()
	refusal(t, p.stopped(), 4001, "transactions.memory")
	got, _ := p.delivered()
	same(t, without(got, s.db.Table(fenceTable)), `{"ID":-1} c {"ID":-1,"FILLER":null}`)
	p.untouched()
}
