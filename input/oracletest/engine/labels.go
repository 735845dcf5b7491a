package engine

import "github.com/oracle-cdc/redpanda-connect-oracle/input/oracletest/wire"

// Label shows what the client says of its work, as DBMS_APPLICATION_INFO does from within.
func (s *session) Label(l wire.Labels) {
	s.show(func(i *SessionInfo) {
		for _, change := range []struct{ to, from *string }{
			{&i.ClientIdentifier, l.ClientIdentifier}, {&i.Module, l.Module}, {&i.Action, l.Action}, {&i.ClientInfo, l.ClientInfo},
		} {
			if change.from != nil {
				*change.to = *change.from
			}
		}
	})
}
