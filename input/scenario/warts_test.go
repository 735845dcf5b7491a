package scenario_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
)

const misleading feature = "redo and LogMiner rows that mislead their reader"

// misleads lets the stand-in begin with warts.
func misleads(w redo.Warts) option {
	return func(s *setup) {
		s.needs = append(s.needs, misleading)
		s.config.Warts = w
	}
}

// warts changes them from here on.
func (s *scenario) warts(w redo.Warts) {
	s.t.Helper()
	if err := s.server.SetWarts(w); err != nil {
		s.t.Fatal(err)
	}
}

// misled runs random transactions of three sessions under warts, with log switches, a kill in the middle and a transaction that
// is open across it. What comes out must be what the database holds: whole transactions in commit order, none twice but behind
// the stored position, none missing.
func misled(t *testing.T, w redo.Warts, options ...option) {
	t.Helper()
	for _, delivery := range []string{"by address", "by SCN"} {
		t.Run(delivery, func(t *testing.T) {
			w.K1SCNOrder = delivery == "by SCN"
			s := begin(t, append(options, misleads(w))...)
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9), name VARCHAR2(40)")
			small := fields{"batching.count": 7, "position.interval": "1ms"}
			p := s.start(small)
			open := s.connect(app).begin()
			open.exec("INSERT INTO $t VALUES (500, 1, 'open')")
			open.exec("SAVEPOINT s")
			open.exec("UPDATE $t SET v = 2 WHERE id = 500")
			var all []string
			replica := map[string]string{}
			take := func(got []message) {
				t.Helper()
				got = without(got, s.db.Table(fenceTable))
				for i := range got {
					got[i].applyTo(replica)
				}
				if scns := commits(got); !slices.IsSorted(scns) {
					t.Errorf("commit SCNs go back: %d", scns)
				}
				all = join(t, all, identities(got))
			}
			for round := range 4 {
				work(s, uint64(round), 60)
				if round%2 == 1 {
					s.switchLog()
				}
				if round == 1 {
					p.settle()
					p.kill()
					got, _ := p.delivered()
					take(got)
					p = s.start(small)
				}
			}
			open.exec("ROLLBACK TO SAVEPOINT s")
			open.exec("INSERT INTO $t VALUES (501, 3, 'closed')")
			open.commit()
			take(p.settle())
			if diff := cmp.Diff(s.rowsAt("t", s.scn()), replica); diff != "" {
				t.Errorf("the table (-database +stream):\n%s", diff)
			}
			for i, id := range all {
				if slices.Contains(all[:i], id) {
					t.Fatalf("%s came again after others", id)
				}
			}
			if w.R10ReuseAtRow == 1 && s.server.Warts().R10ReuseTimes == w.R10ReuseTimes {
				t.Error("no group was reused during a fetch")
			}
			if len(all) < 50 {
				t.Errorf("only %d messages came: the scenario shows little", len(all))
			}
		})
	}
}

func TestR1CommitsThatAreWrittenLaterThanTheyReturn(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R1WriteLag: 20 * time.Millisecond})
}

func TestR2LogThatNoViewListsYet(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R2SwitchGap: 200 * time.Millisecond})
}

func TestR3R19WritesThatHoldSeveralStrands(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{K1Displaced: 3})
}

func TestR3R120StrandsThatAreFlushedLate(t *testing.T) {
	sideBySide(t)
	for _, size := range []int64{200, 1 << 20} {
		t.Run(fmt.Sprintf("of %d bytes", size), func(t *testing.T) { misled(t, redo.Warts{K2PrivateStrand: size}) })
	}
}

func TestR5RowsOfOneRecordWithSeveralSCNs(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R5SplitSCN: true})
}

// R8: a row that LogMiner shows one query late. A change finds its transaction open and is delivered with it; a COMMIT, or a change
// whose transaction came out without it, is a typed stop.
func TestR8RowsThatAreShownOneQueryLate(t *testing.T) {
	sideBySide(t)
	for name, c := range map[string]struct {
		late  redo.Warts
		ended bool
		stops bool
	}{
		"a change of an open transaction":       {redo.Warts{R8LateChanges: 1, R8Margin: margin}, false, false},
		"a change of a transaction that is out": {redo.Warts{R8LateChanges: 1, R8Margin: margin}, true, true},
		"a commit":                              {redo.Warts{R8LateCommits: 1, R8Margin: margin}, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(redo.Warts{}))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(fields{"emit.heartbeats": "always", "emit.heartbeat_interval": "5ms"})
			x := s.connect(app).begin()
			x.exec("INSERT INTO $t VALUES (0)")
			p.settle()
			s.warts(c.late)
			// The row and one behind it come into the log together, when a bound has passed both: one query has them in its range,
			// returns the second and not the first, and the cursor is behind both.
			resume := s.server.PauseLogWriter()
			x.exec("INSERT INTO $t VALUES (1)")
			if c.ended {
				x.commit()
			}
			s.exec("INSERT INTO $" + fenceTable + " VALUES (-1)")
			both := s.scn()
			p.until("the bound does not pass the rows", func() bool { return uint64(s.stored().Done.SCN) > both })
			resume()
			if c.stops {
				refusal(t, p.stopped(), 7003, "")
				return
			}
			p.settle()
			x.exec("INSERT INTO $t VALUES (2)")
			x.commit()
			same(t, withoutHeartbeats(p.settle()), inserts(0, 3)...)
		})
	}
}

func TestR9ChunksThatAreCutOrParted(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{"cut": {R9Cut: 2}, "parted": {R9Interleave: 2}} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(redo.Warts{}))
			s.table("t", "id NUMBER(9) PRIMARY KEY, a VARCHAR2(4000), b VARCHAR2(4000)")
			p := s.start(nil)
			s.warts(w)
			s.exec("INSERT INTO $t VALUES (1, RPAD('x', 4000, 'y'), RPAD('z', 4000, 'y'))")
			got := p.settle()
			if len(got) != 1 || len(got[0].value) < 8000 {
				t.Fatalf("%d messages", len(got))
			}
			if left := s.server.Warts(); left.R9Cut+left.R9Interleave != 0 {
				t.Errorf("%+v is left: LogMiner was not asked often enough", left)
			}
		})
	}
}

func TestR10GroupThatIsReusedDuringTheFetch(t *testing.T) {
	sideBySide(t)
	for _, silent := range []bool{false, true} {
		for _, at := range []int{1, 3} {
			t.Run(fmt.Sprintf("row %d, silently %t", at, silent), func(t *testing.T) {
				misled(t, redo.Warts{R10ReuseAtRow: at, R10ReuseTimes: 4, R10ReuseSilent: silent})
			})
		}
	}
}

func TestR13EndsWithoutAnAddress(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{
		"ROLLBACK": {R13ZeroAddressRollback: true}, "COMMIT": {R13ZeroAddressCommit: true}, "START without XID": {R13ZeroXIDStart: true},
		"ROLLBACK with a partial XID": {R13ZeroAddressRollback: true, R117PartialXID: true},
	} {
		t.Run(name, func(t *testing.T) { misled(t, w) })
	}
}

func TestR13ChangeWithoutAddressOrTransactionStops(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{"address": {R13ZeroAddressChange: true}, "transaction": {R13ZeroXIDChange: true}} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(redo.Warts{}))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (1)")
			same(t, p.settle(), inserts(1, 2)...)
			s.warts(w)
			s.exec("INSERT INTO $t VALUES (2)")
			refusal(t, p.stopped(), 3002, "")
		})
	}
}

// R14: records of one transaction that lie in the redo in another order than they were made, delivered by address: a stop at its
// commit, and what came before is out. Delivered by SCN there is nothing to see.
func TestR14DisplacedRecordsOfOneTransactionAreNeverSwapped(t *testing.T) {
	sideBySide(t)
	for _, bySCN := range []bool{false, true} {
		t.Run(fmt.Sprintf("by SCN %t", bySCN), func(t *testing.T) {
			w := redo.Warts{K1SCNOrder: bySCN}
			s := begin(t, misleads(w))
			s.table("t", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (1, 0)")
			p.settle()
			w.K1Displaced, w.R14Displaced = 2, true
			s.warts(w)
			s.commit("UPDATE $t SET v = 1", "UPDATE $t SET v = 2", "UPDATE $t SET v = 3", "UPDATE $t SET v = 4")
			if !bySCN {
				refusal(t, p.stopped(), 3002, "")
				got, _ := p.delivered()
				same(t, without(got, s.db.Table(fenceTable)), `{"ID":1} c {"ID":1,"V":0}`)
				return
			}
			s.warts(redo.Warts{K1SCNOrder: true})
			var want []string
			for v := range 4 {
				want = append(want, fmt.Sprintf(`{"ID":1} u {"ID":1,"V":%d} -> {"ID":1,"V":%d}`, v, v+1))
			}
			same(t, p.settle()[1:], want...)
		})
	}
}

func TestR29EndsWithThreadZero(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{"empty transactions": {R29ThreadZeroEmpty: true}, "all": {R29ThreadZero: true}} {
		t.Run(name, func(t *testing.T) { misled(t, w) })
	}
}

func TestR53TransactionsWithoutStart(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R53NoStart: true})
}

func TestR112RowsOfAStatementUndoneOldestFirst(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R112UndoForward: true})
}

// R113: the undo row of a change that LogMiner never showed. A commit of its transaction stops, a rollback does not.
func TestR113UndoOfAChangeThatWasNeverShown(t *testing.T) {
	sideBySide(t)
	for _, commits := range []bool{true, false} {
		t.Run(fmt.Sprintf("commit %t", commits), func(t *testing.T) {
			s := begin(t, misleads(redo.Warts{}))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(nil)
			s.warts(redo.Warts{R113Hidden: 1})
			x := s.begin()
			x.exec("SAVEPOINT s")
			x.exec("INSERT INTO $t VALUES (1)")
			x.exec("ROLLBACK TO SAVEPOINT s")
			x.exec("INSERT INTO $t VALUES (2)")
			if !commits {
				x.rollback()
				s.exec("INSERT INTO $t VALUES (3)")
				same(t, p.settle(), inserts(3, 4)...)
				return
			}
			x.commit()
			refusal(t, p.stopped(), 3005, "")
		})
	}
}

// R22, R115: rows that LogMiner cannot show, and rows of a table that is not captured, in between captured ones. Undone they stop
// nothing and take nothing captured with them; committed the row that cannot be shown is a typed stop.
func TestR115UndoOfRowsThatCannotBeShownBetweenCapturedOnes(t *testing.T) {
	s := begin(t, misleads(redo.Warts{}))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.table("u", "id NUMBER(9) PRIMARY KEY, v NUMBER(9)")
	s.table("x", "id NUMBER(9) PRIMARY KEY")
	s.tables = slices.DeleteFunc(s.tables, func(name string) bool { return name == "x" })
	p := s.start(nil)
	s.warts(redo.Warts{R22Unsupported: s.db.Owner() + "." + s.db.Table("u")})
	s.commit(
		"INSERT INTO $t VALUES (1)", "INSERT INTO $x VALUES (1)",
		"SAVEPOINT one",
		"INSERT INTO $u VALUES (1, 1)", "INSERT INTO $x VALUES (2)", "INSERT INTO $t VALUES (2)", "UPDATE $u SET v = 2", "UPDATE $x SET id = id + 10",
		"ROLLBACK TO SAVEPOINT one",
		"INSERT INTO $t VALUES (3)", "INSERT INTO $x VALUES (4)",
	)
	want := append(inserts(1, 2), inserts(3, 4)...)
	same(t, p.settle(), want...)
	x := s.begin()
	x.exec("INSERT INTO $u VALUES (5, 5)")
	x.exec("INSERT INTO $t VALUES (5)")
	x.rollback()
	same(t, p.settle(), want...)
	s.commit("INSERT INTO $u VALUES (6, 6)")
	refusal(t, p.stopped(), 3001, s.full("u"))
}

func TestR117EndsWithAPartialXID(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R117PartialXID: true})
}

// R120: the rows of an open transaction are in no log while heartbeats store positions. A log switch brings them there, behind all
// that was stored; then a kill, and the commit.
func TestR120UnflushedTransactionSurvivesASwitchAndARestart(t *testing.T) {
	s := begin(t, misleads(redo.Warts{K2PrivateStrand: 1 << 20}))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	beating := fields{"emit.heartbeats": "always", "emit.heartbeat_interval": "5ms", "position.interval": "1ms"}
	p := s.start(beating)
	// Rows of the fence are flushed by their commit; these stay.
	open := s.connect(app).begin()
	for i := range 3 {
		open.exec("INSERT INTO $t VALUES (:1)", i)
	}
	moved := func(by uint64) {
		t.Helper()
		from := s.stored().Sequence
		p.until("heartbeats store no positions", func() bool { return s.stored().Sequence > from+by })
	}
	p.settle()
	moved(20)
	unflushed := s.stored()
	if unflushed.Resume.SCN != unflushed.Done.SCN {
		t.Fatalf("resume %s, done %s: rows that are in no log hold the position", unflushed.Resume.SCN, unflushed.Done.SCN)
	}
	s.switchLog()
	p.settle()
	moved(20)
	p.kill()
	if held := s.stored(); held.Resume.SCN == held.Done.SCN {
		t.Fatalf("resume is done at %s, although rows of an open transaction were read", held.Done.SCN)
	}
	p = s.start(beating)
	moved(20)
	s.switchLog()
	moved(20)
	open.exec("INSERT INTO $t VALUES (3)")
	open.commit()
	same(t, withoutHeartbeats(p.settle()), inserts(0, 4)...)
}

func withoutHeartbeats(messages []message) []message {
	return slices.DeleteFunc(slices.Clone(messages), func(m message) bool { return m.event.Kind == change.Heartbeat })
}

// R124: a reconnect lands on a database that is behind the stored position: not mined until it has caught up.
func TestR124DatabaseThatFallsBehindIsWaitedFor(t *testing.T) {
	s := begin(t, misleads(redo.Warts{}))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	s.exec("INSERT INTO $t VALUES (1)")
	p.settle()
	s.warts(redo.Warts{R124Behind: 100_000})
	if _, err := s.db.KillCapture(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.exec("INSERT INTO $t VALUES (2)")
	p.until("the database's return is not missed", func() bool { return strings.Contains(p.log.text(), "CDC-5001") })
	s.warts(redo.Warts{})
	same(t, p.settle(), inserts(1, 3)...)
}

// R7: rows that are built from two redo records, with bounds and log switches between them.
func TestR7RowsOfTwoRedoRecords(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{
		"in one log": {R7Pieces: 2}, "in two logs": {R7Pieces: 2, R7PieceSwitch: true}, "shown at the second": {R7Pieces: 2, R7LastPiece: true},
	} {
		t.Run(name, func(t *testing.T) { misled(t, w, logs(3, 64<<10)) })
	}
}

// R138: rows of indexes and row locks mean nothing, on a captured table too.
func TestR138RowsWithoutAMeaning(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{"INTERNAL": {R138Internal: true}, "SELECT_FOR_UPDATE": {R138Operation: redo.SelectForUpdate}} {
		t.Run(name, func(t *testing.T) { misled(t, w) })
	}
}

// R10: a step that LogMiner reports a gap in is discarded and mined again. Nothing is lost or comes twice as long as the gap goes away.
func TestR10GapsThatGoAway(t *testing.T) {
	sideBySide(t)
	for _, gaps := range []int{1, 2} {
		t.Run(strconv.Itoa(gaps), func(t *testing.T) {
			s := begin(t, misleads(redo.Warts{}))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(quick(nil))
			s.exec("INSERT INTO $t VALUES (1)")
			same(t, p.settle(), inserts(1, 2)...)
			s.warts(redo.Warts{R10MissingSCN: gaps})
			s.exec("INSERT INTO $t VALUES (2)")
			same(t, p.settle(), inserts(1, 3)...)
			if left := s.server.Warts().R10MissingSCN; left != 0 {
				t.Errorf("%d gaps are left: not every step was mined again", left)
			}
		})
	}
}

// R10: a gap that stays is a typed stop after three retries, and nothing behind it comes out.
func TestR10GapThatStays(t *testing.T) {
	s := begin(t, misleads(redo.Warts{}))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	p := s.start(quick(nil))
	s.exec("INSERT INTO $t VALUES (1)")
	same(t, p.settle(), inserts(1, 2)...)
	const many = 1 << 20
	s.warts(redo.Warts{R10MissingSCN: many})
	s.exec("INSERT INTO $t VALUES (2)")
	refusal(t, p.stopped(), 1002, "MISSING_SCN")
	if shown := many - s.server.Warts().R10MissingSCN; shown != 3 {
		t.Errorf("%d steps met the gap, want three", shown)
	}
	got, _ := p.delivered()
	same(t, without(got, s.db.Table(fenceTable)), inserts(1, 2)...)
}

// R13, R138: what may not be guessed is a typed stop, and nothing of its transaction comes out.
func TestR138RowsThatStop(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{
		"unknown operation": {R138Operation: 77}, "corrupt block": {R22CorruptChanges: 1}, "DDL without an address": {R13ZeroAddressDDL: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(redo.Warts{}))
			s.table("t", "id NUMBER(9) PRIMARY KEY")
			p := s.start(nil)
			s.exec("INSERT INTO $t VALUES (1)")
			same(t, p.settle(), inserts(1, 2)...)
			s.warts(w)
			if w.R13ZeroAddressDDL {
				s.exec("TRUNCATE TABLE $t")
			} else {
				s.exec("INSERT INTO $t VALUES (2)")
			}
			refusal(t, p.stopped(), 3002, "")
			got, _ := p.delivered()
			same(t, without(got, s.db.Table(fenceTable)), inserts(1, 2)...)
		})
	}
}

// R117: ROWIDs count only together with the table. Rows of two clustered tables have one, and the undo of each finds its own.
func TestR117TablesOfAClusterShareROWIDs(t *testing.T) {
	s := begin(t, misleads(redo.Warts{R117ClusterRowID: true}))
	s.table("t", "id NUMBER(9) PRIMARY KEY")
	s.table("u", "id NUMBER(9) PRIMARY KEY")
	p := s.start(nil)
	s.commit(
		"INSERT INTO $t VALUES (1)", "INSERT INTO $u VALUES (1)",
		"SAVEPOINT one", "INSERT INTO $u VALUES (2)", "INSERT INTO $t VALUES (2)", "ROLLBACK TO SAVEPOINT one",
		"INSERT INTO $t VALUES (3)", "UPDATE $u SET id = 4", "SAVEPOINT two", "DELETE FROM $t", "DELETE FROM $u", "ROLLBACK TO SAVEPOINT two",
	)
	same(t, p.settle(),
		`{"ID":1} c {"ID":1}`, `{"ID":1} c {"ID":1}`, `{"ID":3} c {"ID":3}`, `{"ID":1} d {"ID":1}`, `{"ID":1} tombstone`, `{"ID":4} c {"ID":4}`)
	misled(t, redo.Warts{R117ClusterRowID: true})
}

// K5: USERNAME may be NULL as well as UNKNOWN.
func TestR53UserIsNull(t *testing.T) {
	sideBySide(t)
	misled(t, redo.Warts{R53NoStart: true, K5UserNull: true})
}
