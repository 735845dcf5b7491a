package views

import (
	"fmt"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
)

// Distributed transactions in doubt. This database has none of its own: a wart makes the open transactions look like it (R87).
func (s *Set) addPending() {
	s.dict["2PC_PENDING"] = family{
		unowned: true, administrative: true,
		columns: columns(str("LOCAL_TRAN_ID", 22), str("GLOBAL_TRAN_ID", 169),
			str("STATE", 16), str("MIXED", 3), str("ADVICE", 1), str("TRAN_COMMENT", 255), day("FAIL_TIME"), day("FORCE_TIME"), day("RETRY_TIME"),
			str("OS_USER", 64), str("OS_TERMINAL", 255), str("HOST", 128), str("DB_USER", 128), str("COMMIT#", 16)),
		rows: s.pending,
	}
}

func (s *Set) pending(c catalog.Container) []row {
	if w := s.config.Stream.Warts(); !w.R87Prepared && !w.R87PreparedAlone {
		return nil
	}
	var list []row
	for _, t := range s.config.Database.Transactions() {
		if t.Container != c.ID {
			continue
		}
		id := fmt.Sprintf("%d.%d.%d", t.XID.USN, t.XID.Slot, t.XID.Sqn)
		list = append(list, row{
			text(id), text(s.config.Name + "." + id), text("prepared"), text("no"), null, text(t.Name),
			s.date(t.StartTime), null, s.date(t.StartTime), null, null, null, text(t.User), text(fmt.Sprint(t.StartSCN)),
		})
	}
	return list
}
