// Package wire is the outermost layer of the stand-in: a server that speaks Oracle's TNS and TTC
// protocols (reference tns-server) to unmodified drivers, and hands statements to a Backend. It knows
// nothing about SQL, tables or redo.
//
// It is called by input/oracletest. The server owns the listener goroutine, one reader goroutine and one
// call goroutine per session, and waits for all of them in Close.
package wire
