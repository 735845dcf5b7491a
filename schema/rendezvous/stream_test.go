package rendezvous

import (
	"context"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestComponentsOfOneStreamFindTheirInput(t *testing.T) {
	res := service.MockResources()
	if _, err := Of(res).Find(""); !stop.Is(err, stop.Configuration) {
		t.Fatalf("without an input: %v, want CDC-5003", err)
	}
	in := Of(res).Offer("oracle", Settings{Prefix: "shop"})
	found, err := Of(res).Find("")
	if err != nil || found != in || found.Settings().Prefix != "shop" {
		t.Fatalf("found %v, %v", found, err)
	}
	Of(res).Offer("other", Settings{})
	if _, err := Of(res).Find(""); !stop.Is(err, stop.Configuration) {
		t.Fatalf("with two inputs and no label: %v, want CDC-5003", err)
	}
	if found, err := Of(res).Find("other"); err != nil || found.label != "other" {
		t.Fatalf("by label: %v, %v", found, err)
	}
}

func TestSecondAndLateProcessorAreRefused(t *testing.T) {
	res := service.MockResources()
	host := NewHost(nil)
	host.Attach(res)
	host.Built()
	in := Of(res).Offer("", Settings{})
	if err := in.JoinProcessor(); err != nil {
		t.Fatal(err)
	}
	if err := in.JoinProcessor(); !stop.Is(err, stop.Configuration) {
		t.Fatalf("second processor: %v, want CDC-5003", err)
	}
	peers, err := in.Peers(context.Background())
	if err != nil || peers != (Peers{Processor: true}) {
		t.Fatalf("peers %+v, %v", peers, err)
	}
	in.LeaveProcessor()
	if err := in.JoinProcessor(); !stop.Is(err, stop.Configuration) {
		t.Fatalf("late processor: %v, want CDC-5003", err)
	}
}

func TestStopHoldsTheStreamWhereTheInputAsksForIt(t *testing.T) {
	res := service.MockResources()
	NewHost(func(e *stop.Error) { t.Errorf("the host ends the process: %v", e) }).Attach(res)
	Of(res).Offer("", Settings{Hold: true})
	Of(res).RecordStop(stop.New(stop.Refused, "orders", "a"))
	if stopped := Of(res).Stopped(); stopped == nil || stopped.Code != stop.Refused {
		t.Fatalf("kept %v", stopped)
	}
	Of(res).Offer("", Settings{Hold: true})
	if stopped := Of(res).Stopped(); stopped != nil {
		t.Fatalf("a stream that is built again keeps %v", stopped)
	}
}

func TestFirstStopReachesTheHostOnce(t *testing.T) {
	res := service.MockResources()
	var got []*stop.Error
	host := NewHost(func(e *stop.Error) { got = append(got, e) })
	host.Attach(res)
	first, second := stop.New(stop.RedoGap, "1", "a"), stop.New(stop.Broker, "2", "b")
	Of(res).RecordStop(first)
	Of(res).RecordStop(second)
	if len(got) != 1 || got[0] != first || Of(res).Stopped() != first {
		t.Fatalf("host saw %v, stream keeps %v", got, Of(res).Stopped())
	}
}

// What a buffer took is acknowledged, and lost with the process: the position must not cover it (R65).
func TestBufferIsRefused(t *testing.T) {
	res := service.MockResources()
	host := NewHost(nil)
	host.Buffered()
	host.Attach(res)
	host.Built()
	in := Of(res).Offer("", Settings{})
	in.JoinOutput()
	if _, err := in.Peers(t.Context()); !stop.Is(err, stop.Configuration) {
		t.Errorf("a stream with a buffer: %v", err)
	}
}

// Without strict error handling the runtime sends on what oracle_schema refuses (R75).
func TestSchemaProcessorWithoutStrictErrorHandlingIsRefused(t *testing.T) {
	for _, processor := range []bool{false, true} {
		res := service.MockResources()
		of := Of(res) // resources are built before the host can tell
		Lenient(res)
		host := NewHost(nil)
		host.Attach(res)
		host.Built()
		in := of.Offer("", Settings{})
		if processor {
			if err := in.JoinProcessor(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := in.Peers(t.Context()); stop.Is(err, stop.Configuration) != processor {
			t.Errorf("with oracle_schema %t: %v", processor, err)
		}
	}
}

// The runtime runs one processor in all pipeline threads: batches overtake one another (P3).
func TestSeveralPipelineThreadsAreRefused(t *testing.T) {
	for _, c := range []struct {
		threads           int
		processor, output bool
		refused           bool
	}{
		{1, true, true, false},
		{4, true, false, true},
		{4, false, true, true},
		{-1, true, true, true},  // as many as cores
		{4, false, false, true}, // another output, a mapping: its order is lost too
	} {
		res := service.MockResources()
		host := NewHost(nil)
		host.Threads(c.threads)
		host.Attach(res)
		host.Built()
		in := Of(res).Offer("", Settings{})
		if c.processor {
			if err := in.JoinProcessor(); err != nil {
				t.Fatal(err)
			}
		}
		if c.output {
			in.JoinOutput()
		}
		if _, err := in.Peers(t.Context()); stop.Is(err, stop.Configuration) != c.refused {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
