package oracle_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/internal/oracle"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

func TestRefusedLogonsStopWithoutRetry(t *testing.T) {
	w := server(t, &script{})
	cfg := config(w)
	cfg.Password = "wrong-secret-1"
	_, err := oracle.Connect(t.Context(), cfg, oracle.Mining)
	class, typed := oracle.Classify(err)
	if class != oracle.Stop || typed.Code != stop.Privilege || typed.ORA != 1017 {
		t.Errorf("a wrong password: %s, %v", class, err)
	}
	if strings.Contains(err.Error(), "wrong-secret-1") {
		t.Errorf("the password is in the error: %v", err)
	}
	for _, code := range []int{1045, 28000, 28001} {
		w := server(t, &script{})
		fault := w.AddFault(wire.Fault{Call: wire.CallLogon, Err: wire.Errorf(code, "refused")})
		_, err := oracle.Connect(t.Context(), config(w), oracle.Mining)
		if class, typed := oracle.Classify(err); class != oracle.Stop || typed.Code != stop.Privilege {
			t.Errorf("ORA-%05d at log-on: %s, %v", code, class, err)
		}
		if fault.Hits() != 1 {
			t.Errorf("ORA-%05d: %d log-ons, want 1", code, fault.Hits())
		}
	}
}

func TestUnreachableDatabaseIsRetried(t *testing.T) {
	w := server(t, &script{})
	unknown := config(w)
	unknown.ConnectionString = strings.Replace(unknown.ConnectionString, "/"+service, "/NOWHERE", 1)
	gone := config(w)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.ConnectionString = strings.Replace(gone.ConnectionString, w.Addr().String(), l.Addr().String(), 1)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]oracle.Config{"unknown service": unknown, "nobody listens": gone} {
		_, err := oracle.Connect(t.Context(), cfg, oracle.Mining)
		if class, typed := oracle.Classify(err); class != oracle.Reconnect || typed.Code != stop.Unavailable {
			t.Errorf("%s: %s, %v", name, class, err)
		}
	}
}

func TestConnectTimeoutAndCancelCoverTheLogon(t *testing.T) {
	w := server(t, &script{})
	w.AddFault(wire.Fault{Call: wire.CallLogon, Then: wire.Hang})
	cfg := config(w)
	cfg.ConnectTimeout = 100 * time.Millisecond
	_, err := oracle.Connect(t.Context(), cfg, oracle.Mining)
	if class, _ := oracle.Classify(err); class != oracle.Reconnect || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a silent log-on: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := oracle.Connect(ctx, config(w), oracle.Mining); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a cancelled log-on: %v", err)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	w := server(t, &script{})
	cfg := config(w)
	cfg.WalletPassword = "wallet-secret"
	for _, text := range []string{fmt.Sprint(cfg), fmt.Sprintf("%+v", cfg), fmt.Sprintf("%#v", cfg), fmt.Sprintf("%v", &cfg)} {
		if strings.Contains(text, password) || strings.Contains(text, "wallet-secret") || strings.Contains(text, "p%40ss") {
			t.Errorf("a secret in %s", text)
		}
	}
	s := &script{}
	s.on("leak", func(context.Context, *scriptSession) (wire.Result, error) {
		return wire.Result{}, wire.Errorf(20001, "the password is %s", password)
	})
	_, err := read(t.Context(), connect(t, config(server(t, s))), "select leak")
	if err == nil || strings.Contains(err.Error(), password) {
		t.Errorf("error %v", err)
	}
	if n, ok := oracle.Code(err); !ok || n != 20001 {
		t.Errorf("the code behind the mask is %d, %t", n, ok)
	}
}

func TestConfigValidation(t *testing.T) {
	good := oracle.Config{ConnectionString: "oracle://u:pw-123@db:1521/FREE"}
	for name, tc := range map[string]struct {
		change func(*oracle.Config)
		want   string
	}{
		"good":          {func(*oracle.Config) {}, ""},
		"port left out": {func(c *oracle.Config) { c.ConnectionString = "oracle://u:pw-123@db/FREE" }, ""},
		"user and password": {func(c *oracle.Config) {
			c.ConnectionString = "oracle://db/FREE"
			c.Username, c.Password = "u", "pw-123"
		}, ""},
		"option of the driver":   {func(c *oracle.Config) { c.ConnectionString += "?SSL=true" }, ""},
		"25 rows":                {func(c *oracle.Config) { c.FetchRows = 25 }, "mining.fetch_rows is 25"},
		"65536 rows":             {func(c *oracle.Config) { c.FetchRows = 65536 }, "mining.fetch_rows is 65536"},
		"other scheme":           {func(c *oracle.Config) { c.ConnectionString = "postgres://u:pw-123@db/x" }, "oracle://"},
		"no URL":                 {func(c *oracle.Config) { c.ConnectionString = "oracle://u:pw-123%@db/x" }, "not a URL"},
		"password with a slash":  {func(c *oracle.Config) { c.ConnectionString = "oracle://u:pw-123/x@db:1521/FREE" }, "%XX"},
		"with an at and a slash": {func(c *oracle.Config) { c.ConnectionString = "oracle://u:p@pw-123/x@db:1521/FREE" }, "%XX"},
		"no service":             {func(c *oracle.Config) { c.ConnectionString = "oracle://u:pw-123@db:1521" }, "no service"},
		"no password":            {func(c *oracle.Config) { c.ConnectionString = "oracle://u@db:1521/FREE" }, "no user and password"},
		"own option":             {func(c *oracle.Config) { c.ConnectionString += "?prefetch_rows=25" }, "mining.fetch_rows"},
		"trace of row values":    {func(c *oracle.Config) { c.ConnectionString += "?TRACE FILE=x" }, "row values"},
		"short read time-out":    {func(c *oracle.Config) { c.ReadTimeout = time.Millisecond }, "read_timeout"},
		"negative keep-alive":    {func(c *oracle.Config) { c.KeepAlive = -1 }, "keep_alive"},
		"several at once joined": {func(c *oracle.Config) { c.FetchRows, c.ReadTimeout = 1, time.Millisecond }, "fetch_rows is 1"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			tc.change(&cfg)
			err := cfg.Validate()
			if tc.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "pw-123") {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}
