package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// findings are what all clients of a run found, for the table at its end.
type findings struct {
	clients []string
	results map[string]map[string]result // by client and check
}

func (f *findings) add(client string, results []result) {
	f.clients = append(f.clients, client)
	f.results[client] = make(map[string]result)
	for _, r := range results {
		f.results[client][r.Check] = r
	}
}

// table is the findings, one behaviour a line.
func (f *findings) table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s", "conformance")
	for _, c := range f.clients {
		fmt.Fprintf(&b, "%-22s", c)
	}
	for _, name := range behaviours() {
		fmt.Fprintf(&b, "\n%-28s", name)
		for _, c := range f.clients {
			fmt.Fprintf(&b, "%-22s", f.results[c][name].Outcome)
		}
	}
	return b.String()
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestConformance runs the list with every client that is there, and prints what they found.
func TestConformance(t *testing.T) {
	found := &findings{results: make(map[string]map[string]result)}
	t.Run("go-ora", func(t *testing.T) { goraSettings(t, found) })
	t.Run("node", func(t *testing.T) { node(t).run(t, found) })
	t.Run("python", func(t *testing.T) { python(t).run(t, found) })
	t.Run("jdbc", func(t *testing.T) { jdbc(t).run(t, found) })
	fmt.Fprintln(os.Stderr, found.table())
}

// setup is what the checks expect in the schema APP.
const setup = `ALTER SESSION SET CONTAINER = FREEPDB1;
CREATE TABLE app.conf_digits (d NUMBER);
INSERT INTO app.conf_digits SELECT 0 FROM dual UNION ALL SELECT 1 FROM dual UNION ALL SELECT 2 FROM dual UNION ALL SELECT 3 FROM dual
	UNION ALL SELECT 4 FROM dual UNION ALL SELECT 5 FROM dual UNION ALL SELECT 6 FROM dual UNION ALL SELECT 7 FROM dual
	UNION ALL SELECT 8 FROM dual UNION ALL SELECT 9 FROM dual;
CREATE TABLE app.conf_numbers (n NUMBER(10) PRIMARY KEY, s VARCHAR2(40));
INSERT INTO app.conf_numbers SELECT a.d * 100 + b.d * 10 + c.d, 'row ' || (a.d * 100 + b.d * 10 + c.d)
	FROM app.conf_digits a, app.conf_digits b, app.conf_digits c;
CREATE TABLE app.conf_target (n NUMBER(10), s VARCHAR2(400));
CREATE TABLE app.conf_types (id NUMBER PRIMARY KEY, n NUMBER, n38 NUMBER(38), neg NUMBER(5,-2), sc NUMBER(10,2),
	v VARCHAR2(100), nv NVARCHAR2(40), ch CHAR(5), dt DATE, ts TIMESTAMP(6), tz TIMESTAMP(6) WITH TIME ZONE, r RAW(16),
	bd BINARY_DOUBLE, bf BINARY_FLOAT);
INSERT INTO app.conf_types VALUES (1, -1234567, 99999999999999999999999999999999999999, 1234500, -0.05, 'Grüße 🌍', 'Grüße 🌍', 'ab',
	TO_DATE('2024-02-29 12:34:56', 'YYYY-MM-DD HH24:MI:SS'), TIMESTAMP '2024-02-29 12:34:56.123456',
	TIMESTAMP '2024-02-29 12:34:56.123456 +02:00', HEXTORAW('0001FEFF'), -1.5, 0.5);
INSERT INTO app.conf_types (id) VALUES (2);
COMMIT;
`

// server is a stand-in with the tables of the checks and the faults they ask for.
func server(t *testing.T, config oracletest.Config) *oracletest.Server {
	t.Helper()
	config.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	s, err := oracletest.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.RunScript(t.Context(), setup); err != nil {
		t.Fatal(err)
	}
	s.AddFault(wire.Fault{SQL: "conformance close", Rows: 150, Then: wire.Close})
	s.AddFault(wire.Fault{SQL: "conformance reset", Rows: 150, Then: wire.Reset})
	return s
}

// program is a client in clients/.
type program struct {
	name    string
	command []string
	env     []string
}

// run runs the program through the stand-in in every setting of the wire that matters, and judges what it found.
func (p program) run(t *testing.T, found *findings) {
	t.Helper()
	for _, setting := range []struct {
		name   string
		config oracletest.Config
	}{
		{"", oracletest.Config{}},
		{" SDU 512", oracletest.Config{SDU: 512, Errors: wire.ErrorMarker, Release: 19}},
		{" SDU 2 MB", oracletest.Config{SDU: 2 << 20, BitVectors: true}},
	} {
		t.Run("setting"+setting.name, func(t *testing.T) {
			results := p.results(t, setting.config)
			judge(t, results)
			found.add(p.name+setting.name, results)
		})
	}
}

func (p program) results(t *testing.T, config oracletest.Config) []result {
	t.Helper()
	plain := server(t, config)
	keys := newCertificate(t)
	config.TLS = keys.server
	secure := server(t, config)
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute) // a client that waits for ever is a failure
	defer cancel()
	place := keys.folder
	if p.command[0] == "java" {
		place = keys.trustStore(ctx, t)
	}
	args := append(p.command[1:len(p.command):len(p.command)],
		plain.Addr()+"/FREEPDB1", oracletest.AppUser, oracletest.AppPassword, "tcps://"+secure.Addr()+"/FREEPDB1", place)
	cmd := exec.CommandContext(ctx, p.command[0], args...)
	cmd.Env = append(os.Environ(), p.env...)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%v\n%s", err, messages.String())
	}
	var results []result
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var r result
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		results = append(results, r)
	}
	return results
}

// judge fails the test for every check that is missing or did not go as it should.
func judge(t *testing.T, results []result) {
	t.Helper()
	reported := make(map[string]bool)
	for _, r := range results {
		reported[r.Check] = true
		switch r.Outcome {
		case outcomeOK:
		case outcomeInapplicable:
			t.Logf("%s does not apply: %s", r.Check, r.Note)
		default:
			t.Errorf("%s: %s: %s", r.Check, r.Outcome, r.Note)
		}
	}
	for _, name := range behaviours() {
		if !reported[name] {
			t.Errorf("%s was not checked", name)
		}
	}
}
