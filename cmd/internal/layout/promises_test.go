package layout

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	rulesPage = "resources/docs/rules.md"
	lastRule  = 139
)

// provenRules are those that capture in its full breadth must show.
func provenRules() []int {
	var all []int
	for _, r := range [][2]int{{1, 14}, {16, 16}, {18, 22}, {50, 53}, {64, 67}, {87, 90}, {112, 115}, {117, 117}, {119, 124}} {
		for n := r[0]; n <= r[1]; n++ {
			all = append(all, n)
		}
	}
	return all
}

// ruleTest is a test that is named after rules.
type ruleTest struct {
	name, file string
	rules      []int
}

// standIn: the test shows what the stand-in can produce, not what the product makes of it.
func (r ruleTest) standIn() bool { return within(r.file, "input/oracletest") }

var (
	testFunction = regexp.MustCompile(`^func (Test(?:R\d+_?)+[A-Za-z0-9_]*)\(`)
	ruleInName   = regexp.MustCompile(`^R(\d+)_?`)
	ruleInPage   = regexp.MustCompile(`^\| R(\d+) \| (\S.*) \|$`)
)

// rulesOf reads the rules that the name of a test begins with: TestR3Rows is of rule 3, TestR13R29Ends of 13 and 29.
func rulesOf(name string) []int {
	rest := strings.TrimPrefix(name, "Test")
	var rules []int
	for {
		m := ruleInName.FindStringSubmatch(rest)
		if m == nil {
			return rules
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			return nil
		}
		rules = append(rules, n)
		rest = rest[len(m[0]):]
	}
}

// ruleTests scans the tree for tests that are named after rules.
func ruleTests(t *testing.T) []ruleTest {
	t.Helper()
	var found []ruleTest
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && (d.Name() == "testdata" || d.Name() == "bin" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !strings.HasSuffix(p, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, len(text)+1)
		for lines.Scan() {
			if m := testFunction.FindStringSubmatch(lines.Text()); m != nil {
				found = append(found, ruleTest{name: m[1], file: filepath.ToSlash(rel), rules: rulesOf(m[1])})
			}
		}
		return lines.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// promises reads the page of the rules.
func promises(t *testing.T) map[int]string {
	t.Helper()
	page, last := map[int]string{}, 0
	for line := range strings.Lines(string(readRoot(t, rulesPage))) {
		line = strings.TrimSuffix(line, "\n")
		m := ruleInPage.FindStringSubmatch(line)
		if m == nil {
			if strings.HasPrefix(line, "| R") && line != "| Rule | What it promises |" {
				t.Errorf("%s: a line that is no rule: %s", rulesPage, line)
			}
			continue
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || n <= last || n > lastRule {
			t.Errorf("%s: R%s does not follow R%d", rulesPage, m[1], last)
		}
		page[n], last = m[2], n
	}
	return page
}

// TestRulesHaveTests holds page and tests against each other. With -v it lists the tests of every rule.
func TestRulesHaveTests(t *testing.T) {
	for _, complaint := range compareRules(promises(t), ruleTests(t), provenRules()) {
		t.Error(complaint)
	}
	if !testing.Verbose() {
		return
	}
	byRule := map[int][]string{}
	for _, test := range ruleTests(t) {
		for _, n := range test.rules {
			byRule[n] = append(byRule[n], filepath.ToSlash(filepath.Dir(test.file))+" "+test.name)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(byRule)) {
		t.Logf("R%d\n  %s", n, strings.Join(byRule[n], "\n  "))
	}
}

// compareRules says what is wrong: a rule without a test, one that must be on the page and is not, a test that names a rule nobody
// promises.
func compareRules(page map[int]string, tests []ruleTest, proven []int) []string {
	var complaints []string
	shown := map[int]bool{}
	for _, test := range tests {
		for _, n := range test.rules {
			switch _, listed := page[n]; {
			case n < 1 || n > lastRule:
				complaints = append(complaints, fmt.Sprintf("%s: %s names a rule that does not exist", test.file, test.name))
			case test.standIn():
			case !listed:
				complaints = append(complaints, fmt.Sprintf("%s: %s names R%d, which %s does not have", test.file, test.name, n, rulesPage))
			default:
				shown[n] = true
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(page)) {
		if !shown[n] {
			complaints = append(complaints, fmt.Sprintf("%s: no test of the product is named after R%d", rulesPage, n))
		}
	}
	for _, n := range proven {
		if _, listed := page[n]; !listed {
			complaints = append(complaints, fmt.Sprintf("%s: R%d is missing", rulesPage, n))
		}
	}
	return complaints
}

func TestRuleComparisonComplains(t *testing.T) {
	product := func(name string) ruleTest {
		return ruleTest{name: name, file: "input/a_test.go", rules: rulesOf(name)}
	}
	standIn := func(name string) ruleTest {
		return ruleTest{name: name, file: "input/oracletest/redo/a_test.go", rules: rulesOf(name)}
	}
	page := map[int]string{1: "one", 12: "twelve"}
	for name, c := range map[string]struct {
		tests  []ruleTest
		proven []int
		want   int
	}{
		"all is well":                     {[]ruleTest{product("TestR1Bound"), product("TestR12_Pace")}, []int{1, 12}, 0},
		"one test of two rules":           {[]ruleTest{product("TestR1R12Bounds")}, []int{1}, 0},
		"TestR12 is none of R1":           {[]ruleTest{product("TestR12Pace")}, nil, 1},
		"the stand-in proves nothing":     {[]ruleTest{product("TestR1Bound"), standIn("TestR12Pace")}, nil, 1},
		"the stand-in may know others":    {[]ruleTest{product("TestR1R12Bounds"), standIn("TestR30Pause")}, nil, 0},
		"a rule that nobody promises":     {[]ruleTest{product("TestR1R12Bounds"), product("TestR3Cursor")}, nil, 1},
		"a rule that does not exist":      {[]ruleTest{product("TestR1R12Bounds"), standIn("TestR140Cursor")}, nil, 1},
		"a rule that must be on the page": {[]ruleTest{product("TestR1R12Bounds")}, []int{1, 3}, 1},
	} {
		if got := compareRules(page, c.tests, c.proven); len(got) != c.want {
			t.Errorf("%s: %q, want %d complaints", name, got, c.want)
		}
	}
	if got := rulesOf("TestR125R126IdentityR7"); !slices.Equal(got, []int{125, 126}) {
		t.Errorf("rules %v", got)
	}
}
