package logminer

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/relation"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// field is a column of V$LOGMNR_CONTENTS with what fills it. A cell has the kind of its column or is NULL in every row, so
// fill sets the kind and one value and leaves the rest alone.
type field struct {
	column wire.Column
	fill   func(r *row, d *datum.Datum, n *numbers)
	needs  need
}

// need is what a column needs that costs much.
type need uint8

const (
	needRedo    need = 1 << iota // SQL_REDO
	needUndo                     // SQL_UNDO
	needSession                  // to know which transactions began in the range
)

func number(name string, value func(*row) uint64) field {
	return field{column: relation.NumberColumn(name), fill: func(r *row, d *datum.Datum, n *numbers) { n.set(d, value(r)) }}
}

func text(name string, size int, value func(*row) string) field {
	return field{column: relation.TextColumn(name, size), fill: func(r *row, d *datum.Datum, _ *numbers) { setText(d, value(r)) }}
}

func date(name string, value func(*row) datum.Datum) field {
	return field{column: relation.DateColumn(name), fill: func(r *row, d *datum.Datum, _ *numbers) { *d = value(r) }}
}

func raw(name string, size int, value func(*row) []byte) field {
	return field{column: relation.RawColumn(name, size), fill: func(r *row, d *datum.Datum, _ *numbers) { *d = relation.Bytes(value(r)) }}
}

// unknown is a column that is NULL in every row.
func unknown(column wire.Column) field {
	return field{column: column, fill: func(_ *row, d *datum.Datum, _ *numbers) { setNull(d) }}
}

func (f field) need(n need) field {
	f.needs = n
	return f
}

func zero(*row) uint64 { return 0 }

// placeholderRowID is shown on rows without a row (reference logminer O).
const placeholderRowID = "AAAAAAAAAAAAAAAAAA"

// fields are the 67 columns that a capture user of 23ai sees (reference logminer B.1).
var fields = []field{
	number("SCN", func(r *row) uint64 { return uint64(r.record.SCN) }),
	{relation.NumberColumn("START_SCN"), startSCN, needSession},
	{relation.NumberColumn("COMMIT_SCN"), commitSCN, 0}, // only with COMMITTED_DATA_ONLY (B.2)
	{relation.NumberColumn("CSCN"), commitSCN, 0},
	unknown(relation.NumberColumn("SAFE_RESUME_SCN")),
	date("TIMESTAMP", func(r *row) datum.Datum { return relation.Date(r.record.Time.In(r.miner.config.Zone)) }),
	date("START_TIMESTAMP", groupTime(func(g *group) *redo.Record { return g.begin })),
	date("COMMIT_TIMESTAMP", groupTime(func(g *group) *redo.Record { return g.commit })),
	raw("XID", 8, xid),
	number("XIDUSN", usn),
	number("XIDSLT", slot),
	number("XIDSQN", sqn),
	raw("PXID", 8, xid),
	number("PXIDUSN", usn),
	number("PXIDSLT", slot),
	number("PXIDSQN", sqn),
	{relation.TextColumn("TX_NAME", 256), ofTransaction(func(o *redo.Origin) string { return o.Transaction }), needSession}, // only with SET TRANSACTION NAME (B.2)
	unknown(relation.RawColumn("OBJECT_ID", 16)),
	unknown(relation.TextColumn("EDITION_NAME", 384)),
	{relation.TextColumn("CLIENT_ID", 64), ofTransaction(func(o *redo.Origin) string { return o.Client }), needSession},
	sessionNumber("AUDIT_SESSIONID", func(o *redo.Origin) int { return o.AuditID() }),
	text("OPERATION", 32, operation),
	number("OPERATION_CODE", func(r *row) uint64 { return uint64(r.op) }),
	number("ROLLBACK", rollback),
	number("STATUS", status),
	number("CSF", csf).need(needRedo),
	text("SEG_OWNER", 386, ofSubject(func(s *subject) string { return s.owner })),
	text("SEG_NAME", 256, ofSubject(func(s *subject) string { return s.segmentName })),
	text("TABLE_NAME", 386, ofSubject(tableName)),
	number("SEG_TYPE", segType),
	text("SEG_TYPE_NAME", 32, ofSubject(segTypeName)),
	text("TABLE_SPACE", 92, tablespace),
	text("ROW_ID", 18, rowID),
	text("USERNAME", 384, username).need(needSession),
	text("OS_USERNAME", 4000, ofSession(func(o *redo.Origin) string { return o.OSUser })).need(needSession),
	text("MACHINE_NAME", 4000, ofSession(func(o *redo.Origin) string { return o.Machine })).need(needSession),
	text("SESSION_INFO", 4000, ofSession(sessionInfo)).need(needSession),
	sessionNumber("SESSION#", func(o *redo.Origin) int { return o.SessionID }),
	sessionNumber("SERIAL#", func(o *redo.Origin) int { return o.Serial }),
	text("SQL_REDO", 4000, func(r *row) string { return r.chunk }).need(needRedo),
	text("SQL_UNDO", 4000, func(r *row) string { return r.undoChunk }).need(needUndo),
	text("INFO", 64, info),
	text("RS_ID", 32, address),
	number("SSN", func(r *row) uint64 { return uint64(r.record.SSN) }),
	number("RBASQN", func(r *row) uint64 { return uint64(r.rba().Sequence) }),
	number("RBABLK", func(r *row) uint64 { return uint64(r.rba().Block) }),
	number("RBABYTE", func(r *row) uint64 { return uint64(r.rba().Byte) }),
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
	number("THREAD#", thread),
	text("SRC_CON_NAME", 384, func(r *row) string { return r.shown().Name }),
	number("SRC_CON_ID", func(r *row) uint64 { return uint64(r.shown().ID) }),
	number("SRC_CON_DBID", func(r *row) uint64 { return uint64(r.shown().DBID) }),
	number("SRC_CON_UID", func(r *row) uint64 { return uint64(r.shown().DBID) }),
	raw("SRC_CON_GUID", 16, func(r *row) []byte { return r.shown().GUID[:] }),
	number("CON_ID", func(r *row) uint64 { return uint64(r.session) }),
}

// startSCN is shown on COMMIT rows and with COMMITTED_DATA_ONLY on all, 0 when the START was not read (reference logminer B.2).
func startSCN(r *row, d *datum.Datum, n *numbers) {
	if r.op != redo.Commit && r.group == nil {
		setNull(d)
		return
	}
	n.set(d, uint64(r.startSCN))
}

// shown is the container that the row shows.
func (r *row) shown() *catalog.Container {
	if r.root != nil && r.record.Table == nil {
		return r.root
	}
	return r.container
}

// partialSqn is the XIDSQN of a partial XID (reference logminer B.3).
const partialSqn = 1<<32 - 1

// shownXID is the XID as the row shows it.
func (r *row) shownXID() redo.XID {
	x := r.record.XID
	switch {
	case r.record.ZeroXID():
		return redo.XID{}
	case r.record.PartialXID():
		x.Sqn = partialSqn
	}
	return x
}

// xid has each part little-endian, as on x86 (reference logminer B.3).
func xid(r *row) []byte {
	x := r.shownXID()
	b := binary.LittleEndian.AppendUint16(make([]byte, 0, 8), x.USN)
	b = binary.LittleEndian.AppendUint16(b, x.Slot)
	return binary.LittleEndian.AppendUint32(b, x.Sqn)
}

func usn(r *row) uint64  { return uint64(r.shownXID().USN) }
func slot(r *row) uint64 { return uint64(r.shownXID().Slot) }
func sqn(r *row) uint64  { return uint64(r.shownXID().Sqn) }

func (r *row) rba() redo.RBA {
	if r.record.ZeroAddress() {
		return redo.RBA{}
	}
	return r.record.RBA
}

// address has one blank on each side (reference logminer B.3). Rows of one redo record share the text.
func address(r *row) string {
	rba := r.rba()
	if r.rsID == "" || r.rsIDOf != rba {
		var buf [32]byte
		r.rsID, r.rsIDOf = string(append(rba.Append(append(buf[:0], ' ')), ' ')), rba
	}
	return r.rsID
}

func thread(r *row) uint64 {
	if r.record.ThreadZero() {
		return 0
	}
	return uint64(r.record.Thread)
}

var operations = map[redo.Op]string{
	redo.Insert: "INSERT", redo.Delete: "DELETE", redo.Update: "UPDATE", redo.DDL: "DDL", redo.Start: "START",
	redo.Commit: "COMMIT", redo.Rollback: "ROLLBACK", redo.SelectForUpdate: "SELECT_FOR_UPDATE", redo.MissingSCN: "MISSING_SCN",
	redo.Unsupported: "UNSUPPORTED",
}

func operation(r *row) string {
	if r.record.Corrupt() {
		return "CORRUPTED_BLOCKS"
	}
	if name, ok := operations[r.op]; ok {
		return name
	}
	return "INTERNAL"
}

func rollback(r *row) uint64 {
	if r.record.Undo {
		return 1
	}
	return 0
}

// Values of STATUS (reference logminer B.2).
const (
	statusInvalid  = 2
	statusDoubtful = 3
	statusCorrupt  = 1343
)

// status says that the SQL is not valid when the dictionary does not match or nothing can be shown, and that it may not be
// accurate without minimal supplemental logging.
func status(r *row) uint64 {
	switch {
	case r.record.Corrupt():
		return statusCorrupt
	case r.op == redo.Unsupported, r.subject != nil && r.subject.generic:
		return statusInvalid
	case r.record.Unlogged && r.op != redo.DDL:
		return statusDoubtful
	}
	return 0
}

// csf tells that SQL_REDO or SQL_UNDO, where it is read, goes on in the next row.
func csf(r *row) uint64 {
	if len(r.redo) > 0 || len(r.undo) > 0 || r.cut {
		return 1
	}
	return 0
}

func ofSubject(value func(*subject) string) func(*row) string {
	return func(r *row) string {
		if r.subject == nil {
			return ""
		}
		return value(r.subject)
	}
}

func tableName(s *subject) string {
	if s.hidden {
		return ""
	}
	return s.name
}

// Types of segments.
const (
	segTable          = 2
	segTablePartition = 19
)

func segType(r *row) uint64 {
	switch {
	case r.subject == nil:
		return 0
	case r.record.Segment != 0:
		return segTablePartition
	}
	return segTable
}

func segTypeName(s *subject) string {
	if s.segment != 0 {
		return "TABLE PARTITION"
	}
	return "TABLE"
}

func tablespace(r *row) string {
	if r.subject == nil || r.op == redo.DDL {
		return ""
	}
	return "USERS"
}

func rowID(r *row) string {
	if r.record.RowID == "" {
		return placeholderRowID
	}
	return r.record.RowID
}

// ofSession is a fact of the session, which LogMiner knows only when it has read the transaction's START in the same query
// (correctness K5).
func ofSession(fact func(*redo.Origin) string) func(*row) string {
	return func(r *row) string {
		if !r.begun {
			return "UNKNOWN"
		}
		return fact(&r.record.Origin)
	}
}

func username(r *row) string {
	switch {
	case r.begun:
		return r.record.Origin.User
	case r.userNull:
		return ""
	}
	return "UNKNOWN"
}

// ofTransaction is a fact that is NULL where LogMiner does not know it.
func ofTransaction(fact func(*redo.Origin) string) func(*row, *datum.Datum, *numbers) {
	return func(r *row, d *datum.Datum, _ *numbers) {
		if !r.begun {
			setNull(d)
			return
		}
		setText(d, fact(&r.record.Origin))
	}
}

func sessionNumber(name string, fact func(*redo.Origin) int) field {
	return field{relation.NumberColumn(name), func(r *row, d *datum.Datum, n *numbers) {
		if !r.begun {
			setNull(d)
			return
		}
		n.set(d, uint64(fact(&r.record.Origin)))
	}, needSession}
}

func sessionInfo(o *redo.Origin) string {
	return "login_username=" + o.User + " client_info= OS_username=" + o.OSUser + " Machine_name=" + o.Machine +
		" OS_terminal= OS_process_id=" + o.Process + " OS_program_name=" + o.Program
}

// info has the texts of reference logminer B.4.
func info(r *row) string {
	switch {
	case r.record.Corrupt():
		return r.record.SQL
	case r.op == redo.DDL && r.record.Recursive:
		return "INTERNAL DDL (PlSql=0 RecDep=1)"
	case r.op == redo.DDL && r.group != nil:
		return " DDL"
	case r.op == redo.DDL:
		return "USER DDL (PlSql=0 RecDep=0)"
	case r.mismatch:
		return "Dictionary Mismatch"
	case r.record.Unlogged && r.op != redo.Unsupported:
		return "no supplemental log data found"
	}
	return ""
}

const rowIDDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// rowIDPart decodes characters of the row's ROWID; markers have 0.
func rowIDPart(from, to int) func(*row) uint64 {
	return func(r *row) uint64 {
		if len(r.record.RowID) < to {
			return 0
		}
		n := uint64(0)
		for _, digit := range r.record.RowID[from:to] {
			n = n*64 + uint64(strings.IndexRune(rowIDDigits, digit))
		}
		return n
	}
}

func dataObject(r *row) uint64 {
	if r.record.Table == nil {
		return 0
	}
	return uint64(segmentOf(r.record))
}

// dataObjectD is not filled on DDL rows (reference logminer G.1).
func dataObjectD(r *row) uint64 {
	if r.record.Table == nil || r.op == redo.DDL {
		return 0
	}
	if p, ok := r.record.Table.Partition(r.record.Segment); ok {
		return uint64(p.DataObjectID)
	}
	return uint64(r.record.Table.DataObjectID)
}

func dataObjectV(r *row) uint64 {
	if r.record.Table == nil {
		return 0
	}
	return uint64(r.record.Table.Version)
}

// serverDate shows a moment in the zone of the server's operating system.
func (m *Miner) serverDate(t time.Time) datum.Datum {
	if t.IsZero() {
		return datum.Datum{}
	}
	return relation.Date(t.In(m.config.Zone))
}
