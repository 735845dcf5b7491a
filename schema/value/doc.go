// Package value is the decoded form of one Oracle value on its way from redo or a snapshot to a record. A Value is
// a small tagged struct that is passed by value; text shares the memory of the SQL_REDO it was cut from.
//
// It is not a general type system: it holds exactly what Oracle columns hold, before any record format gives them a
// shape. It is called by decode and snapshot, which make values, and by the record formats, which render them. It
// owns no goroutine.
package value
