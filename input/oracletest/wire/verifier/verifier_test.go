package verifier

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"
)

// client is the other half of the exchange as reference tns-server 5.4 describes it, for a password the
// client believes in.
func client(t *testing.T, e *Exchange, password string) (sessionKey, encrypted string, combo []byte) {
	t.Helper()
	salt, err := hex.DecodeString(e.Salt())
	if err != nil {
		t.Fatal(err)
	}
	mine, err := derive(password, [16]byte(salt))
	if err != nil {
		t.Fatal(err)
	}
	partA, err := decrypt(mine.hash[:], e.SessionKey())
	if err != nil {
		t.Fatal(err)
	}
	partB := bytes.Repeat([]byte{0x5A}, keySize)
	csk, err := hex.DecodeString(e.DerivationSalt())
	if err != nil {
		t.Fatal(err)
	}
	if combo, err = comboKey(partB, partA, csk); err != nil {
		t.Fatal(err)
	}
	plain := append(make([]byte, blockSize), password...)
	n := blockSize - len(plain)%blockSize
	plain = append(plain, bytes.Repeat([]byte{byte(n)}, n)...)
	return upperHex(encrypt(mine.hash[:], partB)), upperHex(encrypt(combo, plain)), combo
}

func TestExchange(t *testing.T) {
	for _, tc := range []struct {
		stored, given string
		ok            bool
	}{
		{"tiger", "tiger", true},
		{"exactly16letters", "exactly16letters", true},
		{"", "", true},
		{"tiger", "Tiger", false},
		{"tiger", "tigers", false},
		{"tiger", "", false},
	} {
		v, err := New(tc.stored)
		if err != nil {
			t.Fatal(err)
		}
		e := v.Begin()
		key, password, combo := client(t, e, tc.given)
		err = e.Verify(key, password)
		if tc.ok != (err == nil) || !tc.ok && !errors.Is(err, ErrDenied) {
			t.Errorf("%q for %q: %v", tc.given, tc.stored, err)
		}
		if !tc.ok {
			continue
		}
		plain, err := decrypt(combo, e.ServerResponse())
		if err != nil || !bytes.Equal(plain[16:32], []byte("SERVER_TO_CLIENT")) || !bytes.Equal(plain[32:], bytes.Repeat([]byte{16}, 16)) {
			t.Errorf("server response % x, error %v", plain, err)
		}
	}
}

func TestExchangeFieldsHaveTheLengthsClientsCheck(t *testing.T) {
	v, err := New("x")
	if err != nil {
		t.Fatal(err)
	}
	e := v.Begin()
	if len(e.SessionKey()) != 64 || len(e.Salt()) != 32 || len(e.DerivationSalt()) != 32 {
		t.Errorf("lengths %d %d %d", len(e.SessionKey()), len(e.Salt()), len(e.DerivationSalt()))
	}
	if other := v.Begin(); other.SessionKey() == e.SessionKey() || other.Salt() != e.Salt() {
		t.Error("session keys repeat, or the salt of a user changes")
	}
	if !v.Matches("x") || v.Matches("y") {
		t.Error("verifier belongs to another password")
	}
}

func FuzzVerify(f *testing.F) {
	v, err := New("tiger")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("", "")
	f.Add(strings.Repeat("00", 32), strings.Repeat("00", 32))
	f.Add("zz", "0")
	f.Fuzz(func(t *testing.T, key, password string) {
		if err := v.Begin().Verify(key, password); err == nil {
			t.Fatal("let in")
		}
	})
}
