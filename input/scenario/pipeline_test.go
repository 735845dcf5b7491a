package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/rendezvous"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// fields are changes to the input's configuration, by dotted path; a nil value removes a field.
type fields map[string]any

// configuration is that of a small pipeline, which is gentle to a real database and fast with a stand-in.
func (s *scenario) configuration(change fields) map[string]any {
	all := map[string]any{}
	interval := "1ms"
	if wantsReal() {
		interval = "200ms"
	}
	defaults := fields{
		"connection_string":    s.db.DSN(capture),
		"topic_prefix":         "shop",
		"include":              s.include(s.tables...),
		"position.file":        s.file,
		"position.interval":    "5ms",
		"snapshot.mode":        "none",
		"mining.poll_interval": interval,
		"mining.idle_interval": interval,
		// A copy of the dictionary switches a log.
		"dictionary.build_interval": "0s",
	}
	for _, f := range []fields{defaults, change} {
		for path, value := range f {
			place(all, strings.Split(path, "."), value)
		}
	}
	return all
}

func place(in map[string]any, path []string, value any) {
	for ; len(path) > 1; path = path[1:] {
		next, ok := in[path[0]].(map[string]any)
		if !ok {
			next = map[string]any{}
			in[path[0]] = next
		}
		in = next
	}
	if value == nil {
		delete(in, path[0])
		return
	}
	in[path[0]] = value
}

// pipeline is a running stream with the input under test.
type pipeline struct {
	*sink
	s      *scenario
	stream *service.Stream
	host   *rendezvous.Host
	typed  chan *stop.Error
	ended  chan struct{}
	ending sync.Once
	log    logBuffer
	// counted are the counters of its metrics.
	counted *counters
}

// start starts the input in front of a consuming function and waits until it captures: what commits afterwards is delivered.
func (s *scenario) start(change fields) *pipeline {
	s.t.Helper()
	p := s.launch(change)
	p.awaitCapture()
	return p
}

// launch starts the input in front of a consuming function.
func (s *scenario) launch(change fields) *pipeline {
	s.t.Helper()
	return s.launchWith(change, "")
}

// launchWith is launch with resources.
func (s *scenario) launchWith(change fields, resources string) *pipeline {
	s.t.Helper()
	return s.launchBehind(change, resources, "")
}

// launchBehind is launchWith with a processor between the input and the consuming function.
func (s *scenario) launchBehind(change fields, resources, processor string) *pipeline {
	s.t.Helper()
	p := s.newPipeline()
	env := service.NewEnvironment()
	// The output is built after the input and before anything is read: then all components are there.
	err := env.RegisterBatchOutput("scenario", service.NewConfigSpec(),
		func(*service.ParsedConfig, *service.Resources) (service.BatchOutput, service.BatchPolicy, int, error) {
			p.host.Built()
			return p.sink, service.BatchPolicy{}, 1, nil
		})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := errors.Join(registerCache(env), p.counted.register(env)); err != nil {
		s.t.Fatal(err)
	}
	b := env.NewStreamBuilder()
	if err := b.SetMetricsYAML("scenario: {}"); err != nil {
		s.t.Fatal(err)
	}
	if resources != "" {
		if err := b.AddResourcesYAML(resources); err != nil {
			s.t.Fatal(err)
		}
	}
	s.configure(b, map[string]any{"oracle_cdc": s.configuration(change)}, processor, "scenario: {}")
	p.run(b)
	return p
}

func (s *scenario) newPipeline() *pipeline {
	p := &pipeline{sink: newSink(), s: s, typed: make(chan *stop.Error, 1), ended: make(chan struct{}), counted: newCounters()}
	p.host = rendezvous.NewHost(func(err *stop.Error) { p.typed <- err })
	return p
}

func (s *scenario) configure(b *service.StreamBuilder, input map[string]any, processor, output string) {
	s.t.Helper()
	text, err := json.Marshal(input)
	if err != nil {
		s.t.Fatal(err)
	}
	b.SetThreads(1)
	b.SetStrict(true)
	steps := []error{b.AddInputYAML(string(text)), b.AddOutputYAML(output)}
	if processor != "" {
		steps = append(steps, b.AddProcessorYAML(processor))
	}
	if err := errors.Join(steps...); err != nil {
		s.t.Fatal(err)
	}
}

func (p *pipeline) run(b *service.StreamBuilder) {
	p.s.t.Helper()
	b.SetLogger(slog.New(slog.NewTextHandler(&p.log, nil)))
	var err error
	if p.stream, err = b.Build(); err != nil {
		p.s.t.Fatal(err)
	}
	if p.host != nil {
		p.host.Attach(p.stream.Resources())
	}
	go func() {
		defer close(p.ended)
		if err := p.stream.Run(context.Background()); err != nil {
			fmt.Fprintf(&p.log, "the stream ended: %v\n", err)
		}
	}()
	p.s.t.Cleanup(func() {
		p.stopHard()
		if p.s.t.Failed() {
			p.s.t.Logf("log of the pipeline:\n%s", p.log.text())
		}
	})
}

// stop ends the pipeline as a host does that is asked to.
func (p *pipeline) stop() { p.end(patience) }

// stopHard ends the pipeline without waiting for acknowledgements.
func (p *pipeline) stopHard() { p.end(0) }

func (p *pipeline) end(within time.Duration) {
	p.s.t.Helper()
	p.ending.Do(func() {
		if within == 0 {
			p.freeze()
		}
		if err := p.stream.StopWithin(within); err != nil && within > 0 {
			p.s.t.Errorf("the pipeline does not stop: %v", err)
		}
		select {
		case <-p.ended:
		case <-time.After(patience):
			p.s.t.Error("the pipeline does not end")
		}
		if u, err := url.Parse(p.s.db.DSN(capture)); err == nil && strings.Contains(p.log.text(), u.User.String()) {
			p.s.t.Error("the log has the password")
		}
		p.untouched()
	})
}

// kill ends the pipeline as SIGKILL would: nothing is delivered or stored after this moment.
func (p *pipeline) kill() {
	p.s.t.Helper()
	p.freeze()
	before := p.s.file
	p.s.file = filepath.Join(p.s.t.TempDir(), "position.json")
	data, err := os.ReadFile(before)
	if err == nil {
		err = os.WriteFile(p.s.file, data, 0o600)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.s.t.Fatal(err)
	}
	p.stopHard()
}

// awaitCapture waits until the first position is stored (R88).
func (p *pipeline) awaitCapture() {
	p.s.t.Helper()
	p.until("no position is stored", func() bool { return p.s.stored() != nil })
}

// until polls a condition that nothing announces.
func (p *pipeline) until(otherwise string, condition func() bool) {
	p.s.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(patience)
	for !condition() {
		select {
		case <-tick.C:
		case err := <-p.typed:
			p.s.t.Fatalf("%s: the pipeline stopped: %v", otherwise, err)
		case <-p.ended:
			p.s.t.Fatalf("%s: the pipeline ended", otherwise)
		case <-deadline:
			p.s.t.Fatalf("%s in %s", otherwise, patience)
		}
	}
}

// stored reads the position file; nil without one.
func (s *scenario) stored() *position.Position {
	s.t.Helper()
	data, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		s.t.Fatal(err)
	}
	p, err := position.Decode(data)
	if err != nil {
		s.t.Fatalf("position file: %v: %s", err, data)
	}
	return p
}

// await waits until so many messages are delivered, and gives them.
func (p *pipeline) await(n int) []message {
	p.s.t.Helper()
	return p.when(fmt.Sprintf("%d messages", n), func(got []message) bool { return len(got) >= n })
}

// when waits until the delivered messages meet a condition.
func (p *pipeline) when(what string, condition func([]message) bool) []message {
	p.s.t.Helper()
	deadline := time.After(patience)
	for {
		got, changed := p.delivered()
		if condition(got) {
			return got
		}
		select {
		case <-changed:
		case err := <-p.typed:
			p.s.t.Fatalf("waiting for %s: the pipeline stopped: %v", what, err)
		case <-deadline:
			p.s.t.Fatalf("waiting for %s: %d messages came: %q", what, len(got), lines(got))
		}
	}
}

// settle waits until everything committed by now is delivered, and gives all messages of the pipeline but those of the fence.
func (p *pipeline) settle() []message {
	p.s.t.Helper()
	p.s.fences++
	p.s.exec("INSERT INTO $"+fenceTable+" VALUES (:1)", p.s.fences)
	// By the mode of decimals.
	key := regexp.MustCompile(fmt.Sprintf(`\{"ID":(%d|"%[1]d"|%[1]d\.0)\}`, p.s.fences))
	fence := p.s.db.Table(fenceTable)
	got := p.when("the fence", func(got []message) bool {
		for _, m := range got {
			if m.event.Version != nil && m.event.Version.Table.Name == fence && key.Match(m.event.Key) {
				return true
			}
		}
		return false
	})
	return without(got, fence)
}

// stopped waits for the typed stop.
func (p *pipeline) stopped() *stop.Error {
	p.s.t.Helper()
	select {
	case err := <-p.typed:
		return err
	case <-time.After(patience):
		got, _ := p.delivered()
		p.s.t.Fatalf("the pipeline does not stop; delivered: %q", lines(got))
		return nil
	}
}

// logBuffer keeps what the runtime logs.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *logBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
