package scalar

import (
	"bytes"
	"cmp"
	"math"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
)

// Compare orders two values of one kind that are not NULL. Text compares by bytes (NLS_SORT=BINARY); callers with blank-padded
// semantics use ComparePadded.
func Compare(a, b *datum.Datum) int {
	switch a.Kind {
	case datum.Number, datum.IntervalYM, datum.IntervalDS:
		return CompareNumbers(a.Number, b.Number)
	case datum.Text, datum.Clob:
		return strings.Compare(a.Text, b.Text)
	case datum.RowID:
		return compareRowIDs(a.Text, b.Text)
	case datum.Time:
		return compareTimes(a.Time, b.Time)
	case datum.Zoned:
		return compareTimes(UTC(*a), UTC(*b))
	case datum.Raw, datum.Blob:
		return bytes.Compare(a.Raw, b.Raw)
	case datum.Float:
		return compareFloats(a.Float, b.Float)
	case datum.Null:
	}
	return 0
}

// ComparePadded compares texts as if the shorter one were padded with blanks (CHAR semantics).
func ComparePadded(a, b string) int {
	a, b = strings.TrimRight(a, " "), strings.TrimRight(b, " ")
	n := min(len(a), len(b))
	if c := strings.Compare(a[:n], b[:n]); c != 0 || len(a) == len(b) {
		return c
	}
	// What is longer goes on with a character that may be below the blank.
	if len(a) > n {
		return cmp.Compare(a[n], ' ')
	}
	return cmp.Compare(' ', b[n])
}

// compareFloats puts NaN above everything, as Oracle does.
func compareFloats(a, b float64) int {
	switch an, bn := math.IsNaN(a), math.IsNaN(b); {
	case an && bn:
		return 0
	case an:
		return 1
	case bn:
		return -1
	}
	return cmp.Compare(a, b)
}

func compareTimes(a, b datum.DateTime) int {
	if c := cmp.Compare(a.Year, b.Year); c != 0 {
		return c
	}
	x := uint64(a.Month)<<32 | uint64(a.Day)<<24 | uint64(a.Hour)<<16 | uint64(a.Minute)<<8 | uint64(a.Second)
	y := uint64(b.Month)<<32 | uint64(b.Day)<<24 | uint64(b.Hour)<<16 | uint64(b.Minute)<<8 | uint64(b.Second)
	if c := cmp.Compare(x, y); c != 0 {
		return c
	}
	return cmp.Compare(a.Nano, b.Nano)
}

// Equal reports whether two values are the same, NULL being equal to NULL.
func Equal(a, b *datum.Datum) bool {
	return a.Kind == b.Kind && (a.Kind == datum.Null || Compare(a, b) == 0)
}
