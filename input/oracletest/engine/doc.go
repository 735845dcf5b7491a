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
// The tables below are the promise: doc_test.go reads them, and a row without a test fails.
//
// # Types of columns
//
//	NUMBER, NUMBER(p), NUMBER(p,s), NUMBER(*,s)  scale rounds half up; ORA-01438 beyond the precision
//	INTEGER, INT, SMALLINT                       NUMBER with scale 0
//	DECIMAL, DEC, NUMERIC                        NUMBER with what is given, scale 0 without
//	FLOAT, FLOAT(b), REAL, DOUBLE PRECISION      NUMBER rounded to b binary digits
//	BINARY_FLOAT, BINARY_DOUBLE                  IEEE 754, with infinities and NaN
//	VARCHAR2(n [BYTE|CHAR]), VARCHAR(n)          the empty string is NULL; ORA-12899 beyond the length, which is 4000 at most
//	NVARCHAR2(n)                                 counts characters
//	CHAR[(n [BYTE|CHAR])], CHARACTER             blank-padded
//	NCHAR[(n)]                                   blank-padded, counts characters
//	DATE                                         years -4712 to 9999, to the second
//	TIMESTAMP[(p)]                               fraction of up to nine digits, rounded
//	TIMESTAMP[(p)] WITH TIME ZONE                offsets; regions with daylight saving are refused
//	TIMESTAMP[(p)] WITH LOCAL TIME ZONE          stored in UTC, which is DBTIMEZONE
//	INTERVAL YEAR[(p)] TO MONTH                  ORA-01873 beyond the precision
//	INTERVAL DAY[(p)] TO SECOND[(f)]             fraction rounded; ORA-01873 beyond the precision
//	RAW(n)                                       up to 2000 bytes
//	CLOB, NCLOB                                  any size in memory; empty is not NULL; large values are refused in tables with supplemental logging
//	BLOB                                         as CLOB, of bytes
//
// # Statements
//
//	CREATE TABLE                 columns with DEFAULT, NOT NULL, [IN]VISIBLE, [GENERATED ALWAYS] AS (...) [VIRTUAL]; PRIMARY KEY, UNIQUE, CHECK,
//	                             REFERENCES [ON DELETE CASCADE|SET NULL] in and out of line; DISABLE; [NOLOGGING] [TABLESPACE name], other storage clauses are ignored
//	CREATE TABLE PARTITION BY    RANGE, with INTERVAL; LIST of one column, AUTOMATIC; HASH, whose hash is not Oracle's; no subpartitions; a row
//	                             whose partition changes needs ROW MOVEMENT
//	ALTER TABLE partitions       ADD, DROP, TRUNCATE, MOVE, SPLIT, MERGE, EXCHANGE, RENAME PARTITION; indexes stay usable; EXCHANGE gives rows new ROWIDs
//	CREATE TABLE ORGANIZATION    HEAP, INDEX: without overflow and partitions; rows lie in the primary key, the redo has the placeholder for ROWIDs
//	                             (reference logminer B.2, J), queries show UROWIDs as text
//	CREATE TABLE AS SELECT       [(names)] [NOLOGGING]; the rows go into the redo with the DDL, those of NOLOGGING only with FORCE LOGGING
//	ALTER TABLE columns          ADD, MODIFY (several of both in one statement), DROP [CASCADE CONSTRAINTS], SET UNUSED, DROP UNUSED COLUMNS, RENAME
//	                             COLUMN; a default of ADD is not written into the rows that there are
//	ALTER TABLE MOVE             gives the table a new data object id; its indexes stay usable
//	ALTER TABLE READ ONLY        READ WRITE
//	ALTER TABLE storage          SHRINK SPACE, ENABLE|DISABLE ROW MOVEMENT, PCTFREE, INITRANS, CACHE, PARALLEL, LOGGING; SHRINK SPACE gives rows from
//	                             the end new ROWIDs in front by a delete and an insert, the blocks stay; of the others only the DDL is kept
//	ALTER TABLE constraints      ADD, DROP CONSTRAINT|PRIMARY KEY|UNIQUE [CASCADE], ENABLE, DISABLE, MODIFY, RENAME
//	ALTER TABLE RENAME TO        grants follow
//	RENAME                       of a table of one's own
//	ALTER TABLE logging          ADD|DROP SUPPLEMENTAL LOG DATA (ALL, PRIMARY KEY, UNIQUE, FOREIGN KEY) COLUMNS, SUPPLEMENTAL LOG GROUP with
//	                             NO LOG and ALWAYS; several at once
//	DROP TABLE                   [CASCADE CONSTRAINTS] [PURGE]; without PURGE it stays in the recycle bin
//	FLASHBACK TABLE              TO BEFORE DROP [RENAME TO]: the newest of its name
//	PURGE                        TABLE: the oldest of its name; RECYCLEBIN
//	TRUNCATE TABLE               gives the table a new data object id
//	CREATE INDEX, DROP INDEX     [UNIQUE], on columns; an index that is not unique speeds nothing up
//	CREATE, ALTER, DROP SEQUENCE  NEXTVAL and CURRVAL in select lists, VALUES, SET, DEFAULT and blocks
//	CREATE VIEW, DROP VIEW       [OR REPLACE], read only, with the rights of its owner; ORA-04063 when the columns of its SELECT * change
//	COMMENT ON                   TABLE, COLUMN: only the DDL is kept, in the redo
//	CREATE, ALTER, DROP USER     IDENTIFIED BY, ACCOUNT LOCK|UNLOCK, PASSWORD EXPIRE, CONTAINER_DATA; quotas and tablespaces are ignored
//	CREATE ROLE, DROP ROLE       local, or common from the root
//	GRANT, REVOKE                system privileges, roles, privileges on tables, views, sequences and packages; ADMIN and GRANT OPTION;
//	                             CONTAINER = ALL|CURRENT
//	ALTER DATABASE               [PLUGGABLE] ADD|DROP SUPPLEMENTAL LOG DATA [(ALL, PRIMARY KEY, UNIQUE, FOREIGN KEY) COLUMNS], which counts for
//	                             the whole database; [NO] FORCE LOGGING
//	ALTER PLUGGABLE DATABASE     names or ALL [EXCEPT names]: OPEN [READ WRITE|READ ONLY] [FORCE], CLOSE, which waits for the sessions in it,
//	                             CLOSE IMMEDIATE|ABORT, which ends them; SAVE STATE, DISCARD STATE
//	ALTER SYSTEM                 SWITCH LOGFILE, ARCHIVE LOG CURRENT, CHECKPOINT
//	ALTER SESSION                SET of NLS parameters, TIME_ZONE, CONTAINER, CURRENT_SCHEMA
//	INSERT                       VALUES or a query; array binds share a redo record; with the hint APPEND, a query and NOLOGGING the rows are in no redo
//	UPDATE                       SET of columns and of lists from a subquery, DEFAULT; waiting writers look at their rows again
//	DELETE                       [FROM], with or without WHERE
//	RETURNING                    of INSERT VALUES, UPDATE and DELETE, INTO binds or variables
//	COMMIT, ROLLBACK, SAVEPOINT  [TO SAVEPOINT]
//	SET TRANSACTION              READ WRITE, READ ONLY, ISOLATION LEVEL READ COMMITTED, NAME
//
// # Queries
//
//	Joins                     comma, INNER, LEFT, RIGHT, FULL, CROSS, ON, USING, NATURAL
//	Joins with (+)            of several tables too; a table with (+) must be joined to another
//	Subqueries                scalar, IN, EXISTS, ANY, ALL, in FROM; correlated too
//	WITH                      common tables, not recursive
//	GROUP BY, HAVING          keys are expressions; HAVING may stand before GROUP BY
//	DISTINCT                  SELECT DISTINCT, UNIQUE, and in aggregates
//	ORDER BY                  expressions, positions, aliases; ASC, DESC, NULLS FIRST, NULLS LAST
//	OFFSET, FETCH             FIRST|NEXT n [PERCENT] ROWS ONLY|WITH TIES
//	Pages by ROWNUM           two and three nested levels
//	OVER                      PARTITION BY, ORDER BY, with the default window
//	UNION, INTERSECT, MINUS   UNION ALL; parentheses
//	AS OF                     SCN, TIMESTAMP; ORA-08181 for an SCN to come or older than the database, ORA-01466 from before the last DDL that
//	                          changed columns, constraints, places or partitions, ORA-01555 without undo (reference logminer J)
//	PARTITION                 (name) behind a table
//	SAMPLE                    [BLOCK] (percent) [SEED (n)]
//	FOR UPDATE                of one table; NOWAIT, WAIT n
//	Pseudo columns            ROWNUM ROWID ORA_ROWSCN
//	Operators                 + - * / || comparison AND OR NOT IN BETWEEN LIKE ESCAPE IS NULL EXISTS, (a, b) = ((c, d)) or a subquery
//	Expressions               CASE CAST EXTRACT TRIM, AT TIME ZONE, AT LOCAL
//	Literals                  texts, q'[]', N'', nq'[]', numbers, floats, DATE, TIMESTAMP, INTERVAL
//
// # Functions
//
//	Aggregates   COUNT SUM MIN MAX AVG STDDEV STDDEV_POP STDDEV_SAMP VARIANCE VAR_POP VAR_SAMP MEDIAN LISTAGG
//	Analytic     ROW_NUMBER RANK DENSE_RANK LAG LEAD FIRST_VALUE LAST_VALUE NTILE
//	Text         UPPER LOWER INITCAP SUBSTR INSTR LENGTH LENGTHB LTRIM RTRIM LPAD RPAD REPLACE TRANSLATE CONCAT ASCII CHR
//	LOBs         EMPTY_CLOB EMPTY_BLOB TO_CLOB TO_NCLOB TO_BLOB DBMS_LOB.GETLENGTH DBMS_LOB.SUBSTR DBMS_LOB.INSTR DBMS_LOB.COMPARE
//	Numbers      ABS MOD ROUND TRUNC FLOOR CEIL SIGN POWER SQRT BITAND
//	Datetimes    SYSDATE SYSTIMESTAMP CURRENT_DATE CURRENT_TIMESTAMP LOCALTIMESTAMP ADD_MONTHS MONTHS_BETWEEN LAST_DAY NEXT_DAY
//	             SYS_EXTRACT_UTC FROM_TZ TZ_OFFSET DBTIMEZONE SESSIONTIMEZONE SCN_TO_TIMESTAMP TIMESTAMP_TO_SCN
//	Intervals    NUMTODSINTERVAL NUMTOYMINTERVAL TO_DSINTERVAL TO_YMINTERVAL
//	Conversions  TO_CHAR TO_NCHAR TO_NUMBER TO_DATE TO_TIMESTAMP TO_TIMESTAMP_TZ TO_BINARY_FLOAT TO_BINARY_DOUBLE HEXTORAW RAWTOHEX
//	             ROWIDTOCHAR CHARTOROWID UNISTR
//	ROWIDs       DBMS_ROWID.ROWID_CREATE DBMS_ROWID.ROWID_OBJECT DBMS_ROWID.ROWID_RELATIVE_FNO DBMS_ROWID.ROWID_BLOCK_NUMBER
//	             DBMS_ROWID.ROWID_ROW_NUMBER
//	Others       NVL NVL2 COALESCE NULLIF DECODE GREATEST LEAST SYS_GUID USER UID SYS_CONTEXT USERENV
//	             DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER
//
// # PL/SQL
//
//	BEGIN ... END             DML, transaction control, NULL, blocks inside; a failure undoes the whole block; all of it is compiled first (ORA-06550)
//	CALL                      one procedure
//	DECLARE                   variables and constants of SQL types, %TYPE of columns, exceptions with PRAGMA EXCEPTION_INIT, CURSOR ... IS
//	Assignments               to binds and variables
//	SELECT INTO               binds and variables; ORA-01403, ORA-01422
//	IF                        ELSIF, ELSE
//	LOOP, WHILE, FOR          over numbers, REVERSE, and over queries and cursors; EXIT, CONTINUE and RETURN, without labels
//	EXCEPTION                 WHEN names, OR, OTHERS; RAISE; SQLCODE and SQLERRM outside SQL; no handler hides what the stand-in lacks
//	RAISE_APPLICATION_ERROR   a number and a text
//	SQL attributes            SQL%ROWCOUNT, SQL%FOUND, SQL%NOTFOUND outside SQL
//	OPEN ... FOR              a query for a bind: ref cursors
//	EXECUTE IMMEDIATE         a text, INTO variables and binds, USING values
//	Procedure calls           positional and named arguments, constants of packages; those of the Procedures
//	DBMS_APPLICATION_INFO     SET_MODULE SET_ACTION SET_CLIENT_INFO
//	DBMS_SESSION              SET_IDENTIFIER CLEAR_IDENTIFIER RESET_PACKAGE MODIFY_PACKAGE_STATE FREE_UNUSED_USER_MEMORY SLEEP
//	DBMS_LOCK                 SLEEP
//	DBMS_STATS                GATHER_TABLE_STATS, SET_TABLE_STATS: rows and blocks of a table
//	DBMS_OUTPUT               ENABLE DISABLE PUT PUT_LINE NEW_LINE: without effect, as nothing can read what was put
package engine
