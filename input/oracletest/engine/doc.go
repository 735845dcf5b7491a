// Package engine is the database of the stand-in: multi-version storage, transactions with savepoints and
// statement atomicity, and the execution of parsed SQL. Every change goes into the redo stream before it is visible.
//
// What a query may read besides tables (V$ and dictionary views) and which PL/SQL procedures exist is told by the
// Views and Procedures it is opened with. It is called by the wire through Session, and by tests. It owns no goroutine.
package engine
