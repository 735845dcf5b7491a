package topicstore

import "github.com/twmb/franz-go/pkg/kgo"

// Connection is how to reach the brokers: seeds, client id, TLS and SASL as client options. An empty Connection is no
// broker access.
type Connection []kgo.Opt
