package scenario_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// The smallest pipeline: topics by table, keys, values, null tombstones and headers (contracts 2 and 4, seed 001).
func TestKafkaRecordsHaveKeysValuesTombstonesAndHeaders(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	s.table("u", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, nil)
	s.commit("INSERT INTO $t VALUES (1, 'one')", "INSERT INTO $u VALUES (7)", "UPDATE $t SET id = 2", "DELETE FROM $t")
	p.settleKafka(b)
	var of [2][]string // by key: one partition each
	var got []string
	for _, r := range b.topic("shop." + s.full("t")) {
		n, _ := strconv.Atoi(strings.Trim(string(r.Key), `{"ID:}`))
		of[n-1] = append(of[n-1], summary(r))
		got = append(got, headers(r))
	}
	want := [2][]string{
		{`{"ID":1} c 0`, `{"ID":1} d 2`, `{"ID":1} null 2`}, {`{"ID":2} c 2`, `{"ID":2} d 3`, `{"ID":2} null 3`},
	}
	if diff := cmp.Diff(want, of); diff != "" {
		t.Errorf("topic of T (-want +got):\n%s", diff)
	}
	if u := b.topic("shop." + s.full("u")); len(u) != 1 || summary(u[0]) != `{"ID":7} c 1` {
		t.Errorf("topic of U: %v", u)
	}
	for _, h := range got {
		var scn, commit uint64
		var xid string
		var index, count, version int
		n, err := fmt.Sscanf(h, "cdc.scn=%d cdc.commit_scn=%d cdc.xid=%s cdc.event_index=%d cdc.event_count=%d cdc.schema_version=%d",
			&scn, &commit, &xid, &index, &count, &version)
		if err != nil || n != 6 || count != 4 || version != 1 || commit <= scn {
			t.Errorf("headers %q: %v", h, err)
		}
		if want := fmt.Sprintf("cdc.scn=%d cdc.commit_scn=%d cdc.xid=%s cdc.event_index=%d cdc.event_count=4 cdc.schema_version=1", scn, commit, xid, index); h != want {
			t.Errorf("headers %q, want %q", h, want)
		}
	}
	if _, n := b.settings("shop." + s.full("t")); n != partitions {
		t.Errorf("the topic was made with %d partitions", n)
	}
}

// summary is key, operation and event index of a record; a null value shows as null.
func summary(r *kgo.Record) string {
	op := "null"
	if r.Value != nil {
		var v struct{ Op string }
		if err := json.Unmarshal(r.Value, &v); err != nil {
			op = err.Error()
		} else {
			op = v.Op
		}
	}
	return fmt.Sprintf("%s %s %s", r.Key, op, header(r, "cdc.event_index"))
}

// R75: the version of a table is durable before the first row that uses it, also for a table that is made later.
func TestR75SchemaTopicHasAVersionBeforeItsFirstRow(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
	var mu sync.Mutex
	var produced []string
	b.cluster.ControlKey(int16(kmsg.Produce), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.cluster.KeepControl()
		mu.Lock()
		defer mu.Unlock()
		for i := range req.(*kmsg.ProduceRequest).Topics {
			if name := req.(*kmsg.ProduceRequest).Topics[i].Topic; len(produced) == 0 || produced[len(produced)-1] != name {
				produced = append(produced, name)
			}
		}
		return nil, nil, false
	})
	s.logAll()
	p := s.startKafka(b, fields{"include": s.include("t", "later", fenceTable)})
	s.commit("INSERT INTO $t VALUES (1, 'one')")
	p.settleKafka(b)
	s.tableWhileCapturing("later", "id NUMBER(9) PRIMARY KEY")
	s.commit("INSERT INTO $later VALUES (1)")
	p.settleKafka(b)
	records := b.topic("shop.cdc.schema")
	versions := map[string]string{}
	for _, r := range records {
		versions[string(r.Key)] = string(r.Value)
	}
	for _, name := range []string{"t", "later", fenceTable} {
		key := fmt.Sprintf(`{"server":"shop","pdb":%q,"owner":%q,"table":%q}`, s.db.PDB(), s.db.Owner(), s.db.Table(name))
		var v struct {
			Format   int
			Versions []struct {
				Version int
				Key     struct{ Columns []string }
				Columns []struct{ Name string }
			}
		}
		if err := json.Unmarshal([]byte(versions[key]), &v); err != nil || v.Format != 1 || len(v.Versions) != 1 || v.Versions[0].Version != 1 || v.Versions[0].Columns[0].Name != "ID" {
			t.Errorf("%s: %v, %s", key, err, versions[key])
		}
	}
	mu.Lock()
	order := slices.Clone(produced)
	mu.Unlock()
	schemas := 0
	for _, topic := range order {
		if topic == "shop.cdc.schema" {
			schemas++
		}
		if topic == "shop."+s.full("later") && schemas < 2 {
			t.Errorf("the row of a new table came before its version: %q", order)
		}
	}
	if first := slices.Index(order, "shop."+s.full("t")); first < slices.Index(order, "shop.cdc.schema") {
		t.Errorf("a row came before its version: %q", order)
	}
	config, n := b.settings("shop.cdc.schema")
	if config["cleanup.policy"] != "compact" || n != 1 {
		t.Errorf("schema topic: policy %s, %d partitions", config["cleanup.policy"], n)
	}
}

// Contracts 5: position records of one key, in order of their sequence numbers, in a compacted topic of one partition.
func TestPositionTopicHoldsPositionsInOrder(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, nil)
	for i := range 5 {
		oneByOne(s, i, i+1, 2)
		p.settleKafka(b)
	}
	p.stop()
	records := b.topic("shop.cdc.position")
	var last *position.Position
	for _, r := range records {
		now, err := position.Decode(r.Value)
		if err != nil || string(r.Key) != "shop" {
			t.Fatalf("%s: %v: %s", r.Key, err, r.Value)
		}
		// One that was not acknowledged when the input was stopped is written once more.
		if last != nil && (now.Sequence < last.Sequence || now.Run != last.Run || !last.Done.Within(now.Done)) {
			t.Errorf("position %d of run %s after %d of %s", now.Sequence, now.Run, last.Sequence, last.Run)
		}
		last = now
	}
	if len(records) < 3 {
		t.Errorf("%d positions", len(records))
	}
	config, n := b.settings("shop.cdc.position")
	if config["cleanup.policy"] != "compact" || n != 1 {
		t.Errorf("position topic: policy %s, %d partitions", config["cleanup.policy"], n)
	}
	// A restart goes on from there.
	s.commit("INSERT INTO $t VALUES (100)")
	p = s.startKafka(b, nil)
	p.settleKafka(b)
	if got := b.topic("shop." + s.full("t")); len(got) != 11 {
		t.Errorf("%d records, want 11 without a repeat", len(got))
	}
}

func TestHeartbeatsAreRecordsAndMoveThePosition(t *testing.T) {
	s, b := begin(t), newBroker(t)
	p := s.startKafka(b, nil)
	done := func() position.SCN {
		records := b.topic("shop.cdc.position")
		now, err := position.Decode(records[len(records)-1].Value)
		if err != nil {
			t.Fatal(err)
		}
		return now.Done.SCN
	}
	first := done()
	s.connect(admin).rows("SELECT current_scn FROM v$database")
	p.until("no heartbeat moves the position", func() bool { return done() > first && len(b.topic("shop.cdc.heartbeat")) > 2 })
	for _, r := range b.topic("shop.cdc.heartbeat") {
		var v struct {
			Millis int64 `json:"ts_ms"`
		}
		if err := json.Unmarshal(r.Value, &v); err != nil || v.Millis == 0 || string(r.Key) != `{"serverName":"shop"}` {
			t.Errorf("heartbeat %s %s: %v", r.Key, r.Value, err)
		}
	}
}

// check compares what topics hold of table t with the database: the last value by key, every change at least once, and the order
// of each key.
func (s *scenario) check(b *broker) {
	s.t.Helper()
	replica, seen := map[string]string{}, map[string]bool{}
	last := map[string]int64{}
	for _, r := range b.topic("shop." + s.full("t")) {
		id := header(r, "cdc.xid") + "/" + header(r, "cdc.event_index") + string(r.Key) + summary(r)
		if seen[id] {
			continue // a repeat, which consumers drop by these headers
		}
		seen[id] = true
		commit, err := strconv.ParseInt(header(r, "cdc.commit_scn"), 10, 64)
		if err != nil {
			s.t.Fatal(err)
		}
		if key := string(r.Key); commit < last[key] {
			s.t.Errorf("key %s goes back from commit %d to %d", key, last[key], commit)
		} else {
			last[key] = commit
		}
		if r.Value == nil {
			delete(replica, string(r.Key))
			continue
		}
		m := message{value: r.Value}
		if rec := m.record(); rec.Op != "d" {
			replica[string(r.Key)] = string(rec.After)
		}
	}
	if diff := cmp.Diff(s.rowsAt("t", s.scn()), replica); diff != "" {
		s.t.Errorf("the table (-database +topic):\n%s", diff)
	}
}

func TestBrokerThatRestartsLosesNothing(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
	p := s.startKafka(b, fields{"batching.count": 5})
	for i := range 3 {
		work(s, uint64(i), 60)
		b.down()
		work(s, uint64(10+i), 60)
		b.up()
	}
	p.settleKafka(b)
	s.check(b)
}

func TestPipelineThatIsStoppedHardLosesNothing(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
	p := s.startKafka(b, fields{"batching.count": 5})
	for i := range 3 {
		work(s, uint64(20+i), 100)
		p.stopHard()
		work(s, uint64(30+i), 40)
		p = s.launchKafka(b, fields{"batching.count": 5}, "kafka_franz: {}")
	}
	p.settleKafka(b)
	s.check(b)
}

// Errors of the broker that pass are tried again in place: nothing is lost, nothing is out of order.
// P3: while a message that a processor failed on comes again, nothing of the batches behind it is written.
func TestNothingPassesABatchThatAProcessorFailedOn(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	s.exec("INSERT INTO $t VALUES (1, 0)")
	p := s.launchKafkaBehind(b, fields{"batching.count": 1, "emit.heartbeat_interval": "0s"}, `
processors:
  - oracle_schema: {}
  - mapping: root = if [5, 21, 43].contains(counter()) { throw("fails now and then") } else { content() }
`, "kafka_franz: {}")
	p.until("no position is stored", func() bool { return len(b.topic("shop.cdc.position")) > 0 })
	x := s.begin()
	for i := range 60 {
		x.exec("UPDATE $t SET v = :1", i)
	}
	x.commit()
	p.settleKafka(b)
	seen, last := map[int]bool{}, -1
	for _, r := range b.topic("shop." + s.full("t")) {
		n, err := strconv.Atoi(header(r, "cdc.event_index"))
		if err != nil {
			t.Fatal(err)
		}
		if !seen[n] && n != last+1 {
			t.Errorf("change %d comes behind change %d", n, last)
		}
		if !seen[n] {
			seen[n], last = true, n
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d changes, want 60", len(seen))
	}
}

func TestBrokerErrorsThatPassLoseNothing(t *testing.T) {
	sideBySide(t)
	for _, e := range []*kerr.Error{kerr.NotLeaderForPartition, kerr.RequestTimedOut, kerr.NotEnoughReplicas, kerr.CoordinatorNotAvailable} {
		t.Run(e.Message, func(t *testing.T) {
			s, b := begin(t), newBroker(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
			p := s.startKafka(b, fields{"batching.count": 5})
			work(s, 40, 30)
			p.settleKafka(b)
			h := b.cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: e, Count: 3})
			work(s, 41, 60)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			if err := h.Wait(ctx, 1); err != nil {
				t.Fatal(err)
			}
			p.settleKafka(b)
			s.check(b)
		})
	}
}

func TestRecordThatIsTooLargeIsATypedStop(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(4000), b VARCHAR2(4000)")
	p := s.launchKafka(b, nil, "kafka_franz: {max_message_bytes: 4KiB}")
	p.until("no position is stored", func() bool { return len(b.topic("shop.cdc.position")) > 0 })
	s.commit("INSERT INTO $t VALUES (1, 'small', NULL)")
	p.settleKafka(b)
	s.commit("INSERT INTO $t VALUES (2, RPAD('x', 4000, 'x'), RPAD('y', 4000, 'y'))")
	s.commit("INSERT INTO $t VALUES (3, 'after', NULL)")
	refusal(t, p.stopped(), 9003, "shop."+s.full("t"))
	if got := b.topic("shop." + s.full("t")); len(got) != 1 {
		t.Errorf("%d records, want the one before", len(got))
	}
}

func TestPositionTopicThatForgetsIsRefused(t *testing.T) {
	s, b := begin(t), newBroker(t)
	client := b.client()
	policy := "delete"
	_, err := kadm.NewClient(client).CreateTopic(context.Background(), 1, 1, map[string]*string{"cleanup.policy": &policy}, "shop.cdc.position")
	client.Close()
	if err != nil {
		t.Fatal(err)
	}
	p := s.launchKafka(b, nil, "kafka_franz: {}")
	refusal(t, p.stopped(), 9004, "shop.cdc.position")
}

func TestPositionTopicOfAForeignRunIsATypedStop(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, nil)
	records := b.topic("shop.cdc.position")
	mine, err := position.Decode(records[len(records)-1].Value)
	if err != nil {
		t.Fatal(err)
	}
	mine.Run, mine.Sequence = "11111111-2222-3333-4444-555555555555", mine.Sequence+1000
	foreign, err := position.Encode(mine)
	if err != nil {
		t.Fatal(err)
	}
	b.produce(&kgo.Record{Topic: "shop.cdc.position", Key: []byte("shop"), Value: foreign})
	s.commit("INSERT INTO $t VALUES (1)")
	refusal(t, p.stopped(), 9002, "shop")
}

// R101: another table takes the name of a captured one while nobody captures: rows have the topic of the name at their moment.
func TestR101AnotherTableTakesACapturedNameWhileNobodyCaptures(t *testing.T) {
	s, b := begin(t), newBroker(t)
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	include := fields{"include": s.include("t", fenceTable)}
	s.table("other", "id NUMBER(9) PRIMARY KEY")
	p := s.startKafka(b, include)
	s.commit("INSERT INTO $t VALUES (1)")
	p.settleKafka(b)
	p.stop()
	s.commit("INSERT INTO $other VALUES (2)")
	s.commit("INSERT INTO $t VALUES (3)")
	s.exec("ALTER TABLE $t RENAME TO $away")
	s.exec("ALTER TABLE $other RENAME TO $t")
	s.commit("INSERT INTO $away VALUES (4)")
	s.commit("INSERT INTO $t VALUES (5)")
	p = s.launchKafka(b, include, "kafka_franz: {}")
	p.settleKafka(b)
	var keys []string
	for _, r := range b.topic("shop." + s.full("t")) {
		keys = append(keys, string(r.Key))
	}
	if want := []string{`{"ID":1}`, `{"ID":3}`, `{"ID":5}`}; !slices.Equal(keys, want) {
		t.Errorf("records %s, want %s", keys, want)
	}
}

// A position that cannot be read is never taken for none: that would be a silent "from now".
func TestPositionTopicThatCannotBeReadIsRefused(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		content string
		code    stop.Code
	}{
		"damaged": {`{"v":1,"run":"a","seq":`, 3002}, "of a newer version": {`{"v":2,"run":"a","seq":1}`, 3004},
	} {
		t.Run(name, func(t *testing.T) {
			s, b := begin(t), newBroker(t)
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			b.create("shop.cdc.position", 1, "compact")
			b.produce(&kgo.Record{Topic: "shop.cdc.position", Key: []byte("shop"), Value: []byte(c.content)})
			p := s.launchKafka(b, nil, "kafka_franz: {}")
			refusal(t, p.stopped(), c.code, "shop.cdc.position")
			if got := b.topic("shop.cdc.position"); len(got) != 1 {
				t.Errorf("%d positions, want the one that cannot be read", len(got))
			}
			p.untouched()
		})
	}
}
