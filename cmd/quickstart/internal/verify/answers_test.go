package verify_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

func events(texts ...string) [][]byte {
	var out [][]byte
	for _, text := range texts {
		out = append(out, []byte(text))
	}
	return out
}

func ack(id, status string) string {
	return `{"v":1,"type":"signal-ack","details":{"id":"` + id + `","status":"` + status + `"}}`
}

const completed = `{"v":1,"type":"snapshot-completed","details":{"snapshot":"s1","kind":"incremental"}}`

func TestAnswersAreComplete(t *testing.T) {
	asked := []verify.Asked{{ID: "a", Reads: orders}, {ID: "b"}}
	for name, c := range map[string]struct {
		events []string
		want   bool
	}{
		"nothing yet":            {nil, false},
		"one":                    {[]string{ack("a", "ok"), completed}, false},
		"not read":               {[]string{ack("a", "ok"), ack("b", "ok")}, false},
		"another snapshot":       {[]string{ack("a", "ok"), ack("b", "ok"), strings.Replace(completed, "incremental", "initial", 1)}, false},
		"all, one of them twice": {[]string{ack("a", "ok"), ack("b", "ok"), ack("a", "ok"), completed}, true},
	} {
		answers, err := verify.ParseAnswers(events(c.events...))
		if err != nil || answers.All(asked) != c.want {
			t.Errorf("%s: %t, %v", name, answers.All(asked), err)
		}
	}
	if _, err := verify.ParseAnswers(events(`{`)); err == nil {
		t.Error("a damaged event is understood")
	}
}

// What a signal asked for has to be there, row by row, marked as such.
func TestFaultsOfSignals(t *testing.T) {
	h, existing := withReads(5)
	var asked []verify.Record
	for i := range existing {
		r := readRecord(existing[i].After, h.scn+1)
		r.Value = bytes.Replace(r.Value, []byte(`"snapshot":"true"`), []byte(`"snapshot":"incremental"`), 1)
		asked = append(asked, r)
	}
	right := h.stream
	for name, c := range map[string]struct {
		records []verify.Record
		answer  []string
		want    string
		signals int
	}{
		"as it should be":    {slices.Concat(right, asked), []string{ack("a", "ok"), completed}, "", 1},
		"one row is missing": {slices.Concat(right, asked[1:]), []string{ack("a", "ok"), completed}, "was not read", 1},
		"read before only":   {right, []string{ack("a", "ok"), completed}, "was not read", 1},
		"rejected":           {slices.Concat(right, asked), []string{ack("a", "rejected")}, `is answered "rejected"`, 0},
		"two answers":        {slices.Concat(right, asked), []string{ack("a", "ok"), ack("a", "failed")}, `is answered "ok and failed"`, 0},
		"no answer":          {slices.Concat(right, asked), nil, `is answered ""`, 0},
	} {
		answers, err := verify.ParseAnswers(events(c.answer...))
		if err != nil {
			t.Fatal(err)
		}
		h.stream = c.records
		began := format
		began.Existing = existing
		report, err := verify.Judge(context.Background(), verify.Evidence{
			Format: began, Records: h.topics(), Committed: h.ledger, Source: h, SCNs: h.scns,
			Asked: []verify.Asked{{ID: "a", Reads: orders}}, Answers: answers,
		})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(report.Faults, "\n")
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) || report.Signals != c.signals {
			t.Errorf("%s: %d signals, %s", name, report.Signals, said)
		}
	}
}
