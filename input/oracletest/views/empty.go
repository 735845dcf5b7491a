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
	s.dict["2PC_PENDING"] = family{unowned: true, rows: absent, columns: columns(str("LOCAL_TRAN_ID", 22), str("GLOBAL_TRAN_ID", 169),
		str("STATE", 16), str("MIXED", 3), str("ADVICE", 1), str("TRAN_COMMENT", 255), day("FAIL_TIME"), day("FORCE_TIME"), day("RETRY_TIME"),
		str("OS_USER", 64), str("OS_TERMINAL", 255), str("HOST", 128), str("DB_USER", 128), str("COMMIT#", 16))}
	s.dict["UNUSED_COL_TABS"] = family{rows: absent, columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), num("COUNT"))}
	s.dict["TAB_PARTITIONS"] = family{rows: absent, columns: columns(str("TABLE_OWNER", 128), str("TABLE_NAME", 128), str("PARTITION_NAME", 128),
		num("PARTITION_POSITION"))}
	s.dict["ENCRYPTED_COLUMNS"] = family{rows: absent, columns: columns(str("OWNER", 128), str("TABLE_NAME", 128), str("COLUMN_NAME", 128))}
}
