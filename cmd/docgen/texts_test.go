package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/input"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// vocabulary is what texts for operators may name: fields with the values they know, metrics, signals, ops events.
type vocabulary struct {
	// fields have their values where these are enumerated.
	fields map[string][]string
	other  map[string]bool
}

// foreign are names of something else: fields of the runtime, settings of topics, members of records and of what log-state says, modules of
// sessions.
var foreign = strings.Fields(`
	pipeline.threads pipeline.processors input.processors error_handling.strict cache_resources http.address shutdown_timeout
	cleanup.policy max.message.bytes min.insync.replicas
	event_index transaction_id kafka_topic kafka_key cdc.schema_version record_keys owner.name
	usn.slot.sqn
	oracle_cdc_mining oracle_cdc_bookkeeping oracle_cdc_dictionary oracle_cdc_building oracle_cdc_snapshot
`)

func words(t *testing.T) vocabulary {
	t.Helper()
	v := vocabulary{fields: map[string][]string{}, other: map[string]bool{}}
	for _, c := range components() {
		c.walk(service.GlobalEnvironment(), func(name string, view *service.ConfigView) {
			if name != c.name || c.kind == "metrics" {
				return
			}
			v.other[name] = true
			data, err := view.TemplateData()
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range data.Fields {
				var values []string
				for _, o := range f.Options {
					values = append(values, strings.Trim(o, `"`))
				}
				for _, o := range f.AnnotatedOptions {
					values = append(values, o[0])
				}
				v.fields[f.FullName] = values
				for _, value := range values {
					v.other[value] = true
				}
			}
		})
	}
	for _, m := range input.Metrics() {
		v.other[m.Name] = true
	}
	for _, s := range input.Signals() {
		v.other[s.Type] = true
	}
	for _, e := range input.OpsEvents() {
		v.other[e.Type] = true
	}
	for _, f := range foreign {
		v.other[f] = true
	}
	return v
}

var (
	// named is what may be a field or a metric: snake case or a path, with a value behind it as in a configuration.
	named = regexp.MustCompile(`(?:^|[^A-Za-z0-9_.$/{-])([a-z][a-z0-9]*(?:[_.][a-z0-9_]+)+)(?::[ ]([A-Za-z_]+))?`)
	// asked is what is said to be a signal.
	asked = regexp.MustCompile("signal `?([a-z]+(?:-[a-z]+)+)")
)

// unknown lists what a text names that is not there.
func (v vocabulary) unknown(text string) (out []string) {
	for _, m := range named.FindAllStringSubmatch(text, -1) {
		values, ok := v.fields[m[1]]
		switch {
		case !ok && !v.other[m[1]] && !known(m[1]):
			out = append(out, m[1])
		case m[2] != "" && len(values) > 0 && !slices.Contains(values, m[2]):
			out = append(out, m[1]+": "+m[2])
		}
	}
	for _, m := range asked.FindAllStringSubmatch(text, -1) {
		if !v.other[m[1]] {
			out = append(out, "signal "+m[1])
		}
	}
	return out
}

// known reports names of files and of what has no vocabulary here.
func known(name string) bool {
	return regexp.MustCompile(`\.(sql|md|yaml|json|ora|sso|p12)$|^(sys|dbms|v)[._]|^resources\.`).MatchString(name)
}

func TestTextsThatNameWhatIsNotThereAreSeen(t *testing.T) {
	v := words(t)
	for text, want := range map[string]string{
		"raise transactions.memory":                     "",
		"raise transactions.memry, then restart":        "transactions.memry",
		"begin anew with a new topic_prefix":            "",
		"set topics_prefix":                             "topics_prefix",
		"set key.missing: rowid, or key.missing: nonee": "key.missing: nonee",
		"ask with the signal execute-snapshot":          "",
		"ask with the signal execute-snapshots":         "signal execute-snapshots",
		"look at oracle_cdc_mined_scn":                  "",
		"look at oracle_cdc_minded_scn":                 "oracle_cdc_minded_scn",
		"see resources/sql/setup-cdb.sql":               "",
	} {
		if got := strings.Join(v.unknown(text), " "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
}

// Every message says what to do with names that are there: of fields, of values, of metrics, of signals.
func TestActionsNameWhatIsThere(t *testing.T) {
	v := words(t)
	for _, e := range stop.Codes() {
		if missing := v.unknown(e.Action); len(missing) > 0 {
			t.Errorf("CDC-%d names %q, which are not there", e.Code, missing)
		}
	}
	files, seen := token.NewFileSet(), 0
	for _, root := range []string{"input", "schema", "bundle", "processor", "config"} {
		err := filepath.WalkDir(filepath.Join("../..", root), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "oracletest") {
				return err
			}
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				for _, text := range actionsOf(n) {
					seen++
					if missing := v.unknown(text); len(missing) > 0 {
						t.Errorf("%s names %q, which are not there", files.Position(n.Pos()), missing)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 80 {
		t.Errorf("%d texts were found: the search misses some", seen)
	}
}

// actionsOf gives the texts of what an operator is to do: arguments of Doing, values of Do, and constants whose names begin with do.
func actionsOf(n ast.Node) (out []string) {
	literals := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil {
					out = append(out, text)
				}
			}
			return true
		})
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Doing" {
			for _, a := range n.Args {
				literals(a)
			}
		}
	case *ast.KeyValueExpr:
		if k, ok := n.Key.(*ast.Ident); ok && (k.Name == "Do" || k.Name == "do") {
			literals(n.Value)
		}
	case *ast.AssignStmt:
		if s, ok := n.Lhs[0].(*ast.SelectorExpr); ok && s.Sel.Name == "Do" {
			literals(n.Rhs[0])
		}
	case *ast.ValueSpec:
		if name := n.Names[0].Name; len(name) > 2 && strings.HasPrefix(name, "do") && name[2] >= 'A' && name[2] <= 'Z' {
			for _, value := range n.Values {
				literals(value)
			}
		}
	}
	return out
}

var quoted = regexp.MustCompile("`([^`\n]+)`")

// statement is SQL, or a command of another program.
var statement = regexp.MustCompile(`^(SELECT|ALTER|CREATE|INSERT|GRANT|RMAN)\b`)

// The same for what runbooks and pages for operators have in backticks; pages name members of events and records too, which have no table.
func TestRunbooksNameWhatIsThere(t *testing.T) {
	v := words(t)
	pages, err := filepath.Glob("../../resources/runbooks/*.md")
	if err != nil || len(pages) != len(stop.Codes()) {
		t.Fatalf("%d runbooks, %v; there are %d codes", len(pages), err, len(stop.Codes()))
	}
	for _, page := range append(pages, "../../resources/docs/operations.md", "../../resources/docs/signals.md", "../../resources/docs/database.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			missing := v.unknown(m[1])
			if !strings.Contains(page, "runbooks") {
				missing = slices.DeleteFunc(missing, func(name string) bool {
					return !strings.ContainsAny(name, ".:") && !strings.HasPrefix(name, "oracle_cdc_")
				})
			}
			if len(missing) > 0 && !statement.MatchString(m[1]) {
				t.Errorf("%s: `%s` names %q, which are not there", filepath.Base(page), m[1], missing)
			}
		}
		for _, m := range asked.FindAllStringSubmatch(string(text), -1) {
			if !v.other[m[1]] {
				t.Errorf("%s: there is no signal %s", filepath.Base(page), m[1])
			}
		}
	}
}
