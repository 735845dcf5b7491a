package scenario_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// asAdmin is a session of another user than the application's, on its tables.
func (s *scenario) asAdmin() *session {
	s.t.Helper()
	other := s.connect(admin)
	other.exec("ALTER SESSION SET CONTAINER = " + s.db.PDB())
	other.exec("ALTER SESSION SET CURRENT_SCHEMA = " + s.db.Owner())
	return other
}

// R105: a transaction of an excluded user leaves nothing, over log switches, a restart in its middle and kills, whatever LogMiner says of its user
// once its START lies outside of what it reads; nor does its end take another one's rows away. What nobody can say the user of is delivered.
func TestR105ExcludedUserOverRestartsAndKills(t *testing.T) {
	sideBySide(t)
	for name, w := range map[string]redo.Warts{
		"user UNKNOWN":                {},
		"user NULL, partial ids":      {K5UserNull: true, R117PartialXID: true},
		"late strands, by SCN":        {K2PrivateStrand: 1 << 20, K1SCNOrder: true},
		"displaced records":           {K5UserNull: true, K1Displaced: 3},
		"no START of anybody's shown": {R53NoStart: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, misleads(w))
			s.table("t", "id NUMBER(9) PRIMARY KEY, name VARCHAR2(20)")
			change := fields{"exclude_users": []string{"system"}, "batching.count": 2, "position.interval": "1ms"}
			p := s.start(change)
			barred, ordinary := s.asAdmin().begin(), s.connect(app).begin()
			barred.exec("INSERT INTO $t VALUES (100, 'x')")
			barred.exec("SAVEPOINT s")
			barred.exec("UPDATE $t SET name = 'y'")
			s.commit("INSERT INTO $t VALUES (2, 'b')")
			same(t, p.settle(), `{"ID":2} c {"ID":2,"NAME":"b"}`)
			named := func() {
				if w.R53NoStart || w.K2PrivateStrand > 0 {
					return // its START comes together with rows that hold the position
				}
				p.until("the position does not name the transaction", func() bool { return len(s.stored().Excluded) == 1 })
			}
			named()
			ordinary.exec("INSERT INTO $t VALUES (1, 'a')") // from here on it holds the position
			p.stop()
			var all []string // a kill may repeat
			for round := range 3 {
				s.switchLog()
				barred.exec(fmt.Sprintf("INSERT INTO $t VALUES (%d, 'x')", 101+round))
				ordinary.exec("UPDATE $t SET name = :1 WHERE id = 1", strings.Repeat("u", round+1))
				p = s.start(change)
				s.commit(fmt.Sprintf("INSERT INTO $t VALUES (%d, 'c')", 10+round))
				all = append(all, lines(p.settle())...)
				named()
				p.kill()
			}
			barred.exec("ROLLBACK TO SAVEPOINT s")
			barred.exec("DELETE FROM $t WHERE id = 2")
			barred.commit()
			ordinary.commit()
			p = s.start(change)
			all = append(all, lines(p.settle())...)
			for row, enters := range map[string]bool{
				`{"ID":10} c {"ID":10,"NAME":"c"}`: true, `{"ID":11} c {"ID":11,"NAME":"c"}`: true, `{"ID":12} c {"ID":12,"NAME":"c"}`: true,
				`{"ID":1} c {"ID":1,"NAME":"a"}`: true, `{"ID":1} u {"ID":1,"NAME":"uu"} -> {"ID":1,"NAME":"uuu"}`: true,
				// Of a transaction whose START nobody sees the user is nobody's.
				`{"ID":100} c {"ID":100,"NAME":"x"}`: w.R53NoStart, `{"ID":2} d {"ID":2,"NAME":"b"}`: w.R53NoStart,
				`{"ID":101} c {"ID":101,"NAME":"x"}`: false, `{"ID":103} c {"ID":103,"NAME":"x"}`: false,
			} {
				if slices.Contains(all, row) != enters {
					t.Errorf("%s: delivered is not %v", row, enters)
				}
			}
			if t.Failed() {
				t.Logf("delivered:\n%s", strings.Join(all, "\n"))
			}
			p.until("behind its end the position still names it", func() bool { return len(s.stored().Excluded) == 0 })
		})
	}
}
