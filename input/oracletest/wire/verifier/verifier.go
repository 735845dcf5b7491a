package verifier

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"strings"
)

const (
	// Type is the number of this verifier, the flag of AUTH_VFR_DATA.
	Type = 0x4815
	// GenerationCount is the iterations a client uses for the password.
	GenerationCount = 4096
	// DerivationCount is the iterations a client uses for the session key.
	DerivationCount = 3

	speedySuffix = "AUTH_PBKDF2_SPEEDY_KEY"
	keySize      = 32
	blockSize    = 16
)

// Verifier is what a database stores of a password. Making one costs milliseconds, so keep it per user.
type Verifier struct {
	password string
	salt     [16]byte
	hash     [keySize]byte
}

// New derives the verifier of a password with a fresh salt.
func New(password string) (*Verifier, error) {
	var salt [16]byte
	fill(salt[:])
	return derive(password, salt)
}

func derive(password string, salt [16]byte) (*Verifier, error) {
	key, err := pbkdf2.Key(sha512.New, password, append(salt[:], speedySuffix...), GenerationCount, sha512.Size)
	if err != nil {
		return nil, err
	}
	sum := sha512.Sum512(append(key, salt[:]...))
	v := &Verifier{password: password, salt: salt}
	copy(v.hash[:], sum[:])
	return v, nil
}

// Matches reports whether the verifier was made from this password.
func (v *Verifier) Matches(password string) bool { return v.password == password }

// comboKey joins the two halves of the session key. The halves enter as the text of their digits.
func comboKey(client, server, cskSalt []byte) ([]byte, error) {
	text := strings.ToUpper(hex.EncodeToString(client) + hex.EncodeToString(server))
	return pbkdf2.Key(sha512.New, text, cskSalt, DerivationCount, keySize)
}

// fill never fails: crypto/rand ends the program where it cannot deliver.
func fill(b []byte) { _, _ = rand.Read(b) }
