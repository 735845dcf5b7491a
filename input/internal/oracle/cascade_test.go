package oracle_test

import (
	"database/sql"
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	goora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
)

// R129: what a TRUNCATE … CASCADE empties stands in the foreign keys ON DELETE CASCADE alone.
func TestR129TablesThatGoWithAnotherOne(t *testing.T) {
	s := standIn(t, "")
	app := sql.OpenDB(goora.NewConnector(s.DSN(oracletest.AppUser, oracletest.AppPassword, "FREEPDB1")))
	defer func() { _ = app.Close() }()
	for _, text := range []string{
		"CREATE TABLE parent (id NUMBER(10) PRIMARY KEY, u NUMBER(10) UNIQUE)",
		"CREATE TABLE child (id NUMBER(10) PRIMARY KEY, p NUMBER(10) REFERENCES parent (id) ON DELETE CASCADE)",
		"CREATE TABLE other (id NUMBER(10) PRIMARY KEY, p NUMBER(10) REFERENCES parent (u) ON DELETE CASCADE, c NUMBER(10) REFERENCES child (id) ON DELETE CASCADE)",
		"CREATE TABLE loose (id NUMBER(10) PRIMARY KEY, p NUMBER(10) REFERENCES parent (id))",
	} {
		if _, err := app.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	session := connect(t, captureUser(s, oracletest.Name))
	db, err := oracle.ReadDatabase(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	pdbs, err := db.Captured(nil)
	if err != nil {
		t.Fatal(err)
	}
	children := map[schema.Table][]schema.Table{}
	for _, c := range pdbs {
		if err := oracle.Cascades(t.Context(), session, c, children); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]string{}
	for parent, found := range children {
		got[parent.Name] = fmt.Sprint(len(found))
		for _, child := range found {
			got[parent.Name+" "+child.String()] = "yes"
		}
	}
	want := map[string]string{
		"PARENT": "2", "PARENT FREEPDB1.APP.CHILD": "yes", "PARENT FREEPDB1.APP.OTHER": "yes", "CHILD": "1", "CHILD FREEPDB1.APP.OTHER": "yes",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
