package main

import (
	"errors"
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
		ArgsUsage: "[file...]",
		Description: "Reads recordings (JSON objects, one a line) from the files or from standard input, and writes one JSON object a message.\n" +
			"No database and no broker is touched. A typed stop ends it with exit code 3.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "topic-prefix", Usage: "topic_prefix of the messages", Value: "replay"},
			&cli.StringFlag{Name: "template", Usage: "topics.template; empty: its default"},
			&cli.StringFlag{Name: "database", Usage: "name of the database, for tables without a PDB"},
			&cli.BoolFlag{Name: "no-tombstones", Usage: "as records.tombstones: false"},
			&cli.BoolFlag{Name: "complete", Usage: "hold rows to full images, as supplemental_logging: all"},
		},
		Action: runReplay,
	}
}

func runReplay(c *cli.Context) error {
	config := replay.Config{
		Prefix:            c.String("topic-prefix"),
		Template:          c.String("template"),
		Database:          c.String("database"),
		ConnectorVersion:  Version,
		WithoutTombstones: c.Bool("no-tombstones"),
		Complete:          c.Bool("complete"),
		Log:               slog.New(slog.NewTextHandler(c.App.ErrWriter, nil)),
	}
	err := withFiles(c.Args().Slice(), func(in io.Reader) error {
		return replay.Run(c.Context, config, in, c.App.Writer)
	})
	if _, stopped := stop.As(err); stopped {
		return cli.Exit(err, stopCode)
	}
	return err
}

// withFiles reads the files one behind the other, each as a recording of its own; none at all is standard input.
func withFiles(names []string, read func(io.Reader) error) error {
	if len(names) == 0 {
		return read(os.Stdin)
	}
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		if err := errors.Join(read(file), file.Close()); err != nil {
			return err
		}
	}
	return nil
}
