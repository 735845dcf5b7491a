// Package console shows a run of the demo to the person who watches it: what happened line by line, how far it is in one line
// that is rewritten on a terminal, and some records in a readable form.
//
// It is no logger and decides nothing; the closing line of the demo does not pass through it. The demo's goroutines call it side by
// side; it owns none.
package console
