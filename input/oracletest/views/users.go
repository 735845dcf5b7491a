package views

import (
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Users (reference logminer I).
func (s *Set) addUsers() {
	s.dict["USERS"] = family{
		unowned: true,
		columns: columns(str("USERNAME", 128), num("USER_ID"), str("ACCOUNT_STATUS", 32), str("DEFAULT_TABLESPACE", 30), day("CREATED"),
			str("COMMON", 3), str("ORACLE_MAINTAINED", 1)),
		rows: s.users,
	}
	list := s.dict["USERS"]
	s.fixed["USER_USERS"] = fixed{columns: list.columns, rows: func(caller engine.Caller) []row {
		var own []row
		for _, r := range s.users(s.container(caller)) {
			if r[0].Text == caller.User() {
				own = append(own, r)
			}
		}
		return own
	}}
}

func accountStatus(u catalog.User) string {
	switch {
	case u.Locked && u.Expired:
		return "EXPIRED & LOCKED"
	case u.Locked:
		return "LOCKED"
	case u.Expired:
		return "EXPIRED"
	}
	return "OPEN"
}

func (s *Set) users(c catalog.Container) []row {
	var list []row
	for i, u := range s.config.Database.Users(c.ID) {
		maintained := "N"
		if u.OracleMaintained {
			maintained = "Y"
		}
		list = append(list, row{
			text(u.Name), integer(i), text(accountStatus(u)), text("USERS"), s.date(s.config.Startup),
			relation.YesNo(u.Common), text(maintained),
		})
	}
	return list
}
