package kafka

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kgo"
)

// brokerWarningPeriod is the least time between two warnings of one kind about one broker: a client that cannot connect
// tries several times a second.
const brokerWarningPeriod = 10 * time.Second

// Logger carries the Kafka client's log lines into the runtime's log, one level lower than the client has them: what is
// information for the client is detail for a pipeline.
type Logger struct {
	log *service.Logger
	now func() time.Time

	mu   sync.Mutex
	last map[brokerWarning]time.Time
}

type brokerWarning struct{ addr, text string }

var _ kgo.Logger = (*Logger)(nil)

// NewLogger makes the adapter; it may be shared by clients.
func NewLogger(log *service.Logger) *Logger {
	return &Logger{log: log, last: map[brokerWarning]time.Time{}, now: time.Now}
}

// Level asks the client for everything: whether it is shown is up to the runtime's level, which cannot be read.
func (l *Logger) Level() kgo.LogLevel { return kgo.LogLevelDebug }

// Log writes one line.
func (l *Logger) Log(level kgo.LogLevel, msg string, keyvals ...any) {
	switch level {
	case kgo.LogLevelNone:
	case kgo.LogLevelError:
		l.log.With(keyvals...).Error(msg)
	case kgo.LogLevelWarn:
		if l.due(msg, keyvals) {
			l.log.With(keyvals...).Warn(msg)
		}
	case kgo.LogLevelInfo:
		l.log.With(keyvals...).Debug(msg)
	case kgo.LogLevelDebug:
		// Formatted only when the line is written: there are several of these for every request.
		l.log.Tracef("%s%v", msg, pairs(keyvals))
	}
}

// due reports whether a warning may be written now. Only warnings about the connection to a broker are held back.
func (l *Logger) due(msg string, keyvals []any) bool {
	addr := ""
	for i := 0; i+1 < len(keyvals); i += 2 {
		if keyvals[i] == "addr" {
			addr = fmt.Sprint(keyvals[i+1])
		}
	}
	if addr == "" {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	key, now := brokerWarning{addr, msg}, l.now()
	if last, ok := l.last[key]; ok && now.Sub(last) < brokerWarningPeriod {
		return false
	}
	l.last[key] = now
	return true
}

type pairs []any

func (p pairs) String() string {
	var b strings.Builder
	for i := 0; i+1 < len(p); i += 2 {
		fmt.Fprintf(&b, " %v=%v", p[i], p[i+1])
	}
	return b.String()
}
