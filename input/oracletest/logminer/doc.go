// Package logminer is LogMiner: the procedures of DBMS_LOGMNR, the state they keep with a session, and
// V$LOGMNR_CONTENTS, which turns redo records into rows with SQL_REDO and SQL_UNDO text (reference logminer A to F).
// It reads redo and the dictionary and changes neither.
//
// The warts of the redo (redo.Warts) show here: those of records are in the records, those of queries are read when a
// query begins.
//
// It is called by the engine through its Views and Procedures. It owns no goroutine.
package logminer
