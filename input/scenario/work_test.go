package scenario_test

import (
	"context"
	"fmt"
	"math/rand/v2"
)

const (
	workers = 3
	// keysEach is how many keys a worker has for itself, so that sessions never wait for each other.
	keysEach = 8
)

// work runs transactions on table t (id, v, name) in several sessions that take turns at random, statement by statement.
func work(s *scenario, seed uint64, statements int) {
	s.t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	sessions := make([]*worker, workers)
	for i := range sessions {
		sessions[i] = &worker{session: s.connect(app), base: i * keysEach, r: r}
	}
	for range statements {
		sessions[r.IntN(workers)].step()
	}
	for _, w := range sessions {
		w.end()
	}
}

type worker struct {
	*session
	base int
	r    *rand.Rand
	tx   *transaction
	// savepoint is set when the transaction has one.
	savepoint bool
	changes   int
}

// try runs a statement that the database may refuse: keys are taken at random.
func (w *worker) try(statement string, args ...any) {
	_, _ = w.tx.tx.ExecContext(context.Background(), w.s.text(statement), args...)
}

func (w *worker) key() int { return w.base + w.r.IntN(keysEach) }

func (w *worker) step() {
	w.s.t.Helper()
	if w.tx == nil {
		w.tx, w.savepoint, w.changes = w.begin(), false, 0
	}
	w.changes++
	value, name := w.r.IntN(1000), fmt.Sprintf("it's %d", w.r.IntN(1000))
	switch n := w.r.IntN(20); {
	case n < 6:
		w.try("INSERT INTO $t VALUES (:1, :2, :3)", w.key(), value, name)
	case n < 10:
		w.try("UPDATE $t SET v = :1, name = NULL WHERE id = :2", value, w.key())
	case n < 12:
		w.try("UPDATE $t SET id = :1 WHERE id = :2", w.key(), w.key())
	case n < 14:
		w.try("DELETE FROM $t WHERE id = :1", w.key())
	case n < 15:
		w.try("UPDATE $t SET v = :1 WHERE id BETWEEN :2 AND :3", value, w.base, w.base+keysEach-1)
	case n < 16:
		w.tx.exec("SAVEPOINT s")
		w.savepoint = true
	case n < 17 && w.savepoint:
		w.tx.exec("ROLLBACK TO SAVEPOINT s")
	case n < 18:
		w.tx.rollback()
		w.tx = nil
	default:
		w.end()
	}
}

func (w *worker) end() {
	w.s.t.Helper()
	if w.tx != nil {
		w.tx.commit()
		w.tx = nil
	}
}
