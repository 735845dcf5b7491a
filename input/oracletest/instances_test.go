package oracletest_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Reference logminer A.7, RAC: a redo thread for every instance, LogMiner merges them.
func TestInstancesHaveTheirOwnRedoThreads(t *testing.T) {
	server := start(t, oracletest.Config{Instances: 2})
	one, two := connect(t, server, "app", "app", "FREEPDB1"), connect(t, server, "app", "app", "FREEPDB1_2")
	one.exec("CREATE TABLE t (id NUMBER PRIMARY KEY)")
	one.exec("INSERT INTO t VALUES (1)")
	two.exec("INSERT INTO t VALUES (2)")
	one.exec("INSERT INTO t VALUES (3)")
	if err := server.SwitchThread(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	two.exec("INSERT INTO t VALUES (4)")

	root := capture(t, server)
	if diff := cmp.Diff([]string{"1|OPEN|PUBLIC|FREE1|1", "2|OPEN|PUBLIC|FREE2|2"},
		root.rows("SELECT thread#, status, enabled, instance, sequence# FROM v$thread ORDER BY thread#")); diff != "" {
		t.Error(diff)
	}
	want := []string{
		`1|1|insert into "APP"."T"("ID") values ('1')`, `2|1|insert into "APP"."T"("ID") values ('2')`,
		`1|1|insert into "APP"."T"("ID") values ('3')`, `2|2|insert into "APP"."T"("ID") values ('4')`,
	}
	if diff := cmp.Diff(want, root.mine("thread#, rbasqn, sql_redo", "seg_owner = 'APP' AND operation_code = 1")); diff != "" {
		t.Error(diff)
	}
	for view, want := range map[string][]string{
		"SELECT inst_id, instance_name, thread# FROM gv$instance":                          {"1|FREE1|1", "2|FREE2|2"},
		"SELECT instance_number, parallel FROM v$instance":                                 {"1|YES"},
		"SELECT COUNT(*) FROM v$session WHERE username = 'APP'":                            {"1"},
		"SELECT inst_id, username FROM gv$session WHERE username = 'APP' ORDER BY inst_id": {"1|APP", "2|APP"},
	} {
		if got := root.rows(view); !slices.Equal(got, want) {
			t.Errorf("%s: %q", view, got)
		}
	}
	if got := two.one("SELECT SYS_CONTEXT('USERENV', 'INSTANCE') FROM dual"); got != "2" {
		t.Errorf("instance %s", got)
	}
}

// R23, R26, R32: what a capture must not take for granted.
func TestR32OneInstanceAnswersAlone(t *testing.T) {
	server := start(t, oracletest.Config{Instances: 2, Warts: redo.Warts{R32InstanceOne: true}})
	root := capture(t, server)
	if got := root.one("SELECT COUNT(*) FROM gv$instance"); got != "1" {
		t.Errorf("%s instances", got)
	}
	if err := server.SetThread(2, false, redo.EnabledPrivate); err != nil {
		t.Fatal(err)
	}
	if got := root.one("SELECT status, enabled FROM v$thread WHERE thread# = 2"); got != "CLOSED|PRIVATE" {
		t.Errorf("thread 2: %s", got)
	}
}
