// Package conformance holds the list of behaviours of reference tns-server 1 against clients of other vendors: one program
// per client in clients/, and go-ora here as tests. Each runs the same list through the whole stand-in, its SQL and storage
// included, and the test prints one table of what every client found. No client may see a protocol error.
//
// A program prints a line of JSON for every check: its name, the outcome (ok, inapplicable or failed) and a note.
// inapplicable is what a client cannot do with any server.
//
// Clients that are not there are skipped, and said so on standard error. ORACLETEST_CONFORMANCE=1 lets the tests install
// them into a temporary folder with npm, pip and Maven.
//
// It has no code of its own and owns no goroutine: it is called by go test only.
package conformance
