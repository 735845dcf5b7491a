// Command oracle-standin runs the stand-in for Oracle (input/oracletest) as a process, until SIGTERM or an interrupt. It is no
// database: nothing outlives the process, and the next one is another incarnation to a stored position (CDC-5001). Once it is up it
// says on standard error where it listens.
//
// It owns the goroutine that serves the control interface, and ends and awaits it.
package main
