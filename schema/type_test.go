package schema

import "testing"

func TestTypesAreKnownByTheDictionarysNames(t *testing.T) {
	for _, c := range []struct {
		name, owner string
		want        TypeKind
	}{
		{"NUMBER", "", Number},
		{"FLOAT", "", Float},
		{"VARCHAR2", "", Varchar2},
		{"DATE", "", Date},
		{"TIMESTAMP(6)", "", Timestamp},
		{"TIMESTAMP(3) WITH TIME ZONE", "", TimestampTZ},
		{"TIMESTAMP(9) WITH LOCAL TIME ZONE", "", TimestampLTZ},
		{"INTERVAL YEAR(2) TO MONTH", "", IntervalYM},
		{"INTERVAL DAY(2) TO SECOND(6)", "", IntervalDS},
		{"XMLTYPE", "PUBLIC", XMLType},
		{"XMLTYPE", "APP", Unsupported},
		{"NUMBER", "APP", Unsupported}, // a user's own type of that name
		{"JSON", "", Unsupported},
	} {
		if got := ParseType(c.name, c.owner); got != c.want {
			t.Errorf("%s of %q: %d, want %d", c.name, c.owner, got, c.want)
		}
	}
}

func TestCapturedTypesAreStoredInTheRow(t *testing.T) {
	for _, c := range []struct {
		in   Type
		want bool
	}{
		{Type{Kind: Varchar2, Length: 4000}, true},
		{Type{Kind: Varchar2, Length: 4001}, false},
		{Type{Kind: Raw, Length: 2000}, true},
		{Type{Kind: Raw, Length: 2001}, false},
		{Type{Kind: Date}, true},
		{Type{Kind: CLOB}, false},
		{Type{}, false},
	} {
		if got := c.in.Captured(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.in, got, c.want)
		}
	}
}
