package scenario_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R79: while capture is far behind, a snapshot of the configuration and one that is asked for wait and say so: no row of a table is asked
// for, so that neither disk nor memory holds any, and changes come all the while. Then both are read.
func TestR79SnapshotsWaitWhileCaptureIsFarBehind(t *testing.T) {
	s := begin(t, needing(wireFaults))
	for _, name := range []string{"t", "u"} {
		s.table(name, rowColumns)
		s.fill(name, 0, 500)
	}
	address := freeAddress(t)
	// Each step takes longer than capture may be behind.
	slow := s.server.AddFault(wire.Fault{Call: wire.CallExecute, User: oracletest.CaptureUser, SQL: "v$logmnr_contents", Delay: 6 * time.Second})
	log := s.server.LogStatements()
	// Where capture is not slow it is behind by about so much all the time: that keeps nothing from being read.
	p := s.start(initially(fields{
		"snapshot.order": []string{`.*\.` + s.db.Table("t")}, "snapshot.max_lag": "4s", "position.interval": "100ms",
		"signals.http": map[string]any{"enabled": true, "address": address},
	}))
	code, body := s.post(address, `{"id":"1","type":"execute-snapshot","data":{"data-collections":["`+strings.ReplaceAll(s.full("u"), ".", `\\.`)+`"]}}`)
	if code != http.StatusOK && code != http.StatusAccepted || !strings.Contains(body, "snapshot.max_lag") || !strings.Contains(body, "behind the snapshot that is running") {
		t.Errorf("%d %s", code, body)
	}
	p.until("the log does not say what it waits for", func() bool { return strings.Contains(p.log.text(), "The snapshot waits") })
	for id := range 2 {
		s.commit("UPDATE $t SET name = 'while behind' WHERE id = " + string(rune('0'+id)))
		p.until("changes do not come", func() bool {
			got, _ := p.delivered()
			return slices.ContainsFunc(got, func(m message) bool {
				return m.event.Kind == change.Change && string(m.event.Key) == `{"ID":`+string(rune('0'+id))+`}`
			})
		})
	}
	asked := func() (n int) {
		for _, st := range log.Statements() {
			for _, r := range st.Reads {
				if r.AsOf != 0 && slices.Contains([]string{s.db.Table("t"), s.db.Table("u")}, r.Table) {
					n++
				}
			}
		}
		return n
	}
	p.until("the request is not in the position", func() bool {
		now := s.stored()
		return now.Snapshot != nil && len(now.Snapshot.Queued) == 1
	})
	now := s.stored().Snapshot
	if n := asked(); n > 0 || p.reads("t")+p.reads("u") > 0 || now.Rows > 0 || now.Status != position.SnapshotRunning || slow.Hits() < 3 {
		t.Errorf("%d statements read the tables, %d rows came behind %d slow steps; the position says %+v", n, p.reads("t")+p.reads("u"), slow.Hits(), now)
	}

	slow.Remove()
	p.until("nothing is read then", func() bool { return p.reads("t") >= 500 && p.reads("u") >= 1000 })
	if asked() == 0 {
		t.Error("no statement read the tables: the log has none of them")
	}
	log.Stop()
	got := p.settle()
	s.sameRows(got, "t")
	s.sameRows(got, "u")
	p.stop()
}

// R78: a stream that never rests does not keep a snapshot from getting on, as long as capture follows it and the memory holds what commits in
// a few seconds; nor does a snapshot keep the stream.
func TestR78SnapshotGetsOnBesideABusyStream(t *testing.T) {
	s := begin(t)
	s.table("t", rowColumns)
	s.fill("t", 0, 12_000)
	p := s.start(initially(fields{"snapshot.chunk_rows": 4000}))
	began, commits := time.Now(), 0
	for {
		low := commits * 617 % 11_800
		s.exec("UPDATE $t SET v = v + 1 WHERE id BETWEEN :1 AND :2", low, low+199)
		commits++
		<-time.After(40 * time.Millisecond) // more than capture can follow on a small machine would be another test (R79)
		if now := s.stored(); now.Snapshot != nil && now.Snapshot.Status == position.SnapshotCompleted {
			break
		}
		if time.Since(began) > patience {
			t.Fatalf("the snapshot does not end beside %d commits: %+v", commits, s.stored().Snapshot)
		}
	}
	t.Logf("%d transactions of 200 rows committed while the table was read, in %s; given up %d times", commits, time.Since(began).Round(time.Millisecond),
		strings.Count(p.log.text(), "is given up and read again")+strings.Count(p.log.text(), "are given up and read again"))
	got := p.settle()
	if reads := s.sameRows(got, "t"); reads < 12_000 {
		t.Errorf("%d rows were read", reads)
	}
	if commits < 10 {
		t.Errorf("only %d transactions committed beside it", commits)
	}
	p.stop()
}
