package engine

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// barredUser is the user whose transactions never enter.
const barredUser = "BATCH"

func start(x position.XID, scn position.SCN, user string) logminer.Row {
	r := row(x, scn, logminer.Start)
	r.User = user
	return r
}

// barring makes a scene that excludes the user.
func barring(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	s.config.ExcludeUsers = []string{barredUser}
	return s
}

// by gives rows a user, as LogMiner does where it has read the START.
func by(user string, rows ...logminer.Row) []logminer.Row {
	for i := range rows {
		rows[i].User = user
	}
	return rows
}

// A test that cannot fail proves nothing: each of these is broken, and the schedules must show it.
func TestR105BrokenRulesAreNoticed(t *testing.T) {
	for name, change := range map[string]func(*consumer){
		"ledger forgotten": func(c *consumer) {
			c.mutate = func(p *position.Position) { p.Excluded = nil }
		},
		"ledger cut, and the position not held": func(c *consumer) {
			c.mutate = func(p *position.Position) { p.Excluded = p.Excluded[:min(1, len(p.Excluded))] }
		},
		"transactions without a user excluded": func(c *consumer) { c.config.ExcludeUsers = append(c.config.ExcludeUsers, "") },
		"rows without a user left out, as NOT IN does": func(c *consumer) {
			c.w.db.covers = func(b position.Boundary, r *logminer.Row) bool {
				return b.Covers(r.SCN, r.Thread, r.Address) || r.User == "" && r.ObjectID > 0
			}
		},
		"markers of excluded users left out": func(c *consumer) {
			c.w.db.covers = func(b position.Boundary, r *logminer.Row) bool {
				return b.Covers(r.SCN, r.Thread, r.Address) || r.User == barredUser && r.Operation == logminer.Start
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(300) {
				d := drawn{
					seed: seed, before: int(seed % 12), operations: 80, kills: 8, nacks: 4, batch: 1 + int(seed%3), bytes: 1 << 20, failing: 10, bounds: seed%2 == 0,
					users: true,
				}
				if err := d.capture(t, change); err != nil {
					t.Logf("noticed by schedule %d: %v", seed, err)
					return
				}
			}
			t.Fatal("no schedule noticed it")
		})
	}
}

// The transaction of an excluded user leaves nothing, in one step, across steps, over a restart, rolled back in part; its end ends it.
func TestR105TransactionOfAnExcludedUserNeverEnters(t *testing.T) {
	s := barring(t)
	const kept = "2.1.7#0 c A/2 >kept"
	s.step(start(xid(1), 1001, barredUser), insert(s.a, xid(1), 1002, 1, "x"), start(xid(2), 1003, "APP"), insert(s.a, xid(2), 1004, 2, "kept"), commit(xid(2), 1005))
	s.step(slices.Concat(by(barredUser, insert(s.a, xid(1), 1010, 3, "x")), by("", undone(insert(s.a, xid(1), 1010, 3, "x"), 1011)),
		[]logminer.Row{insert(s.a, xid(4), 1012, 4, "of nobody known"), commit(xid(4), 1013)})...)
	s.play(s.beginning())
	s.want(kept, "4.1.7#0 c A/4 >of nobody known")
	if s.seen.excluded != 1 || s.seen.excludedRows != 3 {
		t.Errorf("%d transactions and %d rows were counted", s.seen.excluded, s.seen.excludedRows)
	}
	p := s.through(s.last())
	if len(p.Excluded) != 1 || p.Excluded[0].String() != "3:1.1.7@1001" || p.Resume.SCN < 1013 {
		t.Fatalf("the position at %s says %v", p.Resume.SCN, p.Excluded)
	}

	s.step(insert(s.a, xid(1), 1020, 5, "x"), update(s.a, xid(1), 1021, image{5, "x"}, image{5, "y"}), commit(xid(1), 1022))
	s.step(insert(s.b, xid(3), 1030, 1, "after"), commit(xid(3), 1031))
	s.play(p)
	s.want("3.1.7#0 c B/1 >after")
	if p = s.through(s.last()); len(p.Excluded) != 0 || s.miner.buffer.Open() != 0 || len(s.miner.excluded.of) != 0 {
		t.Errorf("the position says %v, %d are open", p.Excluded, s.miner.buffer.Open())
	}
}

// What nobody asked to exclude when it began is delivered, whatever its rows say of their user now.
func TestR105TransactionInNeitherSetNorLedgerIsDelivered(t *testing.T) {
	s := newScene(t)
	s.step(start(xid(1), 1001, barredUser), insert(s.b, xid(2), 1002, 1, "x"), commit(xid(2), 1003))
	s.play(s.beginning())
	p := s.through(s.last())
	if len(p.Excluded) != 0 || p.Resume.SCN < 1003 {
		t.Fatalf("the position at %s says %v", p.Resume.SCN, p.Excluded)
	}
	s.config.ExcludeUsers = []string{barredUser}
	s.step(by(barredUser, insert(s.a, xid(1), 1010, 1, "begun before"), commit(xid(1), 1011))...)
	s.play(p)
	s.want("1.1.7#0 c A/1 >begun before")
}

// A transaction of which the beginning was dropped is not delivered in part once its user is excluded no more; one whose START is mined
// again is.
func TestR105UserThatIsExcludedNoMore(t *testing.T) {
	s := barring(t)
	s.step(start(xid(1), 1001, barredUser), insert(s.a, xid(1), 1002, 1, "x"), commit(xid(9), 1003))
	s.step(insert(s.a, xid(2), 1010, 2, "holds"), start(xid(3), 1011, barredUser), insert(s.a, xid(3), 1012, 3, "y"), commit(xid(9), 1013))
	s.play(s.beginning())
	p := s.through(s.last())
	if len(p.Excluded) != 1 || p.Resume.SCN != 1003 {
		t.Fatalf("the position at %s says %v", p.Resume.SCN, p.Excluded)
	}
	s.config.ExcludeUsers = nil
	s.step(insert(s.a, xid(1), 1020, 4, "x"), commit(xid(1), 1021), commit(xid(2), 1022), commit(xid(3), 1023))
	s.play(p)
	s.want("2.1.7#0 c A/2 >holds", "3.1.7#0 c A/3 >y")
}

// Partial XIDs stand for the transaction that is open in the slot; a ROLLBACK without an address comes again with every step.
func TestR105PartialIDsOfExcludedTransactions(t *testing.T) {
	s := barring(t)
	cut := func(r logminer.Row) logminer.Row {
		r.XID.Sequence = position.PartialSequence
		return r
	}
	older, younger := position.XID{USN: 1, Slot: 1, Sequence: 7}, position.XID{USN: 1, Slot: 1, Sequence: 8}
	s.steps = append(s.steps, func() {
		for _, r := range []logminer.Row{start(older, 1001, "APP"), insert(s.a, older, 1002, 1, "undone"), cut(undone(insert(s.a, older, 1002, 1, "undone"), 1003))} {
			s.db.flush(r, false)
		}
		s.db.flush(cut(rollback(older, 1004)), false)
		s.db.file[len(s.db.file)-1].Address = position.RBA{}
		for _, r := range []logminer.Row{
			start(younger, 1005, barredUser), insert(s.a, younger, 1006, 2, "x"), insert(s.a, younger, 1007, 3, "x"),
			cut(undone(insert(s.a, younger, 1007, 3, "x"), 1008)), commit(xid(9), 1009),
		} {
			s.db.flush(r, false)
		}
		s.db.now = 1009
	})
	s.play(s.beginning())
	s.want()
	p := s.through(s.last())
	if len(p.Excluded) != 1 || p.Excluded[0].XID != younger {
		t.Fatalf("the position says %v", p.Excluded)
	}
	s.step(insert(s.a, younger, 1010, 4, "x"), cut(undone(insert(s.a, younger, 1010, 4, "x"), 1011)), insert(s.a, younger, 1012, 5, "x"), commit(younger, 1013))
	s.step(start(position.XID{USN: 1, Slot: 1, Sequence: 9}, 1020, "APP"), insert(s.a, position.XID{USN: 1, Slot: 1, Sequence: 9}, 1021, 6, "next"),
		commit(position.XID{USN: 1, Slot: 1, Sequence: 9}, 1022))
	s.play(p)
	s.want("1.1.9#0 c A/6 >next")
}

// Containers have ids of their own, and users of the same name.
func TestR105IDsArePerContainer(t *testing.T) {
	s := barring(t)
	elsewhere := start(xid(1), 1001, barredUser)
	elsewhere.Container = pdb + 1
	s.step(elsewhere, start(xid(1), 1002, "APP"), insert(s.a, xid(1), 1003, 1, "kept"), commit(xid(1), 1004))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >kept")
	if p := s.through(s.last()); len(p.Excluded) != 1 || p.Excluded[0].Container != pdb+1 {
		t.Errorf("the position says %v", p.Excluded)
	}
}

// Those that the ledger has no room for hold the position, which goes on when there is room.
func TestR105ExcludedTransactionsBeyondTheLedgerHoldThePosition(t *testing.T) {
	s := barring(t)
	bound := func(m *miner) { m.excluded.limit = 2 }
	s.prepare = bound
	s.step(start(xid(1), 1001, barredUser), commit(xid(9), 1002))
	s.step(start(xid(2), 1010, barredUser), commit(xid(9), 1011))
	s.step(start(xid(3), 1020, barredUser), insert(s.a, xid(3), 1021, 1, "x"), commit(xid(9), 1022))
	s.step(start(xid(4), 1030, barredUser), insert(s.b, xid(5), 1031, 1, "kept"), commit(xid(5), 1032))
	s.play(s.beginning())
	s.want("5.1.7#0 c B/1 >kept")
	p := s.through(s.last())
	if len(p.Excluded) != 2 || p.Resume.SCN != 1011 || p.Done.SCN < 1032 {
		t.Fatalf("the position at %s, done %s, says %v", p.Resume.SCN, p.Done.SCN, p.Excluded)
	}
	s.step(insert(s.a, xid(3), 1040, 2, "x"), commit(xid(1), 1041))
	s.step(insert(s.a, xid(4), 1050, 3, "x"), commit(xid(4), 1051), commit(xid(3), 1052), insert(s.b, xid(2), 1053, 4, "x"), commit(xid(2), 1054))
	s.play(p)
	s.want()
	if p = s.through(s.last()); len(p.Excluded) != 0 || p.Resume.SCN < 1054 {
		t.Errorf("the position at %s says %v", p.Resume.SCN, p.Excluded)
	}
}

// A START in the slot of an excluded transaction proves that it has ended, although its end was never delivered (R62).
func TestR105SlotThatIsUsedAgainEndsAnExcludedTransaction(t *testing.T) {
	s := barring(t)
	again := position.XID{USN: 1, Slot: 1, Sequence: 8}
	s.step(start(xid(1), 1001, barredUser), commit(xid(9), 1002))
	s.step(start(again, 1010, "APP"), insert(s.a, again, 1011, 1, "kept"), commit(again, 1012))
	s.step(commit(xid(9), 1020))
	s.step(commit(xid(9), 1030))
	s.play(s.beginning())
	s.want("1.1.8#0 c A/1 >kept")
	if p := s.through(s.last()); len(p.Excluded) != 0 {
		t.Errorf("the position says %v", p.Excluded)
	}
}

// Until the group with its end is acknowledged, the position knows an excluded transaction.
func TestR105ExcludedTransactionIsKnownUntilItsGroupIsDone(t *testing.T) {
	s := barring(t)
	s.config.BatchCount = 1
	s.step(start(xid(1), 1001, barredUser), insert(s.a, xid(1), 1002, 1, "x"), commit(xid(9), 1003))
	s.step(insert(s.a, xid(2), 1010, 2, "x"), commit(xid(2), 1011), insert(s.a, xid(1), 1012, 3, "x"), commit(xid(1), 1013),
		insert(s.a, xid(3), 1014, 4, "y"), commit(xid(3), 1015))
	s.play(s.beginning())
	s.want("2.1.7#0 c A/2 >x", "3.1.7#0 c A/4 >y")
	inside := s.after("2.1.7#0 c A/2 >x")
	if len(inside.Excluded) != 1 {
		t.Fatalf("inside the group the position says %v", inside.Excluded)
	}
	s.play(inside)
	s.want("3.1.7#0 c A/4 >y")
	if p := s.through(s.last()); len(p.Excluded) != 0 {
		t.Errorf("the position says %v", p.Excluded)
	}
}

// A step that fails leaves nothing of what it found, and its START counts when it is mined again.
func TestR105StepThatFailsIsForgotten(t *testing.T) {
	s := barring(t)
	failures := 2
	s.db.fail = func(rows int) int {
		if rows < 2 || failures == 0 {
			return -1
		}
		failures--
		return rows - 1
	}
	s.step(start(xid(1), 1001, barredUser), commit(xid(9), 1003))
	s.play(s.beginning())
	s.want()
	p := s.through(s.last())
	if len(p.Excluded) != 1 || failures != 0 {
		t.Fatalf("the position says %v", p.Excluded)
	}
	failures = 2
	s.step(insert(s.a, xid(1), 1010, 1, "x"), commit(xid(1), 1011), commit(xid(9), 1012))
	s.play(p)
	s.want()
	if p := s.through(s.last()); len(p.Excluded) != 0 || failures != 0 || s.seen.excludedRows != 1 {
		t.Errorf("the position says %v, %d rows were counted", p.Excluded, s.seen.excludedRows)
	}
}

// Behind a restart, positions inside the group that finishes what was open name what began in its earlier steps.
func TestR105TransactionThatBeganWhileAGroupWasGathered(t *testing.T) {
	s := barring(t)
	s.config.BatchCount = 1
	s.step(insert(s.a, xid(2), 1001, 2, "holds"), commit(xid(9), 1002))
	s.step(start(xid(1), 1010, barredUser), insert(s.a, xid(1), 1011, 1, "x"), commit(xid(9), 1012))
	s.step(insert(s.a, xid(3), 1022, 3, "later"), commit(xid(9), 1030))
	s.play(s.beginning())
	s.want()
	p := s.through(s.last())
	if p.Resume.SCN != 1000 || p.Done.SCN < 1030 || len(p.Excluded) != 0 {
		t.Fatalf("the position is %+v", p)
	}
	s.db.bound = func(from, reading position.SCN) position.SCN {
		if from < 1025 {
			return min(reading, from+13)
		}
		return reading
	}
	s.step(commit(xid(2), 1080), insert(s.a, xid(1), 1081, 4, "x"), commit(xid(1), 1082), commit(xid(3), 1083))
	s.play(p)
	s.want("2.1.7#0 c A/2 >holds", "3.1.7#0 c A/3 >later")
	inside := s.after("2.1.7#0 c A/2 >holds")
	if inside.Resume.SCN < 1010 || len(inside.Excluded) != 1 {
		t.Fatalf("inside the group the position at %s says %v", inside.Resume.SCN, inside.Excluded)
	}
	s.play(inside)
	s.want("3.1.7#0 c A/3 >later")
}

// A START behind rows of its transaction, and one that comes a step late, still say whose it is; one that comes when the transaction is
// out is no lesser fault than any other late row (R8).
func TestR105StartThatComesLate(t *testing.T) {
	s := barring(t)
	late := start(xid(1), 1001, barredUser)
	late.Late = true
	s.step(insert(s.a, xid(1), 1002, 1, "x"), commit(xid(9), 1003))
	s.step(late, insert(s.a, xid(1), 1010, 2, "x"), commit(xid(1), 1011), insert(s.a, xid(2), 1012, 3, "kept"), commit(xid(2), 1013))
	s.play(s.beginning())
	s.want("2.1.7#0 c A/3 >kept")

	s = barring(t)
	s.step(insert(s.a, xid(1), 1002, 1, "x"), commit(xid(1), 1003))
	s.step(late)
	s.play(s.beginning())
	if !stop.Is(s.err, stop.TooLate) {
		t.Errorf("%v, want CDC-7003", s.err)
	}
}

// What an excluded user does to tables is followed and told of; TRUNCATE of his makes no record.
func TestR105DDLOfAnExcludedUserIsFollowed(t *testing.T) {
	s := barring(t)
	s.config.Truncates, s.config.SchemaChanges = true, true
	s.config.Peers = func(context.Context) (Peers, error) { return Peers{SchemaEvents: true, Ops: true}, nil }
	wide := with(s.a, "V", "W")
	s.step(
		start(xid(1), 1001, barredUser), insert(s.a, xid(1), 1002, 1, "x"), start(xid(2), 1009, barredUser), ddl(s.a, xid(2), 1010, "alter table A add (w varchar2(40))"),
		insert(s.a, xid(2), 1011, 9, "filled by the DDL"), commit(xid(2), 1012), start(xid(4), 1013, barredUser), ddl(s.b, xid(4), 1014, "truncate table B"), commit(xid(4), 1015),
		inserted(wide, xid(3), 1016, `"ID","V","W"`, `'2','v','w'`), commit(xid(3), 1017), commit(xid(1), 1018),
	)
	s.dictionary(1012, wide, s.b)
	s.play(s.beginning())
	if s.err != nil {
		t.Fatal(s.err)
	}
	var rows []string
	for _, r := range s.rows() {
		if strings.Contains(r, " from ") || strings.Contains(r, "ID=") || strings.Contains(r, " t ") {
			rows = append(rows, r)
		}
	}
	if want := []string{"A/1 from 1000", "B/1 from 1000", "A/2 from 1012", "shop.PDB1.APP.A/2 c ID=2 V=v W=w"}; !slices.Equal(rows, want) {
		t.Errorf("delivered %q, want %q", rows, want)
	}
	if told := s.told(); !slices.Equal(told, []string{"PDB1.APP.B"}) {
		t.Errorf("told of %q", told)
	}
	told := 0
	for _, b := range s.batches {
		for i := range b.Events {
			if b.Events[i].Kind == change.SchemaChange {
				told++
			}
		}
	}
	if told != 2 {
		t.Errorf("consumers are told of %d DDL", told)
	}
}

// A DDL of an excluded user that cannot be followed stops capture like anybody's.
func TestR105DDLOfAnExcludedUserThatIsNotUnderstoodStops(t *testing.T) {
	s := barring(t)
	s.step(start(xid(2), 1009, barredUser), ddl(s.a, xid(2), 1010, "alter table A frobnicate"), commit(xid(2), 1012))
	s.play(s.beginning())
	if !stop.Is(s.err, stop.DDL) {
		t.Errorf("%v, want CDC-6002", s.err)
	}
}

// Which users are excluded is part of what counts events (R67).
func TestR105ExcludedUsersAreInTheSettingsDigest(t *testing.T) {
	plain := newTables(0)
	one, two, three := newTables(0), newTables(0), newTables(0)
	one.barring, two.barring, three.barring = []string{"A"}, []string{"B", "A"}, []string{"A", "B"}
	if plain.digest() == one.digest() || one.digest() == two.digest() || two.digest() != three.digest() {
		t.Error("the digest does not tell who is excluded")
	}
}
