package verify_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

func mustFault(t *testing.T, h *history, what string, records []verify.Record, want string) {
	t.Helper()
	report := h.judge(t, records)
	if !slices.ContainsFunc(report.Faults, func(f string) bool { return strings.Contains(f, want) }) {
		t.Errorf("%s: no fault says %q: %v", what, want, report.Faults)
	}
}

// The PDBs have the same tables, keys, tags and transaction ids: only topic and source block tell their records apart.
func TestRecordsInTheTopicOfTheOtherPDBAreCaught(t *testing.T) {
	h := newHistory(21, 40)
	records := h.topics()
	at := slices.IndexFunc(records, func(r verify.Record) bool { return strings.HasPrefix(r.Topic, "shop.SALES.") && r.Value != nil })
	moved := func(change func(*verify.Record)) []verify.Record {
		r := records[at]
		r.Topic = strings.Replace(r.Topic, "SALES", "FREEPDB1", 1)
		change(&r)
		rest := slices.Delete(slices.Clone(records), at, at+1)
		behind := 0
		for i := range rest {
			if rest[i].Topic == r.Topic && rest[i].Partition == r.Partition {
				behind = i + 1
			}
		}
		return slices.Insert(rest, behind, r)
	}
	mustFault(t, h, "a record in the wrong topic", moved(func(*verify.Record) {}), "source db] is SALES, want FREEPDB1")
	wrong := moved(func(r *verify.Record) { r.Value = bytes.ReplaceAll(r.Value, []byte(`"SALES"`), []byte(`"FREEPDB1"`)) })
	if report := h.judge(t, wrong); report.Verified() {
		t.Error("a record taken for one of the other PDB was not noticed")
	}
}

// A PDB whose changes are all there, in order, but by themselves.
func TestCommitOrderHoldsAcrossPDBs(t *testing.T) {
	h := newHistory(22, 40)
	records := h.topics()
	for i := range records {
		if strings.HasPrefix(records[i].Topic, "shop.SALES.") {
			records[i].Time += 1_000_000
		}
	}
	mustFault(t, h, "one PDB behind the other", records, "which was committed earlier")

	records = h.topics()
	at := slices.IndexFunc(records, func(r verify.Record) bool { return r.Value == nil })
	records[at].Time++ // a tombstone behind what follows it in its transaction, or at least behind what was committed later
	for i := range records {
		records[i].Time *= 2
	}
	records[at].Time += 1_000_000
	mustFault(t, h, "one record late", records, "was written")
}

// A broker that comes back without the last records that it had acknowledged: the pipeline goes on behind them.
func TestTailLostByTheBrokerIsCaught(t *testing.T) {
	h := newHistory(23, 60)
	for name, deaths := range map[string][][2]int{"no death": nil, "a death later": {{len(h.stream) * 3 / 4, len(h.stream)*3/4 - 8}}} {
		records := h.topics(deaths...)
		if report := h.judge(t, records); !report.Verified() {
			t.Fatalf("%s: %v", name, report.Faults)
		}
		end := slices.IndexFunc(records, func(r verify.Record) bool {
			return r.Topic != records[0].Topic || r.Partition != records[0].Partition
		})
		if end < 8 {
			t.Fatalf("%s: only %d records in the first partition", name, end)
		}
		mustFault(t, h, name+": in the middle", slices.Delete(slices.Clone(records), end/3-1, end/3+1), "lost")
		if report := h.judge(t, slices.Delete(slices.Clone(records), end-2, end)); report.Verified() {
			t.Errorf("%s: the end of a partition is missing and was not noticed", name)
		}
	}
}
