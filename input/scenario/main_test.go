package scenario_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"go.uber.org/goleak"

	_ "github.com/oracle-cdc/redpanda-connect-oracle/bundle/kafka"
	_ "github.com/oracle-cdc/redpanda-connect-oracle/input"
	_ "github.com/oracle-cdc/redpanda-connect-oracle/processor"
)

// atOnce is how many scenarios run at the same time on stand-ins: they wait most of the time, whatever the number of cores.
const atOnce = "12"

func TestMain(m *testing.M) {
	flag.Parse()
	if !set("test.parallel") && flag.Set("test.parallel", atOnce) != nil {
		os.Exit(2)
	}
	code := m.Run()
	closeReal()
	skipped.print()
	if code == 0 && !wantsReal() {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func set(name string) bool {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	return given
}

// skipped collects the scenarios that a real database was not asked for.
var skipped standInOnly

type standInOnly struct {
	mu   sync.Mutex
	list []string
}

func (s *standInOnly) add(name, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, fmt.Sprintf("%-90s %s", name, reason))
}

func (s *standInOnly) print() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) == 0 {
		return
	}
	slices.Sort(s.list)
	fmt.Printf("%d scenarios that only the stand-in can run:\n  %s\n", len(s.list), strings.Join(s.list, "\n  "))
}
