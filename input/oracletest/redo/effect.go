package redo

import (
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// Effect is what a record means to a dictionary that is read from the redo. It is immutable.
type Effect struct {
	// Tables are those that a DDL has changed, as they are when it commits; Gone are the object ids of tables that are no more then.
	Tables []*catalog.Table
	Gone   []uint32
	// Build is set in the first and the last record of what DBMS_LOGMNR_D.BUILD writes.
	Build *Build
	// Last marks the last one.
	Last bool
}

// Build is a copy of the data dictionary in the redo (reference logminer G.4).
type Build struct {
	// SCN is that of the copy: no DDL with a COMMIT at or below it is missing.
	SCN SCN
	// Tables are those of each container by the ids of their segments.
	Tables map[int]map[uint32]*catalog.Table
}

// BuildRecord makes the first or the last record of a copy of the dictionary. It shows nowhere: what shows of it on a real database, the
// rows of SYS tables, nobody has recorded.
func BuildRecord(b *Build, last bool, origin Origin) *Record {
	return &Record{
		Op: Internal, Container: catalog.Root, Origin: origin, Effect: &Effect{Build: b, Last: last}, quirks: hidden,
	}
}

// note keeps which records of copies of the dictionary a log holds.
func (l *log) note(r *Record) {
	switch e := r.Effect; {
	case e == nil || e.Build == nil:
	case e.Last:
		l.buildEnds = append(slices.Clip(l.buildEnds), e.Build)
	default:
		l.buildBegins = append(slices.Clip(l.buildBegins), e.Build)
	}
}
