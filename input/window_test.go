package input

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

func at(n uint64) *position.Position { return &position.Position{Sequence: n} }

func sequence(p *position.Position) uint64 {
	if p == nil {
		return 0
	}
	return p.Sequence
}

// R65's own scenario: acks 1, 3, nack 2, ack 4 after the close: position after 1; redelivery from 2.
func TestR65OnlyTheContiguousPrefixMovesThePosition(t *testing.T) {
	w := newWindow(100, time.Now)
	w.Begin(nil)
	var tickets []ticket
	for n := uint64(1); n <= 4; n++ {
		k, err := w.Add(context.Background(), 1, at(n))
		if err != nil {
			t.Fatal(err)
		}
		tickets = append(tickets, k)
	}
	failed, cause := w.Failed()
	w.Resolve(tickets[0], nil)
	w.Resolve(tickets[2], nil)
	nack := errors.New("nack")
	w.Resolve(tickets[1], nack)
	w.Resolve(tickets[3], nil)
	select {
	case <-failed:
	default:
		t.Fatal("the nack did not close the generation")
	}
	if !errors.Is(cause(), nack) || sequence(w.Safe()) != 1 {
		t.Fatalf("cause %v, safe %d; want the nack and 1", cause(), sequence(w.Safe()))
	}
	if _, err := w.Add(context.Background(), 1, at(5)); !errors.Is(err, errGenerationClosed) {
		t.Fatalf("a batch was taken after the close: %v", err)
	}
	w.Begin(w.Safe())
	w.Resolve(tickets[1], nil)
	if sequence(w.Safe()) != 1 {
		t.Fatal("an ack of the old generation moved the new one")
	}
}

// A message that is refused again and again holds the position, whatever the generation.
func TestAgeOfThePositionGrowsOverRefusals(t *testing.T) {
	clock := time.Unix(1000, 0)
	w := newWindow(10, func() time.Time { return clock })
	begun := clock
	for n := range 5 {
		w.Begin(w.Safe())
		k, err := w.Add(context.Background(), 1, at(1))
		if err != nil {
			t.Fatal(err)
		}
		if _, since := w.Unacknowledged(); !since.Equal(begun) {
			t.Fatalf("generation %d: held since %s, want %s", n, since, begun)
		}
		clock = clock.Add(time.Minute)
		if n < 4 {
			w.Resolve(k, errors.New("nack"))
			continue
		}
		w.Resolve(k, nil)
	}
	if n, since := w.Unacknowledged(); n != 0 || !since.IsZero() {
		t.Fatalf("after the acknowledgement: %d messages, since %s", n, since)
	}
}

func TestWindowBlocksAtItsLimitUntilAcknowledged(t *testing.T) {
	w := newWindow(3, time.Now)
	w.Begin(nil)
	first, err := w.Add(context.Background(), 3, at(1))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := w.Add(ctx, 1, at(2)); !errors.Is(err, context.Canceled) {
		t.Fatalf("a fourth message was taken: %v", err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := w.Add(context.Background(), 1, at(2))
		done <- err
	}()
	w.Resolve(first, nil)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	// One batch above the limit must still pass when nothing is out, or it would never.
	w.Begin(nil)
	if _, err := w.Add(context.Background(), 10, at(3)); err != nil {
		t.Fatal(err)
	}
}

func TestPositionWithoutMessagesMovesOnlyBehindWhatIsOut(t *testing.T) {
	w := newWindow(10, time.Now)
	w.Begin(nil)
	k, _ := w.Add(context.Background(), 1, at(1))
	if _, err := w.Add(context.Background(), 0, at(2)); err != nil {
		t.Fatal(err)
	}
	if sequence(w.Safe()) != 0 {
		t.Fatal("the bare position overtook an unacknowledged batch")
	}
	w.Resolve(k, nil)
	if sequence(w.Safe()) != 2 {
		t.Fatalf("safe %d, want 2", sequence(w.Safe()))
	}
}

// Against a slow model: random batches, acks in any order, twice, late, nacks and new generations.
func TestR65WindowAgreesWithAModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := newWindow(1<<30, time.Now)
		var (
			safe    uint64
			next    uint64 = 1
			out     []ticket
			numbers []uint64
			acked   map[uint64]bool
			open    bool
		)
		begin := func() {
			w.Begin(w.Safe())
			out, numbers, acked, open = nil, nil, map[uint64]bool{}, true
		}
		begin()
		var old []ticket
		for range rapid.IntRange(1, 60).Draw(t, "actions") {
			switch rapid.IntRange(0, 9).Draw(t, "action") {
			case 0, 1, 2, 3:
				messages := rapid.IntRange(0, 3).Draw(t, "messages")
				k, err := w.Add(context.Background(), messages, at(next))
				if (err == nil) != open {
					t.Fatalf("Add: %v with the generation open = %v", err, open)
				}
				if open {
					out, numbers = append(out, k), append(numbers, next)
					acked[next] = messages == 0
				}
				next++
			case 4, 5, 6, 7:
				if len(out) > 0 {
					i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
					w.Resolve(out[i], nil)
					if open {
						acked[numbers[i]] = true
					}
				}
				if len(old) > 0 {
					w.Resolve(rapid.SampledFrom(old).Draw(t, "late"), nil)
				}
			case 8:
				if len(out) > 0 {
					i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
					w.Resolve(out[i], errors.New("nack"))
					if open && !passed(numbers[:i+1], acked) {
						open = false
					}
				}
			default:
				old = append(old, out...)
				begin()
			}
			for _, n := range numbers {
				if !acked[n] {
					break
				}
				safe = max(safe, n)
			}
			if sequence(w.Safe()) != safe {
				t.Fatalf("safe %d, want %d", sequence(w.Safe()), safe)
			}
		}
	})
}

// passed reports whether everything up to the last number is acknowledged: its batch has left the window.
func passed(numbers []uint64, acked map[uint64]bool) bool {
	for _, n := range numbers {
		if !acked[n] {
			return false
		}
	}
	return true
}

// An output reads from the generation which batches are acknowledged, and how it ended.
func TestGenerationTellsWhatBecameOfBatches(t *testing.T) {
	w := newWindow(10, time.Now)
	w.Begin(nil)
	var tickets []ticket
	for i := range 3 {
		ticket, err := w.Add(t.Context(), 1, at(uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		tickets = append(tickets, ticket)
	}
	g := tickets[0].shared
	soon := func(n uint64) (bool, error) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		return g.Await(ctx, 0, n)
	}
	w.Resolve(tickets[1], nil)
	if ok, err := soon(1); ok || err == nil {
		t.Error("the first batch is open, and counts as acknowledged")
	}
	w.Resolve(tickets[0], nil)
	if ok, err := soon(2); !ok || err != nil {
		t.Errorf("two batches are acknowledged: %v, %v", ok, err)
	}
	w.Begin(nil)
	if ok, err := soon(3); ok || err != nil || g.Refused() {
		t.Errorf("the generation is over without a refusal: %v, %v", ok, err)
	}
	again, err := w.Add(t.Context(), 1, at(4))
	if err != nil {
		t.Fatal(err)
	}
	w.Resolve(again, errors.New("refused"))
	if g = again.shared; !g.Refused() {
		t.Error("a refusal is not told")
	}
	if ok, err := soon(1); ok || err != nil {
		t.Errorf("a refusal ends the wait: %v, %v", ok, err)
	}
}
