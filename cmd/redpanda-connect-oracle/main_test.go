package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		binaryName: main,
		// The same program as the linker stamps it (Makefile: STAMP).
		"stamped": func() {
			Version, DateBuilt = "v9.8.7", "2026-11-30"
			main()
		},
		// The same program with an input that stops.
		"stopping": func() {
			service.MustRegisterBatchInput("stops", service.NewConfigSpec(), newStops)
			main()
		},
	})
}

func TestScripts(t *testing.T) {
	server, err := oracletest.Start(context.Background(), oracletest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	// Scripts are parallel subtests: the server outlives this function.
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	testscript.Run(t, testscript.Params{
		Setup: func(env *testscript.Env) error {
			env.Setenv("ORACLE_ADDRESS", server.Addr())
			return nil
		},
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "until": until},
	})
}

// exits runs a program and demands its exit code: exits 3 program arguments….
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// until waits for a file with content: until file.
func until(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if content, err := os.ReadFile(ts.MkAbs(args[0])); err == nil && len(content) > 0 {
			return
		}
	}
	ts.Fatalf("%s stays away", args[0])
}

// stops hands out one message and then stops for good, as oracle_cdc does with on_stop: exit.
type stops struct {
	stream *rendezvous.Stream
	sent   bool
}

func newStops(_ *service.ParsedConfig, res *service.Resources) (service.BatchInput, error) {
	return &stops{stream: rendezvous.Of(res)}, nil
}

func (s *stops) Connect(context.Context) error {
	if !s.sent {
		return nil
	}
	err := stop.New(stop.RedoGap, "thread 1 sequence 7", "archived log is missing")
	s.stream.RecordStop(err)
	s.stream.RecordStop(stop.New(stop.Broker, "kafka:9092", "a later stop"))
	return service.NewErrBackOff(err, time.Hour)
}

func (s *stops) ReadBatch(context.Context) (service.MessageBatch, service.AckFunc, error) {
	if s.sent {
		return nil, nil, service.ErrNotConnected
	}
	s.sent = true
	return service.MessageBatch{service.NewMessage([]byte("one change"))}, func(context.Context, error) error { return nil }, nil
}

func (s *stops) Close(context.Context) error { return nil }
