// Package position holds the places in redo that capture reasons with: SCN, redo byte address, transaction id, the
// boundary between two mining steps and the stored Position that a restart continues from (R3, R50 to R53).
//
// It compares, encodes and parses; it does not store (schema/positionstore does). It owns no goroutine.
package position
