package engine

import (
	"context"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/transaction"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// opened is a database of which only the open transactions are looked at.
type opened struct {
	database
	active []oracle.OpenTransaction
	now    position.SCN
	fault  error
	looks  int
}

func (o *opened) open(context.Context) ([]oracle.OpenTransaction, error) {
	o.looks++
	return o.active, o.fault
}

func (o *opened) began(_ context.Context, t oracle.OpenTransaction) (position.SCN, error) {
	if t.StartSCN == 0 {
		return 0, stop.New(stop.RedoPurged, t.String(), "nobody knows where it began")
	}
	return t.StartSCN, nil
}

func (o *opened) scn(context.Context) (position.SCN, error) { return o.now, nil }

// R87: a table that joined is not read before every transaction of its container has ended that may have begun before; one of which nobody knows
// when it began counts as such, and a look that not every instance answered did not happen.
func TestR87TableThatJoinedWaitsForTransactionsFromBefore(t *testing.T) {
	a, other := table("A", 101), table("B", 102)
	other.Container = pdb + 1
	for name, c := range map[string]struct {
		open  []oracle.OpenTransaction
		fault error
		waits bool
	}{
		"none open":                {nil, nil, false},
		"began at the SCN":         {[]oracle.OpenTransaction{{Container: pdb, XID: xid(1), StartSCN: 1000}}, nil, true},
		"began before":             {[]oracle.OpenTransaction{{Container: pdb, XID: xid(1), StartSCN: 5}, {Container: pdb, XID: xid(2), StartSCN: 1200}}, nil, true},
		"began behind":             {[]oracle.OpenTransaction{{Container: pdb, XID: xid(1), StartSCN: 1001}}, nil, false},
		"began nobody knows when":  {[]oracle.OpenTransaction{{Container: pdb, XID: xid(1), Prepared: true}}, nil, true},
		"of another container":     {[]oracle.OpenTransaction{{Container: pdb + 1, XID: xid(1), StartSCN: 5}}, nil, false},
		"of the root":              {[]oracle.OpenTransaction{{Container: rootContainer, XID: xid(1), StartSCN: 5}}, nil, true},
		"not all instances answer": {nil, oracle.ErrIncomplete, true},
	} {
		t.Run(name, func(t *testing.T) {
			db := &opened{active: c.open, now: 1500, fault: c.fault}
			now := time.Unix(1_700_000_000, 0)
			config := testConfig(t)
			config.Now = func() time.Time { return now }
			m := newMiner(config, db)
			m.tables = newTables(0)
			m.tables.add(a, false)
			m.tables.add(other, false)
			m.entrants.enter(a.Table, 1000)
			m.roster.hold(m.entrants.since)
			if !m.roster.holds(a.Table) || m.roster.holds(other.Table) {
				t.Fatal("only the table that joined waits before the first look")
			}
			look := func() {
				t.Helper()
				if err := m.outlast(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			look()
			look()
			if db.looks != 1 {
				t.Errorf("%d looks at one moment", db.looks)
			}
			if m.roster.holds(a.Table) != c.waits {
				t.Errorf("waits: %v", !c.waits)
			}
			// Positions name it until everything is mined that was done before the look: it may be taken back there.
			m.entrants.verified(1499)
			if m.entrants.texts()["PDB1.APP.A"] != 1000 {
				t.Errorf("the position says %v, although what was open then is not mined", m.entrants.texts())
			}
			m.entrants.verified(1500)
			if left := m.entrants.texts() != nil; left != c.waits {
				t.Errorf("the position says %v", m.entrants.texts())
			}
			db.active, db.fault, now = nil, nil, now.Add(entrantsInterval)
			look()
			if m.roster.holds(a.Table) {
				t.Error("all have ended, and it waits still")
			}
		})
	}
}

// R87, R113: what a transaction takes back of a table that joined may have been done before; one whose START is mined has all its changes in the
// stream.
func TestR87OnlyTransactionsFromBeforeMissChanges(t *testing.T) {
	var e entrants
	t1, t2 := transaction.ID{Container: pdb, XID: xid(1)}, transaction.ID{Container: pdb, XID: xid(2)}
	joined, other := table("A", 101).Table, table("B", 102).Table
	e.start(t1)
	e.enter(joined, 1000)
	e.begin()
	e.start(t2)
	e.end(t2)
	e.begin() // the step failed
	if !e.misses(t1, joined) || e.misses(t1, other) || e.misses(t2, joined) {
		t.Error("a transaction whose START is not known may miss changes of the table that joined, and no other")
	}
	e.end(t2)
	e.verified(900)
	if !e.misses(t2, joined) {
		t.Error("an id that is used again is another transaction's")
	}
}
