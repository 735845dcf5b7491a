package scenario_test

import (
	"strings"
	"testing"
)

// R129: two tables swap their names. Each topic goes on with the rows of the other one; that is told of for both, and with bulk_ddl snapshot
// both are read, so that consumers get the rows that the tables have.
func TestR129TablesThatSwapTheirNamesAreToldOfAndReadAnew(t *testing.T) {
	for _, bulk := range []string{"event", "snapshot"} {
		t.Run(bulk, func(t *testing.T) {
			s := begin(t)
			s.table("t", rowColumns)
			s.table("u", rowColumns)
			s.fill("t", 0, 20)
			s.fill("u", 100, 107)
			p := s.start(initially(fields{"include": s.include("t", "u", fenceTable), "snapshot.mode": "on_signal", "bulk_ddl": bulk}))
			s.exec("ALTER TABLE $t RENAME TO $foreign_t")
			s.exec("ALTER TABLE $u RENAME TO $t")
			s.exec("ALTER TABLE $foreign_t RENAME TO $u")
			p.settle()
			if bulk == "snapshot" {
				p.until("both are read", func() bool { return p.reads("t") >= 7 && p.reads("u") >= 20 })
				p.snapshotted()
			}
			if n, m := p.reads("t"), p.reads("u"); bulk == "event" && n+m > 0 {
				t.Errorf("%d and %d rows were read", n, m)
			}
			for _, name := range []string{"t", "u"} {
				told := 0
				for line := range strings.Lines(p.log.text()) {
					if strings.Contains(line, "goes on with the rows of another one") && strings.Contains(line, "table="+s.full(name)+" ") {
						told++
					}
				}
				if told == 0 {
					t.Errorf("nothing is said of %s", name)
				}
			}
			if n := strings.Count(p.log.text(), "type=bulk-ddl"); n != 2 {
				t.Errorf("%d events", n)
			}
		})
	}
}
