package logminer

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
)

func TestQueryText(t *testing.T) {
	f := NewFilter(Objects{Container: 3, IDs: []uint64{30, 10, 30}, Names: []schema.Table{{PDB: "P", Owner: "APP", Name: "IT'S"}}})
	region := position.Boundary{SCN: 1003, Marks: []position.Mark{
		{Thread: 1, Address: position.RBA{Sequence: 0x12, Block: 0xa4b, Byte: 0x10}, Log: 17}, {Thread: 2, Log: 9},
	}}
	st, args, err := query(f, region, 1010)
	if err != nil {
		t.Fatal(err)
	}
	want := `SELECT ` + columns + `
  FROM v$logmnr_contents
 WHERE operation_code = 34 OR (scn <= :1
   AND ((thread# = 1 AND (rs_id > :2 OR scn > :3))
     OR (thread# = 2 AND (rs_id > :4 OR scn > :5))
     OR thread# NOT IN (1, 2)
     OR rs_id = ' 0x000000.00000000.0000 ')
   AND (operation_code IN (5, 6, 7, 36)
   OR (operation_code NOT IN (0, 25) AND ((src_con_id = 3 AND (data_obj# IN (10, 30) OR (seg_owner = 'APP' AND table_name = 'IT''S')))
     OR table_name IS NULL
     OR table_name LIKE 'OBJ#%'
     OR table_name LIKE 'BIN$%'
     OR seg_owner = 'UNKNOWN'))))`
	if diff := cmp.Diff(want, st.Text); diff != "" {
		t.Error(diff)
	}
	wantArgs := []any{uint64(1010), " 0x000012.00000a4b.0010 ", uint64(1003), " 0x000000.00000000.0000 ", uint64(1003)}
	if diff := cmp.Diff(wantArgs, args); diff != "" {
		t.Error(diff)
	}
	if got := len(strings.Split(columns, ",")); got != len(newScanner().dest) {
		t.Errorf("%d columns, %d destinations", got, len(newScanner().dest))
	}
}

func TestQueryWithoutMarksReadsThreadsWhole(t *testing.T) {
	st, args, err := query(testFilter(), position.Boundary{SCN: 1003}, 1010)
	if err != nil || len(args) != 1 || strings.Contains(st.Text, "rs_id >") {
		t.Errorf("%d binds, %v\n%s", len(args), err, st.Text)
	}
}

func TestQueryRefusesAddressesWithoutTextOrder(t *testing.T) {
	region := position.Boundary{Marks: []position.Mark{{Thread: 1, Address: position.RBA{Sequence: 1 << 24}}}}
	if _, _, err := query(testFilter(), region, 1010); err == nil {
		t.Error("no error")
	}
}

func TestR103ListsAreChunked(t *testing.T) {
	for _, n := range []int{1, 1000, 1001, 20_000} {
		ids := make([]uint64, n)
		for i := range ids {
			ids[i] = uint64(i + 1)
		}
		f := NewFilter(Objects{Container: 3, IDs: ids})
		lists := regexp.MustCompile(`data_obj# IN \(([^)]*)\)`).FindAllStringSubmatch(f.text, -1)
		total := 0
		for _, l := range lists {
			items := strings.Count(l[1], ",") + 1
			if items > maxListed {
				t.Errorf("%d ids: a list of %d", n, items)
			}
			total += items
		}
		if total != n || !f.captured(3, uint64(n)) || f.captured(4, uint64(n)) || f.captured(3, 0) {
			t.Errorf("%d ids: %d listed", n, total)
		}
	}
}

func TestR103NonContainerDatabaseHasNoContainerPredicate(t *testing.T) {
	if f := NewFilter(Objects{IDs: []uint64{7}}); strings.Contains(f.text, "src_con_id") || !f.captured(0, 7) {
		t.Error(f.text)
	}
}

func FuzzAddressForm(f *testing.F) {
	f.Add(" 0x000012.00000a4b.0010 ")
	f.Add(zeroAddress)
	f.Add("0x000012.00000a4b.0010")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseAddress(text)
		if err == nil && text != "" && rsID(a) != text {
			t.Errorf("%q is read as %s and written %q", text, a, rsID(a))
		}
	})
}

func BenchmarkScan(b *testing.B) {
	r := insert(1001, 18, 5)
	values := r.columns()
	s := newScanner()
	var row raw
	b.ReportAllocs()
	for b.Loop() {
		for i, v := range values {
			if err := s.dest[i].(interface{ Scan(any) error }).Scan(v); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.row(&row); err != nil {
			b.Fatal(err)
		}
	}
}

func TestScanAllocatesNothing(t *testing.T) {
	r := insert(1001, 18, 5)
	values := r.columns()
	s := newScanner()
	var row raw
	allocs := testing.AllocsPerRun(100, func() {
		for i, v := range values {
			if err := s.dest[i].(interface{ Scan(any) error }).Scan(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.row(&row); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 0 {
		t.Errorf("%v allocations per row", allocs)
	}
}

func TestHexTakesLowerCaseDigitsAlone(t *testing.T) {
	for b := range 256 {
		text := "1" + string([]byte{byte(b)}) + "2"
		want, err := strconv.ParseUint(text, 16, 32)
		fits := err == nil && text == strings.ToLower(text)
		if got, ok := hex(text); ok != fits || ok && uint64(got) != want {
			t.Errorf("%q: %x, %t; want %x, %t", text, got, ok, want, fits)
		}
	}
}
