// Package kafka is the output kafka_franz: it writes the records of oracle_cdc, and plain messages, to Kafka in strict
// order. A batch is acknowledged once every record of it is; what trying again may cure is tried again in place, with the
// same batch.
//
// It renders no records (the input does) and keeps no position (the input's window does). The runtime calls it; with
// max_in_flight 1 from one goroutine. It owns the goroutines of its Kafka client and no others.
package kafka
