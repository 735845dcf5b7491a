package oracletest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// Options of START_LOGMNR (reference logminer A.2).
const (
	redoDictionary = 32 + 8 + 2048 + 64
	noTracking     = 32 + 2048 + 64
)

var madeNames = regexp.MustCompile(`BIN\$[^"|]+|OBJ# \d+`)

// mined reads all changes and DDL whose texts name one of the tables.
func (s *stage) mined(options int64, columns string, tables ...string) []string {
	s.t.Helper()
	s.start(options)
	return s.selected(columns, tables...)
}

func (s *stage) selected(columns string, tables ...string) []string {
	s.t.Helper()
	var kept []string
	for _, line := range s.mining.rows("SELECT " + columns + " FROM v$logmnr_contents WHERE operation_code IN (1, 2, 3, 5)") {
		for _, table := range tables {
			if strings.Contains(strings.ToUpper(line), strings.ToUpper(table)) {
				kept = append(kept, madeNames.ReplaceAllString(line, "…"))
				break
			}
		}
	}
	return kept
}

func wantRows(t *testing.T, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

// Reference logminer D.4, G.3, R41 to R43: rows from before a DDL as the online catalogue shows them.
func TestR41OlderRowsByTheOnlineCatalog(t *testing.T) {
	const first = `1|2|insert into "APP"."T9"("COL 1","COL 2","COL 3") values (HEXTORAW('c102'),HEXTORAW('78'),NULL)`
	named := func(a, b, c string) string {
		return `1|0|insert into "APP"."T9"("` + a + `","` + b + `","` + c + `") values ('1','x',NULL)`
	}
	for name, c := range map[string]struct {
		ddl   []string
		warts redo.Warts
		want  string
	}{
		"add":                         {ddl: []string{"ALTER TABLE t9 ADD (d DATE)"}, want: first},
		"drop the last":               {ddl: []string{"ALTER TABLE t9 DROP COLUMN c"}, want: first},
		"drop in the middle":          {ddl: []string{"ALTER TABLE t9 DROP COLUMN b"}, want: first},
		"set unused":                  {ddl: []string{"ALTER TABLE t9 SET UNUSED (b)"}, want: first},
		"unused, then dropped":        {ddl: []string{"ALTER TABLE t9 SET UNUSED (b)", "ALTER TABLE t9 DROP UNUSED COLUMNS"}, want: first},
		"trailing NULLs left out":     {ddl: []string{"ALTER TABLE t9 ADD (d DATE)"}, warts: redo.Warts{R46TrailingNulls: true}, want: `1|2|insert into "APP"."T9"("COL 1","COL 2") values (HEXTORAW('c102'),HEXTORAW('78'))`},
		"rename":                      {ddl: []string{"ALTER TABLE t9 RENAME COLUMN b TO z"}, want: first},
		"rename, by the new name":     {ddl: []string{"ALTER TABLE t9 RENAME COLUMN b TO z"}, warts: redo.Warts{R97NewNames: true}, want: named("A", "Z", "C")},
		"names swapped":               {ddl: []string{"ALTER TABLE t9 RENAME COLUMN a TO x", "ALTER TABLE t9 RENAME COLUMN c TO a", "ALTER TABLE t9 RENAME COLUMN x TO c"}, warts: redo.Warts{R97NewNames: true}, want: named("C", "B", "A")},
		"widen":                       {ddl: []string{"ALTER TABLE t9 MODIFY b VARCHAR2(50)"}, want: named("A", "B", "C")},
		"widen, by the version":       {ddl: []string{"ALTER TABLE t9 MODIFY b VARCHAR2(50)"}, warts: redo.Warts{R41AnyVersion: true}, want: first},
		"virtual":                     {ddl: []string{"ALTER TABLE t9 ADD (v AS (a + 1))"}, want: named("A", "B", "C")},
		"invisible":                   {ddl: []string{"ALTER TABLE t9 MODIFY b INVISIBLE"}, want: named("A", "B", "C")},
		"move, truncate, constraints": {ddl: []string{"ALTER TABLE t9 MOVE", "ALTER TABLE t9 ADD UNIQUE (a)", "TRUNCATE TABLE t9"}, want: named("A", "B", "C")},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, Config{Warts: c.warts})
			app := s.app()
			app.do("CREATE TABLE t9 (a NUMBER, b VARCHAR2(9), c NUMBER)")
			app.do("INSERT INTO t9 VALUES (1, 'x', NULL)")
			app.do("COMMIT")
			for _, text := range c.ddl {
				app.do(text)
			}
			var got []string
			for _, line := range s.mined(captureOptions, "operation_code, status, sql_redo", "t9") {
				if strings.HasPrefix(line, "1|") {
					got = append(got, line)
				}
			}
			wantRows(t, got, c.want)
		})
	}
}

// R42, D.1: rows of the newest layout name what is stored: guard and invisible columns, no virtual ones.
func TestR42RowsWithHiddenColumns(t *testing.T) {
	s := newStage(t, Config{})
	app := s.app()
	for _, text := range []string{
		"CREATE TABLE t9 (a NUMBER, v AS (a * 2), i NUMBER INVISIBLE, u NUMBER)", "ALTER TABLE t9 ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS",
		"ALTER TABLE t9 ADD (d NUMBER DEFAULT 7)", "ALTER TABLE t9 SET UNUSED (u)", "INSERT INTO t9 (a, i) VALUES (1, 3)", "UPDATE t9 SET a = 2", "DELETE FROM t9",
	} {
		app.do(text)
	}
	changes := func() []string { return s.mined(captureOptions, "status, sql_redo", `"T9"`) }
	wantRows(t, changes(),
		`0|insert into "APP"."T9"("A","I","D","SYS_NC00006$") values ('1','3','7',HEXTORAW('01'))`,
		`0|update "APP"."T9" set "A" = '2' where "A" = '1' and "I" = '3' and "D" = '7' and "SYS_NC00006$" = HEXTORAW('01')`,
		`0|delete from "APP"."T9" where "A" = '2' and "I" = '3' and "D" = '7' and "SYS_NC00006$" = HEXTORAW('01')`,
	)
	if err := s.server.SetWarts(redo.Warts{R43UnusedNamed: true}); err != nil {
		t.Fatal(err)
	}
	if got := changes()[0]; !strings.Contains(got, `("A","I","SYS_C00004_26022813:45:59$","D","SYS_NC00006$") values ('1','3',NULL,'7',HEXTORAW('01'))`) {
		t.Error(got)
	}
	app.do("ALTER TABLE t9 DROP UNUSED COLUMNS")
	wantRows(t, changes()[:1],
		`2|insert into "APP"."T9"("COL 1","COL 2","COL 3","COL 4","COL 5") values (HEXTORAW('c102'),HEXTORAW('c104'),NULL,HEXTORAW('c108'),HEXTORAW('01'))`)
}

// R93: a DDL that is rolled back has a row all the same, and changes nothing.
func TestR93DDLRolledBack(t *testing.T) {
	s := newStage(t, Config{})
	app := s.app()
	app.do("CREATE TABLE t9 (a NUMBER)")
	if err := s.server.SetWarts(redo.Warts{R93FailDDL: 1}); err != nil {
		t.Fatal(err)
	}
	app.fail(30036, "ALTER TABLE t9 ADD (b NUMBER)")
	app.do("INSERT INTO t9 VALUES (1)")
	app.do("ALTER TABLE t9 ADD (b NUMBER)")
	s.start(captureOptions)
	var got []string
	for _, line := range s.mining.rows("SELECT operation, sql_redo, info FROM v$logmnr_contents WHERE src_con_name = 'FREEPDB1'") {
		got = append(got, strings.TrimSuffix(line, "|"))
	}
	wantRows(t, got[3:],
		"START|set transaction read write|-", "DDL|ALTER TABLE t9 ADD (b NUMBER)|USER DDL (PlSql=0 RecDep=0)", "ROLLBACK|rollback|-",
		"START|set transaction read write|-", `INSERT|insert into "APP"."T9"("COL 1") values (HEXTORAW('c102'))|-`, "COMMIT|commit|-",
		"START|set transaction read write|-", "DDL|ALTER TABLE t9 ADD (b NUMBER)|USER DDL (PlSql=0 RecDep=0)", "COMMIT|commit|-")
}

// Reference logminer G.3, G.4: with a dictionary from the redo and tracking every row has the names of its moment.
func TestR45RedoDictionaryWithTracking(t *testing.T) {
	s := newStage(t, Config{Warts: redo.Warts{R45BuildLogs: 2}})
	app := s.app()
	for _, text := range []string{"CREATE TABLE t9 (a NUMBER, b NUMBER)", "CREATE TABLE g9 (a NUMBER)"} {
		app.do(text)
	}
	s.mining.do("BEGIN DBMS_LOGMNR_D.BUILD(OPTIONS => DBMS_LOGMNR_D.STORE_IN_REDO_LOGS); END;")
	wantRows(t, s.mining.rows("SELECT dictionary_begin, dictionary_end FROM v$archived_log ORDER BY sequence#"), "YES|NO", "NO|NO", "NO|YES")
	for _, text := range []string{
		"INSERT INTO t9 VALUES (1, 2)", "ALTER TABLE t9 ADD (c NUMBER)", "INSERT INTO t9 VALUES (3, 4, 5)", "ALTER TABLE t9 DROP COLUMN a",
		"INSERT INTO t9 VALUES (6, 7)", "ALTER TABLE t9 RENAME COLUMN b TO z", "ALTER TABLE t9 RENAME TO u9", "INSERT INTO u9 VALUES (8, 9)",
		"INSERT INTO g9 VALUES (1)", "DROP TABLE g9 PURGE", "CREATE TABLE n9 (a NUMBER)", "INSERT INTO n9 VALUES (1)", "COMMIT",
	} {
		app.do(text)
	}
	tables := []string{`"T9"`, `"U9"`, `"G9"`, `"N9"`, "OBJ#"}
	wantRows(t, s.mined(redoDictionary, "status, info, sql_redo", tables...),
		`0|-|insert into "APP"."T9"("A","B") values ('1','2')`,
		`0|-|insert into "APP"."T9"("A","B","C") values ('3','4','5')`,
		`0|-|insert into "APP"."T9"("B","C") values ('6','7')`,
		`0|-|insert into "APP"."U9"("Z","C") values ('8','9')`,
		`0|-|insert into "APP"."G9"("A") values ('1')`,
		`0|-|insert into "APP"."N9"("A") values ('1')`)
	wantRows(t, s.mined(noTracking, "status, info, sql_redo", tables...),
		`0|-|insert into "APP"."T9"("A","B") values ('1','2')`,
		`2|Dictionary Mismatch|insert into "APP"."T9"("COL 1","COL 2","COL 3") values (HEXTORAW('c104'),HEXTORAW('c105'),HEXTORAW('c106'))`,
		`2|Dictionary Mismatch|insert into "APP"."T9"("COL 1","COL 2") values (HEXTORAW('c107'),HEXTORAW('c108'))`,
		`2|Dictionary Mismatch|insert into "APP"."T9"("COL 1","COL 2") values (HEXTORAW('c109'),HEXTORAW('c10a'))`,
		`0|-|insert into "APP"."G9"("A") values ('1')`,
		`2|Dictionary Mismatch|insert into "UNKNOWN"."…"("COL 1") values (HEXTORAW('c102'))`)
	wantRows(t, s.mining.rows("SELECT dictionary_begin, dictionary_end FROM v$logmnr_logs"), "YES|NO", "NO|NO", "NO|YES", "NO|NO")
}

// R93 with R45: what was rolled back is not tracked either.
func TestR45TrackingForgetsDDLThatIsRolledBack(t *testing.T) {
	s := newStage(t, Config{})
	app := s.app()
	app.do("CREATE TABLE t9 (a NUMBER)")
	s.mining.do("BEGIN DBMS_LOGMNR_D.BUILD(OPTIONS => 2); END;")
	if err := s.server.SetWarts(redo.Warts{R93FailDDL: 1}); err != nil {
		t.Fatal(err)
	}
	app.fail(30036, "ALTER TABLE t9 ADD (b NUMBER)")
	app.do("ALTER TABLE t9 ADD (c NUMBER)")
	app.do("INSERT INTO t9 VALUES (1, 2)")
	app.do("COMMIT")
	wantRows(t, s.mined(redoDictionary, "status, sql_redo", `"T9"`), `0|insert into "APP"."T9"("A","C") values ('1','2')`)
}

// Reference logminer G.4: the errors of a dictionary from the redo.
func TestR45BuildsThatCannotBeUsed(t *testing.T) {
	s := newStage(t, Config{Warts: redo.Warts{R45BuildBlocked: 1, R45BuildLogs: 2}})
	app := s.app()
	start := func(from string) string {
		return "BEGIN SYS.DBMS_LOGMNR.START_LOGMNR(STARTSCN => " + from + fmt.Sprintf(", OPTIONS => %d); END;", redoDictionary)
	}
	build := "BEGIN SYS.DBMS_LOGMNR_D.BUILD(OPTIONS => SYS.DBMS_LOGMNR_D.STORE_IN_REDO_LOGS); END;"
	before := s.mining.rows("SELECT current_scn FROM v$database")[0]
	app.do("CREATE TABLE first (a NUMBER)")
	s.start(captureOptions)
	s.mining.fail(1333, start("0"))
	s.mining.fail(1327, build)
	s.mining.fail(44613, "BEGIN DBMS_LOGMNR_D.BUILD('dict.ora', '/tmp'); END;")
	app.fail(6550, build) // without EXECUTE
	pdb := s.open("FREEPDB1", CaptureUser)
	pdb.do(build) // it runs, and nothing shows it
	wantRows(t, s.mining.rows("SELECT COUNT(*) FROM v$archived_log"), "0")
	pdb.fail(1371, start("0"))
	s.mining.do(build)
	s.start(captureOptions)
	s.mining.do(start("0"))
	s.mining.fail(1321, start(before))
	end := s.mining.rows("SELECT name FROM v$archived_log WHERE dictionary_end = 'YES'")[0]
	s.mining.do("BEGIN DBMS_LOGMNR.REMOVE_LOGFILE('" + end + "'); END;")
	s.mining.fail(1371, start("0"))
	s.mining.do("BEGIN DBMS_LOGMNR.ADD_LOGFILE('" + end + "'); END;")
	now := s.mining.rows("SELECT current_scn FROM v$database")[0]
	if err := s.server.SwitchLogfile(t.Context()); err != nil {
		t.Fatal(err)
	}
	app.do("CREATE TABLE t9 (a NUMBER)")
	if err := s.server.SwitchLogfile(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.start(captureOptions)
	s.mining.do(start(now))
	gap := s.mining.rows("SELECT MAX(name) FROM v$archived_log")[0]
	s.mining.do("BEGIN DBMS_LOGMNR.REMOVE_LOGFILE('" + gap + "'); END;")
	later := s.mining.rows("SELECT current_scn FROM v$database")[0]
	s.mining.fail(1291, start(later))
	s.open("FREE", SystemUser).do("ALTER DATABASE DROP SUPPLEMENTAL LOG DATA")
	s.mining.fail(1354, build)
	app.do("ALTER TABLE t9 ADD (b NUMBER)")
	s.start(captureOptions)
	s.mining.do(start(now))
	if _, err := s.mining.tryRows("SELECT sql_redo FROM v$logmnr_contents"); oraCode(err) != 1347 {
		t.Errorf("a DDL without supplemental logging: %v, want ORA-01347", err)
	}
}

// Reference logminer B.6, G.2, O scene 7, R103, R104: rows of partitions have the ids of their segments and the name of the table.
func TestR103RowsOfPartitions(t *testing.T) {
	s := newStage(t, Config{})
	app := s.app()
	for _, text := range []string{
		"CREATE TABLE t9 (k NUMBER) PARTITION BY RANGE (k) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))",
		"INSERT INTO t9 VALUES (1)", "INSERT INTO t9 VALUES (11)", "ALTER TABLE t9 SPLIT PARTITION p2 AT (15) INTO (PARTITION p2a, PARTITION p2b)",
		"INSERT INTO t9 VALUES (16)", "ALTER TABLE t9 TRUNCATE PARTITION p1", "INSERT INTO t9 VALUES (2)",
		"CREATE TABLE i9 (k NUMBER) PARTITION BY RANGE (k) INTERVAL (10) (PARTITION p VALUES LESS THAN (10))", "INSERT INTO i9 VALUES (25)", "COMMIT",
	} {
		app.do(text)
	}
	objects := make(map[string]string)
	for _, line := range s.mining.rows("SELECT object_name || '.' || subobject_name, object_id, data_object_id FROM cdb_objects WHERE object_type LIKE 'TABLE%'") {
		name, ids, _ := strings.Cut(line, "|")
		objects[name] = ids
	}
	if len(objects) != 7 || !strings.HasSuffix(objects["T9."], "|-") {
		t.Fatalf("objects %v", objects)
	}
	wantRows(t, s.mining.rows("SELECT table_name, partition_name, high_value, partition_position, interval FROM cdb_tab_partitions ORDER BY 1, 4"),
		"I9|P|10|1|NO", "I9|SYS_P81|30|2|YES", "T9|P1|10|1|NO", "T9|P2A|15|2|NO", "T9|P2B|20|3|NO")
	wantRows(t, s.mining.rows("SELECT table_name, partitioned FROM cdb_tables ORDER BY 1"), "I9|YES", "T9|YES")
	s.start(captureOptions)
	var got []string
	var ids [][2]string
	for _, line := range s.mining.rows("SELECT data_obj#, data_objd#, status, seg_owner, table_name, seg_name, seg_type_name, info, sql_redo FROM v$logmnr_contents" +
		" WHERE operation_code IN (1, 5)") {
		cells := strings.SplitN(line, "|", 3)
		ids = append(ids, [2]string{cells[0], cells[1]})
		if strings.Contains(cells[2], "insert") || strings.Contains(cells[2], "INTERNAL") {
			got = append(got, madeNames.ReplaceAllString(cells[2], "…"))
		}
	}
	wantRows(t, got,
		`0|APP|T9|T9,P1|TABLE PARTITION|-|insert into "APP"."T9"("K") values ('1')`,
		`2|UNKNOWN|-|…|TABLE PARTITION|-|insert into "UNKNOWN"."…"("COL 1") values (HEXTORAW('c10c'))`,
		`0|APP|T9|T9,P2B|TABLE PARTITION|-|insert into "APP"."T9"("K") values ('16')`,
		`0|APP|T9|T9,P1|TABLE PARTITION|-|insert into "APP"."T9"("K") values ('2')`,
		`0|APP|I9|I9|TABLE|INTERNAL DDL (PlSql=0 RecDep=1)|ALTER TABLE "APP"."I9" ADD PARTITION "SYS_P81" VALUES LESS THAN (30)`,
		`0|APP|I9|I9,SYS_P81|TABLE PARTITION|-|insert into "APP"."I9"("K") values ('25')`)
	if last := ids[len(ids)-1]; last[0]+"|"+last[1] != objects["I9.SYS_P81"] {
		t.Errorf("row of the interval partition %v, objects %v", last, objects)
	}
	if p1 := ids[6]; p1[0]+"|"+p1[1] != objects["T9.P1"] || ids[1][0] != p1[0] || ids[1][1] == p1[1] {
		t.Errorf("rows of P1 %v and %v, objects %v", ids[1], p1, objects)
	}
}

// R45 with partitions: a dictionary from the redo names rows of segments that are no more, and of those that an insert made without a
// DDL row.
func TestR45PartitionsByTheRedoDictionary(t *testing.T) {
	s := newStage(t, Config{Warts: redo.Warts{R103NoInternalDDL: true}})
	app := s.app()
	app.do("CREATE TABLE t9 (k NUMBER) PARTITION BY RANGE (k) INTERVAL (10) (PARTITION p1 VALUES LESS THAN (10), PARTITION p2 VALUES LESS THAN (20))")
	s.mining.do("BEGIN DBMS_LOGMNR_D.BUILD(OPTIONS => 2); END;")
	for _, text := range []string{"INSERT INTO t9 VALUES (1)", "INSERT INTO t9 VALUES (35)", "COMMIT", "ALTER TABLE t9 DROP PARTITION p1", "INSERT INTO t9 VALUES (2)", "COMMIT"} {
		app.do(text)
	}
	wantRows(t, s.mined(redoDictionary, "status, seg_name, sql_redo", "insert"),
		`0|T9,P1|insert into "APP"."T9"("K") values ('1')`, `0|T9,SYS_P81|insert into "APP"."T9"("K") values ('35')`, `0|T9,P2|insert into "APP"."T9"("K") values ('2')`)
}

// Reference logminer D.4: the bytes of every type in rows that are older than a DDL, through storage and redo.
func TestD4BytesOfEveryType(t *testing.T) {
	s := newStage(t, Config{})
	app := s.app()
	app.do(`CREATE TABLE t9 (a NUMBER, b NUMBER, c NUMBER, d VARCHAR2(9), e CHAR(3), f NVARCHAR2(9), g DATE, h TIMESTAMP(6), i TIMESTAMP(0),
		j TIMESTAMP(3) WITH TIME ZONE, k INTERVAL YEAR(4) TO MONTH, l INTERVAL DAY(5) TO SECOND(6), m BINARY_FLOAT, n BINARY_DOUBLE, o RAW(4), p NUMBER)`)
	app.do(`INSERT INTO t9 VALUES (8, 0, -0.1828, 'thanks', 'x', N'nä', DATE '2026-02-28' + (13*3600+45*60+59)/86400, TIMESTAMP '2026-02-28 13:45:59.123456',
		TIMESTAMP '2026-02-28 13:45:59', TIMESTAMP '2026-03-29 01:30:00.5 +05:30', INTERVAL '12-3' YEAR TO MONTH, INTERVAL '5 04:03:02.123456' DAY TO SECOND,
		0, TO_BINARY_DOUBLE('-Inf'), HEXTORAW('00ff'), NULL)`)
	app.do("ALTER TABLE t9 ADD (z NUMBER)")
	bytes := []string{
		"c109", "80", "3f534966", "7468616e6b73", "782020", "006e00e4", "787e021c0e2e3c", "787e021c0e2e3c075bca00", "787e021c0e2e3c",
		"787e031c1501011dcd6500195a", "8000000c3f", "80000005403f3e875bca00", "80000000", "000fffffffffffff", "00ff",
	}
	var names, values []string
	for i := range len(bytes) + 1 {
		names = append(names, fmt.Sprintf(`"COL %d"`, i+1))
		if i < len(bytes) {
			values = append(values, "HEXTORAW('"+bytes[i]+"')")
		}
	}
	wantRows(t, s.mined(captureOptions, "status, sql_redo", `"T9"`),
		`2|insert into "APP"."T9"(`+strings.Join(names, ",")+`) values (`+strings.Join(values, ",")+`,NULL)`)
}

// R46: NULLs at the end of generic rows may be missing, in old images too.
func TestR46TrailingNulls(t *testing.T) {
	s := newStage(t, Config{Warts: redo.Warts{R46TrailingNulls: true}})
	app := s.app()
	for _, text := range []string{
		"CREATE TABLE t9 (a NUMBER, b NUMBER, c NUMBER)", "ALTER TABLE t9 ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS", "INSERT INTO t9 (b) VALUES (1)",
		"UPDATE t9 SET c = NULL, a = 2", "UPDATE t9 SET c = 3", "DELETE FROM t9", "ALTER TABLE t9 ADD (d NUMBER)", "INSERT INTO t9 VALUES (1, NULL, NULL, NULL)",
	} {
		app.do(text)
	}
	wantRows(t, s.mined(captureOptions, "status, sql_redo", `"T9"`),
		`2|insert into "APP"."T9"("COL 1","COL 2") values (NULL,HEXTORAW('c102'))`,
		`2|update "APP"."T9" set "COL 1" = HEXTORAW('c103'), "COL 3" = NULL where "COL 1" IS NULL and "COL 2" = HEXTORAW('c102')`,
		`2|update "APP"."T9" set "COL 3" = HEXTORAW('c104') where "COL 1" = HEXTORAW('c103') and "COL 2" = HEXTORAW('c102')`,
		`2|delete from "APP"."T9" where "COL 1" = HEXTORAW('c103') and "COL 2" = HEXTORAW('c102') and "COL 3" = HEXTORAW('c104')`,
		`0|insert into "APP"."T9"("A","B","C","D") values ('1',NULL,NULL,NULL)`)
}

// R111, reference logminer G.1: a DDL of more than 4000 bytes comes in pieces, its text unchanged.
func TestR111LongDDLInPieces(t *testing.T) {
	s := newStage(t, Config{})
	app := s.app()
	long := "  alter table T9 add (\n    note VARCHAR2(50) /* " + strings.Repeat("ü", 3000) + " */\n  )"
	app.do("CREATE TABLE t9 (a NUMBER)")
	app.do(long)
	s.start(captureOptions)
	var text strings.Builder
	var marks []string
	for _, line := range s.mining.rows("SELECT csf, table_name, info, sql_redo FROM v$logmnr_contents WHERE operation_code = 5 AND sql_redo NOT LIKE 'CREATE%'") {
		cells := strings.SplitN(line, "|", 4)
		marks = append(marks, strings.Join(cells[:3], "|"))
		text.WriteString(cells[3])
	}
	wantRows(t, marks, "1|T9|USER DDL (PlSql=0 RecDep=0)", "0|T9|USER DDL (PlSql=0 RecDep=0)")
	if text.String() != long {
		t.Errorf("text of %d bytes, want %d", text.Len(), len(long))
	}
}

// COMMITTED_DATA_ONLY pairs an undo row with its change though the layout of the table is another one by then: a DDL that does not wait
// came in between, or the transaction itself has made a partition.
func TestCommittedDataOnlyAcrossDDL(t *testing.T) {
	s := newStage(t, Config{})
	app, other := s.app(), s.app()
	app.do("CREATE TABLE t9 (a NUMBER) PARTITION BY RANGE (a) INTERVAL (10) (PARTITION p VALUES LESS THAN (10))")
	app.do("SAVEPOINT s")
	app.do("INSERT INTO t9 VALUES (1)")
	app.do("INSERT INTO t9 VALUES (35)")
	other.do("ALTER TABLE t9 ADD (b NUMBER)")
	app.do("ROLLBACK TO s")
	app.do("INSERT INTO t9 VALUES (2, 3)")
	app.do("COMMIT")
	wantRows(t, s.mined(captureOptions|committedDataOnly, "sql_redo", "insert"), `insert into "APP"."T9"("A","B") values ('2','3')`)
}
