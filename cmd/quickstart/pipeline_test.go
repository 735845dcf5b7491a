package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain lets the test binary play the product when it is started as one.
func TestMain(m *testing.M) {
	if mode := os.Getenv("PLAY_PIPELINE"); mode != "" {
		os.Exit(play(mode, os.Args))
	}
	goleak.VerifyTestMain(m)
}

// play answers /ready at the address of run -s http.address=… until SIGTERM; in the mode dies it ends at once.
func play(mode string, args []string) int {
	if mode == "dies" {
		_, _ = os.Stderr.WriteString("first line\n[CDC-5002] log-on refused\n")
		return 3
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	server := &http.Server{
		Addr: strings.TrimPrefix(args[3], "http.address="), ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/ready" {
				w.WriteHeader(http.StatusNotFound)
			}
		}),
	}
	go func() { _ = server.ListenAndServe() }()
	<-terminated
	if mode == "fails" {
		return 1
	}
	return 0
}

func played(t *testing.T, mode string) *pipeline {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &pipeline{binary: self, config: "pipeline.yaml", dir: t.TempDir(), env: []string{"PLAY_PIPELINE=" + mode}}
	t.Cleanup(p.close)
	if err := p.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return p
}

func bounded(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestPipelineIsKilledAndStartedAgain(t *testing.T) {
	p := played(t, "runs")
	for range 2 {
		if err := p.ready(bounded(t)); err != nil {
			t.Fatal(err)
		}
		if err := p.kill(); err != nil {
			t.Fatal(err)
		}
		if err := p.start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.ready(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if err := p.stop(bounded(t)); err != nil {
		t.Errorf("a graceful end: %v", err)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestPipelineThatEndsByItselfIsNoticed(t *testing.T) {
	err := played(t, "dies").ready(bounded(t))
	if err == nil || !strings.Contains(err.Error(), "[CDC-5002] log-on refused") || strings.Contains(err.Error(), "first line") {
		t.Errorf("%v, want the last line of its log", err)
	}
}

func TestPipelineThatEndsBadlyFailsTheRun(t *testing.T) {
	p := played(t, "fails")
	if err := p.ready(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if err := p.stop(bounded(t)); err == nil {
		t.Error("exit code 1 after SIGTERM was taken for a graceful end")
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestClosingLine(t *testing.T) {
	var stdout, stderr bytes.Buffer
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	code := run(bounded(t), []string{"-binary", filepath.Join(t.TempDir(), "missing")}, &stdout, &stderr)
	line := stdout.String()
	if code != 1 || !strings.HasPrefix(line, `{"verified":false,"transactions":0,"changes":0,"duplicates":0,"ddl":0,"snapshot_rows":0,"signals":0,"seconds":`) ||
		strings.Count(line, "\n") != 1 || !strings.Contains(line, `"reason":`) {
		t.Errorf("code %d, %s", code, line)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("a run that started no pipeline leaves %v, %v", left, err)
	}
	if code := run(bounded(t), []string{"-sabotage", "none"}, &stdout, &stderr); code != 2 {
		t.Errorf("unknown sabotage: code %d, want 2", code)
	}
}
