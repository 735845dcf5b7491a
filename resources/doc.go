// Package resources holds what belongs to the product and is not code: the set-up SQL, the reference pages and one runbook
// per error code. The SQL is embedded so that the program can print it.
//
// It decides nothing; the program's commands read it. It owns no goroutine.
package resources
