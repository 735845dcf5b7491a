package layout

import (
	"slices"
	"testing"
)

// TestArrows holds every file against the import rules, as the linter does.
func TestArrows(t *testing.T) {
	rules := readRules(t)
	for _, f := range sourceFiles(t) {
		for name, r := range rules {
			covered, err := r.covers(f)
			if err != nil {
				t.Fatalf("rule %s: %v", name, err)
			}
			if !covered {
				continue
			}
			for _, imported := range f.imports {
				if !r.permits(imported) {
					t.Errorf("%s imports %s, which rule %q of .golangci.yml forbids", f.name, imported, name)
				}
			}
		}
	}
}

// TestEveryPackageHasAnArrow: a package without a strict rule of its own would escape the table.
func TestEveryPackageHasAnArrow(t *testing.T) {
	rules := readRules(t)
	for _, f := range sourceFiles(t) {
		if f.test {
			continue
		}
		strict := slices.Collect(func(yield func(string) bool) {
			for name, r := range rules {
				if covered, err := r.covers(f); err == nil && covered && r.Mode == "strict" && !yield(name) {
					return
				}
			}
		})
		if len(strict) != 1 {
			t.Errorf("%s is covered by the strict rules %q of .golangci.yml, want exactly one", f.name, strict)
		}
	}
}

// The sentences of the design that must hold even if somebody loosens the table.
func TestArrowsThatNeverTurn(t *testing.T) {
	const (
		standIn  = module + "/input/oracletest"
		driver   = "github.com/sijms/go-ora"
		upstream = "github.com/redpanda-data/connect"
		// The driver's tables of character sets talk to nobody.
		sets     = driver + "/v2/converters"
		quick    = "cmd/quickstart"
		verifier = quick + "/internal/verify"
	)
	for _, f := range sourceFiles(t) {
		dir := f.dir()
		for _, imported := range f.imports {
			if within(imported, upstream) {
				t.Errorf("%s imports %s: the distribution takes nothing from it", f.name, imported)
			}
			if f.test {
				continue
			}
			if within(imported, standIn) && !within(dir, "input/oracletest") && dir != "cmd/oracle-standin" && dir != quick {
				t.Errorf("%s imports %s: product code never imports the stand-in", f.name, imported)
			}
			if within(imported, driver) && dir != "input/internal/oracle" && !within(dir, quick) &&
				(imported != sets || dir != "input/internal/charset") {
				t.Errorf("%s imports %s: only input/internal/oracle talks to the driver", f.name, imported)
			}
			if within(dir, verifier) && within(imported, module) && !within(imported, module+"/"+quick) {
				t.Errorf("%s imports %s: the verifier knows no product package", f.name, imported)
			}
			if within(dir, "input/oracletest") && within(imported, module) && !within(imported, standIn) {
				t.Errorf("%s imports %s: the stand-in knows nothing of the product", f.name, imported)
			}
		}
	}
}
