-- Prepares a container database for capture from its root, for one or several of its pluggable databases.
-- Run it as SYSDBA at CDB$ROOT (SQL*Plus or SQLcl), step by step: the first one restarts the database. Change the password, and the PDB and
-- tables at the end; steps 4 and 5 once for each PDB. What each grant is for and what the program does: resources/docs/database.md.
-- Removal: remove-cdb.sql.

-- 1. The database keeps its redo. Skip the restart when "SELECT LOG_MODE FROM V$DATABASE" says ARCHIVELOG already.
SHUTDOWN IMMEDIATE
STARTUP MOUNT
ALTER DATABASE ARCHIVELOG;
ALTER DATABASE OPEN;
-- A restart may leave pluggable databases closed. ALL opens those that were closed on purpose, too: name the ones you want where there are any.
ALTER PLUGGABLE DATABASE ALL OPEN;
-- Archived logs must stay until capture has read them, and as long as a transaction that began in them is open: keep them on disk longer than
-- the pipeline may be down, plus the longest transaction. The program makes no entry anywhere that holds a log back, so RMAN's deletion policy
-- (CONFIGURE ARCHIVELOG DELETION POLICY, DELETE ARCHIVELOG UNTIL TIME ...) and the size of the recovery area are yours to set.

-- 2. Minimal supplemental logging, the precondition of everything below. The statement waits for open transactions.
-- Loads into NOLOGGING tables leave no rows in the redo and are not captured, only told of (field nologging); ALTER DATABASE FORCE LOGGING prevents them.
ALTER DATABASE ADD SUPPLEMENTAL LOG DATA;

-- 3. The common user that captures. It gets no quota, and no table, trigger or procedure is made; step 4 lets it read the tables to capture.
-- Its profile counts: once the password has expired (PASSWORD_LIFE_TIME, 180 days in DEFAULT) the next log-on stops with CDC-5002. IDLE_TIME and
-- CONNECT_TIME cut its sessions, SESSIONS_PER_USER below 9 (5, and snapshot.threads) may refuse one: give it a profile that leaves these unlimited.
CREATE USER c##cdc IDENTIFIED BY "change_me" CONTAINER = ALL;
ALTER USER c##cdc SET CONTAINER_DATA = ALL CONTAINER = CURRENT;
-- LOGMINING and SELECT ANY TRANSACTION let it read V$LOGMNR_CONTENTS; SELECT ANY DICTIONARY lets it see logs, threads, sessions and the layout
-- of tables; EXECUTE_CATALOG_ROLE and EXECUTE let it call DBMS_LOGMNR.
GRANT CREATE SESSION, SET CONTAINER, LOGMINING, SELECT ANY TRANSACTION, SELECT ANY DICTIONARY TO c##cdc CONTAINER = ALL;
GRANT EXECUTE_CATALOG_ROLE TO c##cdc CONTAINER = ALL;
GRANT EXECUTE ON SYS.DBMS_LOGMNR TO c##cdc CONTAINER = ALL;
-- Only for copies of the dictionary in the redo (dictionary.build_interval), from which rows are read that were written before a DDL and are
-- mined after it. Each copy writes some tens of MB of redo and switches a log; nothing else is written. EXECUTE_CATALOG_ROLE may bring the right
-- already: dictionary.build_interval: 0s keeps the program from using it.
-- GRANT EXECUTE ON SYS.DBMS_LOGMNR_D TO c##cdc CONTAINER = ALL;
-- SET CONTAINER lets it read rows for snapshots inside a PDB, and the defaults of columns for records.encoding json_schema and
-- records.null_as_default. With snapshot.mode: none, snapshot.new_tables: false, and without these two it may be left out.
-- Instead of the grants by table in step 4, for every table of every PDB, those that are made later too:
-- GRANT SELECT ANY TABLE, FLASHBACK ANY TABLE TO c##cdc CONTAINER = ALL;

-- 4. Full row images of the tables to capture, again for each PDB. A statement waits for transactions open on its table.
-- A table that is made later and matches include needs its statement before its first row: what was written without cannot be captured.
ALTER SESSION SET CONTAINER = FREEPDB1;
ALTER TABLE app.orders ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
ALTER TABLE app.items ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
-- Rows that are there already are read AS OF an SCN (snapshot.mode: initial, the default). Nothing else reads tables: with mode none, and
-- new_tables false, these may be left out.
GRANT SELECT, FLASHBACK ON app.orders TO c##cdc;
GRANT SELECT, FLASHBACK ON app.items TO c##cdc;

-- 5. This PDB is open after a restart of the database as well. Repeat 4 and 5 in the next PDB.
ALTER PLUGGABLE DATABASE SAVE STATE;
