package oracletest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScriptIsSplitIntoStatements(t *testing.T) {
	script := `
-- a comment; it's ignored

create table t (
  id number, -- it's the key;
  v varchar2(20)
);
insert into t values (1, 'a;
b');
begin
  null;
end;
/
ALTER SESSION SET CONTAINER = FREEPDB1; -- go there
select 1 from dual
`
	want := []string{
		"create table t (\n  id number, -- it's the key;\n  v varchar2(20)\n)",
		"insert into t values (1, 'a;\nb')",
		"begin\n  null;\nend;",
		"ALTER SESSION SET CONTAINER = FREEPDB1",
		"select 1 from dual",
	}
	if diff := cmp.Diff(want, splitScript(script)); diff != "" {
		t.Error(diff)
	}
}
