package workload

import (
	"database/sql"

	go_ora "github.com/sijms/go-ora/v2"
)

// Open makes a pool with a connector of its own: the driver that registers itself is one global object, whose state is shared by
// all pools and raced for (reference tns-server 14.2).
func Open(dsn string) *sql.DB { return sql.OpenDB(go_ora.NewConnector(dsn)) }
