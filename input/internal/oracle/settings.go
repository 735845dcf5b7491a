package oracle

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// settings are the session parameters that give literals one form (reference logminer A.6). The year has its sign, which A.6
// lacks: with YYYY a date BC arrives as one AD without any trace (case C050).
var settings = map[string]string{
	"NLS_DATE_FORMAT":         "SYYYY-MM-DD HH24:MI:SS",
	"NLS_TIMESTAMP_FORMAT":    "SYYYY-MM-DD HH24:MI:SS.FF9",
	"NLS_TIMESTAMP_TZ_FORMAT": "SYYYY-MM-DD HH24:MI:SS.FF9 TZH:TZM",
	"NLS_NUMERIC_CHARACTERS":  ".,",
	// Texts compare by their bytes: snapshots cut tables at them, and an index serves no other order.
	"NLS_COMP": "BINARY",
	"NLS_SORT": "BINARY",
}

const timeZone = "UTC"

// setUp gives a new session its settings, reads them back, since the driver sets some of its own at log-on (R16), and
// reads SID and SERIAL#.
func (s *Session) setUp(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		if err := s.Exec(ctx, alterSession(name, settings[name])); err != nil {
			return err
		}
	}
	if err := s.Exec(ctx, alterSession("TIME_ZONE", timeZone)); err != nil {
		return err
	}
	if err := s.readBack(ctx); err != nil {
		return err
	}
	id, err := s.readID(ctx)
	s.id = id
	return err
}

func (s *Session) readBack(ctx context.Context) error {
	found := map[string]string{}
	var name, value Text
	err := s.Each(ctx, sessionParameters, nil, []any{&name, &value}, func() error {
		found[string(name)] = string(value)
		return nil
	})
	if err != nil {
		return err
	}
	for name, want := range settings {
		if found[name] != want {
			return fmt.Errorf("%w: %s is %q, was set to %q", ErrSettings, name, found[name], want)
		}
	}
	return s.Each(ctx, sessionTimeZone, nil, []any{&value}, func() error {
		// A server may answer the name or the offset.
		if value != timeZone && value != "+00:00" {
			return fmt.Errorf("%w: TIME_ZONE is %q, was set to %q", ErrSettings, value, timeZone)
		}
		return nil
	})
}

func (s *Session) readID(ctx context.Context) (SessionID, error) {
	var id SessionID
	var sid, serial Text
	err := s.Each(ctx, sessionSelf, nil, []any{&sid, &serial}, func() error {
		return Numbers(Number{"SID", sid, &id.SID}, Number{"SERIAL#", serial, &id.Serial})
	})
	if err == nil && id == (SessionID{}) {
		err = fmt.Errorf("%s: the session does not find itself", sessionSelf.Name)
	}
	return id, err
}

// Check verifies that the connection still leads to the session of the log-on (R10).
func (s *Session) Check(ctx context.Context) error {
	id, err := s.readID(ctx)
	if err != nil {
		return err
	}
	if id != s.id {
		return fmt.Errorf("%w: SID %d SERIAL# %d, was %d, %d", ErrOtherSession, id.SID, id.Serial, s.id.SID, s.id.Serial)
	}
	return nil
}
