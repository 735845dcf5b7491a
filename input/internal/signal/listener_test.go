package signal

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// serve runs a listener; act handles what it delivers, nil: nobody does.
func serve(t *testing.T, l *Listener, act func(Delivery)) (address string) {
	t.Helper()
	l.Address, l.Log = "127.0.0.1:0", quiet()
	on, err := l.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	out, ended, acted := make(chan Delivery), make(chan struct{}), make(chan struct{})
	go func() { defer close(ended); l.Run(ctx, on, out) }()
	go func() {
		defer close(acted)
		for act != nil {
			select {
			case d := <-out:
				act(d)
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-ended; <-acted; http.DefaultClient.CloseIdleConnections() })
	return on.Addr().String()
}

func post(t *testing.T, url, body string, change ...func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	for _, c := range change {
		c(r)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, strings.TrimSpace(string(text))
}

// obey answers as an engine does.
func obey(d Delivery) {
	if _, answer := Parse(&d.Signal); answer != nil {
		d.Answer(*answer)
		return
	}
	d.Answer(Answer{Status: OK})
	d.Answer(Answer{Status: Failed}) // the first one counts
}

func TestListenerAnswersWhatBecameOfASignal(t *testing.T) {
	url := "http://" + serve(t, &Listener{}, obey) + Path
	if code, body := post(t, url, `{"id":"7","type":"log-state"}`); code != http.StatusOK || body != `{"id":"7","status":"ok"}` {
		t.Error(code, body)
	}
	if code, body := post(t, url, `{"id":"7","type":"no-such"}`); code != http.StatusBadRequest || !strings.Contains(body, `"unknown"`) {
		t.Error(code, body)
	}
	if code, body := post(t, url, `{`); code != http.StatusBadRequest || !strings.Contains(body, `"invalid"`) {
		t.Error(code, body)
	}
	if code, _ := post(t, url, strings.Repeat(" ", MaxBytes+1)); code != http.StatusRequestEntityTooLarge {
		t.Error(code)
	}
	if code, _ := post(t, strings.TrimSuffix(url, Path), "{}"); code != http.StatusNotFound {
		t.Error(code)
	}
}

func TestListenerDoesNotKeepItsSenderWaiting(t *testing.T) {
	for name, test := range map[string]struct {
		act  func(Delivery)
		code int
		word string
	}{
		"nobody takes it":   {nil, http.StatusServiceUnavailable, "not accepted"},
		"nobody answers it": {func(Delivery) {}, http.StatusAccepted, `"queued"`},
	} {
		t.Run(name, func(t *testing.T) {
			url := "http://" + serve(t, &Listener{Patience: 20 * time.Millisecond}, test.act) + Path
			if code, body := post(t, url, `{"id":"7","type":"log-state"}`); code != test.code || !strings.Contains(body, test.word) {
				t.Error(code, body)
			}
		})
	}
}

// What a kill would undo is answered once the stored position has it; nobody waits for that for ever.
func TestListenerAnswersWhatIsKept(t *testing.T) {
	var looks atomic.Int64
	when := func(n int64) func(Delivery) {
		return func(d Delivery) {
			d.AnswerWhen(Answer{Status: OK, Detail: "to be read"}, func() bool { return looks.Add(1) >= n })
		}
	}
	url := "http://" + serve(t, &Listener{}, when(3)) + Path
	if code, body := post(t, url, `{"id":"7","type":"execute-snapshot"}`); code != http.StatusOK || body != `{"id":"7","status":"ok","detail":"to be read"}` || looks.Load() != 3 {
		t.Errorf("%d %s behind %d looks at the position", code, body, looks.Load())
	}
	url = "http://" + serve(t, &Listener{Patience: 50 * time.Millisecond}, when(1<<60)) + Path
	if code, body := post(t, url, `{"id":"8","type":"execute-snapshot"}`); code != http.StatusAccepted || !strings.Contains(body, `"ok"`) || !strings.Contains(body, "does not have it yet") {
		t.Errorf("%d %s", code, body)
	}
}

func TestListenerAdmitsWhoMay(t *testing.T) {
	const signal = `{"type":"log-state"}`
	open := "http://" + serve(t, &Listener{}, obey) + Path
	guarded := "http://" + serve(t, &Listener{Token: "s3cret"}, obey) + Path
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, test := range map[string]struct {
		url    string
		change func(*http.Request)
		want   int
	}{
		"loopback":                    {open, func(*http.Request) {}, http.StatusOK},
		"a name that points here":     {open, func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		"localhost":                   {open, func(r *http.Request) { r.Host = "localhost:4196" }, http.StatusOK},
		"IPv6":                        {open, func(r *http.Request) { r.Host = "[::1]:4196" }, http.StatusOK},
		"a form of a web page":        {open, header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType},
		"the type with a parameter":   {open, header("Content-Type", "application/json; charset=utf-8"), http.StatusOK},
		"no token":                    {guarded, func(*http.Request) {}, http.StatusUnauthorized},
		"another token":               {guarded, header("Authorization", "Bearer s3cre"), http.StatusUnauthorized},
		"the token without its word":  {guarded, header("Authorization", "s3cret"), http.StatusUnauthorized},
		"the token":                   {guarded, header("Authorization", "Bearer s3cret"), http.StatusOK},
		"the token, by another name":  {guarded, func(r *http.Request) { r.Host = "cdc.example"; r.Header.Set("Authorization", "Bearer s3cret") }, http.StatusOK},
		"reading what is not written": {open, func(r *http.Request) { r.Method = http.MethodGet }, http.StatusMethodNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			if code, body := post(t, test.url, signal, test.change); code != test.want {
				t.Errorf("%d, want %d: %s", code, test.want, body)
			}
		})
	}
}

func TestListenerRefusesAnAddress(t *testing.T) {
	taken := serve(t, &Listener{}, obey)
	for name, address := range map[string]string{"taken": taken, "open to others without a token": "0.0.0.0:0", "no port": "127.0.0.1"} {
		on, err := (&Listener{Address: address, Log: quiet()}).Listen(t.Context())
		if !stop.Is(err, stop.Configuration) {
			t.Errorf("%s: %v", name, err)
		}
		if on != nil {
			_ = on.Close()
		}
	}
}
