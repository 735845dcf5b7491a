package resources_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// TestEveryCodeHasARunbook: an error message names its runbook, so each must be there, with something under every heading.
func TestEveryCodeHasARunbook(t *testing.T) {
	pages := map[string]bool{}
	for _, entry := range stop.Codes() {
		name := stop.New(entry.Code, "", "").Runbook()
		pages[name+".md"] = true
		text, err := os.ReadFile(filepath.Join("runbooks", name+".md"))
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if title := fmt.Sprintf("# CDC-%d: ", int(entry.Code)); !strings.HasPrefix(string(text), title) {
			t.Errorf("%s does not begin with %q", name, title)
		}
		for _, heading := range []string{"Cause", "How to see it", "What to do"} {
			_, section, found := strings.Cut(string(text), "\n## "+heading+"\n\n")
			section, _, _ = strings.Cut(section, "\n## ")
			if !found || len(strings.TrimSpace(section)) < 20 {
				t.Errorf("%s says nothing under %q", name, heading)
			}
		}
	}
	files, err := os.ReadDir("runbooks")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !pages[f.Name()] {
			t.Errorf("runbooks/%s is about no code", f.Name())
		}
	}
}
