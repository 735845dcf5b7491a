package engine

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// The scenario of R51: B is emitted before A, although A has the lower address, and C comes late.
func TestR51NeitherAddressNorSCNAloneDecides(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 1
	s.step(
		insert(s.a, xid(2), 1000, 2, "B"), insert(s.a, xid(1), 1000, 1, "A"),
		commit(xid(1), 1005), commit(xid(2), 1001),
	)
	const a, b, c = "1.1.7#0 c A/1 >A", "2.1.7#0 c A/2 >B", "3.1.7#0 c A/3 >C"
	s.play(s.beginning())
	s.want(b, a)
	afterB := s.after(b)
	s.play(afterB)
	s.want(a)
	afterA := s.through(s.last())
	s.step(insert(s.a, xid(3), 1000, 3, "C"), commit(xid(3), 1002))
	s.play(afterA)
	s.want(c)

	// The rules that use one criterion: the newest acknowledged commit's SCN, or its address.
	bySCN := resumption{done: everyAddress(1001)}
	if bySCN.acknowledged(position.Key{SCN: 1005, Thread: 1, Address: block(3)}) {
		t.Fatal("the rule by SCN is expected to publish A")
	}
	if bySCN = (resumption{done: everyAddress(1005)}); !bySCN.acknowledged(position.Key{SCN: 1002, Thread: 1, Address: block(6)}) {
		t.Fatal("the rule by SCN is expected to lose C")
	}
	byAddress := resumption{done: position.Boundary{SCN: position.Unlimited}.With(position.Mark{Thread: 1, Address: block(4)})}
	if !byAddress.acknowledged(position.Key{SCN: 1005, Thread: 1, Address: block(3)}) {
		t.Fatal("the rule by address is expected to lose A")
	}
}

func block(n uint32) position.RBA { return position.RBA{Sequence: 1, Block: n, Byte: 16} }

func everyAddress(scn position.SCN) position.Boundary {
	return position.Boundary{SCN: scn}.With(position.Mark{Thread: 1, Address: position.RBA{Sequence: 1<<32 - 1}})
}

func TestR51GroupInProgressIsFinishedBeforeAnyOtherItem(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 1
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), insert(s.a, xid(2), 1002, 2, "b"), insert(s.a, xid(3), 1003, 3, "c"),
		commit(xid(1), 1011), commit(xid(2), 1012), commit(xid(3), 1013),
	)
	s.play(s.beginning())
	after := s.after("1.1.7#0 c A/1 >a")
	// A commit below the rest of the group came late: another item all the same. The steps are cut otherwise, too.
	s.step(insert(s.a, xid(4), 1004, 4, "late"), commit(xid(4), 1010))
	s.db.bound = func(from, reading position.SCN) position.SCN { return min(reading, from+4) }
	s.db.now = 1040
	s.play(after)
	s.want("2.1.7#0 c A/2 >b", "3.1.7#0 c A/3 >c", "4.1.7#0 c A/4 >late")
}

// slowly makes steps small, with time between them.
func (s *scene) slowly(most position.SCN) {
	s.db.bound = func(from, reading position.SCN) position.SCN { return min(reading, from+most) }
}

// Items that were held while the redo up to the stored position was mined again are one group: in order of their keys, or a
// restart inside would skip the lower ones.
func TestR51ItemsHeldAfterARestartAreOneGroupInOrder(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 1
	from := s.beginning()
	from.Done = position.Boundary{SCN: 1020}.With(position.Mark{Thread: 1, Address: block(2), Log: 1})
	s.slowly(5)
	s.step(insert(s.a, xid(1), 1001, 1, "acknowledged"), commit(xid(1), 1002), insert(s.a, xid(2), 1003, 2, "z"), commit(xid(2), 1005))
	s.step(insert(s.a, xid(3), 1001, 3, "y"), commit(xid(3), 1004))
	s.step(commit(xid(9), 1040))
	s.play(from)
	const y, z = "3.1.7#0 c A/3 >y", "2.1.7#0 c A/2 >z"
	s.want(y, z)
	s.play(s.after(y))
	s.want(z)
}

func TestR122HeartbeatBehindAFinishedGroupVouchesForNothingToCome(t *testing.T) {
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Heartbeats: true}, nil }
	s.config.HeartbeatInterval = 1
	from := s.beginning()
	from.Group = &position.Group{
		Boundary: position.Boundary{SCN: 1100}.With(position.Mark{Thread: 1, Address: block(2), Log: 1}),
		Key:      position.Key{SCN: 1002, Thread: 1, Address: block(2)}, Complete: true,
	}
	s.slowly(10)
	s.step(insert(s.a, xid(1), 1001, 1, "acknowledged"), commit(xid(1), 1002), insert(s.a, xid(2), 1003, 2, "late"), commit(xid(2), 1004))
	s.step(commit(xid(9), 1110))
	s.play(from)
	s.want("2.1.7#0 c A/2 >late")
	for _, b := range s.batches {
		switch ev := b.Events[0]; {
		case ev.Kind == change.Heartbeat && ev.SCN > 1004:
			t.Fatalf("a heartbeat has SCN %s before the commit at 1004", ev.SCN)
		case ev.Kind != change.Heartbeat:
			return
		}
	}
}

// With fewer tables fewer rows are returned; the position does not move back for it.
func TestR52PositionOfANarrowerSetDoesNotMoveBack(t *testing.T) {
	s := newScene(t)
	s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002), insert(s.b, xid(2), 1003, 1, "open"))
	s.play(s.beginning())
	p := s.through(s.last())
	s.db.described = []*schema.Version{s.a}
	s.step()
	s.play(p)
	s.want()
	if now := s.through(s.last()); !p.Done.Within(now.Done) {
		t.Fatalf("done moved back from %+v to %+v", p.Done, now.Done)
	}
}

// R53: the START of a transaction, and steps with rows of other tables only, hold nothing.
func TestR123TransactionsWithoutCapturedRowsHoldNothing(t *testing.T) {
	s := newScene(t)
	foreign := of(table("FOREIGN", 900), row(xid(9), 1001, 1), "AAA", "")
	s.step(row(xid(9), 1001, 6), foreign)
	s.step(insert(s.a, xid(1), 1010, 1, "a"), commit(xid(1), 1020))
	s.play(s.beginning())
	if p := s.last(); p.Resume.SCN < 1020 || !p.Resume.Equal(p.Done) {
		t.Fatalf("resume %+v, done %+v: want both behind the commit", p.Resume, p.Done)
	}
}

func TestR52OpenTransactionHoldsResumeBeforeItsFirstRow(t *testing.T) {
	s := newScene(t)
	s.step(row(xid(1), 1001, 6))
	s.step(row(xid(1), 1010, 6), insert(s.a, xid(1), 1011, 1, "held"))
	s.step(insert(s.a, xid(2), 1021, 2, "b"), commit(xid(2), 1022))
	s.play(s.beginning())
	s.want("2.1.7#0 c A/2 >b")
	p := s.through(s.last())
	if p.Resume.SCN != 1001 || p.Done.SCN < 1022 {
		t.Fatalf("resume %s, done %s: want resume at 1001, the bound before the first row", p.Resume.SCN, p.Done.SCN)
	}
	s.step(commit(xid(1), 1040))
	s.play(p)
	s.want("1.1.7#0 c A/1 >held")
}

// partial is a scene with one transaction of four events in four batches.
func partial(t *testing.T) *scene {
	s := newScene(t)
	s.config.BatchCount = 1
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), insert(s.b, xid(1), 1002, 2, "b"), insert(s.a, xid(1), 1003, 3, "c"),
		insert(s.a, xid(1), 1004, 4, "d"), commit(xid(1), 1005),
	)
	return s
}

func TestR67TransactionContinuesBehindItsAcknowledgedEvent(t *testing.T) {
	s := partial(t)
	s.play(s.beginning())
	s.play(s.after("1.1.7#1 c B/2 >b"))
	s.want("1.1.7#2 c A/3 >c", "1.1.7#3 c A/4 >d")
}

func TestR67TransactionIsSentAgainWhenAddressAndIndexDisagree(t *testing.T) {
	s := partial(t)
	s.play(s.beginning())
	p := s.after("1.1.7#1 c B/2 >b")
	p.Group.Event = block(99)
	s.play(p)
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 c B/2 >b", "1.1.7#2 c A/3 >c", "1.1.7#3 c A/4 >d")
}

func TestR67TransactionIsSentAgainWhenTheCapturedTablesChanged(t *testing.T) {
	s := partial(t)
	s.play(s.beginning())
	p := s.after("1.1.7#2 c A/3 >c")
	s.db.described = []*schema.Version{s.a}
	s.play(p)
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 c A/3 >c", "1.1.7#2 c A/4 >d")
	// With the digest of the new tables the next restart continues inside again.
	s.play(s.after("1.1.7#1 c A/3 >c"))
	s.want("1.1.7#2 c A/4 >d")
}

var errKilled = errors.New("killed")

// R88: the second start uses the S of the first, wherever the first was killed behind its Save.
func TestR88FirstStartIsDurableBeforeAnythingIsEmitted(t *testing.T) {
	s := newScene(t)
	var saved *position.Position
	s.config.Save = func(_ context.Context, p *position.Position) error {
		if saved != nil {
			t.Error("a second first start")
		}
		saved = s.through(p)
		return errKilled
	}
	s.step(insert(s.a, xid(1), 1010, 1, "before"), commit(xid(1), 1011))
	s.play(nil)
	if s.err == nil || len(s.batches) > 0 || saved == nil || saved.FirstStart == nil {
		t.Fatalf("error %v, %d batches, saved %+v: want nothing emitted behind a Save that failed", s.err, len(s.batches), saved)
	}
	s.step(insert(s.a, xid(2), 1020, 2, "after"), commit(xid(2), 1021))
	s.play(saved)
	s.want("2.1.7#0 c A/2 >after")
	if p := s.last(); p.Run != saved.Run || p.Sequence <= saved.Sequence {
		t.Fatalf("run %s, sequence %d: want those of the saved position continued", p.Run, p.Sequence)
	}
}

func TestR119PositionOfAQuietDatabaseMovesWithoutMessages(t *testing.T) {
	s := newScene(t)
	synctest.Test(t, func(*testing.T) {
		s.db.tick = func() { s.db.now += 10; s.db.block = 0; s.db.closed = append(s.db.closed, s.db.now) }
		s.run(s.beginning())
	})
	first, last := s.batches[0].Position, s.last()
	if len(s.events()) > 0 || last.Resume.SCN <= first.Resume.SCN || !last.Resume.Equal(last.Done) {
		t.Fatalf("from %+v to %+v: want resume and done to move", first, last)
	}
	was, _ := first.Resume.Mark(1)
	is, _ := last.Resume.Mark(1)
	if !is.Address.IsZero() || is.Log <= was.Log {
		t.Fatalf("mark %+v: want the first needed log to move, and no address to be invented", is)
	}
}

func TestR122HeartbeatsCarryThePositionAtTheirInterval(t *testing.T) {
	s := newScene(t)
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{Heartbeats: true}, nil }
	s.config.HeartbeatInterval = 4 * time.Second
	s.db.tick = func() { s.db.now++ }
	s.play(s.beginning())
	if len(s.batches) < 2 || len(s.batches) > 4 || s.seen.heartbeats != len(s.batches) {
		t.Fatalf("%d batches and %d heartbeats in about ten seconds, want one at once and one every four", len(s.batches), s.seen.heartbeats)
	}
	for _, b := range s.batches {
		if ev := b.Events[0]; len(b.Events) != 1 || ev.Kind != change.Heartbeat || ev.SCN > b.Position.Done.SCN || ev.Position != b.Position {
			t.Fatalf("heartbeat %+v of position %+v", ev, b.Position)
		}
	}
	s.config.HeartbeatInterval = 0
	s.play(s.beginning())
	if len(s.batches) != 1 {
		t.Fatalf("%d heartbeats with interval 0, want the one at start", len(s.batches))
	}
}

// F: a bound is a second old before a heartbeat vouches for it.
func TestR122HeartbeatVouchesForBoundsOfAge(t *testing.T) {
	var f frontier
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	for _, step := range []struct {
		began int
		bound position.SCN
		want  position.SCN
	}{{0, 10, 0}, {500, 20, 0}, {1000, 30, 10}, {1400, 40, 10}, {1600, 50, 20}, {9000, 60, 50}} {
		if f.verified(at(step.began), at(step.began), step.bound, step.bound); f.scn != step.want {
			t.Fatalf("after the step at %d ms: %s, want %s", step.began, f.scn, step.want)
		}
	}
}

func TestR124DatabaseBehindThePositionIsNotMined(t *testing.T) {
	s := newScene(t)
	behind := stop.New(stop.Identity, "CURRENT_SCN", "behind")
	s.db.enter = func(_ context.Context, what string) error {
		if what == "mine" {
			return &oracle.Fault{Class: oracle.Reconnect, Limit: -1, Becomes: behind}
		}
		return nil
	}
	s.config.Retry.MaxTime = 3 * time.Second
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Identity) || s.seen.reconnects == 0 {
		t.Fatalf("%v after %d reconnects, want CDC-5001 after some", s.err, s.seen.reconnects)
	}
}

func TestResumptionReleasesWhatItDrops(t *testing.T) {
	b := transaction.New(1 << 20)
	b.Begin(position.Boundary{})
	id := transaction.ID{Container: pdb, XID: xid(1)}
	b.Append(id, "", transaction.Change{Op: transaction.Insert, Version: table("A", 1), SCN: 5, Thread: 1, Address: block(1)})
	b.End(id, transaction.End{Commit: true, Key: position.Key{SCN: 6, Thread: 1, Address: block(2)}})
	r := resumption{done: everyAddress(9)}
	if left := r.drop(b.Keep()); len(left) > 0 || b.Used() != 0 {
		t.Fatalf("%d items and %d bytes are left", len(left), b.Used())
	}
}

// A step that DDL made go on to a later bound has one that is younger than its beginning: it is no older for that (R122).
func TestR122BoundThatWasRaisedIsNoOlderThanItsReading(t *testing.T) {
	var f frontier
	at := func(ms int) time.Time { return time.UnixMilli(int64(1_000_000 + ms)) }
	f.verified(at(0), at(900), 10, 20) // it began at 0, and its bound was read at 900
	if f.verified(at(1100), at(1100), 30, 30); f.scn != 0 {
		t.Fatalf("a bound of age 200 ms vouches: F is %s", f.scn)
	}
	if f.verified(at(1900), at(1900), 40, 40); f.scn != 20 {
		t.Fatalf("F is %s, want 20", f.scn)
	}
}
