package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/replay"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// replayCommand runs recorded rows through decode, transactions and rendering.
func replayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "Turn recorded rows of V$LOGMNR_CONTENTS into the messages that capture would emit",
		ArgsUsage: "[rows.jsonl...]",
		Description: "Reads rows (JSON objects, one a line, with the columns of the view) from the files, or from standard input, and writes one\n" +
			"JSON object a message. No database and no broker is touched. Example:\n\n" +
			"  replay --tables tables.json --config pipeline.yaml rows.jsonl\n\n" +
			"resources/docs/replay.md has the queries that export tables.json and rows.jsonl.\n" +
			"Exit codes: 0; 1 for arguments, files and configurations that are wrong; 3 after a stop, as capture would end.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "tables", Usage: "export of the dictionary of the tables"},
			&cli.StringFlag{Name: "config", Usage: "pipeline whose oracle_cdc input says how records look; without it every table is taken as it is"},
			&cli.StringFlag{Name: "database", Usage: "name of the database, for tables without a PDB; default: that of the export"},
		},
		Action: runReplay,
	}
}

func runReplay(c *cli.Context) error {
	config := replay.Config{
		Database:         c.String("database"),
		ConnectorVersion: Version,
		Log:              slog.New(slog.NewTextHandler(c.App.ErrWriter, nil)),
	}
	var err error
	if name := c.String("config"); name != "" {
		if config.Pipeline, err = os.ReadFile(name); err != nil {
			return fmt.Errorf("--config: %w", err)
		}
		if len(config.Pipeline) == 0 {
			return fmt.Errorf("--config: %s is empty", name)
		}
	}
	var tables []byte
	if name := c.String("tables"); name != "" {
		if tables, err = os.ReadFile(name); err != nil {
			return fmt.Errorf("--tables: %w", err)
		}
	}
	err = withFiles(c.Args().Slice(), func(in io.Reader) error {
		if tables != nil {
			config.Tables = bytes.NewReader(tables)
		}
		return replay.Run(c.Context, config, in, c.App.Writer)
	})
	if _, stopped := stop.As(err); stopped {
		return cli.Exit(err, stopCode)
	}
	return err
}

// withFiles reads the files one behind the other, each as a recording of its own; none at all, or a dash, is standard input.
func withFiles(names []string, read func(io.Reader) error) error {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		if err := withFile(name, read); err != nil {
			if len(names) > 1 {
				return fmt.Errorf("%s: %w", name, err)
			}
			return err
		}
	}
	return nil
}

func withFile(name string, read func(io.Reader) error) error {
	if name == "-" {
		return read(os.Stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(read(file), file.Close())
}
