package oracle_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// granted lets a script answer as if everything were granted.
func granted(s *script) {
	s.on("SELECT 1 FROM ", func(context.Context, *scriptSession) (wire.Result, error) { return table(), nil })
	s.rows("SESSION_PRIVS", []string{"CREATE SESSION"}, []string{"LOGMINING"})
	s.on("DBMS_LOGMNR", func(context.Context, *scriptSession) (wire.Result, error) {
		return wire.Result{}, wire.Errorf(1307, "no LogMiner session is currently active")
	})
}

func denied(s *script, part string, ora int, text string) {
	s.on(part, func(context.Context, *scriptSession) (wire.Result, error) {
		return wire.Result{}, wire.Errorf(ora, "%s", text)
	})
}

func TestMissingGrantsAreAllNamedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*script)
		names  []string
		do     []string
	}{
		"nothing": {func(*script) {}, nil, nil},
		"a view":  {func(s *script) { denied(s, "FROM V$LOGFILE", 942, "table or view does not exist") }, []string{"SELECT on V$LOGFILE"}, []string{"SELECT ANY DICTIONARY"}},
		"execute": {
			func(s *script) {
				denied(s, "DBMS_LOGMNR", 6550, "line 1, column 7:\nPLS-00201: identifier 'DBMS_LOGMNR' must be declared")
			},
			[]string{"EXECUTE on SYS.DBMS_LOGMNR"},
			[]string{"GRANT EXECUTE ON SYS.DBMS_LOGMNR"},
		},
		"the privilege": {
			func(s *script) {
				s.rows("SESSION_PRIVS", []string{"CREATE SESSION"})
				denied(s, "V$LOGMNR_CONTENTS", 1031, "insufficient privileges")
			},
			[]string{"LOGMINING"},
			[]string{"GRANT LOGMINING TO"},
		},
		"not mining yet": {func(s *script) {
			denied(s, "V$LOGMNR_CONTENTS", 1306, "dbms_logmnr.start_logmnr() must be invoked before selecting from v$logmnr_contents")
		}, nil, nil},
		"several": {
			func(s *script) {
				s.rows("SESSION_PRIVS")
				denied(s, "FROM CDB_OBJECTS", 942, "table or view does not exist")
				denied(s, "FROM GV$TRANSACTION", 1031, "insufficient privileges")
				denied(s, "DBMS_LOGMNR", 6550, "PLS-00201: identifier 'DBMS_LOGMNR' must be declared")
			},
			[]string{"LOGMINING", "SELECT on CDB_OBJECTS", "SELECT on GV$TRANSACTION", "EXECUTE on SYS.DBMS_LOGMNR"},
			[]string{"GRANT LOGMINING, SELECT ANY DICTIONARY TO", "GRANT EXECUTE ON SYS.DBMS_LOGMNR TO"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{}
			granted(s)
			c.change(s)
			err := oracle.CheckGrants(t.Context(), connect(t, config(server(t, s))))
			if c.names == nil {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			typed, ok := stop.As(err)
			if !ok || typed.Code != stop.Privilege {
				t.Fatalf("%v, want CDC-5002", err)
			}
			if got := strings.Split(typed.Object, ", "); len(got) != len(c.names) {
				t.Errorf("names %q, want %q", got, c.names)
			}
			for _, want := range c.names {
				if !strings.Contains(typed.Object, want) {
					t.Errorf("%q does not name %s", typed, want)
				}
			}
			for _, want := range c.do {
				if !strings.Contains(typed.Action(), want) {
					t.Errorf("%q does not say %s", typed, want)
				}
			}
		})
	}
}

// What is no answer about grants is not taken for one.
func TestGrantsThatCannotBeLookedAtAreNoMissingGrants(t *testing.T) {
	for _, part := range []string{"FROM V$LOGFILE", "SESSION_PRIVS", "DBMS_LOGMNR"} {
		s := &script{}
		granted(s)
		denied(s, part, 1089, "immediate shutdown or close in progress")
		err := oracle.CheckGrants(t.Context(), connect(t, config(server(t, s))))
		if class, _ := oracle.Classify(err); err == nil || class != oracle.Reconnect {
			t.Errorf("%s: %v, want what the database said", part, err)
		}
	}
}

// The set-up of a session reads a view: without a grant on it all that is missing is named, not that one.
func TestSessionWithoutGrantsNamesAllOfThem(t *testing.T) {
	s := &script{}
	granted(s)
	denied(s, "FROM V$SESSION", 942, "table or view does not exist")
	denied(s, "FROM V$LOGFILE", 942, "table or view does not exist")
	_, err := oracle.Connect(t.Context(), config(server(t, s)), oracle.Mining)
	if typed, ok := stop.As(err); !ok || typed.Object != "SELECT on V$SESSION, SELECT on V$LOGFILE" {
		t.Errorf("%v", err)
	}
}

// The list of views that are looked at is that of the statements.
func TestEveryViewThatIsReadIsLookedAt(t *testing.T) {
	from := regexp.MustCompile(`(?i)\bFROM\s+([a-z_$0-9]+)`)
	read := map[string]bool{}
	for _, pattern := range []string{"sql*.go", "../redolog/*.go", "../logminer/*.go", "transactions.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range from.FindAllStringSubmatch(string(text), -1) {
				if view := strings.ToUpper(m[1]); strings.ContainsAny(view, "$_") {
					read[view] = true
				}
			}
		}
	}
	s := &script{}
	granted(s)
	looked := map[string]bool{
		// For everybody; LogMiner's own.
		"NLS_SESSION_PARAMETERS": true, "V$LOGMNR_CONTENTS": true,
		// Inside a container and only where defaults are wanted; ORA-00942 is CDC-5002 there.
		"DBA_TAB_COLS": true,
		// Only for snapshots of tables without a key; ORA-00942 is CDC-5002 there.
		"CDB_EXTENTS": true,
		// Not there in every release; ORA-00942 is CDC-5002 where they are.
		"CDB_BLOCKCHAIN_TABLES": true, "CDB_IMMUTABLE_TABLES": true,
	}
	denied(s, "SELECT 1 FROM ", 942, "table or view does not exist")
	typed, _ := stop.As(oracle.CheckGrants(t.Context(), connect(t, config(server(t, s)))))
	for _, part := range strings.Split(typed.Object, ", ") {
		looked[strings.TrimPrefix(part, "SELECT on ")] = true
	}
	for view := range read {
		if !looked[view] {
			t.Errorf("%s is read and not looked at", view)
		}
	}
	for view := range looked {
		if !read[view] && !slices.Contains([]string{"NLS_SESSION_PARAMETERS", "V$LOGMNR_CONTENTS", "DBA_TAB_COLS", "CDB_EXTENTS"}, view) {
			t.Errorf("%s is looked at and not read", view)
		}
	}
}

func TestRefusedLogonIsNotTriedAgainByAnybody(t *testing.T) {
	srv := server(t, &script{})
	cfg := config(srv)
	cfg.Password, cfg.Logons = "wrong", oracle.NewLogons()
	logons := srv.AddFault(wire.Fault{Call: wire.CallLogon})
	errs := make(chan error)
	for _, role := range []oracle.Role{oracle.Mining, oracle.Bookkeeping, oracle.Dictionary, oracle.Mining} {
		go func() {
			_, err := oracle.Connect(context.Background(), cfg, role)
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; !stop.Is(err, stop.Privilege) {
			t.Errorf("%v, want CDC-5002", err)
		}
	}
	if n := logons.Hits(); n != 1 {
		t.Errorf("%d log-ons", n)
	}
}
