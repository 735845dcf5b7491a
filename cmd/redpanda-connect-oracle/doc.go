// Command redpanda-connect-oracle is the distribution: the Benthos command line with the Oracle CDC components, the defaults
// under which they keep their promises, and the exit code 3 after a typed stop.
//
// It is not where capture happens: that is the input. Operators and orchestrators call it. Besides those of the runtime it
// owns one goroutine, which ends the process when a component recorded a stop.
package main
