package conformance_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// keys are a certificate for the loopback address, and where clients find it.
type keys struct {
	server *tls.Config
	pool   *x509.CertPool
	folder string // with ewallet.pem, as thin clients read it
}

func newCertificate(t *testing.T) keys {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		Subject:      pkix.Name{CommonName: "localhost"},
		NotBefore:    time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC),
		NotAfter:     time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC),
		DNSNames:     []string{"localhost"},
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
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	k := keys{pool: x509.NewCertPool(), folder: t.TempDir()}
	k.pool.AddCert(parsed)
	k.server = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	wallet := append(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}), public...)
	for name, content := range map[string][]byte{"ewallet.pem": wallet, "certificate.pem": public} {
		if err := os.WriteFile(filepath.Join(k.folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

// client is how a client in Go trusts it.
func (k keys) client() *tls.Config { return &tls.Config{RootCAs: k.pool, MinVersion: tls.VersionTLS12} }

// trustStore makes a store that Java reads.
func (k keys) trustStore(ctx context.Context, t *testing.T) string {
	t.Helper()
	store := filepath.Join(k.folder, "trust.p12")
	out, err := exec.CommandContext(ctx, "keytool", "-importcert", "-noprompt", "-alias", "standin", "-storetype", "PKCS12",
		"-storepass", "changeit", "-keystore", store, "-file", filepath.Join(k.folder, "certificate.pem")).CombinedOutput()
	if err != nil {
		t.Fatalf("keytool: %v\n%s", err, out)
	}
	return store
}
