// Package snapshot reads rows of captured tables by query. What it has so far is the mapping from a selected row to values: a Row says
// how each column is asked for, and reads what the driver gives to the value that the redo of the same row decodes to, so that a record
// has the same bytes whichever way its row came (P6).
//
// It plans no chunks, takes no SCN and orders nothing yet; that comes with snapshots. It does not render. It is called by the tests
// that hold both ways against each other, and will be by the engine. It owns no goroutine; a Row belongs to one.
package snapshot
