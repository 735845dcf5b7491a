// Package datum holds the values of the stand-in: what its tables store, what its SQL computes and what
// its wire sends. It is not the product's value type (schema/value): the two sides share nothing but the
// bytes between them, so that a mistake in one does not hide in the other.
//
// It is called by every layer of input/oracletest. It owns no goroutine.
package datum
