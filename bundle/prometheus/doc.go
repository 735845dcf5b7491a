// Package prometheus is the metrics exporter that the runtime lacks: metrics on /metrics in the text format of Prometheus.
// Registered under the name prometheus it is the runtime's default exporter by itself (reference benthos 9).
//
// It pushes nothing and knows no metric by name. The runtime calls it, from any goroutine; it owns none.
package prometheus
