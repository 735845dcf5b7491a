package position

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawExcluded draws a ledger as a position with this resume may have it.
func drawExcluded(t *rapid.T, resume Boundary) []Excluded {
	var ledger []Excluded
	for range rapid.IntRange(0, 3).Draw(t, "excluded") {
		ledger = append(ledger, Excluded{
			Transaction{rapid.IntRange(0, 9).Draw(t, "container"), XID{
				USN: rapid.Uint16Range(0, 2).Draw(t, "usn"), Slot: rapid.Uint16Range(0, 2).Draw(t, "slot"), Sequence: rapid.Uint32Range(1, PartialSequence-1).Draw(t, "sqn"),
			}},
			SCN(rapid.Uint64Max(uint64(resume.SCN)).Draw(t, "began")),
		})
	}
	slices.SortFunc(ledger, func(a, b Excluded) int { return a.Compare(b.Transaction) })
	return slices.CompactFunc(ledger, func(a, b Excluded) bool { return a.Transaction == b.Transaction })
}

// R105: the ledger has one form, whoever wrote it; a position that has none reads as it did.
func TestR105LedgerOfExcludedTransactionsHasOneForm(t *testing.T) {
	good := `"excluded":["3:1.0.9@41","3:1.2.7@40"]`
	for ledger, fits := range map[string]bool{
		good: true, `"excluded":[]`: true, `"later2":1`: true, `"excluded":["0:0.0.1@0"]`: true,
		`"excluded":["3:1.2.7@40","3:1.0.9@41"]`:      false,
		`"excluded":["3:1.0.9@41","3:1.0.9@42"]`:      false,
		`"excluded":["3:1.0.9"]`:                      false,
		`"excluded":["3:1.0.9@"]`:                     false,
		`"excluded":["3:1.0.9@041"]`:                  false,
		`"excluded":["+3:1.0.9@41"]`:                  false,
		`"excluded":["-3:1.0.9@41"]`:                  false,
		`"excluded":["3:01.0.9@41"]`:                  false,
		`"excluded":["3:0.0.0@41"]`:                   false,
		`"excluded":["3:1.0.4294967295@41"]`:          false,
		`"excluded":[null]`:                           false,
		`"excluded":null`:                             true,
		`"excluded":"3:1.0.9@41"`:                     false,
		`"excluded":{"3":1}`:                          false,
		`"excluded":["3:1.0.9@18446744073709551615"]`: false, // beyond resume
	} {
		p, err := Decode([]byte(strings.Replace(golden, good, ledger, 1)))
		if (err == nil) != fits {
			t.Errorf("%s: %v, want it to be read: %v", ledger, err, fits)
		}
		if ledger == good && err == nil && len(p.Excluded) != 2 || ledger != good && fits && ledger != `"excluded":["0:0.0.1@0"]` && len(p.Excluded) != 0 {
			t.Errorf("%s reads as %v", ledger, p.Excluded)
		}
	}
}

// R105: a ledger that is too long would make a record that no broker takes.
func TestR105LedgerOfExcludedTransactionsIsBounded(t *testing.T) {
	p := goldenPosition()
	p.Excluded = nil
	for n := range MaxExcluded {
		p.Excluded = append(p.Excluded, Excluded{Transaction{3, XID{65535, 65535, PartialSequence - uint32(MaxExcluded) + uint32(n)}}, Unlimited - 9}) //nolint:gosec // below MaxExcluded
	}
	data, err := Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if back, err := Decode(data); err != nil || len(back.Excluded) != MaxExcluded {
		t.Fatalf("%v", err)
	}
	if len(data) > 700<<10 {
		t.Errorf("a position has %d bytes", len(data))
	}
	p.Excluded = append(p.Excluded, Excluded{Transaction{4, XID{1, 1, 1}}, 1})
	if _, err := Encode(p); err == nil {
		t.Error("a ledger over its bound was encoded")
	}
}
