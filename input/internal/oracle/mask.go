package oracle

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

const masked = "***"

// mask replaces the secrets of a Config in error texts.
type mask struct{ secrets []string }

// newMask knows every form in which the driver, net/url or the server may repeat a secret. Texts of fewer than three
// bytes are not replaced: they would only garble messages.
func newMask(c Config) mask {
	var m mask
	add := func(secret string) {
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), url.UserPassword("u", secret).String()[2:]} {
			if len(form) > 2 && !slices.Contains(m.secrets, form) {
				m.secrets = append(m.secrets, form)
			}
		}
	}
	if strings.TrimSpace(c.ConnectionString) != "" {
		m.secrets = append(m.secrets, c.ConnectionString)
	}
	if u, err := url.Parse(strings.TrimSpace(c.ConnectionString)); err == nil {
		if p, ok := u.User.Password(); ok {
			add(p)
		}
	}
	add(c.Password)
	add(c.WalletPassword)
	// Longest first: a short secret may be a part of a longer one.
	slices.SortFunc(m.secrets, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return m
}

func (m mask) text(s string) string {
	for _, secret := range m.secrets {
		s = strings.ReplaceAll(s, secret, masked)
	}
	return s
}

// error gives err back when its text is clean, else one that says the same without the secret. The chain below a masked
// error is reachable for errors.As and errors.Is only.
func (m mask) error(err error) error {
	if err == nil {
		return nil
	}
	if clean := m.text(err.Error()); clean != err.Error() {
		return &maskedError{text: clean, err: err}
	}
	return err
}

type maskedError struct {
	text string
	err  error
}

func (e *maskedError) Error() string        { return e.text }
func (e *maskedError) As(target any) bool   { return asOracle(e.err, target) }
func (e *maskedError) Is(target error) bool { return isCause(e.err, target) }
