// Command quickstart shows the product at work, on parts that it brings along: the stand-in for Oracle and a Kafka broker in
// this process, a pipeline for two PDBs as a child process, a concurrent workload, log switches all the time, a restart of the
// broker and a SIGKILL of the pipeline, and a verifier that judges the topics. It is what make demo runs, and CI with each
// sabotage; make kill runs it with many kills at random moments, with transactions that stay open across them, and with a broker
// that answers slowly and pauses now and then, so that a position that runs ahead of its acknowledgements loses something.
//
// It is no tool for production and no part of the product. It ends with one JSON line on standard output; progress goes
// to standard error, and only where standard output is a terminal some records go there. It owns the goroutines of workload, operator,
// watcher and child process, and waits for all of them.
package main
