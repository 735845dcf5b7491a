// Package sqlredo reads the SQL_REDO text of INSERT, UPDATE and DELETE rows into columns and literals (grammar: reference
// logminer D.1, D.2). Names and values are substrings of the text: nothing is copied, unescaped or converted, and
// parsing into a Statement that was used before allocates nothing.
//
// It is strict. LogMiner writes one form, so whatever deviates from it is an *Error and not a guess; above all a quote that
// LogMiner failed to double (D.5), which would shorten or shift values. It knows no tables and no types: decode gives the
// literals their meaning. It is called by decode, is pure and owns no goroutine; one Statement belongs to one goroutine.
package sqlredo
