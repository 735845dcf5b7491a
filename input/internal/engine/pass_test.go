package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/snapshot"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	schemachange "github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// gated is an emitter that runs, behind a gate that the test works.
type gated struct {
	*emission
	t       *testing.T
	groups  chan *group
	pressed chan struct{}
	full    bool
	end     func() error
}

func newGated(t *testing.T, hold time.Duration) *gated {
	t.Helper()
	c := testConfig(t)
	c.Snapshot.MaxHold = hold
	g := &gated{emission: newEmission(t, wide()), t: t, groups: make(chan *group, 8), pressed: make(chan struct{}, 1)}
	g.out = make(chan *schemachange.Batch, 64)
	e := g.emitter
	e.config.Snapshot.MaxHold = hold
	e.out, e.pressed, e.starved = g.out, g.pressed, func() bool { return g.full }
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.run(ctx, g.groups) }()
	g.end = func() error {
		cancel()
		return <-ended
	}
	t.Cleanup(func() {
		if err := g.end(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		ended <- nil
	})
	return g
}

// hand gives the emitter a group with one transaction of one row for each commit SCN.
func (g *gated) hand(boundary, frontier position.SCN, commits ...position.SCN) {
	g.t.Helper()
	g.buffer.Begin(position.Boundary{})
	for _, scn := range commits {
		id := transaction.ID{Container: pdb, XID: position.XID{USN: 1, Sequence: uint32(scn)}}
		c := g.change
		c.SCN, c.Address = scn-1, position.RBA{Sequence: 1, Block: uint32(scn) * 2}
		g.buffer.Append(id, "APP", c)
		g.buffer.End(id, transaction.End{Commit: true, Key: position.Key{SCN: scn, Thread: 1, Address: position.RBA{Sequence: 1, Block: uint32(scn)*2 + 1}}})
	}
	b := position.Boundary{SCN: boundary, Marks: []position.Mark{{Thread: 1, Address: position.RBA{Sequence: 1, Block: uint32(boundary)*2 + 1}, Log: 1}}}
	g.groups <- &group{items: g.buffer.Keep(), boundary: b, floor: b, frontier: frontier}
}

// goes waits for events and gives their commit SCNs with the position behind each batch.
func (g *gated) goes(want ...string) {
	g.t.Helper()
	var got []string
	for len(got) < len(want) {
		select {
		case b := <-g.out:
			for i := range b.Events {
				p := b.Position
				at := "done " + p.Done.SCN.String()
				if p.Group != nil {
					at = fmt.Sprintf("group %s key %s", p.Group.Boundary.SCN, p.Group.Key.SCN)
				}
				at = fmt.Sprintf("%s (%s)", b.Events[i].Transaction.Key.SCN, at)
				for _, k := range p.Ahead {
					at += ", ahead " + k.SCN.String()
				}
				got = append(got, at)
			}
		case <-time.After(10 * time.Second):
			g.t.Fatalf("only %q went out, want %q", got, want)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		g.t.Fatal(diff)
	}
}

// nothing more goes out.
func (g *gated) nothing() {
	g.t.Helper()
	select {
	case b := <-g.out:
		if len(b.Events) > 0 {
			g.t.Fatalf("%s went out", b.Events[0].Transaction.Key.SCN)
		}
	case <-time.After(50 * time.Millisecond):
	}
}

// begin gives a batch an SCN.
func (g *gated) begin(scn position.SCN) *snapshot.Batch {
	g.t.Helper()
	ticket, _ := g.emitter.order.Close()
	if !g.emitter.order.Set(ticket, scn) {
		g.t.Fatalf("the SCN %s is refused", scn)
	}
	return &snapshot.Batch{Ticket: ticket, SCN: scn}
}

// R76: an item at or above the SCN of a batch waits until the batch is read and F has passed it; what reaches the redo late goes before
// the batch, named by the position until its group is done, and not again with it.
func TestR76ItemsWaitForBatchesAndLateOnesGoFirst(t *testing.T) {
	g := newGated(t, time.Hour)
	b := g.begin(1005)
	g.hand(1012, 1000, 1001, 1005, 1010)
	g.goes("1001 (group 1012 key 1001)")
	g.nothing()
	g.hand(1020, 1003, 1003, 1015)
	g.goes("1003 (group 1012 key 1001), ahead 1003")
	if !g.emitter.order.Deliver(b) {
		t.Fatal("the batch is not taken")
	}
	g.nothing()
	g.hand(1030, 1005)
	g.goes("1005 (done 1030)", "1010 (done 1030)", "1015 (done 1030)") // in one batch, since all of it waited
	// Where nothing waits, a batch goes out with F.
	b = g.begin(1040)
	g.emitter.order.Deliver(b)
	g.hand(1041, 1041)
	g.hand(1050, 1041, 1045)
	g.goes("1045 (done 1050)")
}

// R77: no item passes between the closing of the gate and the SCN; a batch gets none at or below an item that went out.
func TestR77GateIsClosedWhileTheSCNIsRead(t *testing.T) {
	g := newGated(t, time.Hour)
	g.hand(1010, 1000, 1008)
	g.goes("1008 (done 1010)")
	ticket, emitted := g.emitter.order.Close()
	g.hand(1020, 1001, 1015)
	g.nothing()
	switch o := g.emitter.order; {
	case emitted != 1008:
		t.Fatalf("emitted up to %s", emitted)
	case o.Set(ticket, 1008):
		t.Fatal("an SCN at an item that went out is taken")
	case !o.Set(ticket, 1018):
		t.Fatal("an SCN above it is refused")
	}
	g.goes("1015 (done 1020)")
}

// R78: a batch is given up when changes have waited for it long enough, or when what waits fills the memory; who reads it is told when it
// delivers it.
func TestR78BatchThatHoldsChangesTooLongIsGivenUp(t *testing.T) {
	for name, hold := range map[string]time.Duration{"time": 20 * time.Millisecond, "memory": time.Hour} {
		g := newGated(t, hold)
		g.full = true
		b := g.begin(1005)
		second := g.begin(1006)
		g.hand(1012, 1000, 1001, 1010)
		g.goes("1001 (group 1012 key 1001)")
		if name == "memory" {
			g.nothing()
			g.pressed <- struct{}{}
			g.nothing()
			g.pressed <- struct{}{}
		}
		g.goes("1010 (done 1012)")
		if g.emitter.order.Deliver(b) || g.emitter.order.Deliver(second) {
			t.Errorf("%s: a batch that was given up is taken", name)
		}
	}
}

// R79: nobody knows how far capture is behind while it mines what is long written.
func TestR79LagIsUnknownWhileBehind(t *testing.T) {
	now := time.Unix(1000, 0)
	o := newOrdering(func() time.Time { return now }, 0)
	if o.Lag() < 24*time.Hour {
		t.Errorf("the lag is %s before the first step", o.Lag())
	}
	if o.reached(now.Add(-3 * time.Second)); o.Lag() != 3*time.Second {
		t.Errorf("the lag is %s, want 3s", o.Lag())
	}
	if o.reached(time.Time{}); o.Lag() < 24*time.Hour {
		t.Errorf("the lag is %s while behind", o.Lag())
	}
}

// R79: F is always behind by its age and the time between steps. A shorter snapshot.max_lag does not keep everything from being read.
func TestR79MaxLagIsMoreThanWhatFIsBehindAnyway(t *testing.T) {
	c := testConfig(t)
	for _, test := range []struct{ most, hold, poll, want time.Duration }{
		{time.Minute, 100 * time.Millisecond, 500 * time.Millisecond, time.Minute},
		{time.Second, 100 * time.Millisecond, 500 * time.Millisecond, 2600 * time.Millisecond},
		{time.Minute, 3 * time.Second, 30 * time.Second, 94 * time.Second},
	} {
		c.Snapshot.MaxLag, c.HoldBack, c.PollInterval = test.most, test.hold, test.poll
		if got := c.maxLag(); got != test.want {
			t.Errorf("%s with steps every %s is %s, want %s", test.most, test.poll, got, test.want)
		}
	}
}

// R79: the time of F is that at which the database had its SCN, also while logs that were closed since are mined one by one.
func TestR79TimeOfTheFrontierIsThatOfItsSCN(t *testing.T) {
	var f frontier
	at := func(second int) time.Time { return time.Unix(int64(1000+second), 0) }
	// Capture is behind by what is written in ten seconds: 100 SCNs.
	for second := range 60 {
		f.verified(at(second), at(second), position.SCN(1000+10*second), position.SCN(900+10*second))
		if second == 9 && !f.at.IsZero() {
			t.Errorf("the time of %s is known as %s", f.scn, f.at)
		}
	}
	if want := position.SCN(900 + 10*58); f.scn != want || !f.at.Equal(at(48)) {
		t.Errorf("F is %s of %s, want %s of %s", f.scn, f.at, want, at(48))
	}
	// Then it is not.
	f.verified(at(61), at(61), 1610, 1610)
	f.verified(at(62), at(62), 1620, 1620)
	if f.scn != 1610 || !f.at.Equal(at(61)) {
		t.Errorf("F is %s of %s", f.scn, f.at)
	}
	for second := range 100_000 {
		f.verified(at(100+second), at(100+second), position.SCN(2000+second), 1630)
	}
	if len(f.readings) > maxReadings {
		t.Errorf("%d readings are kept", len(f.readings))
	}
}
