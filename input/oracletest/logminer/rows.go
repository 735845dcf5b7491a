package logminer

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// chunkBytes is the longest SQL_REDO or SQL_UNDO of one row (reference logminer B.5).
const chunkBytes = 4000

// transaction is the key of a transaction: equal XIDs can be open in two containers (reference logminer A.7).
type transaction struct {
	container int
	xid       redo.XID
}

// rows iterates over V$LOGMNR_CONTENTS.
type rows struct {
	miner     *Miner
	wanted    []output
	needs     need
	records   source
	committed *committed // nil without COMMITTED_DATA_ONLY
	faults    faults
	pieces    pieces
	tracker   *tracker // nil without a dictionary from the redo
	span
	style style
	// names is the dictionary; nothing has a name without one (reference logminer A.2, D.4).
	names      names
	containers map[int]*catalog.Container
	hidden     map[int]bool // containers that CONTAINER_DATA leaves out (reference logminer A.7)
	subjects   subjects
	// begun holds the START SCN of open transactions whose START this query has read: only those have a user.
	begun map[transaction]redo.SCN

	row     row
	filled  *datum.Datum // first cell of the row that was filled last
	redoBuf []byte
	undoBuf []byte
}

// source yields records, nil at the end. A record is valid until the next call.
type source interface {
	read(ctx context.Context) (*redo.Record, error)
}

// output is a column that the query reads.
type output struct {
	at      int
	fill    func(*row, *datum.Datum, *numbers)
	numbers numbers
}

// row is the state of the current row: one record, or one chunk of it.
type row struct {
	record *redo.Record
	op     redo.Op // as shown
	// subject is nil for markers.
	subject    *subject
	container  *catalog.Container
	root       *catalog.Container // that markers show with shared undo, else nil
	session    int                // CON_ID
	startSCN   redo.SCN
	begun      bool
	userNull   bool   // USERNAME where it is not known (K5)
	redo, undo []byte // what is left of the statements
	chunk      string // SQL_REDO of this row
	undoChunk  string
	group      *group // nil without COMMITTED_DATA_ONLY
	mismatch   bool   // the dictionary from the redo has another version of the table
	cut        bool   // the statement goes on, but the query ends (R9)
	miner      *Miner
	rsID       string // of rsIDOf
	rsIDOf     redo.RBA
}

func (r *rows) Next(ctx context.Context, dst []datum.Datum) (bool, error) {
	if r.faults.between {
		r.interleave(dst)
		return true, nil
	}
	if len(r.row.redo) == 0 && len(r.row.undo) == 0 {
		if ok, err := r.advance(ctx); !ok || err != nil {
			return false, err
		}
	}
	if r.needs&needRedo != 0 {
		r.row.chunk, r.row.redo = cut(r.row.redo)
	} else {
		r.row.redo = skip(r.row.redo)
	}
	r.row.undoChunk, r.row.undo = cut(r.row.undo)
	r.faults.delivered(&r.row)
	r.fill(&r.row, dst)
	return true, nil
}

func (r *rows) fill(row *row, dst []datum.Datum) {
	if r.filled != &dst[0] {
		clear(dst)
		r.filled = &dst[0]
	}
	for i := range r.wanted {
		c := &r.wanted[i]
		c.fill(row, &dst[c.at], &c.numbers)
	}
}

// interleave puts the COMMIT of an unknown transaction between the chunks of a statement (R9).
func (r *rows) interleave(dst []datum.Datum) {
	r.faults.between = false
	of := r.row.record
	commit := &redo.Record{Thread: of.Thread, RBA: of.RBA, SCN: of.SCN, Time: of.Time, Container: of.Container, Op: redo.Commit, XID: redo.XID{USN: 1<<15 - 1}}
	r.fill(&row{record: commit, op: redo.Commit, container: r.row.container, session: r.row.session, miner: r.miner}, dst)
}

func (r *rows) Close() error {
	r.row.redo, r.row.undo = nil, nil
	r.records = &merge{}
	return r.faults.merge.close()
}

// cut takes the next chunk off a statement without splitting a character.
func cut(statement []byte) (chunk string, rest []byte) {
	n := chunk4000(statement)
	return string(statement[:n]), statement[n:]
}

func skip(statement []byte) []byte { return statement[chunk4000(statement):] }

func chunk4000(statement []byte) int {
	if len(statement) <= chunkBytes {
		return len(statement)
	}
	n := chunkBytes
	for n > chunkBytes-utf8.UTFMax && !utf8.RuneStart(statement[n]) {
		n--
	}
	return n
}

// advance reads the next record of the range and renders its statements.
func (r *rows) advance(ctx context.Context) (bool, error) {
	for {
		record, err := r.faults.read(ctx, r)
		if err != nil {
			return false, err
		}
		if record != nil && r.tracker != nil {
			if err := r.tracker.follow(record, r.subjects); err != nil {
				return false, err
			}
		}
		switch {
		case record == nil:
			if record = r.pieces.rest(); record == nil {
				return false, nil
			}
		case !r.holds(record) || record.Hidden():
			continue
		case r.row.session > rootContainer && record.Container != r.row.session, r.hidden[record.Container]:
			continue
		default:
			if record = r.pieces.join(record); record == nil {
				continue
			}
		}
		if r.committed != nil {
			r.row.group = r.committed.ready
		}
		if r.row.container == nil || r.row.container.ID != record.Container {
			r.row.container = r.containers[record.Container]
		}
		if c := r.row.container; c == nil || !strings.HasPrefix(c.OpenMode, "READ") {
			return false, r.notOpen(record.Container)
		}
		r.load(record)
		return true, nil
	}
}

func (r *rows) notOpen(container int) error {
	name := ""
	if c := r.containers[container]; c != nil {
		name = c.Name
	}
	return wire.Errorf(16331, "container %q is not open", name)
}

func (r *rows) load(record *redo.Record) {
	row := &r.row
	row.record, row.op, row.cut = record, record.Op, false
	if r.needs&needSession != 0 {
		r.knowSession(record)
	}
	switch {
	case record.Table == nil:
		row.subject = nil
	case row.subject == nil || row.subject.layout != record.Table || row.subject.segment != record.Segment || record.Op == redo.DDL || row.subject.ddl:
		row.subject = r.subject(record)
	}
	row.mismatch = r.tracker != nil && row.subject != nil && row.subject.generic && row.op != redo.DDL
	if record.Unsupported() || row.subject != nil && row.subject.unsupported && isChange(record.Op) {
		row.op = redo.Unsupported
	}
	if r.needs&needRedo != 0 || mayTakeChunks(record) {
		r.redoBuf = r.style.appendRedo(r.redoBuf[:0], row)
		row.redo = r.redoBuf
	}
	if r.needs&needUndo != 0 {
		r.undoBuf = r.style.appendUndo(r.undoBuf[:0], row)
		row.undo = r.undoBuf
	}
}

func isChange(op redo.Op) bool { return op == redo.Insert || op == redo.Update || op == redo.Delete }

// knowSession keeps book of the transactions whose START was read.
func (r *rows) knowSession(record *redo.Record) {
	key := transaction{record.Container, record.XID}
	if record.Op == redo.Start {
		r.begun[key] = record.SCN
	}
	r.row.startSCN, r.row.begun = r.begun[key]
	if record.Op == redo.Commit || record.Op == redo.Rollback {
		delete(r.begun, key)
	}
}

// mayTakeChunks reports whether SQL_REDO could be longer than one row holds: the number of rows must not depend on the
// columns that a query reads.
func mayTakeChunks(record *redo.Record) bool {
	const perColumn, perStatement = 200, 400 // names and literal functions
	n := perStatement + 2*len(record.SQL)
	for _, side := range [][]datum.Datum{record.Before, record.After} {
		n += perColumn * len(side)
		for i := range side {
			n += 6*len(side[i].Text) + 2*len(side[i].Raw)
		}
	}
	return n > chunkBytes
}
