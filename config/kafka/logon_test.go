package kafka

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// ping makes a client of a configuration and asks the broker for a sign of life.
func ping(t *testing.T, yaml string) error {
	t.Helper()
	conn, err := connect(t, yaml)
	if err != nil {
		t.Fatal(err)
	}
	client, err := kgo.NewClient(append(conn, kgo.RequestRetries(0))...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	return client.Ping(t.Context())
}

// The broker of these tests does not know OAUTHBEARER; what the client sends is looked at, and answered, on its behalf
// (RFC 7628: the token follows "auth=Bearer ").
func TestOAuthBearerSendsItsToken(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	cluster.ControlKey(kmsg.SASLHandshake.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		resp := req.ResponseKind().(*kmsg.SASLHandshakeResponse)
		if req.(*kmsg.SASLHandshakeRequest).Mechanism != mechanismOAuth {
			resp.ErrorCode = kerr.UnsupportedSaslMechanism.Code
		}
		resp.SupportedMechanisms = []string{mechanismOAuth}
		return resp, nil, true
	})
	cluster.ControlKey(kmsg.SASLAuthenticate.Int16(), func(req kmsg.Request) (kmsg.Response, error, bool) {
		cluster.KeepControl()
		resp := req.ResponseKind().(*kmsg.SASLAuthenticateResponse)
		if !bytes.Contains(req.(*kmsg.SASLAuthenticateRequest).SASLAuthBytes, []byte("auth=Bearer right\x01")) {
			resp.ErrorCode = kerr.SaslAuthenticationFailed.Code
		}
		return resp, nil, true
	})
	for token, good := range map[string]bool{"right": true, "wrong": false} {
		err := ping(t, "seed_brokers: ['"+cluster.ListenAddrs()[0]+"']\nsasl: [{mechanism: OAUTHBEARER, token: "+token+"}]")
		if (err == nil) != good {
			t.Errorf("token %s: %v", token, err)
		}
		if err != nil && strings.Contains(err.Error(), "wrong") {
			t.Errorf("the error has the token: %v", err)
		}
	}
}

// Of several mechanisms the first that the broker knows is used.
func TestMechanismThatTheBrokerKnowsIsChosen(t *testing.T) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.EnableSASL(), kfake.Superuser("PLAIN", "cdc", "right"))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	err = ping(t, "seed_brokers: ['"+cluster.ListenAddrs()[0]+"']\nsasl: [{mechanism: OAUTHBEARER, token: t}, {mechanism: PLAIN, username: cdc, password: right}]")
	if err != nil {
		t.Fatal(err)
	}
}

// certificate makes a certificate for 127.0.0.1 that vouches for itself.
func certificate(t *testing.T) (tls.Certificate, string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "broker"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func TestTLSProvesTheBroker(t *testing.T) {
	cert, authority := certificate(t)
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.TLS(&tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}))
	if err != nil {
		t.Fatal(err)
	}
	defer cluster.Close()
	seed := "seed_brokers: ['" + cluster.ListenAddrs()[0] + "']\n"
	indented := strings.ReplaceAll(strings.TrimSpace(authority), "\n", "\n    ")
	for name, c := range map[string]struct {
		yaml string
		good bool
	}{
		"trusted":        {"tls:\n  enabled: true\n  root_cas: |\n    " + indented, true},
		"unknown issuer": {"tls: {enabled: true}", false},
		"not looked at":  {"tls: {enabled: true, skip_cert_verify: true}", true},
		"without TLS":    {"tls: {enabled: false}", false},
	} {
		if err := ping(t, seed+c.yaml); (err == nil) != c.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}
