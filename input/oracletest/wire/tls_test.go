package wire_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"database/sql"
	"math/big"
	"net"
	"testing"
	"time"

	go_ora "github.com/sijms/go-ora/v2"

	"github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"
)

// certificate makes a server certificate for the loopback address and the pool that trusts it.
func certificate(t testing.TB) (server, client *tls.Config) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "stand-in"},
		NotBefore:    time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA:         true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12},
		&tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

func openTLS(t *testing.T, server *wire.Server, client *tls.Config) (*sql.DB, *dialer) {
	t.Helper()
	connector, ok := go_ora.NewConnector(dsn(server, testUser, testPassword, testService, map[string]string{
		"SSL": "true", "SSL VERIFY": "true", "LOB FETCH": "POST",
	})).(*go_ora.OracleConnector)
	if !ok {
		t.Fatal("connector of another type")
	}
	d := &dialer{}
	connector.Dialer(d)
	connector.WithTLSConfig(client)
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db, d
}

func TestTLS(t *testing.T) {
	columns, lobs := lobRows()
	entered := make(chan struct{}, 1)
	config, client := certificate(t)
	for _, sdu := range []int{512, 8192, 2 << 20} {
		backend := newScript().on("select many", series(5000)).on("select lobs", table(columns, lobs...)).
			on("begin wait; end;", blocking(entered))
		server := listen(t, wire.Config{Backend: backend, TLS: config, SDU: sdu})
		db, d := openTLS(t, server, client)
		rows, err := db.QueryContext(t.Context(), "select many")
		if err != nil {
			t.Fatal(err)
		}
		readSeries(t, rows, 5000)
		if rows, err = db.QueryContext(t.Context(), "select lobs"); err != nil {
			t.Fatal(err)
		}
		checkLobRows(t, rows, lobs)

		// The product cancels by closing the socket: the call ends, and so does the session.
		failed := make(chan error, 1)
		go func() {
			_, err := db.ExecContext(context.Background(), "begin wait; end;")
			failed <- err
		}()
		<-entered
		if err := d.last().Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-failed; err == nil {
			t.Error("a call on a closed socket succeeded")
		}
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		if n := backend.open; n != 0 {
			t.Errorf("%d sessions are open", n)
		}
	}
}

// Kills and faults reach below TLS; a client that speaks plainly is turned away.
func TestTLSEndings(t *testing.T) {
	config, client := certificate(t)
	server := listen(t, wire.Config{Backend: newScript().on("select s", series(10)), TLS: config})
	for _, how := range []wire.Outcome{wire.Proceed, wire.Close, wire.Reset} {
		db, _ := openTLS(t, server, client)
		if err := db.PingContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := server.KillAll(how); n != 1 {
			t.Errorf("%d sessions killed", n)
		}
		conn, err := db.Conn(t.Context())
		if err == nil {
			if err = queryError(t.Context(), conn, "select s"); err == nil {
				t.Errorf("outcome %d: the session is still there", how)
			}
			_ = conn.Close()
		}
	}
	plain := openDSN(t, dsn(server, testUser, testPassword, testService, map[string]string{"TIMEOUT": "2"}))
	if err := plain.PingContext(t.Context()); err == nil {
		t.Error("a plain connection was accepted")
	}
}
