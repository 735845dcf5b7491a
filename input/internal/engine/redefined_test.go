package engine

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/logminer"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// R101, R106: DBMS_REDEFINITION.FINISH_REDEF_TABLE gives the segment of the interim table the name of the one that was captured, and no DDL in
// the redo says so. The rows up to then are delivered; those behind it lie in a segment that nobody mined, and capture stops for the table by
// name, whatever becomes of the interim table, which has the segment that was captured: DDL on that by its own name takes nothing away.
func TestR106RedefinedTableStopsByName(t *testing.T) {
	for name, finish := range map[string]string{"left": "", "dropped": "drop table A_INT purge", "to the bin": "drop table A_INT", "renamed": "rename A_INT to A_OLD"} {
		for _, wide := range []bool{false, true} {
			t.Run(fmt.Sprintf("interim table %s, other columns: %t", name, wide), func(t *testing.T) {
				a, b := table("A", 101), table("B", 102)
				now, interim := table("A", 401), called(a, "A_INT")
				after := insert(now, xid(5), 1201, 2, "behind")
				if wide {
					now = with(now, "V", "W")
					after = inserted(now, xid(5), 1201, `"ID","V","W"`, `'2','v','w'`)
				}
				parts := []scripted{
					{rows: []logminer.Row{insert(a, xid(1), 1001, 1, "before"), commit(xid(1), 1002)}},
					{shows: []*schema.Version{now, b}},
					{rows: []logminer.Row{after, commit(xid(5), 1202)}},
				}
				if finish != "" {
					parts = append(parts, scripted{rows: []logminer.Row{ddl(interim, xid(6), 1300, finish), commit(xid(6), 1301)}})
				}
				var failed []string
				n := 0
				everyOrder(len(parts), 5, func(at []int) {
					n++
					s := following(t)
					s.foreign("A_INT", "A_OLD", "FOREIGN")
					s.play(s.beginning())
					held := s.through(s.last())
					s.config.PollInterval, s.config.IdleInterval = time.Second, time.Second
					s.ticking(at, parts)
					synctest.Test(t, func(*testing.T) { s.runFor(held, 3*compareInterval) })
					got := strings.Join(s.rows(), "\n")
					if !stop.Is(s.err, stop.SchemaDiffers) || !strings.Contains(s.err.Error(), ": PDB1.APP.A.") || strings.Contains(got, "ID=2") {
						failed = append(failed, fmt.Sprintf("%v: %v\n%s", at, s.err, got))
					}
				})
				if len(failed) > 0 {
					t.Errorf("%d of %d ways fail, the first\n%s", len(failed), n, strings.Join(failed[:min(3, len(failed))], "\n"))
				}
			})
		}
	}
}

// R133, R101: FLASHBACK TABLE TO BEFORE DROP brings a table back with the segment that it had, under its name or another one. No row of it is
// lost, whenever the dictionary is read.
func TestR133TableThatIsBroughtBackGoesOn(t *testing.T) {
	a, b := table("A", 101), table("B", 102)
	for name, tt := range map[string]struct {
		text  string
		as    *schema.Version
		alike int
	}{
		"under its name":           {"flashback table A to before drop", a, 3},
		"by its name in the bin":   {`flashback table "BIN$vVWfliIh6WfgU0EEEKzOvg==$0" to before drop`, a, 3},
		"under another name":       {"flashback table A to before drop rename to C", called(a, "C"), 3},
		"under one not captured":   {"flashback table A to before drop rename to FOREIGN", called(a, "FOREIGN"), 1},
		"as the redo writes drops": {`ALTER TABLE "APP"."BIN$vVWfliIh6WfgU0EEEKzOvg==$0" RENAME TO "C"`, called(a, "C"), 3},
	} {
		t.Run(name, func(t *testing.T) {
			shows := []*schema.Version{tt.as, b}
			if tt.alike == 1 {
				shows = shows[1:]
			}
			bin := called(a, "BIN$vVWfliIh6WfgU0EEEKzOvg==$0")
			parts := []scripted{
				{rows: []logminer.Row{insert(a, xid(1), 1101, 1, "before"), commit(xid(1), 1102)}},
				{rows: []logminer.Row{ddl(a, xid(2), 1200, `drop table A AS "BIN$vVWfliIh6WfgU0EEEKzOvg==$0"`), commit(xid(2), 1210)}, shows: []*schema.Version{b}},
				{rows: []logminer.Row{ddl(bin, xid(3), 1300, tt.text), commit(xid(3), 1310)}, shows: shows},
				{rows: []logminer.Row{insert(tt.as, xid(4), 1401, 2, "behind"), commit(xid(4), 1402)}},
				{rows: []logminer.Row{insert(tt.as, xid(5), 1501, 3, "later"), insert(b, xid(5), 1502, 4, "b"), commit(xid(5), 1503)}},
			}
			var failed []string
			n := 0
			everyOrder(len(parts), 6, func(at []int) {
				n++
				s := following(t)
				s.foreign("FOREIGN")
				s.play(s.beginning())
				held := s.through(s.last())
				s.ticking(at, parts)
				s.play(held)
				got := s.rows()
				var images []string
				for _, r := range got {
					topic, image, is := strings.Cut(r, " c ")
					if !is {
						continue
					}
					topic, _, _ = strings.Cut(topic, "/")
					images = append(images, strings.TrimPrefix(topic, "shop.PDB1.APP.")+" "+image)
				}
				want := []string{"A ID=1 V=before", tt.as.Table.Name + " ID=2 V=behind", tt.as.Table.Name + " ID=3 V=later", "B ID=4 V=b"}
				if tt.alike == 1 {
					want = []string{"A ID=1 V=before", "B ID=4 V=b"}
				}
				if s.err != nil || strings.Join(images, "\n") != strings.Join(want, "\n") {
					failed = append(failed, fmt.Sprintf("%v: %v\n%s", at, s.err, strings.Join(got, "\n")))
				}
			})
			if len(failed) > 0 {
				t.Errorf("%d of %d ways fail, the first\n%s", len(failed), n, strings.Join(failed[:min(3, len(failed))], "\n"))
			}
		})
	}
}

// R133, R129: FLASHBACK TABLE to an earlier moment changes rows, and stops capture at its place, behind a restart too.
func TestR133TableThatGoesBackStops(t *testing.T) {
	for _, text := range []string{"flashback table A to scn 900", "flashback table B, A to timestamp systimestamp - interval '1' hour", "flashback table A to restore point R enable triggers"} {
		t.Run(text, func(t *testing.T) {
			s := following(t)
			s.play(s.beginning())
			s.step(insert(s.a, xid(1), 1101, 1, "before"), commit(xid(1), 1102), ddl(s.a, xid(2), 1200, text), commit(xid(2), 1210))
			s.step(remove(s.a, xid(3), 1301, image{1, "before"}), insert(s.a, xid(3), 1302, 2, "behind"), commit(xid(3), 1303))
			from := s.through(s.last())
			for range 2 {
				s.play(from)
				if s.wantEvents("1.1.7#0 c A/1 >before"); !stop.Is(s.err, stop.DDL) || !strings.Contains(s.err.Error(), "FLASHBACK TABLE") {
					t.Fatalf("%v, want CDC-6002", s.err)
				}
			}
		})
	}
}
