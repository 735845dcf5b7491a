package main

import (
	"bytes"
	"context"
	"database/sql"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// examples says what each configuration under config/ makes of one inserted row: a line on standard output, or a record of a topic
// (topic: text in its value).
func examples() map[string][]string {
	return map[string][]string{
		"smallest.yaml": {"shop.FREEPDB1.APP.T: \"NAME\":\"Ada\""},
		"full.yaml":     {"shop.FREEPDB1.APP.T: \"NAME\":\"Ada\""},
		"pdbs.yaml":     {"shop.FREEPDB1.APP.T: \"NAME\":\"Ada\"", "shop.SALES.APP.T: \"NAME\":\"Ada\""},
		"file.yaml":     {`"after":{"ID":1,"NAME":"Ada"}`},
		"cache.yaml":    {`"after":{"ID":1,"NAME":"Ada"}`},
		"outbox.yaml":   {`outbox.event.order: 4711 {"total":3}`},
		"flat.yaml":     {`shop.FREEPDB1.APP.T: {"ID":1,"NAME":"Ada","__deleted":"false","__op":"c","__table":"T","__source_scn":"`},
		"rows.yaml":     {`{"ID":1,"NAME":"Ada","__op":"c","__table":"APP.T"}`},
	}
}

// Every example configuration runs as it is, against the stand-in and a broker, and captures a row.
func TestExampleConfigurations(t *testing.T) {
	files, err := filepath.Glob("../../config/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	wanted := examples()
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_benthos_test.yaml") {
			continue
		}
		want, ok := wanted[name]
		delete(wanted, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !ok {
				t.Fatal("no test says what it does")
			}
			runExample(t, file, want)
		})
	}
	if len(wanted) > 0 {
		t.Errorf("configurations that are not there: %v", wanted)
	}
}

func runExample(t *testing.T, file string, want []string) {
	server, err := oracletest.Start(context.Background(), oracletest.Config{PDBs: []string{"FREEPDB1", "SALES"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	in := func(pdb, statement string) {
		t.Helper()
		db := sql.OpenDB(goora.NewConnector(server.DSN(oracletest.AppUser, oracletest.AppPassword, pdb)))
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s in %s: %v", statement, pdb, err)
		}
	}
	for _, pdb := range []string{"FREEPDB1", "SALES"} {
		in(pdb, "CREATE TABLE t (id NUMBER(9) PRIMARY KEY, name VARCHAR2(20))")
		in(pdb, "ALTER TABLE t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
		in(pdb, "CREATE TABLE outbox (id NUMBER(9) PRIMARY KEY, aggregatetype VARCHAR2(40), aggregateid VARCHAR2(40), payload VARCHAR2(400))")
		in(pdb, "ALTER TABLE outbox ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS")
	}
	folder := t.TempDir()
	var out, log output
	c := exec.CommandContext(t.Context(), binaryName, "run", "--set", "http.enabled=false", file)
	c.Env = append(c.Environ(),
		"ORACLE_ADDRESS="+server.Addr(), "KAFKA_BROKERS="+strings.Join(cluster.ListenAddrs(), ","),
		"POSITION_FILE="+filepath.Join(folder, "position.json"), "POSITION_FOLDER="+folder)
	c.Stdout, c.Stderr = &out, &log
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGTERM) }
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log:\n%s\noutput:\n%s", log.text(), out.text())
		}
	})
	await(t, "capture does not begin", ended, func() bool { return strings.Contains(log.text()+out.text(), "First start:") })
	for _, pdb := range []string{"FREEPDB1", "SALES"} {
		in(pdb, "INSERT INTO t VALUES (1, 'Ada')")
		in(pdb, `INSERT INTO outbox VALUES (7, 'order', '4711', '{"total":3}')`)
		in(pdb, "DELETE FROM outbox")
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(cluster.ListenAddrs()...), kgo.ConsumeRegex(), kgo.ConsumeTopics(`(shop|outbox)\..*`),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.MetadataMinAge(50*time.Millisecond), kgo.MetadataMaxAge(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var records []string
	missing := func(w string) bool {
		topic, text, isRecord := strings.Cut(w, ": ")
		if !isRecord {
			return !strings.Contains(out.text(), w)
		}
		return !slices.ContainsFunc(records, func(r string) bool { return strings.HasPrefix(r, topic+": ") && strings.Contains(r, text) })
	}
	await(t, "not everything comes", ended, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) { records = append(records, r.Topic+": "+string(r.Key)+" "+string(r.Value)) })
		return !slices.ContainsFunc(want, missing)
	})
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatalf("the end: %v", err)
	}
}

func await(t *testing.T, otherwise string, ended chan error, condition func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for !condition() {
		select {
		case err := <-ended:
			t.Fatalf("%s: the program ended: %v", otherwise, err)
		case <-deadline:
			t.Fatal(otherwise)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// output collects what a process writes.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}
