package doctable

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "doc.go")
	text := "// Package p.\n//\n// # Other\n//\n//\tno  row\n//\n// # Rows\n//\n// Text.\n//\n//\tA, B c   one two\n//\t         three\n//\tD\npackage p\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, err := Read(file, "Rows")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Row{{"A, B c", "one two three"}, {"D", ""}}, rows); diff != "" {
		t.Error(diff)
	}
	if got := rows[0].Words(); len(got) != 3 {
		t.Errorf("words %q", got)
	}
	if _, err := Read(file, "Nothing"); err == nil {
		t.Error("a table that is not there was read")
	}
	if _, err := Read(file+"x", "Rows"); err == nil {
		t.Error("a file that is not there was read")
	}
}
