package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/change"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// The scenario of R3: A has the lower address and the higher SCN, so that either half of the cursor alone hides a row.
func TestR3RowsOutOfOrderAreDeliveredOnce(t *testing.T) {
	s := newScene(t)
	s.stepUpTo(1003,
		insert(s.a, xid(1), 1005, 1, "A"), // address 1
		insert(s.a, xid(2), 1001, 2, "B"), // address 2
		commit(xid(2), 1002))
	s.step(commit(xid(1), 1010))
	s.step(insert(s.a, xid(3), 1002, 3, "late"), commit(xid(3), 1011))
	s.play(s.beginning())
	s.want("2.1.7#0 c A/2 >B", "1.1.7#0 c A/1 >A", "3.1.7#0 c A/3 >late")
}

func TestR19ItemsOfAStepComeInOrderOfTheirKeysWhateverTheDelivery(t *testing.T) {
	s := newScene(t)
	s.step(
		insert(s.a, xid(2), 1001, 7, "first"), insert(s.a, xid(1), 1002, 8, "x"),
		commit(xid(1), 1015), commit(xid(2), 1011),
	)
	s.play(s.beginning())
	s.want("2.1.7#0 c A/7 >first", "1.1.7#0 c A/8 >x")
}

func TestR19RowsBehindTheirCommitInOneStepBelongToIt(t *testing.T) {
	s := newScene(t)
	s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1005), insert(s.a, xid(1), 1002, 2, "b"))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 c A/2 >b")
}

func TestR20LateCommitIsDeliveredAndCounted(t *testing.T) {
	s := newScene(t)
	s.step(insert(s.a, xid(1), 1002, 1, "in time"), commit(xid(1), 1010))
	s.step(insert(s.a, xid(2), 1003, 2, "late"), commit(xid(2), 1009))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >in time", "2.1.7#0 c A/2 >late")
	if s.seen.late != 1 {
		t.Fatalf("%d late commits counted, want 1", s.seen.late)
	}
}

func TestR25EqualCommitSCNsAreTwoItemsInOrderOfTheirAddress(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 1
	s.step(
		insert(s.a, xid(2), 1001, 2, "b"), insert(s.a, xid(1), 1001, 1, "a"),
		commit(xid(2), 1005), commit(xid(1), 1005),
	)
	s.play(s.beginning())
	both := []string{"2.1.7#0 c A/2 >b", "1.1.7#0 c A/1 >a"}
	s.want(both...)
	s.play(s.after(both[0]))
	s.want(both[1])
}

func TestR13RollbackWithoutAddressThatComesAgainEndsNothingElse(t *testing.T) {
	s := newScene(t)
	partial := rollback(xid(1), 1004)
	partial.XID.Sequence = position.PartialSequence
	next := xid(1)
	next.Sequence++ // the slot's next transaction
	s.steps = append(s.steps, func() {
		change := s.db.flush(insert(s.a, xid(1), 1002, 1, "rolled back"), false)
		s.db.flush(undone(change, 1003), false)
		s.db.flush(partial, false)
		s.db.file[len(s.db.file)-1].Address = position.RBA{}
		s.db.now = 1004
	})
	s.step(insert(s.a, next, 1010, 2, "stays"))
	s.step(commit(next, 1020))
	s.play(s.beginning())
	s.want("1.1.8#0 c A/2 >stays")
}

func TestR13CommitWithoutAddressIsPublishedOnceAlsoAfterARestart(t *testing.T) {
	s := newScene(t)
	s.steps = append(s.steps, func() {
		s.db.flush(insert(s.a, xid(1), 1002, 1, "a"), false)
		s.db.flush(commit(xid(1), 1003), false)
		s.db.file[len(s.db.file)-1].Address = position.RBA{}
		s.db.now = 1004
	})
	s.step(insert(s.a, xid(2), 1010, 2, "b"), commit(xid(2), 1011))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "2.1.7#0 c A/2 >b")
	s.play(s.after("1.1.7#0 c A/1 >a"))
	s.want("2.1.7#0 c A/2 >b")
}

func TestR14LateRowInsideATransactionStopsAtItsCommit(t *testing.T) {
	s := newScene(t)
	s.step(insert(s.a, xid(1), 1005, 1, "later"))
	s.step(insert(s.a, xid(1), 1003, 2, "earlier"), insert(s.a, xid(2), 1006, 3, "before"), commit(xid(2), 1007), commit(xid(1), 1010))
	s.play(s.beginning())
	s.wantEvents("2.1.7#0 c A/3 >before")
	if !stop.Is(s.err, stop.Corrupt) {
		t.Fatalf("%v, want CDC-3002", s.err)
	}
}

func unsupported(v *schema.Version, x position.XID, scn position.SCN) logminer.Row {
	return of(v, row(x, scn, logminer.Unsupported), "AAAU", "")
}

func TestR22UnsupportedRowThatIsRolledBackStopsNothing(t *testing.T) {
	s := newScene(t)
	bad := unsupported(s.a, xid(1), 1002)
	s.step(bad, undone(bad, 1003), rollback(xid(1), 1004))
	kept := unsupported(s.a, xid(2), 1005)
	s.step(kept, undone(kept, 1006), insert(s.a, xid(2), 1007, 1, "a"), commit(xid(2), 1008))
	s.play(s.beginning())
	s.want("2.1.7#0 c A/1 >a")
}

// R115: rows that are filtered out take their undo rows with them, and an undo row without content finds its change by table and
// ROWID: between captured changes neither takes one back that stands.
func TestR115UndoPassesTheFilterOfItsChange(t *testing.T) {
	foreign := table("FOREIGN", 999) // matches no pattern
	for name, between := range map[string]func(s *scene) []logminer.Row{
		"undo of an UNSUPPORTED row": func(s *scene) []logminer.Row {
			bad := unsupported(s.a, xid(1), 1002)
			return []logminer.Row{bad, undone(bad, 1003)}
		},
		"undo of several, in reverse order": func(s *scene) []logminer.Row {
			one, two := unsupported(s.a, xid(1), 1002), unsupported(s.b, xid(1), 1002)
			return []logminer.Row{one, two, undone(two, 1003), undone(one, 1003)}
		},
		"undo without content of a change with content": func(s *scene) []logminer.Row {
			taken := insert(s.a, xid(1), 1002, 5, "taken back")
			back := undone(taken, 1003)
			back.Operation = logminer.Unsupported
			return []logminer.Row{taken, back}
		},
		"undo in an excluded table, on a ROWID of a captured change": func(*scene) []logminer.Row {
			other := insert(foreign, xid(1), 1002, 1, "foreign")
			return []logminer.Row{other, undone(other, 1003)}
		},
		"undo of captured and excluded changes in turn": func(s *scene) []logminer.Row {
			mine, other := insert(s.b, xid(1), 1002, 1, "taken back"), insert(foreign, xid(1), 1002, 1, "foreign")
			last := update(foreign, xid(1), 1002, image{1, "foreign"}, image{1, "x"})
			return []logminer.Row{other, mine, last, undone(last, 1003), undone(mine, 1003), undone(other, 1003)}
		},
		"undo in an excluded table that has no change here": func(*scene) []logminer.Row {
			return []logminer.Row{undone(insert(foreign, xid(1), 1002, 1, "foreign"), 1003)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.step(append([]logminer.Row{insert(s.a, xid(1), 1001, 1, "stands")}, between(s)...)...)
			s.step(insert(s.a, xid(1), 1010, 2, "stands too"), commit(xid(1), 1011))
			s.play(s.beginning())
			s.want("1.1.7#0 c A/1 >stands", "1.1.7#1 c A/2 >stands too")
		})
	}
}

// Whatever precedes the fault in key order is emitted first, from the batch that is still open too.
func TestR22FaultStopsAtItsCommitBehindEverythingBeforeIt(t *testing.T) {
	s := newScene(t)
	s.step(insert(s.a, xid(1), 1001, 1, "a"), commit(xid(1), 1002))
	s.step(
		unsupported(s.a, xid(3), 1003), insert(s.a, xid(2), 1004, 2, "b"), insert(s.a, xid(4), 1005, 4, "behind"),
		commit(xid(4), 1012), commit(xid(3), 1011), commit(xid(2), 1010),
	)
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >a", "2.1.7#0 c A/2 >b")
	if typed, ok := stop.As(s.err); !ok || typed.Code != stop.Undecodable {
		t.Fatalf("%v, want CDC-3001", s.err)
	}
	for _, part := range []string{"3.1.7", "PDB1.APP.A", "0x000001.00000003.0010"} {
		if !strings.Contains(s.err.Error(), part) {
			t.Errorf("%q does not name %s", s.err, part)
		}
	}
	// The position stands behind what was delivered: a restart begins with the faulty transaction.
	s.play(s.through(s.last()))
	s.wantEvents()
	if !stop.Is(s.err, stop.Undecodable) {
		t.Fatalf("after a restart: %v, want CDC-3001", s.err)
	}
}

// A value that has no form in records is found when it is rendered; what was rendered before reaches the output.
func TestR22ValueThatCannotBeRenderedStopsBehindEverythingBeforeIt(t *testing.T) {
	s := newScene(t)
	bad := *s.a
	bad.Columns = slices.Clone(s.a.Columns)
	bad.Columns[1].Type = schema.Type{Kind: schema.Number, Name: "NUMBER", Precision: 3}
	s.a = bad.Seal()
	s.db.described = []*schema.Version{s.a}
	s.step(
		of(s.a, row(xid(1), 1001, logminer.Insert), "AAA1", `insert into "APP"."A"("ID","V") values ('1','1');`), commit(xid(1), 1002),
		of(s.a, row(xid(2), 1003, logminer.Insert), "AAA2", `insert into "APP"."A"("ID","V") values ('2','2');`),
		of(s.a, row(xid(2), 1004, logminer.Insert), "AAA3", `insert into "APP"."A"("ID","V") values ('3','123456');`), commit(xid(2), 1005),
	)
	s.play(s.beginning())
	s.wantEvents("1.1.7#0 c A/1 >1")
	if !stop.Is(s.err, stop.Undecodable) {
		t.Fatalf("%v, want CDC-3001", s.err)
	}
}

func TestR64RecordsOfAKeyChangeStayInOneBatch(t *testing.T) {
	s := newScene(t)
	s.config.BatchCount = 2
	s.step(
		insert(s.a, xid(1), 1001, 1, "a"), update(s.a, xid(1), 1002, image{1, "a"}, image{2, "b"}),
		remove(s.a, xid(1), 1003, image{2, "b"}), commit(xid(1), 1004),
	)
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a", "1.1.7#1 d A/1 a>", "1.1.7#1 tombstone A/1 >", "1.1.7#1 c A/2 >b", "1.1.7#2 d A/2 b>", "1.1.7#2 tombstone A/2 >")
	sizes := []int{}
	for _, b := range s.batches {
		if len(b.Events) > 0 {
			sizes = append(sizes, len(b.Events))
		}
	}
	if !slices.Equal(sizes, []int{4, 2}) {
		t.Fatalf("batches of %v events, want 4 and 2", sizes)
	}
	first := s.batches[0]
	if g := first.Position.Group; g == nil || g.Index != 1 || g.Complete {
		t.Fatalf("the position of the first batch is %+v, want the state after change 1", first.Position)
	}
	grave := first.Events[2]
	if grave.Kind != change.Tombstone || grave.Value != nil || string(grave.Key) != string(first.Events[1].Key) {
		t.Fatalf("the tombstone has key %q and value %q", grave.Key, grave.Value)
	}
}

// R11, R18: whatever row a step fails before, what is delivered in the end is the same.
func TestR11StepThatFailsAtAnyRowLeavesNothing(t *testing.T) {
	build := func() *scene {
		s := newScene(t)
		array := insert(s.a, xid(1), 1001, 1, "a")
		taken := insert(s.a, xid(1), 1002, 2, "b")
		s.step(array, taken, undone(taken, 1003), insert(s.b, xid(2), 1003, 1, "x"))
		s.step(insert(s.a, xid(1), 1004, 2, "c"), commit(xid(1), 1005), undone(insert(s.b, xid(2), 0, 1, "x"), 1006), insert(s.b, xid(2), 1007, 2, "y"))
		s.step(commit(xid(2), 1008), insert(s.a, xid(3), 1009, 3, "d"), rollback(xid(4), 1009), commit(xid(3), 1010))
		return s
	}
	want := []string{"1.1.7#0 c A/1 >a", "1.1.7#1 c A/2 >c", "2.1.7#0 c B/2 >y", "3.1.7#0 c A/3 >d"}
	for failing := range 3 {
		for at := range 5 {
			for times := 1; times <= 2; times++ {
				t.Run(fmt.Sprintf("step %d before row %d, %d times", failing, at, times), func(t *testing.T) {
					s := build()
					s.t = t
					left := times
					s.db.fail = func(rows int) int {
						if s.db.steps == failing && left > 0 && at <= rows {
							left--
							return at
						}
						return -1
					}
					s.play(s.beginning())
					s.want(want...)
					if s.seen.retried != times {
						t.Fatalf("%d steps were retried, want %d", s.seen.retried, times)
					}
				})
			}
		}
	}
}

func TestR103RowsOfAPartitionThatNobodyKnewAreDelivered(t *testing.T) {
	s := newScene(t)
	s.db.partition[s.a.Table] = true
	fresh := insert(s.a, xid(1), 1001, 1, "a")
	fresh.ObjectID = 555
	foreign := fresh
	foreign.Table = "OTHER"
	s.step(fresh, foreign, commit(xid(1), 1002))
	s.play(s.beginning())
	s.want("1.1.7#0 c A/1 >a")
}

func TestR138UnknownOperationOfACapturedTableStops(t *testing.T) {
	s := newScene(t)
	s.step(of(s.a, row(xid(1), 1001, 77), "AAA", ""))
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Corrupt) {
		t.Fatalf("%v, want CDC-3002", s.err)
	}
}

func TestImageThatLacksAColumnStopsUnlessThatIsAllowed(t *testing.T) {
	withoutV := func(s *scene) {
		s.step(of(s.a, row(xid(1), 1001, logminer.Delete), "AAA", `delete from "APP"."A" where "ID" = '1' and ROWID = 'AAA';`), commit(xid(1), 1002))
	}
	withoutKey := func(s *scene) {
		s.step(of(s.a, row(xid(1), 1001, logminer.Delete), "AAA", `delete from "APP"."A" where "V" = 'v' and ROWID = 'AAA';`), commit(xid(1), 1002))
	}
	for _, c := range []struct {
		name    string
		arrange func(*scene)
		logging schema.Logging
		stops   bool
	}{
		{"column, full logging", withoutV, schema.LoggingAll, true},
		{"column, key logging", withoutV, schema.LoggingKey, false},
		{"key, full logging", withoutKey, schema.LoggingAll, true},
		{"key, key logging", withoutKey, schema.LoggingKey, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newScene(t)
			s.config.Logging = c.logging
			c.arrange(s)
			s.play(s.beginning())
			if stop.Is(s.err, stop.Undecodable) != c.stops || c.stops == (len(s.events()) > 0) {
				t.Fatalf("%v with %v", s.err, s.events())
			}
		})
	}
}

func TestMissingSupplementalLoggingStopsAtTheCommit(t *testing.T) {
	s := newScene(t)
	bad := insert(s.a, xid(1), 1001, 1, "a")
	bad.Status, bad.Info = 3, "USER DDL (PlSql=0 RecDep=0)"
	s.step(bad, commit(xid(1), 1002))
	s.play(s.beginning())
	if !stop.Is(s.err, stop.Configuration) {
		t.Fatalf("%v, want CDC-5003", s.err)
	}
}

func TestRowValuesAppearInErrorsOnlyWhenAllowed(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		s := newScene(t)
		s.config.LogRowValues = allowed
		s.step(of(s.a, row(xid(1), 1001, logminer.Insert), "AAA", `insert into "APP"."A"("ID","V") values ('secret','v');`), commit(xid(1), 1002))
		s.play(s.beginning())
		if !stop.Is(s.err, stop.Undecodable) || strings.Contains(s.err.Error(), "secret") != allowed {
			t.Fatalf("log_row_values %v: %v", allowed, s.err)
		}
	}
}
