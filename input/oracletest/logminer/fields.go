package logminer

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// field is a column of V$LOGMNR_CONTENTS with what fills it.
type field struct {
	column wire.Column
	fill   func(*row) datum.Datum
}

func number(name string, fill func(*row) datum.Datum) field {
	return field{relation.NumberColumn(name), fill}
}

func text(name string, size int, fill func(*row) datum.Datum) field {
	return field{relation.TextColumn(name, size), fill}
}

func date(name string, fill func(*row) datum.Datum) field {
	return field{relation.DateColumn(name), fill}
}

func raw(name string, size int, fill func(*row) datum.Datum) field {
	return field{relation.RawColumn(name, size), fill}
}

func null(*row) datum.Datum { return datum.Datum{} }

func zero(*row) datum.Datum { return relation.Int(0) }

// placeholderRowID is shown on rows without a row (reference logminer O).
const placeholderRowID = "AAAAAAAAAAAAAAAAAA"

// fields are the 67 columns that a capture user of 23ai sees (reference logminer B.1).
var fields = []field{
	number("SCN", func(r *row) datum.Datum { return relation.Uint(uint64(r.record.SCN)) }),
	number("START_SCN", startSCN),
	number("COMMIT_SCN", null), // only with COMMITTED_DATA_ONLY (B.2)
	number("CSCN", null),
	number("SAFE_RESUME_SCN", null),
	date("TIMESTAMP", func(r *row) datum.Datum { return relation.Date(r.record.Time.In(r.miner.config.Zone)) }),
	date("START_TIMESTAMP", null),
	date("COMMIT_TIMESTAMP", null),
	raw("XID", 8, xid),
	number("XIDUSN", usn),
	number("XIDSLT", slot),
	number("XIDSQN", sqn),
	raw("PXID", 8, xid),
	number("PXIDUSN", usn),
	number("PXIDSLT", slot),
	number("PXIDSQN", sqn),
	text("TX_NAME", 256, null),
	raw("OBJECT_ID", 16, null),
	text("EDITION_NAME", 384, null),
	text("CLIENT_ID", 64, null),
	number("AUDIT_SESSIONID", null),
	text("OPERATION", 32, operation),
	number("OPERATION_CODE", func(r *row) datum.Datum { return relation.Int(int64(r.record.Op)) }),
	number("ROLLBACK", rollback),
	number("STATUS", status),
	number("CSF", csf),
	text("SEG_OWNER", 386, ofSubject(func(s *subject) datum.Datum { return relation.Text(s.owner) })),
	text("SEG_NAME", 256, ofSubject(func(s *subject) datum.Datum { return relation.Text(s.name) })),
	text("TABLE_NAME", 386, ofSubject(func(s *subject) datum.Datum { return relation.Text(s.name) })),
	number("SEG_TYPE", segType),
	text("SEG_TYPE_NAME", 32, ofSubject(func(*subject) datum.Datum { return relation.Text("TABLE") })),
	text("TABLE_SPACE", 92, tablespace),
	text("ROW_ID", 18, rowID),
	text("USERNAME", 384, ofSession(func(o redo.Origin) string { return o.User })),
	text("OS_USERNAME", 4000, ofSession(func(redo.Origin) string { return "oracle" })),
	text("MACHINE_NAME", 4000, ofSession(func(o redo.Origin) string { return o.Machine })),
	text("SESSION_INFO", 4000, ofSession(sessionInfo)),
	number("SESSION#", sessionNumber(func(o redo.Origin) int { return o.SessionID })),
	number("SERIAL#", sessionNumber(func(o redo.Origin) int { return o.Serial })),
	text("SQL_REDO", 4000, func(r *row) datum.Datum { return relation.Text(r.chunk) }),
	text("SQL_UNDO", 4000, func(r *row) datum.Datum { return relation.Text(r.undoChunk) }),
	text("INFO", 64, info),
	text("RS_ID", 32, address),
	number("SSN", func(r *row) datum.Datum { return relation.Int(r.record.SSN) }),
	number("RBASQN", func(r *row) datum.Datum { return relation.Int(int64(r.record.RBA.Sequence)) }),
	number("RBABLK", func(r *row) datum.Datum { return relation.Int(int64(r.record.RBA.Block)) }),
	number("RBABYTE", func(r *row) datum.Datum { return relation.Int(int64(r.record.RBA.Byte)) }),
	number("UBAFIL", zero),
	number("UBABLK", zero),
	number("UBAREC", zero),
	number("UBASQN", zero),
	number("ABS_FILE#", rowIDPart(6, 9)),
	number("REL_FILE#", rowIDPart(6, 9)),
	number("DATA_BLK#", rowIDPart(9, 15)),
	number("DATA_OBJ#", dataObject),
	number("DATA_OBJD#", dataObjectD),
	number("DATA_OBJV#", dataObjectV),
	number("REDO_VALUE", zero),
	number("UNDO_VALUE", zero),
	number("SEQUENCE#", zero),
	number("THREAD#", func(r *row) datum.Datum { return relation.Int(int64(r.record.Thread)) }),
	text("SRC_CON_NAME", 384, func(r *row) datum.Datum { return relation.Text(r.container.Name) }),
	number("SRC_CON_ID", func(r *row) datum.Datum { return relation.Int(int64(r.container.ID)) }),
	number("SRC_CON_DBID", func(r *row) datum.Datum { return relation.Int(int64(r.container.DBID)) }),
	number("SRC_CON_UID", func(r *row) datum.Datum { return relation.Int(int64(r.container.DBID)) }),
	raw("SRC_CON_GUID", 16, func(r *row) datum.Datum { return relation.Bytes(r.container.GUID[:]) }),
	number("CON_ID", func(r *row) datum.Datum { return relation.Int(int64(r.session)) }),
}

// startSCN is shown on COMMIT rows only, 0 when the START was not read (reference logminer B.2).
func startSCN(r *row) datum.Datum {
	if r.record.Op != redo.Commit {
		return datum.Datum{}
	}
	return relation.Uint(uint64(r.startSCN))
}

// xid has each part little-endian, as on x86 (reference logminer B.3).
func xid(r *row) datum.Datum {
	b := binary.LittleEndian.AppendUint16(make([]byte, 0, 8), r.record.XID.USN)
	b = binary.LittleEndian.AppendUint16(b, r.record.XID.Slot)
	return relation.Bytes(binary.LittleEndian.AppendUint32(b, r.record.XID.Sqn))
}

func usn(r *row) datum.Datum  { return relation.Int(int64(r.record.XID.USN)) }
func slot(r *row) datum.Datum { return relation.Int(int64(r.record.XID.Slot)) }
func sqn(r *row) datum.Datum  { return relation.Int(int64(r.record.XID.Sqn)) }

// address has one blank on each side (reference logminer B.3).
func address(r *row) datum.Datum {
	var buf [32]byte
	return relation.Text(string(append(r.record.RBA.Append(append(buf[:0], ' ')), ' ')))
}

func operation(r *row) datum.Datum {
	switch r.record.Op {
	case redo.Insert:
		return relation.Text("INSERT")
	case redo.Delete:
		return relation.Text("DELETE")
	case redo.Update:
		return relation.Text("UPDATE")
	case redo.DDL:
		return relation.Text("DDL")
	case redo.Start:
		return relation.Text("START")
	case redo.Commit:
		return relation.Text("COMMIT")
	case redo.Rollback:
		return relation.Text("ROLLBACK")
	}
	return relation.Text("INTERNAL")
}

func rollback(r *row) datum.Datum {
	if r.record.Undo {
		return relation.Int(1)
	}
	return relation.Int(0)
}

// status is 2, "SQL is not valid", when the dictionary does not match.
func status(r *row) datum.Datum {
	if r.subject != nil && r.subject.generic {
		return relation.Int(2)
	}
	return relation.Int(0)
}

// csf tells that SQL_REDO goes on in the next row.
func csf(r *row) datum.Datum {
	if len(r.redo) > 0 {
		return relation.Int(1)
	}
	return relation.Int(0)
}

func ofSubject(fill func(*subject) datum.Datum) func(*row) datum.Datum {
	return func(r *row) datum.Datum {
		if r.subject == nil {
			return datum.Datum{}
		}
		return fill(r.subject)
	}
}

func segType(r *row) datum.Datum {
	if r.subject == nil {
		return relation.Int(0)
	}
	return relation.Int(2)
}

func tablespace(r *row) datum.Datum {
	if r.subject == nil || r.record.Op == redo.DDL {
		return datum.Datum{}
	}
	return relation.Text("USERS")
}

func rowID(r *row) datum.Datum {
	if r.record.RowID == "" {
		return relation.Text(placeholderRowID)
	}
	return relation.Text(r.record.RowID)
}

// ofSession is a fact of the session, which LogMiner knows only when it has read the transaction's START in the same query
// (correctness K5).
func ofSession(fact func(redo.Origin) string) func(*row) datum.Datum {
	return func(r *row) datum.Datum {
		if !r.begun {
			return relation.Text("UNKNOWN")
		}
		return relation.Text(fact(r.record.Origin))
	}
}

func sessionNumber(fact func(redo.Origin) int) func(*row) datum.Datum {
	return func(r *row) datum.Datum {
		if !r.begun {
			return datum.Datum{}
		}
		return relation.Int(int64(fact(r.record.Origin)))
	}
}

func sessionInfo(o redo.Origin) string {
	return "login_username=" + o.User + " client_info= OS_username=oracle Machine_name=" + o.Machine +
		" OS_terminal= OS_process_id= OS_program_name=" + o.Program
}

// info has the text that user DDL carries (reference logminer B.4).
func info(r *row) datum.Datum {
	if r.record.Op == redo.DDL {
		return relation.Text("USER DDL (PlSql=0 RecDep=0)")
	}
	return datum.Datum{}
}

const rowIDDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// rowIDPart decodes characters of the row's ROWID; markers have 0.
func rowIDPart(from, to int) func(*row) datum.Datum {
	return func(r *row) datum.Datum {
		if len(r.record.RowID) < to {
			return relation.Int(0)
		}
		n := int64(0)
		for _, digit := range r.record.RowID[from:to] {
			n = n*64 + int64(strings.IndexRune(rowIDDigits, digit))
		}
		return relation.Int(n)
	}
}

func dataObject(r *row) datum.Datum {
	if r.record.Table == nil {
		return relation.Int(0)
	}
	return relation.Int(int64(r.record.Table.ObjectID))
}

// dataObjectD is not filled on DDL rows (reference logminer G.1).
func dataObjectD(r *row) datum.Datum {
	if r.record.Table == nil || r.record.Op == redo.DDL {
		return relation.Int(0)
	}
	return relation.Int(int64(r.record.Table.DataObjectID))
}

func dataObjectV(r *row) datum.Datum {
	if r.record.Table == nil {
		return relation.Int(0)
	}
	return relation.Int(int64(r.record.Table.Version))
}

// serverDate shows a moment in the zone of the server's operating system.
func (m *Miner) serverDate(t time.Time) datum.Datum {
	if t.IsZero() {
		return datum.Datum{}
	}
	return relation.Date(t.In(m.config.Zone))
}
