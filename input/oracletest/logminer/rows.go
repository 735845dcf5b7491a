package logminer

import (
	"context"
	"fmt"
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
	miner      *Miner
	wanted     []int
	wantRedo   bool
	wantUndo   bool
	merge      *merge
	start, end redo.SCN
	container  int // of the session
	style      style
	containers map[int]catalog.Container
	subjects   map[*catalog.Table]*subject
	// begun holds the START SCN of open transactions whose START this query has read: only those have a user.
	begun map[transaction]redo.SCN

	row     row
	redoBuf []byte
	undoBuf []byte
}

// row is the state of the current row: one record, or one chunk of it.
type row struct {
	record *redo.Record
	// subject is nil for markers.
	subject    *subject
	container  catalog.Container
	session    int // CON_ID
	startSCN   redo.SCN
	begun      bool
	redo, undo []byte // what is left of the statements
	chunk      string // SQL_REDO of this row
	undoChunk  string
	miner      *Miner
}

func (r *rows) Next(ctx context.Context, dst []datum.Datum) (bool, error) {
	if len(r.row.redo) == 0 && len(r.row.undo) == 0 {
		if ok, err := r.advance(ctx); !ok || err != nil {
			return false, err
		}
	}
	r.row.chunk, r.row.redo = cut(r.row.redo)
	r.row.undoChunk, r.row.undo = cut(r.row.undo)
	clear(dst)
	for _, i := range r.wanted {
		dst[i] = fields[i].fill(&r.row)
	}
	return true, nil
}

func (r *rows) Close() error {
	r.merge = &merge{}
	return nil
}

// cut takes the next chunk off a statement without splitting a character.
func cut(statement []byte) (chunk string, rest []byte) {
	if len(statement) <= chunkBytes {
		return string(statement), nil
	}
	n := chunkBytes
	for n > chunkBytes-utf8.UTFMax && !utf8.RuneStart(statement[n]) {
		n--
	}
	return string(statement[:n]), statement[n:]
}

// advance reads the next record of the range and renders its statements.
func (r *rows) advance(ctx context.Context) (bool, error) {
	for {
		record, err := r.merge.read(ctx)
		if record == nil || err != nil {
			return false, err
		}
		if record.SCN < r.start || record.SCN > r.end {
			continue
		}
		if r.container > rootContainer && record.Container != r.container {
			continue
		}
		container := r.containers[record.Container]
		if !strings.HasPrefix(container.OpenMode, "READ") {
			return false, wire.Errorf(16331, "container %q is not open", container.Name)
		}
		r.load(record, container)
		return true, nil
	}
}

func (r *rows) load(record *redo.Record, container catalog.Container) {
	r.row = row{record: record, container: container, session: r.container, miner: r.miner}
	key := transaction{record.Container, record.XID}
	if record.Op == redo.Start {
		r.begun[key] = record.SCN
	}
	r.row.startSCN, r.row.begun = r.begun[key]
	switch record.Op {
	case redo.Commit, redo.Rollback:
		delete(r.begun, key)
	default:
	}
	if record.Table != nil {
		r.row.subject = r.subject(record)
	}
	if r.wantRedo || mayTakeChunks(record) {
		r.redoBuf = r.style.appendRedo(r.redoBuf[:0], record, r.row.subject)
		r.row.redo = r.redoBuf
	}
	if r.wantUndo {
		r.undoBuf = r.style.appendUndo(r.undoBuf[:0], record, r.row.subject)
		r.row.undo = r.undoBuf
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

// subject names the table of a record by today's dictionary: an object that is gone is UNKNOWN, a layout that is not
// today's is generic (reference logminer D.4 and G.3).
func (r *rows) subject(record *redo.Record) *subject {
	if record.Op == redo.DDL {
		return &subject{owner: record.Table.Owner, name: record.Table.Name, layout: record.Table}
	}
	if s, ok := r.subjects[record.Table]; ok {
		return s
	}
	s := &subject{layout: record.Table}
	if now, ok := r.miner.config.Dictionary.Table(record.Container, record.Table.ObjectID); ok {
		s.owner, s.name, s.generic = now.Owner, now.Name, !sameColumns(now.Columns, record.Table.Columns)
	} else {
		s.owner, s.name, s.generic = "UNKNOWN", fmt.Sprintf("OBJ# %d", record.Table.ObjectID), true
	}
	r.subjects[record.Table] = s
	return s
}

// sameColumns reports whether rows of one layout can be named by the other; a longer VARCHAR2 is no difference.
func sameColumns(a, b []catalog.Column) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].Type.Code != b[i].Type.Code || a[i].Type.National != b[i].Type.National {
			return false
		}
	}
	return true
}
