package input

import (
	"slices"
	"testing"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// R105: names are compared as Oracle stores them.
func TestR105NamesOfUsersAreThoseOfTheDictionary(t *testing.T) {
	conf, err := specOnce().ParseYAML(override(nested(ocFieldExcludeUsers, `[apply, 'c##Apply', '"Batch"', '"two words"']`)), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := parseConfig(conf, service.MockResources())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"APPLY", "C##APPLY", "Batch", "two words"}; !slices.Equal(c.engine.ExcludeUsers, want) {
		t.Errorf("%q are excluded, want %q", c.engine.ExcludeUsers, want)
	}
	for _, bad := range []string{`''`, `'two words'`, `'"'`, `'""'`, `'"half'`, `'a"b'`, `'"a"b"'`} {
		if lints := lint(t, runnable+", "+nested(ocFieldExcludeUsers, "["+bad+"]")); len(lints) != 1 {
			t.Errorf("%s gives %v, want it refused", bad, lints)
		}
		conf, err := specOnce().ParseYAML(override(nested(ocFieldExcludeUsers, "["+bad+"]")), nil)
		if err == nil {
			_, err = parseConfig(conf, service.MockResources())
		}
		if err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}
