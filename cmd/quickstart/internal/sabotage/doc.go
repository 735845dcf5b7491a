// Package sabotage changes one message between the pipeline and the verifier, to prove that the verifier looks: drop, dup,
// value, order and ghost (contracts 10), and layout. Each change is made so that what a careless verifier counts stays plausible.
//
// It knows records as the verifier does, nothing of the product. The demo and the verifier's tests call it; it owns no
// goroutine.
package sabotage
