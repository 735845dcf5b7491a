// Package store is the multi-version storage of the stand-in: tables whose rows are chains of versions, unique indexes,
// transactions with row locks, savepoints and undo, and the redo record of every change, which is in the redo stream
// before the change can be seen. It knows no SQL: statements and their restarts are the engine's.
//
// One lock guards everything; it is held for single operations and batches of rows, never for a statement. Commit SCN,
// COMMIT record and visibility change under it, so a reader that takes an SCN and then a View sees every commit at or
// below that SCN.
//
// It is called by the engine. It owns no goroutine; waiting for a row lock happens in the caller's.
package store
