// Package engine is the database of the stand-in: sessions, and the execution of parsed SQL over the multi-version store
// (internal/store) with the values of internal/scalar. Every change goes into the redo stream before it is visible.
//
// What a query may read besides tables (V$ and dictionary views) and which PL/SQL procedures exist is told by the
// Views and Procedures that Extend gives it. It is called by the wire through wire.Backend and wire.Session, by views and
// logminer, which read its state, and by tests. It owns no goroutine; a session waits for row locks in its caller's.
//
// What it does not know it refuses with an ORA code and, where Oracle has the feature, its name (ORA-03001), never with a
// guess. Answers depend on language AMERICAN, territory AMERICA and binary sorting; other settings are refused.
//
// Privileges are checked as Oracle checks them: without any right to an object it does not exist (ORA-00942), with another right
// the one that is needed is missing (ORA-01031). Roles count from the next log-on or change of the container on. Who holds
// what at the start is in grantedAtStart.
//
// # Types of columns
//
//	NUMBER, NUMBER(p), NUMBER(p,s), NUMBER(*,s)        scale rounds half up; ORA-01438 beyond the precision
//	INTEGER, INT, SMALLINT, DECIMAL, NUMERIC           NUMBER with scale 0, or with what is given
//	FLOAT, FLOAT(b), REAL, DOUBLE PRECISION            NUMBER rounded to b binary digits
//	BINARY_FLOAT, BINARY_DOUBLE
//	VARCHAR2(n [BYTE|CHAR]), VARCHAR, NVARCHAR2(n)     the empty string is NULL; ORA-12899 beyond the length
//	CHAR[(n [BYTE|CHAR])], NCHAR[(n)]                  blank-padded
//	DATE
//	TIMESTAMP[(p)], ... WITH TIME ZONE, ... WITH LOCAL TIME ZONE   offsets; regions with daylight saving are refused
//	RAW(n)
//
// # SQL
//
//	CREATE TABLE    columns, DEFAULT, NOT NULL, PRIMARY KEY and UNIQUE in and out of line, storage clauses ignored
//	ALTER TABLE     ADD, MODIFY, DROP, RENAME COLUMN; ADD/DROP CONSTRAINT; RENAME TO; ADD/DROP SUPPLEMENTAL LOG DATA
//	DROP TABLE, TRUNCATE TABLE, CREATE [UNIQUE] INDEX, COMMENT ON
//	ALTER DATABASE ADD/DROP SUPPLEMENTAL LOG DATA; ALTER SYSTEM SWITCH LOGFILE, ARCHIVE LOG CURRENT
//	ALTER SESSION   SET of NLS parameters, TIME_ZONE, CONTAINER, CURRENT_SCHEMA
//	CREATE, ALTER, DROP USER; CREATE, DROP ROLE; GRANT, REVOKE of system privileges, roles and object privileges
//	INSERT          VALUES or a query; array binds share a redo record
//	UPDATE, DELETE  subqueries in SET and WHERE; waiting writers look at their rows again
//	SELECT          joins (comma, INNER, LEFT, RIGHT, FULL, CROSS, USING), WHERE, GROUP BY, HAVING, ORDER BY, DISTINCT,
//	                UNION [ALL], INTERSECT, MINUS, WITH, OFFSET and FETCH FIRST, ROWNUM, ROWID, ORA_ROWSCN, AS OF SCN,
//	                FOR UPDATE [NOWAIT|WAIT n], subqueries: scalar, IN, EXISTS, ANY, ALL, in FROM; correlated too
//	COMMIT, ROLLBACK [TO SAVEPOINT], SAVEPOINT, SET TRANSACTION READ WRITE
//	BEGIN ... END   procedure calls with named and positional arguments, DML, SELECT INTO binds, assignments to binds,
//	                transaction control, EXECUTE IMMEDIATE, NULL; CALL
//	Operators       + - * / || comparison AND OR NOT IN BETWEEN LIKE IS NULL EXISTS CASE CAST EXTRACT AT TIME ZONE INTERVAL
//	Aggregates      COUNT SUM MIN MAX AVG, with DISTINCT
//	Text            UPPER LOWER INITCAP SUBSTR INSTR LENGTH LENGTHB TRIM LTRIM RTRIM LPAD RPAD REPLACE TRANSLATE CONCAT
//	                ASCII CHR
//	Numbers         ABS MOD ROUND TRUNC FLOOR CEIL SIGN POWER SQRT BITAND
//	Datetimes       SYSDATE SYSTIMESTAMP CURRENT_DATE CURRENT_TIMESTAMP LOCALTIMESTAMP ADD_MONTHS LAST_DAY TRUNC ROUND
//	                SYS_EXTRACT_UTC FROM_TZ TZ_OFFSET DBTIMEZONE SESSIONTIMEZONE NUMTODSINTERVAL NUMTOYMINTERVAL
//	Conversions     TO_CHAR TO_NCHAR TO_NUMBER TO_DATE TO_TIMESTAMP TO_TIMESTAMP_TZ TO_BINARY_FLOAT TO_BINARY_DOUBLE HEXTORAW
//	                RAWTOHEX ROWIDTOCHAR CHARTOROWID UNISTR
//	Others          NVL NVL2 COALESCE NULLIF DECODE GREATEST LEAST SYS_GUID USER UID SYS_CONTEXT('USERENV', ...) USERENV
//	                DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER
//	Procedures      DBMS_APPLICATION_INFO.SET_MODULE, SET_ACTION, SET_CLIENT_INFO; DBMS_SESSION.SET_IDENTIFIER and others without
//	                effect; DBMS_LOCK.SLEEP, DBMS_SESSION.SLEEP; those of the Procedures
package engine
