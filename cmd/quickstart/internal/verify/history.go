package verify

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/ledger"
)

// History is all records, understood and checked among themselves.
type History struct {
	entries []*entry
	// unique holds every identity once, in the order of the source: partition by partition for what one partition holds.
	unique []*entry
	lives  map[identity][]*entry
	// rank orders transactions of one commit SCN, whose order the source leaves open, by their first record.
	rank map[transaction]int
	// readings are the records of rows that were read, existing what the tables began with.
	readings []*reading
	existing []ledger.Change
}

// Read understands the records, each partition's in the order of their offsets, and checks what was delivered again.
func Read(records []Record, format Format, report *Report) *History {
	h := &History{lives: map[identity][]*entry{}, rank: map[transaction]int{}, existing: format.Existing}
	for i := range records {
		if records[i].isReading() {
			r, err := format.parseReading(&records[i])
			if err != nil {
				report.fault("%s cannot be read: %v", records[i].place(), err)
				continue
			}
			r.place = i
			h.readings = append(h.readings, r)
			continue
		}
		e, err := format.parse(&records[i])
		if err != nil {
			report.fault("%s cannot be read: %v", records[i].place(), err)
			continue
		}
		e.place = i
		h.entries = append(h.entries, e)
		h.lives[e.identity] = append(h.lives[e.identity], e)
		if _, seen := h.rank[e.transaction]; !seen {
			h.rank[e.transaction] = len(h.rank)
		}
	}
	for _, e := range h.entries {
		if h.lives[e.identity][0] == e {
			h.unique = append(h.unique, e)
		}
	}
	slices.SortStableFunc(h.unique, h.compare)
	report.Duplicates = len(h.entries) - len(h.unique)
	h.checkRepetitions(report)
	h.resolve(report)
	return h
}

// compare is the order of the source. Transactions of one commit SCN touch no row in common; their order is free.
func (h *History) compare(a, b *entry) int {
	return cmp.Or(
		cmp.Compare(a.commitSCN, b.commitSCN),
		cmp.Compare(h.rank[a.transaction], h.rank[b.transaction]),
		a.compareInside(b.identity),
	)
}

// checkRepetitions: what is delivered again is the same, in the same partition, and never twice in one life.
func (h *History) checkRepetitions(report *Report) {
	keys := map[string]partition{}
	for _, e := range h.unique {
		copies := h.lives[e.identity]
		for i, c := range copies[1:] {
			switch {
			case c.record.partition() != e.record.partition():
				report.fault("%s was first delivered to another partition: %s", c, e.record.place())
			case c.record.Life == copies[i].record.Life:
				report.fault("%s was already delivered in this life of the pipeline: %s", c, copies[i].record.place())
			case !e.sameContent(c) && !(h.rekeys(e) && e.sameLogged(c)):
				report.fault("%s differs from its first delivery: %s", c, e.record.place())
			}
		}
		name := e.record.Topic + " " + e.key.String()
		if p, known := keys[name]; known && p != e.record.partition() {
			report.fault("%s: records of its key are in another partition too: %v", e, p)
		}
		keys[name] = e.record.partition()
	}
}

// rekeys reports a create that gives a row another key.
func (h *History) rekeys(e *entry) bool {
	return e.op == 'c' && len(h.lives[identity{e.transaction, e.event, deletePart}]) > 0
}

// Order checks the order of the records, in each partition and over the lives of the pipeline.
func (h *History) Order(report *Report) {
	h.checkPartitions(report)
	h.checkRestarts(report)
	h.checkTimes(report)
}

// checkPartitions: what one life wrote into one partition is a piece of the partition's order, without a hole.
func (h *History) checkPartitions(report *Report) {
	place := map[identity]int{}
	orders := map[partition][]*entry{}
	for _, e := range h.unique {
		p := e.record.partition()
		place[e.identity] = len(orders[p])
		orders[p] = append(orders[p], e)
	}
	last := map[partition]*entry{}
	for _, e := range h.entries {
		p := e.record.partition()
		before := last[p]
		last[p] = e
		switch {
		case before == nil:
			if place[e.identity] != 0 {
				report.fault("%s comes first, before %s", e, orders[p][0])
			}
		case before.record.Life != e.record.Life:
			if place[e.identity] > place[before.identity]+1 {
				report.fault("%s begins a life of the pipeline and leaves out %s", e, orders[p][place[before.identity]+1])
			}
		case place[e.identity] != place[before.identity]+1:
			report.fault("%s follows %s out of order", e, before)
		}
	}
}

// checkRestarts: a life begins at one place of the whole order, so it repeats all that was written from there on.
func (h *History) checkRestarts(report *Report) {
	first := map[int]*entry{}
	for _, e := range h.entries {
		if f := first[e.record.Life]; e.record.Life > 0 && (f == nil || h.compare(e, f) < 0) {
			first[e.record.Life] = e
		}
	}
	for life, begin := range first {
		for _, e := range h.unique {
			if !h.surelyAfter(e, begin) || e.record.Life >= life {
				continue
			}
			repeated := slices.ContainsFunc(h.lives[e.identity], func(c *entry) bool { return c.record.Life >= life })
			if !repeated {
				report.fault("life %d of the pipeline begins at %s, but does not repeat %s", life, begin, e)
			}
		}
	}
}

// surelyAfter leaves out transactions whose order towards the other is free.
func (h *History) surelyAfter(e, begin *entry) bool {
	if e.commitSCN == begin.commitSCN && e.transaction != begin.transaction {
		return false
	}
	return h.compare(e, begin) >= 0
}

// checkTimes: a producer stamps its records one after the other, so a life that writes in commit order stamps them in that order,
// whichever topic and PDB they belong to. This is the only trace of the order between partitions.
func (h *History) checkTimes(report *Report) {
	lives := map[int][]*entry{}
	for _, e := range h.entries {
		lives[e.record.Life] = append(lives[e.record.Life], e)
	}
	for life := range len(lives) {
		slices.SortStableFunc(lives[life], h.compare)
		// before is the latest record of lower commit SCNs, own that of the commit SCN at hand, last the one just seen.
		var before, own, last *entry
		for _, e := range lives[life] {
			if last != nil && last.commitSCN != e.commitSCN {
				before, own = later(before, own), nil
			}
			switch {
			case before != nil && e.record.Time < before.record.Time:
				report.fault("%s was written %d ms before %s, which was committed earlier", e, before.record.Time-e.record.Time, before)
			case last != nil && last.transaction == e.transaction && e.record.Time < last.record.Time:
				report.fault("%s was written %d ms before %s", e, last.record.Time-e.record.Time, last)
			}
			own, last = later(own, e), e
		}
	}
}

func later(a, b *entry) *entry {
	if a == nil || b != nil && b.record.Time > a.record.Time {
		return b
	}
	return a
}

// State is the rows left behind by the transactions up to an SCN, by table and key. The last one takes all of them.
func (h *History) State(scn uint64) *Replica {
	state := h.beginning()
	h.goOn(state, 0, scn)
	return state
}

// goOn takes a state on to a later SCN, by the records from one on, and gives the first that lies behind it.
func (h *History) goOn(state *Replica, from int, scn uint64) int {
	for ; from < len(h.unique) && h.unique[from].commitSCN <= scn; from++ {
		e := h.unique[from]
		state.advance(e.table, e.steps)
		switch {
		case e.after != nil:
			state.put(e, held{})
		case e.op == 'd':
			delete(state.rows[e.table], e.key.String())
		}
	}
	for table := range state.rows {
		state.advance(table, table.At(scn))
	}
	return from
}
