// Package layout holds the tests of the module's own shape: who may import whom, that every package says what it is, and
// that the top level stays what it is. The arrows are the depguard rules of .golangci.yml, read as data, so that the linter
// and the tests cannot differ.
//
// It has no code of its own; nobody calls it and it owns no goroutine.
package layout
