-- Takes back what setup-cdb.sql did. Run it as SYSDBA at CDB$ROOT once the pipeline is stopped. ARCHIVELOG mode stays.
-- Change the PDB and tables; leave out what other products (GoldenGate, Data Guard, other capture) rely on.

-- 1. The user. It owns nothing.
DROP USER c##cdc;

-- 2. Full row images of the captured tables, in each PDB.
ALTER SESSION SET CONTAINER = FREEPDB1;
ALTER TABLE app.orders DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
ALTER TABLE app.items DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS;

-- 3. Minimal supplemental logging, if nothing else needs it.
ALTER SESSION SET CONTAINER = CDB$ROOT;
ALTER DATABASE DROP SUPPLEMENTAL LOG DATA;

-- In Kafka remain the data topics and <topic_prefix>.cdc.position, .cdc.schema and .cdc.heartbeat; without Kafka, the position file.
