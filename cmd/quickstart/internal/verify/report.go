package verify

import "fmt"

// Report is the verdict.
type Report struct {
	// Transactions, Changes and Duplicates count transactions and changes seen, each once, and records seen again.
	Transactions, Changes, Duplicates int
	// SnapshotRows counts rows that were read by query, each once.
	SnapshotRows int
	// DDL counts the statements that schema changes tell of.
	DDL int
	// Signals counts those that were done.
	Signals int
	// Faults says what is wrong, at most faultLimit of it; More counts the rest.
	Faults []string
	More   int
}

// faultLimit keeps the report of a broken run readable.
const faultLimit = 20

// Verified reports whether nothing is wrong.
func (r *Report) Verified() bool { return len(r.Faults) == 0 }

func (r *Report) fault(format string, args ...any) {
	if len(r.Faults) >= faultLimit {
		r.More++
		return
	}
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}
