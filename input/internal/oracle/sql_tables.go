package oracle

import (
	"strconv"
	"strings"
)

// tableList reads the tables of a container. SYS is left out already here, since it holds most tables of a fresh database. EXTERNAL is
// there from 12.2 on, HYBRID from 19c on.
func tableList(r release) Statement {
	reservable := "'NO'"
	if r.reserves() {
		reservable = "has_reservable_column"
	}
	return Statement{"read CDB_TABLES", `SELECT owner, table_name, temporary, nested, iot_type, cluster_name, partitioned, dropped, external, hybrid, ` + reservable + `
  FROM cdb_tables WHERE con_id = :1 AND owner <> 'SYS'`}
}

// kindsOfTables reads the tables of a container that are of a kind that CDB_TABLES does not tell (R132). Object tables are not in it.
func kindsOfTables(r release) (st Statement, views int) {
	list := []string{
		"SELECT owner, table_name, '" + objectTable + "' FROM cdb_object_tables WHERE owner <> 'SYS' AND con_id = :",
		"SELECT owner_name, table_name, 'table of a Flashback Data Archive' FROM cdb_flashback_archive_tables WHERE con_id = :",
	}
	if r.chains() {
		list = append(list,
			"SELECT schema_name, table_name, 'blockchain table' FROM cdb_blockchain_tables WHERE con_id = :",
			"SELECT schema_name, table_name, 'immutable table' FROM cdb_immutable_tables WHERE con_id = :")
	}
	for i := range list {
		list[i] += strconv.Itoa(i + 1)
	}
	return Statement{"read kinds of tables", strings.Join(list, "\nUNION ALL ")}, len(list)
}
