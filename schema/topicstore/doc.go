// Package topicstore reads a compacted Kafka topic to its end and appends to it: the base of versions, positions and
// journal. It knows records as key and value bytes; what they mean is their owner's business.
//
// It is called by schema/positionstore, schema/registry's users, the schema processor and the journal. A Store owns its
// Kafka client; no goroutine runs in it between calls but those of that client.
package topicstore
