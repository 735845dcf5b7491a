package redo

import "testing"

// The form of RS_ID is observed (reference logminer B.3): fixed width, lower-case hex.
func TestRBAStringHasTheFormOfRSID(t *testing.T) {
	got := RBA{Sequence: 0x31f7, Block: 0x8fdb97, Byte: 0x10}.String()
	if want := "0x0031f7.008fdb97.0010"; got != want {
		t.Fatalf("RBA = %q, want %q", got, want)
	}
}

func TestRBAStringKeepsAllDigitsOfALongSequence(t *testing.T) {
	if got, want := (RBA{Sequence: 0x1234567}).String(), "0x1234567.00000000.0000"; got != want {
		t.Fatalf("RBA = %q, want %q", got, want)
	}
}
