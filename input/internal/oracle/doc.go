// Package oracle is the only user of the database driver: connections with their session settings, the identity of
// the database and what it must look like, dictionary queries, and the table of ORA codes with their classes.
//
// A Session is one database session for one purpose (Role), pinned to one connection that is never replaced behind the
// caller's back:
//
//	Connect(ctx, Config, Role) (*Session, error)   log-on, settings of reference logminer A.6 set and read back (R16)
//	Session.Exec, Query, Each                      one statement at a time; a second one while rows are open is ErrRowsOpen
//	Session.Check                                  SID and SERIAL# are those of the log-on (R10)
//	Session.Usable, Close                          after an error that is not Oracle's the session only closes (R16)
//	Classify(err) (Class, *stop.Error), Retries    what an error asks for, and how often
//
// On top of it, as plain functions over a Session:
//
//	ReadDatabase -> Database; Database.Check, Captured, Identity     identity, topology, preconditions (R125, R126)
//	CurrentSCN, ServerOffset                                         bounds (R1), TIMESTAMP to epoch (R136)
//	OpenTransactions                                                 what is open, complete by R32 or ErrIncomplete
//	Describe -> []Description                                        captured tables as schema.Version, or the reason not to
//
// A context ends a call in progress: the session sends the interrupt marker that the driver itself sends, and closes the
// socket if the server does not answer within Config.InterruptGrace (reference tns-server 14.4). A session is used by one
// goroutine at a time.
//
// It does not mine (logminer does), knows no log files (redolog does) and decides no retries (engine does). It owns no
// goroutine that outlives a call, but those of database/sql until Close.
package oracle
