package main

import (
	"os"
	"runtime/debug"
)

const (
	// collectAt lets garbage grow to four times the live heap: a fetched row leaves several KB of it, and with a small heap the
	// default would collect more than twice in a thousand rows (reference tns-server 14.1).
	collectAt = 400
	// softLimit keeps that from mattering where much is staged (transactions.memory).
	softLimit = 1 << 30
)

// tuneCollector sets the garbage collector for streaming, unless the environment sets it.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(softLimit)
	}
}
