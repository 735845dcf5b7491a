package position

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const golden = `{"v":1,"run":"6d1f2f44-7d2a-4b0e-9a3a-0d9b2c1e5f60","seq":7,` +
	`"identity":{"dbid":1474236851,"resetlogs_scn":"2601418","resetlogs_time":"2026-05-01T10:00:00","version":"23.26.0.0.0",` +
	`"pdbs":{"FREEPDB1":{"con_id":3,"dbid":3351241,"guid":"2A9F"}}},` +
	`"resume":{"c":"18446744073709551614","threads":{"1":{"e":"0x00000a.00000010.0010","l":10}}},` +
	`"done":{"c":"18446744073709551614","threads":{"1":{"e":"0x00000a.00000020.0010","l":10}}},` +
	`"group":{"c":"18446744073709551614","threads":{"1":{"e":"0x00000a.00000030.0010","l":10},"2":{"e":"0x000000.00000000.0000","l":4}},` +
	`"key":["18446744073709551613",1,"0x00000a.00000028.0010"],"event":"0x00000a.00000022.01a4","index":3,"complete":true},` +
	`"released":["3:7.8.9"],"excluded":["3:1.0.9@41","3:1.2.7@40"],"ahead":[["23",1,"0x00000a.0000002a.0000"]],"first_start":{"q":"17","s":"19","open":["3:1.2.3","0:4.5.6"]},` +
	`"snapshot":{"id":"s1","run":"r1","kind":"initial","status":"running","rows":12,"tables":{` +
	`"FREEPDB1.APP.B":{"n":1,"rows":7,"frontier":{"key":["1","x"]}},"FREEPDB1.APP.A":{"n":2,"condition":"ID = 5","rows":0}},` +
	`"queued":{"s3":{"n":1,"id":"s3","run":"r1","kind":"incremental","status":"waiting","rows":0,"tables":{"FREEPDB1.APP.A":{"n":1,"rows":0}}}}},` +
	`"signal":{"kafka":{"0":12,"10":0},"table":["18446744073709551600",1,"0x00000a.00000028.0010"],"commits":[["7",1,"0x00000a.00000029.0000"]]},` +
	`"versions":{"FREEPDB1.APP.A":1,"FREEPDB1.APP.B":2},"tables":{"FREEPDB1.APP.A":76001,"FREEPDB1.APP.B":0},"nologging":"18","settings":"d1",` +
	`"time":"2026-05-02T03:04:05.006Z","later":{"x":[1,2]}}`

func goldenPosition() *Position {
	scn := Unlimited - 1
	resume := Boundary{SCN: scn, Marks: []Mark{{1, RBA{10, 16, 16}, 10}}}
	done := Boundary{SCN: scn, Marks: []Mark{{1, RBA{10, 32, 16}, 10}}}
	group := Boundary{SCN: scn, Marks: []Mark{{1, RBA{10, 48, 16}, 10}, {2, RBA{}, 4}}}
	return &Position{
		Run: "6d1f2f44-7d2a-4b0e-9a3a-0d9b2c1e5f60", Sequence: 7,
		Identity: Identity{
			DBID: 1474236851, ResetlogsSCN: 2601418, ResetlogsTime: "2026-05-01T10:00:00", ReleaseVersion: "23.26.0.0.0",
			PDBs: map[string]PDB{"FREEPDB1": {ID: 3, DBID: 3351241, GUID: "2A9F"}},
		},
		Resume: resume, Done: done,
		Group: &Group{
			Boundary: group, Key: Key{SCN: scn - 1, Thread: 1, Address: RBA{10, 40, 16}},
			Event: RBA{10, 34, 420}, Index: 3, Complete: true,
		},
		FirstStart: &FirstStart{Q: 17, S: 19, Open: []Transaction{{3, XID{1, 2, 3}}, {0, XID{4, 5, 6}}}}, Versions: map[string]int{"FREEPDB1.APP.B": 2, "FREEPDB1.APP.A": 1}, Settings: "d1",
		Released: []Transaction{{3, XID{7, 8, 9}}}, Ahead: []Key{{23, 1, RBA{10, 42, 0}}},
		Excluded: []Excluded{{Transaction{3, XID{1, 0, 9}}, 41}, {Transaction{3, XID{1, 2, 7}}, 40}},
		Signals:  &Signals{Offsets: map[int32]int64{0: 12, 10: 0}, Table: &Key{Unlimited - 15, 1, RBA{10, 40, 16}}, Commits: []Key{{7, 1, RBA{10, 41, 0}}}},
		Snapshot: &Snapshot{
			ID: "s1", Run: "r1", Kind: "initial", Status: SnapshotRunning, Rows: 12,
			Tables: []SnapshotTable{
				{Table: "FREEPDB1.APP.B", Rows: 7, Frontier: json.RawMessage(`{"key":["1","x"]}`)}, {Table: "FREEPDB1.APP.A", Condition: "ID = 5"},
			},
			Queued: []Snapshot{{
				ID: "s3", Run: "r1", Kind: "incremental", Status: SnapshotWaiting, Tables: []SnapshotTable{{Table: "FREEPDB1.APP.A"}},
			}},
		},
		Tables:    []Table{{"FREEPDB1.APP.A", 76001}, {"FREEPDB1.APP.B", 0}},
		NoLogging: 18,
		Time:      time.Date(2026, 5, 2, 3, 4, 5, 6e6, time.UTC),
		Unknown:   map[string]json.RawMessage{"later": json.RawMessage(`{"x":[1,2]}`)},
	}
}

func TestR50FormIsAsTheContractsHaveIt(t *testing.T) {
	got, err := Encode(goldenPosition())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(golden, string(got)); diff != "" {
		t.Fatal(diff)
	}
	back, err := Decode([]byte(golden))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(goldenPosition(), back); diff != "" {
		t.Fatal(diff)
	}
}

func TestR50RoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawPosition(t)
		data, err := Encode(in)
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(data) || !bytes.HasPrefix(data, []byte(`{"v":1,`)) {
			t.Fatalf("not a document that begins with v: %s", data)
		}
		out, err := Decode(data)
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		if diff := cmp.Diff(in, out); diff != "" {
			t.Fatal(diff)
		}
		again, err := Encode(out)
		if err != nil || !bytes.Equal(data, again) {
			t.Fatalf("second encoding differs (%v):\n%s\n%s", err, data, again)
		}
	})
}

func drawPosition(t *rapid.T) *Position {
	resume := drawBoundary(t, Boundary{}, "resume")
	done := drawBoundary(t, resume, "done")
	p := &Position{
		Run: rapid.String().Draw(t, "run"), Sequence: rapid.Uint64().Draw(t, "seq"),
		Identity: Identity{
			DBID: rapid.Uint64().Draw(t, "dbid"), ResetlogsSCN: SCN(rapid.Uint64().Draw(t, "resetlogs")),
			ResetlogsTime: rapid.String().Draw(t, "time"), ReleaseVersion: rapid.String().Draw(t, "release"),
		},
		Resume: resume, Done: done, Settings: rapid.String().Draw(t, "settings"),
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 3, rapid.ID).Draw(t, "pdbs") {
		if p.Identity.PDBs == nil {
			p.Identity.PDBs = map[string]PDB{}
		}
		p.Identity.PDBs[name] = PDB{ID: rapid.Int().Draw(t, "con_id"), DBID: rapid.Uint64().Draw(t, "pdb dbid"), GUID: rapid.String().Draw(t, "guid")}
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 3, rapid.ID).Draw(t, "tables") {
		if p.Versions == nil {
			p.Versions = map[string]int{}
		}
		p.Versions[name] = rapid.IntMin(0).Draw(t, "version")
	}
	p.NoLogging = SCN(rapid.Uint64().Draw(t, "nologging"))
	for _, name := range slices.Sorted(slices.Values(rapid.SliceOfNDistinct(rapid.String(), 0, 3, rapid.ID).Draw(t, "captured"))) {
		p.Tables = append(p.Tables, Table{name, rapid.Uint64().Draw(t, "object id")})
	}
	p.Retired = rapid.IntRange(0, 9).Draw(t, "retired")
	if rapid.Bool().Draw(t, "entrants") {
		p.Joined = map[string]SCN{rapid.String().Draw(t, "joined"): SCN(rapid.Uint64().Draw(t, "since"))}
	}
	for range rapid.IntRange(0, 2).Draw(t, "unseen") {
		p.Unseen = append(p.Unseen, Partition{
			PDB: rapid.String().Draw(t, "pdb"), Owner: rapid.String().Draw(t, "owner"), Table: rapid.String().Draw(t, "table"),
			Name: rapid.String().Draw(t, "partition"), From: SCN(rapid.Uint64().Draw(t, "made at")),
			Object: rapid.Uint64().Draw(t, "object"),
		})
	}
	if rapid.Bool().Draw(t, "has group") {
		p.Group = &Group{
			Boundary: drawBoundary(t, done, "group"), Event: drawRBA(t, RBA{}), Index: rapid.Int().Draw(t, "index"),
			Key:      Key{SCN: SCN(rapid.Uint64().Draw(t, "key")), Thread: rapid.Int().Draw(t, "key thread"), Address: drawRBA(t, RBA{})},
			Complete: rapid.Bool().Draw(t, "complete"),
		}
	}
	if rapid.Bool().Draw(t, "is first start") {
		p.FirstStart = &FirstStart{Q: SCN(rapid.Uint64().Draw(t, "q")), S: SCN(rapid.Uint64().Draw(t, "s"))}
		for range rapid.IntRange(0, 3).Draw(t, "open") {
			p.FirstStart.Open = append(p.FirstStart.Open, Transaction{Container: rapid.IntMin(0).Draw(t, "container"), XID: XID{
				USN: rapid.Uint16().Draw(t, "usn"), Slot: rapid.Uint16().Draw(t, "slot"), Sequence: rapid.Uint32().Draw(t, "sqn"),
			}})
		}
	}
	if rapid.Bool().Draw(t, "has snapshot") {
		s := drawSnapshot(t, "running")
		for _, id := range rapid.SliceOfNDistinct(rapid.String(), 0, 2, rapid.ID).Draw(t, "queued") {
			queued := drawSnapshot(t, id)
			s.Queued = append(s.Queued, *queued)
		}
		p.Snapshot = s
	}
	for range rapid.IntRange(0, 2).Draw(t, "released") {
		p.Released = append(p.Released, Transaction{rapid.IntMin(0).Draw(t, "container"), XID{Sequence: rapid.Uint32().Draw(t, "sqn")}})
	}
	p.Excluded = drawExcluded(t, resume)
	if rapid.Bool().Draw(t, "went ahead") {
		p.Ahead = []Key{{SCN: SCN(rapid.Uint64().Draw(t, "ahead")), Thread: 2, Address: drawRBA(t, RBA{})}}
	}
	if rapid.Bool().Draw(t, "had signals") {
		p.Signals = (*Signals)(nil).PastRecord(rapid.Int32Min(0).Draw(t, "partition"), rapid.Int64Range(0, 1<<60).Draw(t, "offset"))
		if rapid.Bool().Draw(t, "from the table") {
			p.Signals = p.Signals.PastCommit(Key{SCN: SCN(rapid.Uint64().Draw(t, "commit")), Address: drawRBA(t, RBA{})})
		}
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`(x|/identity/x|/resume/x|/identity/pdbs/~1)[a-z~/]{0,3}`), 0, 3, rapid.ID).Draw(t, "unknown") {
		if groupedUnder(name, p) {
			if p.Unknown == nil {
				p.Unknown = map[string]json.RawMessage{}
			}
			p.Unknown[name] = json.RawMessage(rapid.SampledFrom([]string{`null`, `{"a": [1, "2"]}`, `1e3`, `"<"`}).Draw(t, "raw"))
		}
	}
	return p
}

// groupedUnder keeps the drawn keys that are well-formed: escapes complete, and below an object that is there.
func groupedUnder(key string, p *Position) bool {
	if !strings.HasPrefix(key, "/") {
		return true
	}
	parent, name := key[:strings.LastIndexByte(key, '/')], key[strings.LastIndexByte(key, '/')+1:]
	if strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(name), "~") {
		return false
	}
	return parent == "/identity" || parent == "/resume"
}

func drawSnapshot(t *rapid.T, id string) *Snapshot {
	s := &Snapshot{
		ID: id, Run: rapid.String().Draw(t, "snapshot run"), Kind: rapid.String().Draw(t, "kind"), Rows: rapid.Uint64().Draw(t, "rows"),
		Last:   rapid.String().Draw(t, "last"),
		Status: rapid.SampledFrom([]SnapshotStatus{SnapshotWaiting, SnapshotRunning, SnapshotPaused, SnapshotCompleted, SnapshotAborted}).Draw(t, "status"),
		Whole:  rapid.SampledFrom([]string{"", "initial"}).Draw(t, "whole"),
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.String(), 0, 3, rapid.ID).Draw(t, "snapshot tables") {
		table := SnapshotTable{Table: name, Rows: rapid.Uint64().Draw(t, "table rows"), Condition: rapid.String().Draw(t, "condition")}
		if rapid.Bool().Draw(t, "overridden") {
			table.Override, table.By = rapid.String().Draw(t, "override"), rapid.String().Draw(t, "by")
		}
		if rapid.Bool().Draw(t, "begun") {
			table.Frontier = json.RawMessage(rapid.SampledFrom([]string{`{"key":["<1>"]}`, `[1,"x"]`, `"a"`}).Draw(t, "frontier"))
		}
		s.Tables = append(s.Tables, table)
	}
	return s
}

func drawRBA(t *rapid.T, from RBA) RBA {
	r := RBA{
		Sequence: rapid.Uint32Min(from.Sequence).Draw(t, "sequence"), Block: rapid.Uint32().Draw(t, "block"),
		Byte: rapid.Uint16().Draw(t, "byte"),
	}
	if r.Compare(from) < 0 {
		return from
	}
	return r
}

func drawBoundary(t *rapid.T, from Boundary, label string) Boundary {
	b := Boundary{SCN: SCN(rapid.Uint64Min(uint64(from.SCN)).Draw(t, label))}
	for _, m := range from.Marks {
		b = b.With(Mark{m.Thread, drawRBA(t, m.Address), rapid.Uint32Min(m.Log).Draw(t, "log")})
	}
	for _, thread := range rapid.SliceOfN(rapid.IntRange(1, 5), 0, 2).Draw(t, "threads") {
		if _, ok := b.Mark(thread); !ok {
			b = b.With(Mark{thread, drawRBA(t, RBA{}), rapid.Uint32().Draw(t, "log")})
		}
	}
	return b
}

func TestR50UnknownMembersSurviveAtEveryDepth(t *testing.T) {
	in := strings.NewReplacer(
		`"dbid":1474236851,`, `"dbid":1474236851,"role":"PRIMARY",`,
		`"guid":"2A9F"}`, `"guid":"2A9F","incarnation":{"scn":"5"}}`,
		`"l":10}}},"done"`, `"l":10,"u":[ ]}},"w":1},"done"`,
		`"later":`, `"journal":{"count":0},"/odd~":1,"RUN":"x","later":`,
	).Replace(golden)
	p, err := Decode([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	if p.Run != goldenPosition().Run {
		t.Fatalf("run %q was read from a member that is spelled otherwise", p.Run)
	}
	out, err := Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tree(t, []byte(in)), tree(t, out)); diff != "" {
		t.Fatal(diff)
	}
}

func tree(t *testing.T, data []byte) any {
	t.Helper()
	var out any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestR50NewerFormatIsRefused(t *testing.T) {
	var newer ErrNewer
	if _, err := Decode([]byte(`{"v":2,"run":{"shape":"changed"}}`)); !errors.As(err, &newer) || newer.Version != 2 {
		t.Fatalf("got %v, want ErrNewer of version 2", err)
	}
}

func TestR50LedgersThatCannotBeHonouredAreRefused(t *testing.T) {
	for _, member := range []string{
		`"journal":{"count":2,"digest":"d","ids":["1"]}`,
	} {
		var uncovered ErrUncovered
		if _, err := Decode([]byte(strings.Replace(golden, `"later"`, member+`,"later"`, 1))); !errors.As(err, &uncovered) {
			t.Errorf("%s: got %v, want ErrUncovered", member, err)
		}
	}
}

func TestR50DamagedPositionIsAnError(t *testing.T) {
	replace := func(from, to string) string {
		out := strings.Replace(golden, from, to, 1)
		if out == golden {
			t.Fatalf("%q is not in the golden position", from)
		}
		return out
	}
	for name, in := range map[string]string{
		"empty": "", "null": "null", "array": "[]", "cut": golden[:len(golden)-9], "two documents": golden + golden,
		"no v": replace(`"v":1,`, ``), "v of zero": replace(`"v":1,`, `"v":0,`), "v as text": replace(`"v":1,`, `"v":"1",`),
		"no run": replace(`"run"`, `"was"`), "null seq": replace(`"seq":7`, `"seq":null`), "no identity": replace(`"identity"`, `"id"`),
		"no done": replace(`"done"`, `"d"`), "SCN as number": replace(`"18446744073709551614"`, `18446744073709551614`),
		"SCN over 64 bits": replace(`"c":"18446744073709551614"`, `"c":"18446744073709551616"`),
		"short address":    replace(`"0x00000a.00000010.0010"`, `"0x00000a.00000010"`), "no log": replace(`,"l":10`, ``),
		"thread by name": replace(`"1":{`, `"one":{`), "thread with zero": replace(`"1":{`, `"01":{`),
		"short key": replace(`["18446744073709551613",1,`, `["18446744073709551613",`), "null resume": replace(`"resume":{`, `"resume":null,"x":{`),
		"resume beyond done": replace(`"0x00000a.00000010.0010"`, `"0x00000a.00000021.0010"`),
		"done beyond group":  replace(`"0x00000a.00000020.0010"`, `"0x00000b.00000021.0010"`),
		"place of zero":      replace(`"FREEPDB1.APP.B":{"n":1`, `"FREEPDB1.APP.B":{"n":0`), "no status": replace(`"status":"running",`, ``),
		"null frontier":         replace(`"frontier":{"key":["1","x"]}`, `"frontier":null`),
		"id of a table as text": replace(`"FREEPDB1.APP.A":76001`, `"FREEPDB1.APP.A":"76001"`), "no id of a table": replace(`"FREEPDB1.APP.A":76001`, `"FREEPDB1.APP.A":null`),
		"tables out of order": replace(`{"FREEPDB1.APP.A":76001,"FREEPDB1.APP.B":0}`, `["FREEPDB1.APP.B","FREEPDB1.APP.A"]`),
		"tables twice":        replace(`{"FREEPDB1.APP.A":76001,"FREEPDB1.APP.B":0}`, `["FREEPDB1.APP.A","FREEPDB1.APP.A"]`),
		"tables as text":      replace(`{"FREEPDB1.APP.A":76001,"FREEPDB1.APP.B":0}`, `"FREEPDB1.APP.A"`),
		"negative of version": replace(`"FREEPDB1.APP.A":1`, `"FREEPDB1.APP.A":-1`),
	} {
		var newer ErrNewer
		if p, err := Decode([]byte(in)); err == nil || errors.As(err, &newer) {
			t.Errorf("%s: got %+v, %v, want an error", name, p, err)
		}
	}
}

func TestR50EncodeRefusesBoundariesOutOfOrder(t *testing.T) {
	p := goldenPosition()
	p.Resume.SCN, p.Done.SCN = 5, 4
	if data, err := Encode(p); err == nil {
		t.Fatalf("encoded %s", data)
	}
	for what, spoil := range map[string]func(*Snapshot){
		"frontier": func(s *Snapshot) { s.Tables[0].Frontier = json.RawMessage(`{`) },
		"table":    func(s *Snapshot) { s.Tables[1].Table = s.Tables[0].Table },
		"queued":   func(s *Snapshot) { s.Queued = append(s.Queued, s.Queued[0]) },
		"inside":   func(s *Snapshot) { s.Queued[0].Tables = append(s.Queued[0].Tables, s.Queued[0].Tables[0]) },
	} {
		p = goldenPosition()
		spoil(p.Snapshot)
		if data, err := Encode(p); err == nil {
			t.Fatalf("%s: encoded %s", what, data)
		}
	}
	p = goldenPosition()
	p.Unknown["bad"] = json.RawMessage(`{`)
	if data, err := Encode(p); err == nil {
		t.Fatalf("encoded %s", data)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(golden))
	f.Add([]byte(`{"v":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Encode(p)
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		back, err := Decode(again)
		if err != nil {
			t.Fatalf("%v: %s became %s", err, data, again)
		}
		if diff := cmp.Diff(p, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestSignalsKeepWhatTheyWere(t *testing.T) {
	var none *Signals
	a := none.PastRecord(1, 7)
	b := a.PastRecord(0, 2).PastCommit(Key{SCN: 9})
	c := b.PastRecord(1, 3).PastCommit(Key{SCN: 5})
	if diff := cmp.Diff(&Signals{Offsets: map[int32]int64{0: 3, 1: 8}, Table: &Key{SCN: 9}, Commits: []Key{{SCN: 9}, {SCN: 5}}}, c); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&Signals{Offsets: map[int32]int64{1: 8}}, a); diff != "" {
		t.Error("an older one changed:", diff)
	}
	if none.HasCommit(Key{}) || a.HasCommit(Key{}) || !c.HasCommit(Key{SCN: 9}) || !c.HasCommit(Key{SCN: 5}) || c.HasCommit(Key{SCN: 9, Thread: 1}) {
		t.Error("a commit counts as handled that is not, or the other way round")
	}
	if c.HasCommit(Key{SCN: 8}) {
		t.Error("a commit that reached the redo late counts as handled")
	}
	if diff := cmp.Diff([]Key{{SCN: 9}, {SCN: 5}}, c.PastCommit(Key{SCN: 5}).Commits); diff != "" {
		t.Error(diff)
	}
	if _, err := Encode(&Position{Signals: &Signals{Offsets: map[int32]int64{0: -1}}}); err == nil {
		t.Error("a negative offset was encoded")
	}
}

// What is done is mined no more, so that the position does not grow with every signal.
func TestCommitsOfSignalsAreForgottenOnceTheyAreDone(t *testing.T) {
	at := func(scn SCN, block uint32) Key { return Key{SCN: scn, Thread: 1, Address: RBA{1, block, 0}} }
	done := func(scn SCN, block uint32) Boundary {
		return Boundary{SCN: scn, Marks: []Mark{{Thread: 1, Address: RBA{1, block, 0}, Log: 1}}}
	}
	var s *Signals
	if s.Done(done(9, 9)) != nil {
		t.Error("nothing became something")
	}
	s = s.PastCommit(at(9, 3)).PastCommit(at(5, 8))
	if got := s.Done(done(8, 9)); !got.HasCommit(at(9, 3)) || got.HasCommit(at(5, 8)) || len(s.Commits) != 2 {
		t.Errorf("%v", got.Commits)
	}
	if got := s.Done(done(9, 7)); got.HasCommit(at(9, 3)) || !got.HasCommit(at(5, 8)) {
		t.Errorf("%v", got.Commits)
	}
	none := s.Done(done(9, 9))
	text, err := Encode(&Position{Signals: none})
	if err != nil {
		t.Fatal(err)
	}
	read, err := Decode(text)
	if err != nil || read.Signals.HasCommit(at(4, 9)) || *read.Signals.Table != at(9, 3) {
		t.Errorf("%s is read as %+v, %v", text, read, err)
	}

	// A position of a build that kept the highest commit alone: all below it is handled, until that is done.
	old := &Signals{Table: &Key{SCN: 9, Thread: 1, Address: RBA{1, 3, 0}}}
	later := old.PastCommit(at(12, 9))
	switch {
	case !old.HasCommit(at(5, 8)) || !later.HasCommit(at(5, 8)) || !later.HasCommit(at(12, 9)):
		t.Error("what was handled before is handled again")
	case later.Done(done(11, 11)) != later || !later.Done(done(11, 11)).HasCommit(at(5, 8)):
		t.Error("it is forgotten too early")
	case later.Done(done(12, 11)).HasCommit(at(5, 12)):
		t.Error("it is never forgotten")
	}
}
