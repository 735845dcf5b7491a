package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	goora "github.com/sijms/go-ora/v2"
)

// childVariable makes the test binary the command: its CPU time must not be that of the client in the test.
const childVariable = "ORACLE_STANDIN_CHILD"

// child is a stand-in in a process of its own.
type child struct {
	ready   ready
	process *os.Process
}

func startChild(tb testing.TB) *child {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "ready.json")
	// It outlives the context, which ends before the clients are closed.
	cmd := exec.CommandContext(context.WithoutCancel(tb.Context()), os.Args[0], "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--ready-file", path)
	cmd.Env = append(os.Environ(), childVariable+"=1")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := errors.Join(cmd.Process.Signal(syscall.SIGTERM), cmd.Wait()); err != nil {
			tb.Error(err)
		}
	})
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		line, err := os.ReadFile(path)
		if err == nil {
			c := &child{process: cmd.Process}
			if err := json.Unmarshal(line, &c.ready); err != nil {
				tb.Fatal(err)
			}
			return c
		}
		select {
		case <-tick.C:
		case <-tb.Context().Done():
			tb.Fatal("the stand-in did not start")
		}
	}
}

// cpu is what the process has used so far.
func (c *child) cpu(tb testing.TB) time.Duration {
	tb.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.process.Pid))
	if err != nil {
		tb.Skip("no /proc to read the CPU time of a process from")
	}
	// The name in parentheses may hold blanks; user and system time are the 12th and 13th field behind it.
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			tb.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// ownCPU is what this process has used so far.
func ownCPU(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// mining is a LogMiner session over all redo of a child.
func (c *child) mining(tb testing.TB) *sql.Conn {
	tb.Helper()
	db := sql.OpenDB(goora.NewConnector("oracle://c%23%23cdc:cdc@" + c.ready.Listen + "/FREE?PREFETCH_ROWS=1000&SERVER LOCATION=UTC"))
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	conn, err := db.Conn(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := conn.Close(); err != nil {
			tb.Error(err)
		}
	})
	exec := func(text string, args ...any) {
		tb.Helper()
		if _, err := conn.ExecContext(tb.Context(), text, args...); err != nil {
			tb.Fatalf("%s: %v", text, err)
		}
	}
	exec("ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS'")
	rows, err := conn.QueryContext(tb.Context(), `SELECT name FROM v$archived_log WHERE deleted = 'NO' UNION ALL
		SELECT f.member FROM v$log l JOIN v$logfile f ON f.group# = l.group# WHERE l.status = 'CURRENT'`)
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			tb.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	for i, name := range names {
		exec("BEGIN DBMS_LOGMNR.ADD_LOGFILE(LogFileName => :1, Options => :2); END;", name, min(1+2*i, 3))
	}
	exec("BEGIN DBMS_LOGMNR.START_LOGMNR(Options => 2128); END;")
	return conn
}

// tenColumns is what a LogMiner client reads at least, with the predicates of a capture.
const tenColumns = `SELECT scn, rs_id, operation_code, rollback, xidusn, xidslt, xidsqn, data_obj#, row_id, sql_redo
  FROM v$logmnr_contents WHERE operation_code = 34 OR (scn <= :1 AND (thread# NOT IN (1) OR rs_id > :2 OR scn > :3)
   AND (operation_code IN (5, 6, 7, 36) OR (operation_code NOT IN (0, 25) AND src_con_id = 3 AND (data_obj# IN (74569) OR seg_owner = 'APP'))))`

// readAll fetches the rows of the ten columns and drops them.
func readAll(tb testing.TB, conn *sql.Conn) (n int) {
	tb.Helper()
	rows, err := conn.QueryContext(tb.Context(), tenColumns, int64(1)<<60, " 0x000001.00000000.0000 ", int64(1))
	if err != nil {
		tb.Fatal(err)
	}
	defer rows.Close()
	var scn, op, rollback, usn, slot, sqn, object int64
	var rsID, rowID, text sql.NullString
	for rows.Next() {
		if err := rows.Scan(&scn, &rsID, &op, &rollback, &usn, &slot, &sqn, &object, &rowID, &text); err != nil {
			tb.Fatal(err)
		}
		n++
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	return n
}

// cost is what a row takes.
type cost struct{ server, client time.Duration }

// servedRow loads rows without the wire and reads them with LogMiner until the server has worked for half a second.
func servedRow(tb testing.TB, load int) cost {
	tb.Helper()
	c := startChild(tb)
	if status, body := request(tb, http.MethodPost, fmt.Sprintf("http://%s/load?rows=%d", c.ready.Control, load)); status != http.StatusOK {
		tb.Fatalf("load: %d %s", status, body)
	}
	conn := c.mining(tb)
	if n := readAll(tb, conn); n < load {
		tb.Fatalf("%d rows of %d", n, load)
	}
	served, clientBefore, serverBefore := 0, ownCPU(tb), c.cpu(tb)
	for c.cpu(tb)-serverBefore < 500*time.Millisecond {
		served += readAll(tb, conn)
	}
	return cost{(c.cpu(tb) - serverBefore) / time.Duration(served), (ownCPU(tb) - clientBefore) / time.Duration(served)}
}

// A row served to one LogMiner client costs the server at most half of what it costs the client.
func TestServedRowCostsHalfOfTheClient(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a second of CPU")
	}
	got := servedRow(t, 20_000)
	t.Logf("server %v, client %v a row", got.server, got.client)
	if raceEnabled {
		t.Skip("the race detector weighs the two sides differently")
	}
	if 2*got.server > got.client {
		t.Errorf("a row costs the server %v and the client %v", got.server, got.client)
	}
}

// BenchmarkServedRow reports the cost of a row on both sides, with the collector as the product sets it for
// streaming (reference tns-server 14.1) and as Go does.
func BenchmarkServedRow(b *testing.B) {
	for _, gc := range []int{100, 400} {
		b.Run(fmt.Sprintf("clientGOGC=%d", gc), func(b *testing.B) {
			defer debug.SetGCPercent(debug.SetGCPercent(gc))
			var got cost
			for b.Loop() {
				got = servedRow(b, 100_000)
			}
			b.ReportMetric(float64(got.server.Nanoseconds()), "server-ns/row")
			b.ReportMetric(float64(got.client.Nanoseconds()), "client-ns/row")
			b.ReportMetric(float64(got.server)/float64(got.client), "server/client")
			b.ReportMetric(0, "ns/op")
		})
	}
}
