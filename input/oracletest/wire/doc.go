// Package wire is the outermost layer of the stand-in: a server that speaks Oracle's TNS and TTC
// protocols (reference tns-server) to unmodified drivers, and hands statements to a Backend. It knows
// nothing about SQL, tables or redo.
//
// LOB values are the backend's as a whole, in memory; what a client holds of them is kept here: a table of
// locators per session, temporary LOBs included, of bounded size. Ref cursors, PL/SQL arrays, RETURNING and
// batch errors are shapes of a Result; TLS and bit vectors are settings.
//
// What it does not do is refused by name: writing through the locator of a row (ORA-22920), LOB operations
// that no thin client uses, ref cursors as columns or IN binds (ORA-03001), time zone regions in binds
// (ORA-01882), functions not in package ttc (the connection ends after the answer, because nobody knows where
// such a request ends), and what reference tns-server 11 leaves out for good. Reference 13 lists what no
// stand-in proves.
//
// Beyond the reference, the clients of its tests taught: Oracle's JDBC driver finds the sequence of its call
// in the summary and the cursor in the return parameters, takes the banner without a length, makes room for
// locators of 106 bytes, and sends the values of a repeated execution without the bind option; the flag of a
// LOB answer has the representation of SB1; columns that changed in a repeated execution are described again;
// thin clients count rows without asking to fetch when a ref cursor has LOBs.
//
// It is called by input/oracletest. The server owns the listener goroutine, one reader goroutine and one
// call goroutine per session, and waits for all of them in Close.
package wire
