package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// Version and DateBuilt are stamped by the linker (-X main.Version=…, -X main.DateBuilt=…).
var (
	Version   = "dev"
	DateBuilt = ""
)

func main() {
	tuneCollector()
	os.Exit(run(context.Background(), os.Args, os.Stderr))
}

// run runs the command line and returns the exit code of the process: 0, 1 after an error, 3 after a typed stop.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	e := startEnding(cancel, stderr)
	code, err := service.RunCLIToCode(ctx, append(distribution(), e.options(args)...)...)
	if e.finish() {
		return stopCode
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
	}
	return code
}
