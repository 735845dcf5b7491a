// Command quickstart shows the product at work, on parts that it brings along: the stand-in for Oracle and a Kafka broker in
// this process, the smallest pipeline as a child process, a concurrent workload, one SIGKILL in the middle, and a verifier
// that judges the topics. It is what make demo runs, and CI with each sabotage; make kill runs it with many kills at random
// moments, with transactions that stay open across them, and with a broker that answers slowly and pauses now and then, so that a
// position that runs ahead of its acknowledgements loses something.
//
// It is no tool for production and no part of the product. It ends with one JSON line on standard output. It owns the
// goroutines of workload, operator and child process, and waits for all of them.
package main
