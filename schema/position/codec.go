package position

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// Encode writes a position as contracts 5 has it: `v` first, then the members in their fixed order, then unknown ones by
// name. What is empty (group, first_start, versions, settings, and the ledgers of later capabilities) is left out. It
// refuses a position whose boundaries are out of order (R50) or whose unknown members are not JSON.
func Encode(p *Position) ([]byte, error) {
	if err := p.checkOrder(); err != nil {
		return nil, err
	}
	extra, err := groupUnknown(p.Unknown)
	if err != nil {
		return nil, err
	}
	w := writer{dst: []byte{'{'}, extra: extra}
	w.number("v", FormatVersion)
	w.text("run", p.Run)
	w.number("seq", p.Sequence)
	w.identity(&p.Identity)
	w.boundary("resume", p.Resume)
	w.boundary("done", p.Done)
	if p.Group != nil {
		w.group(p.Group)
	}
	if len(p.Released) > 0 {
		w.name("released")
		released, _ := json.Marshal(p.Released) // texts always have a JSON form
		w.dst = append(w.dst, released...)
	}
	w.excluded(p.Excluded)
	if len(p.Ahead) > 0 {
		w.name("ahead")
		ahead, _ := json.Marshal(p.Ahead) // texts and numbers always have a JSON form
		w.dst = append(w.dst, ahead...)
	}
	if f := p.FirstStart; f != nil {
		w.child("first_start")
		w.text("q", f.Q.String())
		w.text("s", f.S.String())
		if len(f.Open) > 0 {
			w.name("open")
			open, _ := json.Marshal(f.Open) // texts always have a JSON form
			w.dst = append(w.dst, open...)
		}
		w.close()
	}
	if p.Snapshot != nil {
		w.snapshot(p.Snapshot)
	}
	if p.Signals != nil {
		w.signals(p.Signals)
	}
	if len(p.Versions) > 0 {
		w.child("versions")
		for _, table := range slices.Sorted(maps.Keys(p.Versions)) {
			w.number(table, uint64(p.Versions[table])) //nolint:gosec // checkOrder refuses negative numbers
		}
		w.close()
	}
	w.tables(p.Tables)
	if p.Retired > 0 {
		w.number("retired", uint64(p.Retired))
	}
	if len(p.Joined) > 0 {
		joined, _ := json.Marshal(p.Joined) // SCNs always have a JSON form
		w.raw("joined", joined)
	}
	if len(p.Unseen) > 0 {
		w.name("unseen")
		unseen, _ := json.Marshal(p.Unseen) // texts always have a JSON form
		w.dst = append(w.dst, unseen...)
	}
	if p.NoLogging > 0 {
		w.text("nologging", p.NoLogging.String())
	}
	if p.Settings != "" {
		w.text("settings", p.Settings)
	}
	if !p.Time.IsZero() {
		w.text("time", p.Time.Format(time.RFC3339Nano))
	}
	w.close()
	return w.dst, nil
}

// checkOrder holds resume <= done <= group in every part (R50).
func (p *Position) checkOrder() error {
	switch {
	case !p.Resume.Within(p.Done):
		return fmt.Errorf("position: resume %s lies beyond done %s", p.Resume.text(), p.Done.text())
	case p.Group != nil && !p.Done.Within(p.Group.Boundary):
		return fmt.Errorf("position: done %s lies beyond group %s", p.Done.text(), p.Group.text())
	}
	if p.Retired < 0 {
		return fmt.Errorf("position: version %d of a table that is gone", p.Retired)
	}
	for table, n := range p.Versions {
		if n < 0 {
			return fmt.Errorf("position: version %d of table %s", n, table)
		}
	}
	if p.Signals != nil {
		for partition, offset := range p.Signals.Offsets {
			if offset < 0 {
				return fmt.Errorf("position: offset %d of partition %d of the topic of signals", offset, partition)
			}
		}
	}
	if err := cmp.Or(p.checkExcluded(), p.checkTables()); err != nil {
		return err
	}
	return p.Snapshot.check()
}

func (b Boundary) text() string { return string(append(b.appendMembers([]byte{'{'}), '}')) }

// writer appends one JSON document. At the end of each object it writes back the unknown members of that object.
type writer struct {
	dst   []byte
	path  []string
	extra map[string]map[string]json.RawMessage
}

func (w *writer) child(name string) {
	w.name(name)
	w.path = append(w.path, name)
	w.dst = append(w.dst, '{')
}

func (w *writer) close() {
	members := w.extra[pointer(w.path)]
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w.raw(name, members[name])
	}
	w.dst = append(w.dst, '}')
	if len(w.path) > 0 {
		w.path = w.path[:len(w.path)-1]
	}
}

func (w *writer) name(name string) {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(w.dst, ',')
	}
	w.quote(name)
	w.dst = append(w.dst, ':')
}

func (w *writer) quote(s string) {
	quoted, _ := json.Marshal(s) // a string always has a JSON form
	w.dst = append(w.dst, quoted...)
}

func (w *writer) text(name, s string) { w.name(name); w.quote(s) }

func (w *writer) number(name string, n uint64) {
	w.name(name)
	w.dst = strconv.AppendUint(w.dst, n, 10)
}

func (w *writer) raw(name string, r json.RawMessage) { w.name(name); w.dst = append(w.dst, r...) }

func (w *writer) identity(id *Identity) {
	w.child("identity")
	w.number("dbid", id.DBID)
	w.text("resetlogs_scn", id.ResetlogsSCN.String())
	w.text("resetlogs_time", id.ResetlogsTime)
	if id.ReleaseVersion != "" {
		w.text("version", id.ReleaseVersion)
	}
	w.child("pdbs")
	for _, name := range slices.Sorted(maps.Keys(id.PDBs)) {
		pdb := id.PDBs[name]
		w.child(name)
		w.name("con_id")
		w.dst = strconv.AppendInt(w.dst, int64(pdb.ID), 10)
		w.number("dbid", pdb.DBID)
		w.text("guid", pdb.GUID)
		w.close()
	}
	w.close()
	w.close()
}

func (w *writer) boundary(name string, b Boundary) {
	w.child(name)
	w.marks(b)
	w.close()
}

func (w *writer) marks(b Boundary) {
	w.text("c", b.SCN.String())
	w.child("threads")
	for _, m := range b.Marks {
		w.child(strconv.Itoa(m.Thread))
		w.text("e", string(m.Address.AppendRSID(nil)))
		w.number("l", uint64(m.Log))
		w.close()
	}
	w.close()
}

func (w *writer) group(g *Group) {
	w.child("group")
	w.marks(g.Boundary)
	w.name("key")
	w.dst = append(w.dst, '[')
	w.quote(g.Key.SCN.String())
	w.dst = append(w.dst, ',')
	w.dst = strconv.AppendInt(w.dst, int64(g.Key.Thread), 10)
	w.dst = append(w.dst, ',')
	w.quote(g.Key.Address.String())
	w.dst = append(w.dst, ']')
	w.text("event", g.Event.String())
	w.name("index")
	w.dst = strconv.AppendInt(w.dst, int64(g.Index), 10)
	if g.Complete {
		w.raw("complete", json.RawMessage("true"))
	}
	w.close()
}

// Decode reads what Encode writes. A format above FormatVersion is ErrNewer, a ledger of a capability that this build does
// not have is ErrUncovered; any other error means a damaged position. Members that it does not know, at any depth, are
// kept in Unknown.
func Decode(data []byte) (*Position, error) {
	r := reader{unknown: map[string]json.RawMessage{}}
	top, err := r.object(nil, data)
	if err != nil {
		return nil, fmt.Errorf("position: %w", err)
	}
	var version int
	top.take("v", &version)
	switch {
	case r.err != nil:
		return nil, fmt.Errorf("position: %w", r.err)
	case version > FormatVersion:
		return nil, ErrNewer{Version: version}
	case version < 1:
		return nil, fmt.Errorf("position: format %d", version)
	}
	for _, ledger := range [...]string{"journal"} {
		if raw, ok := top.members[ledger]; ok && !emptyLedger(raw) {
			return nil, ErrUncovered{Member: ledger}
		}
	}
	p := &Position{}
	top.take("run", &p.Run)
	top.take("seq", &p.Sequence)
	r.identity(top.child("identity"), &p.Identity)
	r.boundary(top.child("resume"), &p.Resume)
	r.boundary(top.child("done"), &p.Done)
	for _, optional := range [...]string{"group", "first_start", "released", "excluded", "snapshot", "signal", "versions", "tables"} {
		top.drop(optional)
	}
	if top.has("group") {
		p.Group = &Group{}
		r.group(top.child("group"), p.Group)
	}
	if top.has("first_start") {
		p.FirstStart = &FirstStart{}
		first := top.child("first_start")
		first.take("q", &p.FirstStart.Q)
		first.take("s", &p.FirstStart.S)
		first.option("open", &p.FirstStart.Open)
		first.close()
	}
	if top.has("snapshot") {
		p.Snapshot = &Snapshot{}
		r.snapshot(top.child("snapshot"), p.Snapshot)
	}
	top.option("released", &p.Released)
	top.option("ahead", &p.Ahead)
	top.option("excluded", &p.Excluded)
	if top.has("signal") {
		p.Signals = &Signals{}
		r.signals(top.child("signal"), p.Signals)
	}
	top.option("versions", &p.Versions)
	if top.has("tables") {
		r.tables(top, &p.Tables)
	}
	top.option("retired", &p.Retired)
	top.option("joined", &p.Joined)
	top.option("unseen", &p.Unseen)
	top.option("nologging", &p.NoLogging)
	top.option("settings", &p.Settings)
	top.option("time", &p.Time)
	top.close()
	if r.err == nil {
		r.err = p.checkOrder()
	}
	if r.err != nil {
		return nil, fmt.Errorf("position: %w", r.err)
	}
	if len(r.unknown) > 0 {
		p.Unknown = r.unknown
	}
	return p, nil
}

// emptyLedger reports a ledger that says nothing, in any of the forms a later build may write.
func emptyLedger(raw json.RawMessage) bool {
	var ledger struct {
		Count *int `json:"count"`
	}
	switch string(bytes.Join(bytes.Fields(raw), nil)) {
	case "null", "[]", "{}":
		return true
	}
	return json.Unmarshal(raw, &ledger) == nil && ledger.Count != nil && *ledger.Count == 0
}
