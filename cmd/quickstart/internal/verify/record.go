package verify

import "fmt"

// Record is one record of a data topic.
type Record struct {
	Topic     string
	Partition int32
	Offset    int64
	// Time is when the producer says it made the record, in milliseconds.
	Time int64
	// Life counts the starts of the pipeline: 0 for what was written before its first death.
	Life       int
	Key, Value []byte
	Headers    []Header
}

// Header is a header of a record.
type Header struct{ Key, Value string }

func (r *Record) header(key string) (string, bool) {
	for _, h := range r.Headers {
		if h.Key == key {
			return h.Value, true
		}
	}
	return "", false
}

// place names the record in messages.
func (r *Record) place() string { return fmt.Sprintf("%s/%d@%d", r.Topic, r.Partition, r.Offset) }

type partition struct {
	topic  string
	number int32
}

func (r *Record) partition() partition { return partition{topic: r.Topic, number: r.Partition} }
