// Package positionstore keeps the stored position: in a file, a cache resource or a compacted Kafka topic.
//
// It is called by the input only, from one goroutine (R66). A Store owns what it opened, which a cache resource is not; nothing runs in it between
// calls but its Kafka client. Keep one Store across generations: that is what makes a slow write of an old generation
// unable to land on a newer one.
package positionstore
