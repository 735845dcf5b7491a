// Package redo is the redo stream of the stand-in: the SCN clock, the redo threads with their log groups,
// sequences, switches and archived copies, and the change records in them with their redo byte addresses.
// It knows tables only as what a record carries; it knows no SQL text. Everything lives in memory: a log's size is an
// account of what its records would take.
//
// It is written by the engine and read by logminer and views. It owns no goroutine: with an archive delay the
// caller runs Stream.Archive (ARCn) and waits for it.
package redo
