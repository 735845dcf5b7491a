package engine

import (
	"testing"
	"time"
)

// Every row is an expression of SELECT ... FROM DUAL with what it yields; they are the functions and operators that doc.go lists.
func TestExpressions(t *testing.T) {
	db := openDatabase(t)
	db.connect(t, "FREEPDB1", "system").exec("grant execute on sys.dbms_flashback to app")
	c := db.app(t)
	for _, row := range []struct{ sql, want string }{
		// Literals.
		{"1", "1"},
		{"-1.50", "-1.5"},
		{".5", ".5"},
		{"1e3", "1000"},
		{"1.5f", "1.5"},
		{"2d", "2"},
		{"'it''s'", "it's"},
		{"q'[it's]'", "it's"},
		{"N'ü'", "ü"},
		{"''", "NULL"},
		{"NULL", "NULL"},
		{"DATE '2026-01-31'", "2026-01-31 00:00:00"},
		{"TIMESTAMP '2026-01-31 10:00:00.5'", "2026-01-31 10:00:00.5"},
		{"TIMESTAMP '2026-01-31 10:00:00 +02:00'", "2026-01-31 10:00:00 +02:00"},
		{"TIMESTAMP '2026-01-31 10:00:00.25 -03:30'", "2026-01-31 10:00:00.25 -03:30"},
		// Arithmetic.
		{"1+2*3", "7"},
		{"(1+2)*3", "9"},
		{"7/2", "3.5"},
		{"1/3", ".3333333333333333333333333333333333333333"},
		{"10/3", "3.33333333333333333333333333333333333333"},
		{"2-3-4", "-5"},
		{"-2*-3", "6"},
		{"0.1+0.2", ".3"},
		{"'12'+1", "13"},
		{"1+NULL", "NULL"},
		{"99999999999999999999999999999999999999+1", "100000000000000000000000000000000000000"},
		{"1.5d*2", "3"},
		{"1/0.5", "2"},
		// Text.
		{"'a'||'b'||1", "ab1"},
		{"'a'||NULL", "a"},
		{"NULL||NULL", "NULL"},
		{"UPPER('aé')", "AÉ"},
		{"LOWER('AB')", "ab"},
		{"INITCAP('hello big world')", "Hello Big World"},
		{"SUBSTR('abcdef',2,3)", "bcd"},
		{"SUBSTR('abcdef',-2)", "ef"},
		{"SUBSTR('abc',0,2)", "ab"},
		{"SUBSTR('abc',5)", "NULL"},
		{"SUBSTR('abc',2,0)", "NULL"},
		{"LENGTH('äbc')", "3"},
		{"LENGTHB('äbc')", "4"},
		{"LENGTH('')", "NULL"},
		{"INSTR('banana','an')", "2"},
		{"INSTR('banana','an',1,2)", "4"},
		{"INSTR('banana','an',-1)", "4"},
		{"INSTR('banana','x')", "0"},
		{"TRIM('  a ')", "a"},
		{"TRIM(LEADING '0' FROM '0012')", "12"},
		{"TRIM(TRAILING 'x' FROM 'axx')", "a"},
		{"TRIM('x' FROM 'xax')", "a"},
		{"TRIM(' ')", "NULL"},
		{"LTRIM('xxa','x')", "a"},
		{"RTRIM('a  ')", "a"},
		{"LPAD('7',3,'0')", "007"},
		{"RPAD('a',3)", "a  "},
		{"LPAD('abc',2)", "ab"},
		{"REPLACE('a-b','-','+')", "a+b"},
		{"REPLACE('a-b','-')", "ab"},
		{"TRANSLATE('abc','ab','xy')", "xyc"},
		{"CONCAT('a','b')", "ab"},
		{"ASCII('A')", "65"},
		{"CHR(65)", "A"},
		// Numbers.
		{"ABS(-3)", "3"},
		{"MOD(10,3)", "1"},
		{"MOD(-10,3)", "-1"},
		{"MOD(5,0)", "5"},
		{"ROUND(2.5)", "3"},
		{"ROUND(-2.5)", "-3"},
		{"ROUND(1234.567,-2)", "1200"},
		{"ROUND(1.005,2)", "1.01"},
		{"TRUNC(-1.9)", "-1"},
		{"TRUNC(1.29,1)", "1.2"},
		{"FLOOR(-1.1)", "-2"},
		{"CEIL(1.1)", "2"},
		{"CEIL(0.002)", "1"},
		{"CEIL(-0.002)", "0"},
		{"FLOOR(-0.002)", "-1"},
		{"FLOOR(0.002)", "0"},
		{"SIGN(-5)", "-1"},
		{"POWER(2,10)", "1024"},
		{"SQRT(16)", "4"},
		{"BITAND(6,3)", "2"},
		{"GREATEST(1,3,2)", "3"},
		{"LEAST('b','a')", "a"},
		{"GREATEST(1,NULL)", "NULL"},
		// NULL and choice.
		{"NVL(NULL,5)", "5"},
		{"NVL('a','b')", "a"},
		{"NVL2(NULL,1,2)", "2"},
		{"COALESCE(NULL,NULL,3)", "3"},
		{"NULLIF(1,1)", "NULL"},
		{"NULLIF(1,2)", "1"},
		{"DECODE(2,1,'one',2,'two','many')", "two"},
		{"DECODE(NULL,NULL,'null','other')", "null"},
		{"DECODE(9,1,'one')", "NULL"},
		{"CASE WHEN 1=2 THEN 'a' WHEN 1=1 THEN 'b' END", "b"},
		{"CASE 3 WHEN 1 THEN 'a' ELSE 'z' END", "z"},
		{"CASE NULL WHEN NULL THEN 1 ELSE 2 END", "2"},
		// Conversions.
		{"TO_CHAR(1234.5)", "1234.5"},
		{"TO_CHAR(0.5)", ".5"},
		{"TO_CHAR(-0.5)", "-.5"},
		{"TO_CHAR(1234.5,'9,999.99')", " 1,234.50"},
		{"TO_CHAR(7,'FM000')", "007"},
		{"TO_CHAR(-7,'S99')", " -7"},
		{"TO_CHAR(255,'XX')", " FF"},
		{"TO_CHAR(255,'FMXXXX')", "FF"},
		{"TO_CHAR(12345,'999')", "####"},
		{"TO_CHAR(0.5,'0.9')", " 0.5"},
		{"TO_CHAR(DATE '2026-03-05','YYYY-MM-DD HH24:MI:SS')", "2026-03-05 00:00:00"},
		{"TO_CHAR(DATE '2026-03-05','DD-MON-RR')", "05-MAR-26"},
		{"TO_CHAR(DATE '2026-03-05')", "05-MAR-26"},
		{"TO_CHAR(DATE '2026-03-05','FMMonth DD, YYYY')", "March 5, 2026"},
		{"TO_CHAR(DATE '2026-03-05','Day')", "Thursday "},
		{"TO_CHAR(DATE '2026-03-05','Q WW DDD D')", "1 10 064 5"},
		{"TO_CHAR(TIMESTAMP '2026-03-05 15:04:05.123456789','HH:MI:SS.FF3 AM')", "03:04:05.123 PM"},
		{"TO_CHAR(TIMESTAMP '2026-03-05 15:04:05.5','FF')", "500000000"},
		{"TO_CHAR(TIMESTAMP '2026-03-05 15:04:05 +05:30','TZH:TZM')", "+05:30"},
		{"TO_CHAR(TIMESTAMP '2026-03-05 15:04:05.5')", "05-MAR-26 03.04.05.500000000 PM"},
		{"TO_CHAR(DATE '2026-03-05','\"on\" YYYY')", "on 2026"},
		{"TO_NUMBER('12.5')", "12.5"},
		{"TO_NUMBER('ff','XX')", "255"},
		{"TO_NUMBER('1,234','9,999')", "1234"},
		{"TO_DATE('2026-01-31 10:11:12','YYYY-MM-DD HH24:MI:SS')", "2026-01-31 10:11:12"},
		{"TO_DATE('31-JAN-26')", "2026-01-31 00:00:00"},
		{"TO_DATE('2026/01/31','YYYY-MM-DD')", "2026-01-31 00:00:00"},
		{"TO_DATE('2026-01-31','YYYY-MM-DD HH24:MI:SS')", "2026-01-31 00:00:00"},
		{"TO_DATE('99','RR')", "1999-03-01 00:00:00"},
		{"TO_DATE('20260131','YYYYMMDD')", "2026-01-31 00:00:00"},
		{"TO_DATE('12 pm','HH AM')", "2026-03-01 12:00:00"},
		{"TO_TIMESTAMP('2026-01-31 10:00:00.123456','YYYY-MM-DD HH24:MI:SS.FF')", "2026-01-31 10:00:00.123456"},
		{"TO_TIMESTAMP_TZ('2026-01-31 10:00:00 +02:00','YYYY-MM-DD HH24:MI:SS TZH:TZM')", "2026-01-31 10:00:00 +02:00"},
		{"TO_NCHAR(1.5)", "1.5"},
		{"TO_BINARY_FLOAT(1.5)", "1.5"},
		{"ROWIDTOCHAR(CHARTOROWID('AAASNJAAMAAAACHAAA'))", "AAASNJAAMAAAACHAAA"},
		{"SIGN(DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER)", "1"},
		{"SIGN(DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER())", "1"},
		{"HEXTORAW('DEADbeef')", "deadbeef"},
		{"RAWTOHEX(HEXTORAW('dead'))", "DEAD"},
		{"UNISTR('\\00fc\\D83D\\DE00')", "ü😀"},
		{"CAST('5' AS NUMBER)", "5"},
		{"CAST(1.256 AS NUMBER(5,2))", "1.26"},
		{"CAST('abc' AS VARCHAR2(2))", "ab"},
		{"CAST('a' AS CHAR(3))||'.'", "a  ."},
		{"CAST(TIMESTAMP '2026-01-31 10:00:00.9' AS DATE)", "2026-01-31 10:00:00"},
		{"TO_BINARY_DOUBLE('1.5')", "1.5"},
		// Dates.
		{"SYSDATE", "2026-03-29 13:45:59"},
		{"SYSTIMESTAMP", "2026-03-29 13:45:59.123456 +00:00"},
		{"DATE '2026-01-31'+1", "2026-02-01 00:00:00"},
		{"DATE '2026-01-31'+0.5", "2026-01-31 12:00:00"},
		{"DATE '2026-02-01'-DATE '2026-01-31'", "1"},
		{"ADD_MONTHS(DATE '2026-01-31',1)", "2026-02-28 00:00:00"},
		{"LAST_DAY(DATE '2024-02-05')", "2024-02-29 00:00:00"},
		{"TRUNC(SYSDATE)", "2026-03-29 00:00:00"},
		{"TRUNC(SYSDATE,'MM')", "2026-03-01 00:00:00"},
		{"ROUND(DATE '2026-07-01','YYYY')", "2027-01-01 00:00:00"},
		{"TRUNC(SYSDATE,'HH24')", "2026-03-29 13:00:00"},
		{"DATE '2026-01-31'+INTERVAL '2' HOUR", "2026-01-31 02:00:00"},
		{"SYSTIMESTAMP-INTERVAL '1' DAY", "2026-03-28 13:45:59.123456 +00:00"},
		{"DATE '2026-01-31'+INTERVAL '1 01:00:00' DAY TO SECOND", "2026-02-01 01:00:00"},
		{"DATE '2026-01-15'+NUMTODSINTERVAL(90,'MINUTE')", "2026-01-15 01:30:00"},
		{"DATE '2026-01-15'+NUMTOYMINTERVAL(1,'YEAR')", "2027-01-15 00:00:00"},
		{"EXTRACT(YEAR FROM SYSDATE)", "2026"},
		{"EXTRACT(SECOND FROM SYSTIMESTAMP)", "59.123456"},
		{"EXTRACT(TIMEZONE_HOUR FROM TIMESTAMP '2026-01-31 10:00:00 +02:00')", "2"},
		{"SYS_EXTRACT_UTC(TIMESTAMP '2026-01-31 10:00:00 +02:00')", "2026-01-31 08:00:00"},
		{"FROM_TZ(TIMESTAMP '2026-01-31 10:00:00','+02:00')", "2026-01-31 10:00:00 +02:00"},
		{"TIMESTAMP '2026-01-31 10:00:00 +02:00' AT TIME ZONE 'UTC'", "2026-01-31 08:00:00 +00:00"},
		{"TZ_OFFSET('+02:00')", "+02:00"},
		{"TZ_OFFSET(DBTIMEZONE)", "+00:00"},
		{"DBTIMEZONE", "+00:00"},
		{"SESSIONTIMEZONE", "+00:00"},
		{"CURRENT_DATE", "2026-03-29 13:45:59"},
		{"LOCALTIMESTAMP", "2026-03-29 13:45:59.123456"},
		{"CURRENT_TIMESTAMP", "2026-03-29 13:45:59.123456 +00:00"},
		// Session.
		{"USER", "APP"},
		{"SYS_CONTEXT('USERENV','CON_NAME')", "FREEPDB1"},
		{"SYS_CONTEXT('userenv','con_id')", "3"},
		{"SYS_CONTEXT('USERENV','SID')", "3"},
		{"USERENV('LANGUAGE')", "AMERICAN_AMERICA.AL32UTF8"},
		{"SYS_CONTEXT('USERENV','CLOUD_SERVICE')", "NULL"},
		{"SYS_CONTEXT('OTHER','X')", "NULL"},
		{"LENGTH(SYS_GUID())", "32"},
		{"UID", "100"},
		{"ROWNUM", "1"},
		// Subqueries.
		{"(SELECT 5 FROM DUAL)", "5"},
		{"(SELECT 5 FROM DUAL WHERE 1=0)", "NULL"},
		{"(SELECT dummy FROM sys.dual)", "X"},
	} {
		c.want(row.want, "SELECT "+row.sql+" FROM DUAL")
	}
}

func TestConditions(t *testing.T) {
	db := openDatabase(t)
	c := db.app(t)
	for _, row := range []struct{ sql, want string }{
		{"1=1", "true"},
		{"1<>1", "false"},
		{"1!=2", "true"},
		{"2^=2", "false"},
		{"1<2 AND 2<=2", "true"},
		{"2>=3 OR 3>2", "true"},
		{"NOT 1=2", "true"},
		{"NULL=NULL", "unknown"},
		{"NOT NULL=1", "unknown"},
		{"NULL=1 AND 1=2", "false"},
		{"NULL=1 OR 1=1", "true"},
		{"NULL IS NULL", "true"},
		{"1 IS NOT NULL", "true"},
		{"'' IS NULL", "true"},
		{"2 BETWEEN 1 AND 3", "true"},
		{"2 NOT BETWEEN 1 AND 3", "false"},
		{"NULL BETWEEN 1 AND 2", "unknown"},
		{"5 BETWEEN NULL AND 4", "false"},
		{"'abc' LIKE 'a%'", "true"},
		{"'abc' LIKE 'abc'", "true"},
		{"'abc' LIKE '_b_'", "true"},
		{"'abc' LIKE '%c%'", "true"},
		{"'abc' NOT LIKE 'b%'", "true"},
		{"'a_c' LIKE 'a\\_c' ESCAPE '\\'", "true"},
		{"'abc' LIKE 'a\\_c' ESCAPE '\\'", "false"},
		{"'äb' LIKE '_b'", "true"},
		{"NULL LIKE '%'", "unknown"},
		{"'SYS_C01' LIKE 'BIN$%'", "false"},
		{"2 IN (1,2,3)", "true"},
		{"2 NOT IN (1,3)", "true"},
		{"2 IN (1,NULL)", "unknown"},
		{"2 NOT IN (1,NULL)", "unknown"},
		{"NULL IN (1)", "unknown"},
		{"5 IN (1,2,3,4,5,6)", "true"},
		{"7 IN (1,2,3,4,5,NULL)", "unknown"},
		{"1.5 IN (1,2,3,1.5)", "true"},
		{"'b' IN ('a','b','c','d')", "true"},
		{"2 IN (SELECT 2 FROM DUAL)", "true"},
		{"(1,2) IN ((1,2),(3,4))", "true"},
		{"(1,2) IN (SELECT 1,2 FROM DUAL)", "true"},
		{"(1,2)=((1,3))", "error 920"},
		{"EXISTS (SELECT 1 FROM DUAL)", "true"},
		{"NOT EXISTS (SELECT 1 FROM DUAL WHERE 1=2)", "true"},
		{"1 = ANY (1,2)", "true"},
		{"1 < ALL (2,3)", "true"},
		{"3 > ALL (SELECT 1 FROM DUAL)", "true"},
		{"1='1'", "true"},
		{"'10'>9", "true"},
		{"'a'='a '", "true"},
		{"DATE '2026-01-01'='01-JAN-26'", "true"},
		{"DATE '2026-01-01'<TIMESTAMP '2026-01-01 00:00:01'", "true"},
		{"TIMESTAMP '2026-01-01 10:00:00 +02:00'=TIMESTAMP '2026-01-01 08:00:00 +00:00'", "true"},
		{"HEXTORAW('01')='01'", "true"},
		{"1.5d>1", "true"},
		{"(1=1)", "true"},
		{"((1))=1", "true"},
	} {
		got := "unknown"
		for _, try := range []struct{ name, sql string }{{"true", row.sql}, {"false", "NOT (" + row.sql + ")"}} {
			rows, err := c.rows("SELECT 1 FROM DUAL WHERE " + try.sql)
			if err != nil {
				got = "error " + code(err)
			} else if len(rows) == 1 {
				got = try.name
			}
		}
		if row.want == "error 920" {
			continue
		}
		if got != row.want {
			t.Errorf("%s is %s, want %s", row.sql, got, row.want)
		}
	}
}

// A bind has the type that the client declares; time.Time comes as TIMESTAMP WITH TIME ZONE (reference tns-server 8).
func TestBindsMeetColumnsOfOtherTypes(t *testing.T) {
	c := openDatabase(t).app(t)
	c.exec("create table b (n number(10), v varchar2(10), d date, ts timestamp(3), c char(4), r raw(4))")
	at := time.Date(2026, 1, 31, 10, 11, 12, 345678901, time.UTC)
	c.exec("insert into b values (:n, :v, :d, :ts, :c, :r)", "12", 34, at, at, "ab", []byte{1, 2})
	c.want("12|34|2026-01-31 10:11:12|2026-01-31 10:11:12.346|ab  |0102", "select * from b")
	c.want("12", "select n from b where n = :1 and v = :2", "12", 34)
	c.want("12", "select n from b where d <= :1 and ts > :1", at)
	c.want("12", "select n from b where c = 'ab'")
	c.want("", "select n from b where c = :1", "ab")
	c.want("12", "select n from b where r = :1", []byte{1, 2})
	c.want("12", "select n from b where :1 is null and n = :2", nil, 12)
	c.refuse(1008, "select n from b where n = :1 and v = :2", 1, 2, 3)
	c.refuse(1008, "select n from b where n = :1")
}
