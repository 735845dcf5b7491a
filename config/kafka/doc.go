// Package kafka holds what the plugins share about reaching Kafka: the fields for brokers, TLS and SASL, the client
// options they become, and the adapter that carries the client's log lines into the runtime's log.
//
// It opens no connection (schema/topicstore and bundle/kafka do). The plugin shells call it from their specs and
// constructors. It owns no goroutine.
package kafka
