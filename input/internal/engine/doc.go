// Package engine is the state machine of capture: connect, prepare, mine, read, recover, stop. It turns verified mining steps and rows
// that were read by query into batches of events with positions: items in commit order (R18 to R22, R50 to R53), and what was read AS OF
// an SCN between them (R76 to R86).
//
//	miner      runs steps, applies their rows to the transaction buffer, follows DDL; hands groups of items over
//	emitter    renders items and rows, owns the running position; what is read, and how far that came, is its state, since it travels in
//	           positions like the events
//	ordering   the gate, under the emitter's lock: an item passes it before it is rendered, a batch of rows takes its SCN there. An item
//	           that has to wait for a batch leaves mining going on; its group and those behind it wait in the intake
//	reader     package snapshot's; it delivers batches to the ordering
//
// Run owns goroutines besides its own: the miner, the emitter, the reader from the first table on that is to be read, the channels of
// signals, and the builder of dictionaries. All end, and their sessions are closed, before Run returns.
//
// It is called by the input, which owns acknowledgements and the position store. It knows neither Benthos nor Kafka.
package engine
