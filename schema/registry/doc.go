// Package registry keeps the versions of every captured table: in memory, by table and position, and as the records of the
// schema topic (contracts 5; R94, R99 to R101).
//
// Record is the codec of one record; unknown members are kept at every depth, a newer format is refused. Registry is what the
// engine and the oracle_schema processor ask and extend; its lookups are safe beside one another and beside changes. Store
// is where the records lie; the topic itself is schema/topicstore's.
//
// It reads no dictionary and decides nothing about DDL. It owns no goroutine.
package registry
