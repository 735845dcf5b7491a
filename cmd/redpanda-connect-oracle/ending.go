package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

const (
	// stopCode is the exit code after a typed stop (contracts 6).
	stopCode = 3
	// stopBound is how long the stream may take to drain after a stop. It is below the runtime's own limit, which would end
	// the process with code 1 and a stack dump.
	stopBound = 12 * time.Second
	// nudge is the time between two requests to the runtime to stop: the first may come before it listens.
	nudge = 200 * time.Millisecond
)

// ending ends the process after a typed stop: no component can (reference benthos 4).
type ending struct {
	host   *rendezvous.Host
	stderr io.Writer
	// abort ends the run without draining, where a process cannot signal itself.
	abort context.CancelFunc

	heed     chan os.Signal
	recorded chan *stop.Error
	running  chan struct{}
	returned chan struct{}
	watcher  sync.WaitGroup
	stopped  *stop.Error
}

// startEnding starts the watcher, which finish ends.
func startEnding(abort context.CancelFunc, stderr io.Writer) *ending {
	e := &ending{
		stderr:   stderr,
		abort:    abort,
		heed:     make(chan os.Signal, 1),
		recorded: make(chan *stop.Error, 1),
		running:  make(chan struct{}),
		returned: make(chan struct{}),
	}
	e.host = rendezvous.NewHost(func(err *stop.Error) { e.recorded <- err })
	e.watcher.Go(e.watch)
	return e
}

// options attach the host to the stream. In streams mode every stream has resources of its own, so that a stop there holds
// its stream and leaves the others alone.
func (e *ending) options(args []string) []service.CLIOptFunc {
	return []service.CLIOptFunc{
		service.CLIOptSetArgs(args...),
		service.CLIOptOnConfigParse(func(conf *service.ParsedConfig) error {
			if strict, err := conf.FieldBool("error_handling", "strict"); err != nil {
				return err
			} else if !strict {
				rendezvous.Lenient(conf.Resources()) // of every stream in streams mode
			}
			e.host.Attach(conf.Resources())
			if !conf.Contains("pipeline", "threads") {
				return nil // streams mode: each stream has a pipeline of its own
			}
			threads, err := conf.FieldInt("pipeline", "threads")
			if err == nil {
				e.host.Threads(threads)
			}
			if err == nil && buffered(conf) {
				e.host.Buffered()
			}
			return err
		}),
		service.CLIOptOnStreamStart(func(*service.RunningStreamSummary) error {
			// From here on SIGTERM does not kill: the runtime begins to listen for it a moment after this call, and a stop that is
			// already recorded would otherwise end the process with the signal's code.
			signal.Notify(e.heed, syscall.SIGTERM)
			e.host.Built()
			close(e.running)
			return nil
		}),
	}
}

// buffered reports a buffer between input and pipeline, as the runtime has it: a default as a map, what a file says as a YAML node.
func buffered(conf *service.ParsedConfig) bool {
	field, err := conf.FieldAny("buffer")
	if err != nil {
		return false
	}
	named, _ := field.(map[string]any)
	if node, ok := field.(interface{ Decode(into any) error }); ok {
		if err := node.Decode(&named); err != nil {
			return true // nothing that says none
		}
	}
	_, none := named["none"]
	return len(named) > 0 && !none && named["type"] != "none"
}

func (e *ending) watch() {
	select {
	case e.stopped = <-e.recorded:
	case <-e.returned:
		// A stop recorded while the runtime was on its way out is still the reason.
		select {
		case e.stopped = <-e.recorded:
		default:
		}
		return
	}
	select {
	case <-e.running:
	case <-e.returned:
		return
	}
	if !e.drain() {
		e.report()
		os.Exit(stopCode)
	}
}

// drain asks the runtime to stop until it has returned, and gives up at the bound.
func (e *ending) drain() bool {
	bound := time.NewTimer(stopBound)
	defer bound.Stop()
	again := time.NewTicker(nudge)
	defer again.Stop()
	for {
		e.askToStop()
		select {
		case <-e.returned:
			return true
		case <-again.C:
		case <-bound.C:
			return false
		}
	}
}

// askToStop asks the runtime for a graceful stop, so that what the output still acknowledges is stored: it drains on SIGTERM,
// but not when its context is cancelled.
func (e *ending) askToStop() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(syscall.SIGTERM)
	}
	if err != nil {
		e.abort()
	}
}

// finish waits for the watcher after the runtime returned, and reports the stop if there was one.
func (e *ending) finish() bool {
	close(e.returned)
	e.watcher.Wait()
	signal.Stop(e.heed)
	if e.stopped == nil {
		return false
	}
	e.report()
	return true
}

func (e *ending) report() { fmt.Fprintln(e.stderr, e.stopped) }
