package verify_test

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/sabotage"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// readRecord is the record of an order that was read.
func readRecord(row ledger.Row, scn uint64) verify.Record {
	key := object(orders.Columns.KeyColumns(), orders.Key(row))
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(key))
	text := strconv.FormatUint(scn, 10)
	return verify.Record{
		Topic: format.Topic(orders, 0), Partition: int32(hash.Sum32() % 3), Key: []byte(key),
		Value: []byte(`{"before":null,"after":` + object(orders.Columns, row) + `,"source":{"version":"1","connector":"oracle-cdc","name":"shop","ts_ms":1,` +
			`"snapshot":"true","db":"` + orders.PDB + `","schema":"APP","table":"ORDERS","txId":null,"scn":"` + text + `","commit_scn":null,"rs_id":null,"pdb":"` +
			orders.PDB + `"},"op":"r","transaction":null}`),
		Headers: []verify.Header{{Key: "cdc.scn", Value: text}, {Key: "cdc.snapshot", Value: "true"}, {Key: "cdc.schema_version", Value: "1"}},
	}
}

// withReads is a history over orders that were there before, all of which are read behind its end, as they are then.
func withReads(seed uint64) (h *history, existing []ledger.Change) {
	h = newHistory(seed, 20)
	for i := range 12 {
		row := h.row(orders, "existing")
		row[0] = ledger.Int(int64(1000 + i))
		existing = append(existing, ledger.Change{Table: orders, Op: ledger.Insert, Key: orders.Key(row), After: row})
		for _, state := range h.sources {
			state[orders][orders.Key(row).String()] = row
		}
		h.stream = append(h.stream, readRecord(row, h.scn+1))
	}
	for _, row := range h.rows[orders] {
		h.stream = append(h.stream, readRecord(row, h.scn+1))
	}
	return h, existing
}

func (h *history) judgeReads(t *testing.T, existing []ledger.Change, records []verify.Record) *verify.Report {
	t.Helper()
	began := format
	began.Existing = existing
	report, err := verify.Judge(context.Background(), verify.Evidence{Format: began, Records: records, Committed: h.ledger, Source: h, SCNs: h.scns})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestRowsThatWereReadAreAccepted(t *testing.T) {
	for seed := range uint64(20) {
		h, existing := withReads(seed)
		if report := h.judgeReads(t, existing, h.topics()); !report.Verified() || report.SnapshotRows != 12+len(h.rows[orders]) {
			t.Fatalf("seed %d: %d rows, %s", seed, report.SnapshotRows, strings.Join(report.Faults, "\n"))
		}
	}
}

func TestFaultsOfRowsThatWereRead(t *testing.T) {
	h, existing := withReads(3)
	right := h.topics()
	of := func(id int) int {
		return slices.IndexFunc(right, func(r verify.Record) bool { return string(r.Key) == `{"ID":`+strconv.Itoa(id)+`}` })
	}
	replaced := func(at int, r verify.Record) []verify.Record {
		out := slices.Clone(right)
		r.Offset = out[at].Offset
		out[at] = r
		return out
	}
	// A row that history changed, as it was before, behind the change.
	var stale verify.Record
	for i := range h.stream {
		if r := h.stream[i]; r.Topic == format.Topic(orders, 0) && strings.Contains(string(r.Value), `"op":"c"`) {
			var last ledger.Row
			for _, row := range h.rows[orders] {
				if string(r.Key) == object(orders.Columns.KeyColumns(), orders.Key(row)) {
					last = row
				}
			}
			if last != nil {
				stale = readRecord(last, 900)
			}
		}
	}
	if stale.Key == nil {
		t.Fatal("the history has no order that stays")
	}
	for name, c := range map[string]struct {
		records []verify.Record
		want    string
	}{
		"one is missing":         {slices.Delete(slices.Clone(right), of(1003), of(1003)+1), "was never read"},
		"one is another":         {replaced(of(1004), readRecord(existing[5].After, h.scn+1)), "was never read"},
		"older than the changes": {append(slices.Clone(right), stale), "comes behind a change"},
		"its SCN contradicts": {replaced(of(1005), func() verify.Record {
			r := readRecord(existing[5].After, h.scn+1)
			r.Headers[0].Value = "17"
			return r
		}()), "cannot be read"},
		"it has a transaction": {replaced(of(1005), func() verify.Record {
			r := readRecord(existing[5].After, h.scn+1)
			r.Headers = append(r.Headers, verify.Header{Key: "cdc.xid", Value: "1.2.3"})
			return r
		}()), "has no transaction"},
	} {
		report := h.judgeReads(t, existing, c.records)
		if !slices.ContainsFunc(report.Faults, func(f string) bool { return strings.Contains(f, c.want) }) {
			t.Errorf("%s: no fault says %q: %v", name, c.want, report.Faults)
		}
	}
	for n := range uint64(40) {
		spoiled, what, err := sabotage.Apply(sabotage.Read, right, rand.New(rand.NewPCG(1, n)))
		if err != nil {
			t.Fatal(err)
		}
		if h.judgeReads(t, existing, spoiled).Verified() {
			t.Errorf("not caught: %s", what)
		}
	}
}
