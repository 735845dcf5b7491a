// Package transaction keeps the changes of open transactions until they commit: tentative tails of the running step (R18),
// undo by the stack rule (R112 to R115), marks that stop only a commit (R22), the boundary a transaction holds back
// (R52), and the memory all that takes.
//
// A step is bracketed by Begin and either Keep or Discard. Keep gives the transactions that committed in it, in the order of
// emission (R19); they count against the budget until they are released.
//
// It knows no SQL, no text and no record format. It is called by the engine's mining goroutine; only Committed.Release and
// Buffer.Used may be called from another one. It owns no goroutine.
package transaction
