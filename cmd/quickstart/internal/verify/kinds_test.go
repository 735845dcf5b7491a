package verify_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/sabotage"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

// TestWrongValuesOfEveryKindAreCaught changes one field at a time, by as little as its type can tell apart and by what it cannot.
func TestWrongValuesOfEveryKindAreCaught(t *testing.T) {
	h := newHistory(11, 60)
	records := h.topics()
	if report := h.judge(t, records); !report.Verified() {
		t.Fatalf("before any change: %v", report.Faults)
	}
	for _, c := range kinds {
		if c.Name == ledger.TagColumn {
			continue
		}
		at := slices.IndexFunc(records, func(r verify.Record) bool {
			raw, ok := afterField(t, r, c.Name)
			return ok && string(raw) != "null" && string(raw) != `"AA=="`
		})
		if at < 0 {
			t.Fatalf("no record has a value in %s", c.Name)
		}
		raw, _ := afterField(t, records[at], c.Name)
		for _, wrong := range append(wrongFields(t, c, raw), "null") {
			spoiled := slices.Clone(records)
			spoiled[at] = withField(t, records[at], c.Name, wrong)
			if report := h.judge(t, spoiled); report.Verified() {
				t.Errorf("%s: %s instead of %s was not noticed", c.Name, wrong, raw)
			}
		}
	}
}

// afterField gives a field of the row after a change of the table of all kinds.
func afterField(t *testing.T, r verify.Record, column string) (json.RawMessage, bool) {
	t.Helper()
	if !strings.HasSuffix(r.Topic, ".KINDS") || r.Value == nil {
		return nil, false
	}
	var value struct{ After map[string]json.RawMessage }
	if err := json.Unmarshal(r.Value, &value); err != nil {
		t.Fatal(err)
	}
	raw, ok := value.After[column]
	return raw, ok
}

func withField(t *testing.T, r verify.Record, column, raw string) verify.Record {
	t.Helper()
	var value, after map[string]json.RawMessage
	if err := json.Unmarshal(r.Value, &value); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(value["after"], &after); err != nil {
		t.Fatal(err)
	}
	after[column] = json.RawMessage(raw)
	value["after"] = encoded(t, after)
	r.Value = encoded(t, value)
	return r
}

func encoded(t *testing.T, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func wrongFields(t *testing.T, c ledger.Column, raw json.RawMessage) []string {
	t.Helper()
	text, _ := strconv.Unquote(string(raw))
	switch c.Kind {
	case ledger.Integer:
		return []string{added(t, raw, 1), strconv.Quote(string(raw))}
	case ledger.Date:
		return []string{added(t, raw, 1000), added(t, raw, 1)}
	case ledger.Timestamp:
		shown := []int{3, 3, 3, 3, 6, 6, 6, 9, 9, 9}[c.Scale]
		unit := int64(1)
		for range shown - c.Scale {
			unit *= 10
		}
		return []string{added(t, raw, unit), added(t, raw, -unit), added(t, raw, 1)}
	case ledger.Months:
		return []string{added(t, raw, 2_629_800_000_000), added(t, raw, 1)}
	case ledger.Micros:
		return []string{added(t, raw, 1), string(raw[:len(raw)-1]) + "9"}
	case ledger.Binary32, ledger.Binary64:
		return []string{`"NaN1"`, "1.5", `"infinity"`}
	case ledger.Decimal, ledger.Raw:
		return []string{flipped(t, text), `""`, "1"}
	case ledger.Variable:
		return []string{strings.Replace(string(raw), `"scale":0`, `"scale":1`, 1), `{"scale":0}`, "1"}
	case ledger.Zoned:
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		// The same moment elsewhere, and another moment.
		layout := "2006-01-02T15:04:05"
		if c.Scale > 0 {
			layout += "." + strings.Repeat("0", c.Scale)
		}
		layout += "Z07:00"
		_, offset := at.Zone()
		return []string{
			strconv.Quote(at.In(time.FixedZone("", offset+900)).Format(layout)), strconv.Quote(at.Add(time.Second).Format(layout)),
			strconv.Quote(at.Format(time.DateTime)),
		}
	case ledger.Local:
		return []string{strconv.Quote(strings.Replace(text, "Z", "+00:00", 1)), strconv.Quote(strings.Replace(text, ".", ".0", 1)), "1"}
	default:
		return []string{strconv.Quote(text + " "), strconv.Quote(strings.ToLower(text) + "x"), `""`, "1"}
	}
}

func added(t *testing.T, raw json.RawMessage, n int64) string {
	t.Helper()
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		t.Fatal(err)
	}
	if whole, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return strconv.FormatInt(whole+n, 10)
	}
	return strconv.FormatInt(int64(f)+n, 10)
}

func flipped(t *testing.T, text string) string {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) == 0 {
		t.Fatalf("%s: %v", text, err)
	}
	b[len(b)-1] ^= 1
	return strconv.Quote(base64.StdEncoding.EncodeToString(b))
}

// TestSabotageOfValuesReachesEveryKind: the sabotage leaves no kind of column out.
func TestSabotageOfValuesReachesEveryKind(t *testing.T) {
	h := newHistory(12, 160)
	records := h.topics()
	reached := map[string]bool{}
	for n := uint64(0); n < 3000 && len(reached) < len(kinds); n++ {
		spoiled, _, err := sabotage.Apply(sabotage.Value, records, rand.New(rand.NewPCG(12, n)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range records {
			if !strings.HasSuffix(records[i].Topic, ".KINDS") || bytes.Equal(spoiled[i].Value, records[i].Value) {
				continue
			}
			for _, c := range kinds {
				before, _ := afterField(t, records[i], c.Name)
				after, _ := afterField(t, spoiled[i], c.Name)
				if !bytes.Equal(before, after) {
					reached[c.Name] = true
				}
			}
		}
	}
	for _, c := range kinds {
		if !reached[c.Name] {
			t.Errorf("column %s was never spoiled", c.Name)
		}
	}
}
