package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

func layoutOf(t *testing.T, db *database, name string) *catalog.Table {
	t.Helper()
	for _, l := range db.Tables(3) {
		if l.Name == name {
			return l
		}
	}
	t.Fatalf("no table %s", name)
	return nil
}

func typeText(t datum.Type) string {
	s := fmt.Sprintf("%d", t.Code)
	if t.National {
		s += "N"
	}
	if t.Size > 0 {
		s += fmt.Sprintf("/%d", t.Size)
	}
	if t.CharUsed {
		s += "C"
	}
	if t.HasPrecision {
		s += fmt.Sprintf(" p%d", t.Precision)
	}
	if t.HasScale {
		s += fmt.Sprintf(" s%d", t.Scale)
	}
	if t.Float {
		s += " f"
	}
	return s
}

// Every row is a column type that doc.go lists: its declaration, its description, what goes in and what comes out.
func TestColumnTypes(t *testing.T) {
	for _, row := range []struct{ declared, described, in, out string }{
		{"number", "2", "1.10", "1.1"},
		{"number", "2", "1e-10", ".0000000001"},
		{"number(5)", "2 p5 s0", "12345.4", "12345"},
		{"number(10,2)", "2 p10 s2", "-42.555", "-42.56"},
		{"number(5,-2)", "2 p5 s-2", "1234567", "1234600"},
		{"number(2,4)", "2 p2 s4", "0.0099", ".0099"},
		{"number(*,1)", "2 s1", "1.25", "1.3"},
		{"integer", "2 s0", "1.5", "2"},
		{"int", "2 s0", "7", "7"},
		{"smallint", "2 s0", "7", "7"},
		{"decimal(4,1)", "2 p4 s1", "1.26", "1.3"},
		{"numeric(4)", "2 p4 s0", "1.26", "1"},
		{"float", "2 p126 f", "3.14159", "3.14159"},
		{"float(4)", "2 p4 f", "123", "120"},
		{"real", "2 p63 f", "1.5", "1.5"},
		{"double precision", "2 p126 f", "1.5", "1.5"},
		{"binary_float", "100", "1.1", "1.100000023841858"},
		{"binary_double", "101", "1.1", "1.1"},
		{"varchar2(5)", "1/5", "'abcde'", "abcde"},
		{"varchar2(5 byte)", "1/5", "'äb'", "äb"},
		{"varchar2(2 char)", "1/2C", "'äö'", "äö"},
		{"varchar(5)", "1/5", "''", "NULL"},
		{"nvarchar2(2)", "1N/2", "N'☃ü'", "☃ü"},
		{"char", "96/1", "'a'", "a"},
		{"char(4)", "96/4", "'ab'", "ab  "},
		{"char(4)", "96/4", "'ä'", "ä  "},
		{"char(3 char)", "96/3C", "'ä'", "ä  "},
		{"nchar(3)", "96N/3", "'ä'", "ä  "},
		{"date", "12", "timestamp '2026-01-31 10:11:12.9'", "2026-01-31 10:11:12"},
		{"timestamp", "180/6", "timestamp '2026-01-31 10:11:12.1234567'", "2026-01-31 10:11:12.123457"},
		{"timestamp(0)", "180", "timestamp '2026-01-31 10:11:12.6'", "2026-01-31 10:11:13"},
		{"timestamp(9)", "180/9", "timestamp '2026-01-31 10:11:12.123456789'", "2026-01-31 10:11:12.123456789"},
		{"timestamp(3) with time zone", "181/3", "timestamp '2026-01-31 10:11:12.5 +05:30'", "2026-01-31 10:11:12.5 +05:30"},
		{"timestamp with local time zone", "231/6", "timestamp '2026-01-31 10:11:12 +02:00'", "2026-01-31 08:11:12 +00:00"},
		{"raw(4)", "23/4", "hextoraw('deadbeef')", "deadbeef"},
		{"raw(4)", "23/4", "'0a'", "0a"},
	} {
		db := openDatabase(t)
		c := db.app(t)
		c.exec("create table y (a " + row.declared + ")")
		if got := typeText(layoutOf(t, db, "Y").Columns[0].Type); got != row.described {
			t.Errorf("%s is described as %q, want %q", row.declared, got, row.described)
		}
		c.exec("insert into y values (" + row.in + ")")
		c.want(row.out, "select a from y")
		c.want("1", "select count(*) from y where a = a or a is null")
	}
}

func TestCreateTable(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec(`create table orders (
		id number(10) constraint orders_pk primary key,
		"Mixed" varchar2(10) default 'none' not null,
		code varchar2(3) unique,
		a number, b number default 7,
		at date default sysdate,
		constraint orders_u unique (a, b)
	) tablespace users pctfree 10 nocompress`)
	l := layoutOf(t, db, "ORDERS")
	if l.Owner != "APP" || l.ObjectID != 74569 || l.DataObjectID != l.ObjectID || l.Version != 1 || l.Container != 3 {
		t.Errorf("layout %+v", l)
	}
	if l.PrimaryKey.Name != "ORDERS_PK" || len(l.Unique) != 2 || l.Unique[0].Name != "ORDERS_U" || !strings.HasPrefix(l.Unique[1].Name, "SYS_C00") {
		t.Errorf("keys %+v %+v", l.PrimaryKey, l.Unique)
	}
	if l.Columns[0].Nullable || l.Columns[1].Nullable || l.Columns[1].Name != "Mixed" || l.Columns[1].Default != "'none'" || l.Columns[5].SegmentID != 6 {
		t.Errorf("columns %+v", l.Columns)
	}
	c.exec("insert into orders (id) values (1)")
	c.exec("insert into orders (id, a, b, code) values (2, 5, default, null)")
	c.exec("insert into orders (id, \"Mixed\", a) values (3, default, 1)")
	c.want("1|none|NULL|NULL|7|2026-03-29 13:45:59", "select * from orders where id = 1")
	c.want("3", "select count(*) from orders where \"Mixed\" = 'none' and b = 7")
	c.refuse(1, "insert into orders (id, a) values (4, 1)")
	c.refuse(1, "insert into orders (id, a) values (4, null)") // (NULL, 7) is there: a key that is NULL in part counts
	c.exec("create table \"lower\" (\"a b\" number)")
	c.exec("insert into \"lower\" values (1)")
	c.want("1", "select \"a b\" from app.\"lower\"")
	c.refuse(942, "select * from lower")
}

func TestAlterTable(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key, a varchar2(5), b char(2))")
	c.exec("insert into t values (1, 'one', 'x')")
	c.exec("alter table t add (c number default 5 not null, d date)")
	c.want("1|one|x |5|NULL", "select * from t")
	c.refuse(1758, "alter table t add e number not null")
	c.refuse(1430, "alter table t add a number")
	c.exec("alter table t rename column a to aa")
	c.exec("alter table t modify (aa varchar2(10), b char(4))")
	c.want("one|x   ", "select aa, b from t")
	c.refuse(904, "select a from t")
	c.refuse(1439, "alter table t modify aa number")
	c.refuse(1441, "alter table t modify aa varchar2(2)")
	c.exec("alter table t modify aa varchar2(3)")
	c.refuse(2296, "alter table t modify d not null")
	c.exec("alter table t modify aa default 'x'")
	c.exec("insert into t (id) values (2)")
	c.want("x", "select aa from t where id = 2")
	c.exec("alter table t drop column b")
	c.exec("alter table t drop (d)")
	c.want("1|one|5 ; 2|x|5", "select * from t")
	c.refuse(12983, "alter table t drop (id, aa, c)")
	c.exec("alter table t add constraint u unique (aa)")
	c.refuse(1, "insert into t (id) values (3)")
	c.refuse(2261, "alter table t add unique (aa)")
	c.refuse(2299, "alter table t add unique (c)")
	c.exec("alter table t drop constraint u")
	c.exec("insert into t (id) values (3)")
	c.refuse(2443, "alter table t drop constraint u")
	c.exec("create unique index ui on t (id, aa)")
	c.exec("create index i on t (aa)")
	c.exec("comment on column t.aa is 'text'")
	if v := layoutOf(t, db, "T").Version; v != 8 {
		t.Errorf("version %d, want 8: only changes of columns raise it", v)
	}
	c.exec("alter table t rename to t2")
	c.want("3", "select count(*) from t2")
	c.refuse(942, "select * from t")
	c.exec("alter table t2 drop primary key")
	c.exec("insert into t2 (id, aa) values (1, 'z')")
}

func TestLogGroups(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key)")
	c.exec("alter table t add supplemental log data (primary key, unique, foreign key) columns")
	c.exec("alter table t add supplemental log data (all) columns")
	if got := layoutOf(t, db, "T").LogGroups; got != (catalog.LogGroups{All: true, PrimaryKey: true, UniqueIndex: true, ForeignKey: true}) {
		t.Errorf("log groups %+v", got)
	}
	c.refuse(32588, "alter table t add supplemental log data (all) columns")
	c.exec("alter table t drop supplemental log data (all) columns")
	if layoutOf(t, db, "T").LogGroups.All {
		t.Error("ALL is still there")
	}
	root := db.connect(t, "FREE", "system")
	if !db.SupplementalLogging().Minimal {
		t.Error("minimal supplemental logging is off at the start")
	}
	root.exec("alter database drop supplemental log data")
	root.exec("alter database add supplemental log data (primary key) columns")
	if got := db.SupplementalLogging(); got != (Logging{PrimaryKey: true}) {
		t.Errorf("database logging %+v", got)
	}
}

func TestDropAndTruncate(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number primary key)")
	c.exec("insert into t values (1)")
	c.exec("commit")
	id := layoutOf(t, db, "T").ObjectID
	r, err := c.rows("select rowid from t")
	if err != nil {
		t.Fatal(err)
	}
	c.exec("truncate table t")
	c.want("", "select * from t")
	if l := layoutOf(t, db, "T"); l.ObjectID != id || l.DataObjectID == id || l.Version != 1 {
		t.Errorf("layout after TRUNCATE %+v", l)
	}
	c.exec("insert into t values (1)")
	if after := c.query("select rowid from t"); after[0] == r[0] {
		t.Errorf("ROWID %s of the old data object again", after[0])
	}
	c.exec("commit")
	c.exec("drop table t")
	c.refuse(942, "select * from t")
	// Reference logminer G.1: the text gets the name in the recycle bin.
	rec := db.log.records[len(db.log.records)-2]
	recycled, ok := db.Table(3, id)
	if !ok || !recycled.Dropped || rec.SQL != `drop table t AS "`+recycled.Name+`"` || len(recycled.Name) != 30 || rec.Table.Name != "T" {
		t.Errorf("DDL %q of %s, recycled %+v", rec.SQL, rec.Table.Name, recycled)
	}
	if bin := db.Recycled(3); len(bin) != 1 || bin[0].Original != "T" || bin[0].DropSCN != uint64(db.log.records[len(db.log.records)-1].SCN) {
		t.Errorf("recycle bin %+v", bin)
	}
	c.exec("create table t (id number)")
	id = layoutOf(t, db, "T").ObjectID
	c.exec("drop table t purge")
	if _, ok := db.Table(3, id); ok {
		t.Error("a purged table is still found")
	}
}

func TestContainersAndUsers(t *testing.T) {
	db := openDatabase(t, func(c *Config) {
		c.Containers = []catalog.Container{{ID: 1, Name: "CDB$ROOT"}, {ID: 3, Name: "FREEPDB1"}, {ID: 4, Name: "FREEPDB2"}}
		c.Services = map[string]string{"sales.example": "freepdb2"}
	})
	if !db.Service("freepdb2") || !db.Service("FREE") || !db.Service("Sales.Example") || db.Service("nope") {
		t.Error("services are wrong")
	}
	for _, row := range []struct{ service, user, password string }{
		{"FREEPDB1", "app", "app"}, {"freepdb2", "APP", "app"}, {"free", "c##cdc", "cdc"}, {"freepdb1", "C##CDC", "cdc"}, {"free", "system", "oracle"}, {"sales.example", "app", "app"},
	} {
		if got, ok := db.Password(row.service, row.user); !ok || got != row.password {
			t.Errorf("%s in %s: %q %v", row.user, row.service, got, ok)
		}
	}
	if _, ok := db.Password("free", "app"); ok {
		t.Error("app is local, but known in the root")
	}
	one, two := db.connect(t, "freepdb1", "app"), db.connect(t, "sales.example", "app")
	one.exec("create table t (a number)")
	two.exec("create table t (a varchar2(5))")
	one.exec("insert into t values (1)")
	two.exec("insert into t values ('two')")
	one.exec("commit")
	two.exec("commit")
	if db.Tables(3)[0].ObjectID != db.Tables(4)[0].ObjectID {
		t.Error("object ids are not counted per container")
	}
	cdc := db.connect(t, "free", "c##cdc")
	cdc.want("CDB$ROOT|1", "select sys_context('userenv', 'con_name'), sys_context('userenv', 'con_id') from dual")
	cdc.exec("alter session set container = freepdb2")
	cdc.want("two", "select a from app.t")
	cdc.exec("alter session set container = \"CDB$ROOT\"")
	cdc.exec("alter session set container=FREEPDB1")
	cdc.exec("alter session set current_schema = app")
	cdc.want("1|C##CDC|APP", "select a, user, sys_context('userenv', 'current_schema') from t")
	one.exec("grant insert on t to c##cdc")
	cdc.exec("insert into t values (2)")
	cdc.refuse(65023, "alter session set container = freepdb2")
	cdc.exec("rollback")
	one.refuse(1031, "alter session set container = freepdb2")
	root := db.connect(t, "free", "system")
	root.refuse(65096, "create user x identified by y")
	root.exec("create user c##x identified by \"Secret\" container = all")
	root.exec("grant create session, select any table to c##x container = all")
	root.refuse(1917, "grant create session to nobody")
	if got, ok := db.Password("freepdb2", "c##x"); !ok || got != "Secret" {
		t.Errorf("password %q %v", got, ok)
	}
	root.exec("alter session set container = freepdb1")
	root.exec("create user x identified by y quota unlimited on users")
	root.exec("alter user x identified by z")
	root.refuse(1920, "create user x identified by y")
	if got, _ := db.Password("freepdb1", "x"); got != "z" {
		t.Errorf("password %q", got)
	}
	root.exec("drop user x cascade")
	root.refuse(1918, "drop user x")
	if n := len(db.Users(1)); n != 4 {
		t.Errorf("%d users in the root, want 4", n)
	}
}

func TestStateForViews(t *testing.T) {
	db := openDatabase(t)
	c := table(t, db)
	c.exec("insert into t (id) values (1)")
	tx := db.Transactions()
	start := db.log.records[len(db.log.records)-2]
	if len(tx) != 1 || tx[0].XID != start.XID || tx[0].StartSCN != start.SCN || tx[0].Container != 3 || tx[0].Origin.User != "APP" || !tx[0].StartTime.Equal(testTime) {
		t.Errorf("transactions %+v, START %+v", tx, start)
	}
	c.exec("begin dbms_application_info.set_module(module_name => 'cdc', action_name => 'mine'); end;")
	s := db.Sessions()
	if len(s) != 1 || s[0].SessionID != 2 || s[0].Serial != 102 || s[0].Module != "cdc" || s[0].Action != "mine" || s[0].Transaction != start.XID || s[0].Active {
		t.Errorf("sessions %+v", s)
	}
	c.exec("commit")
	if db.Sessions()[0].InTransaction {
		t.Error("still in a transaction")
	}
	db.SetSupplementalLogging(Logging{All: true})
	if !db.SupplementalLogging().All || len(db.Containers()) != 2 {
		t.Error("state is wrong")
	}
	if time.Since(s[0].Logon) < 0 {
		t.Error("log-on lies in the future")
	}
}

// Reference logminer F.6, R107: the rows of a CREATE TABLE AS SELECT are in its transaction, unless nothing is logged.
func TestR107CreateTableAsSelect(t *testing.T) {
	db := openDatabase(t)
	a := table(t, db)
	a.exec("insert into t (id, name) values (1, 'x')")
	a.exec("insert into t (id, name) values (2, 'y')")
	inserts := func(statement string) (own, others int) {
		t.Helper()
		n := len(db.log.records)
		a.exec(statement)
		recs := db.log.records[n:]
		var ddl *redo.Record
		for _, r := range recs {
			switch {
			case r.Op == redo.DDL:
				ddl = r
			case r.Op == redo.Insert && r.XID == ddl.XID && r.Table == ddl.Table:
				own++
			case r.Op == redo.Insert:
				others++
			}
		}
		return own, others
	}
	for _, c := range []struct {
		statement string
		want      int
	}{
		{"create table c1 as select * from t", 2},
		{"create table c2 nologging as select * from t where id = 1", 0},
		{"create table c3 as select * from t where id = 9", 0},
	} {
		if own, others := inserts(c.statement); own != c.want || others != 0 {
			t.Errorf("%s: %d rows, and %d of others", c.statement, own, others)
		}
	}
	a.want("1|x ; 2|y", "select id, name from c1 order by id")
	a.want("1", "select count(*) from c2")
	if err := db.log.SetWarts(redo.Warts{R107NoRows: true}); err != nil {
		t.Fatal(err)
	}
	if own, _ := inserts("create table c4 as select * from t"); own != 0 {
		t.Errorf("%d rows", own)
	}
	if err := db.log.SetWarts(redo.Warts{R93FailDDL: 1}); err != nil {
		t.Fatal(err)
	}
	n := len(db.log.records)
	a.refuse(30036, "create table c5 as select * from t")
	var ops []redo.Op
	for _, r := range db.log.records[n:] {
		ops = append(ops, r.Op)
	}
	if !slices.Equal(ops, []redo.Op{redo.Start, redo.DDL, redo.Insert, redo.Insert, redo.Delete, redo.Delete, redo.Rollback}) {
		t.Errorf("a failed one: %v", ops)
	}
	a.refuse(942, "select * from c5")
	// NOT NULL goes along, a primary key does not.
	a.exec("create table n (id number primary key, m number not null)")
	a.exec("create table o as select id, m from n")
	if l := layoutOf(t, db, "O"); !l.Columns[0].Nullable || l.Columns[1].Nullable {
		t.Errorf("columns %+v", l.Columns)
	}
}

// R133, reference logminer G.3: what FLASHBACK TABLE and PURGE do to the ids.
func TestRecycleBin(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	c.exec("create table t (id number)")
	c.exec("insert into t values (1)")
	first := layoutOf(t, db, "T")
	c.exec("drop table t")
	c.exec("create table t (id number)")
	c.exec("insert into t values (2)")
	second := layoutOf(t, db, "T")
	c.exec("drop table t")
	c.exec("flashback table t to before drop")
	if now := layoutOf(t, db, "T"); now.ObjectID != second.ObjectID || now.DataObjectID != second.DataObjectID || now.Dropped || now.Original != "" {
		t.Errorf("back: %+v", now)
	}
	c.want("2", "select id from t")
	c.exec("drop table t")
	c.exec("purge table t") // the one that was dropped first
	if _, ok := db.Table(3, first.ObjectID); ok {
		t.Error("the older table is still found")
	}
	bin := db.Recycled(3)
	if len(bin) != 1 || bin[0].ObjectID != second.ObjectID {
		t.Fatalf("recycle bin %+v", bin)
	}
	c.exec(`flashback table "` + bin[0].Name + `" to before drop rename to u`)
	c.want("2", "select id from u")
	c.exec("drop table u")
	c.exec("purge recyclebin")
	if _, ok := db.Table(3, second.ObjectID); ok || len(db.Recycled(3)) != 0 {
		t.Error("the recycle bin is not empty")
	}
}
