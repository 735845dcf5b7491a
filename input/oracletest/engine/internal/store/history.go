package store

import (
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/redo"
)

// history is the queue of superseded versions when they are kept for a limited time.
type history struct {
	horizon redo.SCN // views below it can no longer be read
	queue   []superseded
}

type superseded struct {
	at   time.Time
	scn  redo.SCN
	rows []touched
}

type touched struct {
	table *Table
	row   *Row
}

// remember queues the rows of a commit and drops what has become too old.
func (s *Store) remember(tx *Tx) {
	if s.retention == 0 {
		return
	}
	now := s.now()
	e := superseded{at: now, scn: tx.commit, rows: make([]touched, 0, len(tx.changes))}
	for i := range tx.changes {
		if c := &tx.changes[i]; c.op != redo.Insert {
			e.rows = append(e.rows, touched{table: c.table, row: c.row})
		}
	}
	h := &s.history
	h.queue = append(h.queue, e)
	for len(h.queue) > 0 && now.Sub(h.queue[0].at) > s.retention {
		h.horizon = max(h.horizon, h.queue[0].scn)
		for _, x := range h.queue[0].rows {
			x.table.prune(x.row, h.horizon)
		}
		h.queue[0] = superseded{}
		h.queue = h.queue[1:]
	}
}

// ExpireUndo lets what commits up to an SCN have changed be overwritten: views from before are ORA-01555, also those that are being read
// (reference logminer J).
func (s *Store) ExpireUndo(scn redo.SCN) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.history.horizon = max(s.history.horizon, min(scn, s.lastCommit))
}

// prune cuts a row's versions behind the one that a view at the horizon sees.
func (t *Table) prune(r *Row, horizon redo.SCN) {
	v := r.head
	for v != nil && (v.tx.commit == 0 || v.tx.commit > horizon) {
		v = v.prev
	}
	if v == nil {
		return
	}
	for old := v.prev; old != nil; old = old.prev {
		for _, x := range t.indexes {
			x.forget(old.row(), horizon)
		}
	}
	v.prev = nil
	if v == r.head && v.gone() {
		t.rows.Delete(r.id)
	}
}
