package wire

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/tns"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
)

// ErrorStyle says how errors of statements reach the client. Real servers use both ways, and public traces
// show parse errors behind markers (reference tns-server 10).
type ErrorStyle uint8

// The styles.
const (
	ErrorPlain  ErrorStyle = iota // in a summary
	ErrorMarker                   // in a summary behind a break/reset exchange
)

// Config of a server.
type Config struct {
	// Address to listen on; it must be a loopback address. The default is 127.0.0.1 with a free port.
	Address string
	// SDU is the session data unit granted, 512 to 2097152 bytes; default 8192, as real servers do.
	SDU int
	// Release reported: 19 (default) or 23. The messages are those of 19 in both cases.
	Release int
	// FieldVersion offered, 7 to 13; default 12.
	FieldVersion uint8
	// Backend is the database.
	Backend Backend
	// Log gets protocol surprises and failed sessions; nil is silence.
	Log *slog.Logger
	// Errors is the style of errors.
	Errors ErrorStyle
	// EagerReset sends the reset marker together with the break marker instead of waiting for the client's.
	EagerReset bool
	// TLS is set for a listener that speaks TLS on every connection (TCPS).
	TLS *tls.Config
	// BitVectors leaves out column values that repeat the row before. Real servers do so; go-ora has a defect
	// there that only some streams show (reference tns-server 7), so it is off by default.
	BitVectors bool
	// Locators limits the locators of LOB values a session has; the oldest are forgotten (ORA-22275). The
	// default is 262144, which is the largest fetch of go-ora with four LOBs a row.
	Locators int
	// LobBytes limits the bytes of the temporary LOBs of a session (ORA-01652), and the bytes of the values it
	// has locators of; default 4 GiB.
	LobBytes int64
	// OpenCursors limits the cursors of a session (ORA-01000); default 300.
	OpenCursors int
}

func (c Config) withDefaults() Config {
	if c.Address == "" {
		c.Address = "127.0.0.1:0"
	}
	if c.SDU == 0 {
		c.SDU = tns.DefaultSDU
	}
	if c.Release == 0 {
		c.Release = 19
	}
	if c.FieldVersion == 0 {
		c.FieldVersion = ttc.MaxFieldVersion
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Locators == 0 {
		c.Locators = 262144
	}
	if c.LobBytes == 0 {
		c.LobBytes = 4 << 30
	}
	if c.OpenCursors == 0 {
		c.OpenCursors = 300
	}
	return c
}

// Validate checks a configuration with its defaults in place.
func (c Config) Validate() error {
	c = c.withDefaults()
	var errs []error
	if err := loopback(c.Address); err != nil {
		errs = append(errs, err)
	}
	if c.SDU < tns.MinSDU || c.SDU > tns.MaxSDU {
		errs = append(errs, fmt.Errorf("SDU %d is outside %d to %d", c.SDU, tns.MinSDU, tns.MaxSDU))
	}
	if _, ok := releases[c.Release]; !ok {
		errs = append(errs, fmt.Errorf("release %d is unknown", c.Release))
	}
	if c.FieldVersion < 7 || c.FieldVersion > 13 {
		errs = append(errs, fmt.Errorf("field version %d is outside 7 to 13", c.FieldVersion))
	}
	if c.Backend == nil {
		errs = append(errs, errors.New("backend missing"))
	}
	if c.OpenCursors < 1 {
		errs = append(errs, fmt.Errorf("open cursors %d is not positive", c.OpenCursors))
	}
	if c.Locators < 1 || c.LobBytes < 0 {
		errs = append(errs, errors.New("limits of LOBs are not positive"))
	}
	return errors.Join(errs...)
}

// loopback keeps a database with well-known passwords off the network.
func loopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %s: %w", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("address %s is not on the loopback interface", address)
	}
	return nil
}
