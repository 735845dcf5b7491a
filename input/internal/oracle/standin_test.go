package oracle_test

import (
	"context"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func standIn(t *testing.T, script string) *oracletest.Server {
	t.Helper()
	s, err := oracletest.Start(context.Background(), oracletest.Config{PDBs: []string{"FREEPDB1", "FREEPDB2"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if script == "" {
		return s
	}
	if err := s.RunScript(t.Context(), script); err != nil {
		t.Fatal(err)
	}
	return s
}

func captureUser(s *oracletest.Server, service string) oracle.Config {
	return oracle.Config{ConnectionString: s.DSN(oracletest.CaptureUser, oracletest.CapturePassword, service)}
}

func TestDictionaryOfTheStandIn(t *testing.T) {
	s := standIn(t, `
ALTER SESSION SET CONTAINER = FREEPDB1;
CREATE TABLE app.orders (id NUMBER(10), line NUMBER(3), total NUMBER(10,2), note VARCHAR2(40), flag CHAR(1), at TIMESTAMP(6), day DATE, raw1 RAW(16),
  CONSTRAINT orders_pk PRIMARY KEY (line, id));
ALTER TABLE app.orders ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
CREATE TABLE app.plain (v VARCHAR2(10));
`)
	session := connect(t, captureUser(s, oracletest.Name))
	db, err := oracle.ReadDatabase(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Check(); err != nil {
		t.Fatal(err)
	}
	pdbs, err := db.Captured(nil)
	if err != nil || len(pdbs) != 2 {
		t.Fatalf("%v, %v", pdbs, err)
	}
	tables, err := oracle.Describe(t.Context(), session, db, pdbs[0], func(table schema.Table) bool { return table.Owner == "APP" }, oracle.SmallestNotNull)
	if err != nil || len(tables) != 2 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	orders, plain := tables[0], tables[1]
	v := orders.Version
	if v.Table.String() != "FREEPDB1.APP.ORDERS" || v.Container != pdbs[0].ID || v.Logging != schema.LoggingAll || len(v.ObjectIDs) != 1 || len(orders.Refused) > 0 {
		t.Errorf("%+v %v", v, orders.Refused)
	}
	var types []string
	for i := range v.Columns {
		types = append(types, v.Columns[i].Type.String())
	}
	if got := strings.Join(types, " "); got != "NUMBER(10,0) NUMBER(3,0) NUMBER(10,2) VARCHAR2(40) CHAR(1) TIMESTAMP(6) DATE RAW(16)" {
		t.Error(got)
	}
	if v.Key.Origin != schema.KeyPrimary || len(v.Key.Columns) != 2 || v.Columns[v.Key.Columns[0]].Name != "LINE" {
		t.Errorf("key %+v", v.Key)
	}
	if plain.Version.Key.Origin != schema.KeyNone || plain.Version.Logging != schema.LoggingMinimal {
		t.Errorf("%+v", plain.Version)
	}
	// R97: what a reading says of the last DDL compares with what is asked later, and with the database's time.
	now, err := oracle.DatabaseTime(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	times := map[uint64]string{}
	if err := oracle.Modified(t.Context(), session, pdbs[0].ID, []uint64{orders.Object, plain.Object, 1 << 40}, times); err != nil {
		t.Fatal(err)
	}
	for _, d := range tables {
		if d.LastDDL == "" || times[d.Object] != d.LastDDL || d.LastDDL > now || len(d.LastDDL) != len(now) {
			t.Errorf("%s: last DDL %q, asked for later %q, now %q", d.Version.Table, d.LastDDL, times[d.Object], now)
		}
	}
	if len(times) != len(tables) {
		t.Errorf("times of %d objects", len(times))
	}
	// R103: so does what tables are called.
	names := map[uint64]oracle.ObjectName{}
	if err := oracle.ObjectNames(t.Context(), session, pdbs[0].ID, []uint64{orders.Object, plain.Object, 1 << 40}, names); err != nil {
		t.Fatal(err)
	}
	for _, d := range tables {
		if got := names[d.Object]; got != (oracle.ObjectName{Owner: d.Version.Table.Owner, Name: d.Version.Table.Name}) {
			t.Errorf("%s is called %v", d.Version.Table, got)
		}
	}
	if len(names) != len(tables) {
		t.Errorf("names of %d objects", len(names))
	}
	if other, err := oracle.Describe(t.Context(), session, db, pdbs[1], all, oracle.SmallestNotNull); err != nil || len(other) != 0 {
		t.Errorf("the other PDB: %d tables, %v", len(other), err)
	}
}

func TestStandInServices(t *testing.T) {
	s := standIn(t, "")
	local := connect(t, captureUser(s, "FREEPDB1"))
	db, err := oracle.ReadDatabase(t.Context(), local)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Check(); !stop.Is(err, stop.Identity) || !strings.Contains(err.Error(), "FREEPDB1") {
		t.Errorf("inside a PDB: %v", err)
	}
	wrong := captureUser(s, oracletest.Name)
	wrong.Password = "not-the-password"
	if _, err := oracle.Connect(t.Context(), wrong, oracle.Mining); !stop.Is(err, stop.Privilege) {
		t.Errorf("a wrong password: %v", err)
	}
}

// R125: every verified step asks whether this is still the incarnation it connected to.
func TestR125IncarnationIsComparedWithTheConnection(t *testing.T) {
	s := standIn(t, "")
	session, err := oracle.Connect(t.Context(), captureUser(s, oracletest.Name), oracle.Bookkeeping)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	was, err := oracle.ReadDatabase(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	if err := oracle.CheckIncarnation(t.Context(), session, was); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*oracle.Database){
		"another database":    func(d *oracle.Database) { d.DBID++ },
		"another incarnation": func(d *oracle.Database) { d.ResetlogsSCN++ },
		"another role":        func(d *oracle.Database) { d.Role = "PHYSICAL STANDBY" },
	} {
		other := was
		change(&other)
		if err := oracle.CheckIncarnation(t.Context(), session, other); !stop.Is(err, stop.Identity) {
			t.Errorf("%s: %v, want CDC-5001", name, err)
		}
	}
}
