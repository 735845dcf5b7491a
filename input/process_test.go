package input

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
)

// standInProcess is a stand-in in a process of its own.
type standInProcess struct{ Listen, Control, Service string }

func startStandIn(tb testing.TB) *standInProcess {
	tb.Helper()
	dir := tb.TempDir()
	bin, ready := filepath.Join(dir, "oracle-standin"), filepath.Join(dir, "ready")
	if out, err := exec.Command("go", "build", "-o", bin, "../cmd/oracle-standin").CombinedOutput(); err != nil {
		tb.Fatalf("build the stand-in: %v\n%s", err, out)
	}
	cmd := exec.Command(bin, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--ready-file", ready)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var p standInProcess
		if data, err := os.ReadFile(ready); err == nil && json.Unmarshal(data, &p) == nil && p.Listen != "" {
			return &p
		}
		if time.Now().After(deadline) {
			tb.Fatal("the stand-in did not get ready")
		}
	}
}

func (p *standInProcess) config(user, password, service string) oracle.Config {
	return oracle.Config{ConnectionString: fmt.Sprintf("oracle://%s:%s@%s/%s", user, password, p.Listen, service)}
}

func (p *standInProcess) script(tb testing.TB, statements ...string) {
	tb.Helper()
	s, err := oracle.Connect(tb.Context(), p.config("system", "oracle", "FREEPDB1"), oracle.Dictionary)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for _, text := range statements {
		if err := s.Exec(tb.Context(), oracle.Statement{Name: "set up", Text: text}); err != nil {
			tb.Fatal(err)
		}
	}
}

func (p *standInProcess) load(tb testing.TB, rows int) {
	tb.Helper()
	p.control(tb, fmt.Sprintf("load?rows=%d", rows))
}

// control asks the stand-in for what no client can.
func (p *standInProcess) control(tb testing.TB, what string) {
	tb.Helper()
	answer, err := http.Post(fmt.Sprintf("http://%s/%s", p.Control, what), "", nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		line, _ := bufio.NewReader(answer.Body).ReadString('\n')
		tb.Fatalf("%s: %s", what, line)
	}
}

func cpu(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// asTheBinary sets the garbage collector as the binary does, unless the environment sets it, until the returned function is called.
func asTheBinary() (restore func()) {
	percent, limit := -1, int64(-1)
	if os.Getenv("GOGC") == "" {
		percent = debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		limit = debug.SetMemoryLimit(1 << 30)
	}
	return func() {
		if percent >= 0 {
			debug.SetGCPercent(percent)
		}
		if limit >= 0 {
			debug.SetMemoryLimit(limit)
		}
	}
}

// stream is a pipeline that runs in this process, in front of an output that acknowledges at once.
type stream struct {
	tb    testing.TB
	built *service.Stream
	ended chan struct{}
	err   error
	once  sync.Once
}

// stream makes a pipeline of the tables of a pattern; nothing happens before run. fields are of the input. got is called with every batch.
func (p *standInProcess) stream(tb testing.TB, include, position, fields string, got func(service.MessageBatch)) *stream {
	tb.Helper()
	build := service.NewStreamBuilder()
	if err := build.SetLoggerYAML("level: WARN"); err != nil {
		tb.Fatal(err)
	}
	yaml := fmt.Sprintf("oracle_cdc:\n  connection_string: oracle://c%%23%%23cdc:cdc@%s/%s\n  topic_prefix: cost\n  include: ['%s']\n  position: {file: %s}\n%s",
		p.Listen, p.Service, include, position, fields)
	if err := build.AddInputYAML(yaml); err != nil {
		tb.Fatal(err)
	}
	err := build.AddBatchConsumerFunc(func(_ context.Context, batch service.MessageBatch) error {
		got(batch)
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	s := &stream{tb: tb, ended: make(chan struct{})}
	if s.built, err = build.Build(); err != nil {
		tb.Fatal(err)
	}
	return s
}

// run begins; the pipeline ends with stop, or by itself.
func (s *stream) run() {
	go func() {
		defer close(s.ended)
		s.err = s.built.Run(context.Background())
	}()
}

// wait returns when the pipeline has ended by itself.
func (s *stream) wait(atMost time.Duration) {
	s.tb.Helper()
	select {
	case <-s.ended:
		if s.err != nil {
			s.tb.Fatal(s.err)
		}
	case <-time.After(atMost):
		s.stop()
		s.tb.Fatal("the pipeline does not end")
	}
}

// stop ends the pipeline and waits for it.
func (s *stream) stop() {
	s.once.Do(func() {
		_ = s.built.StopWithin(10 * time.Second)
		<-s.ended
	})
}
