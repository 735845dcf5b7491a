// Command oracle-standin runs the stand-in for Oracle (input/oracletest) as a process, until SIGTERM or an interrupt. It is no
// database: nothing outlives the process.
//
// It owns the goroutine that serves the control interface, and ends and awaits it.
package main
