package input

import (
	"context"
	"log/slog"

	"github.com/redpanda-data/benthos/v4/public/service"
)

// logHandler lets the engine log through the runtime's logger.
type logHandler struct {
	log *service.Logger
}

func newLog(log *service.Logger) *slog.Logger { return slog.New(&logHandler{log: log}) }

// Enabled leaves the level to the runtime, which does not tell it.
func (h *logHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h *logHandler) Handle(_ context.Context, r slog.Record) error {
	log := h.log
	r.Attrs(func(a slog.Attr) bool {
		log = log.With(a.Key, a.Value.Resolve().Any())
		return true
	})
	switch {
	case r.Level >= slog.LevelError:
		log.Error(r.Message)
	case r.Level >= slog.LevelWarn:
		log.Warn(r.Message)
	case r.Level >= slog.LevelInfo:
		log.Info(r.Message)
	default:
		log.Debug(r.Message)
	}
	return nil
}

func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	log := h.log
	for _, a := range attrs {
		log = log.With(a.Key, a.Value.Resolve().Any())
	}
	return &logHandler{log: log}
}

// WithGroup is not used by the engine: its attributes are flat.
func (h *logHandler) WithGroup(string) slog.Handler { return h }
