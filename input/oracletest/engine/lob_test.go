package engine

import (
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

func clob(s string) datum.Datum { return datum.Datum{Kind: datum.Clob, Text: s} }

func docs(t *testing.T, db *database) *client {
	t.Helper()
	c := db.app(t)
	c.exec("create table d (id number primary key, c clob, n nclob, b blob default empty_blob())")
	return c
}

func TestLOBValues(t *testing.T) {
	c := docs(t, openDatabase(t))
	c.exec("insert into d (id, c, n) values (1, 'text', N'nätional')")
	c.exec("insert into d values (2, null, empty_clob(), hextoraw('cafe'))")
	c.exec("insert into d values (3, :1, :2, :3)", clob(strings.Repeat("x", 1_000_000)), "bound", []byte{1, 2})
	c.exec("insert into d values (4, :1, '', 'beef')", clob(""))
	c.want("1|clob(text)|clob(nätional)|blob() ; 2|NULL|clob()|blob(cafe)", "select * from d where id < 3 order by id")
	c.want("4|clob()|NULL|blob(beef)", "select * from d where id = 4")
	c.want("1|4|8|0 ; 2|NULL|0|2 ; 3|1000000|5|2 ; 4|0|NULL|2", "select id, length(c), dbms_lob.getlength(n), length(b) from d order by id")
	c.want("2", "select id from d where c is null")
	c.want("4", "select id from d where n is null and c is not null")
	c.want("1", "select id from d where c like 't%t'")
	c.want("clob(ex)|3|ext|02", "select substr(d.c, 2, 2), instr(d.c, 'x'), dbms_lob.substr(d.c, 3, 2), dbms_lob.substr(b.b, 1, 2) from d, d b where d.id = 1 and b.id = 3")
	c.want("clob(text!)|clob(none)|text", "select a.c || '!', nvl(b.c, 'none'), to_char(a.c) from d a, d b where a.id = 1 and b.id = 2")
	c.want("0|-1|1", "select dbms_lob.compare('a', to_clob('a')), dbms_lob.compare(to_clob('a'), 'b'), dbms_lob.compare(hextoraw('02'), to_blob(hextoraw('01'))) from dual")
	c.want("2|2", "select length(to_clob('a😀b')) - 2, dbms_lob.instr(to_nclob('ab'), 'b') from dual") // 4 units of UTF-16
	c.exec("update d set c = 'new', n = c, b = empty_blob() where id = 1")
	c.want("clob(new)|clob(text)|blob()", "select c, n, b from d where id = 1")
	c.exec("update d set c = null where id = 1")
	c.want("NULL", "select c from d where id = 1")
	c.exec("create table v (t varchar2(10), r raw(5), k clob default 'kept' not null)")
	c.exec("insert into v (t, r) select n, b from d where id = 2")
	c.exec("insert into v (t, r) select n, b from d where id = 3")
	c.want("NULL|cafe|clob(kept) ; bound|0102|clob(kept)", "select * from v")
	c.refuse(22835, "insert into v (t) select c from d where id = 3")
	c.refuse(12899, "insert into v (t) values (to_clob('longer than ten'))")
	c.refuse(1400, "insert into v (k) values ('')")
	c.refuse(932, "insert into d (c) values (5)")
	c.refuse(932, "insert into d (b) values (sysdate)")
	c.refuse(1465, "insert into d (id, b) values (9, 'no hex')")
	c.exec("alter table v modify t varchar2(20)")
	c.refuse(1439, "alter table v modify k varchar2(20)")
	c.exec("commit")
	scn := c.db.log.CurrentSCN()
	c.exec("delete d where id = 3")
	c.exec("commit")
	c.want("1000000", "select length(c) from d as of scn :1 where id = 3", scn)
}

func TestLOBsAreDescribed(t *testing.T) {
	c := docs(t, openDatabase(t))
	r, err := c.s.Execute(t.Context(), wire.Statement{SQL: "select c, n, b, c || 'x', length(c) from d", DescribeOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []datum.Type{clobType, {Code: datum.TypeClob, National: true}, blobType, clobType, numberType}
	for i, col := range r.Columns {
		if col.Type != want[i] {
			t.Errorf("column %d is %+v, want %+v", i, col.Type, want[i])
		}
	}
}

// Reference logminer E.2 and E.3, statements with small values.
func TestRedoOfSmallLOBs(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table d (id number primary key, name varchar2(9), c clob, b blob)")
	c.exec("alter table d add supplemental log data (all) columns")
	c.exec("insert into d values (1, 'one', 'it', null)")
	from := len(db.log.records)
	c.exec("commit")
	steps := []struct {
		sql  string
		want []string
	}{
		{"insert into d values (2, 'two', 'short', null)", []string{
			"START", "+INSERT D AAAA after(ID=2,NAME=two,C=clob(),B=blob())", "UPDATE D HAAB before(ID=2,NAME=two) after(C=clob(short),B=NULL)",
		}},
		{"update d set c = 'other' where id = 2", []string{"UPDATE D HAAB before(ID=2,NAME=two) after(C=clob(other))"}},
		{"update d set c = empty_clob() where id = 2", []string{"UPDATE D HAAB before(ID=2,NAME=two) after(C=clob())"}},
		{"update d set name = 'dos' where id = 2", []string{"UPDATE D HAAB before(ID=2,NAME=two) after(NAME=dos)"}},
		{"update d set name = 'dva', c = 'both' where id = 2", []string{
			"UPDATE D HAAB before(ID=2,NAME=dos) after(NAME=dva)", "UPDATE D HAAB before(ID=2,NAME=dva) after(C=clob(both))",
		}},
		{"delete d where id = 2", []string{"DELETE D HAAB before(ID=2,NAME=dva)"}},
		{"rollback", []string{
			"INSERT(undo) D HAAB after(ID=2,NAME=dva,C=clob(),B=blob())",
			"UPDATE(undo) D HAAB after(NAME=dos,C=clob())",
			"UPDATE(undo) D HAAB after(NAME=two)",
			"UPDATE(undo) D HAAB after(C=clob(other))",
			"UPDATE(undo) D HAAB after(C=clob(short))",
			"DELETE(undo) D HAAB",
			"ROLLBACK",
		}},
	}
	from++
	for _, s := range steps {
		c.exec(s.sql)
		got := db.trace(from)
		from += len(got)
		if strings.Join(got, "\n") != strings.Join(s.want, "\n") {
			t.Errorf("%s\n got %q\nwant %q", s.sql, got, s.want)
		}
	}
}

// What would be LOB_WRITE rows is refused in a table that is captured; elsewhere LogMiner shows it as unsupported.
func TestRedoOfLargeLOBs(t *testing.T) {
	db := openDatabase(t)
	c := docs(t, db)
	large := clob(strings.Repeat("y", 2000))
	c.exec("insert into d (id, c) values (1, :1)", clob(strings.Repeat("x", 1982)))
	from := len(db.log.records)
	c.exec("insert into d (id, c) values (2, :1)", large)
	c.exec("update d set c = :1 where id = 1", large)
	got := db.trace(from)
	if len(got) != 3 || !strings.HasPrefix(got[0], "INSERT D AAAA") || !strings.HasPrefix(got[1], " D ") || got[2] != " D HAAA before() after(C=clob())" {
		t.Errorf("redo %q", got)
	}
	c.exec("commit")
	c.exec("alter table d add supplemental log data (primary key) columns")
	c.refuse(3001, "insert into d (id, c) values (3, :1)", large)
	c.refuse(3001, "update d set b = :1 where id = 1", datum.Datum{Kind: datum.Blob, Raw: make([]byte, 4000)})
	c.exec("update d set b = hextoraw('00') where id = 1")
	c.want("2000", "select length(c) from d where id = 1")
}
