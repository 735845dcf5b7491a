package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest"
)

// options are the flags (contracts 9).
type options struct {
	listen, control, script, readyFile string
	pdbs                               []string
	release                            int
}

func parse(args []string, output io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("oracle-standin", flag.ContinueOnError)
	flags.SetOutput(output)
	flags.StringVar(&o.listen, "listen", "127.0.0.1:1521", "loopback `address` to listen on")
	pdbs := flags.String("pdbs", "FREEPDB1", "pluggable databases, separated by commas")
	flags.IntVar(&o.release, "release", 23, "release to be: 19 or 23")
	flags.StringVar(&o.script, "script", "", "SQL `file` to run as system at the root before listening is told")
	flags.StringVar(&o.readyFile, "ready-file", "", "`file` to write one JSON line to when everything is up")
	flags.StringVar(&o.control, "control", "", "loopback `address` of the control interface (HTTP); none without")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	if flags.NArg() > 0 {
		return options{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	o.pdbs = strings.Split(strings.ToUpper(*pdbs), ",")
	return o, nil
}

// run serves until ctx ends.
func run(ctx context.Context, args []string, stderr io.Writer) (err error) {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	if o.readyFile != "" {
		// The file of an earlier run must not tell that this one is up.
		if err := os.Remove(o.readyFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	server, err := oracletest.Start(ctx, oracletest.Config{
		Listen: o.listen, PDBs: o.pdbs, Release: o.release, Log: slog.New(slog.NewTextHandler(stderr, nil)),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	// Everything that capture needs is there at start (contracts 9), so that a table made plainly is captured.
	if err := server.RunScript(ctx, "ALTER DATABASE ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;"); err != nil {
		return err
	}
	if o.script != "" {
		script, err := os.ReadFile(o.script)
		if err != nil {
			return err
		}
		if err := server.RunScript(ctx, string(script)); err != nil {
			return err
		}
	}
	ready := ready{Listen: server.Addr(), Service: oracletest.Name}
	if o.control != "" {
		control, err := serveControl(ctx, o.control, server.Control())
		if err != nil {
			return err
		}
		ready.Control = control.address
		defer func() { err = errors.Join(err, control.close()) }()
	}
	if o.readyFile != "" {
		if err := ready.write(o.readyFile); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(stderr, "listening on %s, service %s, pluggable databases %s\n", ready.Listen, ready.Service, strings.Join(o.pdbs, ", ")); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// ready is the line of the ready file.
type ready struct {
	Listen  string `json:"listen"`
	Control string `json:"control"`
	Service string `json:"service"`
}

// write puts the line in place in one step, so that who waits for the file finds it complete.
func (r ready) write(path string) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	if err := os.WriteFile(temporary, append(line, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// control is a running control interface.
type control struct {
	address string
	server  *http.Server
	done    chan error
}

func serveControl(ctx context.Context, address string, handler http.Handler) (*control, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("control address %s: %w", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("control address %s is not on the loopback interface", address)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	c := &control{
		address: listener.Addr().String(),
		server:  &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second},
		done:    make(chan error, 1),
	}
	go func() { c.done <- c.server.Serve(listener) }()
	return c, nil
}

// close ends the interface and waits for it.
func (c *control) close() error {
	err := c.server.Close()
	if served := <-c.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
