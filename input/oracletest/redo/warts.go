package redo

import (
	"errors"
	"fmt"
	"time"
)

// Warts are what redo and LogMiner do to their readers. Each serves a rule or a fact of correctness.md and is
// named after it; off is the zero value. What nobody has recorded on a real database is here as a fault for that rule, not
// as a claim about Oracle (design section 8).
//
// Those of the first group shape what is written from now on, the others what LogMiner shows from its next query on.
type Warts struct {
	// K2PrivateStrand keeps the rows of an open transaction out of the log, with the SCNs they have: until COMMIT, a log switch,
	// or until they take this many bytes (reference logminer F.5; R3, R14, R120, scene 4).
	K2PrivateStrand int64
	// K1Displaced spreads transactions over this many strands: one log write holds the strands one after the other, so that
	// its addresses do not follow the SCNs (R3, R4, R19).
	K1Displaced int
	// R14Displaced lets the records of one transaction go to different strands of K1Displaced, as redo dumps show.
	R14Displaced bool
	// R14StrandStays keeps what fills a private strand in it until COMMIT; later rows of the transaction pass it.
	R14StrandStays bool
	// R1WriteLag is how long after a commit its log write becomes visible (R1, R19, R20).
	R1WriteLag time.Duration

	// R117PartialXID shows XIDSQN 4294967295 on undo rows and ROLLBACK (reference logminer B.3).
	R117PartialXID bool
	// R13ZeroAddressRollback, R13ZeroAddressCommit, R13ZeroAddressChange and R13ZeroAddressDDL show no address on such rows: observed on ROLLBACK
	// only (reference logminer B.3).
	R13ZeroAddressRollback, R13ZeroAddressCommit, R13ZeroAddressChange, R13ZeroAddressDDL bool
	// R13ZeroXIDStart writes a START with an all-zero XID before that of each transaction (reference logminer B.3).
	R13ZeroXIDStart bool
	// R13ZeroXIDChange shows an all-zero XID on changes.
	R13ZeroXIDChange bool
	// R29ThreadZeroEmpty writes, after each COMMIT, that of an empty transaction with THREAD# 0 (reference logminer B.2, F.1).
	R29ThreadZeroEmpty bool
	// R29ThreadZero shows THREAD# 0 on COMMIT and ROLLBACK of all transactions.
	R29ThreadZero bool
	// R53NoStart leaves START out.
	R53NoStart bool
	// R5SplitSCN gives every row of a redo record an SCN of its own.
	R5SplitSCN bool
	// R7Pieces builds changes of more columns than that from two redo records, as rows of more than 255 columns are. In a
	// range without the second one the first columns show, without the first one nothing. R7PieceSwitch has the log switched between them, R7LastPiece shows the row at the address and the SCN
	// of the second. Nobody has recorded which it is.
	R7Pieces                   int
	R7PieceSwitch, R7LastPiece bool
	// R112UndoForward undoes rows of one table that are undone together oldest first, as nobody promises for array DML.
	R112UndoForward bool
	// R113Hidden is how many of the next changes do not show at all; their undo rows do.
	R113Hidden int
	// R22Unsupported is a table, as OWNER.NAME, whose changes come as UNSUPPORTED (reference logminer C).
	R22Unsupported string
	// R22CorruptChanges is how many of the next changes are in blocks that cannot be read: ORA-01343 for who reads their log, or a row
	// CORRUPTED_BLOCKS with SKIP_CORRUPTION (reference logminer A.2, C, K).
	R22CorruptChanges int
	// R138Operation writes, after each change, a row of this operation code on its table; 0 is none.
	R138Operation Op
	// R138Internal writes, after each change, the INTERNAL row of an index that follows it (reference logminer C).
	R138Internal bool
	// R117ClusterRowID shows the rows of all tables with ROWIDs of one segment, as those of clustered tables: only the table
	// tells them apart.
	R117ClusterRowID bool
	// R8LateChanges and R8LateCommits are how many of the next changes and COMMITs LogMiner shows one query late: not in the
	// first one that ends at least R8Margin SCNs above them, which is how far a step reads behind its bound (R7).
	R8LateChanges, R8LateCommits int
	R8Margin                     SCN

	// R93FailDDL is how many of the next DDL fail behind their row, so that it is rolled back.
	R93FailDDL int
	// R103NoInternalDDL leaves the row of the DDL out with which a table makes a partition itself.
	R103NoInternalDDL bool
	// R107NoRows keeps the rows of CREATE TABLE AS SELECT from the redo, as a direct path without logging does.
	R107NoRows bool
	// R45BuildLogs is how many log switches come while DBMS_LOGMNR_D.BUILD writes; R45BuildBlocked is how many of the next builds cannot
	// lock the dictionary.
	R45BuildLogs, R45BuildBlocked int

	// R41AnyVersion names rows only if their DATA_OBJV# is that of the dictionary; otherwise it is enough that both have the same stored
	// columns. R97NewNames names the columns of older rows as the dictionary does, if their number and types are the same; otherwise a
	// column that was renamed since makes them generic. Nobody has recorded which it is (reference logminer G.3).
	R41AnyVersion, R97NewNames bool
	// R46TrailingNulls leaves NULLs at the end of generic rows out (reference logminer D.4).
	R46TrailingNulls bool
	// R43UnusedNamed shows the columns that SET UNUSED has left, under their generated names, in rows that have names.
	R43UnusedNamed bool

	// R2SwitchGap is how long V$LOG does not list the new log after a switch.
	R2SwitchGap time.Duration
	// R124Behind is by how much V$DATABASE.CURRENT_SCN is too low.
	R124Behind SCN
	// R32InstanceOne lets only the first instance answer GV$ views.
	R32InstanceOne bool
	// R89StartSCNZero and R89StartSCNNull show no START_SCN in V$TRANSACTION; R89NoStartDate shows no time either.
	R89StartSCNZero, R89StartSCNNull, R89NoStartDate bool
	// R87Prepared shows the open transactions in DBA_2PC_PENDING too, as the branches of distributed transactions in doubt;
	// R87PreparedAlone shows them only there, as after a restart (R63).
	R87Prepared, R87PreparedAlone bool
	// K5UserNull shows USERNAME NULL, not UNKNOWN, where LogMiner has not read the START.
	K5UserNull bool
	// R15WithoutThread is a redo thread whose logs LogMiner leaves out when it picks them itself; 0 is none.
	R15WithoutThread int

	// K1SCNOrder delivers rows in SCN order, address order among equal ones; otherwise in the order of addresses of each thread.
	K1SCNOrder bool
	// R10ReuseAtRow makes the log writer go round before this row of a query that reads an online log, 1 being the first, until the
	// group is reused, in the next R10ReuseTimes queries. The fetch then fails with ORA-00310; with R10ReuseSilent the rows
	// that were not read yet are just missing.
	R10ReuseAtRow, R10ReuseTimes int
	R10ReuseSilent               bool
	// R10MissingSCN is how many of the next queries show a MISSING_SCN row first.
	R10MissingSCN int
	// R9Cut is how many of the next queries end behind the first row that has CSF 1; R9Interleave how many have the COMMIT of
	// an unknown transaction behind it.
	R9Cut, R9Interleave int
}

func (w *Warts) validate() error {
	if w.K2PrivateStrand < 0 || w.K1Displaced < 0 || w.R1WriteLag < 0 || w.R10ReuseAtRow < 0 || w.R7Pieces < 0 || w.R2SwitchGap < 0 {
		return errors.New("warts: sizes, counts and times must not be negative")
	}
	if w.R14Displaced && w.K1Displaced < 2 {
		return fmt.Errorf("warts: R14Displaced needs several strands, K1Displaced is %d", w.K1Displaced)
	}
	return nil
}

// SetWarts replaces the warts. What earlier ones held back is written first.
func (s *Stream) SetWarts(w Warts) error {
	if err := w.validate(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle(s.config.Now())
	s.flushStrands()
	if !s.buffer.paused {
		s.writeBuffer()
	}
	s.warts = w
	return nil
}

// Warts returns the warts, with what is left of their counts.
func (s *Stream) Warts() Warts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.warts
}

// Take takes one from a count of the warts and reports whether there was one.
func (s *Stream) Take(count func(*Warts) *int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := count(&s.warts)
	if *n <= 0 {
		return false
	}
	*n--
	return true
}
