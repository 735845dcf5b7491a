package topicstore

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// endsBeyond makes the topic p of the cluster end at an offset that lies behind its last record, as compaction leaves a
// segment that was closed by time: the list of offsets says end, and fetches from the last record on are answered by reply,
// which gets the number of the request. Without that the broker of these tests cannot lose its last record.
func endsBeyond(c *kfake.Cluster, end, records int64, reply func(n int64, p *kmsg.FetchResponseTopicPartition) error) *atomic.Int64 {
	var asked atomic.Int64
	c.ControlKey(kmsg.ListOffsets.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		list := req.(*kmsg.ListOffsetsRequest)
		if list.Topics[0].Partitions[0].Timestamp != -1 {
			return nil, nil, false
		}
		resp := list.ResponseKind().(*kmsg.ListOffsetsResponse)
		topic := kmsg.NewListOffsetsResponseTopic()
		topic.Topic = list.Topics[0].Topic
		part := kmsg.NewListOffsetsResponseTopicPartition()
		part.Offset, part.Timestamp = end, -1
		topic.Partitions = append(topic.Partitions, part)
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	c.ControlKey(kmsg.Fetch.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		fetch := req.(*kmsg.FetchRequest)
		if fetch.Topics[0].Partitions[0].FetchOffset < records {
			return nil, nil, false
		}
		resp := fetch.ResponseKind().(*kmsg.FetchResponse)
		part := kmsg.NewFetchResponseTopicPartition()
		part.RecordBatches, part.HighWatermark, part.LastStableOffset = []byte{}, end, end
		if err := reply(asked.Add(1), &part); errors.Is(err, errNoAnswer) {
			return resp, nil, true
		} else if err != nil {
			return nil, err, true
		}
		topic := kmsg.NewFetchResponseTopic()
		topic.Topic, topic.TopicID = fetch.Topics[0].Topic, fetch.Topics[0].TopicID
		topic.Partitions = append(topic.Partitions, part)
		resp.Topics = append(resp.Topics, topic)
		return resp, nil, true
	})
	return &asked
}

// Log.read of a broker: a fetch behind the last record, below the end, gives no bytes and no error.
func TestReadEndsWhereCompactionTookTheLastRecord(t *testing.T) {
	for name, c := range map[string]struct {
		reply func(n int64, p *kmsg.FetchResponseTopicPartition) error
		asked int64
	}{
		"no bytes": {func(int64, *kmsg.FetchResponseTopicPartition) error { return nil }, 2},
		"leader that does not know the end yet": {func(n int64, p *kmsg.FetchResponseTopicPartition) error {
			if n <= 3 {
				p.LastStableOffset = 5
			}
			return nil
		}, 5},
		"throttled": {func(n int64, _ *kmsg.FetchResponseTopicPartition) error {
			if n <= 3 {
				return errNoAnswer
			}
			return nil
		}, 5},
		"one empty answer between errors": {func(n int64, p *kmsg.FetchResponseTopicPartition) error {
			if n == 2 {
				p.ErrorCode, p.LastStableOffset = kerr.NotLeaderForPartition.Code, -1
			}
			return nil
		}, 4},
		"connection that breaks": {func(n int64, _ *kmsg.FetchResponseTopicPartition) error {
			if n == 1 {
				return errors.New("broken")
			}
			return nil
		}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			cluster, conn := cluster(t)
			s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
			for i := range 3 {
				if err := s.Append(t.Context(), &Record{Key: []byte("k"), Value: []byte(fmt.Sprint(i))}); err != nil {
					t.Fatal(err)
				}
			}
			asked := endsBeyond(cluster, 9, 3, c.reply)
			begun := time.Now()
			if diff := cmp.Diff([]string{"k=0", "k=1", "k=2"}, values(t, s)); diff != "" {
				t.Fatal(diff)
			}
			if took := time.Since(begun); took > silence/3 {
				t.Errorf("took %s", took)
			}
			// Too few: it ended on an answer that says nothing about the end.
			if n := asked.Load(); n != c.asked {
				t.Errorf("%d requests behind the last record, want %d", n, c.asked)
			}
		})
	}
}

func TestReadGoesOnWhereTheTopicBeginsNow(t *testing.T) {
	c, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	for i := range 4 {
		if err := s.Append(t.Context(), &Record{Key: []byte("k"), Value: []byte(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	r := reader{store: s, partition: 0, next: 0, end: 4}
	if err := c.DeleteRecords("p", 0, 2); err != nil {
		t.Fatal(err)
	}
	var got []string
	collect := func(rec Record) error {
		got = append(got, string(rec.Value))
		return nil
	}
	if err := r.run(t.Context(), collect); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"2", "3"}, got); diff != "" {
		t.Fatal(diff)
	}
	lost := reader{store: s, partition: 0, next: 7, end: 9}
	if err := lost.run(t.Context(), collect); !stop.Is(err, stop.Broker) || !errors.Is(err, kerr.OffsetOutOfRange) {
		t.Fatalf("a topic that ends before what it had: %v, want CDC-9001", err)
	}
}

// A topic of many batches with transactions that were committed and aborted in between is read whole, over several answers.
func TestLongTopicIsReadWhole(t *testing.T) {
	_, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	var want []string
	for i := range 24 {
		large := make([]byte, 600<<10)
		copy(large, fmt.Sprintf("%03d", i))
		end := kgo.TryCommit
		if i%5 == 3 {
			end = kgo.TryAbort
		} else {
			want = append(want, fmt.Sprintf("%03d", i))
		}
		transact(t, append(conn[:len(conn):len(conn)], kgo.ProducerBatchCompression(kgo.NoCompression())), end, string(large))
	}
	var got []string
	if err := s.Read(t.Context(), func(r Record) error {
		got = append(got, string(r.Value[:3]))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func TestErrorOfTheCallerComesBackAsItIs(t *testing.T) {
	_, conn := cluster(t)
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	if err := s.Append(t.Context(), &Record{Key: []byte("k")}); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := s.Read(t.Context(), func(Record) error { return broken })
	if _, typed := stop.As(err); typed || !errors.Is(err, broken) {
		t.Fatalf("got %v", err)
	}
}

// A reader that finds its leader gone asks for the new one.
func TestReadFollowsTheLeader(t *testing.T) {
	c, conn := cluster(t, kfake.NumBrokers(3))
	s := open(t, Config{Connection: conn, Topic: "p", Partitions: 1})
	if err := s.Append(t.Context(), &Record{Key: []byte("k"), Value: []byte("1")}); err != nil {
		t.Fatal(err)
	}
	detail, err := describe(t.Context(), s.adm, "p")
	if err != nil {
		t.Fatal(err)
	}
	old := detail.Partitions[0].Leader
	r := reader{store: s, partition: 0, end: 1, leader: s.client.Broker(int(old)), topicID: detail.ID}
	if err := c.MoveTopicPartition("p", 0, (old+1)%3); err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := r.run(t.Context(), func(Record) error { n++; return nil }); err != nil || n != 1 {
		t.Fatalf("%d records, %v", n, err)
	}
}
