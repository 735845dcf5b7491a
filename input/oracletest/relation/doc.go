// Package relation makes engine views out of column lists and functions that produce rows, and the cells that
// such rows hold. It knows no view by name.
//
// It is called by views and logminer. It owns no goroutine.
package relation
