package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/console"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/sabotage"
	"github.com/oracle-cdc/redpanda-connect-oracle/cmd/quickstart/internal/verify"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	cancel()
	os.Exit(code)
}

// verdict is the closing line.
type verdict struct {
	Verified     bool    `json:"verified"`
	Transactions int     `json:"transactions"`
	Changes      int     `json:"changes"`
	Duplicates   int     `json:"duplicates"`
	DDL          int     `json:"ddl"`
	SnapshotRows int     `json:"snapshot_rows"`
	Signals      int     `json:"signals"`
	Seconds      float64 `json:"seconds"`
	// Kills and Seed are those of a run of many kills.
	Kills  int    `json:"kills,omitempty"`
	Seed   uint64 `json:"seed,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	options, err := parseOptions(args, stderr)
	if err != nil {
		return 2
	}
	begin := time.Now()
	screen := console.New(console.Detect(stdout, stderr, os.Getenv), stdout, stderr)
	report, err := newDemo(options, screen).run(ctx)
	screen.Close()
	v := verdict{Seconds: math.Round(time.Since(begin).Seconds()*10) / 10, Kills: options.kills}
	if options.kills > 0 {
		v.Seed = options.seed
	}
	switch {
	case err != nil:
		v.Reason = err.Error()
	default:
		v.Verified, v.Transactions = report.Verified(), report.Transactions
		v.Changes, v.Duplicates, v.DDL = report.Changes, report.Duplicates, report.DDL
		v.SnapshotRows, v.Signals = report.SnapshotRows, report.Signals
		v.Reason = reason(report, stderr)
		if v.Verified && v.DDL == 0 && options.kills == 0 {
			v.Verified, v.Reason = false, "no DDL was run"
		}
		if v.Verified && v.Signals == 0 && options.kills == 0 {
			v.Verified, v.Reason = false, "no signal was handled"
		}
		if v.Verified && v.SnapshotRows == 0 {
			v.Verified, v.Reason = false, "no row was read that was there before"
		}
	}
	line, err := json.Marshal(v)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	fmt.Fprintln(stdout, string(line))
	if !v.Verified {
		return 1
	}
	return 0
}

// reason prints all faults and gives the first.
func reason(report *verify.Report, stderr io.Writer) string {
	for _, fault := range report.Faults {
		fmt.Fprintln(stderr, "fault:", fault)
	}
	if report.More > 0 {
		fmt.Fprintf(stderr, "fault: and %d more\n", report.More)
	}
	if report.Verified() {
		return ""
	}
	return report.Faults[0]
}

// options of the demo.
type options struct {
	duration       time.Duration
	binary, config string
	sabotage       sabotage.Kind
	seed           uint64
	// kills is how often the pipeline is killed at a random moment; 0: once, in the middle.
	kills    int
	sessions int
	pause    time.Duration
	keep     bool
}

func parseOptions(args []string, stderr io.Writer) (options, error) {
	o := options{}
	flags := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seconds := flags.Float64("seconds", 15, "how long the workload runs")
	kinds := strings.Trim(fmt.Sprint(sabotage.Kinds()), "[]")
	spoil := flags.String("sabotage", "", "change one message between pipeline and verifier: "+kinds)
	flags.StringVar(&o.binary, "binary", "bin/redpanda-connect-oracle", "the product")
	flags.StringVar(&o.config, "config", "config/pdbs.yaml", "the pipeline")
	flags.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()), "of the workload and the sabotage")
	flags.IntVar(&o.kills, "kills", 0, "kill the pipeline so often, at random moments, instead of once; the run ends when that is done")
	flags.IntVar(&o.sessions, "sessions", 2, "sessions that work side by side in each PDB")
	flags.DurationVar(&o.pause, "pause", 20*time.Millisecond, "time from one transaction of a session to the next")
	flags.BoolVar(&o.keep, "keep", false, "keep the pipeline's log and folder")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.duration = time.Duration(*seconds * float64(time.Second))
	if o.kills > 0 {
		// Twice what they need: the run ends by itself whatever happens.
		o.duration = patience + time.Duration(o.kills)*2*lifetime
	}
	var err error
	if o.sabotage, err = sabotage.ParseKind(*spoil); err != nil {
		fmt.Fprintln(stderr, err)
	}
	return o, err
}
