-- Takes back what setup-cdb.sql did. Run it as SYSDBA at CDB$ROOT once the pipeline is stopped. ARCHIVELOG mode stays.
-- Change the PDB and tables; leave out what other products (GoldenGate, Data Guard, other capture) rely on.

-- 1. The user. It owns nothing.
DROP USER c##cdc;

-- 2. Full row images of the captured tables, in each PDB.
ALTER SESSION SET CONTAINER = FREEPDB1;
ALTER TABLE app.orders DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
ALTER TABLE app.items DROP SUPPLEMENTAL LOG DATA (ALL) COLUMNS;

-- Only if setup-cdb.sql saved the state of this PDB, and it need not open by itself after a restart of the database:
-- ALTER PLUGGABLE DATABASE DISCARD STATE;
-- Repeat step 2 for each PDB.

-- 3. Minimal supplemental logging, if nothing else needs it.
ALTER SESSION SET CONTAINER = CDB$ROOT;
ALTER DATABASE DROP SUPPLEMENTAL LOG DATA;

-- In Kafka remain the data topics and <topic_prefix>.cdc.position, .cdc.schema and .cdc.heartbeat, and, where they were used, .cdc.ops, .cdc.dlq and
-- .cdc.transactions ({prefix}.transaction in profile debezium). Without Kafka remain the file of position.file, or the cache item
-- oracle_cdc.<topic_prefix> (checkpoint_cache_key says otherwise).
