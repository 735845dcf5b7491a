// Package stop is the one table of error codes (contracts 6) and the typed error that carries a code, the ORA number,
// the object and what the operator does next. Everything that ends capture, in whichever component, is a *stop.Error.
//
// It decides nothing: whoever finds a fault names its code, and the engine asks Code.Retried. It owns no goroutine.
package stop
