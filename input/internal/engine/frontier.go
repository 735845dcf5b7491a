package engine

import (
	"slices"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// frontier is F: the greatest bound of a verified step that was at least frontierAge old when the last verified step was
// started. Every commit at or below it has been delivered (correctness 0).
type frontier struct {
	scn position.SCN
	// at is a time at which the database was there, or before; zero where that is not known.
	at     time.Time
	bounds []agedBound
	// readings are what the database said its SCN was, from the last one at or below F on.
	readings []agedBound
}

type agedBound struct {
	// read is not before the bound was read.
	read time.Time
	scn  position.SCN
}

// frontierAge is the age with one redo thread.
const frontierAge = time.Second

// maxReadings bounds the readings that are kept while capture is far behind.
const maxReadings = 4096

// verified takes the bound of a verified step that began at a time, and the SCN that the database had just before. A bound may lie far
// below that, while the step is one of many in closed logs; or above it, where DDL made the step go on to a later reading: bounded is a
// time not before the bound was read.
func (f *frontier) verified(began, bounded time.Time, reading, bound position.SCN) {
	n := 0
	for n < len(f.bounds) && began.Sub(f.bounds[n].read) >= frontierAge {
		f.scn = f.bounds[n].scn
		n++
	}
	f.bounds = append(slices.Delete(f.bounds, 0, n), agedBound{bounded, bound})
	if len(f.readings) >= maxReadings {
		kept := f.readings[:0]
		for i := range f.readings {
			if i%2 == 0 {
				kept = append(kept, f.readings[i])
			}
		}
		f.readings = kept
	}
	f.readings = append(f.readings, agedBound{began, reading})
	n = 0
	for n < len(f.readings) && f.readings[n].scn <= f.scn {
		f.at = f.readings[n].read
		n++
	}
	if n > 0 {
		f.readings = slices.Delete(f.readings, 0, n-1)
	}
}
