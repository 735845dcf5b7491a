package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// pipeline is the product as a child process, in a folder of its own.
type pipeline struct {
	binary, config, dir string
	env                 []string
	address             string
	// settings are further arguments.
	settings []string

	command *exec.Cmd
	// exited is closed when the process has ended, with its error in err.
	exited chan struct{}
	err    error
}

// start starts the process, which lives until it is killed or stopped; its log goes on where the one before ended.
func (p *pipeline) start(ctx context.Context) (err error) {
	ctx = context.WithoutCancel(ctx)
	if p.address == "" {
		if p.address, err = freeAddress(ctx); err != nil {
			return err
		}
	}
	log, err := os.OpenFile(p.logFile(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	arguments := append([]string{"run", "-s", "http.address=" + p.address}, p.settings...)
	p.command = exec.CommandContext(ctx, p.binary, append(arguments, p.config)...)
	p.command.Env = append(os.Environ(), p.env...)
	p.command.Dir, p.command.Stdout, p.command.Stderr = p.dir, log, log
	if err := p.command.Start(); err != nil {
		return err
	}
	exited, command := make(chan struct{}), p.command
	p.exited = exited
	go func() {
		p.err = command.Wait()
		close(exited)
	}()
	return nil
}

func (p *pipeline) logFile() string { return filepath.Join(p.dir, "pipeline.log") }

// ready waits until all components are connected.
func (p *pipeline) ready(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return errors.Join(errors.New("the pipeline does not get ready"), ctx.Err())
		case <-p.exited:
			return p.died()
		case <-tick.C:
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/ready", http.NoBody)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			continue
		}
		if err := response.Body.Close(); err != nil {
			return err
		}
		if response.StatusCode == http.StatusOK {
			return nil
		}
	}
}

// died is the error of a process that ended although nobody asked.
func (p *pipeline) died() error {
	return fmt.Errorf("the pipeline ended by itself: %w: %s", errOrClean(p.err), p.lastLine())
}

var errCleanExit = errors.New("exit code 0")

func errOrClean(err error) error {
	if err == nil {
		return errCleanExit
	}
	return err
}

func (p *pipeline) lastLine() string {
	text, err := os.ReadFile(p.logFile())
	if err != nil {
		return err.Error()
	}
	text = bytes.TrimSpace(text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// kill ends the process without any warning.
func (p *pipeline) kill() error {
	if err := p.command.Process.Kill(); err != nil {
		return err
	}
	<-p.exited
	return nil
}

// stop asks for a graceful end, and demands it.
func (p *pipeline) stop(ctx context.Context) error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.exited:
	case <-ctx.Done():
		return errors.Join(errors.New("the pipeline does not end"), p.kill())
	}
	if p.err != nil {
		return fmt.Errorf("the pipeline ended badly: %w: %s", p.err, p.lastLine())
	}
	return nil
}

// close leaves no process behind.
func (p *pipeline) close() {
	if p.exited == nil {
		return
	}
	select {
	case <-p.exited:
	default:
		_ = p.kill()
	}
}

func freeAddress(ctx context.Context) (string, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}
