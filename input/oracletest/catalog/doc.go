// Package catalog is the data dictionary of the stand-in: containers, users and tables, as values that are
// never modified once published (a DDL publishes a new Table). It knows no SQL and no redo.
//
// It is called by the engine, which changes it, and by views and logminer, which read it. It owns no goroutine.
package catalog
