package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Views that exist and have no rows, because what they list does not exist in this database.
func (s *Set) addEmpty() {
	none := func(list []wire.Column) fixed {
		return fixed{columns: list, rows: func(engine.Caller) []row { return nil }, global: true}
	}
	s.fixed["V$STANDBY_LOG"] = none(columns(num("GROUP#"), num("THREAD#"), num("SEQUENCE#"), num("BYTES"), str("STATUS", 10), num("CON_ID")))

	absent := func(catalog.Container) []row { return nil }
	s.dict["TAB_SUBPARTITIONS"] = family{rows: absent, columns: columns(str("TABLE_OWNER", 128), str("TABLE_NAME", 128), str("PARTITION_NAME", 128),
		str("SUBPARTITION_NAME", 128), num("SUBPARTITION_POSITION"))}
	s.dict["IND_PARTITIONS"] = family{rows: absent, columns: columns(str("INDEX_OWNER", 128), str("INDEX_NAME", 128), str("PARTITION_NAME", 128),
		num("PARTITION_POSITION"), str("STATUS", 8))}
	s.dict["LOB_PARTITIONS"] = family{rows: absent, columns: columns(str("TABLE_OWNER", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 4000),
		str("LOB_NAME", 128), str("PARTITION_NAME", 128), str("LOB_PARTITION_NAME", 128), num("PARTITION_POSITION"), str("SECUREFILE", 3))}
	s.dict["OBJECT_TABLES"] = family{rows: absent, columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("TABLE_TYPE_OWNER", 128), str("TABLE_TYPE", 128))}
	s.dict["BLOCKCHAIN_TABLES"] = family{rows: absent, columns: columns(str("SCHEMA_NAME", 128), str("TABLE_NAME", 128))}
	s.dict["IMMUTABLE_TABLES"] = family{rows: absent, columns: columns(str("SCHEMA_NAME", 128), str("TABLE_NAME", 128))}
	s.dict["FLASHBACK_ARCHIVE_TABLES"] = family{rows: absent, administrative: true, columns: columns(str("OWNER_NAME", 128), str("TABLE_NAME", 128),
		str("FLASHBACK_ARCHIVE_NAME", 255), str("ARCHIVE_TABLE_NAME", 53), str("STATUS", 13))}
	s.dict["ENCRYPTED_COLUMNS"] = family{rows: absent, columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 128))}
}
