// Package scalar computes on single values: Oracle's NUMBER arithmetic, comparison and sort keys, datetime and number
// format models, conversions between types under session settings, and the fit of a value into a column.
// It knows no SQL text, no table and no session; what it needs of a session is in Settings.
//
// It is called by the engine and by its store. It owns no goroutine and keeps no state.
package scalar
