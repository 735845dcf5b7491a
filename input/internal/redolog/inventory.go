package redolog

import (
	"cmp"
	"slices"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Inventory lists the logs of every redo thread at one moment.
type Inventory struct{ Threads []Thread }

// Thread is a redo thread and its logs in order of sequence, one entry each; sequences may be missing.
type Thread struct {
	ID int
	// Open: an instance writes it, so that a further log will follow the newest one.
	Open bool
	Logs []Log
}

// Since is the SCN from which an inventory must list logs for the step behind a boundary: no log before it is needed
// (R6).
func Since(from position.Boundary) position.SCN { return below(from.SCN) }

// build merges online and archived logs: the archived copy of a sequence wins, since it is never overwritten and adding
// both is an error (reference logminer A.4); without a readable one the online file is taken.
func build(threads []oracle.Thread, online, archived []Log) Inventory {
	type key struct {
		thread   int
		sequence uint32
	}
	best := map[key]Log{}
	for _, logs := range [][]Log{online, archived} {
		for _, l := range logs {
			k := key{l.Thread, l.Sequence}
			old, ok := best[k]
			l.DictionaryBegins, l.DictionaryEnds = l.DictionaryBegins || old.DictionaryBegins, l.DictionaryEnds || old.DictionaryEnds
			if ok && (l.Name == "" || old.Name != "" && !old.Online()) {
				old.DictionaryBegins, old.DictionaryEnds = l.DictionaryBegins, l.DictionaryEnds
				l = old
			}
			best[k] = l
		}
	}
	byThread := map[int]*Thread{}
	for _, t := range threads {
		if t.Enabled {
			byThread[t.ID] = &Thread{ID: t.ID, Open: t.Open}
		}
	}
	for k, l := range best {
		if byThread[k.thread] == nil {
			byThread[k.thread] = &Thread{ID: k.thread}
		}
		byThread[k.thread].Logs = append(byThread[k.thread].Logs, l)
	}
	var inv Inventory
	for _, t := range byThread {
		slices.SortFunc(t.Logs, func(a, b Log) int { return cmp.Compare(a.Sequence, b.Sequence) })
		inv.Threads = append(inv.Threads, *t)
	}
	slices.SortFunc(inv.Threads, func(a, b Thread) int { return a.ID - b.ID })
	return inv
}

// unbroken gives the readable logs from a sequence on, up to the first one that is missing or gone. Continuity is by
// sequence: after an instance restart the next log begins above the end of the one before (reference logminer N 69).
func (t Thread) unbroken(from uint32) []Log {
	start, found := slices.BinarySearchFunc(t.Logs, from, func(l Log, s uint32) int { return cmp.Compare(l.Sequence, s) })
	if !found {
		return nil
	}
	end := start
	for end < len(t.Logs) && t.Logs[end].Name != "" && int(t.Logs[end].Sequence-from) == end-start {
		end++
	}
	return t.Logs[start:end]
}

// switchRetries bounds how often an inventory is read again for a log that is neither online nor archived.
const switchRetries = 5

// missing says what it means that a needed sequence has no readable file: purged (CDC-2002), a gap (CDC-2001), or a log
// switch in progress, which is neither and is listed again (reference logminer H.2).
func (t Thread) missing(sequence uint32) error {
	object := name(t.ID, sequence)
	at, found := slices.BinarySearchFunc(t.Logs, sequence, func(l Log, s uint32) int { return cmp.Compare(l.Sequence, s) })
	switch {
	case found && t.Logs[at].Online():
		// V$LOGFILE, read before V$LOG, did not list a usable file of its group: one that was just added has one next time.
		return &oracle.Fault{Class: oracle.ReMine, Limit: switchRetries, Becomes: stop.New(stop.RedoGap, object,
			"the group of an online redo log has no usable file")}
	case found:
		return stop.New(stop.RedoPurged, object, "the archived log was deleted and the online log is overwritten")
	case at == len(t.Logs), at > 0 && at == len(t.Logs)-1:
		return &oracle.Fault{Class: oracle.ReMine, Limit: switchRetries, Becomes: stop.New(stop.RedoGap, object,
			"a redo log is neither online nor archived")}
	case at == 0:
		return stop.New(stop.RedoPurged, object, "the redo log is not listed any more; the oldest one listed has sequence %d", t.Logs[0].Sequence)
	}
	return stop.New(stop.RedoGap, object, "a redo log is missing between sequences %d and %d", t.Logs[at-1].Sequence, t.Logs[at].Sequence)
}

// Start gives the marks for mining from an SCN on: per thread the log that contains it, or the one before if it lies
// within the margin of the begin (R89). Every log from there on must be readable. Nothing was delivered yet.
func (inv Inventory) Start(scn position.SCN) ([]position.Mark, error) {
	var marks []position.Mark
	for _, t := range inv.Threads {
		at := slices.IndexFunc(t.Logs, func(l Log) bool { return l.Next > scn })
		if at < 0 {
			if t.Open || len(t.Logs) == 0 {
				return nil, t.missing(t.next())
			}
			marks = append(marks, position.Mark{Thread: t.ID, Log: t.next()})
			continue
		}
		l := t.Logs[at]
		// A log that follows one of lower sequence, or the first of its incarnation, has nothing missing before it.
		follows := at > 0 && t.Logs[at-1].Sequence+1 == l.Sequence
		if l.First > scn && !follows && l.Sequence > 1 {
			return nil, stop.New(stop.RedoPurged, l.String(), "redo from SCN %s on is needed, the oldest log listed begins at %s", scn, l.First)
		}
		if follows && l.First > below(scn) && t.Logs[at-1].Name != "" {
			at--
		}
		from := t.Logs[at].Sequence
		if readable := t.unbroken(from); len(readable) < len(t.Logs)-at {
			return nil, t.missing(from + uint32(len(readable))) //nolint:gosec // a count of logs
		}
		marks = append(marks, position.Mark{Thread: t.ID, Log: t.Logs[at].Sequence})
	}
	return marks, nil
}

// next is the sequence behind the newest log.
func (t Thread) next() uint32 {
	if len(t.Logs) == 0 {
		return 1
	}
	return t.Logs[len(t.Logs)-1].Sequence + 1
}
