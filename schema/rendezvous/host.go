package rendezvous

import (
	"sync"

	"github.com/redpanda-data/benthos/v4/public/service"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Host is the program that runs the stream: it knows when the stream is built and can end the process, which no component
// can (reference benthos 4).
type Host struct {
	built     chan struct{}
	builtOnce sync.Once
	stop      func(*stop.Error)
	// parallel: processors run in several pipeline threads, which the runtime gives the same instances.
	parallel bool
	// buffered: a buffer acknowledges what it takes, before the output has it.
	buffered bool
}

// NewHost makes a host; onStop is called once, with the first typed stop of the stream.
func NewHost(onStop func(*stop.Error)) *Host {
	return &Host{built: make(chan struct{}), stop: onStop}
}

// Attach tells the stream of these resources about its host, before the stream is built.
func (h *Host) Attach(res *service.Resources) {
	s := Of(res)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.host = h
}

// Threads tells what pipeline.threads is, before the stream is built.
func (h *Host) Threads(n int) { h.parallel = n != 1 }

// Buffered tells that the stream has a buffer, before the stream is built.
func (h *Host) Buffered() { h.buffered = true }

// Built tells the input that all components of the stream exist.
func (h *Host) Built() { h.builtOnce.Do(func() { close(h.built) }) }

type lenientKey struct{}

// Lenient tells every stream of the program that error_handling.strict is false, before a stream is built.
func Lenient(res *service.Resources) { res.SetGeneric(lenientKey{}, true) }
