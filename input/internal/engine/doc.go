// Package engine is the state machine of capture: connect, prepare, mine, recover, stop. It turns verified mining steps
// into batches of events with positions, in commit order (R18 to R22, R50 to R53).
//
// Run owns two goroutines besides its own: the miner, which runs steps and applies their rows to the transaction buffer,
// and the emitter, which renders committed transactions and hands batches over. Both end, and their sessions are closed,
// before Run returns.
//
// It is called by the input, which owns acknowledgements and the position store. It knows neither Benthos nor Kafka.
package engine
