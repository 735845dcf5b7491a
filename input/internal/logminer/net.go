package logminer

import (
	"hash/maphash"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

// Net reads the last step's range again while logs are still written to, in case a row of it was not returned (R8). It
// remembers what the last step delivered and drops that from the next one; what is left is marked Late or Replaced, and
// the engine decides. The caller tells it of every verified step.
type Net struct {
	limit int
	seed  maphash.Seed
	// behind is the boundary before the last step; on: the last step contained a log that was not closed.
	behind position.Boundary
	on     bool
	last   catch
	now    catch
	// judged counts rows of the running step by identity.
	judged map[identity]int
}

// catch is what one step delivered.
type catch struct {
	seen  map[identity]imprint
	order []identity
	// floor is per thread the greatest address that was forgotten: at or below it every row counts as delivered.
	floor map[int]position.RBA
	// replay: the texts have the names of their moment, and say nothing beside those with today's.
	replay bool
}

type identity struct {
	thread    int
	address   position.RBA
	ssn       int64
	operation Operation
	undo      bool
	xid       position.XID
	rowID     string
	// ordinal tells rows apart that share everything else: array DML repeats RS_ID and SSN (R5). Rows of one transaction
	// come in the same order at every reading.
	ordinal int
}

// netLimit bounds the identities kept (R8).
const netLimit = 1_000_000

// NewNet makes a net that has caught nothing.
func NewNet() *Net {
	return &Net{limit: netLimit, seed: maphash.MakeSeed(), last: newCatch(), now: newCatch(), judged: map[identity]int{}}
}

func newCatch() catch {
	return catch{seen: map[identity]imprint{}, floor: map[int]position.RBA{}}
}

// region is what the next step's predicate excludes.
func (n *Net) region(from position.Boundary) position.Boundary {
	if n == nil || !n.on {
		return from
	}
	return n.behind
}

// begin forgets what a failed step delivered.
func (n *Net) begin(replay bool) {
	if n != nil {
		n.now, n.judged = newCatch(), map[identity]int{}
		n.now.replay = replay
	}
}

// Verified follows a verified step, from its boundary before it.
func (n *Net) Verified(from position.Boundary, tail bool) {
	n.behind, n.on = from, tail
	n.last, n.now = n.now, newCatch()
	if !tail {
		n.last = newCatch()
	}
}

// remember keeps a row that this step delivers for the first time.
func (n *Net) remember(r *Row) {
	id := identify(r)
	if len(n.now.order) == n.limit {
		oldest := n.now.order[0]
		n.now.order = n.now.order[1:]
		delete(n.now.seen, oldest)
		if oldest.address.Compare(n.now.floor[oldest.thread]) > 0 {
			n.now.floor[oldest.thread] = oldest.address
		}
	}
	for {
		if _, taken := n.now.seen[id]; !taken {
			break
		}
		id.ordinal++
	}
	n.now.order = append(n.now.order, id)
	n.now.seen[id] = n.print(r)
}

// judge looks at a row of the range that was read before and reports whether it is news.
func (n *Net) judge(r *Row) bool {
	if r.Address.Compare(n.last.floor[r.Thread]) <= 0 {
		return false
	}
	id := identify(r)
	id.ordinal = n.judged[id]
	n.judged[identify(r)]++
	was, seen := n.last.seen[id]
	if !seen {
		r.Late = true
		return true
	}
	if n.now.replay || n.last.replay {
		return false
	}
	if now := n.print(r); now != was {
		r.Replaced, r.Renumbered = true, now.numbered != was.numbered
		return true
	}
	return false
}

func identify(r *Row) identity {
	return identity{
		thread: r.Thread, address: r.Address, ssn: r.SSN, operation: r.Operation, undo: r.Undo, xid: r.XID, rowID: r.RowID,
	}
}

// imprint tells the texts of a row apart.
type imprint struct {
	hash uint64
	// numbered: the columns have numbers in the place of names.
	numbered bool
}

// notValid is STATUS of a row whose SQL is not valid by itself: its columns have numbers (reference logminer G.3).
const notValid = 2

// print takes what a statement says apart from its names: those of the owner, the table and the columns are today's, which a rename, a
// drop into the recycle bin or a column that is renamed changes (R101). What stands where they stand is the same.
func (n *Net) print(r *Row) imprint {
	p := imprint{numbered: r.Status == notValid}
	var h maphash.Hash
	h.SetSeed(n.seed)
	rest := r.Redo
	for names := 0; ; {
		at := strings.IndexAny(rest, `"'`)
		if at < 0 {
			break
		}
		end := strings.IndexByte(rest[at+1:], rest[at])
		if end < 0 {
			break
		}
		end += at + 1
		switch {
		case rest[at] == '\'': // the second half of a doubled quote begins another literal, which hashes as well
			h.WriteString(rest[:end+1])
		case p.numbered && names >= namesOfTheTable, r.Operation == DDL:
			h.WriteString(rest[:end+1])
		default:
			h.WriteString(rest[:at+1])
			names++
		}
		rest = rest[end+1:]
	}
	h.WriteString(rest)
	p.hash = h.Sum64()
	return p
}

// namesOfTheTable are those of a statement before those of its columns: owner and table.
const namesOfTheTable = 2
