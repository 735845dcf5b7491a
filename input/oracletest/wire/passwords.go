package wire

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire/verifier"

// verifier is the stored verifier of a user. An unknown user gets one too, so that a client cannot tell the
// two apart before its password is refused.
func (s *Server) verifier(service, user string) (v *verifier.Verifier, known bool, err error) {
	password, known := s.config.Backend.Password(service, user)
	key := service + "\x00" + user
	s.mu.Lock()
	v = s.verifiers[key]
	s.mu.Unlock()
	if v != nil && v.Matches(password) {
		return v, known, nil
	}
	if v, err = verifier.New(password); err != nil {
		return nil, false, err
	}
	s.mu.Lock()
	s.verifiers[key] = v
	s.mu.Unlock()
	return v, known, nil
}
