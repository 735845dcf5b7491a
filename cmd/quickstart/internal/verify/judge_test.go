package verify_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/sabotage"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

func TestRightHistoriesAreAccepted(t *testing.T) {
	for seed := range uint64(60) {
		h := newHistory(seed, 25)
		end := len(h.stream)
		for name, deaths := range map[string][][2]int{
			"no death":     nil,
			"one death":    {{end / 2, end/2 - 9}},
			"short repeat": {{end / 2, end/2 - 6}},
			"two deaths":   {{end / 2, end/2 - 12}, {end/2 + 4, end/2 - 8}},
		} {
			report := h.judge(t, h.topics(deaths...))
			if !report.Verified() {
				t.Fatalf("seed %d, %s: %s", seed, name, strings.Join(report.Faults, "\n"))
			}
			if report.Transactions != len(h.ledger) || name == "no death" && report.Duplicates != 0 {
				t.Errorf("seed %d, %s: %+v", seed, name, report)
			}
		}
	}
}

// Six records behind the death may or may not have been written: with the position nine back at least three are repeated.
func TestRepetitionsAreCounted(t *testing.T) {
	h := newHistory(3, 40)
	end := len(h.stream)
	records := h.topics([2]int{end / 2, end/2 - 9})
	report := h.judge(t, records)
	if want := len(records) - end; !report.Verified() || report.Duplicates != want || want < 3 {
		t.Errorf("%d duplicates, want %d: %v", report.Duplicates, want, report.Faults)
	}
	changes := 0
	for _, tx := range h.ledger {
		changes += len(tx.Changes)
	}
	if report.Changes != changes {
		t.Errorf("%d changes, want %d", report.Changes, changes)
	}
}

func TestEverySabotageIsCaught(t *testing.T) {
	for seed := range uint64(8) {
		h := newHistory(seed, 12)
		end := len(h.stream)
		records := h.topics([2]int{end / 2, end/2 - 8})
		if report := h.judge(t, records); !report.Verified() {
			t.Fatalf("seed %d before any sabotage: %v", seed, report.Faults)
		}
		for _, kind := range sabotage.Kinds() {
			if kind == sabotage.Layout || kind == sabotage.Read {
				continue // needs DDL, see TestSabotageOfALayoutIsNoticed, or rows that were read, see TestFaultsOfRowsThatWereRead
			}
			for n := range uint64(40) {
				spoiled, what, err := sabotage.Apply(kind, records, rand.New(rand.NewPCG(seed, n)))
				if err != nil {
					t.Fatal(err)
				}
				if h.judge(t, spoiled).Verified() {
					t.Errorf("seed %d: not caught: %s", seed, what)
				}
			}
		}
	}
}

// TestFaultsOfAPipeline: what a broken pipeline does, beyond one message.
func TestFaultsOfAPipeline(t *testing.T) {
	h := newHistory(5, 30)
	end := len(h.stream)
	for name, c := range map[string]struct {
		records []verify.Record
		ledger  []ledger.Transaction
		want    string
	}{
		"goes on behind its death without repeating what was lost": {records: h.topics([2]int{end / 2, end/2 + 15}), want: "lost"},
		"an uncommitted transaction":                               {records: h.topics(), ledger: h.ledger[1:], want: "never committed"},
		"a lost transaction": {
			records: h.topics(),
			ledger:  append(slices.Clone(h.ledger), ledger.Transaction{Tag: "missing", Changes: h.ledger[0].Changes}),
			want:    "is lost",
		},
		"everything twice in one life": {records: repeat(h.topics()), want: "already delivered"},
		"only one partition repeats":   {records: repeatPartition(h.topics()), want: "does not repeat"},
	} {
		if c.ledger == nil {
			c.ledger = h.ledger
		}
		other := *h
		other.ledger = c.ledger
		report := other.judge(t, c.records)
		if !slices.ContainsFunc(report.Faults, func(f string) bool { return strings.Contains(f, c.want) }) {
			t.Errorf("%s: no fault says %q: %v", name, c.want, report.Faults)
		}
	}
}

func repeat(records []verify.Record) []verify.Record {
	return slices.Concat(records, records)
}

// repeatPartition lets a second life write the first partition's end again, and nothing else.
func repeatPartition(records []verify.Record) []verify.Record {
	end := slices.IndexFunc(records, func(r verify.Record) bool {
		return r.Topic != records[0].Topic || r.Partition != records[0].Partition
	})
	again := slices.Clone(records[end/2 : end])
	for i := range again {
		again[i].Life = 1
	}
	return slices.Insert(slices.Clone(records), end, again...)
}

func TestSourceDecides(t *testing.T) {
	h := newHistory(9, 20)
	last := h.scns[len(h.scns)-1]
	for key, row := range h.sources[last][orders] {
		changed := slices.Clone(row)
		changed[1] = ledger.Of("OTHER")
		h.sources[last][orders][key] = changed
		break
	}
	report := h.judge(t, h.topics())
	if len(report.Faults) != 1 || !strings.Contains(report.Faults[0], "as of SCN") {
		t.Errorf("faults %v, want one about the source", report.Faults)
	}
}
