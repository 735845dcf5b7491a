package engine

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// R53: START lies a hundred steps before the first captured row. It holds nothing back, and a restart on either side of the row
// that does not see it again changes nothing.
func TestR53StartInsideTheStoredRegionIsNotNeeded(t *testing.T) {
	s := newScene(t)
	const steps = 100
	begin := row(xid(1), 1001, logminer.Start)
	s.step(begin)
	var others []string
	for i := range uint16(steps) {
		scn := position.SCN(1010 + 10*i)
		s.step(insert(s.a, xid(100+i), scn, int(i), "other"), commit(xid(100+i), scn+1))
		others = append(others, fmt.Sprintf("%s#0 c A/%d >other", xid(100+i), i))
	}
	s.play(s.beginning())
	s.want(others...)
	before := s.through(s.last())
	if before.Resume.SCN <= begin.SCN || !before.Resume.Equal(before.Done) {
		t.Fatalf("resume %s, done %s: a transaction without captured rows holds the position", before.Resume.SCN, before.Done.SCN)
	}

	// Restart before the first captured row.
	s.step(insert(s.a, xid(1), 5001, 1, "first"), insert(s.b, xid(2), 5002, 2, "neighbour"), commit(xid(2), 5003))
	s.play(before)
	s.want("2.1.7#0 c B/2 >neighbour")
	between := s.through(s.last())
	if between.Resume.SCN <= begin.SCN || between.Resume.SCN >= 5001 {
		t.Fatalf("resume %s: want it behind the START at %s and before the first row", between.Resume.SCN, begin.SCN)
	}

	// Restart between the rows and the COMMIT.
	s.step(update(s.a, xid(1), 6001, image{1, "first"}, image{1, "second"}), commit(xid(1), 6002))
	s.play(between)
	s.want("1.1.7#0 c A/1 >first", "1.1.7#1 u A/1 first>second")
}

// R120: the rows of an open transaction stay in their strand for an hour, while heartbeats store position after position; they
// reach the redo at a log switch and at COMMIT, with the SCNs they always had. Whenever capture is killed: whole.
func TestR120StrandThatIsFlushedLateIsWhole(t *testing.T) {
	for _, switched := range []bool{false, true} {
		for _, restart := range []string{"before the flush", "between flush and commit", "never"} {
			t.Run(fmt.Sprintf("log switch %t, restart %s", switched, restart), func(t *testing.T) {
				s := newScene(t)
				s.config.Peers = func(context.Context) (Peers, error) { return Peers{Heartbeats: true}, nil }
				s.config.HeartbeatInterval = time.Minute
				strand := []logminer.Row{insert(s.a, xid(1), 1001, 1, "a"), insert(s.a, xid(1), 1002, 2, "b")}
				flush := func() {
					for _, r := range strand {
						s.db.flush(r, false)
					}
					if switched {
						s.db.now++
						s.db.switchLog()
					}
				}
				from := s.beginning()
				hour := func() {
					t.Helper()
					s.hour(from)
					if len(s.events()) > 0 {
						t.Fatalf("delivered before the commit: %v", s.events())
					}
					last := s.through(s.last())
					if last.Done.SCN <= from.Done.SCN+50 || last.Sequence < from.Sequence+50 {
						t.Fatalf("from %+v to %+v in an hour: the heartbeats store no positions", from, last)
					}
					from = last
				}
				hour() // the rows are in no log yet
				if from.Resume.SCN <= 1002 {
					t.Fatalf("resume %s: something holds the position", from.Resume.SCN)
				}
				end := func() { s.db.flush(commit(xid(1), s.db.now+1), false); s.db.now++ }
				switch restart {
				case "between flush and commit":
					flush()
					hour()
					s.steps = append(s.steps, end)
				case "never":
					synctest.Test(t, func(*testing.T) {
						again := s.db.tick
						began := time.Now()
						s.db.tick = func() {
							again()
							if len(strand) > 0 && time.Since(began) > 3*time.Second {
								flush()
								strand = nil
							} else if strand == nil && time.Since(began) > 6*time.Second {
								s.db.tick = again
								end()
							}
						}
						s.run(from)
					})
					s.want("1.1.7#0 c A/1 >a", "1.1.7#1 c A/2 >b")
					return
				default:
					s.steps = append(s.steps, func() { flush(); end() })
				}
				s.play(from)
				s.want("1.1.7#0 c A/1 >a", "1.1.7#1 c A/2 >b")
			})
		}
	}
}

// hour captures for an hour of a database on which only time passes.
func (s *scene) hour(from *position.Position) {
	s.t.Helper()
	work := s.db.tick
	synctest.Test(s.t, func(*testing.T) {
		s.db.tick = func() { work(); s.db.now++ }
		s.runFor(from, time.Hour)
	})
	s.db.tick = work
	if s.err != nil {
		s.t.Fatal(s.err)
	}
}
