// Package topicstore reads a compacted Kafka topic to its end and appends to it: the base of versions, positions and
// journal. It knows records as key and value bytes; what they mean is their owner's business. It also says what a Kafka
// client's error means to capture, for everything that talks to Kafka.
//
// It is called by schema/positionstore, schema/registry's users, the schema processor, the Kafka output and the journal.
// A Store owns its Kafka client; nothing runs in it between calls but that client. A Store is used by one goroutine at a
// time.
package topicstore
