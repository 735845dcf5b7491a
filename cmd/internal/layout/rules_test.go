package layout

import (
	"fmt"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// rule is one depguard rule of .golangci.yml, in the part of its language that we use.
type rule struct {
	Mode  string   `yaml:"list-mode"`
	Files []string `yaml:"files"`
	Allow []string `yaml:"allow"`
	Deny  []struct {
		Pkg string `yaml:"pkg"`
	} `yaml:"deny"`
}

func readRules(t *testing.T) map[string]rule {
	t.Helper()
	var file struct {
		Linters struct {
			Settings struct {
				Depguard struct {
					Rules map[string]rule `yaml:"rules"`
				} `yaml:"depguard"`
			} `yaml:"settings"`
		} `yaml:"linters"`
	}
	if err := yaml.Unmarshal(readRoot(t, ".golangci.yml"), &file); err != nil {
		t.Fatal(err)
	}
	rules := file.Linters.Settings.Depguard.Rules
	if len(rules) == 0 {
		t.Fatal("no depguard rule in .golangci.yml")
	}
	return rules
}

// covers reports whether the rule speaks about a file. The globs may be $all, $test, "**/dir/*.go" for one folder and
// "**/dir/**" for a folder and all below it, each also with "!" in front.
func (r rule) covers(f sourceFile) (bool, error) {
	covered := false
	for _, glob := range r.Files {
		bare := strings.TrimPrefix(glob, "!")
		match, err := matches(bare, f)
		switch {
		case err != nil:
			return false, err
		case match && bare != glob:
			return false, nil
		case match:
			covered = true
		}
	}
	return covered, nil
}

func matches(glob string, f sourceFile) (bool, error) {
	switch glob {
	case "$all":
		return true, nil
	case "$test":
		return f.test, nil
	}
	dir, ok := strings.CutPrefix(glob, "**/")
	if folder, tree := strings.CutSuffix(dir, "/**"); ok && tree {
		return within(f.dir(), folder), nil
	}
	if folder, one := strings.CutSuffix(dir, "/*.go"); ok && one {
		return f.dir() == folder, nil
	}
	return false, fmt.Errorf("the layout test does not know the glob %q", glob)
}

// permits reports whether the rule lets an import pass. "$" at the end of an entry means this path and no other.
func (r rule) permits(imported string) bool {
	for _, d := range r.Deny {
		if listed(d.Pkg, imported) {
			return false
		}
	}
	if r.Mode != "strict" {
		return true
	}
	for _, a := range r.Allow {
		if a == "$gostd" && standard(imported) || listed(a, imported) {
			return true
		}
	}
	return false
}

func listed(entry, imported string) bool {
	if exact, ok := strings.CutSuffix(entry, "$"); ok {
		return imported == exact
	}
	return strings.HasPrefix(imported, entry)
}

func TestRuleLanguageIsRead(t *testing.T) {
	strict := rule{
		Mode: "strict", Files: []string{"**/a/b/*.go", "!$test"},
		Allow: []string{"$gostd", module + "/a$", module + "/c"},
	}
	for name, want := range map[string]bool{"a/b/x.go": true, "a/b/c/x.go": false, "a/x.go": false} {
		if got, err := strict.covers(sourceFile{name: name}); err != nil || got != want {
			t.Errorf("covers %s: %v, %v, want %v", name, got, err, want)
		}
	}
	if got, _ := strict.covers(sourceFile{name: "a/b/x_test.go", test: true}); got {
		t.Error("a test file is covered although it is taken out")
	}
	for imported, want := range map[string]bool{
		"fmt": true, "encoding/json": true, module + "/a": true, module + "/a/b": false, module + "/c/d": true,
		"github.com/other/thing": false,
	} {
		if got := strict.permits(imported); got != want {
			t.Errorf("permits %s: %v, want %v", imported, got, want)
		}
	}
	if _, err := (rule{Files: []string{"*.go"}}).covers(sourceFile{name: "x.go"}); err == nil {
		t.Error("a glob that nobody understands was taken")
	}
}
