// Package positionstore keeps the stored position: in a file, a Benthos cache or a compacted Kafka topic.
//
// It is called by the input only, from one goroutine (R66). A Store owns what it opened; nothing runs in it between
// calls but its Kafka client.
package positionstore
