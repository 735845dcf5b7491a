// Package workload changes the tables of PDBs, side by side in several sessions: inserts, updates, key changes, deletes,
// rollbacks, savepoints, statements that fail, long transactions and such that stay open, rows of every type that is captured. A Definer
// runs DDL on the tables meanwhile. What is committed is written into the ledger.
//
// It speaks SQL through the Oracle driver as any application does and knows nothing of the pipeline. The demo calls Run, which
// owns one goroutine per session and waits for them, and holds Pending transactions itself.
package workload
