package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/ttc"
	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/verifier"
)

// Client names of drivers that need something of their own.
const (
	driverGoOra = "OracleClientGo"
	driverJDBC  = "Java_TTC-8.2.0"
)

// authenticate holds both phases of the log-on and opens the session.
func (c *connection) authenticate() error {
	var first, second ttc.AuthRequest
	if err := c.auth(ttc.FunctionAuthOne, &first); err != nil {
		return err
	}
	user := userName(first.User)
	stored, known, err := c.server.verifier(c.service, user)
	if err != nil {
		return fmt.Errorf("verifier of %s: %w", user, err)
	}
	exchange := stored.Begin()
	c.challenge(exchange)
	if err := c.out.send(true); err != nil {
		return err
	}
	if err := c.auth(ttc.FunctionAuthTwo, &second); err != nil {
		return err
	}
	ctx, end := c.begin()
	defer end()
	if err := c.strike(ctx, moment{call: CallLogon, user: user}); err != nil {
		return c.denied(err)
	}
	err = exchange.Verify(second.Value("AUTH_SESSKEY"), second.Value("AUTH_PASSWORD"))
	if err != nil || !known {
		return c.denied(Errorf(oraLogonDenied, "invalid username/password; logon denied"))
	}
	logon := c.logonOf(user, &second)
	if c.session, err = c.server.config.Backend.Open(ctx, logon); err != nil {
		return c.denied(err)
	}
	c.mu.Lock()
	c.logon = &logon
	c.mu.Unlock()
	return c.welcome(exchange, logon)
}

// auth reads one phase.
func (c *connection) auth(want ttc.Function, m *ttc.AuthRequest) error {
	c.reader.Begin()
	var header ttc.Header
	if err := header.Decode(c.reader); err != nil {
		return err
	}
	c.sequence = header.Sequence
	if header.Code != ttc.CodeFunction || header.Function != want {
		c.reader.Fail("message %d, function 0x%02x instead of log-on function 0x%02x", header.Code, header.Function, want)
	}
	return m.Decode(c.reader, c.dialect)
}

// userName is the name of a user as the database stores it.
func userName(given string) string {
	if n := len(given); n > 2 && given[0] == '"' && given[n-1] == '"' {
		return given[1 : n-1]
	}
	return strings.ToUpper(given)
}

func (c *connection) logonOf(user string, m *ttc.AuthRequest) Logon {
	id, serial := c.server.nextSession()
	return Logon{
		Service: c.service, User: user, SessionID: id, Serial: serial,
		Program: m.Value("AUTH_PROGRAM_NM"),
		Alter:   strings.TrimSpace(m.Value("AUTH_ALTER_SESSION")),
		Machine: m.Value("AUTH_MACHINE"), OSUser: m.Value("AUTH_SID"), Process: m.Value("AUTH_PID"),
		Driver: m.Value("SESSION_CLIENT_DRIVER_NAME"),
	}
}

// challenge is the answer to phase one. It ends with a summary: go-ora accepts no status here.
func (c *connection) challenge(e *verifier.Exchange) {
	c.out.body = ttc.AuthAnswer{Pairs: []ttc.Pair{
		{Key: "AUTH_SESSKEY", Value: e.SessionKey()},
		{Key: "AUTH_VFR_DATA", Value: e.Salt(), Flag: verifier.Type},
		{Key: "AUTH_PBKDF2_CSK_SALT", Value: e.DerivationSalt()},
		{Key: "AUTH_PBKDF2_VGEN_COUNT", Value: strconv.Itoa(verifier.GenerationCount)},
		{Key: "AUTH_PBKDF2_SDER_COUNT", Value: strconv.Itoa(verifier.DerivationCount)},
		{Key: "AUTH_GLOBALLY_UNIQUE_DBID\x00", Value: "00112233445566778899AABBCCDDEEFF"},
	}}.Encode(c.out.body)
	c.summarize(ttc.Summary{})
}

// denied tells the client why, and ends the conversation.
func (c *connection) denied(err error) error {
	if final(err) || errors.Is(err, errBreak) {
		return err
	}
	c.summarizeError(oraError(err))
	if err := c.out.send(true); err != nil {
		return err
	}
	return errEnd
}

// welcome is the answer to phase two.
func (c *connection) welcome(e *verifier.Exchange, logon Logon) error {
	c.out.body = ttc.AuthAnswer{Pairs: c.attributes(e, logon)}.Encode(c.out.body)
	if c.client == driverGoOra { // node-oracledb 6.0.0 misreads it
		c.out.body = ttc.SessionSettings{Settings: []ttc.SessionSetting{
			{Keyword: ttc.NLSLanguage, Value: "AMERICAN"},
			{Keyword: ttc.NLSTerritory, Value: "AMERICA"},
			{Keyword: ttc.NLSCharset, Value: "AL32UTF8"},
			{Keyword: ttc.NLSDateFormat, Value: "DD-MON-RR"},
			{Keyword: ttc.NLSTimeZone, Value: "+00:00"},
		}}.Encode(c.out.body)
	}
	c.summarize(ttc.Summary{})
	return c.out.send(true)
}

// attributes are the properties of the session that clients look at.
func (c *connection) attributes(e *verifier.Exchange, logon Logon) []ttc.Pair {
	identity := Identity{
		Database: c.service, UniqueName: c.service, Instance: c.service, Service: c.service, UserID: 100,
	}
	if identified, ok := c.session.(Identified); ok {
		identity = identified.Identity()
	}
	return []ttc.Pair{
		{Key: "AUTH_VERSION_NO", Value: strconv.FormatUint(uint64(releases[c.server.config.Release].number), 10)},
		{Key: "AUTH_SESSION_ID", Value: strconv.Itoa(logon.SessionID)},
		{Key: "AUTH_SERIAL_NUM", Value: strconv.Itoa(logon.Serial)},
		{Key: "AUTH_SVR_RESPONSE", Value: e.ServerResponse()},
		{Key: "AUTH_DB_MOUNT_ID\x00", Value: "1"},
		{Key: "AUTH_SC_SERVICE_NAME", Value: identity.Service},
		{Key: "AUTH_SC_INSTANCE_NAME", Value: identity.Instance},
		{Key: "AUTH_INSTANCENAME", Value: identity.Instance},
		{Key: "AUTH_SC_DBUNIQUE_NAME", Value: identity.UniqueName},
		{Key: "AUTH_SC_REAL_DBUNIQUE_NAME", Value: identity.UniqueName},
		{Key: "AUTH_DBNAME", Value: identity.Database},
		{Key: "AUTH_SC_DB_DOMAIN", Value: identity.Domain},
		{Key: "AUTH_MAX_OPEN_CURSORS", Value: strconv.Itoa(c.server.config.OpenCursors)},
		{Key: "AUTH_MAX_IDEN_LENGTH", Value: "128"},
		{Key: "AUTH_USER_ID", Value: strconv.Itoa(identity.UserID)},
	}
}
