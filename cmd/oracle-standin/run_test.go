package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		main()
		return
	}
	goleak.VerifyTestMain(m)
}

// startRun runs the command until the test ends and returns what its ready file says.
func startRun(t *testing.T, args ...string) ready {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ready.json")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	var stderr bytes.Buffer
	go func() { done <- run(ctx, append(args, "--listen", "127.0.0.1:0", "--ready-file", path), &stderr) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("%v\n%s", err, stderr.String())
		}
		if !strings.Contains(stderr.String(), "listening on 127.0.0.1:") {
			t.Errorf("standard error does not say where it listens: %q", stderr.String())
		}
	})
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			done <- nil
			t.Fatalf("ended before it was ready: %v", err)
		case <-tick.C:
		}
		line, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if strings.Count(string(line), "\n") != 1 {
			t.Fatalf("ready file %q", line)
		}
		var r ready
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		return r
	}
}

func request(t testing.TB, method, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := resp.Body.Close(); err != nil {
			t.Error(err)
		}
	}()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(body))
}

func TestRunsUntilTold(t *testing.T) {
	script := filepath.Join(t.TempDir(), "setup.sql")
	if err := os.WriteFile(script, []byte("ALTER SESSION SET CONTAINER = SALES;\nCREATE TABLE app.t (id NUMBER PRIMARY KEY);\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := startRun(t, "--pdbs", "freepdb1,sales", "--release", "19", "--script", script, "--control", "127.0.0.1:0")
	if !strings.HasPrefix(r.Listen, "127.0.0.1:") || !strings.HasPrefix(r.Control, "127.0.0.1:") || r.Service != "FREE" {
		t.Errorf("%+v", r)
	}
}

func TestControl(t *testing.T) {
	r := startRun(t, "--control", "127.0.0.1:0")
	if status, body := request(t, http.MethodPost, "http://"+r.Control+"/load?rows=10"); status != http.StatusOK {
		t.Errorf("load: %d %s", status, body)
	}
	if status, body := request(t, http.MethodPost, "http://"+r.Control+"/switch"); status != http.StatusOK || !strings.Contains(body, `"sequence":2,"archived":1`) {
		t.Errorf("switch: %d %s", status, body)
	}
	if status, body := request(t, http.MethodPost, "http://"+r.Control+"/purge?before=99999999"); status != http.StatusOK || body != `{"purged":1}` {
		t.Errorf("purge: %d %s", status, body)
	}
	if status, body := request(t, http.MethodGet, "http://"+r.Control+"/stats"); status != http.StatusOK || !strings.Contains(body, `"archived":0`) {
		t.Errorf("stats: %d %s", status, body)
	}
	for _, bad := range []string{"/purge", "/purge?before=x", "/load", "/load?rows=-1", "/load?rows=1&keep=0", "/warts"} {
		if status, _ := request(t, http.MethodPost, "http://"+r.Control+bad); status != http.StatusBadRequest {
			t.Errorf("%s: %d", bad, status)
		}
	}
	if status, _ := request(t, http.MethodPost, "http://"+r.Control+"/load?rows=1&pdb=NONE"); status != http.StatusInternalServerError {
		t.Errorf("unknown PDB: %d", status)
	}
}

// The ready file of an earlier run goes before anything can fail, and a script that fails is named by its statement.
func TestReadyFileOfAnEarlierRunGoes(t *testing.T) {
	folder := t.TempDir()
	path, script := filepath.Join(folder, "ready.json"), filepath.Join(folder, "bad.sql")
	if err := os.WriteFile(path, []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := "ALTER SESSION SET CONTAINER = FREEPDB1;\nCREATE TABLE app.t (id NUMBER);\nCREATE TABLE app.t (id NUMBER);\n"
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	err := run(t.Context(), []string{"--listen", "127.0.0.1:0", "--ready-file", path, "--script", script}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "script statement 3 (CREATE TABLE): ORA-00955") {
		t.Errorf("script that fails: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old ready file is still there: %v", err)
	}
}

func TestPortThatIsTakenIsNamed(t *testing.T) {
	r := startRun(t, "--control", "127.0.0.1:0")
	for _, args := range [][]string{{"--listen", r.Listen}, {"--listen", "127.0.0.1:0", "--control", r.Listen}} {
		if err := run(t.Context(), args, io.Discard); err == nil || !strings.Contains(err.Error(), r.Listen) {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestRefusesWhatItCannotDo(t *testing.T) {
	for _, args := range [][]string{
		{"--release", "11"},
		{"--listen", "0.0.0.0:0"},
		{"--listen", "127.0.0.1:0", "--control", "0.0.0.0:0"},
		{"--listen", "127.0.0.1:0", "--script", "no such file"},
		{"--no-such-flag"},
		{"argument"},
		{"--pdbs", ""},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%v: accepted", args)
		}
	}
	if err := run(t.Context(), []string{"--help"}, io.Discard); err != nil {
		t.Errorf("--help: %v", err)
	}
}
