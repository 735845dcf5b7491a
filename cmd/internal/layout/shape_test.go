package layout

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// topLevel is what the root of the module may hold; what a program or a developer leaves there is not committed.
var topLevel = []string{
	".ci", ".editorconfig", ".gitignore", ".golangci.yml", "CHANGELOG.md", "LICENSE", "Makefile", "README.md",
	"bundle", "cmd", "config", "go.mod", "go.sum", "input", "processor", "resources", "schema",
}

func TestTopLevelIsFixed(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	ignored := append(strings.Fields(string(readRoot(t, ".gitignore"))), ".git")
	for _, e := range entries {
		name := e.Name()
		// A pattern of .gitignore may begin and end with a slash.
		skip := slices.ContainsFunc(ignored, func(pattern string) bool {
			ok, err := path.Match(strings.Trim(pattern, "/"), name)
			return err == nil && ok
		})
		if !slices.Contains(topLevel, name) && !skip {
			t.Errorf("%s does not belong to the top level", name)
		}
	}
}

// TestEveryPackageHasADoc: doc.go says what the package is, what it is not, who calls it and which goroutines it owns.
func TestEveryPackageHasADoc(t *testing.T) {
	docs, dirs := map[string]sourceFile{}, map[string]bool{}
	for _, f := range sourceFiles(t) {
		if !f.test {
			dirs[f.dir()] = true
		}
		if path.Base(f.name) == "doc.go" {
			docs[f.dir()] = f
		}
	}
	for dir := range dirs {
		doc, ok := docs[dir]
		if !ok {
			t.Errorf("%s has no doc.go", dir)
			continue
		}
		want := "Package " + doc.pkg + " "
		if doc.pkg == "main" {
			want = "Command " + path.Base(dir) + " "
		}
		if !strings.HasPrefix(doc.doc, want) {
			t.Errorf("%s/doc.go does not begin with %q", dir, want)
		}
		if !strings.Contains(doc.doc, "goroutine") {
			t.Errorf("%s/doc.go does not say which goroutines the package owns", dir)
		}
	}
}

// TestFilesDoNotRepeatTheirPackage: transaction/buffer.go, not transaction/transaction_buffer.go.
func TestFilesDoNotRepeatTheirPackage(t *testing.T) {
	for _, f := range sourceFiles(t) {
		base, dir := path.Base(f.name), path.Base(f.dir())
		if strings.HasPrefix(base, dir+"_") && base != dir+"_test.go" {
			t.Errorf("%s repeats the name of its package", f.name)
		}
	}
}
