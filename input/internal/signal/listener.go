package signal

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// Listener takes signals by HTTP: POST /signals with {"id":…,"type":…,"data":{…}}. It answers once the signal was acted on and the
// stored position has what it asked for, or with 202 when that takes long: the answer is in the ops events then.
type Listener struct {
	Address string
	// Token is asked for as a bearer token; empty only on a loopback address.
	Token string
	Log   *slog.Logger
	// Patience is how long an answer is waited for; 0: ten seconds.
	Patience time.Duration
}

// Path is where signals are taken.
const Path = "/signals"

const (
	defaultPatience = 10 * time.Second
	// headerTime bounds how long a client may take for its request.
	headerTime = 10 * time.Second
	// farewell is how long requests under way have when the listener ends.
	farewell = time.Second
)

// Loopback reports an address that only this machine can reach.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Listen takes the address, so that one that is taken is known before capture begins.
func (l *Listener) Listen(ctx context.Context) (net.Listener, error) {
	if l.Token == "" && !Loopback(l.Address) {
		return nil, stop.New(stop.Configuration, "signals.http.address", "a listener that others can reach needs a token").
			Doing("set signals.http.token, or an address on the loopback interface")
	}
	var config net.ListenConfig
	on, err := config.Listen(ctx, "tcp", l.Address)
	if err != nil {
		return nil, stop.Wrap(stop.Configuration, err, "signals.http.address", "the listener cannot be opened").
			Doing("choose another address, or end the process that has it")
	}
	return on, nil
}

// Run serves until ctx ends. It closes the listener.
func (l *Listener) Run(ctx context.Context, on net.Listener, out chan<- Delivery) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+Path, func(w http.ResponseWriter, r *http.Request) { l.take(ctx, w, r, out) })
	server := &http.Server{
		Handler: mux, ReadHeaderTimeout: headerTime, ReadTimeout: headerTime,
		ErrorLog: slog.NewLogLogger(l.Log.Handler(), slog.LevelDebug),
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		if err := server.Serve(on); !errors.Is(err, http.ErrServerClosed) {
			l.Log.LogAttrs(ctx, slog.LevelWarn, "The listener of signals ended", slog.Any("error", err))
		}
	}()
	<-ctx.Done()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if server.Shutdown(last) != nil {
		_ = server.Close() // only sockets are left
	}
	<-served
}

// reply is the body of every response.
type reply struct {
	ID     string `json:"id,omitempty"`
	Status Status `json:"status"`
	Detail string `json:"detail,omitempty"`
}

// queued is the status of a signal whose answer takes longer than the sender waits.
const queued Status = "queued"

func (l *Listener) take(ctx context.Context, w http.ResponseWriter, r *http.Request, out chan<- Delivery) {
	if code, why := l.admit(r); why != "" {
		respond(w, code, reply{Status: Rejected, Detail: why})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBytes))
	if err != nil {
		respond(w, http.StatusRequestEntityTooLarge, reply{Status: Invalid, Detail: "the body cannot be read, or is too long"})
		return
	}
	patience := l.Patience
	if patience == 0 {
		patience = defaultPatience
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	back := make(chan answered, 1)
	s := decode(body, HTTP)
	select {
	case out <- Delivery{Signal: s, reply: back}:
	case <-timer.C:
		w.Header().Set("Retry-After", "10")
		respond(w, http.StatusServiceUnavailable, reply{ID: s.ID, Status: Rejected, Detail: "nothing takes signals at the moment: the signal was not accepted"})
		return
	case <-ctx.Done():
		respond(w, http.StatusServiceUnavailable, reply{ID: s.ID, Status: Rejected, Detail: "capture ends: the signal was not accepted"})
		return
	case <-r.Context().Done():
		return
	}
	select {
	case a := <-back:
		l.confirm(ctx, w, r, s.ID, a, timer.C)
	case <-timer.C:
		respond(w, http.StatusAccepted, reply{ID: s.ID, Status: queued, Detail: "the answer will be an ops event signal-ack"})
	case <-ctx.Done():
		respond(w, http.StatusServiceUnavailable, reply{ID: s.ID, Status: Failed, Detail: "capture ended before the answer: send the signal again"})
	case <-r.Context().Done():
	}
}

// lookKept is how often the stored position is looked at for what was asked for.
const lookKept = 20 * time.Millisecond

// confirm answers once a kill cannot undo any more what was done.
func (l *Listener) confirm(ctx context.Context, w http.ResponseWriter, r *http.Request, id string, a answered, late <-chan time.Time) {
	look := time.NewTicker(lookKept)
	defer look.Stop()
	for a.kept != nil && !a.kept() {
		select {
		case <-look.C:
		case <-late:
			respond(w, http.StatusAccepted, reply{ID: id, Status: a.Status, Detail: a.Detail + "; the stored position does not have it yet: a kill before the ops event signal-ack would undo it"})
			return
		case <-ctx.Done():
			respond(w, http.StatusServiceUnavailable, reply{ID: id, Status: Failed, Detail: "capture ended before the stored position had it: send the signal again, unless the ops event signal-ack is there"})
			return
		case <-r.Context().Done():
			return
		}
	}
	respond(w, httpStatus(a.Status), reply{id, a.Status, a.Detail})
}

// admit says why a request is refused, and with which status.
func (l *Listener) admit(r *http.Request) (int, string) {
	if l.Token == "" {
		// A web page in a browser on this machine must not reach it by a name that it made to point here.
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		if !Loopback(net.JoinHostPort(strings.Trim(host, "[]"), "0")) {
			return http.StatusForbidden, "without a token the listener is asked by a loopback address"
		}
	} else {
		sent, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		given, wanted := sha256.Sum256([]byte(sent)), sha256.Sum256([]byte(l.Token))
		if !found || subtle.ConstantTimeCompare(given[:], wanted[:]) != 1 {
			return http.StatusUnauthorized, "the bearer token is missing or wrong"
		}
	}
	// A form in a web page cannot send this type.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return http.StatusUnsupportedMediaType, "the content type is application/json"
	}
	return 0, ""
}

func httpStatus(s Status) int {
	switch s {
	case OK:
		return http.StatusOK
	case Rejected:
		return http.StatusConflict
	case Unknown, Invalid:
		return http.StatusBadRequest
	case queued:
		return http.StatusAccepted
	case Failed:
		return http.StatusInternalServerError
	}
	return http.StatusInternalServerError
}

func respond(w http.ResponseWriter, code int, r reply) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(r) // the client went away
}
