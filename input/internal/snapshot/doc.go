// Package snapshot reads rows of captured tables by query, in chunks AS OF an SCN, and says where they go between the items of the
// stream (R76 to R86).
//
//	Row        how each column is asked for, and what the driver's answer means: the value that the redo of the same row decodes to (P6)
//	Progress   what is left of one table: chunks, cut by key, by ROWID or not at all; Frontier is what the position keeps of it
//	Queue      the tables to be read
//	Reader     cuts and reads chunks on several connections; hands over Batches, each of one SCN
//	Gate       decides what is emitted next, an item or a batch
//
// It renders and emits nothing, keeps no position and knows no signals. The engine calls it, and implements Ordering: a Gate under the
// emitter's lock. A Reader owns the goroutines of its connections until Run returns; a Gate and a Row belong to one goroutine; a Batch
// goes from the reader to the emitter; Progress and Queue are safe for both.
package snapshot
