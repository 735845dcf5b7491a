package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

const (
	killPrefix    = "shop"
	killPDB       = "FREEPDB1"
	dataTopic     = killPrefix + "." + killPDB + ".APP.T"
	positionTopic = killPrefix + ".cdc.position"
	killPatience  = time.Minute
)

// world is what the program runs in: a stand-in with a table under load, and a broker that keeps its topics over a restart.
type world struct {
	t      *testing.T
	dir    string
	oracle *oracletest.Server
	kafka  *kfake.Cluster
	port   int
	http   int
	config string

	load      sync.WaitGroup
	stopLoad  chan struct{}
	committed int
	loadErr   error
}

func newWorld(t *testing.T) *world {
	t.Helper()
	server, err := oracletest.Start(context.Background(), oracletest.Config{PDBs: []string{killPDB}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	w := &world{t: t, dir: t.TempDir(), oracle: server, port: freePort(t), http: freePort(t), stopLoad: make(chan struct{})}
	w.script("CREATE TABLE APP.T (ID NUMBER(9) PRIMARY KEY, V NUMBER(9));\nALTER TABLE APP.T ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;\n")
	w.brokerUp()
	t.Cleanup(w.brokerDown)
	w.config = filepath.Join(w.dir, "pipeline.yaml")
	text := fmt.Sprintf(`
input:
  oracle_cdc:
    connection_string: %s
    topic_prefix: %s
    include: ['%s\.APP\..*']
    kafka: {seed_brokers: ["127.0.0.1:%d"]}
    position: {interval: 50ms}
    emit: {heartbeat_interval: 500ms}
    snapshot: {mode: none}
    mining: {poll_interval: 20ms, idle_interval: 50ms}
    batching: {count: 7}
pipeline: {processors: [{oracle_schema: {}}]}
output: {kafka_franz: {create_topics: {partitions: 3}}}
`, strconv.Quote(server.DSN(oracletest.CaptureUser, oracletest.CapturePassword, oracletest.Name)), killPrefix, killPDB, w.port)
	if err := os.WriteFile(w.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return w
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) script(text string) {
	w.t.Helper()
	if err := w.oracle.RunScript(context.Background(), "ALTER SESSION SET CONTAINER = "+killPDB+";\n"+text); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) brokerUp() {
	w.t.Helper()
	var err error
	w.kafka, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.Ports(w.port), kfake.DataDir(filepath.Join(w.dir, "kafka")), kfake.SyncWrites())
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) brokerDown() {
	if w.kafka != nil {
		w.kafka.Close()
		w.kafka = nil
	}
}

// transaction k inserts row k, updates row k-1 and deletes row k-2 where that is even.
func transaction(k int) string {
	text := fmt.Sprintf("INSERT INTO APP.T VALUES (%d, 0);\nUPDATE APP.T SET V = %d WHERE ID = %d;\n", k, k, k-1)
	if k%2 == 0 {
		text += fmt.Sprintf("DELETE FROM APP.T WHERE ID = %d;\n", k-2)
	}
	return text + "COMMIT;\n"
}

// history gives the operations on row id after n transactions; a deletion is followed by a tombstone.
func history(id, n int) string {
	ops := "c"
	if id < n {
		ops += " u"
	}
	if id%2 == 0 && id+2 <= n {
		ops += " d null"
	}
	return ops
}

// startLoad commits one transaction after the other until endLoad, at least so many.
func (w *world) startLoad() {
	w.load.Go(func() {
		for {
			select {
			case <-w.stopLoad:
				return
			default:
			}
			text := "ALTER SESSION SET CONTAINER = " + killPDB + ";\n"
			for k := range 5 {
				text += transaction(w.committed + k + 1)
			}
			if w.loadErr = w.oracle.RunScript(context.Background(), text); w.loadErr != nil {
				return
			}
			w.committed += 5
			time.Sleep(20 * time.Millisecond)
		}
	})
}

func (w *world) endLoad() {
	w.t.Helper()
	close(w.stopLoad)
	w.load.Wait()
	if w.loadErr != nil {
		w.t.Fatal(w.loadErr)
	}
}

// child is the program as a process.
type child struct {
	w       *world
	command *exec.Cmd
	exited  chan struct{}
	log     string
}

func (w *world) start(settings ...string) *child {
	w.t.Helper()
	self, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	log, err := os.CreateTemp(w.dir, "log")
	if err != nil {
		w.t.Fatal(err)
	}
	c := &child{w: w, exited: make(chan struct{}), log: log.Name()}
	// The test binary plays the program under its name: see TestMain.
	c.command = &exec.Cmd{
		Path: self, Args: append([]string{binaryName, "run", "-s", fmt.Sprintf("http.address=127.0.0.1:%d", w.http)}, append(settings, w.config)...),
		Dir: w.dir, Env: os.Environ(), Stdout: log, Stderr: log,
	}
	if err := c.command.Start(); err != nil {
		w.t.Fatal(err)
	}
	go func() {
		_ = c.command.Wait()
		_ = log.Close()
		close(c.exited)
	}()
	w.t.Cleanup(func() {
		c.kill()
		if text, err := os.ReadFile(c.log); err == nil && w.t.Failed() {
			w.t.Logf("log:\n%s", tail(text))
		}
	})
	return c
}

func tail(text []byte) []byte {
	const most = 4000
	return text[max(0, len(text)-most):]
}

func (c *child) kill() {
	_ = c.command.Process.Kill()
	<-c.exited
}

func (w *world) await(what string, condition func() bool) {
	w.t.Helper()
	for end := time.Now().Add(killPatience); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("%s: not within %s", what, killPatience)
		}
	}
}

// captures waits for the first position: what commits from then on is delivered.
func (w *world) captures() {
	w.t.Helper()
	w.await("no position is stored", func() bool { return w.count(positionTopic) > 0 })
}

// records reads a topic up to its end of now, partition by partition; nil when it is not there.
func (w *world) records(topic string) map[int32][]*kgo.Record {
	w.t.Helper()
	client := w.client(kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{}))
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	ends := w.ends(client, topic)
	begin, missing := map[int32]kgo.Offset{}, int64(0)
	for p, end := range ends {
		begin[p] = kgo.NewOffset().AtStart()
		missing += end
	}
	client.AddConsumePartitions(map[string]map[int32]kgo.Offset{topic: begin})
	out := map[int32][]*kgo.Record{}
	for missing > 0 {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			w.t.Fatal(err)
		}
		fetches.EachRecord(func(r *kgo.Record) {
			if r.Offset < ends[r.Partition] {
				out[r.Partition] = append(out[r.Partition], r)
				missing--
			}
		})
	}
	return out
}

func (w *world) client(opts ...kgo.Opt) *kgo.Client {
	w.t.Helper()
	client, err := kgo.NewClient(append(opts, kgo.SeedBrokers(fmt.Sprintf("127.0.0.1:%d", w.port)))...)
	if err != nil {
		w.t.Fatal(err)
	}
	return client
}

// ends gives where the partitions of a topic end; nothing when it is not there.
func (w *world) ends(client *kgo.Client, topic string) map[int32]int64 {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), killPatience)
	defer cancel()
	offsets, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[int32]int64{}
	offsets.Each(func(o kadm.ListedOffset) {
		if o.Err == nil {
			out[o.Partition] = o.Offset
		}
	})
	return out
}

// count gives how many records topics have.
func (w *world) count(topics ...string) (n int64) {
	w.t.Helper()
	client := w.client()
	defer client.Close()
	for _, topic := range topics {
		for _, end := range w.ends(client, topic) {
			n += end
		}
	}
	return n
}

// positions gives every position that was stored, in order, and when its process made the record.
func (w *world) positions() (out []*position.Position, at []time.Time) {
	w.t.Helper()
	for _, r := range w.records(positionTopic)[0] {
		p, err := position.Decode(r.Value)
		if err != nil {
			w.t.Fatal(err)
		}
		out, at = append(out, p), append(at, r.Timestamp)
	}
	return out, at
}
