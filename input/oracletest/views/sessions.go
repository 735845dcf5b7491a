package views

import (
	"encoding/binary"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
)

// Kinds of ADDR.
const (
	addrSession     = 0x51
	addrProcess     = 0x52
	addrTransaction = 0x54
)

// Sessions and their transactions (reference logminer F.4 and A.5).
func (s *Set) addSessions() {
	s.fixed["V$SESSION"] = fixed{
		columns: columns(hex("SADDR", 8), num("SID"), num("SERIAL#"), num("AUDSID"), hex("PADDR", 8), str("USERNAME", 128), hex("TADDR", 8),
			str("STATUS", 8), str("SERVER", 9), str("SCHEMANAME", 128), str("OSUSER", 128), str("PROCESS", 24), str("MACHINE", 64),
			str("TERMINAL", 30), str("PROGRAM", 84), str("TYPE", 10), str("MODULE", 64), str("ACTION", 64), str("CLIENT_INFO", 64),
			str("CLIENT_IDENTIFIER", 64), day("LOGON_TIME"), num("CON_ID")),
		local:  s.sessions,
		global: true,
	}
	s.fixed["V$PROCESS"] = fixed{
		columns: columns(hex("ADDR", 8), num("PID"), str("SPID", 24), str("PROGRAM", 84), num("PGA_USED_MEM"), num("PGA_ALLOC_MEM"),
			num("PGA_FREEABLE_MEM"), num("PGA_MAX_MEM"), num("CON_ID")),
		local: func(caller engine.Caller, instance int) []row {
			var list []row
			for _, one := range s.config.Database.Sessions() {
				if caller.Sees(one.Container) && max(one.Instance, 1) == instance {
					list = append(list, row{
						address(addrProcess, one.ID), integer(one.ID), relation.Text(relation.Int(int64(one.ID)).Number.String()), text(one.Program),
						integer(4 << 20), integer(6 << 20), integer(0), integer(8 << 20), integer(one.Container),
					})
				}
			}
			return list
		},
		global: true,
	}
	s.fixed["V$TRANSACTION"] = fixed{
		columns: columns(hex("ADDR", 8), num("XIDUSN"), num("XIDSLOT"), num("XIDSQN"), str("STATUS", 16), str("START_TIME", 20),
			num("START_SCNB"), num("START_SCNW"), num("START_SCN"), day("START_DATE"), hex("SES_ADDR", 8), hex("XID", 8), hex("PRV_XID", 8),
			hex("PTX_XID", 8), num("USED_UBLK"), num("USED_UREC"), str("NAME", 256), num("CON_ID")),
		local:  s.transactions,
		global: true,
	}
}

func (s *Set) sessions(caller engine.Caller, instance int) []row {
	working := map[int]bool{}
	for _, t := range s.config.Database.Transactions() {
		working[t.SessionID] = true
	}
	var list []row
	for _, one := range s.config.Database.Sessions() {
		if !caller.Sees(one.Container) || max(one.Instance, 1) != instance {
			continue
		}
		status, transaction := "INACTIVE", null
		if one.Executing || one.ID == caller.SessionID() {
			status = "ACTIVE"
		}
		if working[one.ID] {
			transaction = address(addrTransaction, one.ID)
		}
		list = append(list, row{
			address(addrSession, one.ID), integer(one.ID), integer(one.Serial), integer(redo.AuditID(one.ID)), address(addrProcess, one.ID), text(one.User), transaction,
			text(status), text("DEDICATED"), text(one.Schema), text(one.OSUser), text(one.Process), text(one.Machine),
			null, text(one.Program), text("USER"), text(one.Module), text(one.Action), text(one.ClientInfo),
			text(one.Client), s.date(one.LogonTime), integer(one.Container),
		})
	}
	return list
}

// transactions names the slot XIDSLOT here, XIDSLT elsewhere (reference logminer F.4).
func (s *Set) transactions(caller engine.Caller, instance int) []row {
	var list []row
	warts := s.config.Stream.Warts()
	if warts.R87PreparedAlone {
		return nil
	}
	for _, t := range s.config.Database.Transactions() {
		if !caller.Sees(t.Container) || max(t.Instance, 1) != instance {
			continue
		}
		begin := t.StartSCN
		if warts.R89StartSCNZero {
			begin = 0
		}
		low, high, whole := scn(begin&0xffffffff), scn(begin>>32), scn(begin)
		if warts.R89StartSCNNull {
			low, high, whole = null, null, null
		}
		at, moment := text(t.StartTime.In(s.config.Zone).Format("01/02/06 15:04:05")), s.date(t.StartTime)
		if warts.R89NoStartDate {
			at, moment = null, null
		}
		list = append(list, row{
			address(addrTransaction, t.SessionID), integer(t.XID.USN), integer(t.XID.Slot), integer(t.XID.Sqn), text("ACTIVE"),
			at, low, high, whole, moment, address(addrSession, t.SessionID),
			xidBytes(t.XID), xidBytes(redo.XID{}), xidBytes(redo.XID{}), integer(1), integer(1), text(t.Name), integer(t.Container),
		})
	}
	return list
}

// xidBytes has each part little-endian, as on x86 (reference logminer B.3).
func xidBytes(x redo.XID) datum.Datum {
	b := binary.LittleEndian.AppendUint16(nil, x.USN)
	b = binary.LittleEndian.AppendUint16(b, x.Slot)
	return relation.Bytes(binary.LittleEndian.AppendUint32(b, x.Sqn))
}
