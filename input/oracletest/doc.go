// Package oracletest is the stand-in for Oracle: a container database in one process that unmodified Oracle clients
// connect to, with redo and LogMiner (design section 8). It puts the layers together and is the only one of them that
// tests and commands need:
//
//	wire      TNS and TTC, sessions, faults
//	engine    SQL, storage, transactions (with sql, catalog and datum)
//	redo      the redo stream: logs, switches, archiving
//	logminer  DBMS_LOGMNR and V$LOGMNR_CONTENTS
//	views     V$ and dictionary views (with relation)
//
// What redo and LogMiner do on bad days (late and displaced rows, missing addresses, reused groups) is off by default and
// switched by Config.Warts and Server.SetWarts; how the wire fails, by Server.AddFault. What nobody has recorded of DDL (which older
// rows keep their names, what Oracle's own DDL shows) are warts too; Server.PauseDDL holds a DDL between its row and its COMMIT. With several Config.Instances every
// instance has a redo thread.
//
// What it supports is listed in tables, of which every row is tested: types of columns, statements, queries, functions and PL/SQL in
// the document of package engine, views with their columns in those of views and logminer.
//
// It is no Oracle: what it cannot do it refuses with an ORA error that names it. It is never imported by product code.
//
// It owns the goroutine of the archiver and, through wire, those of the listener and the sessions; Server.Close ends and
// awaits them all.
package oracletest
