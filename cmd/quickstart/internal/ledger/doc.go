// Package ledger is what the workload writes down about itself: for every transaction whose commit succeeded, its surviving
// changes in order. The verifier holds the topics against it.
//
// It knows neither SQL nor Kafka nor the product. The workload's goroutines call Commit side by side; it owns no goroutine.
package ledger
