// Package signal takes in what an operator asks of running capture: from a Kafka topic, from rows of a table in the source, and by
// HTTP on a listener of its own. It reads the forms that Debezium's users send, and says of each one what it asks for, or why nothing
// can be done about it.
//
//	Signal    what was sent: id, type, data, and where it came from
//	Parse     a Signal to a Command, or to the Answer that it gets at once
//	Delivery  a Signal on its way to whoever acts on it, and the way back for its Answer
//	Topic, Listener
//	          the channels; each owns the goroutines of its Run until that returns
//
// What was handled is in the position (position.Signals), so that each signal is handled once across restarts.
//
// It acts on nothing: snapshots, transactions and dictionaries belong to the engine, which calls it, and which recognises the rows of
// the signal table in the redo. A signal that cannot be read is answered; it never ends capture.
package signal
