package redo

import (
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/catalog"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

var compareRecords = cmp.Options{
	cmp.AllowUnexported(Record{}),
	cmp.Comparer(func(a, b *apd.Decimal) bool {
		return a == b || a != nil && b != nil && a.Form == b.Form && a.Negative == b.Negative && a.Exponent == b.Exponent && a.Coeff.Cmp(&b.Coeff) == 0
	}),
	cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }),
	cmp.Comparer(func(a, b *catalog.Table) bool { return a == b }),
}

func drawValue(t *rapid.T) datum.Datum {
	clock := func() datum.DateTime {
		return datum.DateTime{
			Year: int16(rapid.IntRange(-4712, 9999).Draw(t, "year")), Month: 12, Day: 31, Hour: 23, Minute: 59, Second: 58,
			Nano: uint32(rapid.IntRange(0, 999_999_999).Draw(t, "nano")),
		}
	}
	switch kind := datum.Kind(rapid.IntRange(int(datum.Null), int(datum.IntervalDS)).Draw(t, "kind")); kind {
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		text := rapid.StringMatching(`-?[0-9]{1,40}(\.[0-9]{1,30})?(E[+-]?[0-9]{1,2})?`).Draw(t, "number")
		d, _, err := apd.NewFromString(text)
		if err != nil {
			t.Fatal(err)
		}
		return datum.Datum{Kind: kind, Number: d}
	case datum.Text, datum.RowID, datum.Clob:
		return datum.Datum{Kind: kind, Text: rapid.String().Draw(t, "text")}
	case datum.Raw, datum.Blob:
		return datum.Datum{Kind: kind, Raw: append([]byte{1}, rapid.SliceOf(rapid.Byte()).Draw(t, "raw")...)}
	case datum.Time:
		return datum.Datum{Kind: kind, Time: clock()}
	case datum.Zoned:
		return datum.Datum{Kind: kind, Time: clock(), Offset: int16(rapid.IntRange(-840, 840).Draw(t, "offset"))}
	case datum.Float:
		return datum.Datum{Kind: kind, Float: rapid.Float64().Draw(t, "float")}
	default:
		return datum.Datum{}
	}
}

func drawRecord(t *rapid.T, tables []*catalog.Table) *Record {
	image := func(name string) ([]datum.Datum, []bool) {
		if rapid.Bool().Draw(t, "no "+name) {
			return nil, nil
		}
		n := rapid.IntRange(1, 5).Draw(t, name)
		values, set := make([]datum.Datum, n), make([]bool, n)
		for i := range n {
			values[i], set[i] = drawValue(t), rapid.Bool().Draw(t, "set")
		}
		return values, set
	}
	r := &Record{
		Thread: 1, RBA: RBA{Sequence: 7, Block: math.MaxUint32, Byte: 65535}, SSN: int64(rapid.IntRange(0, 300).Draw(t, "ssn")),
		SCN: SCN(rapid.Uint64().Draw(t, "scn")), Time: time.Unix(rapid.Int64Range(-1e9, 1e10).Draw(t, "time"), 999_999_999).UTC(),
		XID:       XID{USN: rapid.Uint16().Draw(t, "usn"), Slot: 33, Sqn: math.MaxUint32},
		Container: rapid.IntRange(1, 4000).Draw(t, "container"), Op: Op(rapid.Byte().Draw(t, "op")),
		Undo: rapid.Bool().Draw(t, "undo"), Shared: rapid.Bool().Draw(t, "shared"), Unlogged: rapid.Bool().Draw(t, "unlogged"),
		quirks: quirks(rapid.Uint16().Draw(t, "quirks")), Table: rapid.SampledFrom(tables).Draw(t, "table"),
		RowID: rapid.SampledFrom([]string{"", "AAASNJAAMAAAACHAAA"}).Draw(t, "rowid"), SQL: rapid.String().Draw(t, "sql"),
		Origin: Origin{User: rapid.SampledFrom([]string{"APP", "SYSTEM", ""}).Draw(t, "user"), SessionID: 5, Serial: 6},
	}
	r.Before, r.BeforeSet = image("before")
	r.After, r.AfterSet = image("after")
	return r
}

func TestPageGivesBackWhatWasWritten(t *testing.T) {
	tables := []*catalog.Table{nil, {Name: "A"}, {Name: "B"}}
	rapid.Check(t, func(rt *rapid.T) {
		var n names
		var records []*Record
		for range rapid.IntRange(1, 20).Draw(rt, "records") {
			records = append(records, drawRecord(rt, tables))
		}
		page := appendPage(nil, &n, records)
		for _, r := range records { // a copy is the same
			if diff := cmp.Diff(r, r.Clone(), compareRecords); diff != "" {
				rt.Fatal(diff)
			}
		}
		// What another page left behind must not show.
		other := appendPage(nil, &n, []*Record{drawRecord(rt, tables), drawRecord(rt, tables)})
		d := decoder{tables: n.tables, origins: n.origins, effects: n.effects}
		if _, err := d.decode(string(other)); err != nil {
			rt.Fatal(err)
		}
		got, err := d.decode(string(page))
		if err != nil {
			rt.Fatal(err)
		}
		if diff := cmp.Diff(records, got, compareRecords); diff != "" {
			rt.Fatal(diff)
		}
		// Every shorter page is refused.
		if _, err := d.decode(string(page[:rapid.IntRange(0, len(page)-1).Draw(rt, "cut")])); !errors.Is(err, errPage) {
			rt.Fatalf("a page that was cut: %v", err)
		}
	})
}

func FuzzPage(f *testing.F) {
	var n names
	f.Add(appendPage(nil, &n, []*Record{insert(3), {Op: Commit}}))
	f.Fuzz(func(t *testing.T, page []byte) {
		if _, err := (&decoder{tables: n.tables, origins: n.origins, effects: n.effects}).decode(string(page)); err != nil && !errors.Is(err, errPage) {
			t.Error(err)
		}
	})
}

// generated is record i of a long stream: an insert of ten columns.
func generated(i int, table *catalog.Table) *Record {
	r := &Record{
		Op: Insert, Table: table, Container: 3, XID: XID{USN: 5, Sqn: uint32(i / 1000)}, RowID: "AAASNJAAMAAAACHAAA",
		After: make([]datum.Datum, 10), AfterSet: make([]bool, 10), Origin: Origin{User: "APP"},
	}
	for c := range r.After {
		r.AfterSet[c] = true
		r.After[c] = datum.Datum{Kind: datum.Text, Text: fmt.Sprintf("value %d of row %d", c, i)}
	}
	r.After[0] = datum.Datum{Kind: datum.Number, Number: apd.New(int64(i), 0)}
	return r
}

// heap is what is reachable.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The number of records is REDO_RECORDS if that is set, as in
//
//	REDO_RECORDS=10000000 go test -run TestMemory -v ./input/oracletest/redo
func TestMemoryIsBoundedWhateverTheNumberOfRecords(t *testing.T) {
	records := 200_000
	if text := os.Getenv("REDO_RECORDS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		records = n
	}
	const budget, slack = 4 << 20, 4 << 20
	dir := t.TempDir()
	s := open(t, Config{MemoryBudget: budget, SpillDir: dir})
	t.Cleanup(s.Close)
	table := &catalog.Table{Owner: "APP", Name: "T"}
	before := heap()
	limit := func(when string) {
		t.Helper()
		if used := heap() - before; used > budget+slack {
			t.Fatalf("%s: %d bytes in memory, the budget is %d", when, used, budget)
		}
	}
	for i := range records {
		if err := s.Append(t.Context(), generated(i, table)); err != nil {
			t.Fatal(err)
		}
		if i%(records/8) == 0 {
			limit(fmt.Sprintf("after record %d", i))
		}
	}
	limit("all written")
	next := 0
	for _, name := range logNames(s) {
		f, err := s.OpenFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for from := 0; ; {
			recs, err := f.Records(from, from+pageRecords)
			if err != nil {
				t.Fatal(err)
			}
			if len(recs) == 0 {
				break
			}
			for _, r := range recs {
				if n, err := r.After[0].Number.Int64(); err != nil || int(n) != next || r.After[9].Text != fmt.Sprintf("value 9 of row %d", next) {
					t.Fatalf("row %d is %s, %q", next, r.After[0].Number, r.After[9].Text)
				}
				next++
			}
			from += len(recs)
			if next%(records/8) < pageRecords {
				limit(fmt.Sprintf("read up to record %d", next))
			}
		}
	}
	if next != records {
		t.Errorf("%d records were read, %d written", next, records)
	}
	t.Logf("%d records, %d logs, %.0f bytes a record in files, %d bytes of memory", records, len(logNames(s)), float64(folderBytes(t, dir))/float64(records), heap()-before)
}

// logNames lists the files that hold all records, in order.
func logNames(s *Stream) []string {
	var names []string
	for _, a := range s.Archived() {
		names = append(names, a.Name)
	}
	for _, o := range s.Online() {
		if o.Status == StatusCurrent {
			names = append(names, o.Member)
		}
	}
	return names
}

// folderFiles lists the spill files.
func folderFiles(t testing.TB, dir string) []os.FileInfo {
	t.Helper()
	var infos []os.FileInfo
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		files, err := os.ReadDir(dir + "/" + folder.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			info, err := file.Info()
			if err != nil {
				t.Fatal(err)
			}
			infos = append(infos, info)
		}
	}
	return infos
}

func folderBytes(t testing.TB, dir string) (n int64) {
	t.Helper()
	for _, info := range folderFiles(t, dir) {
		n += info.Size()
	}
	return n
}

func TestSpilledFilesGoWithTheirLogs(t *testing.T) {
	dir := t.TempDir()
	s := open(t, Config{MemoryBudget: minBudget, LogSize: 256 << 10, SpillDir: dir})
	fill := func(n int) {
		t.Helper()
		for range n {
			appendAll(t, s, insert(1000))
		}
	}
	fill(2000)
	logs := s.Archived()
	full := len(folderFiles(t, dir))
	if full < len(logs) {
		t.Fatalf("%d files of %d logs", full, len(logs)+1)
	}
	f, err := s.OpenFile(logs[1].Name)
	if err != nil {
		t.Fatal(err)
	}
	s.Purge(logs[1].NextChange, true)
	if files := folderFiles(t, dir); len(files) != full-2 {
		t.Errorf("%d files after the purge of 2 of %d", len(files), full)
	}
	var gone *FileError
	if _, err := f.Records(0, 10); !errors.As(err, &gone) {
		t.Errorf("read of a purged log: %v", err)
	}
	// A purged log that is still online can be read until its group is reused.
	last := s.Archived()[len(logs)-1]
	s.Purge(last.NextChange, true)
	online := s.Online()
	for _, o := range online {
		if o.Sequence != last.Sequence {
			continue
		}
		f, err := s.OpenFile(o.Member)
		if err != nil {
			t.Fatal(err)
		}
		if recs, err := f.Records(0, 10); err != nil || len(recs) != 10 {
			t.Errorf("online copy: %d records, %v", len(recs), err)
		}
	}
	for range len(online) {
		switchOnce(t, s)
	}
	s.Purge(s.CurrentSCN(), true)
	for range len(online) {
		switchOnce(t, s)
	}
	if files := folderFiles(t, dir); len(files) != 0 {
		t.Errorf("%d files are left", len(files))
	}
	if s.spill.held != 0 {
		t.Errorf("%d bytes are accounted for without a record", s.spill.held)
	}
	fill(200)
	s.Close()
	if folders, err := os.ReadDir(dir); err != nil || len(folders) != 0 {
		t.Errorf("after Close: %v %v", folders, err)
	}
}

func TestReadAfterCloseSaysSo(t *testing.T) {
	s := open(t, Config{MemoryBudget: minBudget, SpillDir: t.TempDir()})
	for range 1000 {
		appendAll(t, s, insert(1000))
	}
	f, err := s.OpenFile(s.Online()[0].Member)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if _, err := f.Records(0, 10); !errors.Is(err, ErrClosed) {
		t.Errorf("err = %v", err)
	}
}

func TestSpillErrorIsTold(t *testing.T) {
	s := open(t, Config{MemoryBudget: minBudget, SpillDir: t.TempDir() + "/none"})
	var err error
	for range 200 {
		if err = s.Append(t.Context(), insert(1000)); err != nil {
			break
		}
	}
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("err = %v", err)
	}
}

func BenchmarkAppend(b *testing.B) {
	s := open(b, Config{MemoryBudget: 8 << 20, SpillDir: b.TempDir()})
	b.Cleanup(s.Close)
	table := &catalog.Table{Owner: "APP", Name: "T"}
	b.ReportAllocs()
	for i := range b.N {
		if err := s.Append(b.Context(), generated(i, table)); err != nil {
			b.Fatal(err)
		}
	}
}
