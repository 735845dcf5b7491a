package ledger

import (
	"math/big"
	"testing"
)

func TestScaledNumbersHaveOneText(t *testing.T) {
	for _, c := range []struct {
		unscaled int64
		scale    int
		want     string
	}{
		{0, 0, "0"},
		{0, 2, "0"},
		{1250, 2, "12.5"},
		{-1250, 2, "-12.5"},
		{5, 2, "0.05"},
		{-5, 3, "-0.005"},
		{100, 2, "1"},
		{12, -3, "12000"},
		{123456789, 0, "123456789"},
	} {
		if got := Scaled(big.NewInt(c.unscaled), c.scale); got != (Value{Text: c.want}) {
			t.Errorf("%d scale %d: %v, want %s", c.unscaled, c.scale, got, c.want)
		}
	}
}

func TestEmptyTextIsNull(t *testing.T) {
	if !Of("").Null || Of(" ").Null || !Bytes(nil).Null {
		t.Error("the empty text is NULL in Oracle, a blank is not")
	}
	if (Row{Of("a,"), Of("b")}).String() == (Row{Of("a"), Of(",b")}).String() {
		t.Error("two different keys have one text")
	}
}

func TestKeyChangeIsSeen(t *testing.T) {
	table := &Table{Columns: []Column{{Name: "ID", Key: true}, {Name: "TAG"}}}
	same := Change{Table: table, Op: Update, Key: Row{Int(1)}, After: Row{Int(1), Of("x")}}
	moved := Change{Table: table, Op: Update, Key: Row{Int(1)}, After: Row{Int(2), Of("x")}}
	if same.Rekeys() || !moved.Rekeys() {
		t.Error("an update is a key change exactly when its key differs")
	}
}
