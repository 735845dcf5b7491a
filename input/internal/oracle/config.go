package oracle

import (
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Config says how to reach the database. The zero durations and counts have defaults.
type Config struct {
	// ConnectionString is oracle://user:password@host:port/service[?options], with the driver's options but those that
	// the other fields set.
	ConnectionString string
	// Username and Password override those in ConnectionString.
	Username, Password string
	// WalletPath is the folder of cwallet.sso or ewallet.p12 and switches TLS on; WalletPassword opens ewallet.p12.
	WalletPath, WalletPassword string
	// TLS is used for TCPS without a wallet.
	TLS *tls.Config
	// ConnectTimeout bounds dial and log-on together; ReadTimeout is the longest silence on the wire, in whole seconds.
	ConnectTimeout, ReadTimeout time.Duration
	// KeepAlive is the TCP keep-alive period, below the 350 s of common load balancers (reference logminer A.5).
	KeepAlive time.Duration
	// FetchRows is the number of rows per round trip.
	FetchRows int
	// Logons is shared by all sessions of one input; nil: every log-on is tried.
	Logons *Logons
	// InterruptGrace is how long a server may take to answer an interrupt before its socket is closed.
	InterruptGrace time.Duration
}

// Bounds of FetchRows. The driver reads 25 as "not set" and sends the count in two bytes (reference tns-server 14.9).
const (
	MinFetchRows = 26
	MaxFetchRows = math.MaxUint16
	// SlowFetchRows is for a step whose rows come so slowly that an array of the usual size would not arrive in time (R11).
	SlowFetchRows = 2
)

// ownOptions are options of the driver that have a field of their own, or that would write row values into files.
var ownOptions = map[string]string{
	"PREFETCH_ROWS":      "mining.fetch_rows",
	"TIMEOUT":            "connection.connect_timeout and connection.read_timeout",
	"CONNECT TIMEOUT":    "connection.connect_timeout",
	"CONNECTION TIMEOUT": "connection.connect_timeout",
	"WALLET":             "wallet_path",
	"WALLET PASSWORD":    "wallet_password",
	"SERVER LOCATION":    "nothing: it is always UTC",
	"LOB FETCH":          "nothing: it is chosen per query",
	"PROGRAM":            "nothing: it names the session",
	"TRACE FILE":         "nothing: a trace holds row values",
	"TRACE DIR":          "nothing: a trace holds row values",
	"TRACE FOLDER":       "nothing: a trace holds row values",
	"TRACE DIRECTORY":    "nothing: a trace holds row values",
}

// DefaultConnectTimeout stands for a zero ConnectTimeout.
const DefaultConnectTimeout = 30 * time.Second

func (c Config) withDefaults() Config {
	setDefault(&c.ConnectTimeout, DefaultConnectTimeout)
	setDefault(&c.ReadTimeout, 15*time.Minute)
	setDefault(&c.KeepAlive, 30*time.Second)
	setDefault(&c.InterruptGrace, 5*time.Second)
	if c.FetchRows == 0 {
		c.FetchRows = 2000
	}
	return c
}

func setDefault(d *time.Duration, v time.Duration) {
	if *d == 0 {
		*d = v
	}
}

// Validate reports everything that is wrong, joined, without any secret.
func (c Config) Validate() error {
	c = c.withDefaults()
	var errs []error
	if _, err := c.parse(); err != nil {
		errs = append(errs, err)
	}
	if c.FetchRows != SlowFetchRows && (c.FetchRows < MinFetchRows || c.FetchRows > MaxFetchRows) {
		errs = append(errs, fmt.Errorf("mining.fetch_rows is %d, must be %d to %d", c.FetchRows, MinFetchRows, MaxFetchRows))
	}
	if c.ReadTimeout < time.Second {
		errs = append(errs, fmt.Errorf("connection.read_timeout is %s, must be at least 1s", c.ReadTimeout))
	}
	for name, d := range map[string]time.Duration{
		"connection.connect_timeout": c.ConnectTimeout, "connection.keep_alive": c.KeepAlive, "interrupt grace": c.InterruptGrace,
	} {
		if d < 0 {
			errs = append(errs, fmt.Errorf("%s is negative", name))
		}
	}
	if c.WalletPath != "" && c.TLS != nil {
		errs = append(errs, errors.New("wallet_path and connection.tls exclude each other"))
	}
	return errors.Join(errs...)
}

// parse reads the connection string with the overrides applied. Its errors never repeat the string, which holds the
// password.
func (c Config) parse() (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(c.ConnectionString))
	if err != nil {
		return nil, errors.New("connection_string is not a URL (write special characters of user and password as %XX)")
	}
	if u.Scheme != "oracle" {
		return nil, errors.New("connection_string must begin with oracle://")
	}
	user := u.User.Username()
	password, _ := u.User.Password()
	if c.Username != "" {
		user = c.Username
	}
	if c.Password != "" {
		password = c.Password
	}
	if user == "" || password == "" && c.WalletPath == "" {
		return nil, errors.New("connection_string has no user and password, and username and password are not set (write special characters as %XX, or use the two fields)")
	}
	if u.Hostname() == "" {
		return nil, errors.New("connection_string has no host")
	}
	// An @ or / of the password that is not written as %XX ends up behind the host; it must neither be dialled nor shown.
	if service := strings.Trim(u.Path, "/"); strings.ContainsAny(service, "@/:") || strings.ContainsAny(u.Hostname(), "@") {
		return nil, errors.New("connection_string has more than a service behind the host: write special characters of user and password as %XX, or use the fields username and password")
	}
	if u.Port() == "" {
		u.Host = net.JoinHostPort(u.Hostname(), "1521")
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, errors.New("connection_string: the options behind the question mark cannot be read")
	}
	named := strings.Trim(u.Path, "/") != ""
	for key := range query {
		upper := strings.ToUpper(key)
		if field, own := ownOptions[upper]; own {
			return nil, fmt.Errorf("connection_string: option %q is not allowed here; use %s", upper, field)
		}
		named = named || slices.Contains([]string{"SID", "SERVICE NAME", "CONNSTR"}, upper)
	}
	if !named {
		return nil, errors.New("connection_string has no service: oracle://user:password@host:port/service (write special characters of user and password as %XX)")
	}
	u.User = url.UserPassword(user, password)
	u.RawQuery = query.Encode()
	return u, nil
}

// dsn makes the driver's connection string (reference tns-server 14.2).
func (c Config) dsn(program string) (string, error) {
	u, err := c.parse()
	if err != nil {
		return "", err
	}
	query := u.Query()
	setOption(query, "PREFETCH_ROWS", strconv.Itoa(c.FetchRows))
	setOption(query, "TIMEOUT", strconv.FormatInt(int64((c.ReadTimeout+time.Second-1)/time.Second), 10))
	setOption(query, "SERVER LOCATION", "UTC")
	setOption(query, "PROGRAM", program)
	if c.WalletPath != "" {
		setOption(query, "WALLET", c.WalletPath)
		if c.WalletPassword != "" {
			setOption(query, "WALLET PASSWORD", c.WalletPassword)
		}
	}
	if c.WalletPath != "" || c.TLS != nil {
		setOption(query, "SSL", "TRUE")
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// setOption replaces an option however it is spelled; the driver reads names without case, in the random order of a map.
func setOption(query url.Values, name, value string) {
	for key := range query {
		if strings.EqualFold(key, name) {
			query.Del(key)
		}
	}
	query.Set(name, value)
}

// Address is host:port/service, for messages.
func (c Config) Address() string {
	u, err := c.parse()
	if err != nil {
		return "database"
	}
	return u.Host + "/" + strings.Trim(u.Path, "/")
}

// String hides user and secrets, whatever verb prints the value.
func (c Config) String() string { return "oracle://***@" + c.Address() }

// GoString is String, so that %#v shows no secret either.
func (c Config) GoString() string { return c.String() }
