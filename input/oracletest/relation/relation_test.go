package relation

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/datum"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/engine"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// Reference logminer H.2: NEXT_CHANGE# of the current log exceeds a signed 64-bit integer.
func TestUintIsExact(t *testing.T) {
	for _, c := range []struct {
		n    uint64
		want string
	}{{0, "0"}, {1<<63 - 1, "9223372036854775807"}, {1 << 63, "9223372036854775808"}, {1<<64 - 1, "18446744073709551615"}} {
		if got := Uint(c.n).Number.Text('f'); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	if got := Int(-7).Number.Text('f'); got != "-7" {
		t.Errorf("Int(-7) = %s", got)
	}
}

func TestCellsOfNothingAreNull(t *testing.T) {
	for name, d := range map[string]datum.Datum{"text": Text(""), "date": Date(time.Time{}), "bytes": Bytes(nil)} {
		if !d.IsNull() {
			t.Errorf("%s is not NULL", name)
		}
	}
	if YesNo(true).Text != "YES" || YesNo(false).Text != "NO" {
		t.Error("YesNo")
	}
	if b := Bytes([]byte{1}); b.Kind != datum.Raw || b.Raw[0] != 1 {
		t.Errorf("bytes %+v", b)
	}
}

func TestDateHasWholeSeconds(t *testing.T) {
	got := Date(time.Date(2026, 2, 28, 13, 45, 59, 999, time.FixedZone("", 3600)))
	want := datum.DateTime{Year: 2026, Month: 2, Day: 28, Hour: 13, Minute: 45, Second: 59}
	if got.Kind != datum.Time || got.Time != want {
		t.Errorf("%+v", got)
	}
}

func TestRowsAreProducedAtTheFirstFetch(t *testing.T) {
	produced := 0
	columns := []wire.Column{NumberColumn("N"), TextColumn("T", 5), DateColumn("D"), RawColumn("R", 2)}
	view := New(columns, func(context.Context, engine.Caller) ([][]datum.Datum, error) {
		produced++
		return [][]datum.Datum{{Int(1), Text("a"), {}, {}}, {Int(2), Text("b"), {}, {}}}, nil
	})
	if len(view.Columns()) != 4 || view.Columns()[1].Type.Size != 5 || view.Columns()[3].Type.Code != datum.TypeRaw {
		t.Errorf("columns %+v", view.Columns())
	}
	rows, err := view.Open(t.Context(), nil)
	if err != nil || produced != 0 {
		t.Fatal(err, produced)
	}
	dst := make([]datum.Datum, 4)
	for _, want := range []string{"a", "b"} {
		if ok, err := rows.Next(t.Context(), dst); !ok || err != nil || dst[1].Text != want {
			t.Errorf("%v %v %+v", ok, err, dst)
		}
	}
	if ok, err := rows.Next(t.Context(), dst); ok || err != nil || produced != 1 {
		t.Errorf("%v %v, produced %d times", ok, err, produced)
	}
	if err := rows.Close(); err != nil {
		t.Error(err)
	}
}

func TestProducerErrorReachesTheFetch(t *testing.T) {
	broken := errors.New("broken")
	view := New(nil, func(context.Context, engine.Caller) ([][]datum.Datum, error) { return nil, broken })
	rows, err := view.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rows.Next(t.Context(), nil); !errors.Is(err, broken) {
		t.Errorf("err = %v", err)
	}
}
