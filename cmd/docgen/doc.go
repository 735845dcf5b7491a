// Command docgen writes the reference pages of the distribution's components and of the error codes, from their specs, and with
// -check says which pages are not what it would write.
//
// It documents what is registered, nothing by hand. make docs and make docs-check call it. It owns no goroutine.
package main
