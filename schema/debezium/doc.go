// Package debezium renders decoded changes as Debezium-compatible records: key, value, headers and heartbeats. A Profile is
// all that differs between record formats, as data: profile cdc is seed 001 to the field, profile debezium Debezium's Oracle connector. A Table is a profile made ready
// for one version of one table: it appends the JSON of an event to a buffer in one pass, from the decoded row to bytes,
// without an allocation of its own for rows of ordinary values.
//
// It never publishes a value that it cannot render exactly: a number that does not fit its column, a time outside the range
// of its unit or text that is not UTF-8 is a *stop.Error CDC-3001 that names table and column, and no value.
//
// It is not the decoder, chooses no topic (schema/naming does) and sends nothing. The engine calls it, and the Kafka output
// for headers. A Table is immutable and safe for concurrent use. It owns no goroutine.
package debezium
