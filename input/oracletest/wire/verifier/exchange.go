package verifier

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"strings"
)

// ErrDenied says that the password was wrong, or what the client sent was no password at all: the client
// is told the same in both cases.
var ErrDenied = errors.New("log-on denied")

// Exchange is one log-on.
type Exchange struct {
	verifier *Verifier
	partA    [keySize]byte
	cskSalt  [16]byte
	combo    []byte
}

// Begin starts a log-on with fresh random numbers.
func (v *Verifier) Begin() *Exchange {
	e := &Exchange{verifier: v}
	fill(e.partA[:])
	fill(e.cskSalt[:])
	return e
}

// SessionKey is AUTH_SESSKEY of the first answer: the server's half of the key, encrypted.
func (e *Exchange) SessionKey() string {
	return upperHex(encrypt(e.verifier.hash[:], e.partA[:]))
}

// Salt is AUTH_VFR_DATA.
func (e *Exchange) Salt() string { return upperHex(e.verifier.salt[:]) }

// DerivationSalt is AUTH_PBKDF2_CSK_SALT.
func (e *Exchange) DerivationSalt() string { return upperHex(e.cskSalt[:]) }

// Verify checks AUTH_SESSKEY and AUTH_PASSWORD of the second request.
func (e *Exchange) Verify(sessionKey, password string) error {
	client, err := decrypt(e.verifier.hash[:], sessionKey)
	if err != nil || len(client) != keySize {
		return ErrDenied
	}
	if e.combo, err = comboKey(client, e.partA[:], e.cskSalt[:]); err != nil {
		return err
	}
	plain, err := decrypt(e.combo, password)
	if err != nil || len(plain) < 2*blockSize {
		return ErrDenied
	}
	given, ok := unpad(plain[blockSize:])
	if !ok || subtle.ConstantTimeCompare(given, []byte(e.verifier.password)) != 1 {
		return ErrDenied
	}
	return nil
}

// ServerResponse is AUTH_SVR_RESPONSE, the server's proof; only after Verify succeeded.
func (e *Exchange) ServerResponse() string {
	plain := make([]byte, blockSize, 3*blockSize)
	fill(plain)
	plain = append(plain, "SERVER_TO_CLIENT"...)
	plain = append(plain, bytes.Repeat([]byte{blockSize}, blockSize)...)
	return upperHex(encrypt(e.combo, plain))
}

// encrypt is AES-CBC with a zero vector and without padding; plain is whole blocks and keys have 32 bytes,
// so that it cannot fail.
func encrypt(key, plain []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, make([]byte, blockSize)).CryptBlocks(out, plain)
	return out
}

func decrypt(key []byte, digits string) ([]byte, error) {
	data, err := hex.DecodeString(digits)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 || len(data)%blockSize != 0 {
		return nil, errors.New("not whole blocks")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	cipher.NewCBCDecrypter(block, make([]byte, blockSize)).CryptBlocks(data, data)
	return data, nil
}

// unpad removes PKCS#7 padding.
func unpad(b []byte) ([]byte, bool) {
	n := int(b[len(b)-1])
	if n == 0 || n > blockSize || n > len(b) {
		return nil, false
	}
	for _, c := range b[len(b)-n:] {
		if int(c) != n {
			return nil, false
		}
	}
	return b[:len(b)-n], true
}

func upperHex(b []byte) string { return strings.ToUpper(hex.EncodeToString(b)) }
