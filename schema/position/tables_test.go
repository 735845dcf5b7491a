package position

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A position of a build that did not know the ids names the tables alone.
func TestTablesWithoutIDsReadAsBefore(t *testing.T) {
	with := `"tables":{"FREEPDB1.APP.A":76001,"FREEPDB1.APP.B":0}`
	for in, want := range map[string][]Table{
		`"tables":["FREEPDB1.APP.A","FREEPDB1.APP.B"]`: {{Name: "FREEPDB1.APP.A"}, {Name: "FREEPDB1.APP.B"}},
		`"tables":[]`: nil, `"tables":{}`: nil,
	} {
		p, err := Decode([]byte(strings.Replace(golden, with, in, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.Tables); diff != "" {
			t.Error(in, diff)
		}
	}
}

// It is in every position.
func TestPositionOfManyTablesIsSmall(t *testing.T) {
	p := &Position{}
	for i := range 5_000 {
		p.Tables = append(p.Tables, Table{fmt.Sprintf("PDB1.SALES.ORDER_LINES_%05d", i), 90_000 + uint64(i)})
	}
	data, err := Encode(p)
	if err != nil || len(data) > 200_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// What both have is as the first has it.
func TestJointTablesAreThoseOfBoth(t *testing.T) {
	a, b := []Table{{"A", 1}, {"C", 3}}, []Table{{"A", 9}, {"B", 2}, {"D", 4}}
	if diff := cmp.Diff([]Table{{"A", 1}, {"B", 2}, {"C", 3}, {"D", 4}}, Joint(a, b)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Table{{"A", 1}, {"C", 3}}, a); diff != "" {
		t.Error("the first one changed:", diff)
	}
	if diff := cmp.Diff(b, Joint(nil, b)); diff != "" {
		t.Error(diff)
	}
}
