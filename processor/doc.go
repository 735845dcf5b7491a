// Package processor is the plugin oracle_schema: it writes the versions of captured tables to the compacted schema topic
// before it lets any row pass that was decoded with them (R75).
//
// It makes no records (the input renders them) and keeps no versions (schema/registry does). The runtime calls it, from one
// goroutine; it owns none but those of its Kafka client.
package processor
