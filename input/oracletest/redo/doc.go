// Package redo is the redo stream of the stand-in: the SCN clock, the redo threads with their log groups,
// sequences, switches and archived copies, and the change records in them with their redo byte addresses.
// It knows tables only as what a record carries; it knows no SQL text.
//
// It is written by the engine and read by logminer and views.
package redo
