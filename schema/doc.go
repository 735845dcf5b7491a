// Package schema says what a captured table looked like from a position on: its columns, types, key and supplemental
// logging. Everything in it is immutable once built and safe for concurrent use.
//
// It does not read the dictionary (input/internal/oracle does) and keeps no history (schema/registry does). It is used
// from decode to output. It owns no goroutine.
package schema
