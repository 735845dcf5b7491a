package engine

import (
	"context"

	"github.com/oracle-cdc/redpanda-connect-oracle/schema"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/position"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/registry"
	"github.com/oracle-cdc/redpanda-connect-oracle/schema/stop"
)

// needed reports whether a snapshot is needed instead of going on from a position: with when_needed, where the redo from there on is gone.
// What was deleted in between stays with consumers, so that it is said aloud.
func (m *miner) needed(ctx context.Context, from *position.Position) (bool, error) {
	if from == nil || m.config.Snapshot.Mode != SnapshotWhenNeeded {
		return false, nil
	}
	err := m.db.reaches(ctx, from.Resume)
	if err == nil {
		// A transaction that is open may hold resume far behind what is done: capture would come to the same gap at every start.
		err = m.db.reaches(ctx, from.Done)
	}
	if !stop.Is(err, stop.RedoPurged) && !stop.Is(err, stop.RedoGap) {
		return false, err
	}
	m.config.Log.Warn("The redo from the position on is gone: capture begins anew with a snapshot. Rows that were deleted since stay with consumers, "+
		"and changes in between are not delivered one by one", "position_scn", from.Resume.SCN.String(), "cause", err.Error())
	return true, nil
}

// afresh gives every table of a reading its version, where capture begins anew although versions are stored: nothing older than the
// beginning is mined, so that a table that changed since has its next version from there on. It returns what is not stored yet.
func (m *miner) afresh(now *tables, stored *registry.Registry, from position.SCN) (announce []*schema.Version) {
	m.history = newHistory()
	for _, v := range now.versions() {
		m.history.numbers[v.Table] = m.retired + 1
		record, ok := stored.Record(v.Table)
		if !ok {
			v.Number, v.ValidFrom, v.Exact = m.retired+1, uint64(from), true
			m.history.hold(v, v)
			announce = append(announce, v)
			continue
		}
		versions := m.laid(record)
		latest := versions[len(versions)-1]
		m.history.stored[v.Table] = true
		m.history.hold(latest, latest)
		if latest.GoneFrom == 0 && registry.VersionDigest(withDefaults(latest, v)) == registry.VersionDigest(v) {
			v.Continues(latest)
			v.PendingFrom = 0 // what lies between is not mined
			m.history.numbers[v.Table] = v.Number
			continue
		}
		m.history.numbers[v.Table] = latest.Number + 1
		v.Number, v.ValidFrom, v.Exact = latest.Number+1, uint64(from), true
		m.history.hold(v, v)
		announce = append(announce, v)
	}
	for _, t := range stored.Tables() {
		record, _ := stored.Record(t)
		versions := m.laid(record)
		latest := versions[len(versions)-1]
		m.history.numbers[t] = max(m.history.numbers[t], latest.Number)
		if now.byName[t] == nil {
			m.history.hold(latest, latest)
		}
		if now.byName[t] != nil || latest.GoneFrom > 0 || !m.config.Selection.Captured(t) {
			continue
		}
		ended := *latest
		ended.GoneFrom, ended.Stored = uint64(from), false
		announce = append(announce, &ended)
	}
	m.history.uncertain = announce
	return announce
}
