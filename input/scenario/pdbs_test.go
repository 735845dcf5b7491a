package scenario_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"

	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// otherPDB is a second container, made like the first one, so that ids of objects and transactions repeat.
const otherPDB = "SALES"

func beginWithPDBs(t *testing.T) (*scenario, *session) {
	t.Helper()
	s := begin(t, needing(ownSettings), serving(func(c *oracletest.Config) { c.PDBs = []string{standInPDB, otherPDB} }))
	other := &session{s: s, db: sql.OpenDB(goora.NewConnector(s.server.DSN(oracletest.AppUser, oracletest.AppPassword, otherPDB)))}
	t.Cleanup(func() { _ = other.db.Close() })
	var err error
	if other.conn, err = other.db.Conn(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.conn.Close() })
	const columns = "id NUMBER(9) PRIMARY KEY, v NUMBER(9)"
	s.table("t", columns)
	for _, statement := range []string{
		"CREATE TABLE $fence (id NUMBER(9) PRIMARY KEY)", "ALTER TABLE $fence ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
		"CREATE TABLE $t (" + columns + ")", "ALTER TABLE $t ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
	} {
		other.exec(statement)
	}
	return s, other
}

// R117, reference logminer N 10: ids of objects and transactions repeat in every container; one session mines them all.
func TestR117TwoPDBsFromOneSession(t *testing.T) {
	s, other := beginWithPDBs(t)
	old := other.begin()
	old.exec("INSERT INTO $t VALUES (90, 0)") // R92: open at the start in one of them
	include := fields{"include": []string{`APP\..*`}}
	p := s.start(include)
	sessions := map[string]*session{standInPDB: s.session, otherPDB: other}
	want := map[string][]string{otherPDB: {`{"ID":90} c {"ID":90,"V":0}`}}
	work := func(from, to int) {
		for i := from; i < to; i++ {
			open := map[string]*transaction{}
			for pdb, c := range sessions {
				open[pdb] = c.begin()
			}
			for pdb, x := range open {
				v := i*10 + len(pdb)
				x.exec("INSERT INTO $t VALUES (:1, :2)", i, v)
				x.exec("SAVEPOINT a")
				x.exec("UPDATE $t SET v = -1 WHERE id = :1", i)
				x.exec("ROLLBACK TO SAVEPOINT a")
				want[pdb] = append(want[pdb], fmt.Sprintf(`{"ID":%d} c {"ID":%d,"V":%d}`, i, i, v))
			}
			for _, x := range open {
				x.commit()
			}
		}
	}
	check := func(got []message) {
		t.Helper()
		by := map[string][]message{}
		for _, m := range got {
			pdb := m.event.Version.Table.PDB
			if topic := "shop." + pdb + ".APP.T"; m.event.Topic != topic {
				t.Errorf("topic %s, want %s", m.event.Topic, topic)
			}
			by[pdb] = append(by[pdb], m)
		}
		for pdb := range sessions {
			t.Run(pdb, func(t *testing.T) { same(t, by[pdb], want[pdb]...) })
		}
		clear(want)
	}
	old.commit()
	work(0, 20)
	check(p.settle())
	if pdbs := s.stored().Identity.PDBs; len(pdbs) != 2 {
		t.Errorf("the position knows the containers %v", pdbs)
	}
	p.stop()
	work(20, 40)
	p = s.start(include)
	check(p.settle())
	p.stop()

	// Fewer tables may be named later, and the position still fits.
	work(40, 43)
	p = s.start(fields{"include": include["include"], "pdbs": []string{standInPDB}})
	delete(want, otherPDB)
	delete(sessions, otherPDB)
	check(p.settle())
}

// R127, reference logminer A.7: a PDB that is closed holds all mining up, captured or not, and costs nothing: what it had committed comes
// when it is open again, what was open in it was rolled back.
func TestR127PDBIsClosedWithAnOpenTransaction(t *testing.T) {
	sideBySide(t)
	for name, include := range map[string]string{"captured": `APP\..*`, "not captured": standInPDB + `\.APP\..*`} {
		t.Run(name, func(t *testing.T) {
			s, other := beginWithPDBs(t)
			p := s.start(quick(fields{"include": []string{include}}))
			s.exec("INSERT INTO $t VALUES (1, 1)")
			same(t, p.settle(), `{"ID":1} c {"ID":1,"V":1}`)
			other.exec("INSERT INTO $t VALUES (60, 1)")
			other.begin().exec("INSERT INTO $t VALUES (50, 1)")
			state := sql.OpenDB(goora.NewConnector(s.server.DSN(oracletest.SystemUser, oracletest.SystemPassword, oracletest.Name)))
			t.Cleanup(func() { _ = state.Close() })
			change := func(to string) {
				t.Helper()
				if _, err := state.ExecContext(t.Context(), "ALTER PLUGGABLE DATABASE "+otherPDB+" "+to); err != nil {
					t.Fatal(err)
				}
			}
			change("CLOSE IMMEDIATE")
			s.exec("INSERT INTO $t VALUES (2, 1)")
			logons := s.server.AddFault(wire.Fault{Call: wire.CallLogon, User: oracletest.CaptureUser})
			p.until("nothing is tried again", func() bool { return logons.Hits() >= 4 })
			before, _ := p.delivered()
			if slices.Contains(lines(before), `{"ID":2} c {"ID":2,"V":1}`) {
				t.Error("a row came although the redo of the closed PDB cannot be mined")
			}
			change("OPEN")
			want := []string{`{"ID":1} c {"ID":1,"V":1}`, `{"ID":2} c {"ID":2,"V":1}`}
			if name == "captured" {
				want = []string{want[0], `{"ID":60} c {"ID":60,"V":1}`, want[1]}
			}
			same(t, p.settle(), want...)
		})
	}
}

func TestTablesOfAPDBThatIsNotNamedAreNotDelivered(t *testing.T) {
	for name, change := range map[string]fields{
		"pdb_name": {"pdb_name": standInPDB}, "pdbs": {"pdbs": []string{standInPDB}}, "include": {"include": []string{standInPDB + `\.APP\..*`}},
	} {
		t.Run(name, func(t *testing.T) {
			s, other := beginWithPDBs(t)
			if change["include"] == nil {
				change["include"] = []string{`APP\..*`}
			}
			p := s.start(change)
			for i := range 3 {
				s.exec("INSERT INTO $t (id, v) VALUES (:1, 0)", i)
				other.exec("INSERT INTO $t (id, v) VALUES (:1, 0)", 100+i)
				other.exec("ALTER TABLE $t ADD (c" + fmt.Sprint(i) + " NUMBER)") // none of capture's business
			}
			var want []string
			for i := range 3 {
				want = append(want, fmt.Sprintf(`{"ID":%d} c {"ID":%d,"V":0}`, i, i))
			}
			same(t, p.settle(), want...)
		})
	}
}
