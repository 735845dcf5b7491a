// Package input is the plugin shell of oracle_cdc: its fields, the batches it hands to the runtime, the window of
// acknowledgements, the writer of the stored position, and the typed stop.
//
// Capture itself is input/internal/engine. The shell owns, per connection of the runtime, the goroutine that runs the engine,
// and one goroutine that writes the position; Close waits for both.
package input
