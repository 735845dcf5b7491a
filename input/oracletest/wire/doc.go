// Package wire is the outermost layer of the stand-in: a server that speaks Oracle's TNS and TTC
// protocols (reference tns-server) to unmodified drivers, and hands statements to a Backend. It knows
// nothing about SQL, tables or redo.
//
// What it does not do yet is refused by name with ORA-03001: LOB columns, binds and operations, ref cursors,
// PL/SQL array binds, functions not in package ttc (the connection ends after the answer, because nobody
// knows where such a request ends). It has no TLS, no bit vectors, no batch errors (the first error fails
// array DML), no RETURNING clause, and none of what reference tns-server 11 leaves out for good.
//
// It is called by input/oracletest. The server owns the listener goroutine, one reader goroutine and one
// call goroutine per session, and waits for all of them in Close.
package wire
