package layout

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/oracle-cdc/redpanda-connect-oracle"
	root   = "../../.."
)

// sourceFile is one Go file of the module.
type sourceFile struct {
	// name is the path from the root of the module, with slashes.
	name    string
	test    bool
	imports []string
	doc     string
	pkg     string
}

func (f sourceFile) dir() string { return path.Dir(f.name) }

// sourceFiles parses every Go file of the module as far as its imports.
func sourceFiles(t *testing.T) []sourceFile {
	t.Helper()
	var files []sourceFile
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); p != root && (name == "testdata" || name == "bin" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(p) != ".go" {
			return nil
		}
		f, err := parseFile(p)
		if err != nil {
			return err
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no Go file found: the test looks at the wrong folder")
	}
	return files
}

func parseFile(p string) (sourceFile, error) {
	rel, err := filepath.Rel(root, p)
	if err != nil {
		return sourceFile{}, err
	}
	tree, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return sourceFile{}, err
	}
	f := sourceFile{name: filepath.ToSlash(rel), test: strings.HasSuffix(p, "_test.go"), pkg: tree.Name.Name}
	if tree.Doc != nil {
		f.doc = tree.Doc.Text()
	}
	for _, spec := range tree.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return sourceFile{}, err
		}
		f.imports = append(f.imports, name)
	}
	return f, nil
}

// within reports whether an import path is prefix or lies below it.
func within(name, prefix string) bool {
	return name == prefix || strings.HasPrefix(name, prefix+"/")
}

// standard reports whether an import path belongs to the standard library: its first element holds no dot.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return !strings.Contains(first, ".")
}

func readRoot(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
