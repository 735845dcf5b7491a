package position

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// MaxExcluded bounds the ledger of excluded transactions: it is in every position. Those beyond it hold the position (R105).
const MaxExcluded = 10_000

// Excluded is a transaction of a database user whose transactions never enter.
type Excluded struct {
	Transaction
	// Began is the SCN of its START row. An undo segment's slot is used again: what lies below is another transaction's.
	Began SCN
}

// String gives con_id:usn.slot.sqn@scn.
func (e Excluded) String() string { return e.Transaction.String() + "@" + e.Began.String() }

// MarshalText gives con_id:usn.slot.sqn@scn.
func (e Excluded) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads what MarshalText gives, in no other spelling.
func (e *Excluded) UnmarshalText(b []byte) error {
	of, began, ok := strings.Cut(string(b), "@")
	if !ok {
		return fmt.Errorf("excluded transaction %q: not of the form con_id:usn.slot.sqn@scn", b)
	}
	if err := e.Transaction.UnmarshalText([]byte(of)); err != nil {
		return err
	}
	var err error
	if e.Began, err = ParseSCN(began); err != nil {
		return fmt.Errorf("excluded transaction %q: %w", b, err)
	}
	if e.String() != string(b) {
		return fmt.Errorf("excluded transaction %q is spelt %s", b, e)
	}
	return nil
}

// Compare orders transactions by container, undo segment, slot and sequence.
func (t Transaction) Compare(o Transaction) int {
	return cmp.Or(
		cmp.Compare(t.Container, o.Container), cmp.Compare(t.XID.USN, o.XID.USN), cmp.Compare(t.XID.Slot, o.XID.Slot),
		cmp.Compare(t.XID.Sequence, o.XID.Sequence))
}

// checkExcluded holds the ledger of excluded transactions in its one form: bounded, in order, each once and with its whole id, and begun
// inside region(resume), since the START of any other is mined again.
func (p *Position) checkExcluded() error {
	if len(p.Excluded) > MaxExcluded {
		return fmt.Errorf("position: %d excluded transactions, at most %d are kept", len(p.Excluded), MaxExcluded)
	}
	for i, e := range p.Excluded {
		switch {
		case e.Container < 0, e.XID.IsZero(), e.XID.IsPartial():
			return fmt.Errorf("position: excluded transaction %s is none", e)
		case e.Began > p.Resume.SCN:
			return fmt.Errorf("position: excluded transaction %s begins beyond resume %s", e, p.Resume.text())
		case i > 0 && p.Excluded[i-1].Compare(e.Transaction) >= 0:
			return fmt.Errorf("position: excluded transactions %s and %s are out of order", p.Excluded[i-1], e)
		}
	}
	return nil
}

func (w *writer) excluded(ledger []Excluded) {
	if len(ledger) == 0 {
		return
	}
	w.name("excluded")
	text, _ := json.Marshal(ledger) // texts always have a JSON form
	w.dst = append(w.dst, text...)
}
