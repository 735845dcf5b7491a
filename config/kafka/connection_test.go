package kafka

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	_ "github.com/redpanda-data/benthos/v4/public/components/pure"
	"github.com/redpanda-data/benthos/v4/public/service"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema/topicstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func spec() *service.ConfigSpec {
	return service.NewConfigSpec().Fields(SeedBrokers("Brokers."), ClientID("test"), TLS(), SASL(), TCP())
}

func connect(t *testing.T, yaml string) (topicstore.Connection, error) {
	t.Helper()
	conf, err := spec().ParseYAML(yaml, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Connection(conf, nil)
}

func lint(t *testing.T, yaml string) []service.Lint {
	t.Helper()
	env := service.NewEnvironment()
	err := env.RegisterBatchProcessor("probe", spec(), func(*service.ParsedConfig, *service.Resources) (service.BatchProcessor, error) {
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	lints, err := env.NewComponentConfigLinter().LintProcessorYAML([]byte("probe:\n  " + strings.ReplaceAll(strings.TrimSpace(yaml), "\n", "\n  ")))
	if err != nil {
		t.Fatal(err)
	}
	return lints
}

func TestWithoutBrokersThereIsNoConnection(t *testing.T) {
	for _, yaml := range []string{`{}`, `seed_brokers: []`, `seed_brokers: [""]`, `seed_brokers: [" , "]`, "client_id: x\ntls: {enabled: true}"} {
		if c, err := connect(t, yaml); err != nil || len(c) != 0 {
			t.Errorf("%s: %d options, %v; want none", yaml, len(c), err)
		}
	}
}

func TestBrokersAreSplitAtCommas(t *testing.T) {
	got := splitBrokers([]string{"a:1, b:2", "", "c:3,"})
	if strings.Join(got, "|") != "a:1|b:2|c:3" {
		t.Fatalf("got %q", got)
	}
	if _, err := connect(t, `seed_brokers: ["a:port"]`); err == nil || !strings.Contains(err.Error(), "seed_brokers") {
		t.Fatalf("bad address: %v, want an error that names the field", err)
	}
}

func TestLintRefusesBadValuesByName(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"sasl: [{mechanism: GSSAPI, username: a, password: b}]", "GSSAPI"},
		{"sasl: [{mechanism: PLAIN, username: a}]", "PLAIN needs username and password"},
		{"sasl: [{mechanism: SCRAM-SHA-256, password: a}]", "SCRAM-SHA-256 needs username and password"},
		{"sasl: [{mechanism: none}, {mechanism: OAUTHBEARER, username: a}]", "OAUTHBEARER needs token"},
		{"tcp: {connect_timeout: banana}", "tcp.connect_timeout must be a duration"},
		{"tcp: {keep_alive: {idle: 15}}", "tcp.keep_alive.idle must be a duration"},
		{"tcp: {keep_alive: {interval: x}}", "tcp.keep_alive.interval must be a duration"},
		{`tcp: {tcp_user_timeout: ""}`, "tcp.tcp_user_timeout must be a duration"},
		{"brokers: [a]", "brokers"},
	} {
		lints := lint(t, c.yaml)
		if len(lints) == 0 || !strings.Contains(lints[0].Error(), c.want) {
			t.Errorf("%s: %v, want a complaint with %q", c.yaml, lints, c.want)
		}
	}
	for _, yaml := range []string{
		"{}", "sasl: [{mechanism: none}]", "sasl: [{mechanism: PLAIN, username: a, password: b}, {mechanism: OAUTHBEARER, token: t}]",
		"tcp: {connect_timeout: 5s, keep_alive: {idle: -1s}}", "tls: {enabled: true, skip_cert_verify: true}",
	} {
		if lints := lint(t, yaml); len(lints) != 0 {
			t.Errorf("%s: %v, want no complaint", yaml, lints)
		}
	}
}

func TestConstructorRefusesWhatLintCannotSee(t *testing.T) {
	for _, c := range []struct{ yaml, want string }{
		{"sasl: [{mechanism: PLAIN, username: a}]", "sasl[0]: mechanism PLAIN needs username and password"},
		{"sasl: [{mechanism: none}, {mechanism: OAUTHBEARER}]", "sasl[1]: mechanism OAUTHBEARER needs token"},
		{"tcp: {tcp_user_timeout: 1m}", "tcp_user_timeout"},
	} {
		if _, err := connect(t, "seed_brokers: [a]\n"+c.yaml); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.yaml, err, c.want)
		}
	}
}

func TestMechanismsLogOn(t *testing.T) {
	for _, c := range []struct {
		mechanism, password string
		ok                  bool
	}{
		{"PLAIN", "right", true},
		{"PLAIN", "wrong", false},
		{"SCRAM-SHA-256", "right", true},
		{"SCRAM-SHA-256", "wrong", false},
		{"SCRAM-SHA-512", "right", true},
		{"SCRAM-SHA-512", "wrong", false},
	} {
		t.Run(c.mechanism+" "+c.password, func(t *testing.T) {
			cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser(c.mechanism, "cdc", "right"))
			if err != nil {
				t.Fatal(err)
			}
			defer cluster.Close()
			conn, err := connect(t, "seed_brokers: ['"+cluster.ListenAddrs()[0]+"']\nsasl: [{mechanism: "+c.mechanism+", username: cdc, password: "+c.password+"}]")
			if err != nil {
				t.Fatal(err)
			}
			client, err := kgo.NewClient(conn...)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			if err := client.Ping(t.Context()); (err == nil) != c.ok {
				t.Fatalf("ping: %v", err)
			}
		})
	}
}

type capture struct {
	slog.Handler
	lines []string
}

func (c *capture) Enabled(context.Context, slog.Level) bool { return true }
func (c *capture) WithAttrs(attrs []slog.Attr) slog.Handler { return c }
func (c *capture) Handle(_ context.Context, r slog.Record) error {
	c.lines = append(c.lines, r.Level.String()+" "+r.Message)
	return nil
}

func TestLogLinesKeepTheirWeight(t *testing.T) {
	c := &capture{}
	l := NewLogger(service.NewLoggerFromSlog(slog.New(c)))
	l.Log(kgo.LogLevelError, "e")
	l.Log(kgo.LogLevelWarn, "w")
	l.Log(kgo.LogLevelInfo, "i")
	l.Log(kgo.LogLevelDebug, "d", "k", 1)
	if got := strings.Join(c.lines, "|"); got != "ERROR e|WARN w|DEBUG i|DEBUG-4 d k=1" && got != "ERROR e|WARN w|DEBUG i|DEBUG d k=1" {
		t.Fatalf("got %s", got)
	}
}

func TestWarningsAboutOneBrokerAreHeldBack(t *testing.T) {
	c, clock := &capture{}, time.Unix(0, 0)
	l := NewLogger(service.NewLoggerFromSlog(slog.New(c)))
	l.now = func() time.Time { return clock }
	for range 3 {
		l.Log(kgo.LogLevelWarn, "no connection", "addr", "a:1")
		l.Log(kgo.LogLevelWarn, "no connection", "addr", "b:1")
		l.Log(kgo.LogLevelWarn, "other")
		clock = clock.Add(brokerWarningPeriod / 2)
	}
	if got := strings.Join(c.lines, "|"); strings.Count(got, "no connection") != 4 || strings.Count(got, "other") != 3 {
		t.Fatalf("got %s, want each broker at 0 s and 10 s, and the other warning always", got)
	}
}
