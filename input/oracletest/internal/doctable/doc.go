// Package doctable reads the tables in the package documents of the stand-in, so that tests can hold them to what there is:
// what the documents say is supported is the promise, and every row of it is tested.
//
// It is called by tests only. It owns no goroutine.
package doctable
