// Package verify judges topics: given every record of the data topics in the order of their offsets, which life of the
// pipeline wrote each, and the ledger of committed transactions, it says what is lost, invented, changed, out of order or
// repeated without a reason.
//
// It imports no product package: it reads the record format and the source's tables as any consumer would, with a Kafka
// client and SQL. The demo calls it. It owns no goroutine but those of the clients that it opens and closes.
//
// # What a history may look like
//
// Delivery is at least once, and a repetition has exactly one reason: the pipeline died, and its next life went on from the
// position stored last. From this follows what is checked:
//
//   - Within one life a partition holds its records in the order (commit SCN, transaction, event, record of the event), each
//     once and without a hole.
//   - The records of a later life begin at one place of the whole order. What earlier lives wrote from that place on, in any
//     partition of any topic, is written again, byte for byte; nothing before it is,
//     and nothing that the position stored at the death says was acknowledged.
//   - Repetitions apart, the records are those of the ledger's transactions and no others, event for event, each image equal
//     to the row that the workload wrote.
//   - Each record's before image is the row that the records before it left behind.
//   - The rows left behind up to an SCN are those of the source AS OF that SCN.
//   - A row has the name and the columns that its table had at the SCN of the change, whatever DDL came since. A value that the redo
//     does not hold is the default of a column that was added since the row was written, and no other.
//   - Each DDL is told of once, in order, with the layout that it left.
package verify
