package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPagesAreFresh is make docs-check, for those who only run the tests.
func TestPagesAreFresh(t *testing.T) {
	if err := run([]string{"-check", "-folder", "../../resources/docs/reference"}, io.Discard); err != nil {
		t.Error(err)
	}
}

func TestEveryFieldIsDescribed(t *testing.T) {
	pages, err := componentPages()
	if err != nil {
		t.Fatal(err)
	}
	bare := regexp.MustCompile("(?m)^### `([^`]+)`\n\n- Type")
	for name, page := range pages {
		for _, m := range bare.FindAllSubmatch(page, -1) {
			t.Errorf("%s: field %s has no description", name, m[1])
		}
		if bytes.Contains(page, []byte("<no value>")) || !bytes.Contains(page, []byte("### `")) {
			t.Errorf("%s: the template misses something", name)
		}
	}
}

func TestCheckSeesStaleAndForeignPages(t *testing.T) {
	folder := t.TempDir()
	if err := run([]string{"-folder", folder}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-check", "-folder", folder}, io.Discard); err != nil {
		t.Fatalf("fresh pages: %v", err)
	}
	for name, spoil := range map[string]func() error{
		"errors.md": func() error { return os.WriteFile(filepath.Join(folder, "errors.md"), nil, 0o600) },
		"other.md":  func() error { return os.WriteFile(filepath.Join(folder, "other.md"), nil, 0o600) },
	} {
		if err := spoil(); err != nil {
			t.Fatal(err)
		}
		if err := run([]string{"-check", "-folder", folder}, io.Discard); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
