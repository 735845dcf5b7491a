package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, stderr io.Writer) error {
	flags := flag.NewFlagSet("docgen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	folder := flags.String("folder", "resources/docs/reference", "where the pages are")
	check := flags.Bool("check", false, "write nothing, fail when a page is not fresh")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pages, err := render()
	if err != nil {
		return err
	}
	if *check {
		return compare(pages, *folder)
	}
	return write(pages, *folder)
}

// render gives all pages by file name.
func render() (map[string][]byte, error) {
	pages, err := componentPages()
	if err != nil {
		return nil, err
	}
	pages["errors.md"] = errorsPage()
	pages["metrics.md"] = metricsPage()
	pages["ops-events.md"], pages["signals.md"] = opsPage(), signalsPage()
	return pages, nil
}

func write(pages map[string][]byte, folder string) error {
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(folder, name), page, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compare fails on a page that differs, is missing, or is about something that is no more.
func compare(pages map[string][]byte, folder string) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	stale := map[string]bool{}
	for _, f := range files {
		stale[f.Name()] = true
	}
	for name, page := range pages {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err == nil && bytes.Equal(text, page) {
			delete(stale, name)
			continue
		}
		stale[name] = true
	}
	if len(stale) > 0 {
		return fmt.Errorf("not fresh, run make docs: %v", slices.Sorted(maps.Keys(stale)))
	}
	return nil
}
