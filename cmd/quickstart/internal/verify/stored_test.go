package verify_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

const inProgress = `{"v":1,"run":"r","seq":9,"resume":{"c":"90","threads":{}},"done":{"c":"100","threads":{"1":{"e":" 0x000001.00000002.0010 ","l":1}}},` +
	`"group":{"c":"120","threads":{},"key":["110",1,"0x000001.00000004.0010"],"event":"0x000001.00000003.0010","index":2}}`

func TestStoredPositionIsRead(t *testing.T) {
	for text, want := range map[string]verify.Stored{
		inProgress:           {Done: 100, Group: 110, Event: 2},
		`{"done":{"c":"7"}}`: {Done: 7},
	} {
		if got, err := verify.ParseStored([]byte(text)); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{``, `{}`, `{"done":{}}`, `{"done":{"c":"-1"}}`, `{"done":{"c":"1"},"group":{"key":[]}}`} {
		if got, err := verify.ParseStored([]byte(text)); err == nil {
			t.Errorf("%s was read as %+v", text, got)
		}
	}
}

func TestNewestPositionOfTheTopicIsRead(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.DefaultNumPartitions(1), kfake.AllowAutoTopicCreation())
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	topics, err := verify.OpenTopics("shop", cluster.ListenAddrs()...)
	if err != nil {
		t.Fatal(err)
	}
	defer topics.Close()
	const topic = "shop.cdc.position"
	if _, err := topics.Stored(ctx, topic); err == nil {
		t.Error("a position was read where none is")
	}
	time.Sleep(50 * time.Millisecond) // the age of what may be remembered
	for _, value := range []string{`{"done":{"c":"1"}}`, inProgress} {
		produce(ctx, t, cluster, kgo.Record{Topic: topic, Value: []byte(value)})
	}
	if got, err := topics.Stored(ctx, topic); err != nil || got.Group != 110 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A life that goes back behind the position it began with has repeated without a reason.
func TestRepetitionsThatThePositionCoversAreFaults(t *testing.T) {
	h := newHistory(6, 30)
	end := len(h.stream)
	resumed := end/2 - 8
	records := h.topics([2]int{end / 2, resumed})
	at := func(i int) verify.Stored {
		return verify.Stored{Done: scnOf(t, &h.stream[i])}
	}
	inside := func(event int) verify.Stored {
		s := at(resumed)
		first := slices.IndexFunc(h.stream, func(r verify.Record) bool { return scnOf(t, &r) == s.Done })
		if first > 0 {
			s.Done = scnOf(t, &h.stream[first-1])
		}
		s.Group, s.Event = scnOf(t, &h.stream[resumed]), event
		return s
	}
	for name, c := range map[string]struct {
		position verify.Stored
		fault    bool
	}{
		"nothing is acknowledged":                  {verify.Stored{}, false},
		"everything before the repeat":             {verify.Stored{Done: scnOf(t, &h.stream[resumed]) - 1}, false},
		"the transaction it repeats":               {at(resumed), true},
		"the last of what is repeated":             {at(end/2 - 1), true},
		"the event it repeats, in its transaction": {inside(9), true},
	} {
		report := h.judgeWith(t, records, []verify.Stored{c.position})
		if got := slices.ContainsFunc(report.Faults, func(f string) bool { return strings.Contains(f, "is repeated") }); got != c.fault {
			t.Errorf("%s: %+v: faults %v", name, c.position, report.Faults)
		}
	}
}

func scnOf(t *testing.T, r *verify.Record) uint64 {
	t.Helper()
	for _, h := range r.Headers {
		if h.Key == "cdc.commit_scn" {
			n, err := strconv.ParseUint(h.Value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("no commit SCN")
	return 0
}
