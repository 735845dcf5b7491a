// Package redo is the redo stream of the stand-in: the SCN clock, the redo threads with their log groups,
// sequences, switches and archived copies, and the change records in them with their redo byte addresses.
// It knows tables only as what a record carries; it knows no SQL text. A log's size is an account of what its records
// would take. Records live in memory up to a budget, the oldest ones beyond it in files of an own encoding.
//
// What redo does to its readers on bad days are Warts, off by default.
//
// It is written by the engine and read by logminer and views. It owns no goroutine: with an archive delay the
// caller runs Stream.Archive (ARCn) and waits for it.
package redo
