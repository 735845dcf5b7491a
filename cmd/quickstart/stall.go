package main

import (
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// stalls make the broker slow with data, so that acknowledgements lag behind what the pipeline has read: at a kill records are
// nearly always on their way, and a position that is stored before its records are acknowledged loses them. Positions are taken at
// once. What is on its way when the pipeline dies never arrives, as with a connection whose last bytes are lost.
type stalls struct {
	kafka *kfake.Cluster
	// fast are topics that are never slow.
	fast []string

	mu sync.Mutex
	// wait says how long the next request takes.
	wait func() time.Duration
	// life is closed at a death; nil: the broker is fast.
	life chan struct{}
}

var errLost = errors.New("the request was on its way when its sender died")

// stall makes the broker slow until end is called.
func stall(kafka *kfake.Cluster, seed uint64, fast ...string) *stalls {
	s := &stalls{kafka: kafka, fast: fast, wait: waits(rand.New(rand.NewPCG(seed, 3))), life: make(chan struct{})}
	kafka.ControlKey(int16(kmsg.Produce), s.produce)
	return s
}

// produce is called by the broker for each request to write records, before it writes them.
func (s *stalls) produce(r kmsg.Request) (kmsg.Response, error, bool) {
	s.kafka.KeepControl()
	wait, life := s.next()
	if life == nil || !s.slow(r) {
		return nil, nil, false
	}
	lost := false
	s.kafka.SleepControl(func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-life:
			lost = true
		case <-timer.C:
		}
	})
	if lost {
		return nil, errLost, true
	}
	return nil, nil, false
}

// waits draws how long requests take: mostly some milliseconds, now and then a pause that outlasts the time between two positions.
func waits(random *rand.Rand) func() time.Duration {
	const often, pause, usual = 6, 900 * time.Millisecond, 20 * time.Millisecond
	return func() time.Duration {
		if random.IntN(often) == 0 {
			return time.Duration(random.Int64N(int64(pause)))
		}
		return time.Duration(random.Int64N(int64(usual)))
	}
}

// next gives how long the next request takes, and what ends it before; nothing when the broker is fast.
func (s *stalls) next() (time.Duration, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wait(), s.life
}

// slow reports whether a request writes to a topic that is not a fast one.
func (s *stalls) slow(r kmsg.Request) bool {
	produce, ok := r.(*kmsg.ProduceRequest)
	if !ok {
		return false
	}
	for _, t := range produce.Topics {
		isFast := false
		for _, name := range s.fast {
			info := s.kafka.TopicInfo(name)
			isFast = isFast || t.Topic == name || t.Topic == "" && info != nil && t.TopicID == info.TopicID
		}
		if !isFast {
			return true
		}
	}
	return false
}

// died loses what was on its way.
func (s *stalls) died() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.life)
	s.life = make(chan struct{})
}

// end makes the broker fast again; what is on its way arrives.
func (s *stalls) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.life = nil
}
