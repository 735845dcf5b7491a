// Package workload changes two tables of one PDB, side by side in several sessions: inserts, updates, key changes, deletes,
// rollbacks, savepoints, statements that fail, long transactions. What it commits it writes into the ledger.
//
// It speaks SQL through the Oracle driver as any application does and knows nothing of the pipeline. The demo calls Run, which
// owns one goroutine per session and waits for them.
package workload
