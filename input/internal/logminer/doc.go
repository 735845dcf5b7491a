// Package logminer runs mining steps: DBMS_LOGMNR over the logs of a redolog.Step, the query over V$LOGMNR_CONTENTS with
// the two-part cursor (R3) and the pushed-down filter (R103), rows scanned, their chunks joined (R9), and everything
// checked that a row can be checked for (R5, R10, R13, R29, R138).
//
//	New(session) *Miner                                     on a session of role oracle.Mining
//	Miner.Step(ctx, Request, handle) (Result, error)        one step; handle gets batches of rows in delivered order
//	NewFilter(Objects...) *Filter                           what is captured; built once per change of the set
//	Net                                                     the re-read net at the tail (R8), optional
//
// A step that returns an error has done nothing: the caller cuts off what its rows were appended to (R11, R18). Rows count
// only after the caller has also verified the online logs with redolog.Step.Verify and asked for the next boundary with
// redolog.Step.After(Result.Addresses).
//
// It does not decode SQL_REDO, knows no transactions, and trusts no order of rows but that inside one transaction. It is
// called by the engine. Each Step owns one goroutine, which runs the statements and fetches ahead while handle works, and
// waits for it.
package logminer
