package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// describe makes a script answer as a healthy container database does.
func describe(s *script) {
	s.rows("FROM V$DATABASE", []string{
		"1496923466", "FREE", "YES", "ARCHIVELOG", "READ WRITE", "PRIMARY", "1000", "2026-01-02 03:04:05", "IMPLICIT", "NO", "NO",
	})
	s.rows("CURRENT_SCN", []string{"18446744073709551614"})
	s.rows("V$INSTANCE", []string{"23.26.0.0.0"})
	s.rows("GV$INSTANCE", []string{"1", "1"})
	s.rows("V$THREAD", []string{"1", "OPEN", "PUBLIC", "18"})
	s.rows("CON_NAME", []string{"1", "CDB$ROOT"})
	s.rows("DATABASE_PROPERTIES", []string{"TRUE"})
	s.rows("V$PDBS", []string{"2", "PDB$SEED", "2", "AA", "READ ONLY"}, []string{"3", "FREEPDB1", "3001", "BB", "READ WRITE"},
		[]string{"4", "FREEPDB2", "3002", "CC", "MOUNTED"})
}

func readDatabase(t *testing.T, change func(*script)) (oracle.Database, error) {
	t.Helper()
	s := &script{}
	describe(s)
	change(s)
	return oracle.ReadDatabase(t.Context(), connect(t, config(server(t, s))))
}

func TestReadDatabase(t *testing.T) {
	db, err := readDatabase(t, func(*script) {})
	if err != nil {
		t.Fatal(err)
	}
	want := oracle.Database{
		Name: "FREE", DBID: 1496923466, ResetlogsSCN: 1000, ResetlogsTime: "2026-01-02 03:04:05", Release: "23.26.0.0.0",
		CDB: true, LogMode: "ARCHIVELOG", OpenMode: "READ WRITE", Role: "PRIMARY", Minimal: true, Container: 1, ContainerName: "CDB$ROOT",
		PDBs: []oracle.Container{
			{ID: 3, Name: "FREEPDB1", DBID: 3001, GUID: "BB", OpenMode: "READ WRITE"},
			{ID: 4, Name: "FREEPDB2", DBID: 3002, GUID: "CC", OpenMode: "MOUNTED"},
		},
		Threads: []oracle.Thread{{ID: 1, Open: true, Enabled: true, Sequence: 18}},
	}
	if diff := cmp.Diff(want, db); diff != "" {
		t.Error(diff)
	}
	if err := db.Check(); err != nil {
		t.Error(err)
	}
	identity := db.Identity(db.PDBs[0])
	if diff := cmp.Diff(map[string]position.PDB{"FREEPDB1": {ID: 3, DBID: 3001, GUID: "BB"}}, identity.PDBs); diff != "" {
		t.Error(diff)
	}
}

func TestPreconditionsAreRefusedByName(t *testing.T) {
	healthy, err := readDatabase(t, func(*script) {})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		change func(*oracle.Database)
		code   stop.Code
		text   string
	}{
		"NOARCHIVELOG":          {func(d *oracle.Database) { d.LogMode = "NOARCHIVELOG" }, stop.Identity, "ALTER DATABASE ARCHIVELOG"},
		"standby":               {func(d *oracle.Database) { d.Role = "PHYSICAL STANDBY" }, stop.Identity, "not supported yet"},
		"no minimal logging":    {func(d *oracle.Database) { d.Minimal = false }, stop.Configuration, "ADD SUPPLEMENTAL LOG DATA"},
		"inside a PDB":          {func(d *oracle.Database) { d.Container, d.ContainerName = 3, "FREEPDB1" }, stop.Identity, "CDB$ROOT"},
		"mounted":               {func(d *oracle.Database) { d.OpenMode = "MOUNTED" }, stop.Unavailable, "MOUNTED"},
		"shared undo (R117)":    {func(d *oracle.Database) { d.SharedUndo = true }, stop.Identity, "shared undo"},
		"two enabled threads":   {func(d *oracle.Database) { d.Threads = append(d.Threads, oracle.Thread{ID: 2, Enabled: true}) }, stop.Identity, "several redo threads are not supported yet"},
		"no thread":             {func(d *oracle.Database) { d.Threads = nil }, stop.Identity, "no redo thread"},
		"a disabled one beside": {func(d *oracle.Database) { d.Threads = append(d.Threads, oracle.Thread{ID: 2}) }, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			db := healthy
			db.Threads = append([]oracle.Thread(nil), healthy.Threads...)
			tc.change(&db)
			err := db.Check()
			if tc.code == 0 {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if !stop.Is(err, tc.code) || !strings.Contains(err.Error(), tc.text) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestCapturedContainers(t *testing.T) {
	db, err := readDatabase(t, func(*script) {})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		db   oracle.Database
		pdbs []string
		want string
	}{
		"every open one":           {db, nil, "[{3 FREEPDB1 3001 BB READ WRITE}]"},
		"the one named":            {db, []string{"freepdb1"}, "[{3 FREEPDB1 3001 BB READ WRITE}]"},
		"a closed one":             {db, []string{"FREEPDB1", "FREEPDB2"}, "CDC-1001"},
		"an unknown one":           {db, []string{"FREEPDB1", "NOPE"}, "CDC-5003"},
		"a database without any":   {oracle.Database{OpenMode: "READ WRITE"}, nil, "[{0  0  READ WRITE}]"},
		"a name without container": {oracle.Database{}, []string{"FREEPDB1"}, "CDC-5003"},
		"nothing visible":          {oracle.Database{CDB: true}, nil, "CONTAINER_DATA"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := tc.db.Captured(tc.pdbs)
			if text := fmt.Sprint(got, err); !strings.Contains(text, tc.want) {
				t.Errorf("%s, want %s", text, tc.want)
			}
		})
	}
}

// R106, R126: a container of the position must be there and open; one that is closed would look like tables that are gone.
func TestR106ClosedContainerOfThePositionIsWaitedFor(t *testing.T) {
	db, err := readDatabase(t, func(*script) {})
	if err != nil {
		t.Fatal(err)
	}
	from := db.Identity(db.PDBs...)
	if err := db.Continue(from); !stop.Is(err, stop.Unavailable) || !strings.Contains(err.Error(), "FREEPDB2") {
		t.Errorf("a closed one: %v", err)
	}
	if err := db.Continue(db.Identity(db.PDBs[0])); err != nil {
		t.Errorf("a closed one that the position does not have: %v", err)
	}
	db.PDBs = db.PDBs[:1]
	if err := db.Continue(from); !stop.Is(err, stop.Identity) {
		t.Errorf("one that is gone: %v", err)
	}
}

func TestR125R126IdentityMustFitThePosition(t *testing.T) {
	now := position.Identity{DBID: 1, ResetlogsSCN: 2, ResetlogsTime: "t", PDBs: map[string]position.PDB{"P": {ID: 3, DBID: 4, GUID: "G"}}}
	for name, tc := range map[string]struct {
		change func(*position.Identity)
		fits   bool
	}{
		"the same":           {func(*position.Identity) {}, true},
		"another release":    {func(i *position.Identity) { i.ReleaseVersion = "23.9" }, true},
		"another database":   {func(i *position.Identity) { i.DBID = 9 }, false},
		"RESETLOGS":          {func(i *position.Identity) { i.ResetlogsSCN = 9 }, false},
		"RESETLOGS in time":  {func(i *position.Identity) { i.ResetlogsTime = "u" }, false},
		"PDB gone":           {func(i *position.Identity) { i.PDBs = map[string]position.PDB{"Q": {}} }, false},
		"PDB plugged again":  {func(i *position.Identity) { i.PDBs = map[string]position.PDB{"P": {ID: 5, DBID: 4, GUID: "G"}} }, false},
		"PDB of another one": {func(i *position.Identity) { i.PDBs = map[string]position.PDB{"P": {ID: 3, DBID: 4, GUID: "H"}} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			stored := now
			tc.change(&stored)
			if err := oracle.CheckIdentity(stored, now); stop.Is(err, stop.Identity) == tc.fits {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestSCNsDoNotFitASignedInteger(t *testing.T) {
	s := &script{}
	describe(s)
	session := connect(t, config(server(t, s)))
	scn, err := oracle.CurrentSCN(t.Context(), session)
	if err != nil || scn != position.Unlimited-1 {
		t.Errorf("%s, %v", scn, err)
	}
	s.rows("CURRENT_SCN", []string{"0"})
	if _, err := oracle.CurrentSCN(t.Context(), session); !stop.Is(err, stop.Unavailable) {
		t.Errorf("a mounted database: %v", err)
	}
}

func TestOpenTransactions(t *testing.T) {
	s := &script{}
	describe(s)
	s.rows("GV$TRANSACTION", []string{"1", "3", "5", "0", "614", "2543100", "2026-10-10 10:00:00"}, []string{"1", "4", "5", "0", "614", "", ""})
	s.rows("CDB_2PC_PENDING", []string{"3", "7.3.91", "prepared"}, []string{"3", "5.0.614", "prepared"}, []string{"3", "8.1.2", "committed"})
	session := connect(t, config(server(t, s)))
	got, err := oracle.OpenTransactions(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	want := []oracle.OpenTransaction{
		{Container: 3, XID: position.XID{USN: 5, Sequence: 614}, StartSCN: 2543100, StartDate: "2026-10-10 10:00:00"},
		{Container: 4, XID: position.XID{USN: 5, Sequence: 614}},
		{Container: 3, XID: position.XID{USN: 7, Slot: 3, Sequence: 91}, Prepared: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// R89: START_SCN says where a transaction begins, else its START_DATE; neither is CDC-2002 with the transaction.
func TestR89BeginOfAnOpenTransaction(t *testing.T) {
	s := &script{}
	describe(s)
	session := connect(t, config(server(t, s)))
	x := position.XID{USN: 7, Slot: 3, Sequence: 91}
	s.rows("TIMESTAMP_TO_SCN", []string{"2543000"})
	for _, tc := range []struct {
		transaction oracle.OpenTransaction
		want        position.SCN
	}{
		{oracle.OpenTransaction{XID: x, StartSCN: 2543100, StartDate: "2026-10-10 10:00:00"}, 2543100},
		{oracle.OpenTransaction{XID: x, StartDate: "2026-10-10 10:00:00"}, 2543000},
	} {
		if got, err := tc.transaction.Began(t.Context(), session); err != nil || got != tc.want {
			t.Errorf("%+v: %s, %v", tc.transaction, got, err)
		}
	}
	s.on("TIMESTAMP_TO_SCN", func(context.Context, *scriptSession) (wire.Result, error) {
		return wire.Result{}, wire.Errorf(8180, "no snapshot found based on specified time")
	})
	for name, lost := range map[string]oracle.OpenTransaction{
		"not mappable": {Container: 3, XID: x, StartDate: "2020-10-10 10:00:00"},
		"in doubt":     {Container: 3, XID: x, Prepared: true},
	} {
		_, err := lost.Began(t.Context(), session)
		if fault, ok := stop.As(err); !ok || fault.Code != stop.RedoPurged || fault.Object != "transaction 7.3.91 in container 3" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestR32AnInstanceThatIsMissingMakesTheLookWorthless(t *testing.T) {
	s := &script{}
	describe(s)
	s.rows("V$THREAD", []string{"1", "OPEN", "PUBLIC", "18"}, []string{"2", "OPEN", "PUBLIC", "7"}, []string{"3", "CLOSED", "PUBLIC", "7"})
	s.rows("GV$TRANSACTION")
	s.rows("CDB_2PC_PENDING")
	session := connect(t, config(server(t, s)))
	if _, err := oracle.OpenTransactions(t.Context(), session); !errors.Is(err, oracle.ErrIncomplete) {
		t.Errorf("error %v", err)
	}
	s.rows("GV$INSTANCE", []string{"1", "1"}, []string{"2", "2"})
	if _, err := oracle.OpenTransactions(t.Context(), session); err != nil {
		t.Error(err)
	}
}
