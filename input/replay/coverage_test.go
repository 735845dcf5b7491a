package replay

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// seenBy says which packages can see a kind of case: a statement shows in the parser, the decoder and behind them; rows show only where
// transactions are put together.
func seenBy(kind string) []string {
	both := []string{"input/replay", "input/scenario", "input/internal/engine"}
	switch kind {
	case "sql_redo":
		return append(both, "input/internal/sqlredo", "input/internal/decode")
	case "rows":
		return append(both, "input/internal/transaction")
	case "ddl":
		return []string{"schema/ddl"}
	}
	return nil
}

// covering is a line of testdata/coverage.txt.
type covering struct{ id, folder, test string }

func readCoverage(t *testing.T) map[string]covering {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", "coverage.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	found := map[string]covering{}
	for in := bufio.NewScanner(f); in.Scan(); {
		if strings.HasPrefix(in.Text(), "#") {
			continue
		}
		parts := strings.SplitN(in.Text(), " ", 3)
		if len(parts) != 3 || found[parts[0]].id != "" {
			t.Fatalf("line %q is no case with folder and test, or there twice", in.Text())
		}
		found[parts[0]] = covering{parts[0], parts[1], parts[2]}
	}
	return found
}

// testsOf parses the tests of a folder.
func testsOf(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && (strings.HasPrefix(f.Name.Name, "Test") || strings.HasPrefix(f.Name.Name, "Fuzz")) {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

// The list names a test of the tree for each case, and a test of the own cases by its name and of the same kind.
func TestEveryCaseHasATestOfItsKind(t *testing.T) {
	coverage := readCoverage(t)
	own := map[string]string{}
	for _, c := range readCases(t, filepath.Join("testdata", "cases.jsonl")) {
		own[c.ID] = c.Kind
	}
	tests := map[string][]string{}
	for _, c := range coverage {
		if tests[c.folder] == nil {
			tests[c.folder] = testsOf(t, c.folder)
		}
		function, subtest, _ := strings.Cut(c.test, "/")
		if !slices.Contains(tests[c.folder], function) {
			t.Errorf("case %s: %s has no test %s", c.id, c.folder, function)
		}
		if _, ok := own[subtest]; (function == "TestOwnCases") != ok {
			t.Errorf("case %s: no case of our own is %q", c.id, subtest)
		}
	}
	seen := map[string]bool{}
	for _, c := range foreignCases(t) {
		base, _, _ := strings.Cut(c.ID, ".")
		line, ok := coverage[c.ID] // a case of another kind than its neighbours
		if ok {
			base = c.ID
		} else {
			line, ok = coverage[base]
		}
		seen[base] = true
		if !ok {
			t.Errorf("case %s (%s) is not in testdata/coverage.txt", base, c.Kind)
			continue
		}
		if !slices.Contains(seenBy(c.Kind), line.folder) {
			t.Errorf("case %s: tests of %s do not see %s", base, line.folder, c.Kind)
		}
		function, subtest, _ := strings.Cut(line.test, "/")
		if kind, ok := own[subtest]; ok && kind != c.Kind {
			t.Errorf("case %s is of kind %s, and our %q of kind %s", base, c.Kind, subtest, kind)
		}
		if _, refused := refusedCases[c.ID]; refused && function != "TestRefusalsNameWhatIsRefused" {
			t.Errorf("case %s is refused, and %s shows no refusal", c.ID, line.test)
		}
	}
	for id := range coverage {
		if !seen[id] {
			t.Errorf("testdata/coverage.txt has case %s, which does not exist", id)
		}
	}
}
